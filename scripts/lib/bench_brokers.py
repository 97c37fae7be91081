"""The peers of the device channel: mosquitto, NATS, prosody. Each over TLS on loopback, with our certificate."""
import contextlib
import pathlib
import sys

from bench_peers import make_certificate
from bench_programs import free_port, running


@contextlib.contextmanager
def mosquitto(folder, keeps=False):
    """An MQTT broker that keeps everything in memory, each connection without delay. Gives its port and process.

    `keeps`: sessions outlive their connections, as many messages as an inbox of ours holds."""
    certificate, key = make_certificate(folder)
    port = free_port()
    configuration = folder / "mosquitto.conf"
    configuration.write_text(f"""
user root
listener {port} 127.0.0.1
certfile {certificate}
keyfile {key}
allow_anonymous true
set_tcp_nodelay true
persistence false
max_inflight_messages 100
max_queued_messages {1000 if keeps else 100}
log_dest stderr
log_type error
""")
    with running(["mosquitto", "-c", configuration], folder / "mosquitto.log", port) as process:
        yield port, process


@contextlib.contextmanager
def nats(folder):
    """A NATS server, which keeps nothing. Gives its port and process."""
    certificate, key = make_certificate(folder)
    port = free_port()
    configuration = folder / "nats.conf"
    configuration.write_text(f"""
listen: 127.0.0.1:{port}
max_connections: 20000
tls {{ cert_file: "{certificate}", key_file: "{key}", handshake_first: true, timeout: 30 }}
""")
    with running([pathlib.Path(sys.executable).parent / "nats-server", "-c", configuration], folder / "nats.log", port) as process:
        yield port, process


@contextlib.contextmanager
def prosody(folder, users):
    """An XMPP server with the accounts `app` and `user0`…; TLS from the first byte. Gives its port and process."""
    certificate, key = make_certificate(folder)
    port = free_port()
    accounts = folder / "prosody" / "localhost" / "accounts"
    accounts.mkdir(parents=True, exist_ok=True)
    for name in ["app"] + [f"user{number}" for number in range(users)]:
        (accounts / f"{name}.dat").write_text('return { ["password"] = "secret" };\n')
    configuration = folder / "prosody.cfg.lua"
    configuration.write_text(f"""
pidfile = "{folder}/prosody.pid"
data_path = "{folder}/prosody"
run_as_root = true
modules_enabled = {{ "saslauth", "tls" }}
modules_disabled = {{ "s2s", "offline", "posix" }}
authentication = "internal_plain"
log = {{ error = "{folder}/prosody.err" }}
c2s_ports = {{}}
s2s_ports = {{}}
http_ports = {{}}
https_ports = {{}}
c2s_direct_tls_ports = {{ {port} }}
c2s_direct_tls_interfaces = {{ "127.0.0.1" }}
c2s_direct_tls_ssl = {{ certificate = "{certificate}", key = "{key}" }}
ssl = {{ certificate = "{certificate}", key = "{key}" }}
VirtualHost "localhost"
""")
    with running(["prosody", "--config", configuration, "-F"], folder / "prosody.log", port) as process:
        yield port, process
