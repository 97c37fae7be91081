"""An app as it was written from 2018 to 2021, on a virtual iPhone: it registers when its user agrees, keeps the direct channel
up while it is open, and sends messages to its server."""
import urllib.parse

import pytest

from app_server import await_topics, fcm_code, import_apns_token, message_id, reports
from era_phone import EraPhone
from fixture_world import change_group
from xmpp_client import app_server_stream


@pytest.fixture()
def fresh(emulator):
    """A phone with the app open, whose user has not agreed yet."""
    with EraPhone(emulator, "Cart2020") as phone:
        phone.do("launch")
        yield phone


@pytest.fixture(params=[True, False], ids=["swizzling", "by hand"])
def either(emulator, request):
    """The same with and without swizzling."""
    with EraPhone(emulator, "Cart2020", FirebaseAppDelegateProxyEnabled=request.param) as phone:
        phone.do("launch")
        yield phone


def agree(phone):
    """The user agrees; returns the token."""
    phone.link("cart://agree/")
    return phone.says("token ")


@pytest.fixture()
def phone(emulator):
    """A phone whose app is registered and connected."""
    with EraPhone(emulator, "Cart2020") as phone:
        phone.do("launch")
        phone.token = agree(phone)
        assert phone.says("channel ") == "true"
        yield phone


@pytest.fixture()
def shop(emulator):
    """The app's server."""
    server = app_server_stream(emulator)
    yield server
    server.close()


# Auto-init


def test_with_auto_init_off_nothing_is_registered(fresh):
    assert fresh.says("agreed ") == "false, known token false"
    assert fresh.apns_token == "" and not fresh.heard("token ")


def test_once_it_is_on_the_delegate_gets_a_token_that_is_no_optional(fresh):
    assert "APA91b" in agree(fresh)


def test_auto_init_stays_on_when_the_app_is_started_again(fresh):
    token = agree(fresh)
    fresh.says("agreed ")
    fresh.do("terminate")
    fresh.do("launch")
    assert fresh.says("agreed ") == "true, known token true"
    assert fresh.says("token ") == token


def test_the_refresh_notification_comes_with_the_token_and_the_property_has_it(fresh):
    agree(fresh)
    assert fresh.says("refreshed ") == "true true"


def test_the_token_is_bound_to_apns_with_and_without_swizzling(either, app_server):
    token = agree(either)
    # The user is asked at the next start.
    either.do("terminate")
    either.do("launch", foreground=False)
    assert either.says("alerts ") == "true"
    app_server.must_send({"token": token, "notification": {"title": "Sale"}})
    either.expect("shown", title="Sale")


def test_instance_id_has_the_same_token(fresh):
    token = agree(fresh)
    fresh.link("cart://token/")
    assert fresh.says("instance ") == f"{token.split(':')[0]} token {token}"


# Messages by APNs


def test_a_notification_in_the_foreground_is_shown_as_the_app_wants(phone, app_server):
    app_server.must_send({"token": phone.token, "notification": {"title": "Quiet"}, "data": {"quiet": "1"}})
    assert phone.says("while open: ") == "Quiet"
    app_server.must_send({"token": phone.token, "notification": {"title": "Loud"}})
    assert phone.says("while open: ") == "Loud"
    phone.expect("shown", title="Loud")
    assert [shown["title"] for shown in phone.tray] == ["Loud"]


def test_a_tap_goes_to_the_notification_delegate_with_the_click_action(either, app_server, emulator):
    token = agree(either)
    either.do("terminate")
    either.do("launch", foreground=False)
    either.says("alerts ")
    name = app_server.must_send({
        "token": token, "notification": {"title": "Sale"},
        "apns": {"payload": {"aps": {"category": "CHECKOUT"}}}})
    either.expect("shown")
    either.do("tap")
    assert either.says("tapped: ") == "Sale, go to CHECKOUT"
    assert [report["event"] for report in reports(emulator, name, 1)] == ["MESSAGE_OPENED"]


def test_data_in_the_background_comes_with_a_fetch_handler(phone, app_server):
    phone.do("background")
    assert phone.says("channel ") == "false"
    app_server.must_send({"token": phone.token, "data": {"basket": "7"}, "apns": {
        "headers": {"apns-priority": "5"}, "payload": {"aps": {"content-available": 1}}}})
    assert phone.says("in the background: ") == "basket 7"
    assert phone.expect("fetched")["result"] == "newData"


