"""The console's API through real sockets: signing in, who may do what, projects from nothing to a sent message."""
import json
import plistlib
import re
import subprocess
import uuid

import pytest
from google.auth.transport.requests import Request
from google.oauth2 import service_account

from console_api import Console
from production import Production, signing_key

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def admin(emulator):
    console = Console(emulator.ready["console"])
    console.sign_in("admin", emulator.ready["admin_password"])
    return console


@pytest.fixture()
def project(admin):
    """A project of the test's own."""
    name = "demo-" + uuid.uuid4().hex[:12]
    admin.done("POST", "projects", {"projectId": name, "displayName": "Kitchen <b>&amp; garden</b>"})
    yield name
    admin.ask("DELETE", f"projects/{name}")


@pytest.fixture()
def person(admin, emulator, project):
    """Makes users with a role in the project; they are gone afterwards."""
    made = []

    def make(role, **more):
        name = f"{role}-{uuid.uuid4().hex[:8]}"
        roles = {project: role} if role != "stranger" else {}
        user = admin.done("POST", "users", {
            "name": name, "password": PASSWORD, "roles": roles, "mustChangePassword": False, **more})
        made.append(user["userId"])
        console = Console(emulator.ready["console"])
        console.name, console.id = name, user["userId"]
        console.sign_in(name, PASSWORD)
        return console

    yield make
    for user in made:
        admin.ask("DELETE", f"users/{user}")


def test_sign_in_opens_a_session_that_only_the_browser_sees(emulator):
    console = Console(emulator.ready["console"])
    assert console.refused("GET", "session")[0] == 401
    status, answer, headers = console.ask(
        "POST", "session", {"name": "ADMIN", "password": emulator.ready["admin_password"]})
    assert status == 200 and answer["user"]["isAdministrator"] is True
    cookie = headers["set-cookie"]
    assert re.match(r"pharos_session=[\w-]{43}; ", cookie)
    assert {"Path=/", "HttpOnly", "SameSite=Strict"} <= set(cookie.split("; ")) and "Secure" not in cookie
    assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
    console.cookie, console.csrf = cookie.split(";")[0], answer["csrfToken"]
    assert console.get("session")["csrfToken"] == answer["csrfToken"]
    console.done("DELETE", "session")
    assert console.refused("GET", "session")[0] == 401


def test_a_browser_on_https_gets_a_secure_cookie(emulator):
    console = Console(emulator.ready["console"])
    status, _, headers = console.ask(
        "POST", "session", {"name": "admin", "password": emulator.ready["admin_password"]},
        headers={"Origin": f"https://{console.authority}"})
    assert status == 200 and "Secure" in headers["set-cookie"].split("; ")


@pytest.mark.parametrize("headers, status", [
    ({"X-CSRF-Token": None}, 403),
    ({"X-CSRF-Token": "guessed"}, 403),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Host": "rebound.example"}, 403),
    ({"Content-Type": "text/plain"}, 415),
    ({"Cookie": None}, 401),
    ({"Cookie": "pharos_session=" + "A" * 43}, 401),
    ({"Authorization": "Bearer pharos_" + "A" * 43}, 401),
], ids=str)
def test_changes_of_other_pages_are_refused(admin, project, headers, status):
    name = {"displayName": "changed"}
    assert admin.refused("PATCH", f"projects/{project}", name, headers=headers)[0] == status
    assert admin.get(f"projects/{project}")["displayName"] != "changed"


def test_the_own_page_may_change(admin, project):
    status, answer, _ = admin.ask(
        "PATCH", f"projects/{project}", {"displayName": "changed"},
        headers={"Origin": f"http://{admin.authority}", "Sec-Fetch-Site": "same-origin"})
    assert status == 200 and answer["displayName"] == "changed"


def test_a_foreign_origin_cannot_sign_anybody_in(emulator):
    console = Console(emulator.ready["console"])
    body = {"name": "admin", "password": emulator.ready["admin_password"]}
    assert console.refused("POST", "session", body, headers={"Origin": "https://evil.example"})[0] == 403


