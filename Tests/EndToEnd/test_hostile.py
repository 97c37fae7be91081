"""Slow, oversized, malformed and plenty: each gets its error or a clean close, and the service goes on answering."""
import contextlib
import json
import random
import re
import resource
import socket
import ssl
import struct
import urllib.parse

import h2.exceptions
import pytest

from app_server import AppServer
from emulator import Emulator
from http2_connection import HTTP2Connection


@pytest.fixture(scope="module")
def service(own_emulator):
    """An emulator, an app server and a device of this file's own."""
    own_emulator.sender = AppServer(own_emulator)
    own_emulator.phone = own_emulator.devices("classic")[0]
    return own_emulator


@pytest.fixture(autouse=True)
def goes_on(service):
    """Whatever a test did: afterwards a send is answered, and the program is the same."""
    pid = service.process.pid
    yield
    assert service.process.poll() is None and service.process.pid == pid, "the service ended"
    assert service.sender.send(good(service)["message"])[0] == 200
    assert service.call("/healthz")[0] == 200


def good(service):
    return {"message": {"token": service.phone["token"], "data": {"k": "v"}}}


def connect(service, listener="http", timeout=30):
    url = urllib.parse.urlsplit(service.ready[listener])
    return socket.create_connection((url.hostname, url.port), timeout=timeout)


def exchange(service, data, listener="http"):
    """Sends bytes, reads to the end; returns the status of the first answer, or None for a close without one."""
    with connect(service, listener) as client:
        with contextlib.suppress(OSError):
            client.sendall(data)
        return status_of(read_to_end(client))


def read_to_end(client):
    answer = b""
    with contextlib.suppress(ConnectionError):
        while piece := client.recv(65536):
            answer += piece
    return answer


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None


def request(service, body=b"{}", *lines, head=None):
    """A request of HTTP/1.1; further header lines come first."""
    head = head or f"POST {service.sender.path} HTTP/1.1"
    own = [head, "Host: x", f"Authorization: Bearer {service.sender.token}", *lines]
    if not any(line.lower().startswith(("content-length", "transfer-encoding")) for line in lines):
        own.append(f"Content-Length: {len(body)}")
    return "\r\n".join(own).encode("latin-1") + b"\r\n\r\n" + body


@pytest.mark.parametrize("lines, body, statuses", [
    (["Content-Length: 5", "Transfer-Encoding: chunked"], b"0\r\n\r\n", (400,)),
    (["Content-Length: 2", "Content-Length: 3"], b"{}", (400,)),
    (["Content-Length: -2"], b"{}", (400,)),
    (["Content-Length: +2"], b"{}", (400,)),
    (["Content-Length: 2, 3"], b"{}", (400,)),
    (["Content-Length: 99999999999999999999"], b"{}", (400, 413)),
    (["Content-Length: 1000000000"], b"{}", (413,)),
    (["Transfer-Encoding: gzip, chunked"], b"0\r\n\r\n", (400, 501)),
    (["Transfer-Encoding: chunked, identity"], b"0\r\n\r\n", (400, 501)),
    (["Transfer-Encoding : chunked"], b"0\r\n\r\n", (400,)),
    (["Transfer-Encoding: chunked"], b"zz\r\n", (400,)),
    (["Transfer-Encoding: chunked"], b"FFFFFFFFFFFFFFFFF\r\n", (400, 413)),
    (["Transfer-Encoding: chunked"], b"-1\r\n", (400,)),
    (["Transfer-Encoding: chunked"], b"2\r\n{}x\r\n", (400,)),
    (["X: a", " folded: b"], b"{}", (400,)),
    (["X-Null: a\0b"], b"{}", (400,)),
    (["Bad Name: x"], b"{}", (400,)),
    ([": empty"], b"{}", (400,)),
    (["No-Colon"], b"{}", (400,)),
    (["Host: y"], b"{}", (400,)),
    (["X: " + "a" * 100_000], b"{}", (400, 431)),
    ([f"X-{n}: 1" for n in range(5000)], b"{}", (400, 431)),
    (["Expect: something-else"], b"{}", (417,)),
    (["Content-Encoding: br"], b"{}", (400, 415)),
    (["Content-Encoding: gzip"], b"not gzip", (400,)),
    (["Upgrade: websocket", "Connection: upgrade"], b"{}", (400,)),
], ids=lambda value: str(value)[:60] if isinstance(value, list) else "")
def test_a_malformed_request_gets_its_error_and_a_close(service, lines, body, statuses):
    assert exchange(service, request(service, body, *lines, "Connection: close")) in statuses