def test_a_token_from_batch_import_reaches_the_app(fresh, app_server):
    fresh.link("cart://alerts/")
    fresh.expect("didRegisterForRemoteNotifications")
    token = import_apns_token(app_server, fresh.apns_token)
    name = app_server.must_send({"token": token, "notification": {"title": "Moved"}})
    assert fresh.says("while open: ") == "Moved"
    assert fresh.expect("willPresent")["message_id"] == message_id(name)
    # The app's own registration takes the place of the imported one: no message comes twice.
    own = agree(fresh)
    app_server.must_send({"token": own, "notification": {"title": "Settled in"}})
    assert fresh.says("while open: ") == "Settled in"
    status, answer = app_server.send({"token": token, "notification": {"title": "Too late"}})
    assert (status, fcm_code(answer)) == (404, "UNREGISTERED")


# The direct channel


def test_the_channel_is_up_while_the_app_is_open(phone):
    phone.do("background")
    assert phone.says("channel ") == "false"
    phone.do("foreground")
    assert phone.says("channel ") == "true"


def test_the_app_may_do_without_the_channel(phone, app_server):
    phone.link("cart://stay-away/")
    assert phone.says("channel ") == "false"
    app_server.must_send({"token": phone.token, "data": {"basket": "8"}, "apns": {
        "headers": {"apns-priority": "5"}, "payload": {"aps": {"content-available": 1}}}})
    assert phone.says("in the background: ") == "basket 8"
    phone.link("cart://come-back/")
    assert phone.says("channel ") == "true"


def test_data_comes_over_the_channel_to_the_messaging_delegate(phone, app_server):
    app_server.must_send({"token": phone.token, "data": {"basket": "9"}})
    assert phone.says("data ").endswith(": basket 9")


def test_too_many_waiting_messages_are_deleted_and_the_app_hears_of_it(fresh, app_server):
    # Without APNs: such an app gets data while it is open, and what comes otherwise waits for it.
    fresh.link("cart://identify/")
    token = fresh.says("identified ")
    assert fresh.says("channel ") == "true"
    app_server.must_send({"token": token, "data": {"basket": "1"}})
    assert fresh.says("data ").endswith(": basket 1")
    fresh.do("background")
    assert fresh.says("channel ") == "false"
    for number in range(101):
        app_server.must_send({"token": token, "data": {"basket": str(number)}})
    fresh.do("foreground")
    fresh.says("messages deleted")


# Topics


def test_topics_are_joined_and_left_and_the_completions_say_so(phone, app_server):
    phone.link("cart://join/sale")
    phone.says("joined sale")
    await_topics(app_server, phone.token, ["sale"])
    app_server.must_send({"topic": "sale", "data": {"basket": "sale"}})
    assert phone.says("data ").endswith(": basket sale")
    phone.link("cart://leave/sale")
    phone.says("left sale")
    await_topics(app_server, phone.token, [])


def test_a_topic_that_cannot_be_is_an_error(phone):
    phone.link("cart://join/a%20b")
    assert "8" in phone.says("failed: ")


# Upstream


def test_an_order_reaches_the_app_server_and_its_success_is_told(phone, shop):
    phone.link("cart://order/tea")
    message = shop.upstream("order-tea")
    assert (message["from"], message["message_id"]) == (phone.token, "order-tea")
    assert message["data"] == {"cart": "tea", "count": "2"}
    shop.acknowledge(message)
    assert phone.says("sent ") == "order-tea"


def test_an_order_without_network_waits_on_the_phone(phone, shop):
    phone.do("offline")
    phone.link("cart://order/milk")
    assert not phone.heard("sent ")
    phone.do("online")
    message = shop.upstream("order-milk")
    assert message["message_id"] == "order-milk"
    shop.acknowledge(message)
    assert phone.says("sent ") == "order-milk"


def test_an_order_that_waits_outlives_the_process(phone, shop):
    phone.do("offline")
    phone.link("cart://order/salt")
    phone.do("terminate")
    phone.do("online")
    phone.do("launch")
    message = shop.upstream("order-salt")
    assert message["message_id"] == "order-salt"
    shop.acknowledge(message)


def test_an_order_for_now_or_never_is_sent_without_an_answer(phone, shop):
    phone.link("cart://order-now/ice")
    message = shop.upstream("order-ice")
    assert message["message_id"] == "order-ice"
    shop.acknowledge(message)
    assert not phone.heard("sent ")


def test_an_order_without_a_receiver_is_an_error(phone):
    phone.link("cart://order-for-nobody/rice")
    failed = phone.says("not sent ")
    assert failed.startswith("order-rice, ") and "1003" in failed


def test_an_order_goes_to_the_other_devices_of_a_group(phone, emulator):
    with EraPhone(emulator, "Cart2020") as other:
        other.do("launch")
        other.token = agree(other)
        assert other.says("channel ") == "true"
        env = {"SERVER_KEY": emulator.ready["server_key"], "SENDER_ID": emulator.ready["sender_id"]}
        key = change_group(emulator, env, "create", "household-" + phone.name, [phone.token, other.token])
        phone.link("cart://order-for-group/bread?" + urllib.parse.quote(key, safe=""))
        assert other.says("data ").endswith(": basket bread")