def test_scripts_use_tokens_without_a_forgery_token(admin, emulator, project):
    made = admin.done("POST", "tokens", {"name": "nightly", "expiresInDays": 1})
    script = Console(emulator.ready["console"], token=made["token"])
    assert script.done("PATCH", f"projects/{project}", {"displayName": "by script"})["displayName"] == "by script"
    assert script.get("session")["user"]["name"] == "admin"
    assert all("token" not in token for token in admin.get("tokens")["tokens"])
    admin.done("DELETE", f"tokens/{made['tokenId']}")
    assert script.refused("GET", "session")[0] == 401


@pytest.mark.parametrize("role, reads, edits, administers", [
    ("stranger", 404, 404, 404), ("viewer", 200, 403, 403), ("editor", 200, 200, 403), ("administrator", 200, 200, 200),
])
def test_roles(admin, person, project, role, reads, edits, administers):
    admin.done("POST", f"projects/{project}/apns-keys", {"key": signing_key(), "keyId": "ROLES12345",
                                                       "teamId": "TEAM123456"})
    console = person(role)
    assert console.ask("GET", f"projects/{project}")[0] == reads
    assert console.ask("POST", f"projects/{project}/apns-keys/ROLES12345:check")[0] == edits
    assert console.ask("PATCH", f"projects/{project}", {"displayName": "x"})[0] == administers
    assert console.ask("POST", "users", {"name": "friend", "password": PASSWORD})[0] == 403
    assert console.ask("GET", "audit")[0] == 403
    assert console.ask("GET", f"audit?projectId={project}")[0] == (200 if administers == 200 else reads if reads == 404 else 403)
    visible = [each["projectId"] for each in console.get("projects")["projects"]]
    assert visible == ([project] if role != "stranger" else [])


def test_a_role_that_is_taken_away_is_gone_at_once(admin, person, project):
    console = person("editor")
    assert console.get(f"projects/{project}")["role"] == "editor"
    admin.done("PATCH", f"users/{console.id}", {"roles": {project: "viewer"}})
    assert console.get(f"projects/{project}")["role"] == "viewer"
    admin.done("PATCH", f"users/{console.id}", {"roles": {project: None}})
    assert console.refused("GET", f"projects/{project}")[0] == 404
    admin.done("DELETE", f"users/{console.id}")
    assert console.refused("GET", "session")[0] == 401


def test_a_new_password_ends_the_other_sessions(emulator, person):
    first = person("viewer")
    second = Console(emulator.ready["console"])
    second.sign_in(first.name, PASSWORD)
    assert first.refused("POST", "users/me/password", {"old": "wrong", "new": "another password"})[0] == 400
    assert first.refused("POST", "users/me/password", {"old": PASSWORD, "new": "short"})[0] == 400
    first.done("POST", "users/me/password", {"old": PASSWORD, "new": "another password"})
    assert first.get("session")["user"]["name"] == first.name
    assert second.refused("GET", "session")[0] == 401


def test_who_got_a_password_must_change_it(admin, emulator, person):
    console = person("viewer")
    admin.done("PATCH", f"users/{console.id}", {"password": "given by the admin"})
    user = console.sign_in(console.name, "given by the admin")
    assert user["mustChangePassword"] is True
    assert console.refused("GET", "projects")[0] == 403
    console.done("POST", "users/me/password", {"old": "given by the admin", "new": PASSWORD})
    assert console.get("session")["user"]["mustChangePassword"] is False
    assert console.ask("GET", "projects")[0] == 200


def test_the_last_administrator_stays(admin):
    me = admin.get("session")["user"]["userId"]
    assert admin.refused("DELETE", f"users/{me}")[0] == 409
    assert admin.refused("PATCH", f"users/{me}", {"isAdministrator": False})[0] == 409


@pytest.mark.parametrize("body", [
    {}, {"name": "x"}, {"name": "x", "password": PASSWORD, "colour": "red"}, {"name": "white space", "password": PASSWORD},
    {"name": "admin", "password": PASSWORD}, {"name": "x", "password": "short"}, {"name": 7, "password": PASSWORD},
    {"name": "x", "password": "aaaaaaaaaaaaaaa"}, {"name": "x" * 65, "password": PASSWORD},
    {"name": "x", "password": PASSWORD, "roles": {"nowhere-at-all": "viewer"}},
    {"name": "x", "password": PASSWORD, "roles": {"demo-pharos": "king"}}, [], "text", None,
], ids=lambda body: json.dumps(body)[:40])
def test_users_that_cannot_be(admin, body):
    status, answer, _ = admin.ask("POST", "users", raw=json.dumps(body).encode(),
                                  headers={"Content-Type": "application/json"})
    assert status == (409 if body and isinstance(body, dict) and body.get("name") == "admin" else 400), answer


