"""The files that an administrator hands out and takes in. Tests named PLI-… and KEY-… are cases of the corpus."""
import base64
import datetime
import json
import pathlib
import plistlib
import re
import subprocess
import time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

import device_api
from app_server import AppServer
from production import BUNDLE, KEY_ID, PROJECT, TEAM_ID, Production, signing_key


@pytest.fixture(scope="module")
def service(pharos):
    """A service in production whose APNs is out of reach: a port where nobody listens."""
    service = Production(pharos, "--apns-host=127.0.0.1:9")
    service.prepare()
    with service:
        yield service


def pharos_run(service, *words, **options):
    return subprocess.run(
        [service.pharos, *words, "--data-dir", str(service.data_dir)], capture_output=True, text=True, **options)


# --- the app's configuration


def plist_of(service, *options):
    done = pharos_run(service, "app", "config", BUNDLE, "--project", PROJECT, *options)
    assert done.returncode == 0, done.stderr
    return plistlib.loads(done.stdout.encode())


def test_PLI_07_the_exported_plist_has_a_key_that_the_official_sdk_takes(service):
    plist = plist_of(service, "--server", service.ready["http"])
    assert re.fullmatch(r"A[A-Za-z0-9_-]{38}", plist["API_KEY"])
    assert re.fullmatch(r"1:\d+:ios:[0-9a-f]+", plist["GOOGLE_APP_ID"])
    assert plist["GCM_SENDER_ID"] == plist["GOOGLE_APP_ID"].split(":")[1] == service.ready["sender_id"]
    assert plist["PROJECT_ID"] == PROJECT and plist["BUNDLE_ID"] == BUNDLE
    assert plist["IS_GCM_ENABLED"] is True and plist["PLIST_VERSION"] == "1"
    assert plist["PHAROS_SERVER_URL"] == service.ready["http"]


def test_PLI_07_the_server_takes_the_key_of_the_plist(service):
    plist = plist_of(service)
    status, answer = device_api.call(
        service, f"/v1/projects/{PROJECT}/installations",
        {"fid": "", "appId": plist["GOOGLE_APP_ID"], "authVersion": "FIS_v2", "sdkVersion": "i:12.18.0"},
        headers={"x-goog-api-key": plist["API_KEY"]})
    assert status == 200, answer


def test_the_emulators_plist_is_one_of_these(emulator):
    with open(emulator.ready["plist"], "rb") as file:
        plist = plistlib.load(file)
    assert plist["API_KEY"] == emulator.ready["api_key"] and re.fullmatch(r"A[A-Za-z0-9_-]{38}", plist["API_KEY"])
    assert plist["GOOGLE_APP_ID"] == emulator.ready["app_id"]
    assert plist["PHAROS_SERVER_URL"] == emulator.ready["http"]


def test_PLI_04_no_apple_file_is_written_for_an_android_app(service):
    app = service.run("app", "create", "--project", PROJECT, "--platform", "android", "--bundle-id", "com.example.droid")
    done = pharos_run(service, "app", "config", app["app_id"], "--project", PROJECT)
    assert done.returncode != 0 and done.stdout == "" and done.stderr.startswith("pharos: ")
    done = pharos_run(service, "app", "config", app["app_id"], "--project", PROJECT, "--format", "json")
    assert done.returncode == 0 and app["app_id"] in done.stdout


# --- service accounts


def account_of(service, tmp_path):
    file = tmp_path / "account.json"
    service.run("service-account", "create", "--project", PROJECT, "--server", service.ready["http"],
                "--account", f"sender-{tmp_path.name[-12:].strip('_').replace('_', '-').lower()}", "--out", str(file))
    return file