@pytest.mark.parametrize("head", [
    "POST  /token HTTP/1.1", "POST /token", "POST /token HTTP/1.2", "POST /token HTTP/3.0", "POST token HTTP/1.1",
    "GET /" + "a" * 100_000 + " HTTP/1.1", "G\0T / HTTP/1.1", "POST /%zz HTTP/1.1", "POST /\u00ff HTTP/1.1",
    "POST http://[::1 HTTP/1.1", "A" * 1000 + " / HTTP/1.1",
], ids=lambda head: head[:24].encode("unicode_escape").decode())
def test_a_malformed_request_line_gets_an_error(service, head):
    status = exchange(service, request(service, b"{}", "Connection: close", head=head))
    assert status is None or 400 <= status < 600


def test_noise_is_answered_with_an_error_or_a_close(service):
    noise = random.Random(1)
    for listener in ("http", "https", "apns", "proxy"):
        for _ in range(20):
            with noise_connection(service, listener) as client:
                with contextlib.suppress(OSError):
                    client.sendall(noise.randbytes(noise.randint(1, 4000)) + b"\r\n\r\n")
                    client.shutdown(socket.SHUT_WR)
                answer = read_to_end(client)
                assert status_of(answer) is None or 400 <= status_of(answer) < 600


def noise_connection(service, listener):
    host, _, port = service.ready[listener].rpartition("/")[2].rpartition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def test_a_tls_handshake_that_is_cut_or_wrong_harms_nobody(service):
    hello = bytes.fromhex("1603010200010001fc0303") + bytes(100)
    for data in (hello[:3], hello, b"\x16\x03\x01\xff\xff" + bytes(20_000), b"\x80\x2e\x01\x00\x02" + bytes(40)):
        exchange_and_close(service, "https", data)
    url = urllib.parse.urlsplit(service.ready["https"])
    context = ssl.create_default_context(cafile=service.ready["ca"])
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with context.wrap_socket(connect(service, "https"), server_hostname=url.hostname) as client:
        client.sendall(request(service, json.dumps(good(service)).encode(), "Connection: close"))
        assert status_of(read_to_end(client)) == 200


def exchange_and_close(service, listener, data):
    with connect(service, listener) as client:
        client.sendall(data)


def test_slow_headers_and_half_open_connections_do_not_hold_up_anybody(service):
    with contextlib.ExitStack() as stack:
        for number in range(200):
            client = stack.enter_context(connect(service, "https" if number % 4 == 0 else "http"))
            if number % 4 == 1:
                client.sendall(b"POST /v1/proj")
            elif number % 4 == 2:
                client.sendall(request(service, b"", "Content-Length: 4000") + b"{")
        for _ in range(20):
            assert service.sender.send(good(service)["message"])[0] == 200


def test_an_unfinished_request_is_ended_with_408_after_a_while(service):
    with connect(service) as client:
        client.sendall(b"POST /token HTTP/1.1\r\nHost: x\r\n")
        assert status_of(read_to_end(client)) == 408


def test_a_thousand_connections_at_once_are_all_answered(service):
    phones = service.devices("fid", count=50)
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connect(service)) for _ in range(1000)]
        for number, client in enumerate(clients):
            message = {"fid": phones[number % 50]["fid"], "data": {"n": str(number)}}
            client.sendall(request(service, json.dumps({"message": message}).encode()))
        for client in clients:
            answer = client.recv(65536)
            assert status_of(answer) == 200, answer
    for phone in phones:
        service.control(f"devices/{phone['device']}", method="DELETE")


def test_pipelined_requests_are_answered_in_order(service):
    bodies = [good(service), {"message": {"token": "bogus"}}, {"nonsense": 1}, good(service)]
    data = b"".join(request(service, json.dumps(body).encode()) for body in bodies)
    with connect(service) as client:
        client.sendall(data + request(service, b"{", "Connection: close"))
        answer = read_to_end(client)
    statuses = [int(status) for status in re.findall(rb"HTTP/1.1 (\d+)", answer)]
    assert statuses == [200, 400, 400, 200, 400]


