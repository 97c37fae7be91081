"""A 200 is a promise: what was accepted reaches APNs, whatever ends the service in between."""
import http.client
import json
import random
import threading

import pytest

from app_server import AppServer, message_id
from emulator import Emulator

PHONES = 8


class Service:
    """An emulator that is ended and started again on the same data and the same APNs log."""

    def __init__(self, pharos, *options):
        self.emulator = Emulator(pharos, *options)

    def __enter__(self):
        self.emulator.__enter__()
        self.tokens = [phone["token"] for phone in self.emulator.devices("classic", count=PHONES)]
        self.sender = AppServer(self.emulator)
        return self

    def __exit__(self, *_):
        self.emulator.close()

    def send(self, count, stop_after=None):
        """Sends on one connection for each phone until `count` are answered, or the service is gone.

        Returns the message ids of those that were answered 200. `stop_after` is called once with that many answered.
        """
        accepted, lock, stopped = [], threading.Lock(), threading.Event()

        def run(token):
            connection = self.sender.connection()
            try:
                while not stopped.is_set():
                    status, answer = self.sender.send_on(connection, {"token": token, "data": {"k": "v"}})
                    with lock:
                        if status == 200:
                            accepted.append(message_id(answer["name"]))
                        if len(accepted) >= count and not stopped.is_set():
                            stopped.set()
                            if stop_after:
                                stop_after()
            except (OSError, http.client.HTTPException):
                pass  # Cut by the end of the service: nobody was promised anything.

        threads = [threading.Thread(target=run, args=(token,)) for token in self.tokens]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return accepted

    def push_ids(self):
        """What APNs got in all runs: message id -> the ids under which it was pushed."""
        ids = {}
        for line in self.emulator.apns_log.read_text().splitlines():
            push = json.loads(line)
            ids.setdefault(json.loads(push["body"])["gcm.message_id"], set()).add(push["headers"]["apns-id"])
        return ids

    def missing(self, wanted, is_arrived):
        """Those that have not arrived when APNs hears nothing more. Goes from request to request."""
        after = 0
        while missing := set(wanted) - is_arrived():
            requests = self.emulator.control(f"simulator/requests?after={after}&wait_ms=10000")["requests"]
            if not requests:
                return missing
            after = requests[-1]["number"]
        return set()

    def taken_by_apns(self):
        """What this run's APNs answered 200."""
        requests = self.emulator.control("simulator/requests")["requests"]
        return {json.loads(request["body"])["gcm.message_id"] for request in requests if request.get("status") == 200}


@pytest.mark.parametrize("fault", [
    {"fault": "answer", "status": 503},
    {"fault": "half_open"},
    {"fault": "refuse_connection"},
], ids=lambda fault: fault["fault"])
def test_what_is_accepted_while_apns_is_down_arrives_after_kill_9(pharos, fault):
    with Service(pharos, "--answer-patience-ms=0") as service:
        service.emulator.control("simulator/faults", fault)
        accepted = service.send(200)
        assert len(accepted) >= 200 and not service.taken_by_apns()
        service.emulator.kill()
        service.emulator.start()
        assert not service.missing(accepted, service.taken_by_apns)
        assert all(len(ids) == 1 for ids in service.push_ids().values()), "a message was pushed under two ids"


def test_nothing_that_was_answered_200_is_lost_by_kill_9_at_any_moment_under_load(pharos):
    chance = random.Random(20_260_101)
    with Service(pharos, "--answer-patience-ms=0") as service:
        accepted = []
        for _ in range(5):
            accepted += service.send(chance.randint(1, 300), stop_after=service.emulator.process.kill)
            service.emulator.process.wait()
            service.emulator.start()
        accepted += service.send(20)
        assert len(set(accepted)) == len(accepted), "two messages got the same id"
        assert not service.missing(accepted, lambda: service.push_ids().keys())
        assert all(len(ids) == 1 for ids in service.push_ids().values()), "a message was pushed under two ids"


def test_a_graceful_end_under_load_answers_what_it_took_and_loses_nothing(pharos):
    with Service(pharos) as service:
        accepted = service.send(200, stop_after=service.emulator.process.terminate)
        assert service.emulator.process.wait(timeout=30) == 0
        service.emulator.start()
        assert not service.missing(accepted, lambda: service.push_ids().keys())


def test_registrations_and_access_tokens_outlive_kill_9(pharos):
    with Service(pharos) as service:
        service.emulator.kill()
        service.emulator.start()
        assert service.sender.send({"token": service.tokens[0], "data": {"k": "v"}})[0] == 200


def test_two_services_cannot_use_one_data_directory(pharos, emulator):
    second = Emulator(pharos, data_dir=emulator.data_dir)
    with pytest.raises(RuntimeError, match="(?i)another|in use|running"):
        second.start()
    second.close()
