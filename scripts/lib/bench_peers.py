"""The peers that we are measured beside: nginx, wrk, nghttpd, h2load."""
import contextlib
import os
import re
import resource
import secrets
import subprocess

from bench_programs import free_port, running

# Debian puts the daemons where only root's PATH looks.
os.environ["PATH"] += ":/usr/sbin:/sbin"

LUA = """
local tokens = {}
for line in io.lines("%(tokens)s") do tokens[#tokens + 1] = line end
local headers = { ["Authorization"] = "Bearer %(bearer)s", ["Content-Type"] = "application/json" }
local next = math.random(#tokens)
local requests = {}
init = function(arguments)
    for number, token in ipairs(tokens) do
        requests[number] = wrk.format("POST", "%(path)s", headers, string.format(
            '{"message":{"token":"%%s","notification":{"title":"Goal!","body":"Three to one after eighty minutes."},'
            .. '"data":{"score":"3:1","match":"2026-06-11-mex-rsa"}}}', token))
    end
end
request = function()
    next = next %% #tokens + 1
    return requests[next]
end
"""


def write_wrk_script(path, tokens, bearer, project):
    """A script of wrk that sends to one device after the other."""
    names = path.with_suffix(".tokens")
    names.write_text("\n".join(tokens) + "\n")
    path.write_text(
        LUA % {"tokens": names, "bearer": bearer, "path": f"/v1/projects/{project}/messages:send"})
    return path


def wrk(url, seconds, script=None, connections=64):
    """Requests per second and latencies in milliseconds."""
    words = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency"] + (["-s", str(script)] if script else [])
    text = subprocess.run(words + [url], capture_output=True, text=True, timeout=seconds + 60, check=True).stdout
    failed = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: (.*)", text)
    if failed or errors:
        raise RuntimeError(text)
    units = {"us": 0.001, "ms": 1, "s": 1000}

    def latency(share):
        number, unit = re.search(rf"^\s+{share}%\s+([\d.]+)(us|ms|s)", text, re.M).groups()
        return float(number) * units[unit]

    return {
        "requests": int(re.search(r"(\d+) requests in", text).group(1)),
        "per_second": float(re.search(r"Requests/sec:\s+([\d.]+)", text).group(1)),
        "p50_ms": latency(50), "p99_ms": latency(99)}


@contextlib.contextmanager
def nginx(folder, body):
    """nginx with one worker for each of our loops, answering every request with `body`. Gives its port and process."""
    port = free_port()
    text = body.replace("\n", "\\n").replace('"', '\\"')
    configuration = folder / "nginx.conf"
    configuration.write_text(f"""
daemon off; master_process on; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 1000000000; client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi; default_type application/json;
    server {{ listen 127.0.0.1:{port} reuseport; location / {{ return 200 "{text}"; }} }}
}}
""")
    with running(["nginx", "-p", folder, "-c", configuration], folder / "nginx.out", port) as process:
        yield port, process


def make_certificate(folder):
    """A certificate for localhost that is its own authority."""
    if not (folder / "sink.pem").exists():
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "30", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
             folder / "sink.key", "-out", folder / "sink.pem"], check=True, capture_output=True)
    return folder / "sink.pem", folder / "sink.key"


@contextlib.contextmanager
def nghttpd(folder, device_tokens):
    """An HTTP/2 server that answers 200 to pushes for these tokens: one empty file for each. Gives port and process."""
    certificate, key = make_certificate(folder)
    devices = folder / "htdocs" / "3" / "device"
    devices.mkdir(parents=True, exist_ok=True)
    for token in device_tokens:
        (devices / token).touch()
    port = free_port()
    words = ["nghttpd", "-n1", "-m1000", "-a", "127.0.0.1", "-d", folder / "htdocs", port, key, certificate]
    with running(words, folder / "nghttpd.log", port) as process:
        yield port, process


def children_seconds():
    """Processor time of the programs that ended so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def h2load(port, folder, device_tokens, requests, connections=1, streams=100, body_bytes=292):
    """Pushes as h2load can send them. Requests per second, and the worst latency in milliseconds."""
    uris = folder / "uris.txt"
    uris.write_text("".join(f"https://localhost:{port}/3/device/{token}\n" for token in device_tokens))
    body = folder / "body.json"
    body.write_bytes(b'{"aps":{"alert":"' + b"x" * (body_bytes - 20) + b'"}}')
    fields = {
        "authorization": "bearer " + secrets.token_urlsafe(150)[:200], "apns-topic": "com.example.bench",
        "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": "0",
        "apns-id": "eabeae54-14a8-11e5-b60b-1697f925ec7b"}
    words = ["h2load", f"-n{requests}", f"-c{connections}", f"-m{streams}", "-t1", "-i", uris, "-d", body]
    for name, value in fields.items():
        words += ["-H", f"{name}: {value}"]
    before = children_seconds()
    text = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, timeout=120, check=True).stdout
    used = children_seconds() - before
    if not re.search(rf"{requests} succeeded, 0 failed", text) or not re.search(rf"{requests} 2xx", text):
        raise RuntimeError(text)
    units = {"us": 0.001, "ms": 1, "s": 1000}
    number, unit = re.search(r"time for request:\s+\S+\s+([\d.]+)(us|ms|s)", text).groups()
    return {
        "per_second": float(re.search(r"finished in .*?, ([\d.]+) req/s", text).group(1)),
        "cpu_us": used / requests * 1e6, "max_ms": float(number) * units[unit]}
