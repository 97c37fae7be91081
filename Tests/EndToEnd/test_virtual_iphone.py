"""What the user and the app see on a virtual iPhone, and the commands that show it."""
import json
import pathlib
import signal
import ssl
import subprocess

import pytest

from app_server import events, fcm_code, message_id, reports, way_of

ALERT = {"notification": {"title": "Kitchen", "body": "Order 42 is ready"}}
DATA = {"data": {"k": "v"}}


@pytest.fixture(params=["classic", "fid"])
def phone(request, emulator):
    """A phone in each of the two modes, in the foreground."""
    phone = Phone(emulator, emulator.devices(request.param)[0])
    yield phone
    phone.remove()


class Phone:
    """A virtual iPhone by the emulator's API."""

    def __init__(self, emulator, identity):
        self.emulator, self.identity = emulator, identity

    @property
    def target(self):
        return {"token": self.identity["token"]} if self.identity["token"] else {"fid": self.identity["fid"]}

    def do(self, verb, **body):
        return self.emulator.control(f"devices/{self.identity['device']}:{verb}", body)

    @property
    def state(self):
        return self.emulator.control(f"devices/{self.identity['device']}")

    def titles(self):
        return [notification["title"] for notification in self.state["notifications"]]

    def remove(self):
        self.emulator.control(f"devices/{self.identity['device']}", method="DELETE")

    def pushes(self):
        return [push for push in self.emulator.pushes() if push["path"].endswith(self.identity["apns_token"])]


def sent(app_server, phone, message):
    """Sends, waits until the phone has told, and returns the names of what happened."""
    return events(way_of(phone.emulator, app_server.must_send(phone.target | message)))


def test_in_the_foreground_the_app_is_asked_and_the_tray_stays_empty(app_server, phone):
    assert sent(app_server, phone, ALERT) == ["willPresent"]
    assert phone.state["notifications"] == []


def test_in_the_background_a_notification_goes_to_the_tray_and_a_tap_opens_the_app(app_server, phone):
    phone.do("background")
    name = app_server.must_send(phone.target | ALERT | DATA)
    way = way_of(phone.emulator, name)
    assert events(way) == ["shown"]
    assert (way["device_events"][0]["title"], way["device_events"][0]["body"]) == ("Kitchen", "Order 42 is ready")
    assert phone.titles() == ["Kitchen"] and not phone.state["foreground"]

    state = phone.do("tap", message_id=message_id(name))
    assert state["foreground"] and state["notifications"] == []
    response = way_of(phone.emulator, name)["device_events"][-1]
    assert response["event"] == "didReceiveResponse" and response["user_info"]["k"] == "v"


def test_a_tap_starts_an_app_that_was_ended(app_server, phone):
    phone.do("background")
    name = app_server.must_send(phone.target | ALERT)
    assert events(way_of(phone.emulator, name)) == ["shown"]
    assert not phone.do("terminate")["running"]
    assert phone.do("tap")["foreground"]
    assert events(way_of(phone.emulator, name)) == ["shown", "didReceiveResponse"]


def test_an_ended_app_is_started_again_with_its_registration(app_server, phone):
    phone.do("terminate")
    state = phone.do("launch", foreground=False)
    assert state["running"] and not state["foreground"]
    assert sent(app_server, phone, ALERT) == ["shown"]


def test_an_app_that_is_installed_again_is_another_instance(app_server, phone):
    old = phone.identity["fid"]
    phone.do("uninstall")
    state = phone.do("launch")
    assert state["fid"] and state["fid"] != old
    target = {"token": state["token"]} if state["token"] else {"fid": state["fid"]}
    assert events(way_of(phone.emulator, app_server.must_send(target | ALERT))) == ["willPresent"]


@pytest.mark.parametrize("verb", ["tap", "dismiss"])
def test_a_tap_on_nothing_is_an_error(phone, verb):
    status, _ = phone.emulator.call(f"/emulator/v1/devices/{phone.identity['device']}:{verb}", {"message_id": "1"})
    assert status == 404


def in_category(category):
    return ALERT | {"apns": {"payload": {"aps": {"category": category}}}}


