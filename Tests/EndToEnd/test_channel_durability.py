"""kill -9 with unacknowledged messages in both directions: what was promised arrives, and what was confirmed is over.

A message is promised to the device when its sender got 200, and to the app server when the device was told that its
packet is taken. It is over when the device was told that its acknowledgement is taken."""
import concurrent.futures
import http.client
import itertools
import random
import threading

import pytest

from app_server import AppServer
from emulator import Emulator
from mcs_client import MCSDevice, registered_android
from xmpp_client import app_server_stream

#: What the end of the service looks like from outside.
BROKEN = (OSError, http.client.HTTPException)


@pytest.fixture()
def service(pharos):
    with Emulator(pharos) as emulator:
        emulator.keep_ports()
        yield emulator


class Ledger:
    """What one device has got, over all its connections."""

    def __init__(self, device: MCSDevice):
        self.device = device
        self.arrived, self.persistent_ids, self.confirmed = [], {}, set()

    def take(self, packet):
        number = packet.app_data["n"]
        assert number not in self.confirmed, f"message {number} came again after its acknowledgement was confirmed"
        assert self.persistent_ids.setdefault(number, packet.persistent_id) == packet.persistent_id
        self.arrived.append(number)

    def read(self, until=None):
        """Reads and acknowledges until the connection ends, or until everything of `until` has come."""
        connection = self.device.connect()
        connection.on_data = self.take
        while until is None or until - set(self.persistent_ids):
            packet = connection.data()
            connection.acknowledge_stream()
            self.confirmed.add(packet.app_data["n"])


class Goal:
    """Is reached after so many steps, by any thread."""

    def __init__(self, steps):
        self.reached, self.steps, self.lock = threading.Event(), steps, threading.Lock()

    def count(self):
        with self.lock:
            self.steps -= 1
            if self.steps == 0:
                self.reached.set()


def send_until_the_end(sender, token, numbers, accepted, count):
    connection = sender.connection()
    try:
        for number in numbers:
            status, _ = sender.send_on(connection, {"token": token, "data": {"n": str(number)}})
            if status == 200:
                accepted.append(str(number))
                count()
    except BROKEN:
        pass


def read_until_the_end(ledger):
    try:
        ledger.read()
    except BROKEN:
        pass


def test_messages_to_devices_survive_kill_9_at_any_moment_and_end_with_their_acknowledgement(service):
    chance, numbers = random.Random(20_261_201), itertools.count()
    ledgers = [Ledger(registered_android(service)) for _ in range(4)]
    sender = AppServer(service)
    accepted = {ledger: [] for ledger in ledgers}
    for _ in range(5):
        goal = Goal(chance.randint(20, 150))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            work = [pool.submit(read_until_the_end, ledger) for ledger in ledgers]
            work += [
                pool.submit(send_until_the_end, sender, ledger.device.token, numbers, accepted[ledger], goal.count)
                for ledger in ledgers]
            assert goal.reached.wait(60)
            service.kill()
            for each in work:
                each.result()
        service.start()
    for ledger in ledgers:
        ledger.read(until=set(accepted[ledger]))
        assert set(accepted[ledger]) <= set(ledger.arrived)
        assert len(set(ledger.persistent_ids.values())) == len(ledger.persistent_ids), "two messages shared an id"
        # Nothing else is left.
        sender.must_send({"token": ledger.device.token, "data": {"n": "last"}})
        ledger.read(until={"last"})
        ledger.device.cut()


def test_messages_that_were_written_and_not_acknowledged_come_again_after_kill_9(service):
    sender, device = AppServer(service), registered_android(service)
    connection = device.connect()
    for number in range(50):
        sender.must_send({"token": device.token, "data": {"n": str(number)}})
    packets = [connection.data() for _ in range(50)]
    ids = [packet.persistent_id for packet in packets]
    connection.acknowledge(*ids[:20])
    service.kill()
    service.start()
    connection = device.connect(received=ids[20:25])
    again = [connection.data() for _ in range(25)]
    assert [packet.persistent_id for packet in again] == ids[25:]
    assert [packet.app_data["n"] for packet in again] == [str(number) for number in range(25, 50)]
    device.cut()