def test_wrong_passwords_are_slowed_down(person, emulator):
    console = person("viewer")
    statuses = []
    for _ in range(12):
        status, answer, headers = Console(emulator.ready["console"]).ask(
            "POST", "session", {"name": console.name, "password": "wrong"})
        statuses.append(status)
    assert statuses[:10] == [401] * 10 and statuses[-1] == 429
    assert int(headers["retry-after"]) >= 1 and "Wait" in answer["error"]["message"]
    assert console.get("session")["user"]["name"] == console.name


def test_the_audit_log_says_who_did_what(admin, person, project):
    console = person("administrator")
    app = console.done("POST", f"projects/{project}/apps", {"platform": "ios", "bundleId": "com.example.audited"})
    console.refused("POST", f"projects/{project}/apps", {"platform": "ios", "bundleId": "no good"})
    entries = console.get(f"audit?projectId={project}")["entries"]
    assert [entry["action"] for entry in entries] == ["app.create", "project.create"]
    assert entries[0]["user"] == console.name and entries[0]["subject"] == app["appId"]
    first = admin.get("audit?pageSize=1")
    second = admin.get(f"audit?pageSize=1&pageToken={first['nextPageToken']}")
    assert first["entries"] != second["entries"]
    assert PASSWORD not in json.dumps(admin.get("audit?pageSize=200"))


