"""The emulator's own API: bad input for each call, the way back to the start, the clock, and who may call."""
import json
import socket
import urllib.parse

import pytest

from app_server import AppServer, events, fcm_code, message_id, way_of
from emulator import Emulator

ROOT = "/emulator/v1/"
DATA = {"data": {"k": "v"}}


def refused(emulator, path, body=None, method=None, status=400):
    """Calls, and checks that the answer is a JSON error of that status."""
    got, text = emulator.call(ROOT + path, body, method)
    assert got == status, text
    assert json.loads(text)["error"]["code"] == status


@pytest.mark.parametrize("body", [
    {"mode": "native"}, {"mode": 5}, {"count": 0}, {"count": -1}, {"count": 2001}, {"count": "2"}, {"count": 1.5},
    {"count": 10 ** 30}, {"foreground": "yes"}, {"dismiss_categories": "news"}, {"dismiss_categories": [5]},
    {"dismiss_categories": {"news": True}}, {"dismiss_categories": ["x"] * 65}, {"colour": "red"}, [], "text", 7,
    b"{", b"{\"mode\":\"classic\"", b"\xff\xfe", b"{\"mode\":\"classic\",}",
], ids=repr)
def test_wrong_devices_are_refused(emulator, body):
    refused(emulator, "devices", body)


def test_an_empty_body_asks_for_the_usual(emulator):
    device, = emulator.control("devices", b"")["devices"]
    assert device["token"].startswith(device["fid"])


@pytest.mark.parametrize("verb, body", [
    ("terminate", {"by_user": 1}), ("terminate", {"by": True}), ("offline", {"offline": "no"}),
    ("tap", {"message_id": 5}), ("tap", {"id": "5"}), ("dismiss", {"message_id": 5}), ("dismiss", {"id": "5"}), ("foreground", {"x": 1}), ("background", []),
    ("uninstall", {"really": True}), ("online", "x"), ("launch", {"foreground": 1}), ("launch", {}),
    ("subscribe", {}), ("subscribe", {"topic": 5}), ("subscribe", {"topic": "no good"}), ("unsubscribe", {"topic": ""}),
    ("subscribe", {"topic": "news", "name": "x"}), ("unsubscribe", {"topic": "news", "wait_ms": -1}),
])
def test_wrong_changes_of_a_device_are_refused(emulator, device, verb, body):
    refused(emulator, f"devices/{device['device']}:{verb}", body)


@pytest.mark.parametrize("path, method", [
    ("devices/nobody", "GET"), ("devices/nobody", "DELETE"), ("devices/nobody:foreground", "POST"),
    ("devices/nobody:tap", "POST"), ("devices/nobody:dismiss", "POST"), ("devices/%00:tap", "POST")])
def test_an_unknown_device_is_404(emulator, path, method):
    refused(emulator, path, b"{}" if method == "POST" else None, method, status=404)


@pytest.mark.parametrize("path, method", [
    ("", "GET"), ("nonsense", "GET"), ("devices/x/y", "GET"), ("devices/iphone-1:fly", "POST"),
    ("simulator/nonsense", "GET")])
def test_an_unknown_call_is_404(emulator, path, method):
    status, _ = emulator.call(ROOT + path, b"{}" if method == "POST" else None, method)
    assert status == 404


@pytest.mark.parametrize("query", [
    "wait_ms=-1", "wait_ms=60001", "wait_ms=soon", "wait_ms=", "wait_ms=99999999999999999999", "message_id=",
    "message_id=x y", "message_id=../..",
])
def test_wrong_questions_about_messages_are_refused(emulator, query):
    refused(emulator, "messages?" + query.replace(" ", "%20"))


def test_a_question_that_matches_nothing_is_answered_with_nothing(emulator):
    assert emulator.control("messages?target=asked-for-by-nobody&wait_ms=1")["messages"] == []
    assert emulator.control("messages?message_id=12345")["messages"] == []


