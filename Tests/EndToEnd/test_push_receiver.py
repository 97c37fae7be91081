"""PyPI push-receiver 0.1.1, unmodified: the oldest of the public receivers, with the registration of 2017."""
import pytest

from client_process import ClientProcess


class OldReceiver(ClientProcess):
    def __init__(self, emulator, credentials=None, received=()):
        super().__init__(
            emulator, "old_receiver.py", sender_id=emulator.ready["sender_id"], credentials=credentials,
            received=list(received))
        registered = self.expect("registered")
        self.token, self.credentials = registered["token"], registered["credentials"]

    def message(self):
        return self.expect("message")


@pytest.fixture()
def receiver(emulator):
    with OldReceiver(emulator) as receiver:
        yield receiver


def test_it_registers_and_receives_a_notification_and_data(app_server, receiver):
    app_server.must_send({
        "token": receiver.token, "notification": {"title": "Title 👋", "body": "Text"}, "data": {"k": "v"}})
    message = receiver.message()["message"]
    assert message["notification"]["title"] == "Title 👋" and message["data"] == {"k": "v"}


def test_the_legacy_protocol_reaches_it(app_server, receiver):
    assert app_server.send_legacy({"to": receiver.token, "data": {"k": "v"}})["success"] == 1
    assert receiver.message()["message"]["data"] == {"k": "v"}


def test_it_never_acknowledges_so_messages_come_again_until_they_are_named_at_login(emulator, app_server):
    with OldReceiver(emulator) as receiver:
        for number in "12":
            app_server.must_send({"token": receiver.token, "data": {"n": number}})
        ids = [receiver.message()["persistent_id"] for _ in range(2)]
    with OldReceiver(emulator, receiver.credentials) as again:
        assert [again.message()["persistent_id"] for _ in range(2)] == ids
    with OldReceiver(emulator, receiver.credentials, received=ids) as last:
        app_server.must_send({"token": receiver.token, "data": {"n": "3"}})
        assert last.message()["message"]["data"]["n"] == "3"
