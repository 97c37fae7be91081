"""What reaches APNs and what its answers do. Tests named APN-… and V1-… are cases of the corpus."""
import concurrent.futures
import json
import re
import time

import pytest

import device_api
from app_server import AppServer, fcm_code, way_of

ALERT = {"notification": {"title": "Kitchen", "body": "Order 42 is ready"}}


def to(device, message=None):
    return {"token": device["token"]} | (message or {"data": {"k": "v"}})


def requests_to(emulator, device):
    """Every request for the device that the simulator got, with its headers as a dictionary."""
    listing = emulator.control("simulator/requests")["requests"]
    return [
        request | {"headers": {line["name"]: line["value"] for line in request["headers"]}}
        for request in listing if request["path"].lower().endswith(device["apns_token"])]


def script(emulator, device, *answers):
    """The device's next pushes are answered so, one after the other; 200 is the usual answer."""
    emulator.control("simulator/faults", {"answers": list(answers), "when": {"token": device["apns_token"]}})


def test_APN_02_and_04_a_410_older_than_the_registration_ends_nothing(emulator, app_server, fresh_device, faults):
    before = int(time.time() * 1000) - 60_000
    script(emulator, fresh_device,
           {"status": 410, "body": {"reason": "Unregistered", "timestamp": before}}, {"status": 200})
    app_server.send(to(fresh_device))
    status, answer = app_server.send(to(fresh_device))
    assert status == 200, answer
    assert way_of(emulator, answer["name"])["outcome"] == "accepted"
    assert requests_to(emulator, fresh_device)[-1]["status"] == 200


def test_APN_02_a_410_newer_than_the_registration_ends_it(emulator, app_server, fresh_device, faults):
    now = int(time.time() * 1000) + 1000
    script(emulator, fresh_device, {"status": 410, "body": {"reason": "Unregistered", "timestamp": now}})
    status, answer = app_server.send(to(fresh_device))
    assert status == 404 and fcm_code(answer) == "UNREGISTERED"
    assert app_server.send(to(fresh_device))[0] == 404
    assert len(requests_to(emulator, fresh_device)) == 1


def test_APN_05_two_hundred_messages_at_concurrency_20_carry_one_provider_token(own_emulator):
    sender, phones = AppServer(own_emulator), own_emulator.devices("classic", count=20)

    def send_ten(phone):
        connection = sender.connection()
        return [sender.send_on(connection, to(phone, {"data": {"n": str(n)}}))[0] for n in range(10)]

    with concurrent.futures.ThreadPoolExecutor(20) as threads:
        statuses = [status for ten in threads.map(send_ten, phones) for status in ten]
    assert statuses == [200] * 200
    pushes = own_emulator.pushes()
    assert len(pushes) == 200
    assert len({push["headers"]["authorization"] for push in pushes}) == 1


