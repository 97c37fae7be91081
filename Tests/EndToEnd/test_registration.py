"""The device routes word for word: check-in, classic registration, installations, registrations by FID."""
import gzip
import http.client
import json
import re
import secrets
import struct
import urllib.parse

import pytest

import device_api
from app_server import fcm_code, way_of
from device_api import api_headers, call, installations_path, registrations_path
from fixture_world import BUNDLE, check_in

FID = re.compile(r"[cdef][A-Za-z0-9_-]{21}")
# The first check-in of a public client library, and the same with an identity: the ids are in the bytes.
FIRST_CHECK_IN = bytes.fromhex("221660036a120803120c39342e302e343630362e353118017003b00100")


def apns_token():
    return secrets.token_hex(32)


def proto_check_in(emulator, body=FIRST_CHECK_IN, content_type="application/x-protobuf", **headers):
    """Returns (status, body, headers)."""
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(emulator.ready["http"]).netloc, timeout=30)
    connection.request("POST", "/checkin", body, {"Content-Type": content_type} | headers)
    answer = connection.getresponse()
    return answer.status, answer.read(), answer.headers


def protobuf_fields(data):
    """The fields of a message: number -> value. Varints, fixed64 and bytes."""
    fields, place = {}, 0

    def varint():
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(data):
        key = varint()
        if key & 7 == 0:
            fields[key >> 3] = varint()
        elif key & 7 == 1:
            fields[key >> 3] = struct.unpack_from("<Q", data, place)[0]
            place += 8
        else:
            size = varint()
            fields[key >> 3] = data[place:place + size]
            place += size
    return fields


def check_in_again(android_id, security_token):
    """The first check-in, with an identity."""
    def varint(value):
        out = b""
        while value > 127:
            out += bytes([value & 127 | 128])
            value >>= 7
        return out + bytes([value])
    return b"\x10" + varint(android_id) + FIRST_CHECK_IN + b"\x69" + struct.pack("<Q", security_token)


# --- check-in


def test_a_first_check_in_of_a_public_library_gets_an_identity(emulator):
    status, body, headers = proto_check_in(emulator)
    assert status == 200 and headers["content-type"].startswith("application/x-protobuf")
    fields = protobuf_fields(body)
    assert fields[1] == 1 and fields[3] > 1_600_000_000_000
    assert 0 < fields[7] < 2 ** 63 and 0 < fields[8] < 2 ** 63


def test_a_repeated_check_in_gets_the_same_identity(emulator):
    first = protobuf_fields(proto_check_in(emulator)[1])
    again = protobuf_fields(proto_check_in(emulator, check_in_again(first[7], first[8]))[1])
    assert (again[7], again[8]) == (first[7], first[8])


@pytest.mark.parametrize("android_id, security_token", [(1, 2), (4186988920390508657, 1234605616436508552)])
def test_a_check_in_with_an_unknown_identity_is_401_so_that_browsers_start_over(emulator, android_id, security_token):
    assert proto_check_in(emulator, check_in_again(android_id, security_token))[0] == 401


def test_androids_gzipped_check_in_is_answered_gzipped(emulator):
    status, body, headers = proto_check_in(
        emulator, gzip.compress(FIRST_CHECK_IN), "application/x-protobuffer",
        **{"Content-Encoding": "gzip", "Accept-Encoding": "gzip"})
    assert status == 200 and headers["content-encoding"] == "gzip"
    assert protobuf_fields(gzip.decompress(body))[7] > 0


def test_apples_check_in_is_json_with_numbers(emulator):
    answer = check_in(emulator)
    assert answer["stats_ok"] is True
    for name in ("android_id", "security_token", "time_msec"):
        assert isinstance(answer[name], int) and 0 < answer[name] < 2 ** 63
    assert isinstance(answer["version_info"], str) and answer["setting"] == []


def test_apples_check_in_with_an_unknown_identity_starts_over(emulator):
    status, answer = call(emulator, "/checkin", {"checkin": {"type": 2}, "id": 7, "security_token": 8, "version": 2})
    assert status == 200 and (answer["android_id"], answer["security_token"]) != (7, 8)


@pytest.mark.parametrize("body", [b"\xff\xff\xff", b"\x22\xff\x01x", b"\x6a\x05ab"], ids=["key", "length", "cut"])
def test_a_check_in_that_is_no_message_is_refused(emulator, body):
    assert proto_check_in(emulator, body)[0] == 400


# --- classic registration


@pytest.fixture()
def instance(emulator):
    """A device and an installation: what an app instance has before it registers."""
    return device_api.new_device(emulator)


