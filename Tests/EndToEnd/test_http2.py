"""HTTP/2 and kept connections: curl, h2load, and frame by frame. Tests named H2-… are cases of the corpus."""
import json
import re
import socket
import subprocess
import urllib.parse

import pytest

from app_server import AppServer, fcm_code, message_id
from emulator import Emulator
from http2_connection import HTTP2Connection


def message(device, **data):
    return {"message": {"token": device["token"], "data": data or {"k": "v"}}}


def curl(app_server, base, body, *options):
    """One send with curl; returns (status, HTTP version, JSON)."""
    command = ["curl", "-sS", "--noproxy", "*", "--cacert", app_server.emulator.ready["ca"], "--data-binary", "@-",
               "-w", "\n%{http_code} %{http_version}", *options, base + app_server.path]
    for name, value in app_server.headers.items():
        command += ["-H", f"{name}: {value}"]
    text = subprocess.run(command, input=json.dumps(body).encode(), capture_output=True, check=True).stdout.decode()
    answer, _, last = text.rpartition("\n")
    status, version = last.split()
    return int(status), version, json.loads(answer)


@pytest.mark.parametrize("listener, options, version", [
    ("https", ["--http2"], "2"),
    ("https", ["--http1.1"], "1.1"),
    ("http", ["--http2-prior-knowledge"], "2"),
    ("http", ["--http1.1"], "1.1"),
], ids=["h2", "h1 over TLS", "h2c", "h1"])
def test_curl_sends_over(emulator, app_server, device, listener, options, version):
    status, spoken, answer = curl(app_server, emulator.ready[listener], message(device), *options)
    assert (status, spoken) == (200, version), answer
    assert answer["name"].startswith(f"projects/{emulator.ready['project']}/messages/")


def test_curl_that_offers_an_upgrade_to_h2c_is_answered(emulator, app_server, device):
    status, _, answer = curl(app_server, emulator.ready["http"], message(device), "--http2")
    assert status == 200, answer


def test_curl_gets_errors_with_their_body_over_h2(emulator, app_server):
    status, _, answer = curl(app_server, emulator.ready["https"], message({"token": "bogus"}), "--http2")
    assert status == 400 and fcm_code(answer) == "INVALID_ARGUMENT"


@pytest.mark.parametrize("connections", [1, 4])
def test_h2load_with_100_streams_gets_every_send_answered_and_delivered(
        emulator, app_server, fresh_device, tmp_path, connections):
    body = tmp_path / "body.json"
    body.write_text(json.dumps(message(fresh_device, job=str(connections))))
    headers = [f"-H{name}: {value}" for name, value in app_server.headers.items()]
    done = subprocess.run(
        ["h2load", "-n400", f"-c{connections}", "-m100", "-t1", f"-d{body}", *headers,
         emulator.ready["https"] + app_server.path], capture_output=True, text=True, check=True)
    assert "400 succeeded, 0 failed, 0 errored, 0 timeout" in done.stdout, done.stdout
    assert re.search(r"status codes: 400 2xx", done.stdout), done.stdout
    answer = emulator.control(f"messages?target={fresh_device['token']}&wait_ms=30000")
    assert len({entry["name"] for entry in answer["messages"]}) == 400
    assert all(entry["targets"][0]["outcome"] == "accepted" for entry in answer["messages"])


@pytest.fixture(params=["https", "http"])
def connection(request, emulator):
    connection = HTTP2Connection(emulator.ready[request.param], emulator.ready["ca"])
    yield connection
    connection.close()


