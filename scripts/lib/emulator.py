"""Starts `pharos dev` and talks to it. Standard library only, so that every script can use it."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request


class Emulator:
    """A `pharos dev` of its own: free ports, a data directory that goes away with it."""

    def __init__(self, pharos, *options, data_dir=None, start_seconds=60):
        self.pharos = str(pharos)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pharos-"))
        self.data_dir = pathlib.Path(data_dir) if data_dir else self.folder / "data"
        self.apns_log = self.folder / "apns.jsonl"
        self.options = list(options)
        self.start_seconds = start_seconds
        self.process = None
        self.ready = None

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
        """Starts the program and waits for its ready line."""
        listeners = self.free_listeners("http", "https", "device", "xmpp", "apns", "proxy")
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [self.pharos, "dev", "--data-dir", str(self.data_dir), "--apns-log", str(self.apns_log)]
            + listeners + self.options,
            stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"pharos dev did not start:\n{(self.folder / 'log').read_text()[-4000:]}")
        self.ready = json.loads(line)
        return self.ready

    def free_listeners(self, *names):
        """Options for the listeners that the options do not name: any free port."""
        return [
            f"--listen-{name}=127.0.0.1:0" for name in names
            if not any(option.startswith(f"--listen-{name}=") for option in self.options)]

    def keep_ports(self):
        """From the next start on, the listeners have the ports that they have now: clients find them again."""
        for name, field in [
                ("http", "http"), ("https", "https"), ("device", "mcs"), ("xmpp", "xmpp"), ("apns", "apns"),
                ("proxy", "proxy")]:
            if self.ready.get(field) and not any(o.startswith(f"--listen-{name}=") for o in self.options):
                self.options.append(f"--listen-{name}=" + self.ready[field].rsplit("/", 1)[-1])

    def kill(self):
        """Ends the program as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        """Asks the program to end and waits."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                self.kill()

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *words, check=True):
        """Runs another `pharos` command on the same data directory, for the emulator's own project unless the words name
        another, and returns its JSON."""
        project = {"PHAROS_PROJECT": self.ready["project"]} if self.ready and "project" in self.ready else {}
        done = subprocess.run(
            [self.pharos, *words, "--data-dir", str(self.data_dir), "--json"], capture_output=True, text=True,
            env=os.environ | project)
        if check and done.returncode:
            raise RuntimeError(f"pharos {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def call(self, path, body=None, method=None, headers=None, base=None):
        """One HTTP call; returns (status, text)."""
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        request = urllib.request.Request(
            (base or self.ready["http"]) + path, data=data, method=method or ("GET" if data is None else "POST"),
            headers={"Content-Type": "application/json"} | (headers or {}))
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def control(self, path, body=None, method=None):
        """A call of the emulator's own API; returns the JSON."""
        status, text = self.call("/emulator/v1/" + path, body, method)
        if status != 200:
            raise RuntimeError(f"{path}: {status} {text}")
        return json.loads(text)

    def devices(self, mode="classic", count=1, foreground=True):
        """Starts virtual iPhones and waits until they are registered."""
        return self.control("devices", {"mode": mode, "foreground": foreground, "count": count})["devices"]

    def pushes(self):
        """What the APNs simulator got."""
        return self.control("apns")["pushes"]


def pharos_binary():
    """The program under test: $PHAROS_BIN, or the debug build."""
    named = os.environ.get("PHAROS_BIN")
    if named:
        return named
    root = pathlib.Path(__file__).resolve().parents[2]
    return subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip() + "/pharos"
