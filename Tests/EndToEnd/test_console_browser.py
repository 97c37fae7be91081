"""The console as a person uses it, in Debian's Chromium: set up, compose, send, schedule, read, search.

Pictures of the pages are kept in $PHAROS_SCREENSHOTS, by default .build/screenshots, for people to look at."""
import datetime
import json
import re

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID
from selenium.webdriver import ActionChains

from console_browser import NAMELESS, PALE, Console
from emulator import Emulator

PROJECT = "projects/demo-pharos"
#: Saturday noon before the clocks of Berlin go from 2 to 3 in the night.
START = datetime.datetime(2030, 3, 30, 12, tzinfo=datetime.timezone.utc)
SCRIPT = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
TITLE = "<b>50% off</b> & \"more\" 😀 {{name}}"
BODY = "line 1\nline 2 <script>window.hit=1</script> \u202eabc"


@pytest.fixture(scope="module")
def emulator(pharos):
    """In the spring of 2030, before anybody signs in: sessions and registrations have an age too."""
    with Emulator(pharos) as emulator:
        now = emulator.control("clock")["now_ms"] / 1000
        emulator.control("clock", {"advance_seconds": int(START.timestamp() - now)})
        yield emulator


@pytest.fixture(scope="module")
def console(emulator):
    console = Console(emulator.ready["http"], emulator.ready["admin_password"])
    console.driver.get(console.origin)
    console.picture("sign-in")
    yield console
    console.close()


@pytest.fixture(scope="module")
def signed_in(console):
    if console.open() == "Sign in to Pharos":
        console.sign_in()
    return console


@pytest.fixture(scope="module")
def phone(emulator, signed_in):
    """A virtual iPhone that was started with the mouse; returns its name."""
    signed_in.open(PROJECT)
    signed_in.press("Start a virtual iPhone")
    signed_in.heading("Virtual iPhones")
    signed_in.find("[data-device=iphone-1] .tray")
    return "iphone-1"


def lock_screen(console, phone):
    """Titles and texts on the lock screen of a phone, newest first."""
    return [
        (card.find_element("css selector", ".title").text, card.find_element("css selector", ".text").text)
        for card in console.all(f"[data-device={phone}] .tray button")]


def arrives(console, phone, title, body):
    console.open(PROJECT + "/iphones")
    console.wait(lambda _: (title, body) in lock_screen(console, phone), f"{title} on the lock screen")


# Signing in


def test_nothing_is_shown_to_who_is_not_signed_in(console):
    assert console.open(PROJECT + "/campaigns") == "Sign in to Pharos"
    assert "Campaigns" not in console.text()


def test_a_wrong_password_is_refused_in_words(console):
    console.fill("Name", "admin")
    console.fill("Password", "wrong")
    console.press("Sign in")
    assert console.find("[role=alert]").text
    assert console.heading() == "Sign in to Pharos"


def test_the_printed_password_opens_the_console_and_leads_to_a_virtual_iphone(console):
    console.open()
    console.sign_in()
    console.sees("Send your first notification")
    console.picture("overview")


# Sending, from the first page on


def test_a_notification_reaches_a_virtual_iphone_in_a_few_clicks(signed_in, phone):
    signed_in.fill("Title", "Hello 👋")
    signed_in.fill("Text", "مرحبا بالعالم")
    signed_in.press("Send it")
    signed_in.wait(lambda _: ("Hello 👋", "مرحبا بالعالم") in lock_screen(signed_in, phone), "the notification")
    signed_in.picture("virtual-iphone")


def test_a_tap_opens_the_app_and_flight_mode_keeps_messages_away(emulator, signed_in, phone):
    signed_in.open(PROJECT + "/iphones")
    signed_in.press("Tap the newest")
    signed_in.find(f"[data-device={phone}] .app-open")
    signed_in.picture("app-open")
    signed_in.press("Lock the phone")
    signed_in.press("Go offline")
    signed_in.find(f"[data-device={phone}] [data-act=online]")
    signed_in.fill("Title", "Later")
    signed_in.press("Send it")
    signed_in.sees("It is on its way.")
    assert lock_screen(signed_in, phone) == []
    signed_in.press("Go online")
    signed_in.wait(lambda _: [title for title, _ in lock_screen(signed_in, phone)] == ["Later"], "what waited")


