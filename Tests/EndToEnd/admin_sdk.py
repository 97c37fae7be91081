"""firebase-admin, pointed at the emulator in the two ways that need no change in it."""
import contextlib
import itertools
import os

import firebase_admin
from firebase_admin import credentials, messaging

NAMES = itertools.count()


@contextlib.contextmanager
def environment(**values):
    """Sets variables for a while."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def app_through_proxy(emulator):
    """An app whose requests to Google's hosts go through the redirect proxy."""
    ready = emulator.ready
    with environment(HTTPS_PROXY=ready["proxy"], REQUESTS_CA_BUNDLE=ready["ca"], SSL_CERT_FILE=ready["ca"]):
        with initialized(emulator) as app:
            yield app


@contextlib.contextmanager
def app_by_base_url(emulator, base):
    """An app whose FCM base URL is the emulator's: the constant that the SDK reads when it first sends."""
    url = messaging._MessagingService.FCM_URL
    messaging._MessagingService.FCM_URL = base + "/v1/projects/{0}/messages:send"
    try:
        with environment(REQUESTS_CA_BUNDLE=emulator.ready["ca"], SSL_CERT_FILE=emulator.ready["ca"]):
            with initialized(emulator) as app:
                messaging._get_messaging_service(app)
                yield app
    finally:
        messaging._MessagingService.FCM_URL = url


@contextlib.contextmanager
def initialized(emulator):
    app = firebase_admin.initialize_app(
        credentials.Certificate(emulator.ready["service_account"]), name=f"app-{next(NAMES)}")
    try:
        yield app
    finally:
        firebase_admin.delete_app(app)
