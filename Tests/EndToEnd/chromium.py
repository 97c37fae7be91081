"""Debian's Chromium as a receiver: web push in a page, and `chrome.gcm` in an extension. Driven over DevTools."""
import functools
import http.server
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import websocket

FOLDER = pathlib.Path(__file__).parent / "browser"
PATIENCE = 60


class Site:
    """Serves a folder on 127.0.0.1, which browsers count as secure."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Chromium:
    """A browser with a profile of its own. Its GCM goes to the emulator; Google's other hosts lead nowhere."""

    def __init__(self, emulator, extension=None):
        self.emulator, self.extension = emulator, extension
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="pharos-chromium-"))
        self.process = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def start(self):
        ready = self.emulator.ready
        https = ready["https"].replace("127.0.0.1", "localhost")
        words = [
            "xvfb-run", "-a", "chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
            f"--user-data-dir={self.profile}", "--remote-debugging-port=0", "--remote-allow-origins=*",
            f"--gcm-checkin-url={https}/checkin", f"--gcm-registration-url={https}/c2dm/register3",
            "--gcm-mcs-endpoint=https://" + ready["mcs"].replace("127.0.0.1", "localhost"),
            "--ignore-certificate-errors", "--disable-component-update",
            # FCM's hosts are the emulator; nothing else leaves the machine.
            "--host-resolver-rules=" + ",".join(
                [f"MAP {host} {ready['https'].removeprefix('https://')}" for host in FCM_HOSTS]
                + ["MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1", "EXCLUDE localhost"])]
        if self.extension:
            words += [f"--load-extension={self.extension}", "--disable-features=DisableLoadExtensionCommandLineSwitch"]
        self.process = subprocess.Popen(
            words + ["about:blank"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            text=True, start_new_session=True, env=os.environ | {"HOME": str(self.profile)})
        address, said = queue.Queue(), []

        def read():
            for line in self.process.stdout:
                said.append(line)
                if found := re.search(r"DevTools listening on (ws://\S+)", line):
                    address.put(found.group(1))
            address.put(None)

        threading.Thread(target=read, daemon=True).start()
        url = address.get(timeout=PATIENCE)
        if not url:
            raise RuntimeError("Chromium did not start:\n" + "".join(said)[-4000:])
        self.devtools = DevTools(url)

    def page(self, url, permissions=()):
        """Opens a page and returns it when it has loaded."""
        if permissions:
            self.devtools.call("Browser.grantPermissions", permissions=list(permissions), origin=url)
        target = self.devtools.call("Target.createTarget", url="about:blank")["targetId"]
        page = Page(self.devtools, target)
        page.go(url)
        return page

    def background(self, extension_name):
        """The service worker of an extension, once it runs."""
        def is_it(target):
            return target["type"] == "service_worker" and target["url"].startswith("chrome-extension://")
        self.devtools.call("Target.setDiscoverTargets", discover=True)
        known = [t for t in self.devtools.call("Target.getTargets")["targetInfos"] if is_it(t)]
        while not known:
            event = self.devtools.event(None, "Target.targetCreated")
            known = [event["targetInfo"]] if is_it(event["targetInfo"]) else []
        return Page(self.devtools, known[0]["targetId"])

    def stop(self):
        """Ends the browser; the profile stays, so that it can be started again."""
        if self.process and self.process.poll() is None:
            self.devtools.call("Browser.close")
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                pass
        self.end_session()

    def end_session(self):
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()

    def close(self):
        self.end_session()
        shutil.rmtree(self.profile, ignore_errors=True)


FCM_HOSTS = [
    "fcm.googleapis.com", "jmt17.google.com", "fcmregistrations.googleapis.com", "firebaseinstallations.googleapis.com"]


class DevTools:
    """Calls and events of the browser's DevTools protocol, on one connection for all its targets."""

    def __init__(self, url):
        self.socket = websocket.create_connection(url, timeout=PATIENCE, suppress_origin=True)
        self.socket.settimeout(None)
        self.changed = threading.Condition()
        self.answers, self.events, self.number, self.ended = {}, [], 0, False
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while text := self.socket.recv():
                message = json.loads(text)
                with self.changed:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                    self.changed.notify_all()
        except (OSError, websocket.WebSocketException):
            pass
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def call(self, method, session=None, **parameters):
        with self.changed:
            self.number += 1
            number = self.number
        message = {"id": number, "method": method, "params": parameters}
        self.socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        with self.changed:
            done = self.changed.wait_for(lambda: number in self.answers or self.ended, PATIENCE)
            assert done, f"{method} was not answered"
            answer = self.answers.pop(number, {"result": {}})
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def event(self, session, method, seconds=PATIENCE, matches=lambda parameters: True):
        """The next event of this kind; those before it stay for others."""
        until = time.monotonic() + seconds
        with self.changed:
            while True:
                for place, event in enumerate(self.events):
                    if (event["method"] == method and event.get("sessionId") == session
                            and matches(event["params"])):
                        return self.events.pop(place)["params"]
                left = until - time.monotonic()
                if left <= 0 or self.ended:
                    raise AssertionError(f"no {method} within {seconds} s; there are {self.events[-20:]}")
                self.changed.wait(left)


class Page:
    """A page or a service worker. What it passes to `tell(event, fields)` is an event of the test."""

    def __init__(self, devtools, target):
        self.devtools = devtools
        self.session = devtools.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        devtools.call("Runtime.enable", self.session)
        devtools.call("Runtime.addBinding", self.session, name="pharosTell")

    def go(self, url):
        self.devtools.call("Page.enable", self.session)
        self.devtools.call("Page.navigate", self.session, url=url)
        self.devtools.event(self.session, "Page.loadEventFired")

    def evaluate(self, expression):
        """The value of an expression, promises awaited."""
        answer = self.devtools.call(
            "Runtime.evaluate", self.session, expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"].get("exception", {}).get("description", answer)))
        return answer["result"].get("value")

    def ask(self, function, *arguments):
        """Calls a function of the page."""
        return self.evaluate(f"{function}({', '.join(json.dumps(argument) for argument in arguments)})")

    def expect(self, event, seconds=PATIENCE, **wanted):
        """The next event that the page told with this name and these fields."""
        def matches(parameters):
            told = json.loads(parameters["payload"])
            return told["event"] == event and all(told.get(key) == value for key, value in wanted.items())
        return json.loads(
            self.devtools.event(self.session, "Runtime.bindingCalled", seconds, matches)["payload"])

    def told(self):
        """Every event that was told and not expected yet."""
        with self.devtools.changed:
            return [
                json.loads(event["params"]["payload"]) for event in self.devtools.events
                if event["method"] == "Runtime.bindingCalled" and event.get("sessionId") == self.session]
