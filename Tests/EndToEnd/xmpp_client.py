"""An app server's XMPP stream in plain sockets, for what a well-behaved library would never send."""
import base64
import json
import socket
import ssl
import time
import xml.etree.ElementTree as ET

PATIENCE = 30
DATA = "google:mobile:data"
STREAM = "http://etherx.jabber.org/streams"
SASL = "urn:ietf:params:xml:ns:xmpp-sasl"
BIND = "urn:ietf:params:xml:ns:xmpp-bind"
STANZAS = "urn:ietf:params:xml:ns:xmpp-stanzas"
HEADER = (
    '<stream:stream to="gcm.googleapis.com" version="1.0" xmlns="jabber:client" '
    f'xmlns:stream="{STREAM}">')


class EndOfStream(ConnectionError):
    """The server closed the stream or the connection."""


class Stanza:
    """A child of the stream."""

    def __init__(self, element):
        self.element = element
        self.name = element.tag.rsplit("}", 1)[-1]
        self.type = element.get("type")
        self.id = element.get("id")

    @property
    def content(self):
        """The JSON of a data message."""
        text = self.element.findtext(f"{{{DATA}}}gcm")
        return json.loads(text) if text and self.type != "error" else None

    @property
    def error(self):
        """Of an error stanza: (code, condition's name, text)."""
        error = self.element.find("{jabber:client}error")
        conditions = [part.tag for part in error if part.tag.startswith(f"{{{STANZAS}}}")]
        return error.get("code"), conditions[0].rsplit("}", 1)[-1], error.findtext(f"{{{STANZAS}}}text")

    def __repr__(self):
        return ET.tostring(self.element, encoding="unicode")


class XMPPConnection:
    """One TLS connection to the XMPP server."""

    def __init__(self, emulator):
        self.emulator = emulator
        host, port = emulator.ready["xmpp"].rsplit(":", 1)
        context = ssl.create_default_context(cafile=emulator.ready["ca"])
        raw = socket.create_connection((host, int(port)), timeout=PATIENCE)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(raw, server_hostname="fcm-xmpp.googleapis.com")
        self.restart()

    def restart(self):
        self.parser = ET.XMLPullParser(("start", "end"))
        self.depth, self.stanzas, self.header, self.ended = 0, [], None, False

    def send(self, text):
        self.socket.sendall(text.encode())

    def put(self, content, stanza_id=""):
        """Sends a data message, as an XML library would write it."""
        element = ET.Element("message", {"id": stanza_id})
        part = ET.SubElement(element, "gcm", {"xmlns": DATA})
        part.text = content if isinstance(content, str) else json.dumps(content)
        self.send(ET.tostring(element, encoding="unicode"))

    def read_more(self, until):
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("nothing came")
        self.socket.settimeout(left)
        try:
            data = self.socket.recv(65536)
        except (ConnectionError, ssl.SSLError) as error:
            raise EndOfStream(str(error)) from error
        if not data:
            raise EndOfStream("closed")
        self.parser.feed(data)
        for event, element in self.parser.read_events():
            if event == "start":
                self.header = self.header if self.depth else element
                self.depth += 1
                continue
            self.depth -= 1
            if self.depth == 1:
                self.stanzas.append(Stanza(element))
            elif self.depth == 0:
                self.ended = True

    def receive(self, seconds=PATIENCE):
        """The next child of the stream."""
        until = time.monotonic() + seconds
        while not self.stanzas:
            if self.ended:
                raise EndOfStream("the stream ended")
            self.read_more(until)
        return self.stanzas.pop(0)

    def expect_end(self, seconds=PATIENCE):
        """Reads until the server has closed the connection; returns the stanzas that came before."""
        until = time.monotonic() + seconds
        try:
            while True:
                self.read_more(until)
        except EndOfStream:
            return self.stanzas

    # What an app server says

    def open(self):
        """Opens a stream; returns the features."""
        self.send(HEADER)
        features = self.receive()
        assert features.element.tag == f"{{{STREAM}}}features", features
        return features.element

    def authenticate(self, user=None, password=None, authzid=""):
        """SASL PLAIN; returns the answer."""
        user = f"{self.emulator.ready['sender_id']}@gcm.googleapis.com" if user is None else user
        password = self.emulator.ready["server_key"] if password is None else password
        token = base64.b64encode(f"{authzid}\0{user}\0{password}".encode()).decode()
        self.send(f'<auth mechanism="PLAIN" xmlns="{SASL}">{token}</auth>')
        return self.receive()

    def login(self, **credentials):
        """Everything up to the first message; returns the connection."""
        self.open()
        answer = self.authenticate(**credentials)
        assert answer.name == "success", answer
        self.restart()
        self.open()
        self.send(f'<iq type="set" id="b1"><bind xmlns="{BIND}"><resource>test</resource></bind></iq>')
        self.jid = self.receive().element.findtext(f".//{{{BIND}}}jid")
        assert self.jid
        return self

    def message(self, seconds=PATIENCE):
        """The JSON of the next data message; other stanzas are passed over."""
        while True:
            stanza = self.receive(seconds)
            if stanza.name == "message" and stanza.type != "error":
                assert stanza.type in (None, "normal"), stanza
                return stanza.content

    def upstream(self, message_id):
        """The JSON of a message that an app sent. What others left for this app server is acknowledged, and passed over."""
        while True:
            content = self.message()
            if content.get("message_id") == message_id and "message_type" not in content:
                return content
            if "from" in content and "message_type" not in content:
                self.acknowledge(content)

    def answer(self, message_id):
        """The ack or nack of one of our messages; messages of others are passed over."""
        while True:
            content = self.message()
            if content.get("message_type") in ("ack", "nack") and content["message_id"] == message_id:
                return content

    def acknowledge(self, content):
        self.put({"to": content["from"], "message_id": content["message_id"], "message_type": "ack"})

    def close(self):
        """Ends the stream and waits until the server has done so too."""
        self.send("</stream:stream>")
        return self.expect_end()

    def cut(self):
        self.socket.close()


def app_server_stream(emulator, **credentials):
    """A stream that is ready for messages."""
    return XMPPConnection(emulator).login(**credentials)
