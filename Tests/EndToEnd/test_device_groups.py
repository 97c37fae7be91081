"""Device groups: made and changed as app servers do, sent to by the legacy protocol and by HTTP v1."""
import json

import pytest


@pytest.fixture()
def phones(emulator):
    return emulator.devices("classic", count=3)


@pytest.fixture()
def groups(emulator):
    """One call of the device group API; returns (status, JSON)."""
    headers = {"Authorization": "key=" + emulator.ready["server_key"], "project_id": emulator.ready["sender_id"]}

    def call(body=None, query=""):
        status, text = emulator.call("/fcm/notification" + query, body, headers=headers)
        return status, json.loads(text)
    return call


def send(emulator, body):
    status, text = emulator.call(
        "/fcm/send", body, headers={"Authorization": "key=" + emulator.ready["server_key"]})
    assert status == 200, text
    return json.loads(text)


def test_a_group_lives_from_its_first_member_to_its_last(emulator, app_server, groups, phones):
    tokens = [phone["token"] for phone in phones]
    status, made = groups({
        "operation": "create", "notification_key_name": "family", "registration_ids": tokens[:1]})
    assert status == 200
    key = made["notification_key"]
    assert groups(query="?notification_key_name=family") == (200, {"notification_key": key})
    change = {"notification_key_name": "family", "notification_key": key, "registration_ids": tokens[1:]}
    assert groups({"operation": "add"} | change) == (200, {"notification_key": key})
    assert send(emulator, {"to": key, "notification": {"title": "g"}}) == {"success": 3, "failure": 0}
    emulator.control(f"devices/{phones[2]['device']}:uninstall", {})
    assert send(emulator, {"to": key, "data": {"k": "v"}}) == {
        "success": 2, "failure": 1, "failed_registration_ids": [tokens[2]]}
    assert app_server.must_send({"token": key, "data": {"k": "v"}})
    assert groups({"operation": "remove"} | change | {"registration_ids": tokens})[0] == 200
    assert groups({"operation": "add"} | change) == (400, {"error": "notification_key not found"})
    assert send(emulator, {"to": key})["results"] == [{"error": "NotRegistered"}]


def test_the_command_line_manages_groups_beside_the_server(emulator, phones):
    tokens = [phone["token"] for phone in phones]
    key = emulator.run("group", "create", "by-hand", "--token", tokens[0])["notification_key"]
    assert emulator.run("group", "add", "by-hand", "--token", tokens[1])["notification_key"] == key
    assert sorted(emulator.run("group", "show", "by-hand")["members"]) == sorted(tokens[:2])
    assert send(emulator, {"to": key, "notification": {"title": "g"}}) == {"success": 2, "failure": 0}
    emulator.run("group", "remove", "by-hand", "--token", tokens[0], "--token", tokens[1])
    assert "by-hand" not in [group["name"] for group in emulator.run("group", "show")["groups"]]