def register(emulator, instance, apns=None, **changes):
    return device_api.register_form(emulator, *instance, apns or "s_" + apns_token(), **changes)


def token_of(text):
    match = re.fullmatch(r"token=([^=\s+%/&]+)", text.strip())
    assert match, text
    return match.group(1)


def test_apples_registration_answers_one_line_with_a_token_that_begins_with_the_fid(emulator, instance):
    status, text = register(emulator, instance)
    token = token_of(text)
    assert status == 200 and token.startswith(instance[1]["fid"] + ":APA91b")
    assert "GOOG.ttl" not in text


def test_the_same_registration_again_gets_the_same_token(emulator, instance):
    apns = "s_" + apns_token()
    assert token_of(register(emulator, instance, apns)[1]) == token_of(register(emulator, instance, apns)[1])


@pytest.mark.parametrize("path", ["/register", "/c2dm/register3"])
def test_both_paths_register_encoded_and_unencoded_forms(emulator, app_server, path):
    for encoded in (False, True):
        device, installation = device_api.new_device(emulator)
        sender = emulator.ready["sender_id"]
        fields = {
            "device": device["android_id"], "X-scope": "*", "plat": "2", "app": BUNDLE, "sender": sender,
            "X-subtype": sender, "appid": installation["fid"], "apns_token": "s_" + apns_token(),
            "gmp_app_id": emulator.ready["app_id"]}
        _, text = device_api.post_form(
            emulator, path, fields, encoded,
            **{"Authorization": f"AidLogin {device['android_id']}:{device['security_token']}",
               "x-goog-firebase-installations-auth": installation["auth"]})
        assert app_server.send({"token": token_of(text), "data": {"k": "v"}})[0] == 200


def test_a_browser_registers_with_its_application_server_key(emulator):
    device = check_in(emulator)
    key = "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4"
    _, text = device_api.post_form(
        emulator, "/c2dm/register3",
        {"app": "org.chromium.linux", "X-subtype": "wp:https://app.example.com/#1-V2", "device": device["android_id"],
         "sender": key}, True, Authorization=f"AidLogin {device['android_id']}:{device['security_token']}")
    assert ":APA91b" in token_of(text)


@pytest.mark.parametrize("changes, error", [
    ({"sender": "999999999999"}, "INVALID_SENDER"),
    ({"sender": None}, "INVALID_SENDER"),
    ({"sender": "not-a-number"}, "INVALID_SENDER"),
    ({"app": None}, "INVALID_PARAMETERS"),
    ({"app": "com.example.other"}, "INVALID_PARAMETERS"),
    ({"device": "0"}, "PHONE_REGISTRATION_ERROR"),
    ({"device": "17"}, "PHONE_REGISTRATION_ERROR"),
    ({"appid": "cAAAAAAAAAAAAAAAAAAAAA"}, "FIS_AUTH_ERROR"),
    ({"gmp_app_id": "1:1:ios:0"}, "INVALID_PARAMETERS"),
    ({"apns_token": "x_00"}, "INVALID_PARAMETERS"),
    ({"apns_token": "s_zz"}, "INVALID_PARAMETERS"),
], ids=lambda value: value if isinstance(value, str) else "-".join(f"{k}={v}" for k, v in value.items()))
def test_a_wrong_registration_is_refused_in_the_words_that_sdks_know(emulator, instance, changes, error):
    status, text = register(emulator, instance, **changes)
    assert status == 200 and text.strip() == f"Error={error}"


@pytest.mark.parametrize("authorization, status, error", [
    ("AidLogin 1:2", 200, "PHONE_REGISTRATION_ERROR"),
    ("AidLogin {id}:2", 401, "AUTHENTICATION_FAILED"),
    ("AidLogin {id}", 401, "AUTHENTICATION_FAILED"),
    ("Bearer x", 401, "AUTHENTICATION_FAILED"),
    ("", 401, "AUTHENTICATION_FAILED"),
])
def test_wrong_device_credentials_are_refused(emulator, instance, authorization, status, error):
    device = instance[0]
    got, text = device_api.post_form(
        emulator, "/c2dm/register3",
        {"app": BUNDLE, "device": device["android_id"], "sender": emulator.ready["sender_id"]},
        Authorization=authorization.format(id=device["android_id"]))
    assert (got, text.strip()) == (status, f"Error={error}")


def test_a_deleted_token_is_unregistered_and_the_next_one_is_another(emulator, app_server, instance):
    first = token_of(register(emulator, instance)[1])
    status, text = register(emulator, instance, delete="true", **{"X-subtype": None})
    assert status == 200 and text.startswith(("token=", "deleted="))
    status, answer = app_server.send({"token": first, "data": {"k": "v"}})
    assert status == 404 and fcm_code(answer) == "UNREGISTERED"
    second = token_of(register(emulator, instance)[1])
    assert second != first
    assert app_server.send({"token": second, "data": {"k": "v"}})[0] == 200
    assert app_server.send({"token": first, "data": {"k": "v"}})[0] == 404


