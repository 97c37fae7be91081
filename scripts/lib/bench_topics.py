"""One send, many devices: `topics`, `inbox`, `fan-out`."""
import json
import subprocess
import urllib.request

from bench_peers import h2load, make_certificate, nghttpd
from bench_programs import Server, folder, run_json
from bench_pushes import drain
from bench_results import Rounds, divided, report
from bench_sends import make_world


def topics(setting):
    """Subscribing, reading a topic, splitting a topic and a condition of five topics; the gateway takes pushes at once."""
    rounds = Rounds()
    with folder() as place:
        for number in range(setting.rounds):
            result = run_json([
                setting.programs / "pharos-bench", "topics", "--data-dir", place / str(number), "--devices",
                setting.registrations])
            for name, values in result.items():
                rounds.add(name.replace("_", " "), per_second=values["per_second"], cpu_us=values["cpu_us"])
            subprocess.run(["rm", "-rf", place / str(number)], check=True)
    report("topics", rounds, [
        ("members read per second", rounds.median("read", "per_second"), "≥ 5,000,000"),
        ("pushes split, translated and recorded per second", rounds.median("fan out topic", "per_second"), "≥ 100,000")])


def inbox(setting):
    """A topic of devices that are away: rows made durable in their inboxes; then each logs in, reads and acknowledges."""
    rounds = Rounds()
    with folder() as place:
        for number in range(setting.rounds):
            result = run_json([
                setting.programs / "pharos-bench", "inbox", "--data-dir", place / str(number), "--devices",
                setting.registrations])
            for name, values in result.items():
                rounds.add(name.replace("_", " "), per_second=values["per_second"], cpu_us=values["cpu_us"])
            subprocess.run(["rm", "-rf", place / str(number)], check=True)
    report("inbox", rounds, [
        ("durable inbox rows per second", rounds.median("fan out empty", "per_second"), "≥ 100,000")])


def fan_out(setting):
    """One message to a topic, from the send to the last answer of the APNs sink, beside h2load into the same sink."""
    rounds = Rounds()
    with folder() as place:
        certificate, _ = make_certificate(place)
        for number in range(setting.rounds):
            world = make_world(
                setting, place, f"data-{number}", kind="fid", devices=setting.queued, print=setting.queued,
                topic="everybody")
            with nghttpd(place, world["apns_tokens"]) as (sink, _):
                plain = h2load(sink, place, world["apns_tokens"], setting.queued)
                rounds.add("h2load, 100 streams", per_second=plain["per_second"])
                options = ["--apns-host", f"localhost:{sink}", "--apns-ca", certificate]
                with Server(setting.programs, place / f"data-{number}", *options) as server:
                    send_to_topic(server, world)
                    rounds.add(f"fan-out to {setting.queued:,}", **drain(server, setting.queued))
            subprocess.run(["rm", "-rf", place / f"data-{number}"], check=True)
    contender = f"fan-out to {setting.queued:,}"
    report("fan-out", rounds, [
        ("fan-out to h2load",
         divided(rounds.median(contender, "per_second"), rounds.median("h2load, 100 streams", "per_second")), "≥ 0.6")])


def send_to_topic(server, world, content=None):
    """Notifications of an Android app that wait for a device replace each other; data does not."""
    content = content or {"notification": {"title": "Goal!", "body": "Three to one."}}
    message = {"topic": "everybody"} | content
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/v1/projects/{world['project']}/messages:send",
        data=json.dumps({"message": message}).encode(),
        headers={"Authorization": "Bearer " + world["access_token"], "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        answer.read()
