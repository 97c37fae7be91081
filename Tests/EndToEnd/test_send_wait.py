"""`pharos send --wait` with `pharos serve`: how far a message is, told until every recipient has an outcome."""
import json
import signal
import socket
import subprocess

import pytest

from app_server import AppServer
from fixture_world import access_token
from production import BUNDLE, KEY_ID, TEAM_ID, Production

MEMBERS = 300


class APNs:
    """A `pharos apns-simulator` that takes pushes for any device token; not started yet."""

    def __init__(self, pharos, folder, key):
        self.folder, self.process = folder, None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.words = [
            pharos, "apns-simulator", "--data-dir", str(folder / "apns"), f"--listen-apns=127.0.0.1:{self.port}",
            "--listen-control=127.0.0.1:0", "--unknown-apns-tokens=accept", f"--key-file={key}",
            f"--key-id={KEY_ID}", f"--team-id={TEAM_ID}"]

    @property
    def ca(self):
        return self.folder / "apns" / "ca.pem"

    def start(self):
        with open(self.folder / "apns-log", "ab") as log:
            self.process = subprocess.Popen(
                self.words, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        assert self.process.stdout.readline(), (self.folder / "apns-log").read_text()

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=15)
            self.process = None


@pytest.fixture(scope="module")
def production(pharos):
    """A service whose topic `everybody` has members, and its APNs, which is away."""
    service = Production(pharos)
    apns = APNs(pharos, service.folder, service.prepare())
    # Once, so that its CA is there to trust.
    apns.start()
    apns.stop()
    service.options += [f"--apns-host=127.0.0.1:{apns.port}", f"--apns-ca={apns.ca}"]
    with service:
        service.members = follow(service, "everybody", MEMBERS)
        yield service, apns
        apns.stop()


@pytest.fixture()
def service(production):
    return production[0]


@pytest.fixture()
def apns(production):
    yield production[1]
    production[1].stop()


def follow(service, topic, count):
    """Imports made-up APNs tokens and subscribes them; returns the registration tokens."""
    headers = AppServer(service).headers | {"access_token_auth": "true"}
    tokens = []
    for start in range(0, count, 100):
        status, text = service.call("/iid/v1:batchImport", {
            "application": BUNDLE, "sandbox": False,
            "apns_tokens": [f"{number:064x}" for number in range(start, min(start + 100, count))]}, headers=headers)
        assert status == 200, text
        tokens += [result["registration_token"] for result in json.loads(text)["results"]]
    assert service.run(
        "topic", "subscribe", topic, "--project", service.ready["project"],
        *["--token=" + token for token in tokens])["changed"] == count
    return tokens


def start_send(service, *words):
    return subprocess.Popen(
        [service.pharos, "send", *words, "--service-account", service.ready["service_account"], "--data-dir",
         str(service.data_dir)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def send(service, *words):
    sending = start_send(service, *words)
    output, errors = sending.communicate(timeout=120)
    return sending.returncode, output, errors


def test_a_fan_outs_progress_is_told_until_everybody_has_an_outcome(service, apns):
    sending = start_send(service, "--topic=everybody", "--title=Hello", "--wait", "--wait-seconds=60")
    lines = []
    while not lines or "recipients so far" in lines[-1]:
        lines.append(sending.stderr.readline())
        assert lines[-1], lines
    assert lines[-1] == f"{MEMBERS} recipients: 0 accepted, 0 failed, 0 expired, {MEMBERS} pending\n"
    # An app that is deleted while its message waits for APNs.
    path = f"/v1/project/{service.ready['project']}/instanceId/{service.members[-1].split(':')[0]}"
    assert service.call(path, method="DELETE", headers=AppServer(service).headers)[0] == 200
    apns.start()
    output, errors = sending.communicate(timeout=120)
    assert sending.returncode == 0, errors
    name, counts = output.splitlines()
    assert name.startswith("projects/shop-prod/messages/")
    assert counts == f"{MEMBERS} recipients: {MEMBERS - 1} accepted, 1 failed, 0 expired"
    status, text = service.call("/v1/" + name, headers=AppServer(service).headers)
    assert status == 200 and json.loads(text) == {
        "name": name, "state": "DONE", "recipients": MEMBERS, "accepted": MEMBERS - 1, "failed": 1, "expired": 0,
        "pending": 0}


def test_who_waits_for_one_recipient_or_none_is_told_too(service, apns):
    apns.start()
    code, output, errors = send(service, "--token", service.members[0], "--title=Hello", "--wait", "--json")
    assert code == 0, errors
    assert {name: json.loads(output)[name] for name in ("state", "recipients", "accepted")} == {
        "state": "DONE", "recipients": 1, "accepted": 1}
    code, output, errors = send(service, "--topic=nobody", "--title=Hello", "--wait")
    assert code == 0, errors
    assert output.splitlines()[1] == "0 recipients: 0 accepted, 0 failed, 0 expired"


def test_who_waits_in_vain_hears_that_the_service_goes_on(service, apns):
    code, output, errors = send(service, "--topic=everybody", "--title=Hello", "--wait", "--wait-seconds=1")
    assert code == 1 and output == ""
    assert "pharos: Nothing has changed for 1 seconds: " in errors and "Do not send it again" in errors


def test_only_the_projects_own_callers_learn_how_far_a_message_is(service, apns):
    name = AppServer(service).must_send({"topic": "nobody", "data": {"k": "v"}})
    assert service.call("/v1/" + name)[0] == 401
    service.run("project", "create", "other-shop")
    account = service.folder / "other.json"
    service.run("service-account", "create", "--project", "other-shop", "--server", service.ready["http"], "--out",
                str(account))
    other = {"Authorization": "Bearer " + access_token(service, json.loads(account.read_text()))}
    assert service.call("/v1/" + name, headers=other)[0] == 403
    assert service.call("/v1/" + name.replace("shop-prod", "other-shop"), headers=other)[0] == 404
