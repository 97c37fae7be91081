"""A client in a process of its own: it prints what it sees as lines and takes commands as lines of JSON."""
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time

CLIENTS = pathlib.Path(__file__).parent / "clients"
PATIENCE = 60


class LineProcess:
    """A process that gives a line for each event and takes commands as lines of JSON."""

    def __init__(self, command, environment=None):
        self.events, self.waiting = queue.Queue(), []
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True,
            env=os.environ | (environment or {}))
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def read(self):
        for line in self.process.stdout:
            self.events.put(self.parsed(line))
        self.events.put({"event": "ended"})

    def parsed(self, line):
        return json.loads(line)

    def tell(self, command, **fields):
        """Gives the client a command."""
        self.process.stdin.write(json.dumps({"command": command} | fields) + "\n")
        self.process.stdin.flush()

    def next(self, seconds=PATIENCE, what="event"):
        """The next new event, whatever it is."""
        try:
            return self.events.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"no {what} within {seconds:.0f} s; {self.story()}") from None

    def expect(self, event_name, /, seconds=PATIENCE, **wanted):
        """The next event of this name with these fields; others stay for later."""
        return self.expect_where(
            lambda event: event["event"] == event_name and all(event.get(k) == v for k, v in wanted.items()),
            f"{event_name} {wanted or ''}", seconds)

    def expect_where(self, matches, what, seconds=PATIENCE):
        """The next event that matches; others stay for later."""
        until = time.monotonic() + seconds
        for place, event in enumerate(self.waiting):
            if matches(event):
                return self.waiting.pop(place)
        while not matches(event := self.next(max(0.01, until - time.monotonic()), what)):
            assert event["event"] != "ended", f"the process ended without {what}; {self.story()}"
            self.waiting.append(event)
        return event

    def ask(self, command, **fields):
        """Gives a command and returns the event of the same name that answers it."""
        self.tell(command, **fields)
        return self.expect(command)

    def story(self):
        self.errors.seek(0)
        return f"other events: {self.waiting}; the process said:\n{self.errors.read()[-4000:]}"

    def close(self):
        """Ends the process as it wants to be ended, else by force."""
        try:
            self.process.stdin.close()
            self.process.wait(timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.errors.close()


class ClientProcess(LineProcess):
    """Runs one of `clients/`. Google's host names lead to the emulator's listeners there, and its CA is trusted."""

    def __init__(self, emulator, program, *, environment=None, **settings):
        ready = emulator.ready
        super().__init__([sys.executable, str(CLIENTS / program)], {
            # Before the client is imported: some build their TLS contexts then.
            "SSL_CERT_FILE": ready["ca"], "PHAROS_HTTPS": ready["https"].removeprefix("https://"),
            "PHAROS_MCS": ready["mcs"] or "", "PHAROS_XMPP": ready["xmpp"] or "",
        } | (environment or {}))
        self.tell("settings", **settings)
