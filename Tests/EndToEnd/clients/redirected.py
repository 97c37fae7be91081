"""Import this before a client: the names of Google's hosts lead to the emulator then, with the client untouched.

Also how a client talks to its test: lines of JSON on standard output and input."""
import json
import os
import socket
import sys
import threading

_resolve = socket.getaddrinfo
DEVICE_PORTS, XMPP_PORTS = (5228, 5229, 5230), (5235, 5236)


def _redirected(host, port, *others, **options):
    name = host.decode() if isinstance(host, bytes) else host
    if name and (name.endswith(".google.com") or name.endswith(".googleapis.com")):
        listener = {**dict.fromkeys(DEVICE_PORTS, "PHAROS_MCS"), **dict.fromkeys(XMPP_PORTS, "PHAROS_XMPP")}
        host, port = os.environ[listener.get(int(port), "PHAROS_HTTPS")].rsplit(":", 1)
        port = int(port)
    return _resolve(host, port, *others, **options)


socket.getaddrinfo = _redirected
_output, sys.stdout = sys.stdout, sys.stderr  # What a client prints is no event.
_lock = threading.Lock()


def say(event, **fields):
    """Tells the test what happened."""
    with _lock:
        print(json.dumps({"event": event} | fields), file=_output, flush=True)


def command():
    """The next command of the test, or `None` when it wants the client to end."""
    line = sys.stdin.readline()
    return json.loads(line) if line else None
