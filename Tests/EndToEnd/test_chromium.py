"""Debian's Chromium, unmodified: the strictest receiver that there is. It registers, receives and sends."""
import base64
import json

import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from firebase_admin import messaging
from py_vapid import Vapid
from pywebpush import WebPusher

from admin_sdk import app_by_base_url
from app_server import AppServer, way_of
from chromium import FOLDER, Chromium, Site
from emulator import Emulator
from slixmpp_server import AppServers

#: FCM's own key of browsers: what the JavaScript SDK subscribes with when the app names none.
DEFAULT_KEY = "BDOU99-h67HcA6JeFXHbSNMu7e2yNNu3RzoMj8TM4W88jITfq7ZmPvIM1Iv-4_l2LxQcYwhqby2xGpWwzjfAnG4"


@pytest.fixture(scope="module")
def site():
    site = Site(FOLDER / "site")
    yield site
    site.close()


@pytest.fixture(scope="module")
def browser(emulator):
    with Chromium(emulator, FOLDER / "extension") as browser:
        yield browser


@pytest.fixture(scope="module")
def app(emulator):
    with app_by_base_url(emulator, emulator.ready["http"]) as app:
        yield app


@pytest.fixture(scope="module")
def vapid():
    """An app server's own key pair."""
    return Vapid.from_raw(base64.urlsafe_b64encode(
        ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(32, "big")))


def public_key(vapid):
    point = vapid.public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


# Web push


@pytest.fixture(scope="module")
def page(browser, site):
    return browser.page(site.origin + "/index.html", ["notifications"])


@pytest.fixture(scope="module")
def subscription(page, vapid):
    return page.ask("subscribe", public_key(vapid))


def push(emulator, subscription, vapid, text, encoding="aes128gcm", ttl=60, claims=None, **headers):
    """pywebpush to the endpoint, whose host is the emulator's here; returns the answer."""
    path = subscription["endpoint"].split("/", 3)[3]
    local = subscription | {"endpoint": f"{emulator.ready['https']}/{path}"}
    signed = vapid.sign({"aud": "https://" + subscription["endpoint"].split("/")[2], "sub": "mailto:a@example.com"}
                        | (claims or {}))
    headers = signed | headers
    session = requests.Session()
    session.trust_env, session.verify = False, emulator.ready["ca"]
    return WebPusher(local, requests_session=session).send(
        text, headers, ttl=ttl, content_encoding=encoding, timeout=30)


@pytest.mark.parametrize("encoding", ["aes128gcm", "aesgcm"])
def test_a_web_push_reaches_the_service_worker(emulator, page, subscription, vapid, encoding):
    text = f"Grüße 👋 as {encoding}"
    answer = push(emulator, subscription, vapid, text, encoding)
    assert answer.status_code == 201 and answer.headers["Location"], answer.text
    assert page.expect("push")["text"] == text


def test_a_web_push_without_content_reaches_the_service_worker(emulator, page, subscription, vapid):
    assert push(emulator, subscription, vapid, None).status_code == 201
    assert page.expect("push")["text"] is None


def test_the_longest_web_push_arrives_and_a_longer_one_is_refused(emulator, page, subscription, vapid):
    assert push(emulator, subscription, vapid, "x" * 3993).status_code == 201
    assert page.expect("push")["text"] == "x" * 3993
    assert push(emulator, subscription, vapid, "x" * 4100).status_code in (400, 413)


def test_a_web_push_signed_with_another_key_is_refused(emulator, page, subscription):
    other = Vapid()
    other.generate_keys()
    assert push(emulator, subscription, other, "stolen").status_code == 403


def test_a_web_push_without_a_signature_is_refused(emulator, subscription):
    path = subscription["endpoint"].split("/", 3)[3]
    status, _ = emulator.call("/" + path, b"", headers={"TTL": "60"})
    assert status == 401


def test_a_web_push_to_a_subscription_that_ended_is_gone(emulator, browser, site, vapid):
    page = browser.page(site.origin + "/index.html", ["notifications"])
    ended = page.ask("subscribe", public_key(vapid), "worker.js", "/ended/")
    assert push(emulator, ended, vapid, None).status_code == 201
    assert page.ask("unsubscribe", "/ended/")
    # The browser tells its service when it has time to.
    deadline = 100
    while (status := push(emulator, ended, vapid, None).status_code) == 201 and deadline:
        deadline -= 1
    assert status in (404, 410)


