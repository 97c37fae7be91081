"""The device channel beside brokers and an XMPP server: `devices`, `live`, `drain`, `upstream`."""
import shutil
import statistics
import time

from bench_brokers import mosquitto, nats, prosody
from bench_clients import ChannelServer, Conversation, clients
from bench_peers import make_certificate
from bench_programs import cpu_seconds, folder, free_port, resident_megabytes
from bench_results import Rounds, divided, report
from bench_sends import make_world
from bench_topics import send_to_topic

#: How long a server may do what is left after the last message: commits of acknowledgements.
SETTLING_SECONDS = 0.5
CONTENDERS = ("pharos", "mosquitto", "NATS", "nothing but TLS")


def world(setting, place, name, count):
    """A data directory with devices in one topic. Gives what is known of it and the file with their ids."""
    made = make_world(setting, place, name, kind="channel", devices=count, print=count, topic="everybody")
    ids = place / f"{name}.devices"
    ids.write_text("\n".join(made["android_ids"]) + "\n")
    return made, ids


# Connections

def devices(setting):
    """Idle connections that are logged in: memory of each, and what a login costs."""
    rounds = Rounds()
    with folder() as place:
        for number in range(setting.rounds):
            _, ids = world(setting, place, f"data-{number}", setting.connections)
            with ChannelServer(setting.programs, place / f"data-{number}") as server:
                rounds.add("pharos", **connect(setting, place, "mcs", server.device_port, server.pid, devices=ids))
            with mosquitto(place) as (port, process):
                rounds.add("mosquitto", **connect(setting, place, "mqtt", port, process.pid))
            shutil.rmtree(place / f"data-{number}")

    def ratio(measure):
        return divided(rounds.median("pharos", measure), rounds.median("mosquitto", measure))

    report("devices", rounds, [
        ("memory of a connection, to mosquitto's", ratio("kb_each"), "≤ 1"),
        ("memory of a connection, kB", rounds.median("pharos", "kb_each"), "≤ 15"),
        ("processor time of a login, to mosquitto's", ratio("login_cpu_us"), "≤ 1"),
        ("logins a second and core", divided(1e6, rounds.median("pharos", "login_cpu_us")), "≥ 2,000")])


def connect(setting, place, protocol, port, pid, **options):
    """A few connections first, so that what is made once is not counted."""
    with clients(setting, place, protocol, port, 100, **options):
        time.sleep(SETTLING_SECONDS)
        memory, used = resident_megabytes(pid), cpu_seconds(pid)
    with clients(setting, place, protocol, port, setting.connections, **options) as crowd:
        time.sleep(SETTLING_SECONDS)
        login = (cpu_seconds(pid) - used) / setting.connections
        each = (resident_megabytes(pid) - memory) * 1024 / (setting.connections - 100)
        return {"kb_each": each, "logins_per_second": crowd.ready["per_second"], "login_cpu_us": login * 1e6}


# One message to everybody

def live(setting):
    """Messages to a topic whose devices are all connected and acknowledge each; one after the other."""
    rounds = Rounds()
    with folder() as place:
        for count in setting.live:
            for number in range(setting.rounds):
                known, ids = world(setting, place, f"data-{count}-{number}", count)
                with ChannelServer(setting.programs, place / f"data-{count}-{number}") as server:
                    with clients(setting, place, "mcs", server.device_port, count, devices=ids) as crowd:
                        measured = broadcast(setting, crowd, server.pid, count, lambda: send_to_topic(server, known))
                rounds.add(f"pharos, {count:,}", **measured)
                size = int(measured["bytes"])
                with mosquitto(place) as (port, process):
                    rounds.add(f"mosquitto, {count:,}", **peer(setting, place, "mqtt", port, process, count, size))
                with nats(place) as (port, process):
                    rounds.add(f"NATS, {count:,}", **peer(setting, place, "nats", port, process, count, size))
                rounds.add(f"nothing but TLS, {count:,}", **floor(setting, place, ids, count, size))
                shutil.rmtree(place / f"data-{count}-{number}")
    most = max(setting.live)
    cost = {name: rounds.median(f"{name}, {most:,}", "cpu_us") for name in CONTENDERS}
    report("live", rounds, [
        ("processor time of a delivery, µs", cost["pharos"], "≤ 3"),
        ("processor time of a delivery, to mosquitto's", divided(cost["pharos"], cost["mosquitto"]), "≤ 0.33"),
        ("processor time of a delivery, to NATS's", divided(cost["pharos"], cost["NATS"]), "none"),
        ("to that of TLS and the kernel alone", divided(cost["pharos"], cost["nothing but TLS"]), "none"),
        ("time to the last, to mosquitto's", divided(
            rounds.median(f"pharos, {most:,}", "last_ms"), rounds.median(f"mosquitto, {most:,}", "last_ms")), "≤ 1")])


def peer(setting, place, protocol, port, process, count, size):
    """The frame of the protocol around the body is 16 bytes in both."""
    with clients(
            setting, place, protocol, port, count, topic="everybody", publisher=1, body_bytes=size - 16) as crowd:
        return broadcast(setting, crowd, process.pid, count, lambda: crowd.ask("publish 1"))


