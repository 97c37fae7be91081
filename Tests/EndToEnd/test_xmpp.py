"""The XMPP server for app servers, stanza by stanza. Names with XMP- are known bugs of servers and of what uses them."""
import itertools
import json

import pytest

from fixture_world import delete_token
from xmpp_client import (
    HEADER, SASL, STREAM, EndOfStream, XMPPConnection, app_server_stream)

numbers = itertools.count(1)
#: `&` and `<` of XML, `"` of JSON, and a character beyond the first plane.
TITLE = 'Fish & chips <now> "2" \U0001F600'


@pytest.fixture()
def stream(emulator):
    stream = app_server_stream(emulator)
    yield stream
    stream.cut()


@pytest.fixture(scope="module")
def dead_token(emulator):
    phone = emulator.devices("classic")[0]
    delete_token(emulator, phone, emulator.ready)
    return phone["token"]


def message_id():
    return f"m-{next(numbers)}"


def sends(stream, content):
    """Sends a message under a fresh id; returns its answer."""
    content = {"message_id": message_id()} | content
    stream.put(content)
    return stream.answer(content["message_id"])


def is_alive(stream, token):
    """Whether the stream still takes messages."""
    return sends(stream, {"to": token, "dry_run": True, "data": {"k": "v"}})["message_type"] == "ack"


def stanza(text, stanza_id=""):
    return f'<message id="{stanza_id}"><gcm xmlns="google:mobile:data">{text}</gcm></message>'


def titles(emulator, token):
    """What APNs got for the phone with this token."""
    answer = emulator.control(f"messages?target={token}&wait_ms=20000")
    pushes = [target["apns"]["payload"] for message in answer["messages"] for target in message["targets"]]
    return [json.loads(payload)["aps"].get("alert", {}).get("title") for payload in pushes]


# The way in


def test_the_features_are_those_that_clients_look_for(emulator):
    connection = XMPPConnection(emulator)
    names = [part.text for part in connection.open().iter(f"{{{SASL}}}mechanism")]
    assert "PLAIN" in names and "X-OAUTH2" in names
    assert connection.header.get("from") == "gcm.googleapis.com"
    assert connection.header.get("id") and connection.header.get("version") == "1.0"
    connection.cut()


@pytest.mark.parametrize("domain", ["", "@gcm.googleapis.com", "@fcm.googleapis.com"])
@pytest.mark.parametrize("with_authzid", [False, True])
def test_the_sender_id_is_taken_with_and_without_domain(emulator, domain, with_authzid):
    user = emulator.ready["sender_id"] + domain
    stream = app_server_stream(emulator, user=user, authzid=user if with_authzid else "")
    assert stream.jid.startswith(emulator.ready["sender_id"] + "@")
    stream.cut()


@pytest.mark.parametrize("credentials", [
    {"password": "wrong"}, {"password": ""}, {"user": "999999999999"}, {"user": "x"}, {"user": ""},
    {"user": "123456789012@example.com"}, {"authzid": "somebody@gcm.googleapis.com"}], ids=str)
def test_wrong_credentials_are_refused(emulator, credentials):
    connection = XMPPConnection(emulator)
    connection.open()
    answer = connection.authenticate(**credentials)
    assert answer.name == "failure", answer
    assert answer.element.find(f"{{{SASL}}}not-authorized") is not None
    connection.cut()


def test_a_message_before_the_login_ends_the_stream(emulator, device):
    connection = XMPPConnection(emulator)
    connection.open()
    connection.put({"to": device["token"], "message_id": "m", "data": {"k": "v"}})
    assert any(part.name == "error" for part in connection.expect_end())


@pytest.mark.parametrize("text", [
    "<!DOCTYPE x [<!ENTITY a 'b'>]>" + HEADER, HEADER + "<a>&unknown;</a>", HEADER + "<?php ?>", "GET / HTTP/1.1\r\n\r\n",
    HEADER.replace(STREAM, "urn:other"), "<" + "a" * 70_000], ids=["doctype", "entity", "instruction", "http", "other",
                                                                   "long"])
def test_what_is_no_stream_of_xmpp_ends_the_connection(emulator, text):
    connection = XMPPConnection(emulator)
    connection.send(text)
    connection.expect_end()
    app_server_stream(emulator).cut()


def test_XMP_17_a_stream_header_that_is_closed_at_once_ends_the_stream(emulator):
    connection = XMPPConnection(emulator)
    connection.send(HEADER[:-1] + "/>")
    connection.expect_end(seconds=5)
    app_server_stream(emulator).cut()


