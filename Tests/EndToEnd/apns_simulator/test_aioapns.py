"""aioapns, unmodified, as a sender: a client that knows Apple's service and nothing of ours."""
import asyncio
import ssl
import time
import uuid

import pytest
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsDevelopmentClientProtocol
from conftest import BUNDLE_ID, KEY_ID, TEAM_ID

ALERT = {"aps": {"alert": {"title": "Hello", "body": "Grüße"}}}


@pytest.fixture()
def sender(simulator, key_text, monkeypatch):
    """Makes senders; called within a running event loop."""
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_SERVER", "localhost")
    monkeypatch.setattr(APNsDevelopmentClientProtocol, "APNS_PORT", simulator.port)

    def make(alpn=False, key=key_text, **options):
        context = ssl.create_default_context(cafile=simulator.ca)
        if alpn:
            context.set_alpn_protocols(["h2"])
        return APNs(
            key=key, key_id=KEY_ID, team_id=TEAM_ID, topic=BUNDLE_ID, use_sandbox=True, max_connections=1,
            ssl_context=context, **options)

    return make


def send(sender, *requests, **options):
    """Sends one request after the other on one client; returns the results."""

    async def run():
        client = sender(**options)
        return [await asyncio.wait_for(client.send_notification(request), 30) for request in requests]

    return asyncio.run(run())


def push(token, message=ALERT, **options):
    return NotificationRequest(device_token=token, message=message, push_type=PushType.ALERT, **options)


def test_an_accepted_push_is_matched_by_its_id_and_delivered(simulator, sender):
    token, apns_id = simulator.register(), str(uuid.uuid4())
    result, = send(sender, push(token, notification_id=apns_id, collapse_key="score", priority=5, time_to_live=60))
    assert result.is_successful and result.notification_id == apns_id
    delivered, = simulator.pushes()
    assert delivered["apns_id"] == apns_id and delivered["collapse_id"] == "score" and delivered["priority"] == 5
    assert "Grüße" in delivered["payload"]


def test_a_removed_app_is_reported_with_the_time_in_milliseconds(simulator, sender):
    token = simulator.register()
    before = int(time.time() * 1000)
    simulator.call(f"/devices/phone/apps/{BUNDLE_ID}", method="DELETE")
    result, = send(sender, push(token))
    assert (result.status, result.description) == ("410", "Unregistered")
    assert before - 1000 <= result.timestamp <= time.time() * 1000 + 1000


@pytest.mark.parametrize("token", ["ab" * 32, "not-hexadecimal"])
def test_a_token_that_no_device_has_is_bad(sender, token):
    result, = send(sender, push(token))
    assert (result.status, result.description) == ("400", "BadDeviceToken")


def test_reasons_reach_the_caller(simulator, sender):
    token = simulator.register()
    other = simulator.register(bundle_id="com.example.other")
    results = send(
        sender, push(other), push(token, apns_topic="com example"), push(token, priority=7),
        push(token, collapse_key="x" * 65), push(token, message={"aps": {"alert": "x" * 4096}}), push(token))
    assert [result.description or "" for result in results] == [
        "DeviceTokenNotForTopic", "BadTopic", "BadPriority", "BadCollapseId", "PayloadTooLarge", ""]


def test_a_forged_key_is_refused(simulator, sender):
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    forged = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    result, = send(sender, push(simulator.register()), key=forged)
    assert (result.status, result.description) == ("403", "InvalidProviderToken")


def test_scripted_answers_come_one_after_the_other(simulator, sender):
    token = simulator.register()
    stamp = int(time.time() * 1000) - 60_000
    simulator.call("/faults", [
        {"status": 410, "body": {"reason": "Unregistered", "timestamp": str(stamp)}},
        {"status": 200}, {"status": 403, "body": {"reason": "ExpiredProviderToken"}}])
    results = send(sender, push(token), push(token), push(token), push(token))
    assert [result.status for result in results] == ["410", "200", "403", "200"]
    assert results[0].timestamp == stamp
    assert len(simulator.call("/pushes")["pushes"]) == 4


def test_once_it_is_known_a_sender_may_have_many_streams(simulator, sender):
    token = simulator.register()

    async def run():
        client = sender()
        first = await client.send_notification(push(token))
        return [first] + await asyncio.gather(*(client.send_notification(push(token)) for _ in range(30)))

    results = asyncio.run(run())
    assert all(result.is_successful for result in results)
    assert len(simulator.pushes()) == 31
    connection, = simulator.call("/connections")["connections"]
    assert connection["requests"] == 31 and connection["distinct_tokens"] == 1 and connection["refused_streams"] == 0


@pytest.mark.parametrize("fault", [{"fault": "goaway", "reason": "Shutdown"}, {"fault": "shutdown"}])
def test_after_goaway_a_sender_comes_back_on_a_new_connection(simulator, sender, fault):
    token = simulator.register()
    simulator.call("/faults", {**fault, "when": {"request": 1, "connection": 1}})

    async def run():
        client = sender()
        first = await client.send_notification(push(token))
        # aioapns notices the end of its connection a moment after the answer.
        await asyncio.wait_for(gone(client), 10)
        return first, await client.send_notification(push(token))

    async def gone(client):
        while client.pool.connections:
            await asyncio.sleep(0.01)

    first, second = asyncio.run(run())
    assert first.status == ("503" if fault["fault"] == "shutdown" else "200")
    assert second.is_successful
    connections = simulator.call("/connections")["connections"]
    assert len(connections) == 2 and connections[0]["goaway_sent"]


@pytest.mark.parametrize("alpn", [False, True])
def test_alpn_may_be_left_out(simulator, sender, alpn):
    result, = send(sender, push(simulator.register()), alpn=alpn)
    assert result.is_successful
    connection, = simulator.call("/connections")["connections"]
    assert connection.get("alpn") == ("h2" if alpn else None)