# The Firebase JavaScript flow


def test_a_web_app_registers_as_the_javascript_sdk_does_and_firebase_admin_reaches_it(emulator, browser, site, app):
    page = browser.page(site.origin.replace("127.0.0.1", "localhost") + "/index.html", ["notifications"])
    answers = page.ask("getToken", emulator.ready, DEFAULT_KEY, None)
    assert answers["registration"]["status"] == 200, answers
    token = answers["registration"]["body"]["token"]
    messaging.send(messaging.Message(
        token=token, notification=messaging.Notification("Title 👋", "Text"), data={"k": "v"},
        webpush=messaging.WebpushConfig(fcm_options=messaging.WebpushFCMOptions(link="https://example.com/"))),
        app=app)
    payload = json.loads(page.expect("push")["text"])
    assert payload["notification"]["title"] == "Title 👋" and payload["data"]["k"] == "v"
    assert payload["from"] == emulator.ready["sender_id"] and payload["fcmOptions"]["link"] == "https://example.com/"
    assert payload["fcmMessageId"]


# chrome.gcm


class Extension:
    """The extension's app: its token, and what it sees."""

    def __init__(self, browser, emulator):
        self.page = browser.background("Pharos receiver")
        self.page.evaluate("flush()")
        self.emulator = emulator
        answer = self.page.ask("register", [emulator.ready["sender_id"]])
        assert answer["token"], answer
        self.token = answer["token"]
        #: Chromium names the app by it.
        self.id = self.page.evaluate("chrome.runtime.id")

    def send(self, message_id, ttl=None, to=None, **data):
        message = {
            "messageId": message_id, "data": data,
            "destinationId": to or emulator_address(self.emulator)} | ({} if ttl is None else {"timeToLive": ttl})
        return self.page.ask("send", message)


def emulator_address(emulator):
    return f"{emulator.ready['sender_id']}@gcm.googleapis.com"


@pytest.fixture(scope="module")
def extension(browser, emulator):
    return Extension(browser, emulator)


@pytest.fixture()
def servers(emulator):
    with AppServers(emulator) as servers:
        yield servers


def test_an_extension_receives_from_http_v1(extension, app_server, emulator):
    app_server.must_send({
        "token": extension.token, "data": {"k": "v", "ü": "ß"}, "android": {"collapse_key": "score", "ttl": "60s"}})
    message = extension.page.expect("message")
    assert message["data"]["k"] == "v" and message["data"]["ü"] == "ß"
    assert message["from"] == emulator.ready["sender_id"] and message["collapseKey"] == "score"


def test_an_extension_receives_from_the_legacy_protocol(extension, app_server):
    answer = app_server.send_legacy({"to": extension.token, "data": {"n": "1"}})
    assert answer["success"] == 1
    assert extension.page.expect("message")["data"]["n"] == "1"


def test_an_extension_gets_a_token_of_instance_id_that_receives(extension, app_server, emulator):
    answer = extension.page.ask("instanceToken", emulator.ready["sender_id"], "GCM")
    assert answer["token"] and answer["token"] != extension.token, answer
    app_server.must_send({"token": answer["token"], "data": {"n": "instance"}})
    assert extension.page.expect("message")["data"]["n"] == "instance"


def test_a_hundred_messages_reach_an_extension_in_order_and_once(extension, app_server, emulator):
    names = [
        app_server.must_send({"token": extension.token, "data": {"hundred": str(number)}}) for number in range(100)]
    seen = [extension.page.expect("message")["data"]["hundred"] for _ in range(100)]
    assert seen == [str(number) for number in range(100)]
    # The browser acknowledges after each ten.
    assert {way_of(emulator, name)["outcome"] for name in names[:90]} == {"accepted"}


