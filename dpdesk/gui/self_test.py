"""The self-test of an installation: the window on the sample, to the end of a release.

It runs without a display, on the bundled survey, with settings and files of its own, and prints
one line for each step.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from dpdesk.errors import MissingPackagesError
from dpdesk.ledgers.place import default_path, witness_path

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from dpdesk.gui.document import Document
    from dpdesk.gui.main_window import MainWindow

_PATIENCE = 120.0
"""Seconds after which a step counts as stuck; on any machine each takes some seconds at most."""

_BUDGET = Decimal(8)


class _StuckError(Exception):
    """A step did not end in time."""


def run() -> int:
    """Opens the window on the sample, visits each page, plans, releases, checks, closes.

    Returns:
        0 if every step succeeded, else 1.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    in_slots: list[str] = []
    usual_hook = sys.excepthook
    # Qt swallows exceptions of slots after it passed them to this hook.
    sys.excepthook = lambda kind, *_: in_slots.append(kind.__name__)
    with TemporaryDirectory(prefix="dpdesk-self-test-") as folder:
        # The release of the sample must not be charged to the user's own ledger.
        os.environ["DPDESK_LEDGER"] = str(Path(folder, "ledger.sqlite"))
        try:
            for line in _steps(Path(folder)):
                sys.stdout.write(f"ok    {line}\n")
                sys.stdout.flush()
        except Exception as error:  # noqa: BLE001 - whatever fails is the finding of this check
            sys.stdout.write(f"FAIL  {type(error).__name__}: {error}\n")
            return 1
        finally:
            sys.excepthook = usual_hook
            # Files outside the folder.
            witness_path(default_path()).unlink(missing_ok=True)
    if in_slots:
        sys.stdout.write(f"FAIL  raised while the window ran: {', '.join(in_slots)}\n")
        return 1
    sys.stdout.write("dpdesk works\n")
    return 0


def _steps(folder: Path) -> Iterator[str]:
    from PySide6.QtCore import QSettings

    from dpdesk.gui.about import versions
    from dpdesk.gui.app import application
    from dpdesk.gui.document import Document
    from dpdesk.gui.main_window import MainWindow
    from dpdesk.gui.settings import Settings
    from dpdesk.gui.theme import ThemeSwitch
    from dpdesk.resources import third_party_licences

    app = application()
    yield ", ".join(f"{name} {number}" for name, number in versions())
    if getattr(sys, "frozen", False):
        if third_party_licences() is None:
            raise _StuckError("the bundle has no list of the licences of its parts")
        yield "the licences of its parts are listed"
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    settings = Settings(store)
    ThemeSwitch(app, "light")
    window = MainWindow(settings)
    document = Document(window)
    window.furnish(document)
    window.show()
    yield f"the window opens ({app.platformName()})"
    yield from _open_sample(app, window, document)
    yield from _make_plan(document, folder)
    for choice in ("light", "dark"):
        ThemeSwitch.instance().set_choice(choice)
        yield from _visit_pages(app, window, choice)
    yield from _release(app, document, folder / "release")
    for step in (_ask(document, folder / "statistics"), _learn()):
        yield from _of_extra(step)
    document.undo_stack.setClean()
    window.close()
    _wait(app, "the window to close", lambda: not window.isVisible())
    window.deleteLater()
    # Otherwise Qt would write settings at exit, and create the deleted folder again.
    store.sync()
    yield "the window closes"


def _open_sample(app: QApplication, window: MainWindow, document: Document) -> Iterator[str]:
    window.files.open_sample()
    _wait(app, "the sample to be read", lambda: not document.loading.is_running)
    if document.table is None:
        raise _StuckError("the sample was not read")
    yield f"the sample has {document.table.rows:,} respondents, {len(document.table.names)} columns"


def _make_plan(document: Document, folder: Path) -> Iterator[str]:
    from dpdesk.plan import confirm_domains, errors_of, load_plan, protect_unassigned

    plan = protect_unassigned(confirm_domains(document.plan).with_fields(budget=None), _BUDGET)
    document.edit("Self-test", plan)
    problems = errors_of(document.problems)
    if problems:
        raise _StuckError(str(problems[0]))
    path = folder / "plan.json"
    document.save_plan(path)
    if load_plan(path) != document.plan:
        raise _StuckError("the plan that was saved is not the plan that was read back")
    yield f"the plan protects {len(plan.protected)} columns; saved and read back"


