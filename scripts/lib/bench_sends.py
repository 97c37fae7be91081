"""Benchmarks of the HTTP door: `send`, `send-each`."""
import json
import os
import subprocess
import sys

from bench_peers import make_certificate, nghttpd, nginx, wrk, write_wrk_script
from bench_programs import Server, cpu_seconds, disk_milliseconds, folder, run_json
from bench_results import Rounds, divided, report

ANSWER = '{\n  "name": "projects/demo-bench/messages/1767225600000000"\n}\n'


def make_world(setting, place, name, kind="classic", devices=1000, **others):
    """A fresh data directory with registered devices, and what the load needs to know of it."""
    options = [word for key, value in others.items() for word in ("--" + key.replace("_", "-"), value)]
    return run_json([
        setting.programs / "pharos-bench", "world", "--data-dir", place / name, "--devices", devices, "--kind", kind,
        *options])


def measure(rounds, contender, url, pid, seconds, script=None):
    before = cpu_seconds(pid)
    result = wrk(url, seconds, script)
    used = cpu_seconds(pid) - before
    rounds.add(
        contender, per_second=result["per_second"], cpu_us=used / result["requests"] * 1e6, p50_ms=result["p50_ms"],
        p99_ms=result["p99_ms"])


def send(setting):
    """Durable, authenticated sends over 64 kept connections, beside nginx that answers as many bytes from memory."""
    rounds = Rounds()
    with folder() as place:
        apple = make_world(setting, place, "apple-template")
        waiting = make_world(setting, place, "waiting-template", kind="waiting")
        scripts = {
            name: write_wrk_script(place / f"{name}.lua", world["tokens"], world["access_token"], world["project"])
            for name, world in (("apple", apple), ("waiting", waiting))}
        certificate, _ = make_certificate(place)
        for number in range(setting.rounds):
            rounds.add("disk, one commit", p50_ms=disk_milliseconds(place))
            with nginx(place, ANSWER) as (port, process):
                measure(
                    rounds, "nginx", f"http://127.0.0.1:{port}", process.pid, setting.seconds, scripts["waiting"])
            one_contender(setting, place, rounds, number, "waiting device", "waiting", scripts["waiting"], [])
            with nghttpd(place, apple["apns_tokens"]) as (sink, _):
                apns = ["--apns-host", f"localhost:{sink}", "--apns-ca", certificate]
                for patience in (0, 1000):
                    one_contender(
                        setting, place, rounds, number, f"to APNs, patience {patience}", "apple", scripts["apple"],
                        apns + ["--answer-patience-ms", patience])
    report("send", rounds, [
        ("sends/s of a waiting device, to nginx", ratio(rounds, "waiting device"), "≥ 0.5"),
        ("sends/s with APNs behind, to nginx", ratio(rounds, "to APNs, patience 0"), "≥ 0.5"),
        ("sends/s of a waiting device", rounds.median("waiting device", "per_second"), "≥ 30,000")])


def ratio(rounds, contender):
    return divided(rounds.median(contender, "per_second"), rounds.median("nginx", "per_second"))


def one_contender(setting, place, rounds, number, contender, world, script, options):
    """Each measurement starts with a copy of the prepared directory, so that no queue is left from the one before."""
    data = place / f"{world}-{number}-{len(options)}-{contender[-1]}"
    subprocess.run(["cp", "-r", place / f"{world}-template", data], check=True)
    with Server(setting.programs, data, *options, log=place / "serve.log") as server:
        url = f"http://127.0.0.1:{server.port}"
        wrk(url, 1, script)
        measure(rounds, contender, url, server.pid, setting.seconds, script)
    subprocess.run(["rm", "-rf", data], check=True)


def send_each(setting):
    """500 messages with firebase-admin's `send_each`: how long the client took, and how long the server worked."""
    rounds = Rounds()
    with folder() as place:
        world = make_world(setting, place, "data", devices=500)
        certificate, _ = make_certificate(place)
        with nghttpd(place, world["apns_tokens"]) as (sink, _):
            options = ["--apns-host", f"localhost:{sink}", "--apns-ca", certificate]
            with Server(setting.programs, place / "data", *options) as server:
                key = json.loads(world["key_file"]) | {"token_uri": f"http://127.0.0.1:{server.port}/token"}
                (place / "key.json").write_text(json.dumps(key))
                (place / "tokens").write_text("\n".join(world["tokens"]))
                for _ in range(setting.rounds + 1):
                    send_each_once(place, server, rounds)
    for values in rounds.values["firebase-admin, 500 sends"].values():
        del values[0]
    report("send-each", rounds, [
        ("server's processor time in all, ms", rounds.median("firebase-admin, 500 sends", "server_cpu_ms"), "< 25")])


def send_each_once(place, server, rounds):
    before = cpu_seconds(server.pid)
    seconds_before = server.metric("pharos_http_request_seconds_sum")
    count_before = server.metric("pharos_http_request_seconds_count")
    done = subprocess.run(
        [sys.executable, __file__, str(place / "key.json"), str(place / "tokens"), str(server.port)],
        capture_output=True, text=True, timeout=120, env=os.environ | {"PYTHONWARNINGS": "ignore"})
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    requests = server.metric("pharos_http_request_seconds_count") - count_before
    waited = server.metric("pharos_http_request_seconds_sum") - seconds_before
    rounds.add(
        "firebase-admin, 500 sends", client_ms=float(done.stdout) * 1000,
        server_cpu_ms=(cpu_seconds(server.pid) - before) * 1000, answer_ms=waited / requests * 1000)


def client(key_file, tokens_file, port):
    """Runs in a process of its own: sends to 500 tokens and prints the seconds it took."""
    import time

    import firebase_admin
    from firebase_admin import credentials, messaging
    messaging._MessagingService.FCM_URL = f"http://127.0.0.1:{port}/v1/projects/{{0}}/messages:send"
    firebase_admin.initialize_app(credentials.Certificate(key_file))
    messages = [
        messaging.Message(token=token, notification=messaging.Notification(title="Goal!", body="Three to one."))
        for token in open(tokens_file).read().split()]
    messaging.send(messages[0], dry_run=True)
    start = time.perf_counter()
    answer = messaging.send_each(messages)
    print(time.perf_counter() - start)
    assert answer.failure_count == 0, [one.exception for one in answer.responses if one.exception][:3]


if __name__ == "__main__":
    client(*sys.argv[1:])
