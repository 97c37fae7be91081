"""Images of notifications and what apps report of messages, from the send to the phone and back."""
import pytest

from app_server import events, reports, way_of
from image_host import JPEG

@pytest.fixture()
def phone(emulator):
    """A phone in the background; gone after the test."""
    phone = emulator.devices("classic", foreground=False)[0]
    yield phone
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def alert(phone, image=None, **apns):
    message = {"token": phone["token"], "notification": {"title": "Kitchen", "body": "Order 42"}}
    if image:
        message["apns"] = {"payload": {"aps": {"mutable-content": 1}}, "fcm_options": {"image": image}}
    return message | apns


def test_an_image_is_attached_by_the_service_extension(emulator, app_server, phone, images):
    name = app_server.must_send(alert(phone, images + "/p/42?w=600"))
    way = way_of(emulator, name)
    assert events(way) == ["shown"]
    assert way["device_events"][0]["attachments"] == [{"type": "jpeg", "bytes": len(JPEG)}]
    listed = emulator.control(f"devices/{phone['device']}")["notifications"]
    assert [notification["attachments"] for notification in listed] == [[{"type": "jpeg", "bytes": len(JPEG)}]]


@pytest.mark.parametrize("path", ["/not-image.jpg", "/missing.jpg"])
def test_without_a_usable_image_the_text_is_shown(emulator, app_server, phone, images, path):
    way = way_of(emulator, app_server.must_send(alert(phone, images + path)))
    assert events(way) == ["shown"] and "attachments" not in way["device_events"][0]
    assert way["device_events"][0]["title"] == "Kitchen"


def test_a_delivery_and_a_tap_are_reported_once_each(emulator, app_server, phone, images):
    name = app_server.must_send(
        alert(phone, images + "/p/42?w=600", fcm_options={"analytics_label": "autumn"}))
    assert events(way_of(emulator, name)) == ["shown"]
    assert [report["event"] for report in reports(emulator, name, 1)] == ["MESSAGE_DELIVERED"]
    emulator.control(f"devices/{phone['device']}:tap", {})
    found = reports(emulator, name, 2)
    assert [report["event"] for report in found] == ["MESSAGE_DELIVERED", "MESSAGE_OPENED"]
    assert {report["analytics_label"] for report in found} == {"autumn"}
    assert {report["app_name"] for report in found} == {emulator.ready["bundle_id"]}
    assert {report["message_type"] for report in found} == {"DISPLAY_NOTIFICATION"}


def test_a_silent_message_is_reported_as_data(emulator, app_server, phone):
    name = app_server.must_send({
        "token": phone["token"], "data": {"k": "v"},
        "apns": {"headers": {"apns-priority": "5"}, "payload": {"aps": {"content-available": 1}}}})
    assert events(way_of(emulator, name)) == ["didReceiveRemoteNotification"]
    found = reports(emulator, name, 1)
    assert [(report["event"], report["message_type"]) for report in found] == [("MESSAGE_DELIVERED", "DATA_MESSAGE")]


def test_a_message_in_the_foreground_is_reported_as_such(emulator, app_server):
    phone = emulator.devices("classic")[0]
    name = app_server.must_send(alert(phone))
    assert events(way_of(emulator, name)) == ["willPresent"]
    assert [report["event"] for report in reports(emulator, name, 1)] == ["MESSAGE_RECEIVED_IN_FOREGROUND"]
    emulator.control(f"devices/{phone['device']}", method="DELETE")


def test_reports_of_a_phone_without_network_come_when_it_is_back(emulator, app_server, images):
    phone = emulator.devices("classic")[0]
    name = app_server.must_send(alert(phone))
    assert len(reports(emulator, name, 1)) == 1
    # The tap happens offline: its report waits on the phone until the app comes to the foreground with a network.
    emulator.control(f"devices/{phone['device']}:background", {})
    later = app_server.must_send(alert(phone))
    assert events(way_of(emulator, later)) == ["shown"]
    emulator.control(f"devices/{phone['device']}:offline", {})
    emulator.control(f"devices/{phone['device']}:tap", {})
    assert reports(emulator, later, 1, seconds=0.3) == []
    emulator.control(f"devices/{phone['device']}:online", {})
    emulator.control(f"devices/{phone['device']}:background", {})
    emulator.control(f"devices/{phone['device']}:foreground", {})
    assert [report["event"] for report in reports(emulator, later, 1)] == ["MESSAGE_OPENED"]
    emulator.control(f"devices/{phone['device']}", method="DELETE")