def test_a_notification_can_be_put_away(signed_in, phone):
    signed_in.open(PROJECT + "/iphones")
    signed_in.press("Put the newest away")
    signed_in.wait(lambda _: lock_screen(signed_in, phone) == [], "an empty lock screen")


def test_an_open_app_shows_what_it_got_and_an_ended_one_starts_again(signed_in, phone):
    signed_in.open(PROJECT + "/iphones")
    signed_in.press("Open the app")
    signed_in.find(f"[data-device={phone}] .app-open")
    signed_in.fill("Title", "While open")
    signed_in.press("Send it")
    signed_in.wait(lambda _: "While open" in signed_in.find(f"[data-device={phone}] .app-log .message").text, "the message")
    signed_in.press("End the app")
    signed_in.find(f"[data-device={phone}] .app-off")
    signed_in.press("Start the app")
    signed_in.find(f"[data-device={phone}] [data-act=terminate]")
    if signed_in.all(f"[data-device={phone}] [data-act=background]"):
        signed_in.press("Lock the phone")
    signed_in.find(f"[data-device={phone}] [data-act=foreground]")
    signed_in.fill("Title", "Locked again")
    signed_in.press("Send it")
    signed_in.wait(lambda _: "Locked again" in [title for title, _ in lock_screen(signed_in, phone)], "the notification")


def test_a_fault_that_was_ordered_shows_in_the_inspector_in_plain_words(emulator, signed_in, phone):
    doomed, = emulator.devices("classic", foreground=False)
    signed_in.open(PROJECT + "/iphones")
    signed_in.find(f"[data-device={doomed['device']}]")
    signed_in.choose("What goes wrong", "apns-410")
    signed_in.control("For").click()
    signed_in.choose("For", doomed["device"])
    signed_in.press("Order it")
    signed_in.sees("Ordered")
    signed_in.choose("To", doomed["device"])
    signed_in.fill("Title", "Refused by APNs")
    signed_in.press("Send it")
    assert "The app was removed" in signed_in.find("[role=alert]").text
    signed_in.open(PROJECT + "/messages?q=" + doomed["token"])
    signed_in.press("Refused by APNs")
    signed_in.heading("Refused by APNs")
    signed_in.sees("Unregistered")
    signed_in.sees("Next step:")
    signed_in.picture("message")
    emulator.control("devices/" + doomed["device"], method="DELETE")


# Setting a project up


def test_a_project_is_set_up(signed_in):
    signed_in.open("projects")
    signed_in.press("New project")
    signed_in.fill("Name", "Weather ⛅")
    signed_in.fill("Project id", "demo-weather")
    signed_in.press("Make the project")
    signed_in.heading("Weather ⛅")
    signed_in.sees("Set-up")
    signed_in.open("projects/demo-weather/apps")
    signed_in.press("Add an app")
    signed_in.fill("Bundle or package id", "com.example.weather")
    signed_in.fill("Name", SCRIPT)
    signed_in.press("Add the app")
    signed_in.sees("GoogleService-Info.plist")
    assert SCRIPT in signed_in.text()
    address = signed_in.find("a[download='GoogleService-Info.plist']").get_attribute("href")
    plist = signed_in.driver.execute_async_script(
        "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])", address)
    assert "com.example.weather" in plist and plist.lstrip().startswith("<?xml")


def test_secrets_are_shown_once(signed_in):
    signed_in.open("projects/demo-weather/keys")
    signed_in.press("New service account")
    secret = signed_in.find("dialog .secret").text
    assert json.loads(secret)["type"] == "service_account"
    signed_in.press("I have it")
    signed_in.open("projects/demo-weather/keys")
    assert "PRIVATE KEY" not in signed_in.driver.page_source
    signed_in.press("New server key")
    key = signed_in.find("dialog .secret").text
    assert len(key) == 152
    signed_in.press("I have it")
    signed_in.open("projects/demo-weather/keys")
    assert key not in signed_in.driver.page_source
    signed_in.picture("keys")


