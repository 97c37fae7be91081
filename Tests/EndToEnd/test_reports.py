"""Reports and the inspector: what became of messages, told to people, to spreadsheets and to Google's client."""
import csv
import io
import json
import threading
import time
import urllib.parse
import urllib.request

import googleapiclient.discovery
import googleapiclient.errors
import pytest
from firebase_admin import messaging
from google.oauth2 import service_account

from admin_sdk import app_by_base_url
from app_server import message_id, way_of
from mcs_client import registered_android

COLUMNS = [
    "event_timestamp", "project_number", "message_id", "instance_id", "message_type", "sdk_platform", "app_name",
    "collapse_key", "priority", "ttl", "topic", "bulk_id", "event", "analytics_label"]

class Console:
    """The console's API with a session."""

    def __init__(self, emulator, name="admin", password=None):
        self.emulator = emulator
        self.project = emulator.ready["project"]
        request = urllib.request.Request(
            emulator.ready["http"] + "/console/v1/session",
            data=json.dumps({"name": name, "password": password or emulator.ready["admin_password"]}).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.cookie = answer.headers["Set-Cookie"].split(";")[0]
            self.csrf = json.loads(answer.read())["csrfToken"]

    @property
    def headers(self):
        return {"Cookie": self.cookie, "X-CSRF-Token": self.csrf}

    def path(self, path, **query):
        query = {name: value for name, value in query.items() if value}
        return f"/console/v1/projects/{self.project}/{path}" + ("?" + urllib.parse.urlencode(query) if query else "")

    def raw(self, path, body=None, method=None, **query):
        """One call; returns (status, text)."""
        return self.emulator.call(self.path(path, **query), body, method, headers=self.headers)

    def get(self, path, **query):
        status, text = self.raw(path, **query)
        assert status == 200, text
        return json.loads(text)

    def until(self, path, is_right, seconds=20, **query):
        """Asks until the answer is right."""
        deadline = time.monotonic() + seconds
        while True:
            answer = self.get(path, **query)
            if is_right(answer) or time.monotonic() > deadline:
                return answer
            time.sleep(0.05)


@pytest.fixture(scope="module")
def console(emulator):
    return Console(emulator)


@pytest.fixture()
def phone(emulator):
    """A phone in the background; gone after the test."""
    phone = emulator.devices("classic", foreground=False)[0]
    yield phone
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def labelled(phone, label):
    return messaging.Message(
        token=phone["token"], notification=messaging.Notification("Kitchen", "Order 42"),
        fcm_options=messaging.FCMOptions(analytics_label=label),
        apns=messaging.APNSConfig(
            payload=messaging.APNSPayload(messaging.Aps(mutable_content=True))))


def test_a_message_of_firebase_admin_is_followed_down_the_funnel(emulator, console, phone):
    with app_by_base_url(emulator, emulator.ready["http"]) as app:
        name = messaging.send(labelled(phone, "funnel-1"), app=app)
    way_of(emulator, name)
    emulator.control(f"devices/{phone['device']}:tap", {})
    report = console.until("reports", lambda answer: answer["totals"]["opened"] == 1, label="funnel-1")
    totals = report["totals"]
    steps = ["targeted", "sent", "accepted", "received", "displayed", "opened"]
    assert [totals[step] for step in steps] == [1] * 6 and totals["failed"] == 0
    for grouping in ["day", "label", "app"]:
        rows = console.get("reports", label="funnel-1", groupBy=grouping)["rows"]
        assert [row["targeted"] for row in rows] == [1]
    assert console.get("reports", label="funnel-1", groupBy="app")["rows"][0]["key"] == emulator.ready["app_id"]
    status, text = console.raw("reports:csv", label="funnel-1", groupBy="label")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert status == 200 and lines[0]["label"] == "funnel-1" and lines[0]["opened"] == "1"
    assert emulator.run("report", "--by", "label", "--label", "funnel-1")["totals"]["opened"] == 1

    details = console.get(f"messages/{message_id(name)}")
    assert details["message"]["door"] == "v1" and details["message"]["title"] == "Kitchen"
    account = json.load(open(emulator.ready["service_account"]))
    assert details["message"]["sender"] == account["client_email"]
    assert details["translation"]["apns"]["payload"]["aps"]["alert"] == {"title": "Kitchen", "body": "Order 42"}
    delivery = details["deliveries"][0]
    assert delivery["state"] == "DELIVERED" and delivery["attempts"][0]["status"] == 200
    assert {report["event"] for report in delivery["reports"]} == {"MESSAGE_DELIVERED", "MESSAGE_OPENED"}
    assert "explanation" not in delivery
    assert phone["token"] not in json.dumps(details)


def test_a_campaign_whose_notification_is_put_away_counts_one_dismissed(emulator, console, phone):
    composed = {
        "name": "Put away", "notification": {"title": "Sale", "body": "Today"}, "target": {"device": phone["token"]},
        "options": {"clickAction": "dismissible"}, "schedule": {"kind": "NOW"}}
    status, text = console.raw("campaigns", composed)
    assert status == 200, text
    campaign = json.loads(text)["campaignId"]
    assert console.raw(f"campaigns/{campaign}:publish", {})[0] == 200
    shown = lambda: emulator.control(f"devices/{phone['device']}")["notifications"]  # noqa: E731
    deadline = time.monotonic() + 20
    while not shown() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [notification["category"] for notification in shown()] == ["dismissible"]
    assert emulator.control(f"devices/{phone['device']}:dismiss", {})["notifications"] == []
    report = console.until(f"campaigns/{campaign}/report", lambda answer: answer["totals"]["dismissed"] > 0)
    totals = report["totals"]
    assert [totals[step] for step in ["targeted", "sent", "accepted", "opened", "dismissed"]] == [1, 1, 1, 0, 1]
    # Somebody who repeats the report changes nothing, nor does who opens the app later.
    emulator.control(f"devices/{phone['device']}:foreground", {})
    assert console.get(f"campaigns/{campaign}/report")["totals"] == totals


def test_a_dead_token_is_explained(emulator, console, app_server, faults):
    phone = emulator.devices("classic")[0]
    faults(target=phone["token"], door="apns", status=410, reason="Unregistered", count=1)
    status, _ = app_server.send({
        "token": phone["token"], "notification": {"title": "Nobody home"},
        "fcm_options": {"analytics_label": "dead-1"}})
    assert status == 404
    found = console.until("messages", lambda answer: answer["messages"], token=phone["token"])["messages"]
    assert [message["title"] for message in found] == ["Nobody home"]
    for query in [{"q": phone["token"]}, {"q": phone["fid"]}, {"fid": phone["fid"]}, {"label": "dead-1"},
                  {"q": "dead-1"}, {"q": found[0]["messageId"]}, {"messageId": found[0]["messageId"]}]:
        assert [one["messageId"] for one in console.get("messages", **query)["messages"]] == [found[0]["messageId"]]
    is_ended = lambda answer: answer["deliveries"][0]["state"] == "FAILED"  # noqa: E731
    delivery = console.until(f"messages/{found[0]['messageId']}", is_ended)["deliveries"][0]
    assert delivery["reason"] == "UNREGISTERED"
    assert (delivery["attempts"][-1]["status"], delivery["attempts"][-1]["reason"]) == (410, "Unregistered")
    assert "removed from the device" in delivery["explanation"] and "Forget the token" in delivery["nextStep"]
    device = console.get(f"devices/{phone['fid']}")
    assert device["state"] == "unregisteredByAPNs"
    assert "APNs said" in device["tokenHistory"][0]["reason"]
    totals = console.get("reports", label="dead-1")["totals"]
    assert totals["failures"] == {"UNREGISTERED": 1} and totals["accepted"] == 0
    shown = emulator.run("message", "show", found[0]["messageId"])
    assert shown["deliveries"][0]["nextStep"] == delivery["nextStep"]
    listed = emulator.run("message", "find", "--label", "dead-1")["messages"]
    assert [message["messageId"] for message in listed] == [found[0]["messageId"]]
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_each_try_is_kept_with_its_answer(emulator, console, app_server, faults, phone):
    faults(target=phone["token"], door="apns", status=503, reason="ServiceUnavailable", count=1)
    name = app_server.must_send({"token": phone["token"], "notification": {"title": "Twice"}})
    is_through = lambda answer: len(answer["deliveries"][0]["attempts"]) == 2  # noqa: E731
    delivery = console.until(f"messages/{message_id(name)}", is_through)["deliveries"][0]
    assert [attempt["status"] for attempt in delivery["attempts"]] == [503, 200]


def test_the_page_of_a_device_sends_to_it(emulator, console, phone):
    status, text = console.raw(f"devices/{phone['fid']}:send", {"notification": {"title": "Test", "body": "hi"}})
    assert status == 200, text
    sent = json.loads(text)["messageId"]
    target = emulator.control(f"messages?message_id={sent}&wait_ms=20000")["messages"][0]["targets"][0]
    assert target["device_events"][0]["title"] == "Test"
    assert console.get(f"messages/{sent}")["message"]["door"] == "console"
    shown = console.get(f"devices/{phone['fid']}")
    assert "token" not in shown and phone["token"] not in json.dumps(shown)
    whole = console.get(f"devices/{phone['fid']}", tokens="full")
    assert whole["registrations"][0]["token"] == phone["token"]
    listed = console.get("devices", q=phone["token"])["devices"]
    assert [device["fid"] for device in listed] == [phone["fid"]]


def test_the_page_of_a_topic_shows_members_growth_and_sends(emulator, console, app_server, phone):
    topic = "inspected-topic"
    emulator.run("topic", "subscribe", topic, "--token", phone["token"])
    name = app_server.must_send({"topic": topic, "notification": {"title": "To all"}})
    way_of(emulator, name)
    shown = console.get(f"topics/{topic}")
    assert shown["members"] == 1 and shown["growth"][-1]["joined"] == 1
    assert [send["messageId"] for send in shown["recentSends"]] == [message_id(name)]
    assert [one["fid"] for one in console.get(f"topics/{topic}/members")["members"]] == [phone["fid"]]
    assert {"topic": topic, "members": 1} in console.get("topics", q="inspected")["topics"]
    assert console.get("messages", topic=topic)["messages"][0]["messageId"] == message_id(name)
    assert console.raw("topics/no-such-topic")[0] == 404


def test_events_are_exported_in_the_columns_of_bigquery(emulator, console, app_server, phone):
    name = app_server.must_send({
        "token": phone["token"], "notification": {"title": "Row"}, "fcm_options": {"analytics_label": "export-1"}})
    way_of(emulator, name)
    wanted = {"message_id": message_id(name), "event": "MESSAGE_ACCEPTED", "analytics_label": "export-1",
              "instance_id": phone["fid"], "sdk_platform": "IOS", "message_type": "DISPLAY_NOTIFICATION"}
    deadline = time.monotonic() + 20
    while True:
        status, text = console.raw("deliveries:export", format="csv")
        table = csv.DictReader(io.StringIO(text))
        rows = [row for row in table if row["message_id"] == message_id(name)]
        if rows or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    assert status == 200 and table.fieldnames == COLUMNS
    assert wanted.items() <= rows[0].items()
    status, text = console.raw("deliveries:export", format="jsonl")
    lines = [json.loads(line) for line in text.splitlines()]
    assert any(wanted.items() <= line.items() for line in lines)
    assert console.raw("deliveries:export", **{"from": "yesterday"})[0] == 400


def test_the_tail_tells_what_happens_and_goes_on_after_a_break(emulator, console, app_server, phone):
    def watch(found, wanted, last=None):
        request = urllib.request.Request(
            emulator.ready["http"] + console.path("messages:tail"),
            headers=console.headers | ({"Last-Event-ID": last} if last else {}))
        with urllib.request.urlopen(request, timeout=30) as answer:
            found.append(answer.headers["content-type"])
            event = {}
            while len(found) < wanted + 1:
                line = answer.readline().decode().rstrip("\n")
                if ": " in line and not line.startswith(":"):
                    key, value = line.split(": ", 1)
                    event[key] = value
                elif not line and "data" in event:
                    found.append(event)
                    event = {}

    found = []
    watcher = threading.Thread(target=watch, args=(found, 2))
    watcher.start()
    while not found:
        time.sleep(0.01)
    name = app_server.must_send({"token": phone["token"], "notification": {"title": "Live"}})
    watcher.join(timeout=30)
    assert found[0].startswith("text/event-stream")
    assert [event["event"] for event in found[1:]] == ["accepted", "delivery"]
    assert json.loads(found[1]["data"])["messageId"] == message_id(name)
    assert json.loads(found[1]["data"])["title"] == "Live"
    missed = app_server.must_send({"token": phone["token"], "notification": {"title": "Missed"}})
    again = []
    watch(again, 1, last=found[2]["id"])
    data = json.loads(again[1]["data"])
    assert data["messageId"] == message_id(missed) and data["title"] == "Missed"


def test_delivery_data_is_read_by_googles_client(emulator, app_server):
    android = registered_android(emulator, gmp_app_id=emulator.ready["android_app_id"])
    connection = android.connect()
    app_server.must_send({
        "token": android.token, "notification": {"title": "Android"}, "fcm_options": {"analytics_label": "data-1"}})
    connection.acknowledge(connection.data().persistent_id)
    credentials = service_account.Credentials.from_service_account_file(
        emulator.ready["service_account"], scopes=["https://www.googleapis.com/auth/cloud-platform"])
    service = googleapiclient.discovery.build(
        "fcmdata", "v1beta1", credentials=credentials, client_options={"api_endpoint": emulator.ready["http"]})
    parent = f"projects/{emulator.ready['project']}/androidApps/{emulator.ready['android_app_id']}"
    listing = service.projects().androidApps().deliveryData()
    deadline = time.monotonic() + 20
    while True:
        rows = listing.list(parent=parent).execute().get("androidDeliveryData", [])
        row = next((row for row in rows if row.get("analyticsLabel") == "data-1"), None)
        if row and row["data"]["messageOutcomePercents"]["delivered"] == 100 or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    assert row["appId"] == emulator.ready["android_app_id"] and set(row["date"]) == {"year", "month", "day"}
    assert row["data"]["countMessagesAccepted"] == "1" and row["data"]["countNotificationsAccepted"] == "1"
    assert row["data"]["messageOutcomePercents"]["delivered"] == 100
    assert row["data"]["deliveryPerformancePercents"]["deliveredNoDelay"] == 100
    first = listing.list(parent=parent, pageSize=1).execute()
    assert len(first["androidDeliveryData"]) == 1
    if "nextPageToken" in first:
        second = listing.list(parent=parent, pageSize=1, pageToken=first["nextPageToken"]).execute()
        assert second["androidDeliveryData"][0] != first["androidDeliveryData"][0]
    for wrong in [{"pageToken": "!"}, {"pageSize": -1}]:
        with pytest.raises(googleapiclient.errors.HttpError) as error:
            listing.list(parent=parent, **wrong).execute()
        assert error.value.resp.status == 400
    ios = f"projects/{emulator.ready['project']}/androidApps/{emulator.ready['app_id']}"
    with pytest.raises(googleapiclient.errors.HttpError):
        listing.list(parent=ios).execute()
    android.cut()
