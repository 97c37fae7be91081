"""Starting, watching and ending the programs of a benchmark. Standard library only."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time


def free_port():
    """A port of loopback that nobody uses right now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for_port(port, process, seconds=20):
    """Waits until somebody listens there."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args[0]} ended with {process.returncode}")
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise RuntimeError(f"{process.args[0]} did not listen on port {port}")


@contextlib.contextmanager
def folder():
    """A directory that goes away."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="pharos-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def disk_milliseconds(place, times=100):
    """How long the disk takes to make 8 kB durable behind a growing file: the median. Bounds every durable write."""
    waits = []
    with open(place / "disk-probe", "wb", buffering=0) as file:
        for _ in range(times):
            file.write(b"x" * 8192)
            start = time.perf_counter()
            os.fdatasync(file.fileno())
            waits.append(time.perf_counter() - start)
    (place / "disk-probe").unlink()
    return statistics.median(waits) * 1000


@contextlib.contextmanager
def running(arguments, log, port=None):
    """A program that runs while the block does. Ended by its process id."""
    with open(log, "ab") as output:
        process = subprocess.Popen(
            [str(word) for word in arguments], stdout=output, stderr=output, stdin=subprocess.DEVNULL)
    try:
        if port:
            wait_for_port(port, process)
        yield process
    finally:
        end(process)


def end(process, seconds=15):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()


def processes_of(pid):
    """A process and its children."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += processes_of(int(child))
    return found


def cpu_seconds(pid):
    """Time on a processor that the living threads of a process and its children have used: the scheduler's own count,
    because that of the timer's ticks misses much of what runs in short bursts."""
    total = 0
    for one in processes_of(pid):
        for thread in pathlib.Path(f"/proc/{one}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):
                total += int(thread.read_text().split()[0])
    return total / 1e9


def resident_megabytes(pid):
    """Resident memory, that of shared libraries included."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def run_json(arguments, timeout=600):
    """Runs a program of ours and reads the JSON that it prints."""
    done = subprocess.run(
        [str(word) for word in arguments], capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    lines = done.stdout.strip().splitlines()
    if done.returncode not in (0, -signal.SIGKILL) or not lines:
        raise RuntimeError(f"{arguments[0]} {arguments[1]}: {done.stdout[-2000:]} {done.stderr[-2000:]}")
    return json.loads(lines[-1])


class Server:
    """`pharos serve` on a data directory; a context manager."""

    def __init__(self, programs, data_dir, *options, log=None):
        self.port = free_port()
        self.log = log or data_dir.parent / "serve.log"
        self.arguments = [
            programs / "pharos", "serve", "--data-dir", data_dir, "--listen-http", f"127.0.0.1:{self.port}",
            "--listen-https", "off", "--messages-per-minute", "0", "--log-level", "warning", *options]

    def __enter__(self):
        self.started = time.monotonic()
        self.context = running(self.arguments, self.log, self.port)
        self.process = self.context.__enter__()
        self.ready_seconds = time.monotonic() - self.started
        self.pid = self.process.pid
        return self

    def __exit__(self, *what):
        return self.context.__exit__(*what)

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path)
        answer = connection.getresponse().read().decode()
        connection.close()
        return answer

    def metric(self, name):
        """The sum of a metric over its labels."""
        lines = re.findall(rf"^{name}(?:{{[^}}]*}})? ([0-9.e+]+)$", self.get("/metrics"), re.M)
        return sum(float(value) for value in lines)