def test_a_key_that_is_none_is_refused_beside_its_field(signed_in):
    signed_in.open("projects/demo-weather/keys")
    signed_in.press("Upload a key")
    signed_in.fill("Key", "not a key")
    signed_in.fill("Key id", "ABCDE12345")
    signed_in.fill("Team id", "TEAM123456")
    signed_in.press("Upload")
    assert signed_in.find("dialog [role=alert]").text
    signed_in.press("Cancel")


def test_a_key_is_checked_live(signed_in):
    signed_in.open(PROJECT + "/keys")
    signed_in.press("Check DEMOKEY001 with APNs")
    signed_in.find(".result .notice.good")
    signed_in.picture("key-checked")


def p12(bundle_id, password, days):
    """A .p12 file like those that the macOS key chain exports, for an app; it is over after some days."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([
        x509.NameAttribute(NameOID.USER_ID, bundle_id),
        x509.NameAttribute(NameOID.COMMON_NAME, f"Apple Push Services: {bundle_id}")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now - datetime.timedelta(days=400),
        now + datetime.timedelta(days=days)).sign(key, hashes.SHA256())
    return pkcs12.serialize_key_and_certificates(
        b"push", key, certificate, None, serialization.BestAvailableEncryption(password.encode()))


def test_a_certificate_is_uploaded_and_what_is_wrong_is_said_beside_its_field(signed_in, tmp_path):
    (tmp_path / "push.p12").write_bytes(p12("com.example.weather", "secret", days=10))
    (tmp_path / "old.p12").write_bytes(p12("com.example.weather", "secret", days=-1))
    signed_in.open("projects/demo-weather/keys")
    signed_in.press("Upload a certificate")

    def upload(name, password, bundle_ids=""):
        signed_in.control("Certificate file").send_keys(str(tmp_path / name))
        signed_in.fill("Password of the file", password)
        signed_in.fill("Bundle ids", bundle_ids)
        signed_in.press("Upload")

    upload("push.p12", "wrong")
    signed_in.sees("The password does not open the .p12 file.")
    upload("old.p12", "secret")
    signed_in.sees("The certificate is not valid today")
    upload("push.p12", "secret", "com.example.other")
    signed_in.sees("The certificate is for com.example.weather.")
    signed_in.picture("certificate-refused")
    upload("push.p12", "secret")
    signed_in.sees("Apple Push Services: com.example.weather")
    signed_in.sees("Soon:")
    signed_in.press("Delete Apple Push Services: com.example.weather")
    signed_in.press("Delete it")
    signed_in.sees("Without an APNs key no Apple device gets a message.")


def test_a_viewer_sees_but_cannot_send(emulator, signed_in):
    signed_in.open("users")
    signed_in.press("Add a person")
    signed_in.fill("Name", "viewer")
    signed_in.fill("Password", "a long enough password")
    signed_in.press("Add")
    signed_in.heading("viewer")
    signed_in.choose("Weather ⛅", "viewer")
    signed_in.press("Save the roles")
    signed_in.sees("The roles are saved.")
    signed_in.picture("person")


# Composing


def compose(console, title=TITLE, body=BODY, name=""):
    assert console.open(PROJECT + "/campaigns/new") == "New campaign"
    console.fill("Title", title)
    console.fill("Text", body)
    console.fill("Name of the campaign", name)


def test_CON_07_special_characters_and_markup_stay_text(emulator, signed_in, phone):
    compose(signed_in, name="a'; --")
    shown = [element.text for element in signed_in.all(".preview .title")]
    assert shown == [TITLE, TITLE]
    signed_in.picture("composer")
    signed_in.press(f"Add {phone}")
    signed_in.press("Send the test")
    signed_in.sees("Sent to")
    arrives(signed_in, phone, TITLE, BODY)
    alert = json.loads(emulator.pushes()[-1]["body"])["aps"]["alert"]
    assert alert == {"title": TITLE, "body": BODY}
    assert signed_in.script("return window.hit") is None


def test_CON_06_reserved_keys_are_refused_in_the_form_and_data_stays_data(emulator, signed_in, phone):
    compose(signed_in, "Hello", "World")
    signed_in.press("4. Options")
    signed_in.press("Add a pair")
    signed_in.fill("Key of pair 1", "google.test")
    signed_in.sees("reserved")
    signed_in.fill("Key of pair 1", "content_available")
    signed_in.fill("Value of pair 1", "true")
    signed_in.press("Add a pair")
    signed_in.fill("Key of pair 2", "title")
    signed_in.fill("Value of pair 2", "x")
    signed_in.press(f"Add {phone}")
    signed_in.press("Send the test")
    signed_in.sees("Sent to")
    arrives(signed_in, phone, "Hello", "World")
    body = json.loads(emulator.pushes()[-1]["body"])
    assert body["content_available"] == "true" and body["title"] == "x"
    assert "content-available" not in body["aps"] and body["aps"]["alert"] == {"title": "Hello", "body": "World"}


def test_CON_09_a_test_message_takes_pasted_ids_and_tells_errors(emulator, signed_in, phone):
    known = emulator.control("devices/" + phone)
    compose(signed_in, "By id", "World")
    signed_in.fill("Registration tokens or installation ids", f"  {known['token']}\n\n {known['fid']} \ncGone0000000000000000_:APA91bNo")
    signed_in.press("Send the test")
    signed_in.wait(lambda _: len(signed_in.all("aside .notice")) == 3, "three results")
    results = [each.text for each in signed_in.all("aside .notice")]
    assert results[0].startswith("Sent to") and results[1].startswith("Sent to")
    assert re.match(r"(INVALID_ARGUMENT|UNREGISTERED|NOT_FOUND)", results[2])


def test_CON_08_an_expiry_of_more_than_four_weeks_is_refused_in_the_form(signed_in):
    compose(signed_in, "Expiry", "World")
    signed_in.press("4. Options")
    signed_in.fill("Expires after", "5")
    signed_in.sees("Between 0 and 4 weeks")
    signed_in.fill("Expires after", "4")
    signed_in.wait(lambda _: "Between 0 and 4 weeks" not in signed_in.text(), "no mistake")
    signed_in.fill("Expires after", "0")
    assert "Between 0 and 4 weeks" not in signed_in.text()


def test_every_option_reaches_the_phone_and_stays_in_the_draft(emulator, signed_in, phone):
    compose(signed_in, "Options", "World", "All options")
    signed_in.fill("Image", "https://images.example.com/a.png")
    # Nothing is loaded from another server unasked: its place is drawn.
    assert [each.text for each in signed_in.all(".preview .no-image")] == ["Image"]
    signed_in.find(".preview .expanded .no-image")
    assert signed_in.all("img[src*='images.example.com']") == []
    signed_in.press("4. Options")
    signed_in.fill("Expires after", "2")
    signed_in.choose("Unit", "days")
    signed_in.fill("Badge", "7")
    signed_in.choose("Normal", "")
    signed_in.press("Add a pair")
    signed_in.fill("Key of pair 1", "gate")
    signed_in.fill("Value of pair 1", "B4 🛫")
    signed_in.fill("Click action", "BOARDING")
    signed_in.fill("Analytics label", "boarding")
    signed_in.fill("Conversion event", "boarded")
    signed_in.press(f"Add {phone}")
    signed_in.press("Send the test")
    signed_in.sees("Sent to")
    signed_in.wait(lambda _: "Options" in emulator.pushes()[-1]["body"], "the push")
    push = emulator.pushes()[-1]
    body, now = json.loads(push["body"]), emulator.control("clock")["now_ms"] / 1000
    assert body["aps"]["sound"] == "default" and body["aps"]["badge"] == 7 and body["aps"]["category"] == "BOARDING"
    assert body["gate"] == "B4 🛫" and body["aps"]["mutable-content"] == 1
    headers = {name.lower(): value for name, value in push["headers"].items()}
    assert headers["apns-priority"] == "5" and abs(int(headers["apns-expiration"]) - now - 2 * 86400) < 600
    signed_in.press("Save as draft")
    signed_in.heading("All options")
    for text in ["Draft", "2 days", "Normal", "BOARDING", "boarding", "boarded"]:
        signed_in.sees(text)
    signed_in.press("Edit")
    signed_in.heading("Edit All options")
    signed_in.press("4. Options")
    assert signed_in.control("Expires after").get_attribute("value") == "2"
    assert signed_in.control("Value of pair 1").get_attribute("value") == "B4 🛫"


def test_the_whole_way_of_a_campaign_to_everybody(emulator, signed_in, phone):
    compose(signed_in, "Everybody", "World", SCRIPT)
    signed_in.press("Next")
    signed_in.press("Add a rule")
    signed_in.find(".rules fieldset")
    signed_in.picture("segment")
    signed_in.press("Remove rule 1: App")
    signed_in.press("Estimate the reach")
    signed_in.sees("1 device")
    signed_in.press("5. Review")
    signed_in.sees("Everything is in order.")
    signed_in.picture("review")
    signed_in.press("Publish: send it now")
    signed_in.heading(SCRIPT)
    arrives(signed_in, phone, "Everybody", "World")
    assert signed_in.script("return window.hit") is None


# Scheduling


def test_CON_04_a_schedule_across_a_clock_change_is_kept_and_shown(emulator, signed_in, phone):
    compose(signed_in, "Spring", "In the night of the change", "Spring")
    signed_in.press("3. Schedule")
    signed_in.choose("At a time", "")
    signed_in.fill("Date and time", "2030-03-31T02:30")
    signed_in.choose("Time zone", "Europe/Berlin")
    # There is no 02:30 that night: the same distance from midnight comes after the gap.
    moment = signed_in.find(".occurrences time[datetime^='2030-03-31T01:30:00']")
    assert "03:30" in moment.text and "+02:00" in moment.text
    signed_in.picture("schedule")
    signed_in.press("5. Review")
    signed_in.sees("03:30")
    signed_in.press("Publish")
    signed_in.heading("Spring")
    signed_in.sees("Scheduled")
    emulator.control("clock", {"advance_seconds": 6 * 3600})
    signed_in.open(PROJECT + "/iphones")
    signed_in.sees("18:00")
    assert "Spring" not in [title for title, _ in lock_screen(signed_in, phone)]
    emulator.control("clock", {"advance_seconds": 8 * 3600})
    arrives(signed_in, phone, "Spring", "In the night of the change")
    assert [title for title, _ in lock_screen(signed_in, phone)].count("Spring") == 1


def test_a_daily_campaign_is_paused_edited_duplicated_and_cancelled(signed_in):
    compose(signed_in, "Daily", "World", "Daily")
    signed_in.press("3. Schedule")
    signed_in.choose("Daily", "")
    signed_in.fill("Time", "09:00")
    signed_in.press("5. Review")
    signed_in.sees("Everything is in order.")
    signed_in.press("Publish")
    signed_in.heading("Daily")
    signed_in.press("Pause")
    signed_in.sees("Paused")
    signed_in.press("Resume")
    signed_in.sees("Scheduled")
    signed_in.press("Edit")
    signed_in.heading("Edit Daily")
    signed_in.fill("Name of the campaign", "Each day")
    signed_in.press("Save the changes")
    signed_in.heading("Each day")
    signed_in.press("Duplicate")
    signed_in.wait(lambda _: signed_in.heading().startswith("Edit"), "the copy")
    signed_in.open(PROJECT + "/campaigns")
    signed_in.picture("campaigns")
    signed_in.press("Each day")
    signed_in.heading("Each day")
    signed_in.press("Cancel the campaign")
    signed_in.press("Cancel the campaign")
    signed_in.sees("Cancelled")


def test_campaigns_are_listed_by_state(signed_in):
    names = lambda: [link.text for link in signed_in.all("tbody a")]  # noqa: E731
    signed_in.open(PROJECT + "/campaigns")
    assert {"Each day", "Spring"} < set(names())
    signed_in.choose("State", "Cancelled")
    signed_in.press("Show")
    signed_in.wait(lambda _: names() == ["Each day"], "the cancelled one")
    signed_in.choose("State", "Failed")
    signed_in.press("Show")
    signed_in.sees("No campaign is in this state.")
    signed_in.press("Show all")
    signed_in.wait(lambda _: len(names()) > 2, "all")


# Afterwards


def test_the_report_counts_what_happened(signed_in, phone):
    signed_in.open(PROJECT + "/reports")
    signed_in.find("svg.chart polyline")
    rows = signed_in.all("tfoot tr td, tfoot tr th")
    assert rows[0].text == "All" and int(rows[1].text) >= 2
    assert int(rows[6].text) >= 1, "the tap counts as opened"
    signed_in.picture("reports")
    address = next(a for a in signed_in.all("a[download]") if a.text == "CSV").get_attribute("href")
    csv = signed_in.driver.execute_async_script(
        "fetch(arguments[0]).then((answer) => answer.text()).then(arguments[1])", address)
    assert "targeted" in csv.splitlines()[0]


def test_a_report_by_campaign_and_by_app_has_names(signed_in):
    for group, names in [("Campaign", {"Spring", SCRIPT}), ("App", {"Push demo (Apple)"})]:
        signed_in.open(PROJECT + "/reports")
        signed_in.choose("By", group)
        signed_in.press("Show")
        signed_in.wait(lambda _, g=group: signed_in.find("thead th").text == g, f"the report by {group}")
        assert names <= {each.text for each in signed_in.all("tbody th")}


def test_the_inspector_finds_messages_by_token_and_by_id(emulator, signed_in, phone):
    token = emulator.control("devices/" + phone)["token"]
    signed_in.open(PROJECT + "/messages")
    signed_in.fill("Search for", token)
    signed_in.press("Search")
    signed_in.wait(lambda _: len(signed_in.all("tbody tr")) >= 2, "its messages")
    signed_in.picture("messages")
    signed_in.press("Later")
    signed_in.heading("Later")
    signed_in.sees("APNs answered 200")
    identifier = signed_in.find(".facts code").text
    signed_in.open(PROJECT + "/messages?q=" + identifier)
    assert [link.text for link in signed_in.all("tbody a")] == ["Later"]


def test_messages_are_watched_live(emulator, signed_in, phone):
    signed_in.open(PROJECT + "/messages")
    signed_in.press("Watch live")
    signed_in.sees("Waiting for messages")
    status, answer = emulator.call(
        "/fcm/send", {"to": emulator.control("devices/" + phone)["token"], "notification": {"title": "Seen live"}},
        headers={"Authorization": "key=" + emulator.ready["server_key"]})
    assert status == 200 and json.loads(answer)["success"] == 1, answer
    signed_in.wait(lambda _: "Seen live" in signed_in.find("ol.log").text, "the message")
    signed_in.press("Watch live")


def test_device_and_topic_have_their_pages(emulator, signed_in, phone):
    emulator.control(f"devices/{phone}:subscribe", {"topic": "weather"})
    fid = emulator.control("devices/" + phone)["fid"]
    signed_in.open(PROJECT + "/devices")
    signed_in.press(fid)
    signed_in.heading()
    signed_in.sees("weather")
    signed_in.picture("device")
    signed_in.press("weather")
    signed_in.heading("weather")
    signed_in.sees("1 member")
    signed_in.picture("topic")


# For everybody


#: `/*`: the first of the list there.
PAGES = [
    "projects", PROJECT, PROJECT + "/iphones", PROJECT + "/campaigns", PROJECT + "/campaigns/*", PROJECT + "/reports",
    PROJECT + "/messages", PROJECT + "/messages/*", PROJECT + "/devices", PROJECT + "/devices/*", PROJECT + "/topics",
    PROJECT + "/topics/*", PROJECT + "/apps", PROJECT + "/keys", "users", "users/*", "audit", "server", "account",
]
STEPS = ["1. Compose", "2. Target", "3. Schedule", "4. Options", "5. Review"]
DIALOGS = [
    ("projects", "New project"), (PROJECT, "Rename"), (PROJECT + "/apps", "Add an app"),
    (PROJECT + "/keys", "Upload a key"), (PROJECT + "/keys", "Upload a certificate"), ("users", "Add a person"),
    ("account", "New token"),
]


def examine(console, name):
    """What holds for everything on show: names for screen readers, contrasts, room on a phone. Keeps pictures of it."""
    assert console.script(NAMELESS) == []
    try:
        for theme in ["light", "dark"]:
            console.script("document.documentElement.dataset.theme = arguments[0]", theme)
            assert console.script(PALE) == [], theme
            console.picture(f"{name}-{theme}")
            console.hold_as_phone()
            assert console.script("return document.documentElement.scrollWidth") <= 360
            assert console.script(NAMELESS) == []
            console.picture(f"{name}-phone-{theme}")
            console.hold_as_desktop()
    finally:
        console.hold_as_desktop()
        console.script("document.documentElement.dataset.theme = 'light'")


@pytest.mark.parametrize("place", PAGES)
def test_each_page_has_names_one_heading_the_focus_and_room_on_a_phone(signed_in, place):
    signed_in.open("nowhere")
    signed_in.heading("There is no such page")
    title = signed_in.open(place.removesuffix("/*"))
    if place.endswith("/*"):
        signed_in.find("tbody a").click()
        signed_in.wait(lambda _: signed_in.heading() != title, "the first of them")
    assert len(signed_in.all("h1")) == 1
    assert signed_in.script("return document.activeElement.closest('main') !== null"), "the focus moves to the page"
    assert len(signed_in.all("main")) == 1 and len(signed_in.all("nav[aria-label]")) >= 1
    examine(signed_in, "page-" + place.removeprefix("projects/").replace("/*", "-one").replace("/", "-"))


def test_each_step_of_the_composer_is_as_good(signed_in):
    compose(signed_in, "Hello 👋", "A text of some length, so that one sees how it is folded when it does not fit.")
    for step in STEPS:
        signed_in.press(step)
        assert signed_in.script("return document.activeElement.closest('main') !== null")
        if step == "2. Target":
            signed_in.press("Add a rule")
        if step == "3. Schedule":
            signed_in.choose("Weekly", "")
            signed_in.find(".occurrences time")
        if step == "5. Review":
            signed_in.sees("Everything is in order.")
        examine(signed_in, "composer-" + step[3:].lower())
        if step == "2. Target":
            signed_in.press("Remove rule 1: App")


@pytest.mark.parametrize("place, name", DIALOGS)
def test_each_dialog_is_as_good_and_gives_the_focus_back(signed_in, place, name):
    signed_in.open(place)
    signed_in.press(name)
    signed_in.find("dialog")
    assert signed_in.script("return document.activeElement.closest('dialog') !== null")
    examine(signed_in, "dialog-" + name.lower().replace(" ", "-"))
    ActionChains(signed_in.driver).send_keys("\ue00c").perform()
    signed_in.wait(lambda _: not signed_in.all("dialog"), "the end of the dialog")
    assert name in signed_in.script("return document.activeElement.textContent")


def test_the_keyboard_alone_reaches_the_content(signed_in):
    signed_in.open(PROJECT + "/messages")
    # A page that is loaded anew has the focus where every page begins.
    signed_in.open(PROJECT + "/messages")
    body = signed_in.driver.find_element("tag name", "body")
    body.send_keys("\ue004")
    assert signed_in.driver.switch_to.active_element.text == "Skip to content"
    signed_in.driver.switch_to.active_element.send_keys("\ue007")
    assert signed_in.driver.switch_to.active_element.text == "Messages"


def test_a_person_who_was_added_chooses_a_password_and_only_looks(signed_in):
    signed_in.press("Sign out")
    signed_in.sign_in_as("viewer", "a long enough password")
    signed_in.heading("Choose a new password")
    signed_in.fill("Password now", "a long enough password")
    signed_in.fill("New password", "known to the viewer alone")
    signed_in.press("Set the password")
    signed_in.heading("Weather ⛅")
    assert "New campaign" not in signed_in.text() and "People" not in signed_in.text()
    signed_in.open("projects/demo-weather/keys")
    assert "Upload a key" not in signed_in.text()
    assert signed_in.open(PROJECT) == "Not found"


def test_nothing_left_the_origin_and_the_policy_was_kept(signed_in):
    foreign = [url for url in signed_in.requests() if not url.startswith((signed_in.origin, "data:", "blob:", "chrome:", "about:"))]
    assert foreign == []
    assert signed_in.complaints() == []
