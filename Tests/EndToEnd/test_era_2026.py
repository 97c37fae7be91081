"""An app of 2026 on a virtual iPhone: it registers with its Firebase installation id, or with a token, by itself or when told,
and its service extension adds pictures."""
import re

import pytest

from app_server import await_topics, fcm_code, message_id, reports
from console_api import Console
from era_phone import EraPhone
from image_host import JPEG

FID = re.compile(r"[cdef][\w-]{21}")
ALERT = {"notification": {"title": "Vernissage", "body": "At eight"}}


def opened(emulator, *, foreground=True, **info):
    """A phone with the app open for the first time."""
    phone = EraPhone(emulator, "Gallery2026", **info)
    try:
        phone.do("launch", foreground=foreground)
    except BaseException:
        phone.close()
        raise
    return phone


@pytest.fixture()
def phone(emulator):
    with opened(emulator) as phone:
        yield phone


@pytest.fixture()
def waiting(emulator):
    """A phone whose app does not register by itself."""
    with opened(emulator, FirebaseMessagingAutoInitEnabled=False) as phone:
        yield phone


@pytest.fixture()
def classic(emulator):
    """A phone whose app has registration tokens."""
    with opened(emulator, FirebaseMessagingInstallationIdEnabled=False) as phone:
        yield phone


# Registration with the installation id


def test_the_delegate_gets_the_installation_id(phone):
    assert FID.fullmatch(phone.says("installation "))


def test_the_refresh_notification_carries_the_installation_id(phone):
    assert phone.says("refreshed ") == phone.says("installation ")


def test_the_delegate_gets_the_same_id_once_per_start(phone):
    fid = phone.says("installation ")
    phone.do("terminate")
    phone.do("launch")
    assert phone.says("installation ") == fid
    assert not phone.heard("installation ")


def test_without_swizzling_the_id_is_bound_to_the_device_token_that_the_app_hands_over(emulator, app_server):
    with opened(emulator, FirebaseAppDelegateProxyEnabled=False) as phone:
        fid = phone.says("installation ")
        app_server.must_send({"fid": fid} | ALERT)
        assert phone.says("while open: ") == "Vernissage"


def test_with_auto_init_off_nothing_is_registered_until_the_app_says_so(waiting, app_server):
    assert waiting.says("by itself ") == "false"
    waiting.expect("didRegisterForRemoteNotifications")
    assert not waiting.heard("installation ")
    waiting.link("gallery://register/")
    fid = waiting.says("installation ")
    waiting.says("registered")
    app_server.must_send({"fid": fid} | ALERT)
    assert waiting.says("while open: ") == "Vernissage"


def test_auto_init_switched_on_registers_and_stays_on(waiting):
    waiting.says("by itself ")
    waiting.link("gallery://agree/")
    fid = waiting.says("installation ")
    waiting.do("terminate")
    waiting.do("launch")
    assert waiting.says("by itself ") == "true"
    assert waiting.says("installation ") == fid


def test_unregister_ends_the_registration(phone, app_server):
    fid = phone.says("installation ")
    phone.link("gallery://unregister/")
    assert phone.says("installation ") == "none"
    assert phone.says("gone ") == fid
    phone.says("unregistered")
    status, answer = app_server.send({"fid": fid} | ALERT)
    assert (status, fcm_code(answer)) == (404, "UNREGISTERED")


def test_an_app_that_unregistered_may_register_again(phone, app_server):
    fid = phone.says("installation ")
    phone.link("gallery://unregister/")
    phone.says("unregistered")
    phone.link("gallery://register/")
    phone.says("registered")
    app_server.must_send({"fid": fid} | ALERT)
    assert phone.says("while open: ") == "Vernissage"


def test_the_token_api_is_refused_in_this_mode(phone):
    phone.says("installation ")
    phone.link("gallery://token/")
    assert "com.google.fcm" in (failed := phone.says("failed: fetched none: ")) and "7" in failed


def test_topics_are_joined_with_the_installation_id(phone, app_server):
    phone.says("installation ")
    phone.link("gallery://join/openings")
    phone.says("joined")
    app_server.must_send({"topic": "openings"} | ALERT)
    assert phone.says("while open: ") == "Vernissage"


# The token API


def test_the_delegate_gets_a_token_and_the_token_call_gives_the_same(classic):
    token = classic.says("token ")
    classic.link("gallery://token/")
    assert classic.says("fetched ") == token
    assert not classic.heard("installation ")


