"""google-auth, unmodified, against the token endpoint: what every Google client library does before it sends."""
import datetime
import json
import subprocess
import sys

import google.auth.exceptions
import google.auth.transport.requests
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import _helpers
from google.oauth2 import service_account

MESSAGING = "https://www.googleapis.com/auth/firebase.messaging"
CLOUD = "https://www.googleapis.com/auth/cloud-platform"


def credentials_of(emulator, *scopes, **changes):
    account = json.load(open(emulator.ready["service_account"])) | changes
    return service_account.Credentials.from_service_account_info(account, scopes=scopes or (MESSAGING,))


def send(session, emulator, device):
    """google-auth's own session: it refreshes and repeats after a 401."""
    return session.post(
        f"{emulator.ready['http']}/v1/projects/{emulator.ready['project']}/messages:send",
        json={"message": {"token": device["token"], "data": {"k": "v"}}})


def session_of(credentials):
    return google.auth.transport.requests.AuthorizedSession(credentials)


@pytest.fixture()
def app_servers_clock(monkeypatch):
    """Moves the clock of google-auth."""
    def move(seconds):
        monkeypatch.setattr(
            _helpers, "utcnow",
            lambda: datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
            + datetime.timedelta(seconds=seconds))
    return move


@pytest.fixture()
def clock(own_emulator):
    """Moves the emulator's clock; it is set right again after the test."""
    yield lambda seconds: own_emulator.control("clock", {"advance_seconds": seconds})
    ahead = own_emulator.control("clock")["ahead_ms"]
    own_emulator.control("clock", {"advance_seconds": -round(ahead / 1000)})


@pytest.fixture(scope="module")
def own_device(own_emulator):
    return own_emulator.devices("classic")[0]


@pytest.mark.parametrize("scope", [MESSAGING, CLOUD])
def test_a_service_account_gets_a_token_and_sends(emulator, device, scope):
    credentials = credentials_of(emulator, scope)
    credentials.refresh(google.auth.transport.requests.Request())
    assert credentials.valid and credentials.token
    life = credentials.expiry - _helpers.utcnow()
    assert datetime.timedelta(minutes=59) < life <= datetime.timedelta(hours=1)
    assert send(session_of(credentials), emulator, device).status_code == 200


def test_the_audience_is_a_constant_of_the_library_and_is_accepted(emulator, device):
    assert service_account._GOOGLE_OAUTH2_TOKEN_ENDPOINT == "https://oauth2.googleapis.com/token"
    assert credentials_of(emulator)._token_uri.startswith(emulator.ready["http"])
    assert send(session_of(credentials_of(emulator)), emulator, device).status_code == 200


