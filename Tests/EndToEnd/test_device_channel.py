"""The direct channel byte by byte: a device in plain sockets. Names with MCS- are known bugs of servers and receivers."""
import itertools
import time

import pytest

from app_server import AppServer, way_of
from device_api import post_form, register_android
from mcs_client import (
    ACK, CLOSE, DATA, IQ, LOGIN, LOGIN_ANSWER, PING, SELECTIVE_ACK, EndOfStream, MCSConnection,
    login_request, registered_android)
from protobuf_wire import Reader, message, varint

numbers = itertools.count(1)


def push(app_server, device, **data):
    """Sends data to the device; returns the message's name."""
    return app_server.must_send({"token": device.token, "data": data})


def next_number(app_server, device, connection):
    """Sends a marker, and returns everything that comes up to it; the marker is acknowledged then."""
    marker = str(next(numbers))
    push(app_server, device, marker=marker)
    before = []
    while True:
        packet = connection.data()
        if packet.app_data.get("marker") == marker:
            connection.acknowledge(packet.persistent_id)
            return before
        before.append(packet)


def nothing_waits(app_server, device, connection):
    """Whether nothing is delivered before a message that is sent now."""
    return next_number(app_server, device, connection) == []


# Login


def test_a_login_is_answered_with_the_version_once_then_the_answer_then_an_empty_acknowledgement(android):
    connection = MCSConnection(android.emulator)
    started = time.time()
    answer, acknowledgement = connection.login(android.identity)
    assert connection.server_version == 41
    assert answer.reader.text(1) == "chrome-63.0.3234.0"
    assert answer.acknowledged == 1
    assert abs(answer.reader.last(8) / 1000 - started) < 60
    assert acknowledgement.extension == (SELECTIVE_ACK, b"")
    assert acknowledgement.reader.last(2) == 1 and acknowledgement.reader.last(3) == b""
    connection.cut()


@pytest.mark.parametrize("version", [38, 39, 40, 41, 42])
def test_the_server_answers_with_the_version_of_the_client(android, version):
    connection = MCSConnection(android.emulator, version=version)
    connection.login(android.identity)
    assert connection.server_version == version
    connection.cut()


def test_a_version_that_nobody_speaks_any_more_ends_the_connection(android):
    connection = MCSConnection(android.emulator, version=37)
    connection.send(LOGIN, login_request(android.identity))
    assert not [packet for packet in connection.expect_end() if packet.tag != CLOSE]


def test_MCS_04_a_wrong_security_token_is_refused_and_the_connection_ends(android):
    connection = MCSConnection(android.emulator)
    connection.send(LOGIN, login_request(android.identity, auth_token="1"))
    answers = connection.expect_end(seconds=5)
    assert answers and answers[0].tag in (LOGIN_ANSWER, CLOSE)
    for answer in answers:
        assert answer.tag == CLOSE or answer.reader.last(3) is not None, "a login without an error"


@pytest.mark.parametrize("change", [
    {"user": "1", "resource": "1"}, {"resource": "7"}, {"user": "0", "resource": "0"}, {"user": "x", "resource": "x"},
    {"auth_token": ""}, {"auth_token": None}, {"domain": "example.com"}, {"domain": None}, {"id": None},
    {"more": [(16, 1)]}], ids=str)
def test_a_login_that_is_none_is_refused(android, change):
    more = change.pop("more", [])
    connection = MCSConnection(android.emulator)
    connection.send(LOGIN, login_request(android.identity, more=more, **change))
    answers = connection.expect_end()
    assert all(answer.tag == CLOSE or answer.reader.last(3) is not None for answer in answers)
    change["more"] = more


def test_ids_may_be_written_as_signed_numbers(android):
    signed = int(android.identity["android_id"]), int(android.identity["security_token"])
    user, token = (value - (1 << 64) if value >> 63 else value for value in signed)
    connection = MCSConnection(android.emulator)
    connection.login(android.identity, user=str(user), resource=str(user), auth_token=str(token))
    connection.cut()


