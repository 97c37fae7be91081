"""The world that the cases describe, made on a running emulator: one device with its tokens, tokens that died, a second
project, an access token. Everything is made through the public APIs."""
import base64
import json
import secrets
import subprocess
import time
import urllib.parse

BUNDLE = "com.example.pushdemo"


def prepare(emulator):
    """Returns the placeholder values of the cases and the PEM text of the service account's key."""
    ready = emulator.ready
    account = json.load(open(ready["service_account"]))
    device, spare, *others = emulator.devices("classic", count=23)
    env = {
        "PROJECT": ready["project"],
        "SENDER_ID": ready["sender_id"],
        "APP_ID": ready["app_id"],
        "API_KEY": ready["api_key"],
        "SERVER_KEY": ready["server_key"],
        "SA_EMAIL": account["client_email"],
        "TOKEN_URI": account["token_uri"],
        "ACCESS_TOKEN": access_token(emulator, account),
        "FID": device["fid"],
        "FIS_AUTH": device["fis_auth"],
        "FIS_REFRESH": device["fis_refresh"],
        "DEVICE_ID": device["android_id"],
        "DEVICE_SECRET": device["security_token"],
        "NOW_MS": int(time.time() * 1000),
        "REGISTERED_AT_MS-60000": int(time.time() * 1000) - 60000,
        "PID_1": "0:1000000000000001%0000000000000001",
    }
    for number, other in enumerate(others, 1):
        env[f"TOKEN_{number}"] = other["token"]
        env[f"APNS_{number}"] = other["apns_token"]
    env["TOKEN_OLD"] = device["token"]
    env["TOKEN"] = renewed_token(emulator, device, ready)
    env["TOKEN_DEAD"] = spare["token"]
    delete_token(emulator, spare, ready)
    env["TOKEN_OTHER"] = token_of_other_project(emulator)
    env["NOTIFICATION_KEY"] = change_group(emulator, env, "create", "fixture-group", [env["TOKEN"]])
    return env, account["private_key"]


def access_token(emulator, account, scope="https://www.googleapis.com/auth/firebase.messaging"):
    """Exchanges a signed assertion, as google-auth does."""
    now = int(time.time())
    claims = {"iss": account["client_email"], "scope": scope, "aud": account["token_uri"], "iat": now, "exp": now + 3600}
    part = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=")
    text = part({"alg": "RS256", "typ": "JWT", "kid": account["private_key_id"]}) + b"." + part(claims)
    key = emulator.folder / "assertion-key.pem"
    key.write_text(account["private_key"])
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", str(key)], input=text, capture_output=True, check=True).stdout
    assertion = text + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")
    body = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion.decode()
    status, answer = form(emulator, "/token", body)
    if status != 200:
        raise RuntimeError(f"token: {status} {answer}")
    return json.loads(answer)["access_token"]


def form(emulator, path, body, headers=None):
    return emulator.call(
        path, body.encode(), headers={"Content-Type": "application/x-www-form-urlencoded"} | (headers or {}))


def register(emulator, device, sender, app_id, deletes=False):
    """The classic registration call of the Apple SDK."""
    fields = {
        "X-osv": "18.0", "device": device["android_id"], "X-scope": "*", "plat": "2", "app": BUNDLE, "app_ver": "1.0",
        "X-cliv": "fiid-12.18.0", "sender": sender, "appid": device["fid"],
    }
    fields |= {"delete": "true"} if deletes else {
        "X-subtype": sender, "apns_token": "s_" + device["apns_token"], "gmp_app_id": app_id}
    status, text = form(
        emulator, "/register", "&".join(f"{k}={urllib.parse.quote(str(v), safe='*:')}" for k, v in fields.items()),
        {"Authorization": f"AidLogin {device['android_id']}:{device['security_token']}", "app": BUNDLE,
         "x-goog-firebase-installations-auth": device["fis_auth"]})
    if "Error=" in text or "=" not in text:
        raise RuntimeError(f"register: {status} {text}")
    return text.split("=", 1)[1].strip()


def delete_token(emulator, device, ready):
    register(emulator, device, ready["sender_id"], ready["app_id"], deletes=True)


def renewed_token(emulator, device, ready):
    """Deletes the device's token and gets a new one, so that an earlier token of a live device exists."""
    delete_token(emulator, device, ready)
    return register(emulator, device, ready["sender_id"], ready["app_id"])


def change_group(emulator, env, operation, name, tokens, key=None):
    """Makes or changes a device group and returns its notification key."""
    body = {"operation": operation, "notification_key_name": name, "registration_ids": tokens}
    status, text = emulator.call(
        "/fcm/notification", body | ({"notification_key": key} if key else {}),
        headers={"Authorization": "key=" + env["SERVER_KEY"], "project_id": env["SENDER_ID"]})
    if status != 200:
        raise RuntimeError(f"device group: {status} {text}")
    return json.loads(text)["notification_key"]


def check_in(emulator):
    status, text = emulator.call("/checkin", {
        "checkin": {"iosbuild": {"model": "iPhone16,1", "os_version": "IOS_18.0"}, "type": 2, "user_number": 0,
                    "last_checkin_msec": 0},
        "fragment": 0, "locale": "en_US", "version": 2, "digest": "", "time_zone": "Europe/Paris",
        "user_serial_number": 0, "id": 0, "security_token": 0})
    if status != 200:
        raise RuntimeError(f"checkin: {status} {text}")
    return json.loads(text)


def token_of_other_project(emulator):
    """A second project on the same server, with one registered device."""
    project = emulator.run("project", "create", "demo-other", "--name", "Another project")
    app = emulator.run("app", "create", "--project", "demo-other", "--platform", "ios", "--bundle-id", BUNDLE)
    status, text = emulator.call(
        "/v1/projects/demo-other/installations",
        {"fid": "", "appId": app["app_id"], "authVersion": "FIS_v2", "sdkVersion": "i:12.18.0"},
        headers={"x-goog-api-key": app["api_key"]})
    if status != 200:
        raise RuntimeError(f"installations: {status} {text}")
    installation = json.loads(text)
    ids = check_in(emulator)
    device = {
        "android_id": ids["android_id"], "security_token": ids["security_token"], "fid": installation["fid"],
        "fis_auth": installation["authToken"]["token"], "apns_token": secrets.token_hex(32)}
    return register(emulator, device, project["sender_id"], app["app_id"])
