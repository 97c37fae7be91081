"""Markup that somebody writes into a text field of the console stays text: in the answer, and where it is shown later."""
import json
import re

import pytest

from console_browser import ROOT, Console
from emulator import Emulator

PROJECT = "projects/demo-pharos"
PASSWORD = "a long enough password"
MARKUP = "<img src=x onerror=\"window.hit=1\"><script>window.hit=1</script>"
#: For values of properties, which are short.
SHORT_MARKUP = "<img src=x onerror=window.hit=1>"
NO_TEXT = ["checkbox", "radio", "number", "date", "time", "datetime-local", "file"]

#: Writes a text into each text field on show, and returns the fields' names.
WRITE = f"""
const root = document.querySelector('dialog[open]') ?? document.querySelector('main');
const isText = (each) => each.checkVisibility() && !{NO_TEXT}.includes(each.type);
return [...root.querySelectorAll('input, textarea')].filter(isText).map((each) => {{
    each.form?.setAttribute('data-written', '');
    each.value = arguments[1][each.name] ?? arguments[0];
    for (const name of ['input', 'change']) each.dispatchEvent(new Event(name, {{ bubbles: true }}));
    return each.name || each.ariaLabel;
}});
"""
#: Sends the forms on show in which something was written.
SEND = """
const forms = document.querySelectorAll('form[data-written]');
for (const form of forms) form.requestSubmit();
return forms.length;
"""
BUSY = "return document.querySelector('button[type=submit]:disabled, .actions > button:disabled, main[aria-busy]') !== null"
#: What markup would have made, had it been parsed.
MADE = """
return window.hit !== undefined || document.querySelector('img[src="x"], [onerror]') !== null
    || [...document.scripts].some((each) => each.textContent.includes('hit'));
"""


def composing(step, *presses):
    """A step of a new campaign; it is kept as a draft."""
    def screen(console):
        console.open(PROJECT + "/campaigns/new")
        console.press(step)
        for name in presses:
            console.press(name)
    return screen


def pressing(place, *names):
    def screen(console):
        console.open(place)
        for name in names:
            console.press(name)
    return screen


def targeting(kind):
    def screen(console):
        composing("2. Target")(console)
        console.choose(kind, "")
    return screen


def rules(console):
    composing("2. Target")(console)
    for kind in ["App version", "Language", "Country", "Custom property"]:
        console.choose("Kind of the new rule", kind)
        console.press("Add a rule")


def device(console):
    console.open(PROJECT + "/devices")
    console.find("tbody a").click()
    console.wait(lambda _: "Send a test" in console.text(), "the device's page")


def person(console):
    console.open("users")
    console.press("reader")
    console.heading("reader")


#: By the file that makes them: how to come to the fields, their names, and values with which the server takes the rest.
SCREENS = [
    ("pages/apps.js", pressing(PROJECT + "/apps", "Add an app"), {"bundleId", "displayName"}, {"bundleId": "com.example.text"}),
    ("pages/overview.js", pressing(PROJECT, "Rename"), {"displayName"}, {}),
    ("pages/projects.js", pressing("projects", "New project"), {"displayName", "projectId"}, {"projectId": "demo-markup"}),
    ("pages/keys/upload.js", pressing(PROJECT + "/keys", "Upload a key"), {"key", "keyId", "teamId", "bundleIds"}, {}),
    ("pages/keys/upload.js", pressing(PROJECT + "/keys", "Upload a certificate"), {"password", "key", "bundleIds"}, {}),
    ("pages/composer/compose.js", composing("1. Compose"), {"title", "body", "imageUrl", "name"}, {"imageUrl": ""}),
    ("pages/composer/test-message.js", composing("1. Compose"), {"targets"}, {}),
    ("pages/composer/segment-rules.js", rules, {"value", "codes", "name"}, {"codes": "de"}),
    ("pages/composer/target.js", targeting("A topic"), {"topic"}, {}),
    ("pages/composer/target.js", targeting("A condition"), {"condition"}, {}),
    ("pages/composer/target.js", targeting("One device"), {"device"}, {}),
    ("pages/composer/options.js", composing("4. Options"),
     {"clickAction", "analyticsLabel", "conversionEvent", "androidChannel"}, {"analyticsLabel": "", "conversionEvent": ""}),
    ("pages/composer/pairs.js", composing("4. Options", "Add a pair"), {"Key of pair 1", "Value of pair 1"},
     {"analyticsLabel": "", "conversionEvent": ""}),
    ("pages/iphones/quick-send.js", pressing(PROJECT + "/iphones"), {"title", "body"}, {}),
    ("pages/device/forms.js", device, {"title", "body", "properties"}, {"properties": f"note = {SHORT_MARKUP}"}),
    ("components/filters.js", pressing(PROJECT + "/devices"), {"q"}, {}),
    ("components/filters.js", pressing(PROJECT + "/topics"), {"q"}, {}),
    ("pages/messages.js", pressing(PROJECT + "/messages"), {"q", "topic", "label", "campaignId"}, {}),
    ("pages/reports.js", pressing(PROJECT + "/reports"), {"label"}, {}),
    ("pages/users.js", pressing("users", "Add a person"), {"name", "password"}, {"name": "reader", "password": PASSWORD}),
    ("pages/user.js", person, {"password"}, {"password": PASSWORD}),
    ("pages/account.js", pressing("account"), {"old", "new"}, {}),
    ("pages/account.js", pressing("account", "New token"), {"name"}, {}),
]
#: Those that are seen before the console is: tested by name below.
FRAMELESS = {"pages/sign-in.js", "pages/new-password.js"}


