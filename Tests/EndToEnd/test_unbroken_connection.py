"""Runs late in the order of files: by then the connection has been idle for as long as the other tests took."""


def test_MCS_06_a_connection_without_traffic_stays_up(idle_device, app_server):
    app_server.must_send({"token": idle_device.token, "data": {"n": "after a long silence"}})
    assert idle_device.connection.data().app_data["n"] == "after a long silence"
