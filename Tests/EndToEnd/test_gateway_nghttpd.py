"""The gateway against a server that is not ours: Debian's nghttpd, an HTTP/2 server that knows nothing of pushes.

It answers 200 to the path of a file that it has, else 404.
"""
import concurrent.futures
import queue
import re
import socket
import subprocess
import threading

import pytest

import device_api
from app_server import AppServer
from production import Production

LIVE, OTHER = "ab" * 32, "cd" * 32


class NGHTTPD:
    """An nghttpd for two device tokens."""

    def __init__(self, folder):
        self.folder = folder
        self.root = folder / "htdocs"
        (self.root / "3" / "device").mkdir(parents=True)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-keyout", folder / "key.pem", "-out", folder / "cert.pem", "-days", "2", "-subj", "/CN=apns",
             "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = None

    def knows(self, token):
        (self.root / "3" / "device" / token).touch()

    def start(self):
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", "nghttpd", "-v", "--address=127.0.0.1", "-n1", "-m100", f"-d{self.root}", str(self.port),
             self.folder / "key.pem", self.folder / "cert.pem"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.lines = queue.Queue()
        threading.Thread(target=self.read_lines, args=(self.process.stdout, self.lines), daemon=True).start()
        self.read_until(r"listen 127\.0\.0\.1")

    @staticmethod
    def read_lines(stream, lines):
        for line in stream:
            lines.put(line)

    def stop(self):
        self.process.kill()
        self.process.wait()

    def read_until(self, pattern, count=1):
        """Reads what it prints until the pattern came so often; returns the matches."""
        found = []
        while len(found) < count:
            try:
                found += re.findall(pattern, self.lines.get(timeout=30))
            except queue.Empty:
                raise AssertionError(f"nghttpd printed {len(found)} of {count} × {pattern}") from None
        return found


@pytest.fixture()
def apns(tmp_path):
    server = NGHTTPD(tmp_path)
    server.knows(LIVE)
    server.start()
    yield server
    server.stop()


@pytest.fixture()
def service(pharos, apns):
    service = Production(pharos, f"--apns-host=127.0.0.1:{apns.port}", f"--apns-ca={apns.folder / 'cert.pem'}")
    service.prepare()
    with service:
        yield service


def registered(service, apns_token, environment="PROD"):
    """A device that registers by FID with this APNs token; returns the FID."""
    installation = device_api.create_installation(service)
    status, answer = device_api.register_fid(service, installation, apns_token, apns_environment=environment)
    assert status == 200, answer
    return installation["fid"]


@pytest.mark.parametrize("environment", ["PROD", "SANDBOX"])
def test_a_push_arrives_as_apple_wants_it(service, apns, environment):
    fid = registered(service, LIVE, environment)
    sender = AppServer(service)
    name = sender.must_send({"fid": fid, "notification": {"title": "Hello"}})
    assert name.startswith("projects/shop-prod/messages/")
    headers = dict(apns.read_until(r"recv \(stream_id=\d+(?:, sensitive)?\) (:?[\w-]+): (.*)", 10))
    assert headers[":path"] == "/3/device/" + LIVE and headers[":method"] == "POST" and headers[":scheme"] == "https"
    assert headers["apns-topic"] == "com.example.pushdemo" and headers["apns-push-type"] == "alert"
    assert headers["authorization"].startswith("bearer ey") and headers["apns-priority"] == "10"
    assert service.metric("pharos_apns_answers_total", status="200", reason="") == 1


def test_many_pushes_at_once_share_connections_and_one_provider_token(service, apns):
    fid = registered(service, LIVE)
    sender = AppServer(service)

    def send_fifty(_):
        connection = sender.connection()
        return [sender.send_on(connection, {"fid": fid, "data": {"k": "v"}})[0] for _ in range(50)]

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        statuses = [status for fifty in threads.map(send_fifty, range(8)) for status in fifty]
        tokens = apns.read_until(r"recv \(stream_id=\d+, sensitive\) authorization: (bearer \S+)", 400)
    assert statuses == [200] * 400
    assert len(set(tokens)) == 1


def test_pushes_wait_for_a_server_that_is_away(service, apns):
    fid = registered(service, LIVE)
    sender = AppServer(service)
    sender.must_send({"fid": fid, "data": {"n": "0"}})
    apns.read_until(r"recv \(.*\) (:path)")
    apns.stop()
    for number in range(5):
        assert sender.send({"fid": fid, "data": {"n": str(number)}})[0] == 200
    apns.start()
    paths = apns.read_until(r"recv \(.*\) :path: (\S+)", 5)
    assert set(paths) == {"/3/device/" + LIVE}


def test_an_answer_that_apple_never_gives_harms_nobody(service, apns):
    sender = AppServer(service)
    status, answer = sender.send({"fid": registered(service, OTHER), "data": {"k": "v"}})
    assert status >= 400 or answer["name"]
    assert sender.send({"fid": registered(service, LIVE), "data": {"k": "v"}})[0] == 200


def test_a_server_with_another_certificate_gets_nothing(pharos, apns):
    service = Production(pharos, f"--apns-host=127.0.0.1:{apns.port}")
    service.prepare()
    with service:
        fid = registered(service, LIVE)
        assert AppServer(service).send({"fid": fid, "data": {"k": "v"}})[0] == 200
        assert service.metric("pharos_apns_answers_total", status="200", reason="") == 0
        assert service.metric("pharos_apns_connect_failures_total") >= 1


def test_the_emulators_own_api_is_not_there_in_production(service):
    for path in ("/emulator/v1/devices", "/emulator/v1/apns", "/computeMetadata/v1/"):
        assert service.call(path)[0] == 404
