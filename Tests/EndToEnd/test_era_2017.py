"""Apps as they were written in 2016 and 2017, with FIRApp, FIRInstanceID and a connection of their own, on a virtual iPhone."""
import pytest

from app_server import await_topics, message_id, reports
from era_phone import EraPhone
from xmpp_client import app_server_stream


@pytest.fixture()
def phone(emulator):
    """A phone whose reader has opened the app for the first time."""
    with EraPhone(emulator, "News2017") as phone:
        phone.do("launch")
        yield phone


@pytest.fixture()
def token(phone):
    """The token of the running app, which is connected."""
    token = phone.says("token ")
    phone.says("connected")
    return token


@pytest.fixture()
def by_hand(emulator):
    """A phone whose app has swizzling off."""
    with EraPhone(emulator, "NewsByHand2017") as phone:
        phone.do("launch")
        yield phone


def silent(token, **data):
    """Data for an app that is not open."""
    return {"token": token, "data": data, "apns": {
        "headers": {"apns-priority": "5"}, "payload": {"aps": {"content-available": 1}}}}


def test_configure_starts_the_app_and_there_is_no_token_yet(phone):
    phone.says("no token yet")


def test_the_refresh_notification_brings_the_token_that_instance_id_then_has(phone, token):
    assert token.count(":") == 1 and "APA91b" in token


def test_a_refreshed_token_connects(phone, token):
    assert not phone.heard("not connected")


def test_an_app_that_is_started_again_has_its_token_and_connects(phone, token):
    phone.do("terminate")
    phone.do("launch")
    assert phone.says("token ") == token
    phone.says("connected")


def test_data_comes_over_the_connection_as_app_data(phone, token, app_server):
    app_server.must_send({"token": token, "data": {"headline": "Snow"}})
    assert phone.says("data ") == "Snow"


def test_in_the_background_the_app_disconnects_and_data_comes_by_apns(phone, token, app_server):
    phone.do("background")
    phone.says("disconnected")
    name = app_server.must_send(silent(token, article="8"))
    assert phone.says("message ") == f"{message_id(name)}, article 8"


def test_back_in_the_foreground_the_app_connects_again(phone, token, app_server):
    phone.do("background")
    phone.says("disconnected")
    phone.do("foreground")
    phone.says("connected")
    app_server.must_send({"token": token, "data": {"headline": "Thaw"}})
    assert phone.says("data ") == "Thaw"


def test_a_notification_in_the_foreground_goes_to_the_app_delegate(phone, token, app_server):
    name = app_server.must_send({"token": token, "notification": {"title": "Extra"}, "data": {"article": "9"}})
    assert phone.says("message ") == f"{message_id(name)}, article 9"
    assert phone.tray == []


def test_a_tap_brings_the_content_and_the_click_action_to_the_app_delegate(phone, token, app_server):
    phone.do("background")
    app_server.send_legacy({
        "to": token, "notification": {"title": "Extra", "click_action": "READ"}, "data": {"article": "10"}})
    phone.expect("shown")
    assert [shown["category"] for shown in phone.tray] == ["READ"]
    assert not phone.heard("message ")
    phone.do("tap")
    assert phone.says("message ").endswith("article 10")
    assert phone.says("open ") == "READ"


def test_a_tap_starts_an_ended_app_with_the_content(phone, token, app_server):
    phone.do("terminate")
    app_server.must_send({"token": token, "notification": {"title": "Extra"}, "data": {"article": "11"}})
    phone.expect("shown")
    phone.do("tap")
    assert phone.says("message ").endswith("article 11")


def test_with_swizzling_messages_are_tracked_without_a_line_in_the_app(phone, token, app_server, emulator):
    phone.do("background")
    name = app_server.must_send({"token": token, "notification": {"title": "Extra"}})
    phone.expect("shown")
    phone.do("tap")
    assert [report["event"] for report in reports(emulator, name, 1)] == ["MESSAGE_OPENED"]


def test_a_reader_who_refuses_sees_no_notification(emulator, app_server):
    with EraPhone(emulator, "News2017") as phone:
        phone.do("deny")
        phone.do("launch")
        assert phone.says("reader accepts ") == "false"
        token = phone.says("token ")
        phone.do("background")
        app_server.must_send({"token": token, "notification": {"title": "Extra"}})
        phone.expect("dropped")
        assert phone.tray == []


def test_topics_are_followed_and_left_with_their_prefix(phone, token, app_server):
    phone.link("news://follow/sport")
    await_topics(app_server, token, ["sport"])
    phone.do("background")
    app_server.must_send({"topic": "sport", "notification": {"title": "Goal"}})
    phone.expect("shown", title="Goal")
    phone.link("news://leave/sport")
    await_topics(app_server, token, [])


def test_a_message_goes_up_to_the_app_server(phone, token, emulator):
    server = app_server_stream(emulator)
    phone.link("news://write/hello")
    message = server.upstream("letter-hello")
    assert (message["from"], message["message_id"]) == (token, "letter-hello")
    assert message["data"] == {"letter": "hello"}
    server.acknowledge(message)
    server.close()


# Swizzling off


def test_without_swizzling_the_token_follows_from_the_device_token_that_the_app_hands_over(by_hand, app_server):
    token = by_hand.says("token ")
    by_hand.do("background")
    app_server.must_send({"token": token, "notification": {"title": "Extra"}})
    by_hand.expect("shown", title="Extra")


def test_without_swizzling_and_without_the_device_token_there_is_no_token(emulator):
    with EraPhone(emulator, "NewsByHand2017", "--keeps-device-token") as phone:
        phone.do("launch")
        phone.says("device token kept")
        phone.do("background")
        phone.do("foreground")
        assert not phone.heard("token ")


def test_without_swizzling_the_app_tells_of_its_messages(by_hand, app_server, emulator):
    token = by_hand.says("token ")
    by_hand.do("background")
    name = app_server.must_send({"token": token, "notification": {"title": "Extra"}})
    by_hand.expect("shown")
    by_hand.do("tap")
    assert by_hand.says("message ") == f"{message_id(name)}, new true"
    assert [report["event"] for report in reports(emulator, name, 1)] == ["MESSAGE_OPENED"]


def test_the_method_with_a_fetch_handler_answers_the_system(by_hand, app_server):
    token = by_hand.says("token ")
    by_hand.do("background")
    name = app_server.must_send(silent(token, article="12"))
    assert by_hand.says("message ") == f"{message_id(name)}, new true"
    assert by_hand.expect("fetched")["result"] == "newData"
