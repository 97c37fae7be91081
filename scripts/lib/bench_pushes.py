"""Benchmarks of the way to APNs: `apns`, `gateway-drain`, `recovery`."""
import subprocess
import sys
import time

from bench_peers import h2load, make_certificate, nghttpd
from bench_programs import Server, cpu_seconds, folder, run_json
from bench_results import Rounds, divided, report
from bench_sends import make_world

HERE = __file__.rsplit("/", 1)[0]


def apns(setting):
    """Our gateway, h2load and aioapns into the same nghttpd."""
    rounds = Rounds()
    with folder() as place:
        world = make_world(setting, place, "data")
        tokens = place / "tokens"
        tokens.write_text("\n".join(world["apns_tokens"]) + "\n")
        with nghttpd(place, world["apns_tokens"]) as (port, _):
            for _ in range(setting.rounds):
                for streams in (100, 1000):
                    result = h2load(port, place, world["apns_tokens"], setting.pushes, streams=streams)
                    rounds.add(f"h2load, {streams} streams", **result)
                    rounds.add(f"gateway, {streams} waiting", **gateway(setting, place, port, streams))
                rounds.add("aioapns, 100 waiting", **run_json(
                    [sys.executable, f"{HERE}/bench_aioapns.py", port, place / "sink.pem", tokens,
                     setting.pushes // 25]))

    def rate(contender):
        return rounds.median(contender, "per_second")

    report("apns", rounds, [
        ("gateway to h2load, 100 streams", divided(rate("gateway, 100 waiting"), rate("h2load, 100 streams")), "≥ 1.0"),
        ("gateway to h2load, 1,000 streams",
         divided(rate("gateway, 1000 waiting"), rate("h2load, 1000 streams")), "≥ 1.0"),
        ("gateway to aioapns", divided(rate("gateway, 100 waiting"), rate("aioapns, 100 waiting")), "≥ 30"),
        ("worst single push, ms", rounds.median("gateway, 1000 waiting", "max_ms"), "< 50")])


def gateway(setting, place, port, waiting):
    result = run_json([
        setting.programs / "pharos-bench", "gateway", "--data-dir", place / "data", "--to", f"127.0.0.1:{port}",
        "--ca", place / "sink.pem", "--tokens", place / "tokens", "--pushes", setting.pushes, "--waiting", waiting])
    return {name: result[name] for name in ("per_second", "cpu_us", "p50_ms", "p99_ms", "max_ms")}


def recovery(setting):
    """A queue left by a killed process: when the service answers again, and when all of it was delivered. The rate is
    that of the whole gateway: read from the store, translate, send, record."""
    rounds = Rounds()
    with folder() as place:
        certificate, _ = make_certificate(place)
        for number in range(setting.rounds):
            data = place / f"data-{number}"
            filled = run_json([
                setting.programs / "pharos-bench", "queue", "--data-dir", data, "--deliveries", setting.queued])
            with nghttpd(place, filled["apns_tokens"]) as (sink, _):
                plain = h2load(sink, place, filled["apns_tokens"], setting.pushes)
                rounds.add("h2load, 100 streams", per_second=plain["per_second"])
                with Server(
                        setting.programs, data, "--apns-host", f"localhost:{sink}", "--apns-ca", certificate) as server:
                    rounds.add(f"pharos, {setting.queued:,} queued", **drain(server, setting.queued))
            subprocess.run(["rm", "-rf", data], check=True)
    contender = f"pharos, {setting.queued:,} queued"
    report("recovery", rounds, [
        ("from start until requests are taken, s", rounds.median(contender, "ready_s"), "< 5"),
        ("whole gateway to h2load",
         divided(rounds.median(contender, "per_second"), rounds.median("h2load, 100 streams", "per_second")), "≥ 0.6")])


def drain(server, queued):
    """Waits until everything was delivered."""
    end = time.monotonic() + 300
    while (done := server.metric("pharos_deliveries_total")) < queued:
        if time.monotonic() > end:
            raise RuntimeError(f"only {done:,.0f} of {queued:,} were delivered in time")
        time.sleep(0.05)
    seconds = time.monotonic() - server.started
    used = cpu_seconds(server.pid)
    return {
        "ready_s": server.ready_seconds, "drained_s": seconds, "cpu_us": used / queued * 1e6,
        "per_second": queued / (seconds - server.ready_seconds)}