def test_KEY_01_the_exported_key_parses_with_openssl_and_its_lines_end_once(service, tmp_path):
    file = account_of(service, tmp_path)
    assert file.stat().st_mode & 0o077 == 0
    account = json.loads(file.read_text())
    key = account["private_key"]
    assert key.endswith("-----END PRIVATE KEY-----\n") and "\\n" not in key and "\r" not in key
    assert subprocess.run(["openssl", "pkey", "-noout"], input=key, text=True, capture_output=True).returncode == 0
    assert account["type"] == "service_account" and account["project_id"] == PROJECT
    assert account["client_email"].endswith(f"@{PROJECT}.iam.gserviceaccount.com")
    assert account["token_uri"] == service.ready["http"] + "/token"


@pytest.mark.parametrize("mangle", [lambda key: key, lambda key: key.replace("\n", "\\n")], ids=["as is", "doubled"])
def test_KEY_01_tools_read_a_key_whose_line_ends_were_doubled(service, tmp_path, mangle):
    account = json.loads(account_of(service, tmp_path).read_text())
    account["private_key"] = mangle(account["private_key"])
    file = tmp_path / "mangled.json"
    file.write_text(json.dumps(account))
    installation = device_api.create_installation(service)
    assert device_api.register_fid(service, installation, "ab" * 32)[0] == 200
    done = pharos_run(service, "send", "--service-account", str(file), "--server", service.ready["http"],
                      "--fid", installation["fid"], "--title", "x")
    assert done.returncode == 0 and done.stdout.startswith(f"projects/{PROJECT}/messages/"), done.stderr