def test_APN_06_an_expired_provider_token_is_renewed_and_the_push_repeated_once(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    sender.must_send(to(phone))
    script(own_emulator, phone, {"status": 403, "body": {"reason": "ExpiredProviderToken"}}, {"status": 200})
    assert sender.send(to(phone))[0] == 200
    first, refused, repeated = requests_to(own_emulator, phone)
    assert first["headers"]["authorization"] == refused["headers"]["authorization"]
    assert refused["headers"]["authorization"] != repeated["headers"]["authorization"]
    assert refused["headers"]["apns-id"] == repeated["headers"]["apns-id"]
    assert (refused["status"], repeated["status"]) == (403, 200)


def test_APN_06_a_provider_token_is_renewed_before_it_is_an_hour_old(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    sender.must_send(to(phone))
    own_emulator.control("clock", {"advance_seconds": 50 * 60})
    try:
        sender.must_send(to(phone))
    finally:
        own_emulator.control("clock", {"advance_seconds": -50 * 60})
    first, second = requests_to(own_emulator, phone)
    assert first["headers"]["authorization"] != second["headers"]["authorization"]
    assert second["status"] == 200


def test_APN_07_a_clock_that_was_set_back_gives_a_token_of_the_right_time(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    sender.must_send(to(phone))
    own_emulator.control("clock", {"advance_seconds": -2 * 3600})
    try:
        sender.must_send(to(phone))
    finally:
        own_emulator.control("clock", {"advance_seconds": 2 * 3600})
    first, second = requests_to(own_emulator, phone)
    assert first["headers"]["authorization"] != second["headers"]["authorization"]
    assert second["status"] == 200


def test_APN_08_upper_case_hex_is_one_registration_and_a_lower_case_path(emulator, app_server):
    installation = device_api.create_installation(emulator)
    token = "00112233445566778899aabbccddeeff" * 2
    for spelling in (token, token.upper()):
        status, answer = device_api.register_fid(emulator, installation, spelling)
        assert status == 200, answer
    name = app_server.must_send({"fid": installation["fid"], "data": {"k": "v"}})
    assert way_of(emulator, name)["outcome"] == "accepted"
    pushes = [push for push in emulator.pushes() if push["path"].lower().endswith(token)]
    assert [push["path"] for push in pushes] == ["/3/device/" + token]


BACKGROUND = {
    "data": {"job": "sync", "n": "3"},
    "apns": {"headers": {"apns-priority": "5", "apns-push-type": "background"},
             "payload": {"aps": {"content-available": 1}}}}


@pytest.mark.parametrize("message, push_type, priority", [
    (BACKGROUND, "background", "5"),
    ({"data": {"job": "sync"}}, "background", "5"),
    (ALERT, "alert", "10"),
    ({"apns": {"payload": {"aps": {"badge": 0}}}}, "alert", "10"),
    ({"apns": {"payload": {"aps": {"sound": "default"}}}}, "alert", "10"),
    (ALERT | {"data": {"k": "v"}}, "alert", "10"),
    (ALERT | {"apns": {"headers": {"apns-priority": "5"}}}, "alert", "5"),
], ids=["content-available", "data", "notification", "badge", "sound", "both", "told otherwise"])
def test_APN_10_push_type_and_priority_follow_from_what_the_push_does(
        emulator, app_server, device, message, push_type, priority):
    way = way_of(emulator, app_server.must_send(to(device, message)))
    headers = way["apns"]["headers"]
    assert way["device_events"]
    assert (headers["apns-push-type"], headers["apns-priority"]) == (push_type, priority)


def test_APN_11_and_V1_21_a_refused_apns_key_ends_no_registration(emulator, app_server, fresh_device, faults):
    script(emulator, fresh_device, {"status": 403, "body": {"reason": "InvalidProviderToken"}}, {"status": 200})
    status, answer = app_server.send(to(fresh_device, ALERT))
    assert status == 401
    assert answer["error"]["status"] == "UNAUTHENTICATED" and fcm_code(answer) == "THIRD_PARTY_AUTH_ERROR"
    assert re.search("APNs|APNS", answer["error"]["message"])
    assert app_server.send(to(fresh_device, ALERT))[0] == 200


@pytest.mark.parametrize("status, reason, expected, code", [
    (400, "BadDeviceToken", 400, "INVALID_ARGUMENT"),
    (400, "DeviceTokenNotForTopic", 400, "INVALID_ARGUMENT"),
    (410, "ExpiredToken", 404, "UNREGISTERED"),
    (413, "PayloadTooLarge", 400, "INVALID_ARGUMENT"),
    (403, "InvalidProviderToken", 401, "THIRD_PARTY_AUTH_ERROR"),
    (429, "TooManyRequests", 429, "QUOTA_EXCEEDED"),
])
def test_an_answer_of_apns_is_told_to_the_waiting_sender(
        emulator, app_server, fresh_device, faults, status, reason, expected, code):
    faults(door="apns", target=fresh_device["token"], status=status, reason=reason)
    got, answer = app_server.send(to(fresh_device))
    assert (got, fcm_code(answer)) == (expected, code), answer


@pytest.mark.parametrize("fault", [
    {"fault": "reset_stream", "code": 7},
    {"fault": "goaway", "unprocessed": 1},
    {"fault": "shutdown"},
    {"fault": "close", "at": "request"},
    {"fault": "tcp_reset", "at": "headers"},
    {"fault": "answer", "status": 500},
    {"fault": "answer", "status": 503},
], ids=lambda fault: fault["fault"] + str(fault.get("status", "")))
def test_what_goes_wrong_on_the_way_to_apns_is_tried_again_with_the_same_id(
        emulator, app_server, fresh_device, faults, fault):
    emulator.control("simulator/faults", fault | {"when": {"token": fresh_device["apns_token"], "count": 1}})
    name = app_server.must_send(to(fresh_device))
    assert way_of(emulator, name)["outcome"] == "accepted"
    requests = requests_to(emulator, fresh_device)
    assert len(requests) >= 1 and requests[-1]["status"] == 200
    assert len({request["headers"]["apns-id"] for request in requests}) == 1


def test_a_message_that_expires_while_apns_is_down_is_given_up(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    own_emulator.control("faults", {"door": "apns", "target": phone["token"], "status": 503, "count": 1000})
    now = own_emulator.control("clock")["now_ms"] // 1000
    name = sender.must_send(to(phone) | {"apns": {"headers": {"apns-expiration": str(now + 600)}}})
    kept = sender.must_send(to(phone))
    own_emulator.control("clock", {"advance_seconds": 601})
    assert way_of(own_emulator, name)["outcome"] == "expired"
    own_emulator.control("faults", method="DELETE")
    assert way_of(own_emulator, kept)["outcome"] == "accepted"
    own_emulator.control("clock", {"advance_seconds": -601})


def test_everything_for_one_device_arrives_in_the_order_of_acceptance(emulator, app_server, fresh_device):
    names = [app_server.must_send(to(fresh_device, {"data": {"n": str(n)}})) for n in range(30)]
    for name in names:
        assert way_of(emulator, name)["outcome"] == "accepted"
    arrived = [json.loads(push["body"])["n"] for push in emulator.pushes()
               if push["path"].endswith(fresh_device["apns_token"])]
    assert arrived == [str(n) for n in range(30)]