def test_deleting_what_is_not_there_is_success(emulator, instance):
    status, text = register(emulator, instance, delete="true", sender="*", **{"X-subtype": None})
    assert status == 200 and text.startswith(("token=", "deleted="))


def test_the_newest_registration_of_an_apns_token_wins(emulator, app_server):
    apns = apns_token()
    first = token_of(register(emulator, device_api.new_device(emulator), "s_" + apns)[1])
    second = token_of(register(emulator, device_api.new_device(emulator), "s_" + apns)[1])
    assert app_server.send({"token": first, "data": {"k": "v"}})[0] == 404
    name = app_server.must_send({"token": second, "data": {"k": "v"}})
    assert way_of(emulator, name)["apns"]["path"] == "/3/device/" + apns


def test_a_new_apns_token_of_the_same_instance_is_where_messages_go(emulator, app_server, instance):
    old, new = apns_token(), apns_token()
    token = token_of(register(emulator, instance, "s_" + old)[1])
    assert token_of(register(emulator, instance, "p_" + new)[1]) == token
    way = way_of(emulator, app_server.must_send({"token": token, "data": {"k": "v"}}))
    assert way["apns"]["path"] == "/3/device/" + new and way["apns"]["environment"] == "production"


# --- installations


def test_an_installation_is_created_renewed_shown_and_deleted(emulator, app_server):
    installation = device_api.create_installation(emulator)
    fid, path = installation["fid"], installations_path(emulator, "/" + installation["fid"])
    assert FID.fullmatch(fid)
    assert installation["name"] == f"projects/{emulator.ready['sender_id']}/installations/{fid}"
    assert installation["auth"].count(".") == 2
    refresh = api_headers(emulator, Authorization=f"FIS_v2 {installation['refresh']}")

    status, renewed = call(emulator, path + "/authTokens:generate", {"installation": {"sdkVersion": "i:1"}},
                           headers=refresh)
    assert status == 200 and renewed["expiresIn"] == "604800s"
    assert device_api.register_fid(emulator, installation | {"auth": renewed["token"]}, apns_token())[0] == 200
    assert app_server.send({"fid": fid, "data": {"k": "v"}})[0] == 200

    assert call(emulator, path, method="GET", headers=refresh)[1]["fid"] == fid
    assert call(emulator, path + "/", {}, method="DELETE", headers=refresh) == (200, {})
    assert app_server.send({"fid": fid, "data": {"k": "v"}})[0] == 404
    assert call(emulator, path + "/authTokens:generate", {}, headers=refresh)[0] == 404


def test_a_wanted_fid_is_kept_and_a_malformed_one_replaced(emulator):
    assert device_api.create_installation(emulator, "cSNFZ4mrze8BI0VniavN7w")["fid"] == "cSNFZ4mrze8BI0VniavN7w"
    for wanted in ("d7UyVW1TGoix9gZNOllM1A4=", "zzz", ""):
        assert FID.fullmatch(device_api.create_installation(emulator, wanted)["fid"])


def test_an_installation_may_be_asked_for_in_gzip_as_text_and_by_project_number(emulator):
    body = json.dumps({"fid": "", "appId": emulator.ready["app_id"], "authVersion": "FIS_v2", "sdkVersion": "a:1"})
    status, text = emulator.call(
        f"/v1/projects/{emulator.ready['sender_id']}/installations/", gzip.compress(body.encode()),
        headers=api_headers(emulator, **{"Content-Encoding": "gzip", "Content-Type": "text/plain;charset=utf-8"}))
    assert status == 200, text
    assert FID.fullmatch(json.loads(text)["fid"])


@pytest.mark.parametrize("changes, headers, status", [
    ({}, {"x-goog-api-key": "AIza" + "x" * 35}, 400),
    ({}, {"x-goog-api-key": ""}, 403),
    ({"appId": "1:1:ios:1"}, {}, 400),
    ({"appId": None}, {}, 400),
    ({"authVersion": "FIS_v1"}, {}, 400),
], ids=["unknown key", "no key", "unknown app", "no app", "version"])
def test_a_wrong_installation_is_refused(emulator, changes, headers, status):
    body = {"fid": "", "appId": emulator.ready["app_id"], "authVersion": "FIS_v2", "sdkVersion": "i:1"} | changes
    got, answer = call(emulator, installations_path(emulator), {k: v for k, v in body.items() if v is not None},
                       headers=api_headers(emulator) | headers)
    assert got == status and answer["error"]["code"] == status