def test_H2_01_a_connection_ends_with_goaway_after_what_is_in_flight_was_answered(pharos):
    with Emulator(pharos) as emulator:
        sender, phone = AppServer(emulator), emulator.devices("classic")[0]
        connection = HTTP2Connection(emulator.ready["https"], emulator.ready["ca"])
        first = connection.post(sender.path, message(phone), sender.headers)
        assert connection.answer(first)[0] == 200

        emulator.control("faults", {"door": "apns", "target": phone["token"], "delay_ms": 700})
        second = connection.post(sender.path, message(phone), sender.headers)
        emulator.call("/emulator/v1/simulator/requests?after=1&wait_ms=20000")
        emulator.process.terminate()
        assert connection.read_until(lambda: connection.goaway)
        assert connection.goaway.error_code == 0
        assert connection.goaway.last_stream_id >= second
        assert connection.answer(second)[0] == 200
        assert not connection.read_until(lambda: False) and connection.closed
        connection.close()
        assert emulator.process.wait(timeout=20) == 0


def test_H2_02_pings_are_answered_and_sends_between_them_too(connection, app_server, device):
    streams = []
    for number in range(100):
        connection.ping(number)
        if number % 5 == 0:
            streams.append(connection.post(app_server.path, message(device, n=str(number)), app_server.headers))
    assert [connection.answer(stream)[0] for stream in streams] == [200] * 20
    assert connection.read_until(lambda: connection.acknowledged_pings == 100)
    assert connection.goaway is None


def test_H2_02_a_flood_of_pings_ends_with_enhance_your_calm_and_what_was_accepted_is_answered(
        connection, app_server, device):
    stream = connection.post(app_server.path, message(device), app_server.headers)
    assert connection.answer(stream)[0] == 200
    try:
        for number in range(20_000):
            connection.h2.ping(number.to_bytes(8, "big"))
            if number % 100 == 99:
                connection.flush()
        connection.read_until(lambda: connection.goaway)
        assert connection.goaway is None or connection.goaway.error_code == 11
    except OSError:
        pass  # The server closed while the flood was still being written.
    status, _ = app_server.send(message(device)["message"])
    assert status == 200


def test_H2_03_good_and_bad_sends_mixed_get_each_its_own_answer(connection, emulator, app_server, fresh_device):
    streams = {}
    for number in range(1, 101):
        target = fresh_device if number % 2 else {"token": f"bogus-{number}"}
        streams[number] = connection.post(app_server.path, message(target, n=str(number)), app_server.headers)
    names = set()
    for number, stream in streams.items():
        status, answer = connection.answer(stream)
        assert status == (200 if number % 2 else 400), (number, answer)
        if status == 400:
            assert fcm_code(answer) == "INVALID_ARGUMENT"
            assert answer["error"]["message"] == "The registration token is not a valid FCM registration token"
        else:
            names.add(answer["name"])
    assert len(names) == 50
    arrived = [push for push in emulator.pushes() if push["path"].endswith(fresh_device["apns_token"])]
    assert {json.loads(push["body"])["gcm.message_id"] for push in arrived} == {message_id(name) for name in names}
    assert len(arrived) == 50


def test_H2_04_a_refused_body_is_never_taken_for_the_next_request(emulator, app_server, device):
    address = urllib.parse.urlsplit(emulator.ready["http"])
    good = json.dumps(message(device)).encode()
    head = "POST {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n" \
        "Content-Length: {}\r\n\r\n"
    first = head.format(app_server.path, "wrong", 20_000).encode() + b"x" * 20_000
    second = head.format(app_server.path, app_server.token, len(good)).encode() + good
    with socket.create_connection((address.hostname, address.port), timeout=30) as client:
        client.sendall(first)
        status, headers = read_answer(client)
        assert status == 401
        if headers.get("connection", "").lower() == "close":
            assert client.recv(1) == b""
            return
        client.sendall(second)
        assert read_answer(client)[0] == 200


def read_answer(client):
    """Reads one answer with Content-Length from a socket; returns (status, headers)."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = client.recv(65536)
        assert piece, "the connection ended before an answer"
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    while len(body) < int(headers["content-length"]):
        piece = client.recv(65536)
        assert piece, "the answer was cut off"
        body += piece
    return int(lines[0].split()[1]), headers