def test_an_upstream_message_reaches_its_app_server_and_comes_no_more(extension, servers):
    servers.open()
    sent = extension.send("up-1", k="v", text="<&> Grüße 👋")
    assert sent["id"] == "up-1", sent
    content = servers.message()["content"]
    assert content["message_id"] == "up-1" and content["data"] == {"k": "v", "text": "<&> Grüße 👋"}
    assert content["category"] == extension.id
    assert servers.send({"to": content["from"], "data": {"n": "an answer"}})["message_type"] == "ack"
    assert extension.page.expect("message")["data"]["n"] == "an answer"
    servers.tell("close", name="1")
    servers.expect("disconnected")
    servers.open("2")
    extension.send("up-2", k="v")
    assert servers.message()["message_id"] == "up-2"


def test_an_upstream_message_for_now_or_never_reaches_its_app_server(extension, servers):
    servers.open()
    assert extension.send("now-1", ttl=0, k="now")["error"] is None
    assert servers.message()["message_id"] == "now-1"


def test_upstream_messages_wait_for_an_app_server_in_their_order(extension, servers):
    names = [f"many-{number}" for number in range(15)]
    for name in names:
        assert extension.send(name, k="v")["error"] is None
    servers.open()
    assert [servers.message()["message_id"] for _ in names] == names


def test_more_upstream_messages_than_chromium_lets_an_app_have_unconfirmed_arrive_in_order(extension, servers):
    servers.open()
    names = [f"lot-{number}" for number in range(60)]
    for name in names:
        # It refuses the twenty-first that is not confirmed; an app tries again then.
        while extension.send(name, k="v")["error"] is not None:
            pass
    assert [servers.message()["message_id"] for _ in names] == names


def test_an_upstream_message_to_an_unknown_sender_is_an_error(extension):
    assert extension.send("to-nobody", to="999999999999@gcm.googleapis.com", k="v")["error"] is None
    error = extension.page.expect("sendError")
    assert error["messageId"] == "to-nobody"


def test_a_wrong_sender_cannot_be_registered_for(extension):
    answer = extension.page.ask("instanceToken", "999999999999", "GCM")
    assert answer["error"]


# The browser is away


@pytest.fixture()
def away(pharos):
    """An emulator that keeps its ports, and a browser of its own."""
    with Emulator(pharos) as emulator:
        emulator.keep_ports()
        with Chromium(emulator, FOLDER / "extension") as browser:
            yield emulator, browser


def test_messages_wait_while_the_browser_is_closed_and_come_once(away):
    emulator, browser = away
    sender = AppServer(emulator)
    extension = Extension(browser, emulator)
    sender.must_send({"token": extension.token, "data": {"n": "1"}})
    assert extension.page.expect("message")["data"]["n"] == "1"
    browser.stop()
    for number in "23":
        sender.must_send({"token": extension.token, "data": {"n": number}})
    browser.start()
    page = Extension(browser, emulator).page
    assert [page.expect("message")["data"]["n"] for _ in range(2)] == ["2", "3"]


def test_a_browser_comes_back_after_kill_9_of_the_service_and_nothing_is_lost_or_repeated(away):
    emulator, browser = away
    sender, extension = AppServer(emulator), Extension(browser, emulator)
    for number in range(5):
        assert extension.send(f"before-{number}", k="v")["error"] is None
    emulator.kill()
    assert extension.send("while it is down", k="v")["error"] is None
    emulator.start()
    sender.must_send({"token": extension.token, "data": {"n": "1"}})
    with AppServers(emulator) as servers:
        servers.open()
        # After a connection of less than ten seconds it waits up to half a minute before the next one.
        names = [servers.expect("message", seconds=90)["message_id"] for _ in range(6)]
        assert sorted(names) == sorted([f"before-{number}" for number in range(5)] + ["while it is down"])
        assert extension.page.expect("message")["data"]["n"] == "1"
        extension.send("after", k="v")
        assert servers.message()["message_id"] == "after"


def test_a_browser_that_missed_more_than_a_hundred_messages_is_told_so(away):
    emulator, browser = away
    sender = AppServer(emulator)
    token = Extension(browser, emulator).token
    browser.stop()
    for number in range(101):
        sender.must_send({"token": token, "data": {"n": str(number)}})
    browser.start()
    page = Extension(browser, emulator).page
    page.expect("deleted")
    assert page.expect("message")["data"]["n"] == "100"
