"""slixmpp, unmodified, as an app server: messages to devices and from them."""
import itertools

import pytest

from fixture_world import change_group
from slixmpp_server import AppServers

numbers = itertools.count(1)


@pytest.fixture()
def servers(emulator):
    with AppServers(emulator) as servers:
        yield servers


def send_upstream(device, queue_id=None, ttl=86_400, to=None, **data):
    """The device sends to its app server; returns the message's id once the service has it."""
    name = f"up-{next(numbers)}"
    connection = device.connection or device.connect()
    to = to or f"{device.emulator.ready['sender_id']}@gcm.googleapis.com"
    connection.confirmed(connection.send_upstream(to, data, name, queue_id or name, ttl=ttl))
    return name


def only_the_next_one_comes(servers, device):
    """Whether nothing comes before a message that is sent now."""
    name = send_upstream(device, k="v")
    return servers.message()["message_id"] == name


# To devices


def test_a_message_reaches_a_device_and_is_acknowledged(servers, android):
    servers.open()
    connection = android.connect()
    answer = servers.send({"to": android.token, "data": {"k": "v", "text": '<&> "ü" 👋'}})
    assert answer["message_type"] == "ack" and answer["from"] == android.token
    assert connection.data().app_data["text"] == '<&> "ü" 👋'


def test_a_message_reaches_an_iphone_over_apns(servers, emulator, fresh_device):
    servers.open()
    answer = servers.send({"to": fresh_device["token"], "notification": {"title": "Over XMPP"}})
    assert answer["message_type"] == "ack"
    answer = emulator.control(f"messages?target={fresh_device['token']}&wait_ms=20000")
    assert answer["messages"][0]["targets"][0]["device_events"][0]["title"] == "Over XMPP"


@pytest.mark.parametrize("content, error", [
    ({"to": "bogus", "data": {"k": "v"}}, "BAD_REGISTRATION"),
    ({"data": {"k": "v"}}, "INVALID_JSON"),
    ({"to": "/topics/a b", "data": {"k": "v"}}, "INVALID_JSON"),
    ({"to": "/topics/x", "time_to_live": -1}, "INVALID_JSON"),
    ({"to": "/topics/x", "data": {"k": "x" * 5000}}, "INVALID_JSON"),
], ids=["token", "no target", "topic", "ttl", "size"])
def test_a_wrong_message_is_not_acknowledged(servers, content, error):
    servers.open()
    answer = servers.send(content)
    assert answer["message_type"] == "nack" and answer["error"] == error, answer


def test_a_dry_run_is_acknowledged_and_reaches_nobody(servers, android):
    servers.open()
    connection = android.connect()
    assert servers.send({"to": android.token, "dry_run": True, "data": {"n": "dry"}})["message_type"] == "ack"
    assert servers.send({"to": android.token, "data": {"n": "wet"}})["message_type"] == "ack"
    assert connection.data().app_data["n"] == "wet"


def test_hundreds_of_messages_at_once_are_all_answered_and_arrive_in_order(servers, android):
    servers.open()
    connection = android.connect()
    contents = [
        {"to": android.token, "message_id": f"flow-{number}", "data": {"n": str(number)}} for number in range(220)]
    servers.tell("send", name="1", contents=contents)
    got = []
    while len(got) < 220:
        got += [packet.app_data["n"] for packet in connection.acknowledge_stream() or [connection.data()]]
    assert got == [str(number) for number in range(220)]
    answers = [servers.expect("answer")["message_id"] for _ in contents]
    assert answers == [content["message_id"] for content in contents]


def test_the_same_id_twice_is_answered_twice(servers, android):
    servers.open()
    content = {"to": android.token, "message_id": "twice", "data": {"k": "v"}}
    servers.tell("send", name="1", contents=[content, content])
    assert [servers.answer("twice")["message_type"] for _ in range(2)][0] == "ack"
    servers.open("2")
    servers.tell("send", name="2", contents=[content])
    assert servers.answer("twice", "2")["message_type"] == "ack"


def test_a_receipt_comes_once_the_device_has_the_message(servers, android):
    servers.open()
    servers.send({"to": android.token, "message_id": "receipt-1", "delivery_receipt_requested": True, "data": {"k": "v"}})
    connection = android.connect()
    connection.acknowledge(connection.data().persistent_id)
    receipt = servers.expect("receipt")["content"]
    assert receipt["message_id"] == "dr2:receipt-1" and receipt["data"]["original_message_id"] == "receipt-1"
    assert receipt["data"]["message_status"] == "MESSAGE_SENT_TO_DEVICE"
    # slixmpp has acknowledged it: another connection gets it no more.
    servers.tell("close", name="1")
    servers.expect("disconnected")
    servers.open("2")
    assert only_the_next_one_comes(servers, android)


