"""What every test of dpdesk can rely on."""

from __future__ import annotations

import gc
import itertools
import os
import sys
import tempfile
from collections.abc import Iterator
from functools import _lru_cache_wrapper, partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.patience import HANG
from tests.unset_paper import unset

_NUMBERS = itertools.count()
_LARGE_CACHE = 2_000

ROOT = Path(__file__).resolve().parent.parent

# Before anything imports Qt: no test opens a window on the screen of the person who runs it.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# Where this is set, every worker would rewrite the assertions of all tests, and each of some
# hundred child processes compile the program anew: minutes of a processor.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test depends on the clock, and a failure can be seen again: examples are derived from the
# test itself, without a deadline.
settings.register_profile(
    "dpdesk", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dpdesk")


def pytest_configure(config: pytest.Config) -> None:
    """Give the tests settings, data and run-time folders of their own."""
    home = tempfile.TemporaryDirectory(prefix="dpdesk-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(home.cleanup)
    os.environ["DPDESK_LEDGER"] = str(Path(home.name, "ledger", "ledger.sqlite"))
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        folder = Path(home.name, kind.lower())
        folder.mkdir()
        os.environ[f"XDG_{kind}_HOME"] = str(folder)
    # Qt warns where this is unset or can be read by others.
    runtime = Path(home.name, "runtime")
    runtime.mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)


@pytest.fixture(autouse=True)
def ledger_of_this_test(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The file of a ledger of this test alone, for its child processes too; not made yet."""
    number = next(_NUMBERS)
    path = tmp_path_factory.getbasetemp() / "ledgers" / f"{number}" / "ledger.sqlite"
    monkeypatch.setenv("DPDESK_LEDGER", str(path))
    return path


@pytest.fixture(autouse=True, scope="module")
def unused_memory() -> Iterator[None]:
    """What a file of tests leaves in memory goes with it: some hold a million answers.

    Caches for the columns of the widest files never fill up here, and what was freed between two
    things that stay is given back by the C library when it is told to.
    """
    yield
    caches = (each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper))
    for cache in caches:
        if (cache.cache_parameters()["maxsize"] or 0) >= _LARGE_CACHE:
            cache.cache_clear()
    if "dpdesk.data.unused_memory" in sys.modules:
        sys.modules["dpdesk.data.unused_memory"].release_unused()


@pytest.fixture(autouse=True)
def unset_paper(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PDF is its content unset, but where a test is marked `printed`.

    Typst takes 0.4 seconds of a processor for a report, most of a small release. What is set, and
    that it can be read as a page of ours, is found out all the same.
    """
    if request.node.get_closest_marker("printed") is None:
        monkeypatch.setattr("dpdesk.reports.pdf._compiled", unset)


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> object:
    """The bot of pytest-qt, whose waits end with what they wait for and have one common limit."""
    # Not everybody who runs tests has Qt.
    from pytestqt.qtbot import QtBot

    bot = QtBot(request)
    for name in ("waitUntil", "waitSignal", "waitSignals", "waitActive", "waitExposed"):
        setattr(bot, name, partial(getattr(bot, name), timeout=int(1_000 * HANG)))
    return bot


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real tables beside the checkout; the test is skipped where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the folder of real tables, ../shared/data, is not here")
    return folder