@pytest.fixture(scope="module")
def emulator(pharos):
    with Emulator(pharos) as emulator:
        phone, = emulator.devices("classic", foreground=False)
        emulator.control(f"devices/{phone['device']}:subscribe", {"topic": "news"})
        yield emulator


@pytest.fixture(scope="module")
def console(emulator):
    console = Console(emulator.ready["http"], emulator.ready["admin_password"])
    console.driver.get(console.origin)
    yield console
    console.close()


def written(console, values):
    """Writes markup into each field, sends it, and checks that it stayed text. Returns the fields' names."""
    names = set(console.script(WRITE, MARKUP, values))
    assert console.script(SEND) > 0
    console.wait(lambda _: not console.script(BUSY), "the answer")
    stays_text(console)
    if console.all(".steps"):
        console.press("5. Review")
        console.wait(lambda _: "Asking the server" not in console.text(), "the review")
        stays_text(console)
        console.press("Save as draft")
        console.wait(lambda _: not console.script(BUSY), "the answer")
        stays_text(console)
    return names


def stays_text(console):
    assert console.script(MADE) is False


def test_every_file_that_makes_a_text_field_is_tested_here():
    makes = re.compile(r"\b(?:input|textArea|searchField)\(|h\(\s*'(?:input|textarea)'")
    web = ROOT / "Web"
    files = {file.relative_to(web).as_posix() for file in web.rglob("*.js") if makes.search(file.read_text())}
    # What makes fields for others, and fields that take no text.
    files -= {"components/form.js", "pages/composer/schedule.js", "pages/iphones/switches.js"}
    searching = {file for file in files if set(makes.findall((web / file).read_text())) == {"searchField("}}
    assert files - searching == {file for file, *_ in SCREENS} | FRAMELESS


def test_every_named_text_field_of_these_files_is_among_those_that_are_written_into():
    literal = re.compile(r"\b(?:input|textArea|text|pem|appleId)\(\s*'(\w+)'(?:,\s*\{\s*type: '([a-z-]+)')?")
    for file in {file for file, *_ in SCREENS}:
        found = {name for name, kind in literal.findall((ROOT / "Web" / file).read_text()) if kind not in NO_TEXT}
        known = set().union(*(names for each, _, names, _ in SCREENS if each == file))
        assert found - {"expiry", "badge"} <= known, file


def test_the_fields_of_the_way_in(console):
    console.heading("Sign in to Pharos")
    assert written(console, {}) == {"name", "password"}
    console.open()
    console.sign_in()


@pytest.mark.parametrize(
    "screen, names, values", [row[1:] for row in SCREENS], ids=[f"{row[0]}: {'/'.join(sorted(row[2]))}" for row in SCREENS])
def test_the_fields_of(console, screen, names, values):
    screen(console)
    assert names <= written(console, {})
    # Once more, so that the server takes and keeps it.
    if values:
        if console.all("dialog"):
            console.press("Cancel")
        screen(console)
        written(console, values)


def test_what_was_kept_is_shown_as_text(emulator, console):
    def shows(place, *presses):
        console.open(place)
        for name in presses:
            console.press(name)
        console.sees(MARKUP)
        stays_text(console)

    shows(PROJECT)
    shows("projects")
    shows(PROJECT + "/apps")
    shows(PROJECT + "/campaigns")
    shows(PROJECT + "/campaigns", MARKUP)
    shows(PROJECT + "/messages")
    shows(PROJECT + "/messages", MARKUP)
    shows(PROJECT + "/iphones")
    shows("account")
    device(console)
    assert SHORT_MARKUP in console.control("Properties").get_attribute("value")
    stays_text(console)
    assert json.loads(emulator.pushes()[-1]["body"])["aps"]["alert"]["title"] == MARKUP
    for place in ["audit", "users", PROJECT + "/reports", PROJECT + "/devices", PROJECT + "/topics", "server"]:
        console.open(place)
        stays_text(console)


def test_the_fields_of_the_first_password(console):
    console.press("Sign out")
    console.sign_in_as("reader", PASSWORD)
    console.heading("Choose a new password")
    assert written(console, {}) == {"old", "new"}