def _visit_pages(app: QApplication, window: MainWindow, choice: str) -> Iterator[str]:
    for key in window.pages:
        window.go_to(key)
        for _ in range(5):
            app.processEvents()
        picture = window.grab().toImage()
        step = max(picture.width() // 64, 1)
        colours = {
            picture.pixel(x, y)
            for x in range(0, picture.width(), step)
            for y in range(0, picture.height(), step)
        }
        if len(colours) < 3:
            raise _StuckError(f"the page {key} is empty")
        yield f"the page {key} is painted in {choice}"


def _release(app: QApplication, document: Document, folder: Path) -> Iterator[str]:
    from dpdesk.engine import Job
    from dpdesk.gui.job_watch import JobWatch
    from dpdesk.releases.records import RECORDS
    from dpdesk.releases.release import release
    from dpdesk.releases.verify import verify_release

    table = document.table
    if table is None:
        raise _StuckError("there are no data to release")
    failures: list[object] = []
    watch = JobWatch()
    watch.failed.connect(failures.append)
    watch.start(Job("Self-test", partial(release, RECORDS, table, document.plan, folder)))
    _wait(app, "the release to be written", lambda: not watch.is_running)
    if failures:
        raise _StuckError(str(failures[0]))
    verified = verify_release(folder)
    if not verified.has_manifest or verified.faults:
        raise _StuckError(" ".join(verified.faults.values()) or "the release has no manifest")
    records = (folder / "records.csv").read_bytes().count(b"\n") - 1
    if records != table.rows:
        raise _StuckError(f"records.csv has {records:,} records instead of {table.rows:,}")
    yield f"the release has {len(list(folder.iterdir()))} files that agree with its manifest"


def _ask(document: Document, folder: Path) -> Iterator[str]:
    from decimal import Decimal

    from dpdesk.engine.jobs import untracked
    from dpdesk.plan.statistics import Statistics
    from dpdesk.queries.noise.measurement import opendp_parts
    from dpdesk.queries.phrase import parse_query
    from dpdesk.releases.release import release
    from dpdesk.releases.statistics import STATISTICS

    opendp_parts()  # says what is missing, before a plan is found faulty for it
    table = document.table
    if table is None:
        raise _StuckError("there are no data to ask about")
    phrases = ("mean of affairs", "count by religious", "median of affairs", "most frequent age")
    queries = [parse_query(phrase, epsilon=Decimal("0.5")) for phrase in phrases]
    gaussian = queries[0].changed(noise="discrete_gaussian", delta=Decimal("0.000001"))
    plan = document.plan.with_fields(statistics=Statistics().with_queries([*queries, gaussian]))
    result = release(STATISTICS, table, plan, folder, untracked())
    yield f"{len(result.released.results)} statistics with noise, in {len(result.files)} files"


def _learn() -> Iterator[str]:
    from dpdesk.learning.learners import Boosting, Lesson, Logistic, Tree

    seen = np.arange(60.0).reshape(60, 1)
    label = (seen[:, 0] >= 30).astype(np.int64)
    lesson = Lesson((), (seen,), label, classes=2, seed=1)
    for learner in (Logistic, Tree, Boosting):
        guessed = learner.fit(lesson)((seen,)).argmax(axis=1)
        if not np.array_equal(guessed, label):
            raise _StuckError(f"{learner.title} did not learn what stands before it")
    yield "learners tell two halves apart"


def _of_extra(steps: Iterator[str]) -> Iterator[str]:
    """Steps that need an extra, or why they are left out; a bundle has every part."""
    try:
        yield from steps
    except MissingPackagesError as error:
        if getattr(sys, "frozen", False):
            raise
        yield f"left out: {error}"


def _wait(app: QApplication, what: str, is_done: Callable[[], bool]) -> None:
    """Processes events until a condition holds."""
    end = time.monotonic() + _PATIENCE
    while not is_done():
        if time.monotonic() > end:
            raise _StuckError(f"waited {_PATIENCE:.0f} s for {what}")
        app.processEvents()
        time.sleep(0.01)
