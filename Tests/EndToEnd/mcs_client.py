"""A device on the direct channel, in plain sockets: framing, login, acknowledgements, and what a test must see of them.

Source: the MCS protocol as Chromium and the public receivers speak it."""
import socket
import ssl
import time

from device_api import register_android
from fixture_world import check_in
from protobuf_wire import Reader, message, read_varint, varint

PING, ACK, LOGIN, LOGIN_ANSWER, CLOSE, IQ, DATA, STREAM_ERROR = 0, 1, 2, 3, 4, 7, 8, 10
SELECTIVE_ACK, STREAM_ACK = 12, 13
DOMAIN = "mcs.android.com"
#: How long a test waits for what must come.
PATIENCE = 30


class EndOfStream(ConnectionError):
    """The server closed the connection."""


class Packet:
    """A packet that was read."""

    #: Where each kind has `last_stream_id_received`.
    ACKNOWLEDGING = {PING: 2, ACK: 2, LOGIN_ANSWER: 6, IQ: 10, DATA: 11}

    def __init__(self, tag, payload, number):
        self.tag, self.payload, self.number = tag, payload, number
        self.reader = Reader(payload)

    @property
    def acknowledged(self):
        """How many of our packets the server has read, as far as this packet says."""
        return self.reader.last(self.ACKNOWLEDGING.get(self.tag, 0))

    @property
    def extension(self):
        """Of an IQ: (id, data)."""
        part = Reader(self.reader.last(7, b""))
        return part.last(1), part.last(2, b"")

    # Of a data message:

    @property
    def persistent_id(self):
        return self.reader.text(9)

    @property
    def sender(self):
        return self.reader.text(3)

    @property
    def category(self):
        return self.reader.text(5)

    @property
    def collapse_key(self):
        return self.reader.text(6)

    @property
    def raw_data(self):
        return self.reader.last(21)

    @property
    def time_to_live(self):
        return self.reader.last(17)

    @property
    def app_data(self):
        entries = [Reader(entry) for entry in self.reader.all(7)]
        return {entry.text(1): entry.text(2) for entry in entries}

    def __repr__(self):
        return f"<packet {self.number}: tag {self.tag} {self.payload!r}>"


def login_request(device, received=(), client="chrome-63.0.3234.0", more=(), **changes):
    """A LoginRequest as the public receivers send it. `changes` replace named fields; `None` leaves one out."""
    user = str(device["android_id"])
    values = {
        "id": client, "domain": DOMAIN, "user": user, "resource": user,
        "auth_token": str(device["security_token"]), "device_id": f"android-{int(user):x}"} | changes
    numbers = {"id": 1, "domain": 2, "user": 3, "resource": 4, "auth_token": 5, "device_id": 6}
    fields = [(numbers[name], value) for name, value in values.items() if value is not None]
    fields.append((8, [(1, "new_vc"), (2, "1")]))
    fields += [(10, persistent_id) for persistent_id in received]
    fields += [(12, False), (14, True), (16, 2), (17, 1)]
    return message(fields + list(more))


