"""A virtual iPhone with the SDK's direct channel: which way messages take, and what the emulator's faults do to it."""
import time

import pytest

from app_server import events, way_of

DATA = {"data": {"k": "v"}}
ALERT = {"notification": {"title": "Kitchen", "body": "Order 42 is ready"}}


@pytest.fixture()
def phone(emulator):
    """A phone in the foreground whose app holds the direct channel."""
    phone = emulator.control("devices", {"mode": "classic", "direct_channel": True})["devices"][0]
    yield phone
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def sent(app_server, emulator, phone, message):
    """Sends, waits until the phone has told, and returns the record of the message's way."""
    return way_of(emulator, app_server.must_send({"token": phone["token"]} | message))


def do(emulator, phone, verb, **body):
    return emulator.control(f"devices/{phone['device']}:{verb}", body)


def upstream(emulator, message_id):
    found = emulator.control("messages")["upstream"]
    return [message for message in found if message["message_id"] == message_id]


def test_data_for_the_foreground_takes_the_direct_channel(app_server, emulator, phone):
    way = sent(app_server, emulator, phone, DATA)
    assert events(way) == ["didReceiveRemoteMessage"]
    assert way["outcome"] == "accepted" and "apns" not in way
    assert way["device_channel"]["app_data"]["k"] == "v"


def test_data_reaches_an_app_that_registers_its_fid_over_the_direct_channel(app_server, emulator):
    phone = emulator.control("devices", {"mode": "fid", "direct_channel": True})["devices"][0]
    # The app names its device as soon as it has checked in, which the phone's readiness does not wait for.
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        way = way_of(emulator, app_server.must_send({"fid": phone["fid"]} | DATA))
        if "device_channel" in way:
            break
    assert events(way) == ["didReceiveRemoteMessage"] and "apns" not in way
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_what_the_user_sees_takes_apns(app_server, emulator, phone):
    way = sent(app_server, emulator, phone, ALERT)
    assert events(way) == ["willPresent"] and "device_channel" not in way


def test_data_for_the_background_takes_apns(app_server, emulator, phone):
    do(emulator, phone, "background")
    assert emulator.control(f"devices/{phone['device']}")["direct_channel"] is False
    assert events(sent(app_server, emulator, phone, DATA)) == ["didReceiveRemoteNotification"]


def test_a_message_of_the_app_waits_for_its_app_server(emulator, phone):
    answer = do(emulator, phone, "send", data={"a": "b"}, message_id=f"up-{phone['device']}", ttl=60)
    assert answer["to"] == f"{emulator.ready['sender_id']}@gcm.googleapis.com"
    deadline = time.monotonic() + 10
    while not (found := upstream(emulator, answer["message_id"])) and time.monotonic() < deadline:
        pass
    assert [(message["from"], message["state"]) for message in found] == [(phone["token"], "waiting")]


def test_a_connection_that_ends_comes_back(app_server, emulator, phone, faults):
    faults(door="mcs", target=phone["device"], reason="disconnect")
    way = sent(app_server, emulator, phone, DATA)
    assert events(way) in (["didReceiveRemoteMessage"], ["didReceiveRemoteNotification"])


def test_data_goes_through_apns_while_logins_are_refused(app_server, emulator, phone, faults):
    faults(door="mcs", target=phone["token"], status=401, count=1000)
    do(emulator, phone, "background")
    do(emulator, phone, "foreground")
    assert events(sent(app_server, emulator, phone, DATA)) == ["didReceiveRemoteNotification"]


@pytest.mark.parametrize("fault", [
    {"status": 418}, {"reason": "sulk"}, {}, {"status": 401, "reason": "closed"}, {"status": 401, "target": "nobody"}])
def test_a_fault_that_the_channel_cannot_play_is_refused(emulator, fault):
    status, _ = emulator.call("/emulator/v1/faults", {"door": "mcs"} | fault)
    assert status == 400


@pytest.mark.parametrize("body", [{"data": {"a": 1}}, {"data": []}, {"ttl": -1}, {"what": 1}])
def test_a_malformed_upstream_order_is_refused(emulator, phone, body):
    status, _ = emulator.call(f"/emulator/v1/devices/{phone['device']}:send", body)
    assert status == 400
