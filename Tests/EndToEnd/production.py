"""`pharos serve` with a project of its own, made with the commands that an administrator uses."""
import pathlib
import re
import subprocess

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from emulator import Emulator

PROJECT, KEY_ID, TEAM_ID, BUNDLE = "shop-prod", "ABC123DEFG", "DEF123GHIJ", "com.example.pushdemo"


def signing_key():
    """A .p8 as Apple gives it: the text."""
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


class Production(Emulator):
    """A service in production. Calls and commands are those of `Emulator`; `ready` has what a ready line would say."""

    server_key = None

    def prepare(self):
        """Makes project, app and keys; returns the .p8 file of APNs."""
        self.project = self.run("project", "create", PROJECT)
        self.app = self.run("app", "create", "--project", PROJECT, "--bundle-id", BUNDLE)
        self.server_key = self.run("server-key", "create", "--project", PROJECT)["server_key"]
        key = self.folder / f"AuthKey_{KEY_ID}.p8"
        key.write_text(signing_key())
        self.run("apns-key", "import", str(key), "--project", PROJECT, "--team-id", TEAM_ID)
        return key

    def start(self):
        self.log = open(self.folder / "log", "ab")
        listeners = self.free_listeners("http", "https", "device", "xmpp")
        self.process = subprocess.Popen(
            [self.pharos, "serve", "--data-dir", str(self.data_dir), "--listen-xmpp-testing=off"]
            + listeners + self.options,
            stdout=subprocess.PIPE, stderr=self.log, stdin=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("Ready:"):
            raise RuntimeError(f"pharos serve did not start:\n{(self.folder / 'log').read_text()[-4000:]}")
        http, https = re.findall(r"https?://\S+", line)
        mcs, xmpp = re.findall(r"(?:mcs|xmpp)://(\S+)", line)
        account = self.folder / "service-account.json"
        if not account.exists():
            self.run("service-account", "create", "--project", PROJECT, "--server", http, "--out", str(account))
        self.ready = {
            "http": http, "https": https, "project": PROJECT, "sender_id": self.project["sender_id"],
            "app_id": self.app["app_id"], "api_key": self.app["api_key"], "service_account": str(account),
            "server_key": self.server_key, "mcs": mcs, "xmpp": xmpp, "ca": str(pathlib.Path(self.data_dir) / "ca.pem")}
        return self.ready

    def metric(self, name, **labels):
        """A number of /metrics; 0 when it is not there."""
        wanted = ",".join(f'{key}="{value}"' for key, value in labels.items())
        line = name + (f"{{{wanted}}}" if wanted else "") + " "
        page = self.call("/metrics")[1]
        return next((float(text[len(line):]) for text in page.splitlines() if text.startswith(line)), 0)

