"""One send to 20,000 devices, ended in the middle by `kill -9`: each gets it, repeats are few and recognisable."""
import collections
import json

from app_server import AppServer
from emulator import Emulator

DEVICES = 20_000
# Deliveries that may be under way when the service ends: the window of one project.
WINDOW = 1_000


def import_devices(emulator, sender):
    """Imports made-up APNs tokens and subscribes them to a topic; returns the tokens."""
    headers = sender.headers | {"access_token_auth": "true"}
    apns_tokens = [f"{number:064x}" for number in range(1, DEVICES + 1)]
    registrations = []
    for start in range(0, DEVICES, 100):
        status, text = emulator.call("/iid/v1:batchImport", {
            "application": emulator.ready["bundle_id"], "sandbox": True,
            "apns_tokens": apns_tokens[start:start + 100]}, headers=headers)
        assert status == 200, text
        registrations += [result["registration_token"] for result in json.loads(text)["results"]]
    for start in range(0, DEVICES, 1_000):
        status, text = emulator.call("/iid/v1:batchAdd", {
            "to": "/topics/everybody", "registration_tokens": registrations[start:start + 1_000]}, headers=headers)
        assert status == 200 and json.loads(text)["results"] == [{}] * 1_000
    return set(apns_tokens)


def pushed(emulator):
    """What APNs got in all runs: token -> the apns-ids under which it was pushed, once each time."""
    pushes = collections.defaultdict(list)
    for line in emulator.apns_log.read_text().splitlines():
        push = json.loads(line)
        pushes[push["path"].rsplit("/", 1)[1]].append(push["headers"]["apns-id"])
    return pushes


def wait_for_pushes(emulator, count):
    """Waits until this run's APNs got so many requests, or hears nothing more. Returns how many it got."""
    seen = 0
    while seen < count:
        requests = emulator.control(f"simulator/requests?after={seen}&wait_ms=10000")["requests"]
        if not requests:
            break
        seen = requests[-1]["number"]
    return seen


def test_every_device_of_a_topic_gets_the_message_although_the_service_is_killed_in_the_middle(pharos):
    with Emulator(pharos) as emulator:
        sender = AppServer(emulator)
        tokens = import_devices(emulator, sender)
        sender.must_send({"topic": "everybody", "data": {"k": "v"}})
        assert wait_for_pushes(emulator, DEVICES // 4) >= DEVICES // 4
        emulator.kill()
        before = len(pushed(emulator))
        assert before < DEVICES, "the service was killed too late to prove anything"
        emulator.start()
        wait_for_pushes(emulator, DEVICES - before)
        hears_more = True
        while hears_more and set(pushed(emulator)) != tokens:
            requests = emulator.control("simulator/requests")["requests"]
            newest = requests[-1]["number"] if requests else 0
            hears_more = emulator.control(f"simulator/requests?after={newest}&wait_ms=10000")["requests"]
        pushes = pushed(emulator)
        assert set(pushes) == tokens, f"{len(tokens - set(pushes))} devices got nothing"
        assert all(len(set(ids)) == 1 for ids in pushes.values()), "a message was pushed under two ids"
        assert sum(len(ids) - 1 for ids in pushes.values()) <= WINDOW, "more was repeated than was under way"
