"""pyfcm 1.5.4, unmodified: a client that still speaks the legacy HTTP protocol, through the redirect proxy."""
import json

import pytest
from pyfcm import FCMNotification
from pyfcm.errors import AuthenticationError, InvalidDataError

from admin_sdk import environment
from app_server import events


@pytest.fixture(scope="module", autouse=True)
def proxy(emulator):
    ready = emulator.ready
    with environment(HTTPS_PROXY=ready["proxy"], REQUESTS_CA_BUNDLE=ready["ca"]):
        yield


@pytest.fixture(scope="module")
def client(emulator, proxy):
    return FCMNotification(api_key=emulator.ready["server_key"])


def digits(message_id):
    """The service's own id inside `0:<id>%<hex>`."""
    return str(message_id).split(":")[-1].split("%")[0]


def targets_of(emulator, message_id):
    answer = emulator.control(f"messages?message_id={digits(message_id)}&wait_ms=20000")
    return answer["messages"][0]["targets"]


def test_one_device_sees_every_option(emulator, client, device):
    answer = client.notify_single_device(
        registration_id=device["token"], message_title="Title 👋", message_body="Text", sound="default", badge=3,
        click_action="CAT", collapse_key="c1", time_to_live=3600, data_message={"n": 7, "b": True},
        extra_notification_kwargs={"image": "https://img.example.com/1.png"}, extra_kwargs={"mutable_content": True})
    assert (answer["success"], answer["failure"], answer["canonical_ids"]) == (1, 0, 0)
    target, = targets_of(emulator, answer["results"][0]["message_id"])
    payload = json.loads(target["apns"]["payload"])
    assert payload["aps"] == {
        "alert": {"title": "Title 👋", "body": "Text"}, "sound": "default", "badge": 3, "category": "CAT",
        "mutable-content": 1}
    assert (payload["n"], payload["b"]) == ("7", "true")
    assert payload["fcm_options"]["image"] == "https://img.example.com/1.png"
    assert target["apns"]["headers"]["apns-collapse-id"] == "c1"
    assert "willPresent" in events(target)


def test_many_devices_answer_in_order(client, device, fid_device):
    answer = client.notify_multiple_devices(
        registration_ids=["bogus", device["token"], fid_device["fid"]], message_body="Text")
    assert (answer["success"], answer["failure"]) == (2, 1)
    assert answer["results"][0] == {"error": "InvalidRegistration"}
    assert all("message_id" in result for result in answer["results"][1:])


def test_a_silent_message_wakes_the_app(emulator, client, device):
    answer = client.single_device_data_message(
        registration_id=device["token"], data_message={"k": "v"}, content_available=True)
    target, = targets_of(emulator, answer["results"][0]["message_id"])
    assert target["apns"]["headers"]["apns-priority"] == "5"
    assert events(target) == ["didReceiveRemoteNotification"]


def test_a_topic_and_a_condition_reach_who_follows(emulator, client):
    phones = emulator.devices("classic", count=2)
    assert client.subscribe_registration_ids_to_topic([phone["token"] for phone in phones], "py-news") is True
    answer = client.notify_topic_subscribers(topic_name="py-news", message_body="Text")
    assert answer["success"] == 1
    assert len(targets_of(emulator, answer["topic_message_id"])) == 2
    assert client.unsubscribe_registration_ids_from_topic([phones[0]["token"]], "py-news") is True
    answer = client.notify_topic_subscribers(
        condition="'py-news' in topics && !('py-other' in topics)", message_body="Text")
    targets = targets_of(emulator, answer["topic_message_id"])
    assert [target["fid"] for target in targets] == [phones[1]["fid"]]


def test_a_dry_run_delivers_nothing(emulator, client, device):
    before = len(emulator.pushes())
    answer = client.notify_single_device(registration_id=device["token"], message_body="Text", dry_run=True)
    assert answer["success"] == 1 and len(emulator.pushes()) == before


def test_information_names_the_app_and_its_platform(emulator, client, device):
    information = client.get_registration_id_info(device["token"])
    assert information["application"] == emulator.ready["bundle_id"] and information["platform"] == "IOS"
    assert client.clean_registration_ids([device["token"], "bogus"]) == [device["token"]]


def test_a_wrong_key_and_a_wrong_body_raise_their_errors(client, device):
    with pytest.raises(AuthenticationError):
        FCMNotification(api_key="AIzaSyNotAServerKey0000000000000000000").notify_single_device(
            registration_id=device["token"], message_body="Text")
    with pytest.raises(InvalidDataError, match="reserved"):
        client.single_device_data_message(registration_id=device["token"], data_message={"from": "me"})