def test_what_comes_before_a_login_ends_the_connection(android):
    for first in [(PING, b""), (DATA, message([(3, ""), (5, "x")])), (CLOSE, b""), (LOGIN, b"\xff\xff")]:
        connection = MCSConnection(android.emulator)
        connection.send(*first)
        assert all(packet.tag != IQ for packet in connection.expect_end())


def test_bytes_that_arrive_one_by_one_are_a_login_too(android):
    connection = MCSConnection(android.emulator)
    payload = login_request(android.identity)
    for byte in bytes([41, LOGIN]) + varint(len(payload)) + payload:
        connection.send_bytes(bytes([byte]))
    connection.written = 1
    assert connection.expect(LOGIN_ANSWER).acknowledged == 1
    connection.cut()


def test_a_version_that_is_repeated_before_the_answer_is_passed_over(android):
    # firebase-messaging writes it before each packet until it has read one.
    connection = MCSConnection(android.emulator)
    connection.send(LOGIN, login_request(android.identity))
    connection.send_bytes(bytes([41, PING, 0]))
    connection.written += 1
    connection.expect(LOGIN_ANSWER)
    connection.expect(IQ)
    assert connection.expect(ACK).acknowledged == 2
    connection.cut()


# Messages


def test_a_data_message_arrives_with_everything_that_a_receiver_looks_at(app_server, android):
    connection = android.connect()
    before = time.time()
    name = app_server.must_send({
        "token": android.token, "data": {"k": "v", "long": "é" * 100},
        "android": {"ttl": "3600s", "collapse_key": "score", "priority": "high"}})
    packet = connection.data()
    assert packet.sender == android.emulator.ready["sender_id"]
    assert packet.category == "com.example.pushdemo"
    assert packet.collapse_key == "score"
    assert packet.app_data["k"] == "v" and packet.app_data["long"] == "é" * 100
    assert packet.time_to_live == 3600
    assert abs(packet.reader.last(18) / 1000 - before) < 60
    assert packet.persistent_id.startswith("0:")
    connection.acknowledge(packet.persistent_id)
    assert way_of(android.emulator, name)["outcome"] == "accepted"


def test_a_notification_arrives_as_the_android_sdk_reads_it(app_server, android):
    connection = android.connect()
    app_server.must_send({
        "token": android.token, "notification": {"title": "Title 👋", "body": "Text"},
        "android": {"notification": {"icon": "ic_stat", "channel_id": "news"}}})
    data = connection.data().app_data
    assert data["gcm.n.e"] == "1"
    assert (data["gcm.n.title"], data["gcm.n.body"], data["gcm.n.icon"]) == ("Title 👋", "Text", "ic_stat")
    assert data["gcm.n.android_channel_id"] == "news"


def test_messages_keep_their_order_online_and_offline(app_server, android):
    for number in range(30):
        push(app_server, android, n=str(number))
    connection = android.connect()
    for number in range(30, 60):
        push(app_server, android, n=str(number))
    assert [connection.data().app_data["n"] for _ in range(60)] == [str(number) for number in range(60)]


def test_a_stream_acknowledgement_takes_everything_that_was_read(app_server, android):
    connection = android.connect()
    for number in range(12):
        push(app_server, android, n=str(number))
    for _ in range(12):
        connection.data()
    connection.acknowledge_stream()
    connection.cut()
    assert nothing_waits(app_server, android, android.connect())


def test_only_the_named_messages_are_acknowledged_by_a_selective_one(app_server, android):
    connection = android.connect()
    for number in range(4):
        push(app_server, android, n=str(number))
    packets = [connection.data() for _ in range(4)]
    connection.acknowledge(packets[1].persistent_id, packets[3].persistent_id)
    connection.cut()
    again = android.connect()
    assert [again.data().app_data["n"] for _ in range(2)] == ["0", "2"]
    assert nothing_waits(app_server, android, again)


def test_pings_are_answered_with_a_count_and_acknowledge_what_was_read(app_server, android):
    connection = android.connect()
    push(app_server, android, n="1")
    connection.data()
    number = connection.send(PING, message([(2, connection.read)]))
    connection.confirmed(number, acknowledges=False)
    connection.cut()
    assert nothing_waits(app_server, android, android.connect())


