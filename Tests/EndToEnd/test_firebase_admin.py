"""firebase-admin for Python, unmodified: every way to send and every error class that it can raise."""
import asyncio
import json

import pytest
from firebase_admin import exceptions, messaging

from admin_sdk import app_by_base_url, app_through_proxy
from app_server import events, way_of


@pytest.fixture(params=["proxy", "http", "https"])
def app(request, emulator):
    """The SDK through the redirect proxy, and by base URL over plain HTTP and over TLS."""
    if request.param == "proxy":
        with app_through_proxy(emulator) as app:
            yield app
    else:
        with app_by_base_url(emulator, emulator.ready[request.param]) as app:
            yield app


def test_a_notification_to_a_token_is_seen_by_the_app(app, emulator, device):
    name = messaging.send(
        messaging.Message(token=device["token"], notification=messaging.Notification("Title 👋", "Text")), app=app)
    target = way_of(emulator, name)
    assert target["outcome"] == "accepted"
    assert target["apns"]["headers"]["apns-push-type"] == "alert"
    assert target["device_events"][0]["title"] == "Title 👋"
    assert events(target) == ["willPresent"]


def test_a_data_message_to_a_fid_is_seen_by_the_app(app, emulator, fid_device):
    name = messaging.send(messaging.Message(fid=fid_device["fid"], data={"k": "v"}), app=app)
    target = way_of(emulator, name)
    assert events(target) == ["didReceiveRemoteNotification"]
    assert target["device_events"][0]["user_info"]["k"] == "v"
    assert target["apns"]["headers"]["apns-priority"] == "5"


def test_everything_that_the_sdk_can_say_for_apple_arrives(app, emulator, device):
    message = messaging.Message(
        token=device["token"], data={"d": "1"},
        notification=messaging.Notification("t", "b", image="https://img.example.com/1.png"),
        fcm_options=messaging.FCMOptions(analytics_label="label-1"),
        apns=messaging.APNSConfig(
            headers={"apns-priority": "5", "apns-collapse-id": "c1"},
            payload=messaging.APNSPayload(
                messaging.Aps(
                    alert=messaging.ApsAlert(title="own", subtitle="sub", loc_key="K", loc_args=["a"]), badge=3,
                    sound=messaging.CriticalSound("s.caf", critical=True, volume=0.5), category="CAT",
                    thread_id="th", mutable_content=True),
                x=1)))
    target = way_of(emulator, messaging.send(message, app=app))
    payload = json.loads(target["apns"]["payload"])
    assert payload["aps"]["alert"] == {"title": "own", "subtitle": "sub", "loc-key": "K", "loc-args": ["a"]}
    assert payload["aps"]["sound"] == {"critical": 1, "name": "s.caf", "volume": 0.5}
    assert payload["aps"]["badge"] == 3 and payload["aps"]["thread-id"] == "th"
    assert payload["fcm_options"] == {"image": "https://img.example.com/1.png"}
    assert payload["google.c.a.m_l"] == "label-1" and payload["x"] == 1 and payload["d"] == "1"
    assert target["apns"]["headers"]["apns-collapse-id"] == "c1"


def test_a_dry_run_delivers_nothing(app, emulator, device):
    before = len(emulator.pushes())
    name = messaging.send(messaging.Message(token=device["token"], data={"k": "v"}), dry_run=True, app=app)
    assert name.endswith("/messages/fake_message_id")
    assert len(emulator.pushes()) == before


def test_send_each_answers_each_message_for_itself(app, emulator, device):
    messages = [messaging.Message(token=device["token"], data={"n": str(n)}) for n in range(20)]
    messages[7] = messaging.Message(token="not-a-token", data={"n": "7"})
    batch = messaging.send_each(messages, app=app)
    assert batch.success_count == 19 and batch.failure_count == 1
    assert isinstance(batch.responses[7].exception, exceptions.InvalidArgumentError)
    names = {response.message_id for response in batch.responses if response.success}
    assert len(names) == 19


def test_send_each_async_sends_over_one_http2_connection(emulator, device):
    async def run(app):
        messages = [messaging.Message(token=device["token"], data={"n": str(n)}) for n in range(100)]
        batch = await messaging.send_each_async(messages, app=app)
        # The SDK's client belongs to this event loop; deleting the app later would close it on another one.
        await messaging._get_messaging_service(app)._async_client.aclose()
        return batch

    with app_by_base_url(emulator, emulator.ready["https"]) as app:
        batch = asyncio.run(run(app))
    assert batch.failure_count == 0, [r.exception for r in batch.responses if not r.success][:1]


def message(device):
    return messaging.Message(token=device["token"], data={"k": "v"})


def test_a_deleted_registration_raises_unregistered(app, emulator):
    gone = emulator.devices("classic")[0]
    emulator.control(f"devices/{gone['device']}:uninstall", {})
    with pytest.raises(messaging.UnregisteredError) as raised:
        messaging.send(message(gone), app=app)
    assert raised.value.http_response.status_code == 404
    with pytest.raises(messaging.UnregisteredError):
        messaging.send(messaging.Message(fid=gone["fid"], data={"k": "v"}), app=app)


def test_a_token_of_another_project_raises_sender_id_mismatch(app, other_token):
    with pytest.raises(messaging.SenderIdMismatchError) as raised:
        messaging.send(messaging.Message(token=other_token, data={"k": "v"}), app=app)
    assert raised.value.http_response.status_code == 403


@pytest.fixture(scope="session")
def other_token(emulator):
    from fixture_world import token_of_other_project
    return token_of_other_project(emulator)


def test_a_device_that_gets_too_much_raises_quota_exceeded(app, fresh_device, faults):
    faults(target=fresh_device["token"], door="apns", status=429, reason="TooManyRequests", count=1)
    with pytest.raises(messaging.QuotaExceededError):
        messaging.send(message(fresh_device), app=app)


def test_a_refused_apns_key_raises_third_party_auth_error(app, device, faults):
    # google-auth answers every 401 with a new token and a repetition, two times.
    faults(target=device["token"], door="apns", status=403, reason="InvalidProviderToken", count=20)
    with pytest.raises(messaging.ThirdPartyAuthError):
        messaging.send(message(device), app=app)


@pytest.mark.parametrize("broken", [
    messaging.Message(token="bogus", data={"k": "v"}),
    messaging.Message(topic="weather", data={"from": "me"}),
    messaging.Message(topic="weather", data={"k": "x" * 5000}),
    messaging.Message(condition="'a' in topics &&", data={"k": "v"}),
], ids=["token", "reserved key", "size", "condition"])
def test_wrong_arguments_raise_invalid_argument(app, broken):
    with pytest.raises(exceptions.InvalidArgumentError):
        messaging.send(broken, app=app)


@pytest.mark.parametrize("status, raised", [
    (503, exceptions.UnavailableError), (500, exceptions.InternalError), (429, messaging.QuotaExceededError),
])
def test_scripted_failures_of_the_service_raise_their_class(app, device, faults, status, raised):
    faults(target=device["token"], door="send", status=status, count=10)
    with pytest.raises(raised):
        messaging.send(message(device), app=app)


def test_a_wrong_service_account_key_cannot_send(emulator, device, tmp_path):
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa
    from google.auth.exceptions import RefreshError
    import firebase_admin
    from firebase_admin import credentials
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    account = json.load(open(emulator.ready["service_account"]))
    account["private_key"] = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    app = firebase_admin.initialize_app(credentials.Certificate(account), name="wrong-key")
    try:
        with pytest.raises(RefreshError, match="Invalid JWT Signature"):
            app.credential.get_access_token()
    finally:
        firebase_admin.delete_app(app)
