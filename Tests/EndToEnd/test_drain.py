"""The end of `pharos serve` by SIGTERM: app servers and devices are let go in good order, come back, and miss nothing."""
import concurrent.futures
import http.client
import urllib.parse

import pytest

from app_server import AppServer
from mcs_client import CLOSE, registered_android
from production import Production
from slixmpp_server import AppServers


@pytest.fixture()
def production(pharos):
    service = Production(pharos)
    service.prepare()
    with service:
        service.keep_ports()
        yield service


@pytest.fixture()
def servers(production):
    with AppServers(production) as servers:
        yield servers


def send_upstream(device, name):
    connection = device.connection
    connection.confirmed(connection.send_upstream(
        f"{device.emulator.ready['sender_id']}@gcm.googleapis.com", {"k": "v"}, name, name))


def test_app_servers_are_told_to_go_and_get_on_the_next_connection_what_they_did_not_acknowledge(production, servers):
    device = registered_android(production)
    device.connect()
    servers.open(acknowledges=False)
    names = [f"up-{number}" for number in range(3)]
    for name in names:
        send_upstream(device, name)
    events = [servers.message() for _ in names]
    servers.acknowledge(events[0])
    production.process.terminate()
    control = servers.expect("control")["content"]
    assert control == {"message_type": "control", "control_type": "CONNECTION_DRAINING"}
    # On the old connection acknowledgements still count, until it ends.
    servers.acknowledge(events[1])
    servers.expect("disconnected")
    assert production.process.wait(timeout=30) == 0
    servers.start_opening("2")
    production.start()
    assert servers.message(name="2")["message_id"] == names[2]
    device.connect()
    send_upstream(device, "up-3")
    assert servers.message(name="2")["message_id"] == "up-3"
    device.cut()


def test_devices_are_let_go_without_a_word_and_find_on_their_return_what_they_did_not_acknowledge(production):
    sender, device = AppServer(production), registered_android(production)
    connection = device.connect()
    for number in range(5):
        sender.must_send({"token": device.token, "data": {"n": str(number)}})
    packets = [connection.data() for _ in range(5)]
    connection.acknowledge(*[packet.persistent_id for packet in packets[:2]])
    number = connection.send_upstream(
        f"{production.ready['sender_id']}@gcm.googleapis.com", {"k": "v"}, "up", "up", acknowledges=False)
    production.process.terminate()
    last_words = connection.expect_end()
    # A client that is told to close waits longer before it comes back than one whose connection just ends.
    assert CLOSE not in [packet.tag for packet in last_words]
    assert max(packet.acknowledged or 0 for packet in last_words) >= number
    assert production.process.wait(timeout=30) == 0
    production.start()
    connection = device.connect()
    assert [connection.data().app_data["n"] for _ in range(3)] == ["2", "3", "4"]
    with AppServers(production) as servers:
        servers.open()
        assert servers.message()["message_id"] == "up"
    device.cut()


def test_a_send_just_before_the_end_is_delivered_after_it(production):
    sender, device = AppServer(production), registered_android(production)
    device.connect().cut()
    accepted = []
    connection = sender.connection()
    for number in range(20):
        status, _ = sender.send_on(connection, {"token": device.token, "data": {"n": str(number)}})
        assert status == 200
        accepted.append(str(number))
    production.process.terminate()
    assert production.process.wait(timeout=30) == 0
    production.start()
    again = device.connect()
    assert [again.data().app_data["n"] for _ in accepted] == accepted
    device.cut()


def first_answers(address):
    """What the first connection that the server serves is answered, and one more request on it."""
    while True:
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        answers = []
        try:
            for _ in range(2):
                connection.request("GET", "/v1/projects/shop-prod/messages/1")
                answer = connection.getresponse()
                answer.read()
                answers.append(answer.status)
            return answers
        except (ConnectionError, http.client.RemoteDisconnected):
            # Nobody was there yet.
            assert not answers
        finally:
            connection.close()


def test_who_connects_first_while_the_server_starts_finds_every_route(production):
    address = urllib.parse.urlparse(production.ready["http"])
    for _ in range(3):
        production.process.terminate()
        assert production.process.wait(timeout=30) == 0
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = [pool.submit(first_answers, address) for _ in range(4)]
            production.start()
            for answer in answers:
                assert answer.result(timeout=60) == [401, 401]
