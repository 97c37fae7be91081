"""One message of firebase-admin to a topic reaches everything that follows it, each its own way."""
import json

import pytest
from firebase_admin import messaging

from admin_sdk import app_through_proxy
from device_api import create_installation, register_android
from fixture_world import check_in
from mcs_client import MCSDevice
from test_firebase_messaging import Receiver


@pytest.fixture()
def app(emulator):
    with app_through_proxy(emulator) as app:
        yield app


def test_a_topic_reaches_an_iphone_an_android_app_and_a_browser_in_one_go(emulator, app, android, fresh_device):
    with Receiver(emulator) as browser:
        browser.start()
        connection = android.connect()
        tokens = [fresh_device["token"], android.token, browser.token]
        assert messaging.subscribe_to_topic(tokens, "everybody", app=app).success_count == 3
        name = messaging.send(messaging.Message(
            topic="everybody", notification=messaging.Notification("To all", "Text"), data={"k": "v"}), app=app)
        packet = connection.data()
        assert packet.sender == "/topics/everybody"
        assert packet.app_data["gcm.n.title"] == "To all" and packet.app_data["k"] == "v"
        message = browser.message()["message"]
        assert message["notification"]["title"] == "To all" and message["from"] == "/topics/everybody"
        connection.acknowledge(packet.persistent_id)
    answer = emulator.control(f"messages?message_id={name.rsplit('/', 1)[1]}&wait_ms=20000")
    targets = answer["messages"][0]["targets"]
    phone = next(target for target in targets if target.get("fid") == fresh_device["fid"])
    assert phone["device_events"][0]["title"] == "To all"
    assert json.loads(phone["apns"]["payload"])["k"] == "v"
    assert sorted(target["outcome"] for target in targets) == ["accepted"] * 3


def test_the_demo_android_app_registers_as_the_android_sdk_does_and_receives(emulator, app):
    identity = check_in(emulator)
    installation = create_installation(emulator, appId=emulator.ready["android_app_id"], sdkVersion="a:18.0.0")
    token = register_android(
        emulator, identity, **{
            "X-appid": installation["fid"], "X-gmp_app_id": emulator.ready["android_app_id"],
            "X-Goog-Firebase-Installations-Auth": installation["auth"],
            "X-firebase-app-name-hash": "R1dAH9Ui7M-ynoznwBdw01tLxhI"})
    assert token.startswith(installation["fid"] + ":")
    device = MCSDevice(emulator, identity, token)
    connection = device.connect()
    for target in [{"token": token}, {"fid": installation["fid"]}]:
        messaging.send(messaging.Message(**target, data={"k": "v"}), app=app)
        assert connection.data().app_data["k"] == "v"
    device.cut()
