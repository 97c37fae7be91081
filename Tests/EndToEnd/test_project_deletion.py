"""A project that is deleted while devices, app servers and messages of it are alive."""
import pytest

from app_server import AppServer
from emulator import Emulator
from mcs_client import registered_android
from xmpp_client import EndOfStream, app_server_stream


@pytest.fixture()
def service(pharos):
    with Emulator(pharos) as emulator:
        yield emulator


def test_a_project_that_is_deleted_ends_what_it_had_and_nothing_else(service):
    sender, device = AppServer(service), registered_android(service)
    address = f"{service.ready['sender_id']}@gcm.googleapis.com"
    stream, connection = app_server_stream(service), device.connect()
    iphones = service.devices(count=2)
    sender.must_send({"token": device.token, "data": {"n": "written"}})
    assert connection.data().app_data["n"] == "written"
    connection.confirmed(connection.send_upstream(address, {"n": "up"}, "up", "q-1"))
    unacknowledged = stream.message()
    connection.cut()
    for number in range(20):
        sender.must_send({"token": device.token, "data": {"n": str(number)}})
        sender.must_send({"token": iphones[0]["token"], "notification": {"title": str(number)}})
    service.run("project", "delete", service.ready["project"], "--yes")
    # The stream ends with its reason, whatever it still owes.
    with pytest.raises(EndOfStream):
        stream.acknowledge(unacknowledged)
        while (stanza := stream.receive()).name != "error":
            pass
        assert "not-authorized" in repr(stanza)
        stream.receive()
    # Nobody speaks for it any more, and its tokens are nobody's.
    status, answer = sender.send({"token": device.token, "data": {"n": "late"}})
    assert status in (401, 403, 404), answer
    with pytest.raises((AssertionError, EndOfStream)):
        app_server_stream(service)
    # The device is still one, gets nothing of it, and may send nothing to it.
    connection = device.connect()
    assert connection.ping()
    connection.send_upstream(address, {"n": "late"}, "late", "q-2")
    refusal = connection.data()
    assert refusal.app_data["message_type"] == "send_error" and refusal.app_data["google.message_id"] == "late"
    device.cut()
    status, _ = service.call("/healthz")
    assert status == 200
    # What the next start finds is no trouble either.
    service.stop()
    service.start()
    assert service.call("/healthz")[0] == 200
