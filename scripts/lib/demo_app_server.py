"""An app server on slixmpp in a thread of its own, for the demonstration."""
import asyncio
import json
import queue
import threading

from slixmpp import ClientXMPP, ElementBase, Message, register_stanza_plugin
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath

NAMESPACE = "google:mobile:data"


class Content(ElementBase):
    """The element that carries JSON."""

    name, namespace, plugin_attrib = "gcm", NAMESPACE, "gcm"
    interfaces = set()


register_stanza_plugin(Message, Content)


class XMPPAppServer:
    """Logs in, sends, and acknowledges what it gets."""

    def __init__(self, ready):
        self.ready, self.received = ready, queue.Queue()
        self.jid = f"{ready['sender_id']}@fcm.googleapis.com"
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.client = client = ClientXMPP(self.jid, self.ready["server_key"])
        client.enable_direct_tls, client.enable_starttls, client.enable_plaintext = True, False, False
        client.ca_certs = self.ready["ca"]
        client.register_handler(
            Callback("content", MatchXPath(f"{{jabber:client}}message/{{{NAMESPACE}}}gcm"), self.take))
        client.add_event_handler("session_start", lambda _: self.received.put({"message_type": "session"}))
        host, port = self.ready["xmpp"].rsplit(":", 1)
        client.connect(host, int(port))
        self.loop.run_forever()

    def take(self, stanza):
        content = json.loads(stanza.xml.find(f"{{{NAMESPACE}}}gcm").text)
        self.received.put(content)
        if content.get("message_type") in (None, "receipt"):
            self.write({"to": content["from"], "message_id": content["message_id"], "message_type": "ack"})

    def write(self, content):
        message = self.client.make_message(mto=None)
        del message["body"]
        message["gcm"].xml.text = json.dumps(content)
        message.send()

    def put(self, content):
        self.loop.call_soon_threadsafe(self.write, content)

    def next(self, kind):
        """The next of its kind: ack, receipt, or a message of an app."""
        while True:
            content = self.received.get(timeout=10)
            if content.get("message_type", "message") == kind:
                return content

    def __enter__(self):
        self.thread.start()
        self.next("session")
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self.leave(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    async def leave(self):
        await self.client.disconnect()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self.client._run_out_filters = None