def test_a_deleted_token_is_told_as_none(classic, app_server):
    token = classic.says("token ")
    classic.link("gallery://delete-token/")
    assert classic.says("token ") == "none"
    classic.says("token deleted")
    status, answer = app_server.send({"token": token} | ALERT)
    assert (status, fcm_code(answer)) == (404, "UNREGISTERED")


def test_a_token_joins_topics(classic, app_server):
    token = classic.says("token ")
    classic.link("gallery://join/openings")
    classic.says("joined")
    await_topics(app_server, token, ["openings"])


def test_registering_is_refused_in_the_mode_of_tokens(classic):
    classic.says("token ")
    classic.link("gallery://register/")
    assert "7" in classic.says("failed: registered: ")


# The service extension


def picture(target, url):
    return target | ALERT | {
        "apns": {"payload": {"aps": {"mutable-content": 1}}, "fcm_options": {"image": url}}}


@pytest.mark.parametrize("mode", ["installation", "token"])
def test_the_service_extension_changes_the_notification_and_adds_its_picture(emulator, app_server, images, mode):
    with opened(
            emulator, foreground=False,
            FirebaseMessagingInstallationIdEnabled=mode == "installation") as phone:
        target = {"fid" if mode == "installation" else "token": phone.says(mode + " ")}
        app_server.must_send(picture(target, images + "/p/42?w=600"))
        phone.expect("shown", title="Vernissage ♦")
        assert [shown["attachments"] for shown in phone.tray] == [[{"type": "jpeg", "bytes": len(JPEG)}]]


def test_without_a_usable_picture_the_changed_text_is_shown(emulator, app_server, images):
    with opened(emulator, foreground=False) as phone:
        app_server.must_send(picture({"fid": phone.says("installation ")}, images + "/not-image.jpg"))
        phone.expect("shown", title="Vernissage ♦")
        assert [shown["attachments"] for shown in phone.tray] == [[]]


# The first message


def sent_from_the_command_line(emulator, fid):
    return emulator.run("send", "--fid", fid, "--title", "Test", "--body", "It works")["name"]


def sent_from_the_console(emulator, fid):
    console = Console(emulator.ready["console"])
    console.sign_in("admin", emulator.ready["admin_password"])
    project = "projects/" + emulator.ready["project"]
    campaign = {
        "name": "First message", "notification": {"title": "Test", "body": "It works"}, "target": {"device": fid},
        "schedule": {"kind": "NOW"}}
    answer = console.done("POST", project + "/campaigns:test", {"campaign": campaign, "targets": [fid]})
    result, = answer["results"]
    return f"{project}/messages/{result['messageId']}"


@pytest.mark.parametrize("sent", [sent_from_the_command_line, sent_from_the_console])
def test_a_test_message_reaches_the_app_in_the_background_and_a_tap_opens_it(emulator, sent):
    with opened(emulator) as phone:
        fid = phone.says("installation ")
        phone.do("background")
        name = sent(emulator, fid)
        phone.expect("shown", title="Test", message_id=message_id(name))
        assert [(shown["title"], shown["body"]) for shown in phone.tray] == [("Test", "It works")]
        assert phone.do("tap")["foreground"]
        assert phone.says("tapped: ") == "Test"
        assert [report["event"] for report in reports(emulator, name, 1)] == ["MESSAGE_OPENED"]


@pytest.mark.parametrize("swizzling", [True, False], ids=["swizzling", "by hand"])
def test_a_notification_that_is_put_away_is_not_counted_as_opened(emulator, app_server, swizzling):
    with opened(emulator, FirebaseAppDelegateProxyEnabled=swizzling) as phone:
        fid = phone.says("installation ")
        phone.do("background")
        for category, told in [("CLOSING", False), ("OPENING", True)]:
            name = app_server.must_send({"fid": fid} | ALERT | {"apns": {"payload": {"aps": {"category": category}}}})
            phone.expect("shown", message_id=message_id(name))
            assert phone.do("dismiss")["tray"] == []
            assert phone.heard("put away: ") == told
        assert not phone.heard("tapped: ")
        expected = ["MESSAGE_DISMISSED"] if swizzling else []
        assert [report["event"] for report in reports(emulator, name, len(expected))] == expected