def test_a_group_is_reached_and_what_failed_is_named(servers, emulator, android, device):
    env = {"SERVER_KEY": emulator.ready["server_key"], "SENDER_ID": emulator.ready["sender_id"]}
    key = change_group(emulator, env, "create", f"group-{next(numbers)}", [android.token, device["token"]])
    servers.open()
    connection = android.connect()
    answer = servers.send({"to": key, "data": {"k": "group"}})
    assert (answer["message_type"], answer["success"], answer["failure"]) == ("ack", 2, 0)
    assert connection.data().app_data["k"] == "group"


# From devices


def test_an_upstream_message_arrives_and_comes_no_more_once_acknowledged(servers, android):
    servers.open()
    name = send_upstream(android, k="v", text='<&> "ü" 👋')
    content = servers.message()["content"]
    assert content["message_id"] == name and content["from"] == android.token
    assert content["category"] == "com.example.pushdemo" and content["data"] == {"k": "v", "text": '<&> "ü" 👋'}
    servers.tell("close", name="1")
    servers.expect("disconnected")
    servers.open("2")
    assert only_the_next_one_comes(servers, android)


def test_what_is_not_acknowledged_comes_again_on_the_next_connection(servers, android):
    servers.open(acknowledges=False)
    names = [send_upstream(android, n=str(number)) for number in range(3)]
    events = [servers.message() for _ in names]
    servers.acknowledge(events[1])
    # What is answered behind the acknowledgement shows that the service has read it.
    servers.send({"to": android.token, "dry_run": True, "data": {"k": "v"}})
    servers.tell("cut", name="1")
    servers.expect("disconnected")
    servers.open("2")
    assert [servers.message()["message_id"] for _ in range(2)] == [names[0], names[2]]
    assert only_the_next_one_comes(servers, android)


def test_messages_wait_for_an_app_server_in_their_order(servers, android):
    names = [send_upstream(android, n=str(number)) for number in range(120)]
    servers.open()
    assert [servers.message()["message_id"] for _ in names] == names


def test_an_upstream_message_that_the_device_repeats_comes_once(servers, android):
    servers.open()
    first = send_upstream(android, "repeated", n="1")
    assert servers.message()["message_id"] == first
    android.connect()
    send_upstream(android, "repeated", n="1")
    assert only_the_next_one_comes(servers, android)


def test_two_connections_share_the_messages_of_devices(servers, android):
    servers.open("1")
    servers.open("2")
    names = [send_upstream(android, n=str(number)) for number in range(40)]
    events = [servers.message() for _ in names]
    assert sorted(event["message_id"] for event in events) == sorted(names)
    assert {event["name"] for event in events} == {"1", "2"}


def test_messages_of_a_connection_that_is_lost_go_to_the_other_one(servers, android):
    servers.open("1", acknowledges=False)
    name = send_upstream(android, k="v")
    assert servers.message()["name"] == "1"
    servers.open("2")
    servers.tell("cut", name="1")
    assert servers.message(name="2")["message_id"] == name


def test_a_message_for_now_or_never_is_handed_over_at_once(servers, android):
    servers.open()
    name = send_upstream(android, ttl=0, k="now")
    assert servers.message()["message_id"] == name


def test_an_app_sends_to_a_group_of_devices(servers, emulator, android, own_android):
    env = {"SERVER_KEY": emulator.ready["server_key"], "SENDER_ID": emulator.ready["sender_id"]}
    key = change_group(emulator, env, "create", f"group-{next(numbers)}", [android.token, own_android.token])
    connection = own_android.connect()
    send_upstream(android, to=key, k="to the group")
    assert connection.data().app_data["k"] == "to the group"


# Who may come in


@pytest.mark.parametrize("credentials", [
    {"password": "wrong"}, {"jid": "999999999999@gcm.googleapis.com"}], ids=["password", "sender"])
def test_wrong_credentials_are_refused(servers, credentials):
    servers.start_opening(**credentials)
    servers.expect("failed_auth")


def test_the_newer_domain_of_the_service_works_too(servers, emulator):
    servers.open(jid=f"{emulator.ready['sender_id']}@fcm.googleapis.com")


def test_another_project_hears_nothing_of_this_ones_messages(servers, emulator, android):
    project = emulator.run("project", "create", "demo-stranger", "--name", "Stranger")
    key = emulator.run("server-key", "create", "--project", "demo-stranger")
    servers.open()
    servers.open("stranger", jid=f"{project['sender_id']}@gcm.googleapis.com", password=key["server_key"])
    name = send_upstream(android, k="v")
    assert (servers.message()["name"]) == "1" and name
    answer = servers.send({"to": android.token, "data": {"k": "v"}}, "stranger")
    assert answer["message_type"] == "nack" and answer["error"] in ("SENDER_ID_MISMATCH", "BAD_REGISTRATION")
