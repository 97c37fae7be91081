"""Topics with firebase-admin, unmodified: through HTTP v1, through the Instance ID API, and sends to those who follow."""
import json

import pytest
from firebase_admin import exceptions, instance_id, messaging

from admin_sdk import app_through_proxy
from app_server import events, message_id


@pytest.fixture(scope="module")
def app(emulator):
    with app_through_proxy(emulator) as app:
        yield app


@pytest.fixture(params=["v1", "instance-id"])
def topic_api(request, app):
    """Both ways in which the SDK manages subscriptions."""
    suffix = "" if request.param == "v1" else "_legacy"
    subscribe, unsubscribe = (getattr(messaging, f"{verb}_topic{suffix}") for verb in ("subscribe_to", "unsubscribe_from"))
    return (lambda tokens, topic: subscribe(tokens, topic, app=app)), (
        lambda tokens, topic: unsubscribe(tokens, topic, app=app)), request.param


@pytest.fixture()
def phones(emulator):
    """Three virtual iPhones of one test."""
    return emulator.devices("classic", count=3)


def targets_of(emulator, name):
    answer = emulator.control(f"messages?message_id={message_id(name)}&wait_ms=20000")
    return answer["messages"][0]["targets"]


def fids(targets):
    return sorted(target["fid"] for target in targets)


def test_who_subscribes_gets_what_is_sent_to_the_topic(app, emulator, topic_api, phones):
    subscribe, unsubscribe, name = topic_api
    topic, tokens = f"news-{name}", [phone["token"] for phone in phones]
    answer = subscribe(tokens[:2], topic)
    assert (answer.success_count, answer.failure_count) == (2, 0)
    sent = messaging.send(messaging.Message(topic=topic, notification=messaging.Notification("N", "n")), app=app)
    targets = targets_of(emulator, sent)
    assert fids(targets) == sorted(phone["fid"] for phone in phones[:2])
    for target in targets:
        assert events(target) == ["willPresent"]
        assert json.loads(target["apns"]["payload"])["from"] == f"/topics/{topic}"
    answer = unsubscribe(tokens[0], topic)
    assert (answer.success_count, answer.failure_count) == (1, 0)
    sent = messaging.send(messaging.Message(topic=topic, data={"k": "v"}), app=app)
    assert fids(targets_of(emulator, sent)) == [phones[1]["fid"]]


def test_each_token_has_its_own_answer(app, emulator, topic_api, phones):
    subscribe, unsubscribe, name = topic_api
    gone = phones[0]
    emulator.control(f"devices/{gone['device']}:uninstall", {})
    with pytest.raises(messaging.UnregisteredError):
        messaging.send(messaging.Message(token=gone["token"], data={"k": "v"}), app=app)
    answer = subscribe(["bogus", phones[1]["token"], gone["token"]], f"each-{name}")
    assert (answer.success_count, answer.failure_count) == (1, 2)
    assert sorted((error.index, error.reason) for error in answer.errors) == [
        (0, "INVALID_ARGUMENT"), (2, "NOT_FOUND")]
    assert subscribe(phones[1]["token"], f"each-{name}").success_count == 1
    assert unsubscribe([phones[1]["token"], phones[2]["token"]], f"each-{name}").success_count == 2


def test_a_condition_reaches_each_device_once(app, emulator, phones):
    tokens = [phone["token"] for phone in phones]
    messaging.subscribe_to_topic(tokens[:2], "cond-a", app=app)
    messaging.subscribe_to_topic(tokens[1:], "cond-b", app=app)
    both = messaging.send(messaging.Message(
        condition="'cond-a' in topics && 'cond-b' in topics", data={"k": "v"}), app=app)
    assert fids(targets_of(emulator, both)) == [phones[1]["fid"]]
    either = messaging.send(messaging.Message(
        condition="'cond-a' in topics || 'cond-b' in topics", data={"k": "v"}), app=app)
    assert fids(targets_of(emulator, either)) == sorted(phone["fid"] for phone in phones)


def test_a_topic_that_nobody_follows_takes_messages(app):
    assert messaging.send(messaging.Message(topic="nobody", data={"k": "v"}), app=app)


def test_send_each_for_multicast_answers_in_order(app, phones):
    tokens = [phones[0]["token"], "bogus", phones[1]["token"]]
    batch = messaging.send_each_for_multicast(
        messaging.MulticastMessage(tokens=tokens, data={"k": "v"}), app=app)
    assert [response.success for response in batch.responses] == [True, False, True]


def test_a_device_lists_its_topics_through_both_apis(emulator, app_server, phones):
    registration = phones[0]["fid"]
    path = f"/v1/projects/{emulator.ready['project']}/registrations/{registration}/topicSubscriptions"
    for topic in ("b", "a"):
        assert emulator.call(f"{path}?topicName={topic}", {}, headers=app_server.headers)[0] == 200
    status, text = emulator.call(path, headers=app_server.headers)
    assert status == 200
    assert [entry["topicName"] for entry in json.loads(text)["topicSubscriptions"]] == ["a", "b"]
    status, text = emulator.call(
        f"/iid/info/{phones[0]['token']}?details=true",
        headers=app_server.headers | {"access_token_auth": "true"})
    assert status == 200 and sorted(json.loads(text)["rel"]["topics"]) == ["a", "b"]


def test_imported_apns_tokens_receive(app, emulator, app_server):
    token = "1f" * 32
    status, text = emulator.call(
        "/iid/v1:batchImport",
        {"application": emulator.ready["bundle_id"], "sandbox": True, "apns_tokens": [token, "xyz"]},
        headers=app_server.headers | {"access_token_auth": "true"})
    assert status == 200
    good, bad = json.loads(text)["results"]
    assert good["status"] == "OK" and bad["status"] != "OK" and "registration_token" not in bad
    assert messaging.subscribe_to_topic(good["registration_token"], "imported", app=app).success_count == 1
    name = messaging.send(messaging.Message(token=good["registration_token"], data={"k": "v"}), dry_run=True, app=app)
    assert name.endswith("fake_message_id")


def test_an_instance_is_deleted_with_its_registrations(app, phones):
    instance_id.delete_instance_id(phones[0]["fid"], app=app)
    with pytest.raises(messaging.UnregisteredError):
        messaging.send(messaging.Message(token=phones[0]["token"], data={"k": "v"}), app=app)
    with pytest.raises(exceptions.NotFoundError):
        instance_id.delete_instance_id(phones[0]["fid"], app=app)


def test_the_command_line_manages_topics_beside_the_server(emulator, app, phones):
    token = phones[0]["token"]
    assert emulator.run("topic", "subscribe", "by-hand", "--token", token)["changed"] == 1
    assert emulator.run("topic", "show", "by-hand")["tokens"] == [token]
    assert [t["topic"] for t in emulator.run("topic", "list", "--token", token)["topics"]] == ["by-hand"]
    sent = messaging.send(messaging.Message(topic="by-hand", data={"k": "v"}), app=app)
    assert fids(targets_of(emulator, sent)) == [phones[0]["fid"]]
    assert emulator.run("topic", "unsubscribe", "by-hand", "--token", token)["changed"] == 1
    assert emulator.run("topic", "show", "by-hand")["members"] == 0