def test_MCS_01_persistent_ids_come_back_until_named_at_the_next_login(app_server, android):
    connection = android.connect()
    for number in "12":
        push(app_server, android, n=number)
    first = [connection.data() for _ in range(2)]
    connection.cut()
    again = android.connect()
    second = [again.data() for _ in range(2)]
    ids = [packet.persistent_id for packet in first]
    assert [packet.persistent_id for packet in second] == ids
    again.cut()
    assert nothing_waits(app_server, android, android.connect(received=ids))
    android.cut()
    assert nothing_waits(app_server, android, android.connect())


def test_MCS_02_every_queued_message_has_a_stable_persistent_id_of_its_own(app_server, android):
    for number in range(20):
        push(app_server, android, n=str(number))
    seen = []
    for _ in range(2):
        connection = android.connect()
        seen.append({packet.app_data["n"]: packet.persistent_id for packet in (connection.data() for _ in range(20))})
        connection.cut()
    assert seen[0] == seen[1] and "" not in seen[0].values()
    assert len(set(seen[0].values())) == 20


def test_MCS_07_sizes_above_127_work_in_both_directions(app_server, android):
    payload = login_request(android.identity, [f"0:1700000000000{n:03}%{n:016x}" for n in range(20)])
    assert len(payload) > 600
    connection = MCSConnection(android.emulator)
    connection.send(LOGIN, payload)
    assert connection.expect(LOGIN_ANSWER).reader.last(3) is None
    connection.expect(IQ)
    assert connection.server_version == 41
    push(app_server, android, v="x" * 3900)
    packet = connection.data()
    assert packet.app_data["v"] == "x" * 3900 and len(packet.payload) > 3900
    connection.cut()


def test_MCS_09_the_newest_login_of_a_device_wins(app_server, android):
    older = android.connect()
    newer = android.connect()
    endings = older.expect_end()
    assert [packet.tag for packet in endings] in ([], [CLOSE])
    push(app_server, android, n="1")
    assert newer.data().app_data["n"] == "1"


def test_MCS_11_of_messages_with_one_collapse_key_only_the_newest_waits(app_server, android):
    for number in range(1, 6):
        app_server.send_legacy({"to": android.token, "collapse_key": "score", "data": {"n": str(number)}})
    waiting = next_number(app_server, android, android.connect())
    assert [(packet.app_data["n"], packet.collapse_key) for packet in waiting] == [("5", "score")]


def test_at_most_four_collapse_keys_wait(app_server, android):
    for key in "abcdef":
        app_server.send_legacy({"to": android.token, "collapse_key": key, "data": {"n": key}})
    assert len(next_number(app_server, android, android.connect())) == 4


def test_MCS_12_what_expired_while_offline_is_not_delivered(own_emulator):
    app_server, device = AppServer(own_emulator), registered_android(own_emulator)
    for seconds in (2, 0):
        app_server.send_legacy({"to": device.token, "time_to_live": seconds, "data": {"n": str(seconds)}})
    own_emulator.control("clock", {"advance_seconds": 5})
    assert nothing_waits(app_server, device, device.connect())
    device.cut()


def test_a_message_for_now_or_never_reaches_a_connected_device_once(app_server, android):
    connection = android.connect()
    app_server.send_legacy({"to": android.token, "time_to_live": 0, "data": {"n": "now"}})
    packet = connection.data()
    assert packet.app_data["n"] == "now" and packet.time_to_live == 0
    connection.cut()
    assert nothing_waits(app_server, android, android.connect())


def test_of_more_than_a_hundred_waiting_messages_all_are_dropped_and_one_note_says_so(app_server, android):
    for number in range(101):
        push(app_server, android, n=str(number))
    note, *others = next_number(app_server, android, android.connect())
    assert note.app_data["message_type"] == "deleted_messages"
    assert note.app_data["total_deleted"] == "100"
    assert note.persistent_id and note.raw_data is None
    # The one that was too many is the first of the next hundred.
    assert [packet.app_data["n"] for packet in others] == ["100"]
    ids = [packet.persistent_id for packet in [note, *others]]
    assert nothing_waits(app_server, android, android.connect(received=ids))