@pytest.mark.parametrize("body", [
    {}, {"door": "window"}, {"door": 5}, {"door": "send"}, {"door": "send", "status": 200},
    {"door": "send", "status": 418}, {"door": "send", "status": "503"}, {"door": "send", "status": 503, "count": 0},
    {"door": "send", "status": 503, "delay_ms": -1}, {"door": "send", "delay_ms": 60_001},
    {"door": "send", "reason": "NO_SUCH_CODE"}, {"door": "send", "status": 503, "target": 7},
    {"door": "send", "status": 503, "wann": "now"}, {"door": "apns"}, {"door": "apns", "status": 99},
    {"door": "apns", "status": 1000}, {"door": "apns", "reason": "NoSuchReason"},
    {"door": "apns", "status": 503, "count": 0},
    {"door": "apns", "status": 503, "count": "many"}, {"door": "apns", "delay_ms": -1},
    {"door": "apns", "status": 503, "target": []}, {"door": "apns", "status": 503, "colour": "red"}, [],
], ids=lambda body: json.dumps(body))
def test_wrong_faults_are_refused_and_change_nothing(emulator, app_server, device, body):
    refused(emulator, "faults", body)
    assert app_server.send({"token": device["token"]} | DATA)[0] == 200


@pytest.mark.parametrize("body", [
    {}, {"advance_seconds": "60"}, {"advance_seconds": 0.5}, {"advance_seconds": None}, {"advance_seconds": 10 ** 12},
    {"advance_seconds": -2 ** 63}, {"advance_seconds": 2 ** 70}, {"seconds": 1}, []], ids=lambda body: json.dumps(body))
def test_wrong_moves_of_the_clock_are_refused(emulator, body):
    refused(emulator, "clock", body)
    assert abs(emulator.control("clock")["ahead_ms"]) < 1000


def test_a_body_that_is_too_long_is_refused(emulator):
    status, _ = emulator.call(ROOT + "faults", b" " * 100_000 + b"{}")
    assert status == 413


@pytest.mark.parametrize("path, method", [("devices", "PUT"), ("apns", "POST"), ("clock", "DELETE"), ("reset", "GET")])
def test_another_method_is_refused(emulator, path, method):
    status, _ = emulator.call(ROOT + path, b"{}" if method in ("PUT", "POST") else None, method)
    assert status in (404, 405)


# --- faults


def test_a_fault_strikes_only_its_target_and_only_so_often(emulator, app_server, faults):
    first, second = emulator.devices("classic", count=2)
    for name in ("token", "fid"):
        faults(door="send", target=first[name], status=503, count=2)
        assert [app_server.send({"token": phone["token"]} | DATA)[0] for phone in (second, first, first, first)] == [
            200, 503, 503, 200]
    for name in ("token", "fid", "device", "apns_token"):
        faults(door="apns", target=first[name], status=429, count=1)
        assert [app_server.send({"token": phone["token"]} | DATA)[0] for phone in (second, first)] == [200, 429]
        # A device that got too much waits for a while; the next name gets a device of its own.
        first = emulator.devices("classic")[0]


def test_forgotten_faults_strike_no_more(emulator, app_server, device):
    emulator.control("faults", {"door": "send", "status": 500, "count": 100})
    assert app_server.send({"token": device["token"]} | DATA)[0] == 500
    emulator.control("faults", method="DELETE")
    assert app_server.send({"token": device["token"]} | DATA)[0] == 200


@pytest.mark.parametrize("reason, status", [
    ("UNREGISTERED", 404), ("SENDER_ID_MISMATCH", 403), ("QUOTA_EXCEEDED", 429), ("UNAVAILABLE", 503),
    ("INTERNAL", 500), ("THIRD_PARTY_AUTH_ERROR", 401), ("INVALID_ARGUMENT", 400)])
def test_every_error_of_fcm_can_be_asked_for_by_its_code(emulator, app_server, device, faults, reason, status):
    faults(door="send", target=device["token"], reason=reason)
    got, answer = app_server.send({"token": device["token"]} | DATA)
    assert (got, fcm_code(answer)) == (status, reason)


# --- the clock


