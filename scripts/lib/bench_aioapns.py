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
from h2.events import ConnectionTerminated, RemoteSettingsChanged, ResponseReceived, StreamEnded


def take(protocol, data):
    """`H2Protocol.data_received`, but answers are told by their stream."""
    for event in protocol.conn.receive_data(data):
        if isinstance(event, ResponseReceived):
            status = next(value for name, value in event.headers if name in (b":status", ":status"))
            name = protocol.request_streams.pop(event.stream_id)
            status = status.decode() if isinstance(status, bytes) else status
            protocol.requests.pop(name).set_result(NotificationResult(name, status))
        elif isinstance(event, RemoteSettingsChanged):
            protocol.on_remote_settings_changed(event.changed_settings)
        elif isinstance(event, StreamEnded):
            protocol.on_stream_ended(event.stream_id)
        elif isinstance(event, ConnectionTerminated):
            protocol.on_connection_terminated(event)
    protocol.flush()


async def main():
    port, authority, tokens_file, count = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    tokens = open(tokens_file).read().split()
    key = subprocess.run(
        "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1", shell=True, capture_output=True,
        text=True, check=True).stdout
    tls = ssl.create_default_context(cafile=authority)
    tls.set_alpn_protocols(["h2"])
    pool = connection.APNsKeyConnectionPool(
        key=key, key_id="BENCHKEY01", team_id="BENCHTEAM1", topic="com.example.bench",
        max_connections=1, use_sandbox=False, ssl_context=tls)
    pool.protocol_class.APNS_SERVER = "localhost"
    pool.protocol_class.APNS_PORT = port
    pool.protocol_class.data_received = take
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


if __name__ == "__main__":
    asyncio.run(asyncio.wait_for(main(), 120))