def test_a_disabled_key_is_refused_until_it_is_enabled_again(service, tmp_path):
    file = account_of(service, tmp_path)
    key = json.loads(file.read_text())["private_key_id"]
    installation = device_api.create_installation(service)
    assert device_api.register_fid(service, installation, "cd" * 32)[0] == 200

    def sends(expected):
        """The running service sees a change within a second: sends until the exit code is the expected one."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            done = pharos_run(service, "send", "--service-account", str(file), "--server", service.ready["http"],
                              "--fid", installation["fid"], "--title", "x")
            if done.returncode == expected:
                return True
        return False

    assert sends(0)
    assert pharos_run(service, "service-account", "disable", key).returncode == 0
    assert sends(1)
    assert pharos_run(service, "service-account", "enable", key).returncode == 0
    assert sends(0)


def test_a_key_file_that_exists_is_not_overwritten(service, tmp_path):
    file = account_of(service, tmp_path)
    before = file.read_text()
    done = pharos_run(service, "service-account", "create", "--project", PROJECT, "--account", "another-one",
                      "--out", str(file))
    assert done.returncode != 0 and file.read_text() == before


# --- APNs keys


def bare(key):
    return "".join(line for line in key.splitlines() if "-----" not in line)


@pytest.mark.parametrize("mangle", [
    lambda key: key,
    lambda key: key.replace("\n", "\r\n"),
    lambda key: key.replace("\n", "\\n"),
    bare,
    lambda key: "\n" + key.replace("\n", "  \n"),
    lambda key: f'"{key.strip()}"',
], ids=["a as is", "b CRLF", "c literal newlines", "d bare base64", "e blank line and blanks", "f quotes"])
def test_KEY_03_a_p8_is_taken_however_it_was_pasted(service, tmp_path, mangle):
    key = signing_key()
    file = tmp_path / f"AuthKey_{KEY_ID}.p8"
    file.write_text(mangle(key))
    imported = service.run("apns-key", "import", str(file), "--project", PROJECT, "--team-id", TEAM_ID)
    assert KEY_ID in json.dumps(imported)


def rsa_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def certificate():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "x")])
    now = datetime.datetime(2026, 1, 1)
    return x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(
        1).not_valid_before(now).not_valid_after(now.replace(year=2036)).sign(
        key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


@pytest.mark.parametrize("content", [
    rsa_key, certificate, lambda: b"", lambda: b"not a key", lambda: signing_key().encode()[:100],
    lambda: base64.b64encode(bytes(100)), lambda: bytes(range(256)) * 100,
], ids=["g RSA", "h certificate", "empty", "text", "cut", "base64 of nothing", "noise"])
def test_KEY_03_what_is_no_signing_key_is_refused_at_once_with_a_reason(service, tmp_path, content):
    file = tmp_path / f"AuthKey_{KEY_ID}.p8"
    file.write_bytes(content())
    done = pharos_run(service, "apns-key", "import", str(file), "--project", PROJECT, "--team-id", TEAM_ID)
    assert done.returncode in (1, 2) and done.stderr.startswith("pharos: ") and len(done.stderr.splitlines()) >= 2
    assert "PRIVATE" not in done.stderr


@pytest.mark.parametrize("options", [
    ["--team-id", "short"], ["--team-id", TEAM_ID, "--key-id", "x"], ["--team-id", TEAM_ID, "--environment", "staging"],
    [], ["--team-id", TEAM_ID, "--project", "no-such-project"]], ids=" ".join)
def test_wrong_particulars_of_a_key_are_refused(service, tmp_path, options):
    file = tmp_path / f"AuthKey_{KEY_ID}.p8"
    file.write_text(signing_key())
    if "--project" not in options:
        options = [*options, "--project", PROJECT]
    done = pharos_run(service, "apns-key", "import", str(file), *options)
    assert done.returncode in (1, 2) and done.stderr.startswith("pharos: ")


def test_a_project_without_an_apns_key_answers_third_party_auth_error(service, tmp_path):
    service.run("project", "create", "keyless-prod")
    app = service.run("app", "create", "--project", "keyless-prod", "--bundle-id", BUNDLE)
    file = tmp_path / "account.json"
    service.run("service-account", "create", "--project", "keyless-prod", "--server", service.ready["http"],
                "--out", str(file))
    project = service.run("project", "show", "keyless-prod")
    keyless = type("Keyless", (), {"call": service.call, "folder": tmp_path, "ready": service.ready | {
        "project": "keyless-prod", "app_id": app["app_id"], "api_key": app["api_key"],
        "sender_id": project["sender_id"], "service_account": str(file)}})()
    installation = device_api.create_installation(keyless)
    assert device_api.register_fid(keyless, installation, "ef" * 32)[0] == 200
    status, answer = AppServer(keyless).send({"fid": installation["fid"], "data": {"k": "v"}})
    assert status == 401 and "THIRD_PARTY_AUTH_ERROR" in json.dumps(answer)


# --- backups


def test_a_backup_of_a_running_service_brings_tokens_and_waiting_messages_back(service, pharos, tmp_path):
    installation = device_api.create_installation(service)
    assert device_api.register_fid(service, installation, "12" * 32)[0] == 200
    assert AppServer(service).send({"fid": installation["fid"], "data": {"k": "v"}})[0] == 200
    backup = tmp_path / "backup"
    assert pharos_run(service, "backup", str(backup)).returncode == 0
    assert backup.stat().st_mode & 0o077 == 0

    second = Production(pharos, *service.options)
    second.project, second.app = service.project, service.app
    account = json.loads(pathlib.Path(service.ready["service_account"]).read_text())
    account["token_uri"] = "https://oauth2.googleapis.com/token"
    (second.folder / "service-account.json").write_text(json.dumps(account))
    done = pharos_run(second, "restore", str(backup))
    assert done.returncode == 0, done.stderr
    with second:
        assert AppServer(second).send({"fid": installation["fid"], "data": {"k": "v"}})[0] == 200
    done = pharos_run(service, "restore", str(backup))
    assert done.returncode != 0, "a running service's directory was replaced"


def test_a_directory_that_is_no_backup_is_refused(service, tmp_path):
    (tmp_path / "data").mkdir()
    done = subprocess.run([service.pharos, "restore", str(tmp_path / "data"), "--data-dir", str(tmp_path / "new")],
                          capture_output=True, text=True)
    assert done.returncode != 0 and done.stderr.startswith("pharos: ")
    assert not (pathlib.Path(tmp_path) / "new" / "pharos.sqlite3").exists()
