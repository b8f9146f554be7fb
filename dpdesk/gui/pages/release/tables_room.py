"""Tables and models of a release, that at hand or any that is opened: questions and answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QWidget

from dpdesk.cost import short_epsilon
from dpdesk.data.regular_file import is_file, is_folder
from dpdesk.engine import Job, Tracker
from dpdesk.engine.joint_questions import Question, answer_question, planned_question
from dpdesk.engine.tables_and_models import Answer, Asked, DrawnBy
from dpdesk.errors import DpdeskError, InputError
from dpdesk.estimation.released_columns import ReleasedColumn, released_columns
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.gui.actions import new_action
from dpdesk.gui.help import HelpButton
from dpdesk.gui.icons import IconBond
from dpdesk.gui.job_watch import Working
from dpdesk.gui.pages.release.question_form import QuestionForm
from dpdesk.gui.pages.release.tables_results import TablesResults
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.gui.widgets.plain_text import PlainLabel, counted, plain_tooltip
from dpdesk.gui.widgets.progress_line import ProgressLine
from dpdesk.plan import total_epsilon
from dpdesk.preview.command_words import CommandWords, Value
from dpdesk.releases.folder import PLAN_NAME
from dpdesk.releases.opened import OpenedRelease, open_release

_Stamp = tuple[Path, frozenset[tuple[str, int, int]]]
"""A folder, with the names, times and sizes of its files."""

_FORM_WIDTH = 268
_UNSEEN = 300
"""Milliseconds of an estimate before its progress is shown."""


@dataclass(frozen=True)
class Opened:
    """A release that questions are asked of.

    Attributes:
        release: The release.
        columns: Its columns that can be looked at.
        notes: What a reader of its estimates has to know, as sentences.
    """

    release: OpenedRelease
    columns: tuple[ReleasedColumn, ...]
    notes: tuple[str, ...]


def open_task(folder: Path, tracker: Tracker) -> Opened:
    """Opens the folder of a release; runs in a thread.

    Raises:
        DpdeskError: It is no release of records, or not the one that its manifest describes.
    """
    tracker.progress("Comparing the files with the manifest", 0.1)
    if not is_folder(folder):
        raise InputError(
            f"{folder.name or folder} is not a folder.", remedy="Open the folder of a release."
        )
    notes: list[str] = []
    if not (is_file(folder / PLAN_NAME) or any(folder.glob("statistics*"))):
        raise InputError(
            f"{folder.name or folder} is not a release: there is no {PLAN_NAME} in it.",
            remedy="Open a folder that dpdesk wrote.",
        )
    release = open_release(folder, note=notes.append)
    tracker.progress("Reading what was released", 0.8)
    return Opened(release, released_columns(release.plan), tuple(notes))


def ask_task(
    opened: Opened,
    known: tuple[DrawnBy, ScoredRecords] | None,
    drawn: DrawnBy,
    question: Question,
    tracker: Tracker,
) -> tuple[ScoredRecords, Answer]:
    """Answers a question; runs in a thread.

    Args:
        opened: The release.
        known: Its records, if they were read, and how respondents were drawn then.
        drawn: How respondents were drawn.
        question: What is asked.
        tracker: Progress and cancel.
    """
    tracker.progress("Reading the records", 0.02)
    release = opened.release
    if known is not None and known[0] == drawn:
        records = known[1]
    else:
        records = drawn.records(release.place, release.plan)
    asked = Asked(release.plan, drawn, release.verified)
    return records, answer_question(records, asked, question, tracker)


class TablesRoom(Working):
    """The form at the left, the answer at the right.

    Attributes:
        closed: Emitted when the user goes back to the page.
        openAsked: Emitted when the user wants to open another release.
    """

    closed = Signal()
    openAsked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: Opened | None = None
        self._known: tuple[DrawnBy, ScoredRecords] | None = None
        self._drawn = DrawnBy()
        # The question whose answer is shown, and how respondents were drawn for it.
        self._shown: tuple[Question, DrawnBy] | None = None
        # Whether the button had the focus, which it loses while it is disabled.
        self._had_focus = False
        self._stamp: _Stamp | None = None
        # The folder that is being opened, with its stamp.
        self._opening: tuple[Path, _Stamp] | None = None
        self._then: Callable[[Any], None] = self._show_release
        self.header = PageHeader(parent=self)
        self.help = HelpButton("joint-estimates", self.tr("Help on tables and models"), parent=self)
        self.back = QPushButton(self.tr("&Back"), self)
        self.open = QPushButton(self.tr("Open a re&lease…"), self)
        IconBond(self.open, "folder-open", "text")
        self.run = QPushButton(self.tr("&Estimate"), self)
        self.run.setProperty("look", "primary")
        IconBond(self.run, "play", "accent_text")
        for widget in (self.help, self.back, self.open, self.run):
            self.header.add_widget(widget)
        self.notice = NoticeBar(parent=self)
        self.form = QuestionForm(parent=self)
        self.progress = ProgressLine(
            self.tr("Progress of the estimate"), self.watch, unseen=_UNSEEN, parent=self
        )
        self.words = PlainLabel("", "muted", wrap=True, parent=self)
        self.results = TablesResults(parent=self)
        self.results.hide()
        self._actions = self._make_actions()
        self._lay_out()
        self.run.clicked.connect(self.start)
        self.back.clicked.connect(self.closed)
        self.open.clicked.connect(self.openAsked)
        self.form.changed.connect(self._refresh)
        self.form.submitted.connect(self.start)
        self.results.noticeRaised.connect(self.notice.show_notice)
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(self._tell_failure)
        self.watch.stopped.connect(self._tell_stop)
        self._show_nothing()

    def opened(self) -> Opened | None:
        """The release that is open."""
        return self._opened

    def open_folder(self, folder: Path) -> None:
        """Opens the folder of a release; one that is open and was not changed stays as it is.

        Until it is opened, and where it cannot be, the one that was open stays.
        """
        stamp = _stamp(folder)
        if self._opened is not None and stamp == self._stamp:
            return
        self.watch.shut_down()
        if self._opened is None or folder == self._opened.release.place:
            # Its files changed, so that what was read of them is none of this release.
            self._show_nothing()
            self.header.set_title(folder.name or str(folder))
        self._then, self._opening = self._show_release, (folder, stamp)
        self.watch.start(Job(self.tr("Opening the release"), partial(open_task, folder)))
        self._refresh()

    def start(self) -> None:
        """Answers the question of the form."""
        question = self.form.question()
        if self._opened is None or question is None or self.watch.is_running:
            return
        self.notice.clear()
        self._had_focus = self.run.hasFocus()
        self._drawn = self.form.drawn()
        self._then = partial(self._show_answer, question)
        task = partial(ask_task, self._opened, self._known, self._drawn, question)
        self.watch.start(Job(self.tr("Estimating"), task))
        self._refresh()

    def settle(self) -> None:
        had = self._had_focus or self.progress.stop.hasFocus()
        self._refresh()
        if had:
            self.run.setFocus()

    def panes(self) -> list[QWidget]:
        """The widgets that F6 goes to."""
        return [self.header, self.form, self.results]

    def command(self) -> CommandWords | None:
        """The command that gives the numbers that are shown; None where there are none."""
        opened = self._opened
        if opened is None or self._shown is None or self.results.isHidden():
            return None
        question, drawn = self._shown
        told: dict[str, Value] = dict(question.options())
        told |= {"strata": drawn.strata} if drawn.strata else {}
        told |= {"clusters": drawn.clusters} if drawn.clusters else {}
        told |= {"lonely_psu": drawn.lonely} if drawn.lonely != "fail" else {}
        told |= {} if opened.release.verified else {"unverified": True}
        return CommandWords("estimate", (str(opened.release.place),), told)

    def actions_listed(self) -> list[QAction]:
        """What can be done, for the menu."""
        return list(self._actions)

    def _make_actions(self) -> tuple[QAction, ...]:
        def action(text: str, keys: str, run: Callable[[], object]) -> QAction:
            return new_action(self, text, keys, run)

        return (
            action(self.tr("&Estimate"), "Ctrl+Return", self.start),
            action(self.tr("&Cancel"), "Ctrl+.", self.cancel),
            action(self.tr("Cop&y the numbers"), "Ctrl+Shift+C", self.results.copy_csv),
            action(self.tr("Save as CS&V…"), "Ctrl+Shift+D", self.results.ask_csv),
            action(self.tr("Save as &JSON…"), "Ctrl+Shift+J", self.results.ask_json),
            action(self.tr("&Back"), "Alt+Left", self.closed.emit),
        )

    def _lay_out(self) -> None:
        left, right = Card(margin=4, parent=self), Card(parent=self)
        inner = QWidget()
        lay_column(self.form, STRETCH, margins=(8, 6, 8, 6), on=inner)
        area = QScrollArea(left)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        area.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        left.body.addWidget(area, 1)
        ScaledWidth(left, _FORM_WIDTH)
        right.body.addWidget(self.progress)
        right.body.addWidget(self.words)
        right.body.addWidget(self.results, 1)
        right.body.addStretch(0)
        row = lay_row(left, (right, 1), spacing=12)
        lay_column(self.header, self.notice, (row, 1), spacing=12, on=self)

    def _show_nothing(self) -> None:
        self._opened, self._known, self._shown = None, None, None
        self.notice.clear()
        self.header.set_title(self.tr("Tables and models"))
        self.header.set_subtitle(self.tr("No release is open"))
        self.results.hide()
        self._say("")
        self._refresh()

    def _say(self, words: str) -> None:
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _take(self, found: object) -> None:
        """Shows what the job found that was started last."""
        self._then(found)

    def _show_release(self, opened: Opened) -> None:
        self._show_nothing()
        self._opened, release = opened, opened.release
        if self._opening is not None:
            self._stamp, self._opening = self._opening[1], None
        plan = release.plan
        self.header.set_title(_title(release))
        told = [
            counted(len(opened.columns), self.tr("1 column"), self.tr("{count} columns")),
            self.tr("ε = {epsilon} per respondent").format(
                epsilon=short_epsilon(total_epsilon(plan))
            ),
            self.tr("as its manifest describes it")
            if release.verified
            else self.tr("not verified"),
            str(release.place),
        ]
        self.header.set_subtitle(" · ".join(told))
        if opened.notes:
            self.notice.show_notice("warning", " ".join(opened.notes))
        wanted = (planned_question(plan, text) for text in plan.analyses)
        self.form.show_release(plan, opened.columns, next(filter(None, wanted), None))
        self._refresh()
        self.form.kind.setFocus()
        # A first table at once, as a picture of what can be had.
        self.start()
        if not self.watch.is_running:
            self._say(self.tr("Choose what is asked, and of which columns."))

    def _show_answer(self, question: Question, found: tuple[ScoredRecords, Answer]) -> None:
        records, answer = found
        self._shown = question, self._drawn
        self._known = self._drawn, records
        self._say("")
        self.results.show_answer(answer)
        self.results.show()
        self._refresh()

    def _tell_failure(self, error: DpdeskError) -> None:
        opening, self._opening = self._opening, None
        # The window names no option of the command line.
        reason = f"{error.message} {error.remedy}".strip()
        if opening is not None and self._opened is not None:
            words = self.tr("{folder} was not opened; {open} still is. {reason}")
            told = words.format(
                folder=opening[0].name, open=_title(self._opened.release), reason=reason
            )
            self.notice.show_notice("error", told)
            self._refresh()
            return
        self.notice.show_notice("error", reason)
        self.results.hide()
        self._say(self.tr("Nothing was estimated."))
        self._refresh()

    def _tell_stop(self) -> None:
        self._opening = None
        self.notice.show_notice("info", self.tr("Nothing was estimated."))

    def _refresh(self) -> None:
        running = self.watch.is_running
        # Also while it runs: a field that is disabled loses the focus of who uses the keys.
        self.form.setEnabled(self._opened is not None)
        can = self._opened is not None and not running and self.form.question() is not None
        self.run.setEnabled(can)
        self.run.setToolTip(plain_tooltip(self._why_not(running=running)))
        has_answer = not self.results.isHidden()
        possible = (can, running, has_answer, has_answer, has_answer, True)
        for action, is_possible in zip(self._actions, possible, strict=True):
            action.setEnabled(is_possible)

    def _why_not(self, *, running: bool) -> str:
        """Why nothing can be estimated now; "" where it can."""
        if self._opened is None:
            return self.tr("Open the folder of a release first.")
        if running:
            return self.tr("It is being estimated; Esc cancels.")
        return self.form.lacking()


def _title(release: OpenedRelease) -> str:
    return release.plan.details.title or release.place.name


def _stamp(folder: Path) -> _Stamp:
    """What changes when another release is written into a folder."""
    try:
        told = ((path.name, path.stat()) for path in folder.iterdir())
        return folder, frozenset((name, stat.st_mtime_ns, stat.st_size) for name, stat in told)
    except OSError:
        return folder, frozenset()
