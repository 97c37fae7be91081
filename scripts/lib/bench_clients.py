"""Many clients of one server: `pharos-bench clients` and `relay`, told line by line what to do."""
import contextlib
import json
import subprocess

from bench_peers import make_certificate
from bench_programs import Server, end, free_port


class Conversation:
    """A load of ours that takes commands and answers each with a line of JSON. A context manager."""

    def __init__(self, programs, name, log, **options):
        words = [word for key, value in options.items() for word in ("--" + key.replace("_", "-"), str(value))]
        self.log = open(log, "ab")
        self.process = subprocess.Popen(
            [programs / "pharos-bench", name, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            text=True)

    def __enter__(self):
        try:
            self.ready = self.answer()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=20)
        end(self.process)
        self.process.stdout.close()
        self.log.close()

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line.startswith("{"):
            raise RuntimeError(f"pharos-bench: {line}{self.process.stdout.read()}")
        return json.loads(line)


class ChannelServer(Server):
    """`pharos serve` with the device channel and XMPP, on the certificate that the peers use."""

    def __init__(self, programs, data_dir, *options):
        certificate, key = make_certificate(data_dir.parent)
        self.device_port, self.xmpp_port = free_port(), free_port()
        super().__init__(
            programs, data_dir, "--listen-device", f"127.0.0.1:{self.device_port}", "--listen-xmpp",
            f"127.0.0.1:{self.xmpp_port}", "--listen-xmpp-testing", "off", "--tls-cert", certificate, "--tls-key", key,
            *options)


def clients(setting, place, protocol, port, count, **options):
    """So many clients of a server."""
    certificate, _ = make_certificate(place)
    return Conversation(
        setting.programs, "clients", place / "clients.log", protocol=protocol, to=f"127.0.0.1:{port}", ca=certificate,
        clients=count, **options)
