"""The limit on changes of topic subscriptions per second, as public clients and commands meet it."""
import json

import pytest
from firebase_admin import messaging

from admin_sdk import app_through_proxy
from app_server import AppServer
from emulator import Emulator

LIMIT = 10
# Each fills a second's quota. Only if a second passed between each two of them would none be refused.
BATCHES = 20


@pytest.fixture(scope="module")
def limited(pharos):
    """An emulator with the limit that `pharos serve` has by default, but a lower one."""
    with Emulator(pharos, f"--topic-changes-per-second={LIMIT}") as emulator:
        yield emulator


@pytest.fixture(scope="module")
def app(limited):
    with app_through_proxy(limited) as app:
        yield app


def use_up(limited, headers):
    """Batches until one is refused; returns its answer."""
    for _ in range(BATCHES):
        status, text = limited.call(
            "/iid/v1:batchAdd", {"to": "/topics/news", "registration_tokens": ["bogus"] * LIMIT}, headers=headers)
        if status != 200:
            return status, json.loads(text)
        assert json.loads(text)["results"] == [{"error": "INVALID_ARGUMENT"}] * LIMIT
    pytest.fail(f"{BATCHES} seconds' worth of changes were taken at once")


def test_too_many_changes_are_refused_and_go_on_later(limited):
    headers = AppServer(limited).headers | {"access_token_auth": "true"}
    phone = limited.devices("classic")[0]
    batch = {"to": "/topics/news", "registration_tokens": [phone["token"]] * LIMIT}
    assert use_up(limited, headers) == (429, {"error": "RESOURCE_EXHAUSTED"})
    limited.control("clock", {"advance_seconds": 1})
    status, text = limited.call("/iid/v1:batchAdd", batch, headers=headers)
    assert status == 200 and json.loads(text)["results"] == [{}] * LIMIT


@pytest.mark.parametrize("subscribe", [messaging.subscribe_to_topic, messaging.subscribe_to_topic_legacy])
def test_firebase_admin_says_resource_exhausted(limited, app, subscribe):
    tokens = [phone["token"] for phone in limited.devices("classic", count=2)] * (5 * LIMIT)
    reasons = set()
    for number in range(BATCHES):
        try:
            reasons |= {error.reason for error in subscribe(tokens, f"topic-{number}", app=app).errors}
        except Exception as error:  # The older API refuses the whole call.
            reasons.add(str(error.http_response.json()["error"]))
        if reasons:
            break
    assert reasons == {"RESOURCE_EXHAUSTED"}


def test_the_command_line_is_not_limited(limited):
    token = limited.devices("classic")[0]["token"]
    words = ["--token=" + token] * LIMIT
    for number in range(3):
        assert limited.run("topic", "subscribe", f"by-hand-{number}", *words)["failed"] == []