def test_pings_and_unknown_questions_are_answered(stream):
    stream.send('<iq type="get" id="p1"><ping xmlns="urn:xmpp:ping"/></iq>')
    answer = stream.receive()
    assert (answer.name, answer.type, answer.id) == ("iq", "result", "p1")
    stream.send('<iq type="get" id="r1"><query xmlns="urn:example:unknown"/></iq><presence/>')
    answer = stream.receive()
    assert (answer.name, answer.type, answer.id) == ("iq", "error", "r1")
    assert "service-unavailable" in repr(answer)
    stream.send(" \n")
    stream.send('<iq type="get" id="p2"><ping xmlns="urn:xmpp:ping"/></iq>')
    assert stream.receive().id == "p2"


def test_the_end_of_a_stream_is_answered_with_its_end(stream):
    stream.close()
    assert stream.ended


# Messages to devices


def test_a_message_is_acknowledged_with_its_recipient(stream, device):
    answer = sends(stream, {"to": device["token"], "data": {"k": "v"}})
    assert answer["message_type"] == "ack" and answer["from"] == device["token"]


def test_a_message_to_a_topic_and_to_a_condition_is_acknowledged(stream):
    assert sends(stream, {"to": "/topics/news", "data": {"k": "v"}})["message_type"] == "ack"
    assert sends(stream, {"condition": "'a' in topics && 'b' in topics", "data": {"k": "v"}})["message_type"] == "ack"


def test_XMP_01_a_missing_message_id_is_an_error_of_the_stanza(stream, device):
    stream.put({"to": device["token"], "data": {"a": "1"}}, "s1")
    answer = stream.receive()
    assert (answer.type, answer.id) == ("error", "s1")
    code, _, text = answer.error
    assert code == "400" and "Missing Required Field: message_id" in text
    assert is_alive(stream, device["token"])


@pytest.mark.parametrize("value", [7, 7.5, True, None, [], {}], ids=repr)
def test_XMP_02_a_message_id_that_is_no_text_is_refused(stream, device, value):
    stream.put({"to": device["token"], "message_id": value, "data": {"a": "1"}}, "s2")
    answer = stream.receive()
    if answer.type == "error":
        assert answer.id == "s2" and answer.error[0] == "400"
    else:
        assert answer.content["message_type"] == "nack" and answer.content["error"] == "INVALID_JSON"
    assert is_alive(stream, device["token"])


def test_XMP_05_malformed_and_unregistered_targets_are_told_apart(stream, dead_token):
    answer = sends(stream, {"to": "bogus", "data": {"a": "1"}})
    assert (answer["message_type"], answer["error"], answer["from"]) == ("nack", "BAD_REGISTRATION", "bogus")
    answer = sends(stream, {"to": dead_token, "data": {"a": "1"}})
    assert (answer["message_type"], answer["error"], answer["from"]) == ("nack", "DEVICE_UNREGISTERED", dead_token)


@pytest.mark.parametrize("text", ['{"to": token, "message_id"', "", "null", "[]", '"text"', "{" * 5_000])
def test_XMP_06_what_is_no_json_is_an_error_of_the_stanza(stream, device, text):
    stream.put(text, "s6")
    answer = stream.receive()
    assert (answer.type, answer.id) == ("error", "s6")
    code, condition, why = answer.error
    assert (code, condition) == ("400", "bad-request") and why.startswith("InvalidJson: JSON_PARSING_ERROR")
    assert is_alive(stream, device["token"])


def test_XMP_07_several_recipients_are_refused(stream, device):
    before = len(stream.emulator.pushes())
    stream.put({"registration_ids": [device["token"]], "message_id": "m-7", "data": {"a": "1"}}, "s7")
    answer = stream.receive()
    assert answer.type == "error" or answer.content["message_type"] == "nack", answer
    assert is_alive(stream, device["token"])
    assert len(stream.emulator.pushes()) == before


def test_XMP_08_text_survives_xml_whether_escaped_or_as_cdata(emulator, stream):
    phone = emulator.devices("classic")[0]
    escaped = TITLE.replace('"', '\\"').replace("&", "&amp;").replace("<", "&lt;").replace("\U0001F600", "&#x1F600;")
    plain = TITLE.replace('"', '\\"')
    for name, open_, title, close in [("m-8a", "", escaped, ""), ("m-8b", "<![CDATA[", plain, "]]>")]:
        stream.send(stanza(
            open_ + f'{{"to":"{phone["token"]}","message_id":"{name}","notification":{{"title":"{title}"}}}}' + close))
        assert stream.answer(name)["message_type"] == "ack"
    assert titles(emulator, phone["token"]) == [TITLE, TITLE]


def test_XMP_09_a_raw_ampersand_ends_the_stream_and_loses_nothing_before_it(emulator):
    phone = emulator.devices("classic")[0]
    stream = app_server_stream(emulator)
    stream.put({"to": phone["token"], "message_id": "m-9", "notification": {"title": "before"}})
    stream.send(stanza(f'{{"to":"{phone["token"]}","message_id":"m-9b","notification":{{"title":"Fish & chips"}}}}'))
    error = [part for part in stream.expect_end() if part.name == "error"]
    assert len(error) == 1 and "not-well-formed" in repr(error[0])
    assert titles(emulator, phone["token"]) == ["before"]


