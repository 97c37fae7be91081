"""Rules of a project for topics, set with the command line: what apps may join by themselves."""
import json

import pytest

from device_api import api_headers


@pytest.fixture()
def rules(emulator):
    """Sets rules while the service runs; they are gone after the test."""
    yield lambda *words: emulator.run("topic", "rules", *words)
    emulator.run("topic", "rules", "--clear")


def change_by_fid(emulator, phone, topic, verb="subscribe"):
    """The call of an app instance in FID mode; returns (status, JSON)."""
    status, text = emulator.call(
        f"/v1/projects/{emulator.ready['project']}/registrations/{phone['fid']}/topicSubscriptions/{topic}:{verb}",
        b"", headers=api_headers(emulator, **{"x-goog-firebase-installations-auth": phone["fis_auth"]}))
    return status, json.loads(text)


def join_by_token(emulator, phone, topic):
    """The call of an app instance in token mode; returns the line of the answer."""
    name = f"/topics/{topic}"
    body = (f"sender={phone['token']}&app={emulator.ready['bundle_id']}&device={phone['android_id']}&app_ver=1.0"
            f"&X-gcm.topic={name}&X-scope={name}")
    return emulator.call("/iid/register", body.encode(), headers={
        "Content-Type": "application/x-www-form-urlencoded",
        "Authorization": f"AidLogin {phone['android_id']}:{phone['security_token']}"})[1]


def test_apps_join_what_the_rules_allow_and_nothing_else(emulator, rules, fid_device):
    own = f"own-{fid_device['fid']}"
    assert rules("--allow", "news-*", "--allow", "own-{fid}", "--deny", "news-staff") == {
        "project_id": emulator.ready["project"], "allowed": ["news-*", "own-{fid}"], "denied": ["news-staff"]}
    for topic in ["news-staff", "sport", "own-somebody"]:
        status, answer = change_by_fid(emulator, fid_device, topic)
        assert (status, answer["error"]["status"]) == (403, "PERMISSION_DENIED"), topic
    for topic in ["news-weather", own]:
        assert change_by_fid(emulator, fid_device, topic) == (200, {}), topic
    joined = [entry["topic"] for entry in emulator.run("topic", "list", "--token", fid_device["fid"])["topics"]]
    assert joined == sorted(["news-weather", own])
    # Leaving is always allowed.
    rules("--deny", "*")
    for topic in joined:
        assert change_by_fid(emulator, fid_device, topic, "unsubscribe") == (200, {})


def test_the_rules_hold_in_token_mode_and_not_for_app_servers(emulator, rules, fresh_device, app_server):
    rules("--deny", "staff-*")
    assert join_by_token(emulator, fresh_device, "staff-1").strip() == "Error=INVALID_PARAMETERS"
    assert join_by_token(emulator, fresh_device, "guests").startswith("token=")
    path = f"/v1/projects/{emulator.ready['project']}/registrations/{fresh_device['fid']}/topicSubscriptions"
    assert emulator.call(f"{path}?topicName=staff-1", {}, headers=app_server.headers)[0] == 200
    rules("--clear")
    assert join_by_token(emulator, fresh_device, "staff-2").startswith("token=")


def test_a_rule_that_cannot_be_is_refused(emulator, rules):
    with pytest.raises(RuntimeError, match="matches no topic name.\n  Use 1 to 900 characters"):
        rules("--allow", "two words")
    assert rules() == {"project_id": emulator.ready["project"], "allowed": [], "denied": []}