def floor(setting, place, ids, count, size):
    """What the same connections cost when nothing is stored, looked up or written down."""
    certificate, key = make_certificate(place)
    port = free_port()
    with Conversation(
            setting.programs, "floor", place / "floor.log", port=port, cert=certificate, key=key,
            body_bytes=size) as server:
        pid = server.process.pid
        with clients(setting, place, "mcs", port, count, devices=ids) as crowd:
            return broadcast(setting, crowd, pid, count, lambda: server.ask("publish"))


def broadcast(setting, crowd, pid, count, publish):
    """The first message is not counted."""
    times = []
    for number in range(setting.messages + 1):
        if number == 1:
            time.sleep(SETTLING_SECONDS)
            before = cpu_seconds(pid)
        crowd.ask("expect 1")
        start = time.monotonic()
        publish()
        last = crowd.ask("wait")
        times.append(last["at"] / 1e9 - start)
    time.sleep(SETTLING_SECONDS)
    used = cpu_seconds(pid) - before
    return {
        "cpu_us": used / setting.messages / count * 1e6, "last_ms": statistics.median(times[1:]) * 1000,
        "bytes": last["bytes"] / count}


# What waits

def drain(setting):
    """Devices with a full inbox log in, read and acknowledge: until the last acknowledgement is durable."""
    rounds = Rounds()
    waiting, count = 100, setting.drained
    with folder() as place:
        for number in range(setting.rounds):
            known, ids = world(setting, place, f"data-{number}", count)
            with ChannelServer(setting.programs, place / f"data-{number}") as server:
                for sent in range(waiting):
                    send_to_topic(server, known, {"data": {"title": "Goal!", "body": "Three to one."}})
                    until(lambda: server.metric("pharos_fan_out_members_total") >= (sent + 1) * count)
                before, start = cpu_seconds(server.pid), time.monotonic()
                with clients(
                        setting, place, "mcs", server.device_port, count, devices=ids, messages_per_ack=10,
                        messages=waiting * count):
                    until(lambda: server.metric("pharos_deliveries_total") >= waiting * count)
                    add_drained(rounds, "pharos", waiting * count, start, cpu_seconds(server.pid) - before)
            shutil.rmtree(place / f"data-{number}")
            with mosquitto(place, keeps=True) as (port, process):
                options = {"topic": "everybody", "keep_session": 1}
                with clients(setting, place, "mqtt", port, count, **options):
                    pass
                with clients(setting, place, "mqtt", port, 0, topic="everybody", publisher=1, body_bytes=250) as crowd:
                    crowd.ask(f"publish {waiting}")
                    time.sleep(SETTLING_SECONDS)
                before, start = cpu_seconds(process.pid), time.monotonic()
                with clients(setting, place, "mqtt", port, count, messages=waiting * count, **options):
                    add_drained(rounds, "mosquitto", waiting * count, start, cpu_seconds(process.pid) - before)

    def ratio(measure):
        return divided(rounds.median("pharos", measure), rounds.median("mosquitto", measure))

    report("drain", rounds, [
        ("messages a second, to mosquitto's", ratio("per_second"), "≥ 1"),
        ("processor time of a message, to mosquitto's", ratio("cpu_us"), "≤ 1")])


def add_drained(rounds, contender, messages, start, used):
    rounds.add(
        contender, per_second=messages / (time.monotonic() - start), cpu_us=used / messages * 1e6)


def until(is_done, seconds=120):
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            raise RuntimeError("it did not come to an end in time")
        time.sleep(0.01)


# The way back

def upstream(setting):
    """Messages of devices to their app server, and of as many users of prosody to another one, of the same size."""
    rounds = Rounds()
    # As many on their way as an app server's connection may have unacknowledged.
    senders, window = 100, 1
    with folder() as place:
        for number in range(setting.rounds):
            known, ids = world(setting, place, f"data-{number}", senders)
            with ChannelServer(setting.programs, place / f"data-{number}") as server:
                size = relay(
                    setting, place, rounds, "pharos", server.pid, senders, window, 200, protocol="mcs",
                    to=f"127.0.0.1:{server.device_port}", app_server=f"127.0.0.1:{server.xmpp_port}", devices=ids,
                    sender_id=known["sender_id"], server_key=known["server_key"])
            shutil.rmtree(place / f"data-{number}")
            with prosody(place, senders) as (port, process):
                address = f"127.0.0.1:{port}"
                # What prosody's stanza has around its text.
                relay(
                    setting, place, rounds, "prosody", process.pid, senders, window, size - 124, protocol="xmpp",
                    to=address, app_server=address)

    def ratio(measure):
        return divided(rounds.median("pharos", measure), rounds.median("prosody", measure))

    report("upstream", rounds, [
        ("messages a second, to prosody's", ratio("per_second"), "≥ 3"),
        ("processor time of a message, to prosody's", ratio("cpu_us"), "≤ 0.33")])


def relay(setting, place, rounds, contender, pid, senders, window, size, **options):
    """Returns how many bytes the receiver got for each message."""
    certificate, _ = make_certificate(place)
    with Conversation(
            setting.programs, "relay", place / "relay.log", ca=certificate, senders=senders, window=window, bytes=size,
            messages=setting.relayed, **options) as load:
        time.sleep(SETTLING_SECONDS)
        before = cpu_seconds(pid)
        result = load.ask("start")
        time.sleep(SETTLING_SECONDS)
        used = cpu_seconds(pid) - before
    bytes_each = result["bytes"] / setting.relayed
    rounds.add(
        contender, per_second=result["per_second"], cpu_us=used / setting.relayed * 1e6, bytes=bytes_each)
    return int(bytes_each)
