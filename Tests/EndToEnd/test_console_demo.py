"""Who has never seen the project: runs scripts/demo, opens the printed address, signs in as printed, and sends a
notification to a virtual iPhone, by what the pages say alone."""
import os
import re
import signal
import subprocess
import threading

import pytest
from selenium.webdriver.common.keys import Keys

from console_browser import ROOT, Console

PATIENCE_SECONDS = 180


class Demo:
    """scripts/demo as a person starts it, and what it printed."""

    def __init__(self, pharos):
        self.process = subprocess.Popen(
            [ROOT / "scripts" / "demo"], env=os.environ | {"PHAROS_BIN": str(pharos)}, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
        self.printed = ""
        alarm = threading.Timer(PATIENCE_SECONDS, self.interrupt)
        alarm.start()
        for line in self.process.stdout:
            self.printed += line
            if line.strip().startswith("Password"):
                break
        alarm.cancel()

    def says(self, word):
        found = re.search(rf"^ *{word} +(\S+)$", self.printed, re.M)
        assert found, self.printed[-2000:]
        return found[1]

    def interrupt(self):
        """Ctrl-C goes to all that the terminal runs."""
        os.killpg(self.process.pid, signal.SIGINT)

    def close(self):
        if self.process.poll() is None:
            self.interrupt()
        self.process.communicate(timeout=60)


@pytest.fixture(scope="module")
def demo(pharos):
    demo = Demo(pharos)
    yield demo
    demo.close()


@pytest.fixture(scope="module")
def console(demo):
    console = Console(demo.says("Address").rstrip("/"))
    yield console
    console.close()


def test_a_stranger_sends_a_notification_after_reading_only_what_is_printed(demo, console):
    console.driver.get(demo.says("Address"))
    console.sign_in(demo.says("Name"), demo.says("Password"))
    console.picture("demo-first-page")
    console.press("Open the virtual iPhones")
    console.heading("Virtual iPhones")
    console.press("Send it")
    arrived = console.find("[data-device=iphone-1] .tray button")
    assert "Hello 👋" in arrived.text and "Your first notification." in arrived.text
    console.picture("demo-arrived")
    console.press("What became of it")
    console.heading("Hello 👋")
    console.sees("APNs answered 200")


def test_each_of_the_phones_of_the_demonstration_can_be_written_to(console):
    console.open("projects/demo-pharos/iphones")
    names = [section.get_attribute("data-device") for section in console.all("[data-device]")]
    assert len(names) == 3
    for name in names:
        console.choose("To", name)
        console.fill("Title", f"For {name}")
        console.press("Send it")
        console.wait(lambda _, name=name: f"For {name}" in console.find(f"[data-device={name}] .tray").text, name)


def test_the_keyboard_alone_does_it_too(demo, console):
    console.press("Sign out")
    console.heading("Sign in to Pharos")
    console.keys(demo.says("Name"), Keys.TAB, demo.says("Password"), Keys.ENTER)
    console.heading("Pharos demo")
    console.tab_to("Open the virtual iPhones")
    console.keys(Keys.ENTER)
    console.heading("Virtual iPhones")
    console.tab_to("Title")
    console.keys(Keys.CONTROL + "a" + Keys.NULL, "By keyboard")
    console.tab_to("Send it")
    console.keys(Keys.SPACE)
    console.wait(lambda _: "By keyboard" in console.find("[data-device=iphone-1] .tray").text, "the notification")
    console.tab_to("Tap the newest")
    console.keys(Keys.ENTER)
    console.find("[data-device=iphone-1] .app-open")


def test_on_a_phone_the_menu_opens_and_closes_by_keyboard_too(console):
    console.hold_as_phone()
    console.open("projects/demo-pharos")
    console.tab_to("Menu", backwards=True)
    console.keys(Keys.ENTER)
    console.tab_to("Virtual iPhones")
    console.picture("menu-phone")
    console.keys(Keys.ENTER)
    console.heading("Virtual iPhones")
    assert not console.script("return document.querySelector('#sections').checkVisibility()")
    console.hold_as_desktop()


def test_when_the_server_is_gone_the_page_says_what_to_do(demo, console):
    demo.interrupt()
    demo.process.wait(timeout=60)
    console.script("location.hash = '#/server'")
    console.sees("The server does not answer. Is it running?")
    console.sees("Try again")
    console.picture("server-gone")
