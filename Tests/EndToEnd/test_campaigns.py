"""Campaigns of the console, end to end: clock changes, kills, segments, tests to single devices."""
import datetime
import json
import time
import urllib.parse

import pytest

from console_api import Console
from device_api import create_installation, register_form
from emulator import Emulator
from fixture_world import access_token

BERLIN = "Europe/Berlin"
UTC = datetime.timezone.utc


@pytest.fixture(scope="module")
def console(own_emulator):
    return signed_in(own_emulator)


def signed_in(emulator):
    console = Console(emulator.ready["console"])
    console.sign_in("admin", emulator.ready["admin_password"])
    return console


def path(emulator, rest=""):
    return f"projects/{emulator.ready['project']}/campaigns{rest}"


def composed(target, schedule, **options):
    return {"name": "Spring", "notification": {"title": "Hello", "body": "World"}, "options": options, "target": target,
            "schedule": schedule}


def publish(emulator, console, campaign):
    made = console.done("POST", path(emulator), campaign)
    return console.done("POST", path(emulator, f"/{made['campaignId']}:publish"))


def move_to(emulator, moment):
    """Moves the virtual clock to a time, at the latest a second after it."""
    now = emulator.control("clock")["now_ms"] / 1000
    ahead = int(moment.timestamp() - now) + 1
    if ahead > 0:
        emulator.control("clock", {"advance_seconds": ahead})