def test_upstream_messages_survive_kill_9_at_any_moment_and_come_once_after_a_confirmed_acknowledgement(service):
    chance, numbers = random.Random(20_261_202), itertools.count()
    device = registered_android(service)
    address = f"{service.ready['sender_id']}@gcm.googleapis.com"
    promised, waiting, arrived, over = set(), {}, [], set()

    def send(goal):
        """As a device does: what is not confirmed is sent again on the next connection, under the same id."""
        try:
            connection = device.connect()
            for name in list(waiting):
                waiting[name] = connection.send_upstream(address, {"n": name}, name, name)
            while len(promised) < goal:
                name = f"u-{next(numbers)}"
                waiting[name] = connection.send_upstream(address, {"n": name}, name, name)
                answer, _ = connection.ping()
                for name, number in list(waiting.items()):
                    if number <= (answer.acknowledged or 0):
                        promised.add(name)
                        del waiting[name]
        except BROKEN:
            pass

    def receive(ends_with=None):
        try:
            stream = app_server_stream(service)
            while ends_with is None or ends_with not in arrived:
                content = stream.message()
                name = content["message_id"]
                assert name not in over, f"{name} came again after its acknowledgement was taken"
                arrived.append(name)
                stream.acknowledge(content)
            # Acknowledgements have no answer; the end of the stream says that they are taken.
            stream.close()
        except BROKEN:
            pass

    for _ in range(4):
        goal = len(promised) + chance.randint(20, 80)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            reading, sending = pool.submit(receive), pool.submit(send, goal)
            sending.result()
            service.kill()
            reading.result()
        service.start()
    send(len(promised) + 1)
    last = f"u-{next(numbers)}"
    connection = device.connect()
    connection.confirmed(connection.send_upstream(address, {"n": last}, last, last))
    receive(ends_with=last)
    assert promised <= set(arrived)
    # Every acknowledgement on the last stream was taken, and holds over a restart.
    over |= set(arrived)
    service.kill()
    service.start()
    connection = device.connect()
    connection.confirmed(connection.send_upstream(address, {"n": "end"}, "end", "end"))
    receive(ends_with="end")
    assert arrived[-1] == "end"
    device.cut()


def test_acknowledgements_on_a_stream_that_has_ended_hold_over_kill_9(service):
    device = registered_android(service)
    address = f"{service.ready['sender_id']}@gcm.googleapis.com"
    connection = device.connect()
    for number in range(100):
        last = connection.send_upstream(address, {"n": str(number)}, f"up-{number}", f"q-{number}")
    connection.confirmed(last)
    for acknowledged in (30, 70):
        stream = app_server_stream(service)
        for _ in range(acknowledged):
            stream.acknowledge(stream.message())
        stream.close()
        service.kill()
        service.start()
    connection = device.connect()
    connection.confirmed(connection.send_upstream(address, {"n": "end"}, "end", "end"))
    stream = app_server_stream(service)
    assert stream.message()["message_id"] == "end"
    stream.cut()
    device.cut()


def test_what_waits_in_both_directions_is_there_after_kill_9(service):
    sender, device = AppServer(service), registered_android(service)
    address = f"{service.ready['sender_id']}@gcm.googleapis.com"
    connection = device.connect()
    for number in range(20):
        connection.confirmed(connection.send_upstream(address, {"n": str(number)}, f"up-{number}", f"q-{number}"))
    connection.cut()
    for number in range(20):
        sender.must_send({"token": device.token, "data": {"n": str(number)}})
    service.kill()
    service.start()
    stream = app_server_stream(service)
    got = []
    for _ in range(20):
        got.append(stream.message())
        stream.acknowledge(got[-1])
    assert [content["message_id"] for content in got] == [f"up-{number}" for number in range(20)]
    connection = device.connect()
    assert [connection.data().app_data["n"] for _ in range(20)] == [str(number) for number in range(20)]
    # A device that did not hear of the confirmation sends again; it is the same message.
    connection.acknowledge_stream()
    connection.confirmed(connection.send_upstream(address, {"n": "0"}, "up-0", "q-0"))
    connection.confirmed(connection.send_upstream(address, {"n": "20"}, "up-20", "q-20"))
    assert stream.message()["message_id"] == "up-20"
    stream.cut()
    device.cut()
