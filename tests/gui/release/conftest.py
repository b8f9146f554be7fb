from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.engine import Tracker
from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage, release_pane
from tests.engine.survey import survey, survey_plan


@pytest.fixture
def page(qtbot: QtBot, document: Document, tmp_path: Path) -> Iterator[ReleasePage]:
    """The page in a window of its own, with nothing open."""
    shown = ReleasePage(document)
    qtbot.addWidget(shown)
    shown.records.before.destination.set_parent_folder(tmp_path)
    shown.resize(1260, 790)
    shown.show()
    qtbot.waitExposed(shown)
    yield shown
    shown.shut_down()


@pytest.fixture
def ready(page: ReleasePage, document: Document) -> ReleasePage:
    """The page with a survey whose plan has no errors."""
    document._set_table(survey(), None)
    document.reset(survey_plan())
    return page


@pytest.fixture
def wait(qtbot: QtBot, page: ReleasePage) -> Callable[[], None]:
    """Waits until nothing runs on the page."""

    def until_idle() -> None:
        qtbot.waitUntil(
            lambda: (
                not any(
                    watch.is_running
                    for watch in (page.records.watch, page.records.compare_watch, page.account)
                )
            )
        )

    return until_idle


class HeldTask:
    """Stands in for a release: it says that it runs and goes on when it is told to."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.go_on = threading.Event()
        self.plan: object = None
        self.error: Exception | None = None

    def __call__(
        self,
        kind: object,
        table: object,
        plan: object,
        folder: Path,
        to: object,
        tracker: Tracker,
        paper: str = "a4",
    ) -> None:
        self.plan = plan
        tracker.progress("Randomizing answers", 0.25)
        self.reached.set()
        while not self.go_on.wait(0.01):
            tracker.tick()
        if self.error is not None:
            raise self.error


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[HeldTask]:
    """Releases wait until the test lets them go on, or until they are cancelled."""
    task = HeldTask()
    monkeypatch.setattr(release_pane, "release_task", task)
    yield task
    task.go_on.set()