def test_a_token_of_another_scope_may_not_send(emulator, device):
    answer = send(session_of(credentials_of(emulator, "https://www.googleapis.com/auth/datastore")), emulator, device)
    assert answer.status_code == 403
    error = answer.json()["error"]
    assert error["status"] == "PERMISSION_DENIED"
    assert error["details"][0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"


def test_a_scope_that_the_service_does_not_know_gets_no_token(emulator):
    with pytest.raises(google.auth.exceptions.RefreshError, match="invalid_scope"):
        credentials_of(emulator, "https://www.googleapis.com/auth/drive").refresh(
            google.auth.transport.requests.Request())


def test_a_token_that_the_library_signed_itself_may_send(emulator, device):
    credentials = credentials_of(emulator, universe_domain="push.example.com")
    assert send(session_of(credentials), emulator, device).status_code == 200
    assert credentials.token.count(".") == 2


def test_the_key_of_one_project_may_not_send_for_another(emulator, device):
    answer = session_of(credentials_of(emulator)).post(
        f"{emulator.ready['http']}/v1/projects/demo-nowhere/messages:send",
        json={"message": {"token": device["token"], "data": {"k": "v"}}})
    assert answer.status_code == 403
    assert answer.json()["error"]["status"] == "PERMISSION_DENIED"


def test_an_expired_token_is_refused_and_the_library_gets_another(
        own_emulator, own_device, clock, app_servers_clock):
    credentials = credentials_of(own_emulator)
    session = session_of(credentials)
    assert send(session, own_emulator, own_device).status_code == 200
    first = credentials.token

    clock(3601)
    status, text = own_emulator.call(
        f"/v1/projects/{own_emulator.ready['project']}/messages:send",
        {"message": {"token": own_device["token"], "data": {"k": "v"}}}, headers={"Authorization": f"Bearer {first}"})
    assert status == 401
    assert json.loads(text)["error"]["details"][0]["reason"] == "ACCESS_TOKEN_EXPIRED"

    app_servers_clock(3601)
    assert send(session, own_emulator, own_device).status_code == 200
    assert credentials.token != first


def test_a_401_alone_makes_the_library_get_another_token(own_emulator, own_device, clock, app_servers_clock):
    credentials = credentials_of(own_emulator)
    session = session_of(credentials)
    assert send(session, own_emulator, own_device).status_code == 200
    first, credentials.expiry = credentials.token, None
    clock(3601)
    app_servers_clock(3601)
    assert send(session, own_emulator, own_device).status_code == 200
    assert credentials.token != first


@pytest.mark.parametrize("seconds", [-7200, 7200])
def test_an_app_server_with_a_wrong_clock_is_told_so(emulator, app_servers_clock, seconds):
    app_servers_clock(seconds)
    with pytest.raises(google.auth.exceptions.RefreshError, match="short-lived token"):
        credentials_of(emulator).refresh(google.auth.transport.requests.Request())


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


@pytest.mark.parametrize("changes, words", [
    (lambda: {"client_email": "nobody@demo-pharos.iam.gserviceaccount.com"}, "account not found"),
    (lambda: {"private_key_id": "0" * 40, "private_key": new_key()}, "Invalid JWT Signature"),
    (lambda: {"private_key": new_key()}, "Invalid JWT Signature"),
], ids=["account", "key", "key under a known id"])
def test_an_assertion_of_an_unknown_account_or_key_is_refused(emulator, changes, words):
    with pytest.raises(google.auth.exceptions.RefreshError, match=words):
        credentials_of(emulator, **changes()).refresh(google.auth.transport.requests.Request())


def test_a_key_is_known_by_its_signature_when_its_id_is_not(emulator):
    credentials = credentials_of(emulator, private_key_id="0" * 40)
    credentials.refresh(google.auth.transport.requests.Request())
    assert credentials.token


def test_credentials_without_a_scope_get_no_token(emulator):
    account = json.load(open(emulator.ready["service_account"]))
    credentials = service_account.Credentials.from_service_account_info(account)
    with pytest.raises(google.auth.exceptions.RefreshError, match="scope"):
        credentials.refresh(google.auth.transport.requests.Request())


# --- an app server that finds its credentials by itself


@pytest.fixture()
def in_google_cloud(emulator, monkeypatch, tmp_path):
    """The environment of a machine whose metadata server is the emulator."""
    for name in ("GCE_METADATA_HOST", "GCE_METADATA_IP"):
        monkeypatch.setenv(name, emulator.ready["http"].split("//")[1])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    for name in ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_application_default_credentials_come_from_the_metadata_server(emulator, device, in_google_cloud):
    program = """
import sys, google.auth, google.auth.transport.requests
credentials, project = google.auth.default(scopes=["https://www.googleapis.com/auth/firebase.messaging"])
session = google.auth.transport.requests.AuthorizedSession(credentials)
url = f"{sys.argv[1]}/v1/projects/{project}/messages:send"
print(project, session.post(url, json={"message": {"token": sys.argv[2], "data": {"k": "v"}}}).status_code)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, emulator.ready["http"], device["token"]], capture_output=True, text=True)
    assert done.stdout.split() == [emulator.ready["project"], "200"], done.stderr
