"""An app server that speaks HTTP v1 by itself, and what became of its messages."""
import http.client
import json
import time
import urllib.parse

from fixture_world import access_token

FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


class AppServer:
    """Sends with an access token of the emulator's service account."""

    def __init__(self, emulator):
        self.emulator = emulator
        self.account = json.load(open(emulator.ready["service_account"]))
        self.token = access_token(emulator, self.account)

    @property
    def path(self):
        return f"/v1/projects/{self.emulator.ready['project']}/messages:send"

    @property
    def headers(self):
        return {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}

    def send(self, message, **others):
        """One send; returns (status, JSON)."""
        status, text = self.emulator.call(self.path, {"message": message} | others, headers=self.headers)
        return status, json.loads(text)

    def must_send(self, message):
        """A send that is accepted; returns the message's name."""
        status, answer = self.send(message)
        assert status == 200, answer
        return answer["name"]

    def connection(self):
        """A connection to keep, for one thread."""
        return http.client.HTTPConnection(urllib.parse.urlsplit(self.emulator.ready["http"]).netloc, timeout=60)

    def send_on(self, connection, message):
        """One send on a kept connection; returns (status, JSON)."""
        connection.request("POST", self.path, json.dumps({"message": message}), self.headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def send_legacy(self, message):
        """A send through the legacy HTTP protocol; returns the JSON of an accepted one."""
        status, text = self.emulator.call(
            "/fcm/send", message, headers={"Authorization": "key=" + self.emulator.ready["server_key"]})
        assert status == 200, text
        return json.loads(text)


def fcm_code(answer):
    """The error code of FCM in an error's details."""
    return next((d["errorCode"] for d in answer["error"].get("details", []) if d["@type"] == FCM_ERROR), None)


def message_id(name):
    return name.rsplit("/", 1)[1]


def way_of(emulator, name, wait_ms=20_000):
    """The only recipient's record of a message, once its device has told what it saw."""
    answer = emulator.control(f"messages?message_id={message_id(name)}&wait_ms={wait_ms}")
    return answer["messages"][0]["targets"][0]


def events(target):
    return [event["event"] for event in target["device_events"]]


def reports(emulator, name, count, seconds=20):
    """What the app reported of a message, once there are so many reports."""
    deadline = time.monotonic() + seconds
    while True:
        found = emulator.control(f"messages?message_id={message_id(name)}")["messages"][0]["targets"][0]["reports"]
        if len(found) >= count or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def topics_of(app_server, token):
    """The topics that a registration follows."""
    status, text = app_server.emulator.call(
        f"/iid/info/{token}?details=true", headers=app_server.headers | {"access_token_auth": "true"})
    assert status == 200, text
    return sorted(json.loads(text).get("rel", {}).get("topics", {}))


def await_topics(app_server, token, topics, seconds=20):
    """Waits until a registration follows these topics and no others."""
    deadline = time.monotonic() + seconds
    while (found := topics_of(app_server, token)) != topics and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found == topics


def import_apns_token(app_server, apns_token):
    """Makes a registration token of a device token, as a service does that moves its users over."""
    ready = app_server.emulator.ready
    status, text = app_server.emulator.call(
        "/iid/v1:batchImport", {"application": ready["bundle_id"], "sandbox": True, "apns_tokens": [apns_token]},
        headers=app_server.headers | {"access_token_auth": "true"})
    assert status == 200, text
    return json.loads(text)["results"][0]["registration_token"]