def test_the_clock_ends_what_waits_too_long_and_lets_the_rest_go_on(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    own_emulator.control("faults", {"door": "apns", "target": phone["device"], "status": 503, "count": 100_000})
    now = own_emulator.control("clock")["now_ms"] // 1000

    def send(seconds):
        return sender.must_send(
            {"token": phone["token"], "apns": {"headers": {"apns-expiration": str(now + seconds)}}} | DATA)

    hour, day = send(3600), send(86_400)
    own_emulator.control("clock", {"advance_seconds": 3601})
    assert way_of(own_emulator, hour)["outcome"] == "expired"
    assert way_of(own_emulator, day, wait_ms=0)["outcome"] == "pending"
    own_emulator.control("faults", method="DELETE")
    assert way_of(own_emulator, day)["outcome"] == "accepted"
    assert abs(own_emulator.control("clock", {"advance_seconds": -3601})["ahead_ms"]) < 1000


def test_what_waited_beyond_four_weeks_is_over(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    own_emulator.control("faults", {"door": "apns", "target": phone["device"], "status": 503, "count": 100_000})
    name = sender.must_send({"token": phone["token"]} | DATA)
    own_emulator.control("clock", {"advance_seconds": 31 * 86_400})
    assert way_of(own_emulator, name)["outcome"] == "expired"
    own_emulator.control("clock", {"advance_seconds": -31 * 86_400})
    own_emulator.control("faults", method="DELETE")


# --- the way back


def test_reset_leads_back_to_the_start(own_emulator):
    sender, phone = AppServer(own_emulator), own_emulator.devices("classic")[0]
    name = sender.must_send({"token": phone["token"]} | DATA)
    assert way_of(own_emulator, name)["outcome"] == "accepted"
    own_emulator.control("faults", {"door": "send", "status": 500, "count": 100})
    own_emulator.control("clock", {"advance_seconds": 60})
    own_emulator.control("reset", {})
    assert own_emulator.control("devices")["devices"] == []
    assert own_emulator.control("messages")["messages"] == []
    assert own_emulator.pushes() == []
    assert abs(own_emulator.control("clock")["ahead_ms"]) < 1000
    again = own_emulator.devices("fid")[0]
    name = sender.must_send({"fid": again["fid"]} | DATA)
    assert events(way_of(own_emulator, name)) == ["didReceiveRemoteNotification"]


def test_messages_are_found_by_fid_by_token_and_by_id(emulator, app_server, fresh_device):
    by_token = app_server.must_send({"token": fresh_device["token"]} | DATA)
    by_fid = app_server.must_send({"fid": fresh_device["fid"]} | DATA)
    for target in (fresh_device["token"], fresh_device["fid"]):
        found = emulator.control(f"messages?target={urllib.parse.quote(target)}&wait_ms=10000")["messages"]
        assert [message["name"] for message in found] == [by_token, by_fid]
    for text in (by_fid, message_id(by_fid)):
        found = emulator.control(f"messages?message_id={urllib.parse.quote(text, safe='')}")["messages"]
        assert [message["name"] for message in found] == [by_fid]
        assert found[0]["target"] == {"fid": fresh_device["fid"]}


# --- who may call


def own_address():
    """An address of this machine that is not loopback; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = probe.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith("127.") else address


def test_only_this_machine_may_call_the_emulators_api(pharos):
    address = own_address()
    if not address:
        pytest.skip("this machine has no address but loopback")
    with Emulator(pharos, "--public", f"--listen-http={address}:0") as emulator:
        assert address in emulator.ready["http"]
        for path in ("devices", "apns", "simulator/keys", "clock"):
            status, text = emulator.call(ROOT + path)
            assert status == 403 and "this machine" in text
        assert emulator.call("/healthz")[0] == 200


@pytest.mark.parametrize("options", [
    ["--listen-http=0.0.0.0:0"], ["--listen-proxy=0.0.0.0:0"], ["--listen-apns=0.0.0.0:0", "--public"],
    ["--listen-http=127.0.0.1"], ["--listen-http=127.0.0.1:99999"], ["--project=Not-A-Project"],
    ["--unknown-apns-tokens=maybe"], ["--listen-http=off", "--listen-https=off"],
], ids=lambda options: " ".join(options))
def test_wrong_options_end_the_start_with_a_reason_and_a_next_step(pharos, options):
    emulator = Emulator(pharos, *options)
    try:
        with pytest.raises(RuntimeError) as raised:
            emulator.start()
        text = str(raised.value).partition("\n")[2]
        assert text.startswith("pharos: ") and len(text.splitlines()) >= 2 and "twice" not in text
        assert emulator.process.wait() == 2
    finally:
        emulator.close()