def test_a_notification_that_is_put_away_is_told_as_that_and_opens_nothing(app_server, phone):
    phone.do("background")
    name = app_server.must_send(phone.target | in_category("dismissible"))
    assert events(way_of(phone.emulator, name)) == ["shown"]
    state = phone.do("dismiss", message_id=message_id(name))
    assert not state["foreground"] and state["notifications"] == []
    seen = way_of(phone.emulator, name)["device_events"]
    assert [event["event"] for event in seen] == ["shown", "dismissed", "didReceiveResponse"]
    assert seen[-1]["action_identifier"] == "com.apple.UNNotificationDismissActionIdentifier"
    assert [report["event"] for report in reports(phone.emulator, name, 1)] == ["MESSAGE_DISMISSED"]


@pytest.mark.parametrize("message", [ALERT, in_category("other")], ids=["no category", "another category"])
def test_the_app_hears_nothing_of_what_is_put_away_in_no_category_of_its_own(app_server, phone, message):
    phone.do("background")
    name = app_server.must_send(phone.target | message)
    assert events(way_of(phone.emulator, name)) == ["shown"]
    assert phone.do("dismiss")["notifications"] == []
    # What the app would say of the first comes before what it says of the second.
    second = app_server.must_send(phone.target | in_category("dismissible"))
    way_of(phone.emulator, second)
    phone.do("dismiss")
    assert [report["event"] for report in reports(phone.emulator, second, 1)] == ["MESSAGE_DISMISSED"]
    assert events(way_of(phone.emulator, name, wait_ms=0)) == ["shown", "dismissed"]
    assert reports(phone.emulator, name, 0) == []


def test_phones_are_started_with_categories_of_ones_own(app_server, emulator):
    identity, = emulator.control("devices", {"foreground": False, "dismiss_categories": ["other"]})["devices"]
    phone = Phone(emulator, identity)
    for category, heard in [("dismissible", False), ("other", True)]:
        name = app_server.must_send(phone.target | in_category(category))
        way_of(emulator, name)
        phone.do("dismiss")
        assert ("didReceiveResponse" in events(way_of(emulator, name))) == heard
    phone.remove()


def test_notifications_are_tapped_and_put_away_from_the_command_line(app_server, emulator, phone):
    phone.do("background")
    for verb, foreground in [("dismiss", False), ("tap", True)]:
        name = app_server.must_send(phone.target | in_category("dismissible"))
        way_of(emulator, name)
        done = subprocess.run(
            [emulator.pharos, "device", verb, "--server", emulator.ready["http"], "--device", phone.identity["device"],
             "--message-id", message_id(name)], capture_output=True, text=True, check=True)
        state = json.loads(done.stdout)
        assert state["notifications"] == [] and state["foreground"] == foreground
    done = subprocess.run(
        [emulator.pharos, "device", "dismiss", "--server", emulator.ready["http"], "--device", phone.identity["device"]],
        capture_output=True, text=True)
    assert done.returncode == 1 and "no such notification" in done.stderr


@pytest.mark.parametrize("where", ["foreground", "background"])
def test_a_data_message_reaches_the_app_wherever_it_is(app_server, phone, where):
    phone.do(where)
    assert sent(app_server, phone, DATA) == ["didReceiveRemoteNotification"]


def test_an_offline_phone_gets_the_last_of_its_messages_when_it_comes_back(app_server, phone):
    phone.do("background")
    phone.do("offline")
    names = [app_server.must_send(phone.target | {"notification": {"title": f"Number {n}"}}) for n in range(3)]
    assert phone.titles() == []
    assert [way_of(phone.emulator, name, wait_ms=0)["outcome"] for name in names] == ["accepted"] * 3
    phone.do("online")
    assert events(way_of(phone.emulator, names[-1])) == ["shown"]
    assert phone.titles() == ["Number 2"]
    assert [events(way_of(phone.emulator, name, wait_ms=0)) for name in names[:2]] == [[], []]


def test_a_message_that_is_not_to_be_stored_does_not_wait_for_an_offline_phone(app_server, phone):
    phone.do("background")
    phone.do("offline")
    lost = app_server.must_send(
        phone.target | {"notification": {"title": "Now"}, "apns": {"headers": {"apns-expiration": "0"}}})
    phone.do("online")
    assert sent(app_server, phone, {"notification": {"title": "Later"}}) == ["shown"]
    assert phone.titles() == ["Later"]
    assert events(way_of(phone.emulator, lost, wait_ms=0)) == []


