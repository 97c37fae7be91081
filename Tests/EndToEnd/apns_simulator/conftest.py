"""A `pharos apns-simulator` of its own for these tests, or one that is running already.

To use a running one, set PHAROS_APNS (HOST:PORT), PHAROS_APNS_CONTROL (URL of its control API) and PHAROS_APNS_CA (file).
"""
import json
import os
import signal
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

KEY_ID, TEAM_ID, BUNDLE_ID = "ABC123DEFG", "DEF123GHIJ", "com.example.pushdemo"


class Simulator:
    """Where the simulator listens, and its control API."""

    def __init__(self, apns, control, ca):
        self.host, port = apns.rsplit(":", 1)
        self.port = int(port)
        self.control, self.ca = control.rstrip("/"), ca

    def call(self, path, body=None, method=None):
        """One control call; returns its JSON."""
        request = urllib.request.Request(
            self.control + path, data=None if body is None else json.dumps(body).encode(),
            method=method or ("GET" if body is None else "POST"), headers={"Content-Type": "application/json"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from error

    def register(self, device="phone", bundle_id=BUNDLE_ID, **options):
        """Registers an app on a device, made when needed; returns the device token."""
        self.call("/devices", {"device": device})
        return self.call(f"/devices/{device}/apps", {"bundle_id": bundle_id, **options})["token"]

    def pushes(self, device="phone", after=0, wait_ms=10_000):
        """The deliveries to a device; waits for the first one beyond `after`."""
        return self.call(f"/devices/{device}/pushes?after={after}&wait_ms={wait_ms}")["pushes"]


@pytest.fixture(scope="session")
def running_simulator(request, tmp_path_factory):
    if "PHAROS_APNS" in os.environ:
        yield Simulator(os.environ["PHAROS_APNS"], os.environ["PHAROS_APNS_CONTROL"], os.environ["PHAROS_APNS_CA"])
        return
    folder = tmp_path_factory.mktemp("apns-simulator")
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [str(request.getfixturevalue("pharos")), "apns-simulator", "--data-dir", str(folder / "data"),
             "--listen-apns", "127.0.0.1:0", "--listen-control", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        try:
            line = process.stdout.readline()
            assert line, (folder / "log").read_text()
            ready = json.loads(line)
            yield Simulator(ready["apns"], ready["control"], ready["ca"])
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=15)


@pytest.fixture(scope="session")
def key():
    """The provider key: PEM of the private half."""
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture()
def key_text(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


@pytest.fixture()
def simulator(running_simulator, key):
    """The simulator with nothing in it but one provider key."""
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    running_simulator.call("/reset", {"devices": True})
    running_simulator.call("/keys", {"key_id": KEY_ID, "team_id": TEAM_ID, "public_key": public})
    return running_simulator
