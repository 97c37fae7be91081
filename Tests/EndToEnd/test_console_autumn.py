"""Schedules in the night of autumn in which an hour comes twice, composed in the console and run on the virtual clock."""
import datetime
import json

import pytest

from console_browser import Console
from emulator import Emulator

PROJECT = "projects/demo-pharos"
#: Saturday noon before the clocks of Berlin go from 3 back to 2 in the night.
START = datetime.datetime(2030, 10, 26, 12, tzinfo=datetime.timezone.utc)
HOUR = 3600


@pytest.fixture(scope="module")
def emulator(pharos):
    with Emulator(pharos) as emulator:
        now = emulator.control("clock")["now_ms"] / 1000
        emulator.control("clock", {"advance_seconds": int(START.timestamp() - now)})
        emulator.devices("classic", foreground=False)
        yield emulator


@pytest.fixture(scope="module")
def console(emulator):
    console = Console(emulator.ready["http"], emulator.ready["admin_password"])
    console.driver.get(console.origin)
    console.sign_in()
    yield console
    console.close()


def schedule(console, name, kind, **fields):
    """Composes a campaign up to its schedule; returns the moments that the composer promises."""
    console.open(PROJECT + "/campaigns/new")
    console.fill("Title", name)
    console.fill("Text", "In the night of the change")
    console.press("3. Schedule")
    console.choose(kind, "")
    for label, value in fields.items():
        label = label.replace("_", " ")
        (console.choose if label == "Time zone" else console.fill)(label, value)
    return moments(console)


def moments(console):
    """The moments of the composer once they have not changed for a while: they are asked for when typing pauses."""
    seen = []

    def settled(_):
        times = [(each.get_attribute("datetime")[:16], each.text) for each in console.all(".occurrences time")]
        seen.append(times)
        return len(seen) > 12 and all(times == each for each in seen[-12:]) and times
    return console.wait(settled, "the moments")


def publish(console, name):
    console.press("5. Review")
    console.sees("Everything is in order.")
    console.press("Publish")
    console.heading(name)


def arrived(console, title):
    """How often a notification stands on the lock screen."""
    phone, = console.all("[data-device]")
    return [each.text for each in phone.find_elements("css selector", ".tray .title")].count(title)


def wait_until(emulator, console, text):
    """Moves the clock to a time of that night, UTC."""
    now = emulator.control("clock")["now_ms"] / 1000
    then = datetime.datetime.fromisoformat(text + "+00:00")
    emulator.control("clock", {"advance_seconds": int(then.timestamp() - now)})
    console.open(PROJECT + "/iphones")
    console.sees(then.strftime("%H:%M"))


def test_an_hour_that_comes_twice_is_used_once_and_the_composer_says_which(emulator, console):
    (first, text), = schedule(
        console, "Autumn", "At a time", Date_and_time="2030-10-27T02:30", Time_zone="Europe/Berlin")
    assert first == "2030-10-27T00:30" and "02:30" in text and "+02:00" in text
    console.picture("schedule-autumn")
    publish(console, "Autumn")
    daily = schedule(
        console, "Each night", "Daily", Time="02:30", From="2030-10-27", Until="2030-10-28", Time_zone="Europe/Berlin")
    # Local time stays, so that 25 hours lie between them; the last day is the one that was asked for.
    assert [moment for moment, _ in daily] == ["2030-10-27T00:30", "2030-10-28T01:30"]
    assert "+02:00" in daily[0][1] and "+01:00" in daily[1][1]
    publish(console, "Each night")

    wait_until(emulator, console, "2030-10-27T00:25")
    assert arrived(console, "Autumn") == arrived(console, "Each night") == 0
    emulator.control("clock", {"advance_seconds": 600})
    console.wait(lambda _: arrived(console, "Autumn") == arrived(console, "Each night") == 1, "both")
    wait_until(emulator, console, "2030-10-27T01:45")
    assert arrived(console, "Autumn") == arrived(console, "Each night") == 1
    wait_until(emulator, console, "2030-10-28T01:45")
    console.wait(lambda _: arrived(console, "Each night") == 2, "the second night")
    assert arrived(console, "Autumn") == 1


def test_a_schedule_that_ended_says_so(emulator, console):
    console.open(PROJECT + "/campaigns")
    for name in ["Autumn", "Each night"]:
        console.open(PROJECT + "/campaigns")
        console.press(name)
        console.heading(name)
        console.sees("Completed")
    console.sees("until 2030-10-28")
    assert len(console.all("table tbody tr")) == 2, "it ran twice"
    console.picture("campaign-completed")


def test_each_recipient_gets_it_at_the_time_of_their_own_clock(emulator, console):
    promised = schedule(
        console, "Own clock", "At a time", Date_and_time="2030-10-30T09:00", Time_zone="Each recipient’s own")
    assert promised, "the moments are told"
    console.picture("schedule-recipient")
    publish(console, "Own clock")
    console.sees("in each recipient’s time zone")
    # Apple's apps get it before it is 09:00 anywhere, and show it themselves when their clock says so.
    wait_until(emulator, console, "2030-10-29T18:01")
    console.wait(lambda _: "Own clock" in emulator.pushes()[-1]["body"], "the push")
    assert json.loads(emulator.pushes()[-1]["body"])["google.c.cm.lt_start"] == "2030-10-30 09:00:00"
    wait_until(emulator, console, "2030-10-30T09:01")
    console.open(PROJECT + "/campaigns")
    console.press("Own clock")
    console.heading("Own clock")
    console.sees("Completed")
    console.sees("Apple apps get it ahead")
    assert [each.text for each in console.all("tbody td:nth-child(2)")] == ["UTC", "Europe/Paris", "Apple apps, ahead"]