def test_a_hundred_messages_wait(app_server, android):
    for number in range(100):
        push(app_server, android, n=str(number))
    connection = android.connect()
    assert [connection.data().app_data["n"] for _ in range(100)] == [str(number) for number in range(100)]


def test_a_device_that_was_away_for_more_than_a_month_gets_a_note(own_emulator):
    app_server, device = AppServer(own_emulator), registered_android(own_emulator)
    device.connect().cut()
    # Behind its end, the service knows when the device was last connected.
    own_emulator.stop()
    own_emulator.start()
    # A message lives for 28 days: sent on day 20, it still lives on day 32.
    own_emulator.control("clock", {"advance_seconds": 20 * 86_400})
    app_server.send_legacy({"to": device.token, "data": {"n": "1"}})
    own_emulator.control("clock", {"advance_seconds": 12 * 86_400})
    packet = device.connect().data()
    assert packet.app_data["message_type"] == "deleted_messages"
    assert packet.app_data["total_deleted"] == "1"
    device.cut()


def test_what_waits_for_a_deleted_token_is_not_delivered_to_the_next_one(app_server, android):
    push(app_server, android, n="1")
    ready = android.emulator.ready
    status, text = post_form(
        android.emulator, "/c2dm/register3", {
            "app": "com.example.pushdemo", "device": android.identity["android_id"], "sender": ready["sender_id"],
            "delete": "1", "X-delete": "1"}, encoded=True,
        Authorization=f"AidLogin {android.identity['android_id']}:{android.identity['security_token']}")
    assert status == 200 and "Error" not in text, text
    assert app_server.send({"token": android.token, "data": {"n": "2"}})[0] == 404
    android.token = register_android(android.emulator, android.identity)
    assert nothing_waits(app_server, android, android.connect())


# Streams that are not well


def test_unknown_packets_count_and_are_passed_over(android):
    connection = android.connect()
    for tag in (5, 6, 9, 11, 15, 77, 255):
        connection.send(tag, b"\x0a\x03abc")
    answer, _ = connection.ping()
    assert answer.acknowledged == connection.written


def test_a_packet_that_is_too_large_ends_the_connection_before_it_is_there(android):
    connection = android.connect()
    connection.send_bytes(bytes([DATA]) + varint(1 << 30))
    connection.expect_end()


def test_a_size_that_never_ends_ends_the_connection(android):
    connection = android.connect()
    connection.send_bytes(bytes([DATA]) + b"\xff" * 16)
    connection.expect_end()


def test_a_second_login_on_one_connection_ends_it(android):
    connection = android.connect()
    connection.send(LOGIN, login_request(android.identity))
    connection.expect_end()


def test_close_ends_the_connection_from_both_sides(android):
    connection = android.connect()
    connection.send(CLOSE)
    connection.expect_end()


def test_a_count_of_packets_that_were_never_written_acknowledges_nothing_that_is_not_read(app_server, android):
    connection = android.connect()
    connection.send(PING, message([(2, 1_000_000)]))
    try:
        connection.expect(ACK)
    except EndOfStream:
        pass  # A server may take it for an error of the protocol.
    android.cut()
    push(app_server, android, n="1")
    assert android.connect().data().app_data["n"] == "1"


def test_a_device_that_reads_nothing_holds_up_no_other_device(app_server, emulator, android):
    slow = android.connect()
    other = registered_android(emulator)
    connection = other.connect()
    for number in range(300):
        push(app_server, android, n=str(number), filling="x" * 3800)
    push(app_server, other, n="other")
    assert connection.data().app_data["n"] == "other"
    other.cut()
    got = []
    while len(got) < 300:
        # The server writes no more than a hundred that are not acknowledged.
        got += [packet.app_data["n"] for packet in slow.acknowledge_stream() or [slow.data()]]
    assert got == [str(number) for number in range(300)]
