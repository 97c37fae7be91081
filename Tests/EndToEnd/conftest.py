"""What the end-to-end tests share: one emulator for the whole run, and unmodified public clients that talk to it."""
import pathlib
import sys
import warnings

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))

from app_server import AppServer  # noqa: E402
from emulator import Emulator, pharos_binary  # noqa: E402
from image_host import image_host  # noqa: E402
from mcs_client import registered_android  # noqa: E402

warnings.filterwarnings("ignore", category=DeprecationWarning)


@pytest.fixture(scope="session")
def pharos():
    """The program under test."""
    return pharos_binary()


@pytest.fixture(scope="session")
def emulator(pharos):
    """A running emulator. Tests leave it as they found it, but for devices and messages of their own."""
    with Emulator(pharos) as emulator:
        emulator.idle_device = registered_android(emulator)
        emulator.idle_device.connect()
        yield emulator


@pytest.fixture(scope="session")
def app_server(emulator):
    """Sends through HTTP v1."""
    return AppServer(emulator)


@pytest.fixture(scope="module")
def own_emulator(pharos):
    """An emulator of one file's own, for tests that move the clock or end the program."""
    with Emulator(pharos) as emulator:
        yield emulator


@pytest.fixture()
def faults(emulator):
    """Scripts a failure; all are forgotten after the test."""
    yield lambda **fault: emulator.control("faults", fault)
    emulator.control("faults", method="DELETE")


@pytest.fixture(scope="session")
def device(emulator):
    """A virtual iPhone in the foreground, registered with a token."""
    return emulator.devices("classic")[0]


@pytest.fixture(scope="session")
def fid_device(emulator):
    """A virtual iPhone in the foreground, registered with its installation id."""
    return emulator.devices("fid")[0]


@pytest.fixture()
def fresh_device(emulator):
    """A virtual iPhone for one test."""
    return emulator.devices("classic")[0]


@pytest.fixture()
def android(emulator):
    """An Android app of the test's own, registered; not connected yet."""
    device = registered_android(emulator)
    yield device
    device.cut()


@pytest.fixture()
def own_android(emulator):
    """Another one."""
    device = registered_android(emulator)
    yield device
    device.cut()


@pytest.fixture()
def idle_device(emulator):
    """A device that is connected since the emulator started and has been silent."""
    return emulator.idle_device


@pytest.fixture(scope="session")
def images():
    """The URL of a host of images."""
    with image_host() as url:
        yield url
