"""PyPI push-receiver 0.1.1: registers as it did until 2024 and tells each message that it receives."""
import redirected  # noqa: F401  (first: it changes name resolution)

import os
import sys
import threading
import types

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

# Its generated code is older than protobuf's faster implementations.
os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"


class Encoded:
    def __init__(self, der):
        self.asn1 = types.SimpleNamespace(dump=lambda: der)


def generate_pair(kind, curve):
    """What the library asks oscrypto for, which does not run beside OpenSSL 3.0.10 and later."""
    key = ec.generate_private_key(ec.SECP256R1())
    return (
        Encoded(key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)),
        Encoded(key.private_bytes(
            serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())))


sys.modules["oscrypto"] = types.ModuleType("oscrypto")
sys.modules["oscrypto.asymmetric"] = types.ModuleType("oscrypto.asymmetric")
sys.modules["oscrypto.asymmetric"].generate_pair = generate_pair
from push_receiver import push_receiver  # noqa: E402


def listen(credentials, received):
    try:
        push_receiver.listen(
            credentials, lambda _, message, packet: redirected.say(
                "message", message=message, persistent_id=packet.persistent_id), received)
    except Exception as error:
        redirected.say("failed", error=repr(error))


def main():
    settings = redirected.command()
    credentials = settings.get("credentials") or push_receiver.register(settings["sender_id"])
    redirected.say("registered", token=credentials["fcm"]["token"], credentials=credentials)
    threading.Thread(target=listen, args=(credentials, settings.get("received", [])), daemon=True).start()
    while redirected.command():
        pass


main()
