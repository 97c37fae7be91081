"""The device routes in plain HTTP: what an app instance says, word for word."""
import json
import urllib.parse

from fixture_world import BUNDLE, check_in

SDK = "i:12.18.0"


def api_headers(emulator, **more):
    return {"x-goog-api-key": emulator.ready["api_key"]} | more


def installations_path(emulator, rest=""):
    return f"/v1/projects/{emulator.ready['project']}/installations{rest}"


def registrations_path(emulator, rest=""):
    return f"/v1/projects/{emulator.ready['project']}/registrations{rest}"


def call(emulator, path, body=None, method=None, headers=None):
    """One JSON call; returns (status, JSON)."""
    status, text = emulator.call(path, body, method, headers=headers)
    return status, json.loads(text)


def create_installation(emulator, fid="", **changes):
    """Creates an installation; returns `fid`, `auth` and `refresh`."""
    body = {"fid": fid, "appId": emulator.ready["app_id"], "authVersion": "FIS_v2", "sdkVersion": SDK} | changes
    status, answer = call(emulator, installations_path(emulator), body, headers=api_headers(emulator))
    assert status == 200, answer
    return {"fid": answer["fid"], "auth": answer["authToken"]["token"], "refresh": answer["refreshToken"],
            "name": answer["name"]}


def fid_body(apns_token, **changes):
    return {"ios": {"apns_token": apns_token, "app_version": "1.0", "apns_environment": "SANDBOX",
                    "bundle_id": BUNDLE} | changes, "fcm_sdk_version": "fcm-12.18.0"}


def register_fid(emulator, installation, apns_token, **changes):
    """Registers by FID, as the Apple SDK does; returns (status, JSON)."""
    return call(
        emulator, registrations_path(emulator), fid_body(apns_token, **changes),
        headers=api_headers(emulator, **{"x-goog-firebase-installations-auth": installation["auth"]}))


def register_form(emulator, identity, installation, apns, path="/register", **changes):
    """The classic call, not percent-encoded, as the Apple SDK sends it; returns (status, text)."""
    sender = emulator.ready["sender_id"]
    fields = {
        "X-osv": "18.0", "device": identity["android_id"], "X-scope": "*", "plat": "2", "app": BUNDLE, "app_ver": "1.0",
        "X-cliv": "fiid-12.18.0", "sender": sender, "X-subtype": sender, "appid": installation["fid"],
        "apns_token": apns, "gmp_app_id": emulator.ready["app_id"]} | changes
    return post_form(
        emulator, path, {name: value for name, value in fields.items() if value is not None},
        Authorization=f"AidLogin {identity['android_id']}:{identity['security_token']}", app=BUNDLE,
        **{"x-goog-firebase-installations-auth": installation["auth"]})


def post_form(emulator, path, fields, encoded=False, **headers):
    """One form; returns (status, text)."""
    body = urllib.parse.urlencode(fields) if encoded else "&".join(f"{k}={v}" for k, v in fields.items())
    return emulator.call(
        path, body.encode(), headers={"Content-Type": "application/x-www-form-urlencoded"} | headers)


def new_device(emulator):
    """A fresh device with an installation: `(device, installation)`."""
    return check_in(emulator), create_installation(emulator)


def register_android(emulator, identity, package=BUNDLE, sender=None, **changes):
    """What an Android app's SDK posts; returns the token. Fails when there is none."""
    sender = sender or emulator.ready["sender_id"]
    fields = {
        "X-subtype": sender, "sender": sender, "X-app_ver": "1", "X-osv": "34", "X-cliv": "fcm-24.0.0",
        "X-gmsv": "241500000", "X-scope": "*", "app": package, "device": identity["android_id"], "app_ver": "1",
        "gcm_ver": "241500000", "plat": "0", "target_ver": "34"} | changes
    status, text = post_form(
        emulator, "/c2dm/register3", fields, encoded=True, app=package,
        Authorization=f"AidLogin {identity['android_id']}:{identity['security_token']}")
    assert status == 200 and text.startswith("token="), text
    return text.removeprefix("token=").strip()
