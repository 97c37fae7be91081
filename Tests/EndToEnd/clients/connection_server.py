"""An app server on slixmpp: several connections to the XMPP server, each told by name; what arrives is an event."""
import redirected  # noqa: F401  (first: it changes name resolution)

import asyncio
import json
import logging
import os

from slixmpp import ClientXMPP, ElementBase, Message, register_stanza_plugin
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath

logging.basicConfig(level=logging.DEBUG)
DATA = "google:mobile:data"


class Content(ElementBase):
    """The element that carries JSON."""

    name, namespace, plugin_attrib = "gcm", DATA, "gcm"
    interfaces = set()


register_stanza_plugin(Message, Content)


class Connection(ClientXMPP):
    """One connection. Acknowledges what it gets unless the test wants to do so itself."""

    def __init__(self, settings):
        super().__init__(settings["jid"], settings["password"])
        self.label, self.acknowledges = settings["name"], settings.get("acknowledges", True)
        self.enable_direct_tls, self.enable_starttls, self.enable_plaintext = True, False, False
        self.ca_certs = os.environ["SSL_CERT_FILE"]
        self.register_handler(
            Callback("content", MatchXPath(f"{{jabber:client}}message/{{{DATA}}}gcm"), self.received))
        for event in ["session_start", "failed_auth", "disconnected", "stream_error"]:
            self.add_event_handler(event, lambda _, event=event: self.tell(event))

    def tell(self, event, **fields):
        redirected.say(event, name=self.label, **fields)

    def open(self):
        host, port = os.environ["PHAROS_XMPP"].rsplit(":", 1)
        self.connect(host, int(port))

    def received(self, stanza):
        text = stanza.xml.find(f"{{{DATA}}}gcm").text
        if stanza["type"] == "error":
            return self.tell(
                "error", id=stanza["id"], text=text, code=stanza["error"]["code"], why=stanza["error"]["text"])
        content = json.loads(text)
        kind = content.get("message_type") or "message"
        self.tell(
            "answer" if kind in ("ack", "nack") else kind, message_id=content.get("message_id"), content=content,
            type=stanza.xml.get("type"))
        if self.acknowledges and content.get("message_type") in (None, "receipt"):
            self.put(self.acknowledgement(content))

    @staticmethod
    def acknowledgement(content):
        return {"to": content["from"], "message_id": content["message_id"], "message_type": "ack"}

    def put(self, content, stanza_id=""):
        """Sends JSON."""
        stanza = self.make_message(mto=None)
        stanza["id"] = stanza_id
        stanza.append(Content())
        stanza.xml.find(f"{{{DATA}}}gcm").text = content if isinstance(content, str) else json.dumps(content)
        stanza.send()


async def main():
    loop, connections = asyncio.get_running_loop(), {}
    while command := await loop.run_in_executor(None, redirected.command):
        name = command.get("name")
        match command["command"]:
            case "open":
                connections[name] = Connection(command)
                connections[name].open()
            case "send":
                for content in command["contents"]:
                    connections[name].put(content, command.get("id", ""))
            case "close":
                connections[name].disconnect(2.0)
            case "cut":
                connections[name].abort()
    # What was acknowledged is said before the streams end, so that nobody else gets it.
    for connection in connections.values():
        if connection.is_connected():
            await connection.disconnect(5.0)


asyncio.run(main())
