"""The console's API keeps to its own description: schemathesis makes requests from it, right ones and wrong ones, and
checks each answer against it."""
import json

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance, response_headers_conformance, response_schema_conformance, status_code_conformance)

from emulator import Emulator

EXAMPLES = 6
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_headers_conformance,
    response_schema_conformance]
METHODS = ["get", "post", "put", "patch", "delete"]
#: A stream without an end; and what would take away what the others work with.
LEFT_OUT = {"message.tail", "session.create", "session.delete", "project.delete"}


class Door:
    """The API of an emulator of this file's own, with a token of its administrator."""

    def __init__(self, emulator):
        self.base = emulator.ready["http"] + "/console/v1"
        self.session = requests.Session()
        self.session.trust_env = False
        signed_in = self.call("session", {"name": "admin", "password": emulator.ready["admin_password"]})
        self.session.headers["X-CSRF-Token"] = signed_in["csrfToken"]
        self.headers = {"Authorization": "Bearer " + self.call("tokens", {"name": "schemathesis"})["token"]}
        self.document = self.call("openapi.json")
        #: Without the cookie: the token alone must do.
        self.bare = requests.Session()
        self.bare.trust_env = False
        self.schema = schemathesis.openapi.from_dict(self.document)
        self.schema.config.update(base_url=self.base)

    def call(self, path, body=None):
        answer = self.session.request("GET" if body is None else "POST", f"{self.base}/{path}", json=body)
        assert answer.ok, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def door(pharos):
    with Emulator(pharos) as emulator:
        emulator.devices("classic")
        yield Door(emulator)


def test_the_description_names_each_operation_once(door):
    operations = [
        each for methods in door.document["paths"].values() for method, each in methods.items() if method in METHODS]
    assert len({each["operationId"] for each in operations}) == len(operations) >= 30
    assert all(each.get("summary") for each in operations)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_every_answer_is_as_described(door, mode):
    wrong = []
    for result in door.schema.get_all_operations():
        operation = result.ok()
        if operation.definition.raw["operationId"] not in LEFT_OUT:
            wrong += examined(operation, mode, door)
    assert not wrong, "\n\n".join(wrong)


def refused_as_http(answer):
    """Whether the request was no good HTTP, so that no API saw it."""
    return answer.status_code in (400, 413, 414, 431) and answer.headers["content-type"][0].startswith("text/plain")


def examined(operation, mode, door):
    """What is wrong with the answers of an operation."""
    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        if "project" in (case.path_parameters or {}):
            case.path_parameters["project"] = "demo-pharos"
        answer = case.call(headers=door.headers, session=door.bare)
        if not refused_as_http(answer):
            case.validate_response(answer, checks=CHECKS, headers=door.headers)

    try:
        ask()
    except Unsatisfiable:
        # An operation without parameters and body has no wrong requests.
        return []
    except BaseExceptionGroup as failures:
        return [f"{operation.label}: {failure}" for failure in failures.exceptions]
    except AssertionError as failure:
        return [f"{operation.label}: {failure}"]
    return []
