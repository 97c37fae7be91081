"""Pushes with aioapns into nghttpd; prints JSON. Arguments: PORT CA TOKENS_FILE PUSHES.

nghttpd answers neither with an apns-id nor without a DATA frame, which aioapns cannot digest, so what it does with
answers is replaced; sending is untouched."""
import asyncio
import json
import resource
import ssl
import subprocess
import sys
import time

import aioapns.connection as connection
from aioapns import NotificationRequest
from aioapns.common import NotificationResult, PushType


class Answers:
    """Takes answers as nghttpd gives them."""

    def on_response_received(self, headers):
        pass


def take_frame(protocol, data):
    from h2.events import ResponseReceived
    for event in protocol.conn.receive_data(data):
        if isinstance(event, ResponseReceived):
            status = dict(event.headers).get(b":status", dict(event.headers).get(":status"))
            status = status.decode() if isinstance(status, bytes) else status
            notification = protocol.request_streams.pop(event.stream_id, None)
            future = protocol.requests.pop(notification, None)
            if future is not None and not future.done():
                future.set_result(NotificationResult(notification, status))
                protocol.free_channels.release()
        elif type(event).__name__ == "RemoteSettingsChanged":
            protocol.free_channels.release()
    protocol.flush()


async def main():
    port, authority, tokens_file, count = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    tokens = open(tokens_file).read().split()
    key = subprocess.run(
        "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1", shell=True, capture_output=True,
        text=True, check=True).stdout
    pool = connection.APNsKeyConnectionPool(
        key_file=write_key(key), key_id="BENCHKEY01", team_id="BENCHTEAM1", topic="com.example.bench",
        max_connections=1, use_sandbox=False, ssl_context=ssl.create_default_context(cafile=authority))
    pool.protocol_class.APNS_SERVER = "localhost"
    pool.protocol_class.APNS_PORT = port
    pool.protocol_class.data_received = take_frame
    message = {"aps": {"alert": {"title": "Goal!", "body": "x" * 248}}}
    await pool.send_notification(request(tokens[0], message))
    waits, place = [], iter(range(count))

    async def sender():
        for number in place:
            start = time.perf_counter()
            result = await pool.send_notification(request(tokens[number % len(tokens)], message))
            assert result.status == "200", result.status
            waits.append(time.perf_counter() - start)

    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    await asyncio.gather(*(sender() for _ in range(100)))
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({
        "per_second": count / seconds, "cpu_us": used / count * 1e6, "max_ms": max(waits) * 1000}))


def request(token, message):
    return NotificationRequest(device_token=token, message=message, push_type=PushType.ALERT)


def write_key(text):
    import tempfile
    with tempfile.NamedTemporaryFile("w", suffix=".p8", delete=False) as file:
        file.write(text)
    return file.name


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(), 120))