def test_XMP_18_every_stanza_is_answered_also_a_repeated_one(emulator, stream, device):
    content = {"to": device["token"], "message_id": "m-18", "data": {"n": "1"}}
    for _ in range(2):
        stream.put(content)
    assert [stream.answer("m-18")["message_type"] for _ in range(2)] in (["ack", "ack"], ["ack", "nack"])
    again = app_server_stream(emulator)
    again.put(content)
    assert again.answer("m-18")["message_type"] == "ack"
    again.cut()


def test_answers_come_in_the_order_of_the_messages(stream, device):
    ids = [message_id() for _ in range(60)]
    stream.send("".join(
        stanza(f'{{"to":"{device["token"] if number % 3 else "bogus"}","message_id":"{name}","data":{{"k":"v"}}}}')
        for number, name in enumerate(ids)))
    answers = [stream.message() for _ in ids]
    assert [answer["message_id"] for answer in answers] == ids
    assert [answer["message_type"] for answer in answers] == ["ack" if n % 3 else "nack" for n in range(60)]


def test_more_messages_than_may_be_pending_are_all_answered(stream, android):
    ids = [message_id() for _ in range(350)]
    stream.send("".join(
        stanza(f'{{"to":"{android.token}","message_id":"{name}","time_to_live":0,"data":{{"k":"v"}}}}') for name in ids))
    assert [stream.answer(name)["message_type"] for name in ids] == ["ack"] * 350


@pytest.mark.parametrize("fault, error", [
    ({"data": {"k": "x" * 4097}}, "INVALID_JSON"), ({"data": {"from": "me"}}, "INVALID_JSON"),
    ({"time_to_live": 2_419_201}, "INVALID_JSON"), ({"time_to_live": "abc"}, "INVALID_JSON"),
    ({"data": {"k": "v"}, "message_type": "unknown"}, "INVALID_JSON")], ids=["size", "key", "ttl", "type", "kind"])
def test_a_message_against_the_rules_is_not_acknowledged(stream, device, fault, error):
    answer = sends(stream, {"to": device["token"]} | fault)
    assert (answer["message_type"], answer["error"]) == ("nack", error)
    assert answer["error_description"]
    assert is_alive(stream, device["token"])


def test_XMP_15_a_receipt_comes_when_the_device_has_acknowledged(emulator, stream, android):
    name = message_id()
    stream.put({"to": android.token, "message_id": name, "delivery_receipt_requested": True, "data": {"a": "1"}})
    assert stream.answer(name)["message_type"] == "ack"
    connection = android.connect()
    connection.acknowledge(connection.data().persistent_id)
    receipt = stream.message()
    assert receipt["message_type"] == "receipt" and receipt["from"] == "gcm.googleapis.com"
    assert receipt["message_id"] == f"dr2:{name}" and receipt["category"] == "com.example.pushdemo"
    assert receipt["data"]["message_status"] == "MESSAGE_SENT_TO_DEVICE"
    assert receipt["data"]["original_message_id"] == name
    assert receipt["data"]["device_registration_id"] == android.token
    assert receipt["data"]["message_sent_timestamp"].isdigit()
    stream.acknowledge(receipt)
    # Acknowledged, it does not come to another connection.
    stream.close()
    again = app_server_stream(emulator)
    assert nothing_waits(again, android)
    again.cut()


def test_XMP_15_no_receipt_comes_for_what_only_apns_took(stream, device, android):
    assert sends(stream, {
        "to": device["token"], "delivery_receipt_requested": True, "notification": {"title": "t"}
    })["message_type"] == "ack"
    assert nothing_waits(stream, android)


# Messages from devices


def address(emulator):
    return f"{emulator.ready['sender_id']}@gcm.googleapis.com"


def upstream(device, connection, queue_id=None, **data):
    """The device sends; returns the message's id once the server has it."""
    name = f"u-{next(numbers)}"
    connection.confirmed(connection.send_upstream(address(device.emulator), data, name, queue_id or name))
    return name


def nothing_waits(stream, android):
    """Whether the app server gets a message that is sent now before anything else. The message is acknowledged."""
    connection = android.connection or android.connect()
    name = upstream(android, connection, k="v")
    while (content := stream.message()).get("message_type") in ("ack", "nack"):
        pass
    stream.acknowledge(content)
    return content["message_id"] == name


def test_an_upstream_message_arrives_with_its_text_unharmed(emulator, stream, android):
    name = upstream(android, android.connect(), title=TITLE, k="v")
    content = stream.message()
    assert content["message_id"] == name and content["from"] == android.token
    assert content["category"] == "com.example.pushdemo"
    assert content["data"] == {"title": TITLE, "k": "v"}
    assert "message_type" not in content
    stream.acknowledge(content)


