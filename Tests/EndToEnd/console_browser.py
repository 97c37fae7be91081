"""The console in Debian's Chromium, driven by Selenium as a person would: by labels and the names of buttons."""
import json
import os
import pathlib
import socket

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, NoSuchElementException, StaleElementReferenceException)
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 30
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCREENSHOTS = pathlib.Path(os.environ.get("PHAROS_SCREENSHOTS", ROOT / ".build" / "screenshots"))
DATES = {"date", "time", "datetime-local"}


class Console:
    """A browser whose way out is shut: what is not on this machine is not reached."""

    def __init__(self, origin, password=None):
        self.origin = origin
        self.password = password
        self.seen = []
        self.is_phone = False
        # A port that nobody listens on, as long as this socket holds it: the way out for all but loopback.
        self.dead_end = socket.socket()
        self.dead_end.bind(("127.0.0.1", 0))
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for word in [
                "headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1280,900",
                "lang=en-US", "disable-background-networking", "disable-component-update",
                f"proxy-server=127.0.0.1:{self.dead_end.getsockname()[1]}"]:
            options.add_argument("--" + word)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "UTC"})
        self.script = self.driver.execute_script

    def close(self):
        self.driver.quit()
        self.dead_end.close()

    # Going somewhere

    def open(self, place=""):
        """Goes to a page of the console and waits until it is there."""
        address = f"{self.origin}/#/{place}"
        if self.driver.current_url == address:
            self.driver.refresh()
        elif self.driver.current_url.startswith(self.origin):
            self.script(GO, "#/" + place)
        else:
            self.driver.get(address)
        return self.heading()

    def heading(self, text=None):
        """The page's heading once there is one, or this one."""
        def there(_):
            headings = self.driver.find_elements(By.CSS_SELECTOR, "main:not([aria-busy]) h1")
            return headings and (text is None or headings[0].text == text) and headings[0].text
        return self.wait(there, f"the heading {text or ''}")

    def sign_in_as(self, name, password):
        """Fills the form of the sign-in. What comes then is not waited for."""
        self.heading("Sign in to Pharos")
        self.fill("Name", name)
        self.fill("Password", password)
        self.press("Sign in")

    def sign_in(self, name="admin", password=None):
        self.sign_in_as(name, password or self.password)
        self.wait(lambda _: self.driver.find_elements(By.CSS_SELECTOR, "#sections a"), "the navigation")
        return self.heading()

    # Looking

    def wait(self, condition, what="it", seconds=PATIENCE):
        waiting = WebDriverWait(
            self.driver, seconds, 0.05, [NoSuchElementException, StaleElementReferenceException])
        try:
            return waiting.until(condition)
        except Exception:
            self.picture("failed")
            raise AssertionError(f"no {what} within {seconds} s; the page says:\n{self.text()[-3000:]}") from None

    def text(self):
        return self.driver.find_element(By.TAG_NAME, "body").text

    def sees(self, text, seconds=PATIENCE):
        self.wait(lambda _: text in self.text(), f"text {text!r}", seconds)

    def find(self, css):
        """The first element, once it is there and shown."""
        def shown(_):
            return next((e for e in self.driver.find_elements(By.CSS_SELECTOR, css) if e.is_displayed()), None)
        return self.wait(shown, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def picture(self, name):
        """Keeps a picture of the whole page for people to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        width, height = self.script("return [innerWidth, Math.min(3000, document.documentElement.scrollHeight)]")
        self.draw_at(width, height)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))
        self.hold_as_phone() if self.is_phone else self.hold_as_desktop()

    def hold_as_phone(self):
        self.is_phone = True
        self.draw_at(360, 740)

    def hold_as_desktop(self):
        self.is_phone = False
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def draw_at(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": self.is_phone})

    # Doing

    def control(self, label):
        """The input, select or text area with this label: the one in an open dialog first."""
        return self.wait(lambda _: self.script(CONTROL, label), f"control {label!r}")

    def fill(self, label, text):
        """Types a text in the place of the one there. Emoji too, which WebDriver's keys have not."""
        control = self.control(label)
        if control.get_attribute("type") in DATES:
            self.script(SET_VALUE, control, text)
            return
        self.script("arguments[0].focus(); arguments[0].select()", control)
        control.send_keys(Keys.BACKSPACE)
        if text:
            self.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def choose(self, label, text):
        """Takes a choice of a select, or ticks a box or radio button."""
        control = self.control(label)
        if control.tag_name == "select":
            self.script(CHOOSE, control, text)
        elif not control.is_selected():
            control.click()

    def press(self, name):
        """Presses the button or follows the link with this accessible name or text."""
        self.wait(lambda _: self.pressed(name), f"button {name!r}")

    def pressed(self, name):
        """Whether the button was there, and stayed until it was pressed: pages draw parts of themselves anew."""
        element = self.script(BUTTON, name)
        if element is None:
            return False
        try:
            self.script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
        except (ElementClickInterceptedException, StaleElementReferenceException):
            return False
        return True

    def keys(self, *texts):
        """Presses keys, wherever the focus is."""
        for text in texts:
            ActionChains(self.driver).send_keys(text).perform()

    def tab_to(self, name, backwards=False):
        """Presses the tabulator until the control of this name has the focus; each on the way has to show that it has it."""
        for _ in range(80):
            self.keys(Keys.SHIFT + Keys.TAB + Keys.NULL if backwards else Keys.TAB)
            found, is_shown = self.script(FOCUSED)
            assert is_shown, f"{found} does not show that it has the focus"
            if found == name:
                return
        raise AssertionError(f"the tabulator does not come to {name}")

    # What left the page

    def requests(self):
        """The addresses of all requests of the browser's pages so far."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.seen.append(message["params"]["request"]["url"])
        return self.seen

    def complaints(self):
        """What the browser's console says, without the answers of a server that refuses on purpose."""
        return [
            entry["message"] for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and "status of 4" not in entry["message"]]


#: Goes to a page in one step, so that a page which was asked for before cannot come in between.
GO = """
history.pushState(null, '', arguments[0]);
document.querySelector('main').replaceChildren();
dispatchEvent(new HashChangeEvent('hashchange'));
"""
#: Finds a control by the text of its label: the words before any explanation.
CONTROL = """
const wanted = arguments[0];
const root = document.querySelector('dialog[open]') ?? document;
for (const label of root.querySelectorAll('label')) {
    const words = label.firstChild?.nodeType === Node.TEXT_NODE ? label.firstChild.textContent : label.textContent;
    if (words.trim() === wanted && label.control && label.control.checkVisibility()) return label.control;
}
return [...root.querySelectorAll('input, select, textarea')].find((each) => each.ariaLabel === wanted && each.checkVisibility());
"""
BUTTON = """
const root = document.querySelector('dialog[open]') ?? document;
const name = (each) => each.getAttribute('aria-label') ?? each.textContent.trim();
return [...root.querySelectorAll('button, a')].find((each) => name(each) === arguments[0] && each.checkVisibility() && !each.disabled);
"""
#: The name of what has the focus, and whether one sees that it has it.
FOCUSED = """
const each = document.activeElement;
const name = each.ariaLabel ?? each.labels?.[0]?.firstChild?.textContent ?? each.textContent.trim();
return [name, each === document.body || getComputedStyle(each).outlineStyle !== 'none'];
"""
SET_VALUE = """
arguments[0].value = arguments[1];
for (const name of ['input', 'change']) arguments[0].dispatchEvent(new Event(name, { bubbles: true }));
"""
CHOOSE = """
const [control, text] = arguments;
const option = [...control.options].find((each) => each.textContent === text || each.value === text);
if (!option) throw new Error(`no choice ${text}`);
control.value = option.value;
for (const name of ['input', 'change']) control.dispatchEvent(new Event(name, { bubbles: true }));
"""
#: Controls without a name that a screen reader could say, and images without alternative text.
NAMELESS = """
const text = (id) => document.getElementById(id)?.textContent ?? '';
const name = (each) => [each.ariaLabel, (each.getAttribute('aria-labelledby') ?? '').split(' ').map(text).join(''),
    ...[...(each.labels ?? [])].map((label) => label.textContent), ['BUTTON', 'A', 'SUMMARY'].includes(each.tagName) && each.textContent]
    .filter(Boolean).join('').trim();
const controls = [...document.querySelectorAll('button, a, input:not([type=hidden]), select, textarea, summary, [role=region], dialog')];
return [...controls.filter((each) => each.checkVisibility() && !name(each)), ...document.querySelectorAll('img:not([alt])')]
    .map((each) => each.outerHTML.slice(0, 200));
"""
#: Texts whose colours do not stand apart as WCAG's AA asks: 4.5 to 1, or 3 to 1 for large ones.
PALE = """
const channels = (colour) => {
    const context = document.createElement('canvas').getContext('2d');
    context.fillStyle = colour; context.fillRect(0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data;
};
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, place) => sum + c * [.2126, .7152, .0722][place], 0);
const ground = (each) => {
    for (let e = each; e; e = e.parentElement) {
        const style = getComputedStyle(e);
        if (style.backgroundImage !== 'none') return undefined;
        const colour = channels(style.backgroundColor);
        if (colour[3] === 255) return colour;
        if (colour[3] > 0) return undefined;
    }
    return [255, 255, 255];
};
return [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() && !each.closest(':disabled')
    && [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim())).filter((each) => {
    const behind = ground(each);
    if (!behind) return false;
    const style = getComputedStyle(each);
    const [one, other] = [light(channels(style.color)), light(behind)];
    const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    return (Math.max(one, other) + .05) / (Math.min(one, other) + .05) < (isLarge ? 3 : 4.5);
}).map((each) => `${each.tagName} ${each.className} ${each.textContent.slice(0, 40)}`);
"""