@pytest.mark.parametrize("body", [
    b"", b"{", b"null", b"[]", b"\"x\"", b"{\"message\":" * 2000, b"[" * 100_000, b"{}" * 100, b"\xff\xfe\x00{",
    b"{\"message\":{\"token\":\"\\ud800\"}}", b"{\"message\":{\"data\":{\"k\":\"\x01\"}}}",
    b"{\"message\":{\"token\":\"a\xc3\"}}", b"{\"message\":{\"token\":1e999}}",
    json.dumps({"message": {"data": {str(n): "x" for n in range(5000)}}}).encode(),
    json.dumps({"message": {"token": "x" * 50_000}}).encode(),
], ids=lambda body: repr(body[:20]))
def test_a_body_that_is_no_send_is_400(service, body):
    status, text = service.call(service.sender.path, body, "POST", headers=service.sender.headers)
    assert status == 400 and json.loads(text)["error"]["code"] == 400


def test_a_body_beyond_the_limit_is_refused_before_it_is_read(service):
    with connect(service) as client:
        client.sendall(request(service, b"", f"Content-Length: {1 << 30}"))
        assert status_of(read_to_end(client)) == 413


@pytest.mark.parametrize("frames", [
    b"\0\0\0\1\1\0\0\0\1" * 3,                                     # empty HEADERS
    b"\xff\xff\xff\0\0\0\0\0\1",                                   # DATA of 16 MiB
    b"\0\0\4\3\0\0\0\0\1" + struct.pack(">I", 8) + b"\0\0\4\10\0\0\0\0\0\0\0\0\0",   # RST of idle; WINDOW_UPDATE 0
    b"\0\0\6\4\0\0\0\0\0" + struct.pack(">HI", 4, 0xFFFFFFFF),     # SETTINGS with too large a window
    b"\0\0\5\4\0\0\0\0\0abcde",                                    # SETTINGS of a wrong length
    b"\0\0\4\x09\4\0\0\0\1\x82\x84\x86\x41",                       # CONTINUATION without HEADERS
    b"\0\0\4\1\5\0\0\0\2\x82\x84\x86\x41",                         # an even stream
    b"\0\0\3\1\5\0\0\0\1\xff\xff\xff",                             # HPACK nonsense
], ids=["headers", "data", "idle", "window", "settings", "continuation", "even", "hpack"])
def test_broken_http2_frames_end_their_connection_only(service, frames):
    with connect(service) as client:
        client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + frames)
        client.shutdown(socket.SHUT_WR)
        read_to_end(client)


def test_streams_that_are_opened_and_reset_at_once_end_their_connection_only(service):
    connection = HTTP2Connection(service.ready["https"], service.ready["ca"])
    with contextlib.suppress(OSError, h2.exceptions.ProtocolError):
        for _ in range(5000):
            stream = connection.post(service.sender.path, good(service), service.sender.headers)
            connection.h2.reset_stream(stream)
            connection.flush()
        connection.read_until(lambda: connection.goaway)
    connection.close()


def resident_bytes(service):
    """The memory of the program."""
    with open(f"/proc/{service.process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_headers_without_an_end_do_not_fill_the_memory(service):
    """HEADERS without END_HEADERS, then CONTINUATION after CONTINUATION, 80 MB of them."""
    before = resident_bytes(service)
    with connect(service) as client:
        with contextlib.suppress(OSError):
            client.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0" + b"\0\0\1\1\0\0\0\0\1\x82")
            for _ in range(5000):
                client.sendall(b"\0\x40\0\x09\0\0\0\0\1" + b"\x00\x01a\x7f\xff\x7f" + b"b" * 16378)
        read_to_end(client)
        assert resident_bytes(service) - before < 30_000_000


def test_a_client_that_never_reads_its_answers_is_no_burden(service):
    data = request(service, json.dumps(good(service)).encode())
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            client = stack.enter_context(connect(service))
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError, ConnectionError):
                for _ in range(100):
                    client.send(data)
        assert service.sender.send(good(service)["message"])[0] == 200


def test_the_redirect_proxy_lets_nobody_out(service):
    host, _, port = service.ready["proxy"].rpartition("/")[2].rpartition(":")
    for target in ("203.0.113.1:443", "example.com:443", f"127.0.0.1:{service.ready['apns'].rpartition(':')[2]}"):
        with socket.create_connection((host, int(port)), timeout=30) as client:
            client.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
            client.settimeout(30)
            status = status_of(client.recv(65536))
            assert status is not None and status >= 400, target
