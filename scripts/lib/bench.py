"""Runs benchmarks and prints what they found. See scripts/bench."""
import argparse
import dataclasses
import pathlib
import sys
import tempfile

import bench_channel
import bench_process
import bench_pushes
import bench_sends
import bench_topics

BENCHMARKS = {
    "stages": bench_process.stages, "store": bench_process.store, "send": bench_sends.send,
    "send-each": bench_sends.send_each, "apns": bench_pushes.apns, "recovery": bench_pushes.recovery,
    "start": bench_process.start, "disk": bench_process.disk,
    "topics": bench_topics.topics, "inbox": bench_topics.inbox, "fan-out": bench_topics.fan_out,
    "devices": bench_channel.devices, "live": bench_channel.live, "drain": bench_channel.drain,
    "upstream": bench_channel.upstream, "console": bench_process.console}


@dataclasses.dataclass
class Setting:
    """How much is measured."""
    programs: pathlib.Path
    rounds: int = 3
    #: Of one measurement with wrk.
    seconds: int = 5
    pushes: int = 100_000
    queued: int = 100_000
    registrations: int = 100_000
    #: Idle connections of devices; the client has as many descriptors, of 20,000 that a process may have on many hosts.
    connections: int = 10_000
    #: Devices that get a message at once, and how many messages.
    live: tuple = (1_000, 5_000)
    messages: int = 20
    #: Devices whose inbox is full.
    drained: int = 1_000
    #: Upstream; 1,000 a minute is what one of a hundred devices may send.
    relayed: int = 60_000
    #: Registrations and messages behind the lists of the console.
    console: tuple = (1_000_000, 100_000)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    words.add_argument("--programs", type=pathlib.Path, required=True, help="where pharos and pharos-bench are")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--queued", type=int, default=100_000, help="messages of the recovery benchmark")
    words.add_argument("--registrations", type=int, default=100_000, help="devices of the topics and disk benchmarks")
    words.add_argument(
        "--memory", action="store_true", help="data directories in memory: leaves out what the disk costs")
    words.add_argument("--quick", action="store_true", help="one short round: shows that everything runs")
    given = words.parse_args()
    unknown = set(given.names) - set(BENCHMARKS)
    if unknown:
        words.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    if given.memory:
        tempfile.tempdir = "/dev/shm"
    setting = Setting(
        given.programs.resolve(), rounds=given.rounds, queued=given.queued, registrations=given.registrations)
    if given.quick:
        setting = Setting(setting.programs, 1, 1, 5_000, 5_000, 5_000, 500, (200,), 5, 50, 2_000, (10_000, 2_000))
    for name in given.names or BENCHMARKS:
        BENCHMARKS[name](setting)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