def test_an_upstream_message_waits_for_an_app_server(emulator, android):
    connection = android.connect()
    names = [upstream(android, connection, n=str(number)) for number in range(5)]
    stream = app_server_stream(emulator)
    got = []
    for _ in names:
        got.append(stream.message())
        stream.acknowledge(got[-1])
    assert [content["message_id"] for content in got] == names
    stream.close()


def test_a_repeated_upstream_message_arrives_once(stream, android):
    connection = android.connect()
    name = upstream(android, connection, "q-1", n="1")
    stream.acknowledge(stream.message())
    connection.cut()
    connection = android.connect()
    number = connection.send_upstream(address(android.emulator), {"n": "1"}, name, "q-1")
    connection.confirmed(number)
    assert nothing_waits(stream, android)


def test_XMP_12_an_acknowledgement_on_another_connection_does_not_count(emulator, android):
    first = app_server_stream(emulator)
    name = upstream(android, android.connect(), n="12")
    content = first.message()
    assert content["message_id"] == name
    second = XMPPConnection(emulator)
    first.cut()
    second.login()
    # It may have been handed to the second already; an acknowledgement of an id that it does not have is what is tested.
    again = second.message()
    assert again["message_id"] == name
    second.cut()
    third = app_server_stream(emulator)
    assert third.message()["message_id"] == name
    third.acknowledge(content)
    third.close()
    fourth = app_server_stream(emulator)
    assert nothing_waits(fourth, android)
    fourth.cut()


def test_XMP_12_an_acknowledgement_before_the_message_came_changes_nothing(emulator, stream, android):
    other = app_server_stream(emulator)
    name = upstream(android, android.connect(), n="12")
    # One of the two got it; the other one acknowledges.
    holder, stranger = (stream, other) if has_message(stream) else (other, stream)
    content = holder.message()
    assert content["message_id"] == name
    stranger.acknowledge(content)
    assert is_alive(stranger, android.token)
    holder.cut()
    assert stranger.message()["message_id"] == name
    stranger.acknowledge(content)
    assert nothing_waits(stranger, android)
    other.cut()


def has_message(stream):
    """Whether a message came that was sent before now: what is asked now is answered behind it."""
    stream.send('<iq type="get" id="barrier"><ping xmlns="urn:xmpp:ping"/></iq>')
    kept = []
    while (part := stream.receive()).id != "barrier":
        kept.append(part)
    stream.stanzas[:0] = kept
    return bool(kept)


def test_no_more_than_a_hundred_messages_are_handed_over_without_acknowledgement(emulator, android):
    connection = android.connect()
    names = [upstream(android, connection, n=str(number)) for number in range(130)]
    stream = app_server_stream(emulator)
    first = [stream.message() for _ in range(100)]
    assert not has_message(stream)
    for content in first:
        stream.acknowledge(content)
    rest = [stream.message() for _ in range(30)]
    for content in rest:
        stream.acknowledge(content)
    assert [content["message_id"] for content in first + rest] == names
    stream.close()


def test_two_connections_share_the_messages(emulator, android):
    streams = [app_server_stream(emulator) for _ in range(2)]
    connection = android.connect()
    names = [upstream(android, connection, n=str(number)) for number in range(40)]
    got = []
    for stream in streams:
        while has_message(stream):
            got.append([stream, stream.message()])
            stream.acknowledge(got[-1][1])
    assert sorted(content["message_id"] for _, content in got) == sorted(names)
    assert {stream for stream, _ in got} == set(streams)
    for stream in streams:
        stream.close()


def test_a_malformed_acknowledgement_is_told(stream, device):
    stream.put({"message_type": "ack", "message_id": "m"})
    answer = stream.receive()
    assert answer.type == "error" or answer.content["error"] == "BAD_ACK"
    assert is_alive(stream, device["token"])


def test_a_message_for_another_project_is_an_error_for_the_device(stream, android):
    connection = android.connect()
    connection.send_upstream("999999999999@gcm.googleapis.com", {"k": "v"}, "nowhere", "q-9")
    error = connection.data()
    assert error.app_data["message_type"] == "send_error"
    assert error.app_data["google.message_id"] == "nowhere"
    assert nothing_waits(stream, android)


def test_a_half_written_stanza_at_the_end_of_the_connection_harms_nothing(emulator, device):
    stream = app_server_stream(emulator)
    stream.send('<message id="x"><gcm xmlns="google:mobile:data">{"to":"')
    stream.cut()
    with pytest.raises((EndOfStream, OSError)):
        stream.send("x")
        stream.receive(1)
    again = app_server_stream(emulator)
    assert is_alive(again, device["token"])
    again.cut()