def test_a_force_quit_app_shows_notifications_but_hears_no_silent_pushes(app_server, phone):
    phone.do("terminate", by_user=True)
    way = way_of(phone.emulator, app_server.must_send(phone.target | DATA))
    assert events(way) == ["dropped"] and "ended" in way["device_events"][0]["reason"]
    assert sent(app_server, phone, ALERT) == ["shown"]
    assert not phone.state["running"]


def test_an_app_that_the_system_ended_is_started_for_a_silent_push(app_server, phone):
    phone.do("background")
    phone.do("terminate", by_user=False)
    assert sent(app_server, phone, DATA) == ["didReceiveRemoteNotification"]
    assert phone.state["running"] and not phone.state["foreground"]


def test_badges_are_set_and_cleared(app_server, phone):
    phone.do("background")
    assert sent(app_server, phone, ALERT | {"apns": {"payload": {"aps": {"badge": 3}}}})[0] == "shown"
    assert phone.state["badge"] == 3
    assert sent(app_server, phone, {"apns": {"payload": {"aps": {"badge": 0}}}}) == ["badgeChanged"]
    assert phone.state["badge"] == 0 and phone.titles() == []


def test_an_alert_that_clears_the_badge_is_shown_itself(app_server, phone):
    phone.do("background")
    assert sent(app_server, phone, ALERT | {"apns": {"payload": {"aps": {"badge": 0}}}})[0] == "shown"
    assert phone.titles() == ["Kitchen"]


def test_a_collapse_id_replaces_the_notification_that_is_shown(app_server, phone):
    phone.do("background")
    for title, collapse in [("1:0", "score"), ("2:0", "score"), ("News", "news")]:
        message = {"notification": {"title": title}, "apns": {"headers": {"apns-collapse-id": collapse}}}
        assert sent(app_server, phone, message) == ["shown"]
    assert phone.titles() == ["2:0", "News"]


def test_after_uninstalling_the_sender_is_told_that_nobody_is_there(app_server, phone):
    phone.do("uninstall")
    for _ in range(2):
        status, answer = app_server.send(phone.target | DATA)
        assert status == 404 and fcm_code(answer) == "UNREGISTERED"
    assert len(phone.pushes()) == 1, "the second send asked APNs again"


def test_a_phone_that_was_taken_away_is_gone(app_server, emulator):
    identity = emulator.devices("classic")[0]
    Phone(emulator, identity).remove()
    assert emulator.call(f"/emulator/v1/devices/{identity['device']}")[0] == 404


def test_twenty_phones_start_at_once_and_each_gets_its_own_message(app_server, emulator):
    phones = [Phone(emulator, identity) for identity in emulator.devices("classic", count=20, foreground=False)]
    assert len({phone.identity["token"] for phone in phones}) == 20
    for number, phone in enumerate(phones):
        assert sent(app_server, phone, {"notification": {"title": str(number)}}) == ["shown"]
    assert [phone.titles() for phone in phones] == [[str(number)] for number in range(20)]
    for phone in phones:
        phone.remove()


# --- commands


