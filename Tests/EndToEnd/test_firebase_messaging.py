"""PyPI firebase-messaging, unmodified: it registers as a browser does, and firebase-admin's messages reach it."""
import pytest
from firebase_admin import messaging

from admin_sdk import app_through_proxy
from app_server import AppServer, way_of
from client_process import ClientProcess
from emulator import Emulator


class Receiver(ClientProcess):
    """The library with what an application would keep of it."""

    def __init__(self, emulator, credentials=None, received=None, **client):
        ready = emulator.ready
        super().__init__(
            emulator, "firebase_receiver.py", project=ready["project"], app_id=ready["web_app_id"],
            api_key=ready["api_key"], sender_id=ready["sender_id"], credentials=credentials, received=received,
            client=client)
        self.credentials = credentials or self.expect("credentials")["credentials"]
        self.token = self.expect("registered")["token"]

    def start(self):
        self.tell("start")
        self.expect("logged_in")
        return self

    def message(self):
        return self.expect("message")

    def stop(self):
        """Stops to listen; returns the persistent ids that the library would tell at its next login."""
        return self.ask("stop")["received"]


@pytest.fixture(scope="module")
def app(emulator):
    with app_through_proxy(emulator) as app:
        yield app


@pytest.fixture()
def receiver(emulator):
    with Receiver(emulator) as receiver:
        yield receiver.start()


@pytest.fixture()
def restartable(pharos):
    """An emulator whose listeners have the same ports after a restart."""
    with Emulator(pharos) as emulator:
        emulator.keep_ports()
        yield emulator


def test_a_notification_from_firebase_admin_is_decrypted(emulator, app, receiver):
    name = messaging.send(messaging.Message(
        token=receiver.token, notification=messaging.Notification("Title 👋", "Text", image="https://example.com/i.png"),
        data={"k": "v"}), app=app)
    message = receiver.message()["message"]
    assert message["notification"]["title"] == "Title 👋" and message["notification"]["body"] == "Text"
    assert message["notification"]["image"] == "https://example.com/i.png"
    assert message["data"] == {"k": "v"}
    assert message["from"] == emulator.ready["sender_id"]
    assert way_of(emulator, name)["outcome"] == "accepted"


def test_a_data_message_from_firebase_admin_is_decrypted(app, receiver):
    messaging.send(messaging.Message(token=receiver.token, data={"a": "1", "ü": "ß"}), app=app)
    assert receiver.message()["message"]["data"] == {"a": "1", "ü": "ß"}


def test_web_push_options_shape_what_the_browser_gets(app, receiver):
    messaging.send(messaging.Message(
        token=receiver.token, data={"a": "1"},
        webpush=messaging.WebpushConfig(
            headers={"TTL": "60"}, data={"b": "2"}, notification=messaging.WebpushNotification(title="For browsers"),
            fcm_options=messaging.WebpushFCMOptions(link="https://example.com/"))), app=app)
    message = receiver.message()["message"]
    assert message["notification"]["title"] == "For browsers"
    assert message["data"]["b"] == "2"
    assert message["fcmOptions"]["link"] == "https://example.com/"


def test_the_longest_message_arrives(app, receiver):
    messaging.send(messaging.Message(token=receiver.token, data={"k": "x" * 3800}), app=app)
    assert receiver.message()["message"]["data"]["k"] == "x" * 3800


def test_messages_arrive_in_order_and_once(app, receiver):
    for number in range(30):
        messaging.send(messaging.Message(token=receiver.token, data={"n": str(number)}), app=app)
    seen = [receiver.message() for _ in range(30)]
    assert [message["message"]["data"]["n"] for message in seen] == [str(number) for number in range(30)]
    assert len({message["persistent_id"] for message in seen}) == 30


def test_a_topic_reaches_it(emulator, app, receiver):
    answer = messaging.subscribe_to_topic([receiver.token], "browsers", app=app)
    assert answer.success_count == 1, [error.reason for error in answer.errors]
    messaging.send(messaging.Message(topic="browsers", data={"k": "v"}), app=app)
    assert receiver.message()["message"]["data"] == {"k": "v"}


def test_what_is_sent_while_it_is_away_waits_for_it_and_comes_once(emulator, app, receiver):
    messaging.send(messaging.Message(token=receiver.token, data={"n": "1"}), app=app)
    first = receiver.message()
    received = receiver.stop()
    assert first["persistent_id"] in received
    for number in "23":
        messaging.send(messaging.Message(token=receiver.token, data={"n": number}), app=app)
    with Receiver(emulator, credentials=receiver.credentials, received=received) as again:
        again.start()
        assert [again.message()["message"]["data"]["n"] for _ in range(2)] == ["2", "3"]


def test_without_acknowledgements_messages_come_again_until_they_are_named(emulator, app):
    with Receiver(emulator, send_selective_acknowledgements=False) as receiver:
        receiver.start()
        messaging.send(messaging.Message(token=receiver.token, data={"n": "1"}), app=app)
        first = receiver.message()
        received = receiver.stop()
    with Receiver(emulator, credentials=receiver.credentials) as again:
        assert again.start().message()["persistent_id"] == first["persistent_id"]
        again.stop()
    with Receiver(emulator, credentials=receiver.credentials, received=received) as last:
        last.start()
        messaging.send(messaging.Message(token=receiver.token, data={"n": "2"}), app=app)
        assert last.message()["message"]["data"]["n"] == "2"


def test_of_messages_that_collapse_only_the_newest_waits(app, emulator, receiver):
    receiver.stop()
    for number in range(5):
        messaging.send(messaging.Message(
            token=receiver.token, data={"n": str(number)},
            webpush=messaging.WebpushConfig(headers={"Topic": "score"})), app=app)
    with Receiver(emulator, credentials=receiver.credentials) as again:
        assert again.start().message()["message"]["data"]["n"] == "4"


def test_more_than_a_hundred_waiting_messages_do_not_end_it(app, emulator, receiver):
    """Its users hear nothing of a dropped hundred, but it must go on."""
    receiver.stop()
    for number in range(101):
        messaging.send(messaging.Message(token=receiver.token, data={"n": str(number)}), app=app)
    with Receiver(emulator, credentials=receiver.credentials) as again:
        again.start()
        assert again.message()["message"]["data"]["n"] == "100"
        messaging.send(messaging.Message(token=receiver.token, data={"n": "101"}), app=app)
        assert again.message()["message"]["data"]["n"] == "101"


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_it_comes_back_after_a_restart_of_the_service(restartable, ending):
    sender = AppServer(restartable)
    with Receiver(restartable) as receiver:
        receiver.start()
        sender.must_send({"token": receiver.token, "data": {"n": "1"}})
        assert receiver.message()["message"]["data"]["n"] == "1"
        getattr(restartable, ending)()
        restartable.start()
        sender.must_send({"token": receiver.token, "data": {"n": "2"}})
        receiver.expect("logged_in")
        assert receiver.message()["message"]["data"]["n"] == "2"


def test_a_deleted_registration_is_told_to_the_sender(emulator, app, receiver):
    from device_api import call, registrations_path
    installation = receiver.credentials["fcm"]["installation"]
    status, _ = call(
        emulator, registrations_path(emulator, "/" + receiver.token), method="DELETE",
        headers={"x-goog-api-key": emulator.ready["api_key"],
                 "x-goog-firebase-installations-auth": installation["token"]})
    assert status == 200
    with pytest.raises(messaging.UnregisteredError):
        messaging.send(messaging.Message(token=receiver.token, data={"k": "v"}), app=app)