class MCSConnection:
    """One TLS connection. Counts packets in both directions, as the protocol does."""

    def __init__(self, emulator, version=41, host="localhost"):
        address, port = emulator.ready["mcs"].rsplit(":", 1)
        context = ssl.create_default_context(cafile=emulator.ready["ca"])
        raw = socket.create_connection((address, int(port)), timeout=PATIENCE)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(raw, server_hostname=host)
        self.version = version
        self.server_version = None
        self.unread = bytearray()
        self.written = self.read = 0
        #: Hears of each data message as soon as it is read: what is sent next may acknowledge it.
        self.on_data = None

    # Bytes

    def send_bytes(self, data):
        self.socket.sendall(data)

    def read_bytes(self, count, until):
        while len(self.unread) < count:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"{count} bytes did not come; there are {bytes(self.unread)!r}")
            self.socket.settimeout(left)
            try:
                more = self.socket.recv(65536)
            except (ConnectionError, ssl.SSLError) as error:
                raise EndOfStream(str(error)) from error
            if not more:
                raise EndOfStream("closed" if not self.unread else f"closed within {bytes(self.unread)!r}")
            self.unread += more
        taken = bytes(self.unread[:count])
        del self.unread[:count]
        return taken

    # Packets

    def send(self, tag, payload=b""):
        """Writes a packet; the first one with the version in front. Returns its number."""
        version = bytes([self.version]) if self.written == 0 else b""
        self.send_bytes(version + bytes([tag]) + varint(len(payload)) + payload)
        self.written += 1
        return self.written

    def receive(self, seconds=PATIENCE):
        """The next packet."""
        until = time.monotonic() + seconds
        if self.server_version is None:
            self.server_version = self.read_bytes(1, until)[0]
        tag = self.read_bytes(1, until)[0]
        size = b""
        while not size or size[-1] & 0x80:
            size += self.read_bytes(1, until)
            assert len(size) <= 5, "a size of more than five bytes"
        payload = self.read_bytes(read_varint(size, 0)[0], until)
        self.read += 1
        packet = Packet(tag, payload, self.read)
        if tag == DATA and self.on_data:
            self.on_data(packet)
        return packet

    def expect(self, tag):
        """The next packet, which must be of this kind."""
        packet = self.receive()
        assert packet.tag == tag, packet
        return packet

    def expect_end(self, seconds=PATIENCE):
        """Reads until the server has closed; returns the packets that came before."""
        packets = []
        try:
            while True:
                packets.append(self.receive(seconds))
        except EndOfStream:
            return packets

    # What a device says

    def login(self, device, received=(), **changes):
        """Logs in; returns the answer and the selective acknowledgement behind it."""
        self.send(LOGIN, login_request(device, received, **changes))
        answer = self.expect(LOGIN_ANSWER)
        assert answer.reader.last(3) is None, f"the login was refused: {answer}"
        return answer, self.expect(IQ)

    def ping(self, acknowledges=True):
        """Pings, and returns the answer and the data messages that came before it."""
        self.send(PING, message([(2, self.read)] if acknowledges else []))
        messages = []
        while True:
            packet = self.receive()
            if packet.tag == ACK:
                return packet, messages
            if packet.tag == DATA:
                messages.append(packet)

    def data(self):
        """The next data message; other packets are passed over."""
        while True:
            packet = self.receive()
            if packet.tag == DATA:
                return packet

    def acknowledge_stream(self):
        """Acknowledges everything that was read, and returns when the server has said that it knows."""
        number = self.send(IQ, message([(2, 1), (3, ""), (7, [(1, STREAM_ACK), (2, "")]), (10, self.read)]))
        return self.confirmed(number)

    def acknowledge(self, *persistent_ids):
        """Acknowledges messages by their ids, and returns when the server has said that it knows."""
        number = self.send(
            IQ, message([(2, 1), (3, ""), (7, [(1, SELECTIVE_ACK), (2, [(1, name) for name in persistent_ids])])]))
        return self.confirmed(number, acknowledges=False)

    def confirmed(self, number, acknowledges=True):
        """Pings until the server has acknowledged our packet; returns the data messages that came meanwhile."""
        messages = []
        while True:
            answer, more = self.ping(acknowledges)
            messages += more
            if (answer.acknowledged or 0) >= number:
                return messages

    def send_upstream(
            self, to, data, message_id, queue_id=None, category="com.example.pushdemo", ttl=86_400, sent=None,
            acknowledges=True):
        """A message of an app to its app server, which acknowledges what was read; returns the number of the packet."""
        fields = [(2, message_id), (3, ""), (4, to), (5, category)]
        fields += [(7, [(1, key), (2, value)]) for key, value in data.items()]
        fields += [(9, queue_id)] if queue_id else []
        fields += [(11, self.read)] if acknowledges else []
        return self.send(DATA, message(fields + [(17, ttl), (18, int(time.time()) if sent is None else sent)]))

    def cut(self):
        """Ends the connection as a lost network does: nothing is said any more."""
        self.socket.close()


class MCSDevice:
    """An Android app on the direct channel: an identity, a token, and connections one after the other."""

    def __init__(self, emulator, identity, token):
        self.emulator, self.identity, self.token = emulator, identity, token
        self.connection = None

    def connect(self, received=(), **changes):
        """Logs in on a new connection and returns it."""
        self.connection = MCSConnection(self.emulator)
        self.connection.login(self.identity, received, **changes)
        return self.connection

    def cut(self):
        if self.connection:
            self.connection.cut()


def registered_android(emulator, **changes):
    """A fresh device with the demo app."""
    identity = check_in(emulator)
    return MCSDevice(emulator, identity, register_android(emulator, identity, **changes))