class RunningDevice:
    """`pharos device run`: its lines as they come."""

    def __init__(self, emulator, *options):
        self.process = subprocess.Popen(
            [emulator.pharos, "device", "run", "--data-dir", str(emulator.data_dir), *options],
            stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(timeout=20) == 0

    def wait_for(self, event):
        """Reads lines until one tells of the event; returns it."""
        for line in self.process.stdout:
            told = json.loads(line)
            if told["event"] == event:
                return told
        raise AssertionError(f"the device ended before {event}")


@pytest.mark.parametrize("mode, callback, field", [
    ("classic", "didReceiveRegistrationToken", "token"), ("fid", "didReceiveRegistration", "fid")])
def test_a_device_in_a_process_of_its_own_prints_what_happens_as_json(
        app_server, emulator, mode, callback, field):
    with RunningDevice(emulator, "--mode", mode, "--name", f"own-{mode}", "--background") as device:
        identifier = device.wait_for(callback)[field]
        app_server.must_send({field: identifier} | ALERT)
        shown = device.wait_for("shown")
        assert shown["title"] == "Kitchen" and shown["device"] == f"own-{mode}"
        app_server.must_send({field: identifier} | DATA)
        assert device.wait_for("didReceiveRemoteNotification")["user_info"]["k"] == "v"


def pharos(emulator, *words, **options):
    return subprocess.run(
        [emulator.pharos, *words, "--data-dir", str(emulator.data_dir)], capture_output=True, text=True, **options)


def test_send_wait_prints_the_way_of_the_message(emulator, device):
    done = pharos(emulator, "send", "--token", device["token"], "--title", "Hello", "--data", "k=v", "--wait")
    assert done.returncode == 0, done.stderr
    way = json.loads(done.stdout)["messages"][0]["targets"][0]
    assert events(way) == ["willPresent"] and way["device_events"][0]["user_info"]["k"] == "v"


def test_send_takes_a_whole_message_from_standard_input(emulator, fid_device):
    done = pharos(emulator, "send", "--stdin", "--fid", fid_device["fid"], input=json.dumps(DATA))
    assert done.returncode == 0, done.stderr
    assert events(way_of(emulator, done.stdout.strip())) == ["didReceiveRemoteNotification"]


@pytest.mark.parametrize("words, code", [
    (["send", "--token", "bogus", "--title", "x"], 1),
    (["send", "--token", "x", "--data", "no-equals-sign"], 2),
    (["send", "--no-such-option"], 2),
    (["no-such-command"], 2),
    (["token", "inspect"], 2),
])
def test_a_command_that_fails_says_why_and_what_to_do(emulator, words, code):
    done = pharos(emulator, *words)
    assert done.returncode == code and done.stdout == ""
    assert done.stderr.startswith("pharos: ") and len(done.stderr.splitlines()) >= 2


def test_token_inspect_says_what_a_token_is(emulator, app_server, fresh_device):
    found = emulator.run("token", "inspect", fresh_device["token"])
    assert found["state"] == "live" and found["fid"] == fresh_device["fid"]
    assert found["apns_token"] == fresh_device["apns_token"] and found["project"] == emulator.ready["project"]
    emulator.control(f"devices/{fresh_device['device']}:uninstall", {})
    app_server.send({"token": fresh_device["token"]} | DATA)
    assert emulator.run("token", "inspect", fresh_device["token"])["state"].startswith("ended")
    assert emulator.run("token", "inspect", fresh_device["fid"])["kind"] == "FID"
    assert emulator.run("token", "inspect", fresh_device["fis_auth"])["kind"] == "installation auth token"
    assert emulator.run("token", "inspect", fresh_device["token"][:-1] + "!")["kind"] == "unknown"


def test_ca_prints_the_certificate_that_clients_trust(emulator):
    done = pharos(emulator, "ca")
    assert done.returncode == 0
    assert done.stdout.strip() == pathlib.Path(emulator.ready["ca"]).read_text().strip()
    ssl.create_default_context(cadata=done.stdout)


def doctor(emulator, *options):
    """What the doctor found: subject -> finding, and the exit code."""
    done = pharos(emulator, "doctor", "--offline", "--json", *options)
    return {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}, done.returncode


def test_doctor_finds_a_new_data_directory_in_order(emulator):
    findings, code = doctor(emulator, "--listen-http=127.0.0.1:0", "--listen-https=127.0.0.1:0")
    assert code == 0 and {finding["state"] for finding in findings.values()} == {"ok"}, findings
    assert {"clock", "data directory", "local CA", "store"} <= findings.keys()


def test_doctor_names_a_port_that_is_taken_and_a_directory_that_is_not_there(emulator, tmp_path):
    taken = emulator.ready["http"].split("//")[1]
    findings, _ = doctor(emulator, f"--listen-http={taken}", "--listen-https=off")
    assert findings["listen-http"]["state"] != "ok" and taken in findings["listen-http"]["text"]
    done = subprocess.run(
        [emulator.pharos, "doctor", "--offline", "--json", "--data-dir", str(tmp_path / "none"), "--listen-http=off",
         "--listen-https=off"], capture_output=True, text=True)
    findings = {finding["subject"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert done.returncode == 1
    assert findings["data directory"]["state"] == "failed" and findings["data directory"]["next_step"]


def test_every_command_explains_itself(emulator):
    overview = subprocess.run([emulator.pharos, "--help"], capture_output=True, text=True, check=True)
    commands = [line.split("  ")[1] for line in overview.stdout.splitlines() if line.startswith("  ")]
    assert {"dev", "serve", "send", "device run", "doctor"} <= set(commands)
    for command in commands:
        done = subprocess.run([emulator.pharos, *command.split(), "--help"], capture_output=True, text=True)
        assert done.returncode == 0 and "Usage:" in done.stdout, command
