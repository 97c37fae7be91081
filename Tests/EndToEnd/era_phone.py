"""An app of an earlier year in a process of its own, which is a virtual iPhone: it prints what the app prints and what happens
on the phone, and takes what its user does as lines of JSON."""
import itertools
import json
import os
import pathlib
import plistlib
import tempfile

from client_process import LineProcess

ROOT = pathlib.Path(__file__).resolve().parents[2]
APPS = ROOT / "Tests/Support/EraApps"
numbers = itertools.count(1)


class EraPhone(LineProcess):
    """A phone with one of the apps of `Tests/Support/EraApps`. Lines of the app itself are events `print`."""

    def __init__(self, emulator, app, *arguments, **info):
        """`info`: changes to the app's Info.plist."""
        program = pathlib.Path(emulator.pharos).parent / app
        assert program.exists(), f"{program} is missing: swift build"
        self.app, self.emulator = app, emulator
        self.folder = tempfile.TemporaryDirectory()
        values = plistlib.loads((APPS / app / "Info.plist").read_bytes()) | info
        plist = pathlib.Path(self.folder.name) / "Info.plist"
        plist.write_bytes(plistlib.dumps(values))
        ready = emulator.ready
        self.name = f"{app}-{os.getpid()}-{next(numbers)}"
        super().__init__([
            str(program), "--plist", ready["plist"], "--info", str(plist),
            "--simulator", ready["http"] + "/emulator/v1/simulator", "--ca", ready["ca"], "--name", self.name,
            *arguments])

    def parsed(self, line):
        return json.loads(line) if line.startswith("{") else {"event": "print", "text": line.rstrip("\n")}

    def says(self, start, seconds=60):
        """The rest of the next line that the app prints with this start."""
        event = self.expect_where(
            lambda event: event["event"] == "print" and event["text"].startswith(start), repr(start), seconds)
        return event["text"].removeprefix(start).strip()

    def heard(self, start):
        """Whether the app has printed such a line that nobody asked for."""
        self.ask("state")
        return any(event["event"] == "print" and event["text"].startswith(start) for event in self.waiting)

    def do(self, command, **fields):
        """The user does something; returns the state of the phone."""
        state = self.ask(command, **fields)
        assert "error" not in state, (state, self.story())
        return state

    def link(self, url):
        return self.do("open", url=url)

    @property
    def tray(self):
        return self.do("state")["tray"]

    @property
    def apns_token(self):
        return self.do("state")["apns_token"]

    def close(self):
        super().close()
        self.folder.cleanup()
