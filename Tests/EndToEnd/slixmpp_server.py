"""An app server on slixmpp: connections by name, and what came over each of them."""
import itertools

from client_process import ClientProcess

numbers = itertools.count(1)


class AppServers(ClientProcess):
    """A process with any number of connections to the XMPP server. Messages are acknowledged unless said otherwise."""

    def __init__(self, emulator):
        super().__init__(emulator, "connection_server.py")
        self.emulator = emulator

    def open(self, name="1", acknowledges=True, **credentials):
        """Opens a connection and waits until it is ready; returns its name."""
        self.start_opening(name, acknowledges, **credentials)
        self.expect("session_start", name=name)
        return name

    def start_opening(self, name="1", acknowledges=True, **credentials):
        ready = self.emulator.ready
        self.tell("open", name=name, acknowledges=acknowledges, **{
            "jid": f"{ready['sender_id']}@gcm.googleapis.com/{name}", "password": ready["server_key"]} | credentials)

    def send(self, content, name="1"):
        """Sends a message under an id of its own; returns the content of its answer."""
        content = {"message_id": f"s-{next(numbers)}"} | content
        self.tell("send", name=name, contents=[content])
        return self.answer(content["message_id"], name)

    def answer(self, message_id, name="1"):
        """The ack or nack of a message: its content."""
        return self.expect("answer", name=name, message_id=message_id)["content"]

    def message(self, **wanted):
        """The next message of a device."""
        event = self.expect("message", **wanted)
        assert event["type"] in (None, "normal"), event
        return event

    def acknowledge(self, event, name=None):
        content = event["content"]
        self.tell("send", name=name or event["name"], contents=[
            {"to": content["from"], "message_id": content["message_id"], "message_type": "ack"}])
