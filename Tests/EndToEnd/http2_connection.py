"""An HTTP/2 client that shows every frame's meaning, on the h2 package: streams, PINGs and GOAWAY as they come."""
import json
import socket
import ssl
import urllib.parse

import h2.config
import h2.connection
import h2.events


class HTTP2Connection:
    """One connection to a server, over TLS with ALPN or with prior knowledge."""

    def __init__(self, base, ca=None):
        url = urllib.parse.urlsplit(base)
        self.authority = url.netloc
        self.socket = socket.create_connection((url.hostname, url.port), timeout=30)
        if url.scheme == "https":
            context = ssl.create_default_context(cafile=ca)
            context.set_alpn_protocols(["h2"])
            self.socket = context.wrap_socket(self.socket, server_hostname=url.hostname)
            assert self.socket.selected_alpn_protocol() == "h2"
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        self.scheme = url.scheme
        self.answers = {}
        self.ended = set()
        self.acknowledged_pings = 0
        self.goaway = None
        self.closed = False
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def post(self, path, body, headers):
        """Starts a request; returns its stream."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        stream = self.h2.get_next_available_stream_id()
        self.h2.send_headers(stream, [
            (":method", "POST"), (":scheme", self.scheme), (":authority", self.authority), (":path", path),
            ("content-length", str(len(data)))] + [(name.lower(), value) for name, value in headers.items()])
        self.h2.send_data(stream, data, end_stream=True)
        self.flush()
        return stream

    def ping(self, number):
        self.h2.ping(number.to_bytes(8, "big"))
        self.flush()

    def read_until(self, condition):
        """Reads until the condition holds or the server closes; returns whether it holds."""
        while not condition() and not self.closed:
            data = self.socket.recv(65536)
            if not data:
                self.closed = True
                break
            for event in self.h2.receive_data(data):
                self.handle(event)
            self.flush()
        return condition()

    def handle(self, event):
        if isinstance(event, h2.events.ResponseReceived):
            self.answers[event.stream_id] = (int(dict(event.headers)[":status"]), bytearray())
        elif isinstance(event, h2.events.DataReceived):
            self.answers[event.stream_id][1].extend(event.data)
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
            self.ended.add(event.stream_id)
        elif isinstance(event, h2.events.PingAckReceived):
            self.acknowledged_pings += 1
        elif isinstance(event, h2.events.ConnectionTerminated):
            self.goaway = event
            # h2 takes no more frames after GOAWAY, but the answers of open streams still come.
            self.h2.state_machine.state = h2.connection.ConnectionState.CLIENT_OPEN

    def answer(self, stream):
        """Waits for a stream's answer; returns (status, JSON)."""
        assert self.read_until(lambda: stream in self.ended), f"no answer on stream {stream}"
        status, body = self.answers[stream]
        return status, json.loads(bytes(body))

    def close(self):
        self.socket.close()