def test_the_refresh_token_of_another_installation_is_worth_nothing(emulator):
    mine, other = (device_api.create_installation(emulator) for _ in range(2))
    for scheme in (f"FIS_v2 {other['refresh']}", f"Bearer {mine['refresh']}", "FIS_v2 ", ""):
        status, _ = call(
            emulator, installations_path(emulator, f"/{mine['fid']}/authTokens:generate"), {},
            headers=api_headers(emulator, Authorization=scheme))
        assert status == 401


# --- registrations by FID


def test_a_fid_registers_receives_and_unregisters(emulator, app_server):
    installation, apns = device_api.create_installation(emulator), apns_token()
    status, answer = device_api.register_fid(emulator, installation, apns)
    assert status == 200
    assert answer["name"].endswith(f"/registrations/{installation['fid']}")
    name = app_server.must_send({"fid": installation["fid"], "notification": {"title": "x"}})
    assert way_of(emulator, name)["apns"]["path"] == "/3/device/" + apns

    headers = api_headers(emulator, **{"x-goog-firebase-installations-auth": installation["auth"]})
    path = registrations_path(emulator, "/" + installation["fid"])
    assert call(emulator, path, method="DELETE", headers=headers)[0] == 200
    assert app_server.send({"fid": installation["fid"], "data": {"k": "v"}})[0] == 404


def test_javascripts_spelling_of_the_auth_header_is_read_too(emulator):
    installation = device_api.create_installation(emulator)
    status, _ = device_api.register_fid(emulator, installation | {"auth": "FIS " + installation["auth"]}, apns_token())
    assert status == 200


@pytest.mark.parametrize("changes, field", [
    ({"apns_token": ""}, "ios.apns_token"),
    ({"apns_token": "xyz"}, "ios.apns_token"),
    ({"apns_environment": "STAGING"}, "ios.apns_environment"),
    ({"bundle_id": "com.example.other"}, "ios.bundle_id"),
])
def test_a_wrong_registration_by_fid_is_refused(emulator, changes, field):
    status, answer = device_api.register_fid(
        emulator, device_api.create_installation(emulator), **{"apns_token": apns_token()} | changes)
    assert status == 400 and answer["error"]["status"] == "INVALID_ARGUMENT"
    assert field in json.dumps(answer)


@pytest.mark.parametrize("auth", ["", "nonsense", "a.b.c"])
def test_a_registration_without_proof_of_the_installation_is_refused(emulator, auth):
    status, answer = device_api.register_fid(emulator, {"auth": auth}, apns_token())
    assert status == 401 and answer["error"]["status"] == "UNAUTHENTICATED"


def test_nobody_unregisters_somebody_else(emulator, app_server):
    mine, other = (device_api.create_installation(emulator) for _ in range(2))
    assert device_api.register_fid(emulator, mine, apns_token())[0] == 200
    status, _ = call(
        emulator, registrations_path(emulator, "/" + mine["fid"]), method="DELETE",
        headers=api_headers(emulator, **{"x-goog-firebase-installations-auth": other["auth"]}))
    assert status == 403
    assert app_server.send({"fid": mine["fid"], "data": {"k": "v"}})[0] == 200


def test_an_expired_proof_is_refused_and_a_new_one_accepted(own_emulator):
    installation = device_api.create_installation(own_emulator)
    own_emulator.control("clock", {"advance_seconds": 604_801})
    try:
        assert device_api.register_fid(own_emulator, installation, apns_token())[0] == 401
        status, renewed = call(
            own_emulator, installations_path(own_emulator, f"/{installation['fid']}/authTokens:generate"), {},
            headers=api_headers(own_emulator, Authorization=f"FIS_v2 {installation['refresh']}"))
        assert status == 200
        assert device_api.register_fid(own_emulator, {"auth": renewed["token"]}, apns_token())[0] == 200
    finally:
        own_emulator.control("clock", {"advance_seconds": -604_801})


def test_a_browser_may_ask_across_origins(emulator):
    status, _ = emulator.call(
        installations_path(emulator), method="OPTIONS",
        headers={"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "x-goog-api-key,content-type"})
    assert status in (200, 204)


def test_a_gzip_bomb_is_refused_and_the_service_goes_on(emulator):
    bomb = gzip.compress(b" " * 200_000_000)
    status, _ = emulator.call(
        installations_path(emulator), bomb, headers=api_headers(emulator, **{"Content-Encoding": "gzip"}))
    assert status in (400, 413)
    device_api.create_installation(emulator)
