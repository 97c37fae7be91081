"""Topics from the app's side: a virtual iPhone subscribes and leaves with the SDK, in both modes."""
import itertools

import pytest

from app_server import events, way_of

ALERT = {"notification": {"title": "Kitchen", "body": "Order 42 is ready"}}
numbers = itertools.count(1)


class TopicPhone:
    """A virtual iPhone in the foreground that makes topic calls."""

    def __init__(self, emulator, app_server, mode):
        self.emulator, self.app_server = emulator, app_server
        self.identity = emulator.devices(mode)[0]

    def do(self, verb, **body):
        return self.emulator.control(f"devices/{self.identity['device']}:{verb}", body)

    def subscribe(self, topic, **options):
        return self.do("subscribe", topic=topic, **options)["state"]

    def unsubscribe(self, topic, **options):
        return self.do("unsubscribe", topic=topic, **options)["state"]

    def finish_calls(self):
        """Returns when the SDK has nothing left to do: calls of another kind wait for the ones before."""
        assert self.subscribe("barrier") == "subscribed"
        assert self.unsubscribe("barrier") == "unsubscribed"

    def hears(self, topic):
        """Whether a message to the topic reaches the app."""
        name = self.app_server.must_send({"topic": topic} | ALERT)
        targets = self.targets(name)
        mine = [target for target in targets if target.get("fid") == self.identity["fid"]]
        assert all(events(target) == ["willPresent"] for target in mine), mine
        return len(mine) == 1

    def targets(self, name):
        answer = self.emulator.control(f"messages?message_id={name.rsplit('/', 1)[1]}&wait_ms=20000")
        return answer["messages"][0]["targets"]

    def remove(self):
        self.emulator.control(f"devices/{self.identity['device']}", method="DELETE")


@pytest.fixture(params=["classic", "fid"])
def phone(request, emulator, app_server):
    phone = TopicPhone(emulator, app_server, request.param)
    yield phone
    phone.remove()


@pytest.fixture()
def topic():
    """A topic of the test's own."""
    return f"device-{next(numbers)}"


def test_a_phone_subscribes_hears_the_topic_and_leaves_it(phone, topic):
    assert not phone.hears(topic)
    assert phone.subscribe(topic) == "subscribed"
    assert phone.hears(topic)
    assert phone.unsubscribe(topic) == "unsubscribed"
    assert not phone.hears(topic)


def test_subscribing_and_leaving_twice_is_the_same_as_once(phone, topic):
    assert [phone.subscribe(topic) for _ in range(2)] == ["subscribed"] * 2
    assert phone.hears(topic)
    assert [phone.unsubscribe(topic) for _ in range(2)] == ["unsubscribed"] * 2
    assert not phone.hears(topic)


def test_IOS_09_the_name_with_and_without_the_prefix_is_one_subscription(phone, topic):
    assert phone.subscribe(topic) == phone.subscribe(f"/topics/{topic}") == "subscribed"
    assert phone.hears(topic)
    assert phone.unsubscribe(f"/topics/{topic}") == "unsubscribed"
    assert not phone.hears(topic)


@pytest.mark.parametrize("name", ["sport%7Cbaseball", "100%", "%2525", "a-b_c.d~e", "." * 3, "x" * 900])
def test_every_character_of_a_name_arrives_as_it_is(phone, name):
    assert phone.subscribe(name) == "subscribed"
    assert phone.hears(name)
    assert phone.unsubscribe(name) == "unsubscribed"
    assert not phone.hears(name)


@pytest.mark.parametrize("name", ["two words", "caf\u00e9", "a/b", "", "/topics/", "x" * 901])
def test_IOS_09_a_wrong_name_is_refused_by_the_sdk(phone, name):
    for verb in ["subscribe", "unsubscribe"]:
        status, text = phone.emulator.call(
            f"/emulator/v1/devices/{phone.identity['device']}:{verb}", {"topic": name})
        assert status == 400 and "com.google.fcm error 8" in text


def test_calls_made_offline_go_out_when_the_network_is_back(phone, topic):
    phone.do("offline")
    assert phone.subscribe(topic, wait_ms=0) == "pending"
    phone.do("online")
    phone.finish_calls()
    assert phone.hears(topic)


def test_pending_calls_survive_the_end_of_the_app_and_keep_their_order(phone, topic):
    phone.do("offline")
    left, joined = topic + "-left", topic + "-joined"
    calls = [
        (phone.subscribe, left), (phone.unsubscribe, left), (phone.unsubscribe, joined), (phone.subscribe, joined)]
    assert [call(name, wait_ms=0) for call, name in calls] == ["pending"] * 4
    phone.do("terminate")
    phone.do("online")
    assert not phone.hears(joined), "an app that does not run made a call"
    phone.do("launch")
    phone.finish_calls()
    assert phone.hears(joined)
    assert not phone.hears(left)


def test_a_phone_that_is_installed_again_has_no_subscriptions(phone, topic):
    assert phone.subscribe(topic) == "subscribed"
    phone.do("uninstall")
    state = phone.do("launch")
    phone.identity["fid"] = state["fid"]
    assert not phone.hears(topic)
    assert phone.subscribe(topic) == "subscribed"
    assert phone.hears(topic)


def test_many_topics_at_once_are_all_joined(phone, topic):
    phone.do("offline")
    names = [f"{topic}-{number}" for number in range(25)]
    for name in names:
        assert phone.subscribe(name, wait_ms=0) == "pending"
    phone.do("online")
    phone.finish_calls()
    assert [name for name in names if not phone.hears(name)] == []
