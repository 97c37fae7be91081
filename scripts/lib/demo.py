"""The main job, step by step, each step with its proof. Run by scripts/demo."""
import json
import os
import sys
import warnings

from demo_app_server import XMPPAppServer
from emulator import Emulator

STEP = 0


def step(title, *proofs):
    """Prints a step and what proves it."""
    global STEP
    STEP += 1
    print(f"\n{STEP}. {title}")
    for proof in proofs:
        print(f"     {proof}")
    sys.stdout.flush()


def compact(value):
    return json.dumps(value, ensure_ascii=False)


def follow(emulator, name, wanted):
    """Waits until the app saw the message, and returns the record of its way."""
    answer = emulator.control(f"messages?message_id={name.rsplit('/', 1)[1]}&wait_ms=10000")
    for message in answer["messages"]:
        for target in message["targets"]:
            if any(event["event"] == wanted for event in target["device_events"]):
                return target
    raise SystemExit(f"The app did not see {name}: {compact(answer)}")


def show(emulator, title, name, wanted):
    target = follow(emulator, name, wanted)
    push = target["apns"]
    seen = next(event for event in target["device_events"] if event["event"] == wanted)
    step(f"{title}: translated for APNs", compact(push["headers"]), push["payload"])
    step(f"{title}: APNs answered {target['outcome']}", compact(target["answers"][-1]))
    step(f"{title}: seen by the app ({seen['event']})", compact(seen))


def run(emulator):
    ready = emulator.ready
    step("The emulator is ready", f"project {ready['project']}, {ready['http']}")
    device = emulator.devices("classic")[0]
    step("A virtual iPhone started the app; the SDK registered it",
         f"APNs token {device['apns_token'][:16]}…", f"FID {device['fid']}", f"token {device['token'][:48]}…")

    os.environ["REQUESTS_CA_BUNDLE"] = ready["ca"]
    os.environ["HTTPS_PROXY"] = ready["proxy"]
    warnings.simplefilter("ignore")
    import firebase_admin
    from firebase_admin import credentials, messaging
    firebase_admin.initialize_app(credentials.Certificate(ready["service_account"]))

    notification = messaging.Message(
        token=device["token"], notification=messaging.Notification(title="Hello", body="from firebase-admin 👋"))
    name = messaging.send(notification)
    step("An app server sent a notification with firebase-admin, unmodified", f"HTTP 200 {compact({'name': name})}")
    show(emulator, "Notification", name, "willPresent")

    name = messaging.send(messaging.Message(fid=device["fid"], data={"score": "3:1", "match": "42"}))
    step("An app server sent a data message to the FID", f"HTTP 200 {compact({'name': name})}")
    show(emulator, "Data message", name, "didReceiveRemoteNotification")

    show_many(emulator, device, ready, messaging)

    show_direct_channel(emulator, ready, messaging)

    try:
        messaging.send(messaging.Message(token="not-a-token", data={"k": "v"}))
        raise SystemExit("A made-up token was accepted.")
    except firebase_admin.exceptions.InvalidArgumentError as error:
        step("A made-up token is refused as FCM refuses it", f"{type(error).__name__}: {error}")
    print("\nEvery step worked.")


def show_many(emulator, device, ready, messaging):
    """One send, many devices: a topic, a condition and a device group."""
    other = emulator.devices("classic")[0]
    for phone, topic in [(device, "news"), (other, "news"), (other, "sport")]:
        emulator.control(f"devices/{phone['device']}:subscribe", {"topic": topic, "wait_ms": 10000})
    step("Two phones subscribed to topics through the SDK", "news: both phones, sport: the second one")

    name = messaging.send(messaging.Message(topic="news", data={"k": "topic"}))
    show_reach(emulator, "A message to the topic news", name, {device["fid"], other["fid"]})
    name = messaging.send(messaging.Message(condition="'news' in topics && 'sport' in topics", data={"k": "condition"}))
    show_reach(emulator, "A message to the condition news and sport", name, {other["fid"]})

    key = {"Authorization": "key=" + ready["server_key"], "project_id": ready["sender_id"]}
    status, text = emulator.call("/fcm/notification", {
        "operation": "create", "notification_key_name": "my-phones",
        "registration_ids": [device["token"], other["token"]]}, headers=key)
    group = json.loads(text)["notification_key"]
    status, text = emulator.call("/fcm/send", {"to": group, "data": {"k": "group"}}, headers=key)
    step("A device group got a message through legacy HTTP", f"HTTP {status} {text.strip()}")
    if json.loads(text).get("success") != 2:
        raise SystemExit("The group's message did not reach both phones.")


def show_direct_channel(emulator, ready, messaging):
    """Without APNs: data to an app in the foreground, and a message of the app to its server over XMPP."""
    phone = emulator.control("devices", {"mode": "classic", "direct_channel": True})["devices"][0]
    step("A phone in the foreground holds its direct channel", f"MCS over TLS at {ready['mcs']}")
    name = messaging.send(messaging.Message(token=phone["token"], data={"seat": "12A"}))
    target = follow(emulator, name, "didReceiveRemoteMessage")
    step("A data message came over the direct channel, not through APNs", compact(target["device_channel"]),
         compact(target["device_events"][-1]))

    with XMPPAppServer(ready) as app_server:
        step("An app server logged in over XMPP with slixmpp, unmodified", f"{app_server.jid} at {ready['xmpp']}")
        app_server.put({"to": phone["token"], "message_id": "m-1", "data": {"gate": "B4"},
                        "delivery_receipt_requested": True})
        step("It sent a message and was answered", compact(app_server.next("ack")))
        step("The device has it: the receipt", compact(app_server.next("receipt")))
        emulator.control(f"devices/{phone['device']}:send", {"data": {"order": "tea"}, "message_id": "up-1"})
        step("The app sent a message upstream; the app server got and acknowledged it", compact(app_server.next("message")))


def show_reach(emulator, title, name, wanted):
    """Waits until the phones saw the message, and checks that they are those that should."""
    answer = emulator.control(f"messages?message_id={name.rsplit('/', 1)[1]}&wait_ms=20000")
    targets = answer["messages"][0]["targets"]
    reached = {target["fid"] for target in targets if target["device_events"]}
    step(f"{title} reached {len(reached)} of 2 phones", *(compact(target["device_events"][0]) for target in targets))
    if reached != wanted:
        raise SystemExit(f"{title} reached {reached}, not {wanted}.")


def invite(emulator):
    """Says how to go on with a browser. Its first page leads to the phones, whose screens are locked now."""
    ready = emulator.ready
    for phone in emulator.control("devices")["devices"]:
        emulator.control(f"devices/{phone['device']}:background", {})
    print(f"""
The emulator stays open; press Ctrl-C to end it. For app servers and apps:
     service account  {ready['service_account']}
     app's plist      {ready['plist']}

Now send a notification yourself. Open this address in a browser and sign in:
     Address   {ready['console']}
     Name      admin
     Password  {ready['admin_password']}""", flush=True)


def main():
    once = "--once" in sys.argv
    with Emulator(sys.argv[1]) as emulator:
        run(emulator)
        if once:
            return
        invite(emulator)
        try:
            emulator.process.wait()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