def test_a_project_from_nothing_to_a_sent_message(admin, emulator, project):
    def left():
        return [item["id"] for item in admin.get(f"projects/{project}/checklist")["items"] if not item["isDone"]]

    assert left() == ["app", "apns-key", "device", "app-server", "message"]
    app = admin.done("POST", f"projects/{project}/apps",
                     {"platform": "ios", "bundleId": "com.example.kitchen", "displayName": "Kitchen"})
    assert left() == ["apns-key", "device", "app-server", "message"]
    admin.done("POST", f"projects/{project}/apns-keys", {
        "key": signing_key(), "keyId": "KITCHEN123", "teamId": "TEAM123456", "bundleIds": ["com.example.other"]})
    assert "apns-key" in left()
    admin.done("POST", f"projects/{project}/apns-keys",
               {"key": signing_key().replace("\n", "\\n"), "keyId": "KITCHEN124", "teamId": "TEAM123456"})
    assert left() == ["device", "app-server", "message"]

    status, file, headers = admin.ask("GET", f"projects/{project}/apps/{app['appId']}/config")
    assert status == 200 and 'filename="GoogleService-Info.plist"' in headers["content-disposition"]
    plist = plistlib.loads(file)
    assert plist["GOOGLE_APP_ID"] == app["appId"] and plist["PHAROS_SERVER_URL"] == emulator.ready["http"]
    path = emulator.folder / f"{project}.plist"
    path.write_bytes(file)
    made = admin.done("POST", f"projects/{project}/service-accounts", {})
    assert made["keyFile"]["token_uri"] == emulator.ready["http"] + "/token"

    credentials = service_account.Credentials.from_service_account_info(
        made["keyFile"], scopes=["https://www.googleapis.com/auth/firebase.messaging"])
    credentials.refresh(Request())
    assert credentials.token

    phone = subprocess.Popen(
        [emulator.pharos, "device", "run", "--plist", str(path), "--ca", emulator.ready["ca"]],
        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        token = None
        for line in phone.stdout:
            found = re.search(r'"(?:token|fcm_token)":"([^"]+:APA91b[^"]+)"', line)
            if found:
                token = found.group(1)
                break
        assert token
        account = emulator.folder / f"{project}.json"
        account.write_text(json.dumps(made["keyFile"]))
        sent = subprocess.run(
            [emulator.pharos, "send", "--service-account", str(account), "--token", token, "--title", "Soup",
             "--body", "is ready", "--json"], capture_output=True, text=True, timeout=60)
        assert sent.returncode == 0, sent.stderr
        for line in phone.stdout:
            if "is ready" in line:
                break
        else:
            raise AssertionError("the notification did not arrive")
    finally:
        phone.terminate()
        phone.wait(30)
    assert left() == []


def test_configurations_of_the_other_platforms(admin, project):
    android = admin.done("POST", f"projects/{project}/apps", {"platform": "android", "bundleId": "com.example.kitchen"})
    web = admin.done("POST", f"projects/{project}/apps", {"platform": "web", "displayName": "Page"})
    _, file, headers = admin.ask("GET", f"projects/{project}/apps/{android['appId']}/config")
    assert file["client"][0]["client_info"]["android_client_info"]["package_name"] == "com.example.kitchen"
    assert file["client"][0]["api_key"][0]["current_key"] == android["apiKey"]
    assert "google-services.json" in headers["content-disposition"]
    _, file, _ = admin.ask("GET", f"projects/{project}/apps/{web['appId']}/config")
    assert file["appId"] == web["appId"] and len(file["vapidKey"]) == 87
    admin.done("DELETE", f"projects/{project}/apps/{web['appId']}")
    assert admin.refused("GET", f"projects/{project}/apps/{web['appId']}/config")[0] == 404
    assert [each["appId"] for each in admin.get(f"projects/{project}/apps")["apps"]] == [android["appId"]]


def test_an_app_is_not_found_under_another_project(admin, emulator, project):
    ready = emulator.ready
    assert admin.refused("GET", f"projects/{project}/apps/{ready['app_id']}/config")[0] == 404
    assert admin.refused("DELETE", f"projects/{project}/apps/{ready['app_id']}")[0] == 404


@pytest.mark.parametrize("change, field", [
    ({"key": "no key"}, "key"),
    ({"key": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"}, "key"),
    ({"keyId": "short"}, "keyId"), ({"keyId": "abcdefghij"}, "keyId"), ({"teamId": "ABCDEFGHIJK"}, "teamId"),
    ({"bundleIds": ["not a bundle"]}, "bundleIds"), ({"environments": ["moon"]}, "environments[0]"),
], ids=str)
def test_apns_keys_are_checked_when_they_come(admin, project, change, field):
    body = {"key": signing_key(), "keyId": "ABCDEFGHIJ", "teamId": "TEAM123456", **change}
    status, answer, _ = admin.ask("POST", f"projects/{project}/apns-keys", body)
    assert status == 400
    assert answer["error"]["details"][0]["fieldViolations"][0]["field"] == field
    assert admin.get(f"projects/{project}/apns-keys")["apnsKeys"] == []


def test_apns_is_asked_whether_it_takes_a_key(admin, emulator):
    project = emulator.ready["project"]
    key = admin.get(f"projects/{project}/apns-keys")["apnsKeys"][0]
    assert "PRIVATE" not in json.dumps(key)
    results = admin.done("POST", f"projects/{project}/apns-keys/{key['keyId']}:check")["results"]
    assert len(results) == 2 and all(result["isGood"] for result in results), results


def test_server_keys_open_the_older_doors_until_they_are_deleted(admin, emulator, project):
    made = admin.done("POST", f"projects/{project}/server-keys")
    assert len(made["key"]) == 152

    def send():
        return admin.ask(
            "POST", "/fcm/send", {"to": "/topics/nobody", "data": {"k": "v"}},
            headers={"Authorization": f"key={made['key']}", "Cookie": None, "X-CSRF-Token": None})[0]

    assert send() == 200
    listed = admin.get(f"projects/{project}/server-keys")["serverKeys"]
    assert [key["serverKeyId"] for key in listed] == [made["serverKeyId"]] and "key" not in listed[0]
    admin.done("DELETE", f"projects/{project}/server-keys/{made['serverKeyId']}")
    assert send() == 401


def test_a_deleted_service_account_gets_no_token(admin, project):
    made = admin.done("POST", f"projects/{project}/service-accounts", {"accountName": "shop"})
    credentials = service_account.Credentials.from_service_account_info(
        made["keyFile"], scopes=["https://www.googleapis.com/auth/firebase.messaging"])
    credentials.refresh(Request())
    admin.done("DELETE", f"projects/{project}/service-accounts/{made['serviceAccount']['serviceAccountId']}")
    with pytest.raises(Exception, match="invalid_grant"):
        credentials.refresh(Request())


def test_lists_come_in_pages(admin, project):
    made = {admin.done("POST", f"projects/{project}/server-keys")["serverKeyId"] for _ in range(5)}
    seen, token = [], ""
    while token is not None:
        page = admin.get(f"projects/{project}/server-keys?pageSize=2" + (f"&pageToken={token}" if token else ""))
        seen += [key["serverKeyId"] for key in page["serverKeys"]]
        token = page.get("nextPageToken")
    assert len(seen) == 5 and set(seen) == made
    for query in ["pageSize=0", "pageSize=201", "pageSize=x", "pageToken=%21", "pageToken=AAAA"]:
        assert admin.refused("GET", f"projects/{project}/server-keys?{query}")[0] == 400


@pytest.mark.parametrize("method, path, status", [
    ("PUT", "session", 405), ("DELETE", "projects", 405), ("GET", "nowhere", 404), ("POST", "users/me", 405),
    ("GET", "projects/x", 404), ("GET", "projects/%ff", 400), ("GET", "users/0", 404),
    ("GET", "users/99999999999999999999", 404), ("OPTIONS", "projects", 405), ("TRACE", "session", 405),
])
def test_paths_that_are_not_there(admin, method, path, status):
    answer = admin.ask(method, path)
    assert answer[0] == status
    if status == 405:
        assert answer[2]["allow"]


def test_bodies_that_are_too_large_are_not_read(admin, project):
    assert admin.ask("PATCH", f"projects/{project}", {"displayName": "x" * 100_000})[0] == 413
    nested = b'{"displayName":' + b"[" * 5000 + b"]" * 5000 + b"}"
    assert admin.ask("PATCH", f"projects/{project}", raw=nested, headers={"Content-Type": "application/json"})[0] == 400


def test_the_api_file_describes_every_operation(admin):
    document = admin.get("openapi.json")
    operations = [operation for item in document["paths"].values() for operation in item.values()]
    names = [operation["operationId"] for operation in operations]
    assert len(set(names)) == len(names) > 30
    text = json.dumps(document)
    for reference in set(re.findall(r'"#/components/schemas/(\w+)"', text)):
        assert reference in document["components"]["schemas"]


def test_pages_come_with_the_strictest_policy(admin):
    status, page, headers = admin.ask("GET", "/")
    assert status == 200 and b"<title>" in page
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    script = re.search(rb'src="(/assets/[^"]+\.js)"', page).group(1).decode()
    status, _, headers = admin.ask("GET", script)
    assert status == 200 and headers["content-type"].startswith("text/javascript")
    assert admin.ask("GET", script, headers={"If-None-Match": headers["etag"]})[0] == 304
    assert admin.ask("GET", "/assets/../index.html")[0] == 404
    assert admin.ask("GET", "/assets/nothing.js")[0] == 404
    assert admin.ask("GET", "/", headers={"Host": "rebound.example"})[0] == 403


def test_first_start_in_production_prints_a_password_for_one_sign_in(pharos):
    service = Production(pharos, "--console-host=push.example.com", "--apns-host=127.0.0.1:1")
    service.prepare()
    with service:
        log = (service.folder / "log").read_text()
        password = re.search(r"password  (\S+)", log).group(1)
        console = Console(service.ready["http"])
        assert console.sign_in("admin", password)["mustChangePassword"] is True
        assert console.refused("GET", "server")[0] == 403
        console.done("POST", "users/me/password", {"old": password, "new": PASSWORD})
        server = console.get("server")
        assert server["isEmulator"] is False and server["doors"]["http"] == service.ready["http"]
        assert console.ask("GET", "session", headers={"Host": "push.example.com"})[0] == 200
        assert console.ask("GET", "session", headers={"Host": "push.example.org"})[0] == 403

        # Beside the running server.
        added = service.run("user", "add", "ann", "--role", "editor")
        ann = Console(service.ready["http"])
        assert ann.sign_in("ann", added["password"])["roles"] == {service.ready["project"]: "editor"}
        service.run("user", "role", "ann", "viewer")
        names = {user["name"]: user for user in service.run("user", "list")["users"]}
        assert names["ann"]["roles"] == {service.ready["project"]: "viewer"} and names["admin"]["administrator"]
        assert service.run("user", "password", "ann")["password"] != added["password"]
        assert ann.refused("GET", "session")[0] == 401
        service.run("user", "remove", "ann")
        assert [entry["action"] for entry in console.get("audit")["entries"]][:2] == ["user.delete", "user.update"]
