"""Cases that people met with the iOS SDK and that need a server, each under its id."""
import json

import pytest

from app_server import AppServer, events, fcm_code, message_id, way_of
from device_api import api_headers, call, create_installation, installations_path, register_fid

ALERT = {"notification": {"title": "Kitchen", "body": "Order 42"}}
DATA = {"data": {"k": "v"}}
SILENT = {"apns": {"headers": {"apns-priority": "5"}, "payload": {"aps": {"content-available": 1}}}}


@pytest.fixture(params=[True, False], ids=["foreground", "background"])
def state(request):
    return request.param


@pytest.fixture()
def phone(emulator, state):
    phone = emulator.devices("classic", foreground=state)[0]
    yield phone
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def payload_of(emulator, name):
    return json.loads(way_of(emulator, name)["apns"]["payload"])


def test_ios_01_every_push_carries_its_message_id(emulator, app_server, fresh_device):
    names = [app_server.must_send({"token": fresh_device["token"]} | content) for content in (ALERT, DATA, ALERT | DATA)]
    ids = [payload_of(emulator, name)["gcm.message_id"] for name in names]
    assert ids == [message_id(name) for name in names] and len(set(ids)) == 3
    legacy = app_server.send_legacy({"to": fresh_device["token"], "notification": {"body": "b"}})
    sent = legacy["results"][0]["message_id"]
    pushed = [json.loads(push["body"]) for push in emulator.pushes()
              if push["path"].endswith(fresh_device["apns_token"])][-1]
    assert pushed["gcm.message_id"] and pushed["gcm.message_id"] in sent


def test_ios_03_data_is_text_beside_aps(emulator, app_server, fresh_device):
    nested = {"a": {"b": [1, 2]}}
    app_server.send_legacy(
        {"to": fresh_device["token"], "notification": {"body": "b"}, "data": {"text": "t", "nested": nested}})
    pushed = [json.loads(push["body"]) for push in emulator.pushes()
              if push["path"].endswith(fresh_device["apns_token"])][-1]
    assert pushed["text"] == "t" and json.loads(pushed["nested"]) == nested
    assert not {"google.c.a.c_id", "google.c.a.c_l", "google.c.a.ts"} & set(pushed)


def test_ios_04_a_notification_with_data(emulator, app_server, phone, state):
    way = way_of(emulator, app_server.must_send({"token": phone["token"]} | ALERT | DATA))
    assert events(way) == ["willPresent" if state else "shown"]
    assert way["device_events"][0]["user_info"]["k"] == "v"


def test_ios_04_data_with_content_available(emulator, app_server, phone):
    way = way_of(emulator, app_server.must_send({"token": phone["token"]} | DATA | SILENT))
    assert events(way) == ["didReceiveRemoteNotification"]
    assert way["device_events"][0]["user_info"]["k"] == "v"


def test_ios_04_data_alone_does_not_wake_an_app_in_the_background(emulator, app_server):
    phone = emulator.devices("classic", foreground=False)[0]
    message = {"token": phone["token"], "apns": {"headers": {"apns-priority": "5"}}} | DATA
    heard = events(way_of(emulator, app_server.must_send(message)))
    # Without content-available the system has nobody to tell.
    asks = "content-available" in json.dumps([push["body"] for push in emulator.pushes()][-1])
    assert heard == (["didReceiveRemoteNotification"] if asks else ["dropped"])
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_ios_13_unregister_and_register_with_the_same_fid(emulator, app_server):
    phone = emulator.devices("fid")[0]
    target, control = {"fid": phone["fid"]}, f"devices/{phone['device']}"
    assert app_server.send(target | ALERT)[0] == 200
    emulator.control(control + ":unregister", {})
    status, answer = app_server.send(target | ALERT)
    assert (status, fcm_code(answer)) == (404, "UNREGISTERED")
    emulator.control(control + ":register", {})
    assert emulator.control(control)["fid"] == phone["fid"]
    assert app_server.send(target | ALERT)[0] == 200
    emulator.control(control, method="DELETE")


def test_ios_14_once_registered_a_send_is_accepted_at_once(emulator, app_server):
    # Each phone is answered when its registration is complete, and sent to in that moment.
    for phone in emulator.devices("fid", count=50):
        status, answer = app_server.send({"fid": phone["fid"]} | ALERT)
        assert status == 200, answer
        emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_ios_15_a_copy_of_a_device_does_not_take_its_id_over(emulator, app_server):
    phone = emulator.devices("classic")[0]
    body = {"fid": phone["fid"], "appId": emulator.ready["app_id"], "authVersion": "FIS_v2", "sdkVersion": "i:12.0.0"}
    status, _ = call(emulator, installations_path(emulator), body, headers=api_headers(emulator))
    assert status == 409
    assert events(way_of(emulator, app_server.must_send({"token": phone["token"]} | ALERT))) == ["willPresent"]
    refreshed, _ = call(
        emulator, installations_path(emulator, f"/{phone['fid']}/authTokens:generate"), {},
        headers=api_headers(emulator, Authorization="FIS_v2 " + phone["fis_refresh"]))
    assert refreshed == 200
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_ios_15_an_app_that_lost_its_secret_goes_on_under_a_new_id(emulator, app_server):
    phone = emulator.devices("fid")[0]
    body = {"fid": phone["fid"], "appId": emulator.ready["app_id"], "authVersion": "FIS_v2", "sdkVersion": "i:12.0.0"}
    status, _ = call(emulator, installations_path(emulator), body, headers=api_headers(emulator))
    assert status == 409
    fresh = create_installation(emulator)
    status, answer = register_fid(emulator, fresh, phone["apns_token"])
    assert status == 200, answer
    way_of(emulator, app_server.must_send({"fid": fresh["fid"]} | ALERT))
    assert emulator.pushes()[-1]["path"].endswith(phone["apns_token"])
    status, answer = app_server.send({"fid": phone["fid"]} | ALERT)
    assert (status, fcm_code(answer)) == (404, "UNREGISTERED")
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_ios_16_tokens_of_two_senders_belong_to_two_projects(own_emulator):
    emulator = own_emulator
    other = emulator.run("project", "create", "demo-second")
    number = other["sender_id"]
    phone = emulator.devices("classic")[0]
    second = emulator.control(f"devices/{phone['device']}:register", {"sender_id": number})["token"]
    assert second and second != phone["token"]
    server = AppServer(emulator)
    assert server.send({"token": phone["token"]} | ALERT)[0] == 200
    status, answer = server.send({"token": second} | ALERT)
    assert (status, fcm_code(answer)) == (403, "SENDER_ID_MISMATCH")
    emulator.control(f"devices/{phone['device']}:unregister", {"sender_id": number})
    assert server.send({"token": phone["token"]} | ALERT)[0] == 200
