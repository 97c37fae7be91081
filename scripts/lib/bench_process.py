"""Benchmarks of the program itself: `start`, `disk`, `store`, `stages`."""
import subprocess
import time

from bench_programs import Server, disk_milliseconds, end, folder, resident_megabytes, run_json
from bench_results import Rounds, report
from bench_sends import make_world


def start(setting):
    """From the start of the process to the ready line, and memory when idle."""
    rounds = Rounds()
    with folder() as place:
        make_world(setting, place, "data", devices=10)
        for number in range(setting.rounds):
            with Server(setting.programs, place / "data") as server:
                time.sleep(0.5)
                rounds.add("pharos serve", ready_ms=server.ready_seconds * 1000, idle_mb=resident_megabytes(server.pid))
            for title, data in (("pharos dev, first start", f"dev-{number}"), ("pharos dev, again", f"dev-{number}")):
                rounds.add(title, **dev_start(setting, place / data))
    report("start", rounds, [
        ("pharos serve ready, ms", rounds.median("pharos serve", "ready_ms"), "< 300"),
        ("pharos dev ready, ms", rounds.median("pharos dev, again", "ready_ms"), "< 300"),
        ("pharos serve idle, MB", rounds.median("pharos serve", "idle_mb"), "< 40")])


def dev_start(setting, data):
    listeners = [f"--listen-{name}=127.0.0.1:0" for name in ("http", "https", "apns", "proxy")]
    begin = time.monotonic()
    process = subprocess.Popen(
        [setting.programs / "pharos", "dev", "--data-dir", data, "--log-level", "off", *listeners],
        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        if not process.stdout.readline():
            raise RuntimeError("pharos dev did not start")
        ready = time.monotonic() - begin
        time.sleep(0.5)
        return {"ready_ms": ready * 1000, "idle_mb": resident_megabytes(process.pid)}
    finally:
        end(process)


def disk(setting):
    """Bytes on the disk for each registration, its installation and device included."""
    rounds = Rounds()
    with folder() as place:
        for kind in ("classic", "fid"):
            sizes = []
            for count in (1000, 1000 + setting.registrations):
                data = place / f"{kind}-{count}"
                made = make_world(setting, place, data.name, kind=kind, devices=count, print=1)
                sizes.append(sum(file.stat().st_size for file in data.iterdir()))
            rounds.add(
                f"registration, {kind}", bytes=(sizes[1] - sizes[0]) / setting.registrations,
                registered_per_second=made["registering"]["per_second"])
    report("disk", rounds, [
        ("bytes of a classic registration with device and installation",
         rounds.median("registration, classic", "bytes"), "≤ 250"),
        ("bytes of a FID registration with installation", rounds.median("registration, fid", "bytes"), "≤ 250")])


def store(setting):
    """What the store does for each send."""
    rounds = Rounds()
    with folder() as place:
        for number in range(setting.rounds):
            rounds.add("disk, one commit", p50_ms=disk_milliseconds(place))
            result = run_json([
                setting.programs / "pharos-bench", "store", "--data-dir", place / str(number), "--operations",
                setting.pushes])
            for name, values in result.items():
                rounds.add(name.replace("_", " "), per_second=values["per_second"], cpu_us=values["cpu_us"])
    report("store", rounds)


def console(setting):
    """Milliseconds for what the console asks of the store."""
    rounds = Rounds()
    with folder() as place:
        result = run_json([
            setting.programs / "pharos-bench", "console", "--data-dir", place / "0", "--registrations",
            setting.console[0], "--messages", setting.console[1]])
        for name, values in result.items():
            if isinstance(values, dict):
                rounds.add(name.replace("_", " "), p50_ms=values["p50_ms"], max_ms=values["max_ms"])
    report("console", rounds)


def stages(setting):
    """Microseconds for each stage of a send."""
    rounds = Rounds()
    with folder() as place:
        for number in range(setting.rounds):
            result = run_json([setting.programs / "pharos-bench", "stages", "--data-dir", place / str(number)])
            for name, value in result.items():
                if name.endswith("_us"):
                    rounds.add(name.removesuffix("_us").replace("_", " "), microseconds=value)
    report("stages", rounds)