def until(holds, what, seconds=30):
    """Waits until something holds and returns it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what} did not come")


def runs(emulator, console, campaign):
    return console.get(path(emulator, f"/{campaign['campaignId']}/runs"))["runs"]


def pushes_of(emulator, campaign):
    """What APNs got of a campaign, in all runs of the program."""
    found = []
    for line in emulator.apns_log.read_text().splitlines():
        push = json.loads(line)
        if json.loads(push["body"]).get("google.c.a.c_id") == campaign["campaignId"]:
            found.append(push)
    return found


def check_in(emulator, locale, zone):
    """A device that says its language and time zone."""
    status, text = emulator.call("/checkin", {
        "checkin": {"iosbuild": {"model": "iPhone", "os_version": "IOS_18.0"}, "type": 2, "user_number": 0,
                    "last_checkin_msec": 0},
        "fragment": 0, "locale": locale, "version": 2, "digest": "", "time_zone": zone, "user_serial_number": 0, "id": 0,
        "security_token": 0})
    assert status == 200, text
    return json.loads(text)


def phone(emulator, number, locale, zone, version):
    """An Apple app instance; returns its token and its APNs token."""
    apns = f"{number:064x}"
    status, text = register_form(
        emulator, check_in(emulator, locale, zone), create_installation(emulator), "s_" + apns, app_ver=version)
    assert status == 200 and text.startswith("token="), text
    return text.removeprefix("token=").strip(), apns


# First of all: OAuth tokens are made by this machine's clock, which the other tests leave behind.
def test_a_segment_of_properties_that_an_app_server_set(own_emulator, console):
    emulator = own_emulator
    token, apns = phone(emulator, 300, "de_DE", BERLIN, "1.0")
    account = json.load(open(emulator.ready["service_account"]))
    status, text = emulator.call(
        f"/v1/projects/{emulator.ready['project']}/registrations/{urllib.parse.quote(token, safe='')}/properties",
        {"plan": "pro"}, method="PATCH", headers={"Authorization": "Bearer " + access_token(emulator, account)})
    assert status == 200 and json.loads(text) == {"plan": "pro"}, text
    target = {"segment": {"all": [{"property": {"name": "plan", "op": "is", "value": "pro"}}]}}
    campaign = publish(emulator, console, composed(target, {"kind": "NOW"}))
    pushes = until(lambda: pushes_of(emulator, campaign), "the push")
    assert [push["path"].rsplit("/", 1)[1] for push in pushes] == [apns]


def test_con_04_a_daily_campaign_comes_once_on_the_days_on_which_clocks_change(own_emulator, console):
    emulator = own_emulator
    _, apns = phone(emulator, 1, "de_DE", BERLIN, "4.0")
    move_to(emulator, datetime.datetime(2030, 3, 30, 12, 0, tzinfo=UTC))
    campaign = publish(emulator, console, composed(
        {"segment": {"all": [{"version": {"op": "is", "value": "4.0"}}]}},
        {"kind": "DAILY", "timeOfDay": "02:30", "timeZone": BERLIN, "endDate": "2030-10-27"}))
    assert campaign["nextRunAt"] == "2030-03-31T01:30:00Z"
    for moment, count in [((2030, 3, 31, 1, 29), 0), ((2030, 3, 31, 1, 30), 1), ((2030, 3, 31, 3, 0), 1)]:
        move_to(emulator, datetime.datetime(*moment, tzinfo=UTC))
        if count:
            until(lambda: len(runs(emulator, console, campaign)) == count, "the run")
        assert len(runs(emulator, console, campaign)) == count
    move_to(emulator, datetime.datetime(2030, 10, 26, 22, 0, tzinfo=UTC))
    until(lambda: len(runs(emulator, console, campaign)) == 2, "what was passed over")
    move_to(emulator, datetime.datetime(2030, 10, 27, 0, 30, tzinfo=UTC))
    until(lambda: len(runs(emulator, console, campaign)) == 3, "the night on which clocks go back")
    move_to(emulator, datetime.datetime(2030, 10, 27, 1, 31, tzinfo=UTC))
    move_to(emulator, datetime.datetime(2030, 10, 29, 1, 31, tzinfo=UTC))
    done = [run["dueAt"] for run in runs(emulator, console, campaign)]
    assert done == ["2030-10-27T00:30:00Z", "2030-10-26T00:30:00Z", "2030-03-31T01:30:00Z"]
    assert console.get(path(emulator, "/" + campaign["campaignId"]))["state"] == "COMPLETED"
    until(lambda: len(pushes_of(emulator, campaign)) == 3, "three pushes")
    assert {push["path"].rsplit("/", 1)[1] for push in pushes_of(emulator, campaign)} == {apns}


def test_con_08_the_expiry_counts_from_the_send(own_emulator, console):
    emulator = own_emulator
    token, _ = phone(emulator, 2, "de_DE", BERLIN, "1.0")
    now = datetime.datetime.fromtimestamp(emulator.control("clock")["now_ms"] / 1000, UTC)
    due = (now + datetime.timedelta(hours=1)).replace(microsecond=0)
    campaign = publish(emulator, console, composed(
        {"device": f"  {token}\n"}, {"kind": "AT", "at": due.strftime("%Y-%m-%dT%H:%M:%S"), "timeZone": "UTC"},
        expirySeconds=2_419_200, data={"content_available": "true", "title": "x"}))
    move_to(emulator, due)
    push = until(lambda: pushes_of(emulator, campaign), "the push")[0]
    assert 0 <= int(push["headers"]["apns-expiration"]) - due.timestamp() - 2_419_200 <= 60
    body = json.loads(push["body"])
    assert body["content_available"] == "true" and body["title"] == "x"
    assert body["aps"]["alert"] == {"title": "Hello", "body": "World"}
    refused = console.refused("POST", path(emulator), composed({"topic": "t"}, {"kind": "NOW"}, expirySeconds=2_419_201))
    assert refused[0] == 400


def test_a_segment_of_version_and_language_reaches_those_and_nobody_else(own_emulator, console):
    emulator = own_emulator
    wanted = [phone(emulator, 100 + number, "fr_FR", "Europe/Paris", version)[1]
              for number, version in enumerate(["2.1", "2.10", "3.0"])]
    for number, (locale, version) in enumerate([("fr_FR", "2.0.9"), ("de_DE", "2.1"), ("en_US", "9")]):
        phone(emulator, 200 + number, locale, "Europe/Paris", version)
    target = {"segment": {"all": [{"version": {"op": "atLeast", "value": "2.1"}}, {"language": {"in": ["fr"]}}]}}
    estimate = console.done("POST", path(emulator, ":estimate"), {"target": target})
    assert estimate == {"devices": 3, "registrations": 3, "isExact": True}
    campaign = publish(emulator, console, composed(target, {"kind": "NOW"}))
    until(lambda: len(pushes_of(emulator, campaign)) >= 3, "three pushes")
    shown = until(lambda: (lambda c: c["counts"]["sent"] == 3 and c)(
        console.get(path(emulator, "/" + campaign["campaignId"]))), "the counts")
    assert shown["state"] == "COMPLETED"
    assert sorted(push["path"].rsplit("/", 1)[1] for push in pushes_of(emulator, campaign)) == sorted(wanted)


def test_con_02_the_recipients_time_is_sent_ahead_to_apple_and_in_time_to_others(own_emulator, console):
    emulator = own_emulator
    token, _ = phone(emulator, 400, "ja_JP", "Asia/Tokyo", "1.0")
    console.done(
        "PUT", f"projects/{emulator.ready['project']}/devices/{urllib.parse.quote(token, safe='')}/properties",
        {"club": "lunch"})
    now = datetime.datetime.fromtimestamp(emulator.control("clock")["now_ms"] / 1000, UTC)
    noon = (now + datetime.timedelta(days=3)).replace(hour=12, minute=0, second=0, microsecond=0)
    campaign = publish(emulator, console, composed(
        {"segment": {"all": [{"property": {"name": "club", "op": "is", "value": "lunch"}}]}},
        {"kind": "AT", "at": noon.strftime("%Y-%m-%dT12:00"), "timeZone": "RECIPIENT"}, expirySeconds=86_400))
    move_to(emulator, noon - datetime.timedelta(hours=15))
    body = json.loads(until(lambda: pushes_of(emulator, campaign), "the silent push")[0]["body"])
    assert body["aps"] == {"content-available": 1}
    assert body["google.c.cm.lt_start"] == noon.strftime("%Y-%m-%d 12:00:00")
    assert body["google.c.a.udt"] == "1"
    move_to(emulator, noon - datetime.timedelta(hours=9))
    until(lambda: any(run["audience"] == "Asia/Tokyo" for run in runs(emulator, console, campaign)), "Tokyo's noon")
    move_to(emulator, noon + datetime.timedelta(hours=14))
    until(lambda: console.get(path(emulator, "/" + campaign["campaignId"]))["state"] == "COMPLETED", "the end")
    assert len(pushes_of(emulator, campaign)) == 1


def test_the_recipients_time_comes_on_a_phone_that_was_told_ahead(own_emulator, console):
    emulator = own_emulator
    device = emulator.devices("fid", foreground=False)[0]
    console.done(
        "PUT", f"projects/{emulator.ready['project']}/devices/{device['fid']}/properties", {"club": "breakfast"})
    now = datetime.datetime.fromtimestamp(emulator.control("clock")["now_ms"] / 1000, UTC)
    nine = (now + datetime.timedelta(days=3)).replace(hour=9, minute=0, second=0, microsecond=0)
    campaign = publish(emulator, console, composed(
        {"segment": {"all": [{"property": {"name": "club", "op": "is", "value": "breakfast"}}]}},
        {"kind": "AT", "at": nine.strftime("%Y-%m-%dT09:00"), "timeZone": "RECIPIENT"}, expirySeconds=86_400))
    move_to(emulator, nine - datetime.timedelta(hours=15))
    until(lambda: pushes_of(emulator, campaign), "the silent push")

    def shown():
        return [one["title"] for one in emulator.control(f"devices/{device['device']}")["notifications"]]

    # The virtual phone is an hour ahead of UTC.
    move_to(emulator, nine - datetime.timedelta(hours=1, seconds=30))
    assert shown() == []
    move_to(emulator, nine - datetime.timedelta(hours=1) + datetime.timedelta(seconds=1))
    until(lambda: shown() == ["Hello"], "the notification on the lock screen")
    move_to(emulator, nine + datetime.timedelta(hours=14))
    until(lambda: console.get(path(emulator, "/" + campaign["campaignId"]))["state"] == "COMPLETED", "the end")
    assert len(shown()) == 1


def test_con_09_a_test_message_says_what_went_wrong(own_emulator, console):
    emulator = own_emulator
    token, _ = phone(emulator, 500, "de_DE", BERLIN, "1.0")
    dead, dead_apns = phone(emulator, 501, "de_DE", BERLIN, "1.0")
    emulator.control("faults", {
        "door": "apns", "target": dead_apns, "status": 410, "reason": "Unregistered",
        "timestamp_ms": emulator.control("clock")["now_ms"] + 1_000})
    campaign = composed({"topic": "t"}, {"kind": "NOW"})
    answer = console.done("POST", path(emulator, ":test"), {
        "campaign": campaign, "targets": [f"  {token}\n", token.split(":")[0], dead, "nonsense"]})
    results = answer["results"]
    assert [result.get("error", {}).get("status") for result in results] == [
        None, None, "UNREGISTERED", "INVALID_ARGUMENT"]
    assert all(result["messageId"] for result in results[:2])
    assert results[2]["error"]["message"]


def test_con_06_and_con_07_what_is_typed_stays_what_it_is(own_emulator, console):
    emulator = own_emulator
    title, body = '<b>50% off</b> & "more" 😀 {{name}}', "line 1\nline 2 <script>alert(1)</script> \u202eabc"
    campaign = composed({"topic": "t"}, {"kind": "NOW"})
    campaign |= {"name": "a'; --", "notification": {"title": title, "body": body}}
    made = console.done("POST", path(emulator), campaign)
    assert made["notification"] == {"title": title, "body": body} and made["name"] == "a'; --"
    preview = console.done("POST", path(emulator, ":preview"), {"campaign": campaign})
    assert preview["payload"]["aps"]["alert"] == {"title": title, "body": body} and preview["violations"] == []
    for key in ("from", "google.c.a.e", "gcm.n.e"):
        status, answer, _ = console.ask("POST", path(emulator), campaign | {"options": {"data": {key: "x"}}})
        assert status == 400
        assert answer["error"]["details"][0]["fieldViolations"][0]["field"] == f"options.data.{key}"


def test_the_commands_do_what_the_console_does(own_emulator, console):
    emulator = own_emulator
    token = console.done("POST", "tokens", {"name": "scripts"})
    secret = next(value for name, value in token.items() if name in ("token", "secret"))
    access = ["--console-token", secret, "--server", emulator.ready["http"]]
    draft = emulator.folder / "campaign.json"
    draft.write_text(json.dumps(composed({"topic": "t"}, {"kind": "DAILY", "timeOfDay": "09:00"})))
    made = emulator.run("campaign", "create", str(draft), *access)
    number = made["campaignId"]
    assert emulator.run("campaign", "publish", number, *access)["state"] == "SCHEDULED"
    assert emulator.run("campaign", "pause", number, *access)["state"] == "PAUSED"
    assert emulator.run("campaign", "resume", number, *access)["state"] == "SCHEDULED"
    assert emulator.run("campaign", "cancel", number, *access)["state"] == "CANCELLED"
    assert emulator.run("campaign", "show", number, *access)["name"] == "Spring"
    assert emulator.run("campaign", "runs", number, *access) == {"runs": []}
    assert emulator.run("campaign", "estimate", number, *access)["registrations"] == 0
    copy = emulator.run("campaign", "duplicate", number, *access)
    listed = emulator.run("campaign", "list", *access)["campaigns"]
    assert [campaign["campaignId"] for campaign in listed][:2] == [copy["campaignId"], number]


@pytest.mark.parametrize("if_missed, result", [("SEND", "ACCEPTED"), ("SKIP", "SKIPPED")])
def test_a_kill_before_and_after_a_run_neither_repeats_nor_loses_it(pharos, if_missed, result):
    with Emulator(pharos) as emulator:
        phone(emulator, 1, "de_DE", BERLIN, "1.0")
        console = signed_in(emulator)
        now = datetime.datetime.now(UTC).replace(microsecond=0)
        soon = now + datetime.timedelta(seconds=2)
        campaign = publish(emulator, console, composed(
            {"segment": {"all": []}},
            {"kind": "CUSTOM", "dates": [day.strftime("%Y-%m-%d") for day in (soon, soon + datetime.timedelta(days=1))],
             "timeOfDay": soon.strftime("%H:%M:%S"), "timeZone": "UTC", "ifMissed": if_missed}))
        emulator.kill()
        # The virtual clock starts at the machine's time again; the first run is due, and not late yet.
        time.sleep(max(0, soon.timestamp() + 0.2 - time.time()))
        emulator.start()
        console = signed_in(emulator)
        until(lambda: runs(emulator, console, campaign), "the first run")
        until(lambda: len(pushes_of(emulator, campaign)) == 1, "its push")
        emulator.kill()
        emulator.start()
        console = signed_in(emulator)
        assert len(runs(emulator, console, campaign)) == 1
        # Now the second one passes while nothing runs: the clock jumps over it.
        move_to(emulator, soon + datetime.timedelta(days=1, hours=2))
        second = until(lambda: (lambda r: len(r) == 2 and r[0])(runs(emulator, console, campaign)), "the second run")
        assert second["result"] == result
        if result == "ACCEPTED":
            until(lambda: len(pushes_of(emulator, campaign)) == 2, "its push")
        emulator.kill()
        emulator.start()
        console = signed_in(emulator)
        assert len(runs(emulator, console, campaign)) == 2
        assert len(pushes_of(emulator, campaign)) == (2 if result == "ACCEPTED" else 1)


def test_a_reset_of_the_emulator_leaves_no_campaign_to_run(own_emulator, console):
    own_emulator.devices("fid")
    soon = {"kind": "AT", "at": "2035-01-01T09:00:00", "timeZone": "UTC"}
    published = publish(own_emulator, console, composed({"segment": {"all": []}}, soon))
    assert published["state"] == "SCHEDULED"
    own_emulator.control("reset", {})
    assert console.get(path(own_emulator))["campaigns"] == []
    assert console.refused("GET", path(own_emulator, "/" + published["campaignId"]))[0] == 404
