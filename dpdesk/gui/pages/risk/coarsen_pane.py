"""The pane of coarser answers: what is asked, the level of each column, and before and after."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import (
    QFileDialog,
    QPushButton,
    QWidget,
)

from dpdesk.data.write_file import write_file
from dpdesk.disclosure.hierarchies import Hierarchy
from dpdesk.disclosure.level_choice import hierarchy_text, read_hierarchy
from dpdesk.disclosure.levelled import rare_merged_levels
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.copied_command import data_file, plan_file
from dpdesk.gui.messages import ask_consent
from dpdesk.gui.pages.format_choice import FormatChoice
from dpdesk.gui.pages.risk.coarsen_figures import ComparedModel, compared, disclosed, verdict
from dpdesk.gui.pages.risk.level_rows import LevelRows
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState
from dpdesk.gui.paper import usual_paper
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row, scrolled
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.request_form import RequestForm
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_, first_names, quoted
from dpdesk.plan import Plan
from dpdesk.plan.checks.coarsening import keep_coarser
from dpdesk.plan.column_changes import keep_as_they_are
from dpdesk.preview.coarser import CoarseAnswer, CoarseWish, coarse_answer
from dpdesk.preview.command_words import CommandWords
from dpdesk.preview.recognisable import Measured
from dpdesk.releases.coarsened import CoarsenedFile, write_coarsened
from dpdesk.requests.coarsen import CoarsenRequest

_NAMED = 4
_ASKED = ("method", "k", "l_distinct", "t", "suppress", "loss", "table")
"""The fields of the form; the others have a place of their own, or none."""
_WIDE, _BESIDE = 720, 24
"""Width from which on the levels stand beside what is asked, and the room between both."""
_ABOVE_VERDICT = 6
"""Pixels above the verdict that are shown with it, so that no line is cut."""


class CoarsenPane(RiskPane):
    """Coarser answers until nobody stands out, and what that costs."""

    title = N_("Coarsen")

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.answer: CoarseAnswer | None = None
        self._earlier: list[CoarseAnswer] = []
        self._columns: tuple[object, ...] = ()
        self._asked: tuple[object, ...] = ()
        self._hierarchies: dict[str, Hierarchy] = {}
        self._is_writing = False
        self._kept: tuple[str, tuple[str, ...], list[object]] = ("", (), [])
        self._fill()
        self.watch.started.connect(self._show_start)
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(self._refuse)
        self.watch.stopped.connect(self._say_stopped)
        self.watch.ended.connect(self._end)
        self.best.clicked.connect(self.find_best)
        self.undo.clicked.connect(self.take_back)
        self.keep.clicked.connect(self.keep_in_plan)
        self.take_out.clicked.connect(self.take_out_of_plan)
        self.write.clicked.connect(self.ask_folder)
        self.rows.loadAsked.connect(self._ask_levels)
        self.rows.mergeAsked.connect(self.merge_rare)
        self.rows.saveAsked.connect(self._ask_file)
        self.rows.forgetAsked.connect(self.forget_levels)
        # What columns can hold decides on their levels; the page measures nothing anew for it.
        self._following = WhenShown(self, self._follow)
        self.document.planChanged.connect(self._following.request)
        self._show()

    def told(self) -> str:
        """What the figures say."""
        return self._verdict.text()

    def show_answer(self, answer: Measured | None) -> None:
        self._follow()

    def _follow(self) -> None:
        columns = self._question()
        if columns != self._columns:
            if columns[0] != (self._columns or (None,))[0]:
                self._hierarchies = {}
            self._columns = columns
            if not self._is_writing:
                self.cancel()
            self.answer, self._earlier, self._asked = None, [], ()
            self.notice.clear()
            self._show()
        self._forget_kept()
        self._show_plan()
        self.best.setEnabled(bool(self.state.quasi_identifiers))

    def wish(self) -> CoarseWish:
        """What is asked by the fields."""
        quasi = self.state.quasi_identifiers
        own = {name: levels for name, levels in self._hierarchies.items() if name in quasi}
        request = self.form.request(quasi=quasi, sensitive=self._sensitive())
        return CoarseWish(request, hierarchies=own)

    def _sensitive(self) -> tuple[str, ...]:
        return tuple(n for n in self.state.sensitive if n not in self.state.quasi_identifiers)

    def command(self) -> CommandWords | None:
        data = data_file(self.document)
        if data is None or not self.state.quasi_identifiers:
            return None
        plan = Path(plan_file(self.document)) if self.document.plan.columns else None
        by_hand = self.answer is not None and self.answer.wish.levels is not None
        levels = self.rows.values() if by_hand else ()
        chosen = dict(zip(self.state.quasi_identifiers, levels, strict=False))
        request = replace(self.wish().request, plan=plan, level=chosen)
        return CommandWords("coarsen", (data,), request=request)

    def find_best(self) -> None:
        """Looks for the best levels, or makes the boxes or blanks."""
        self._ask(self.wish())

    def take_back(self) -> None:
        """Shows the answer before the last one."""
        if self._earlier and not self.watch.is_running:
            self.answer = self._earlier.pop()
            self._hierarchies = dict(self.answer.wish.hierarchies)
            self.form.show_request(self.answer.wish.request)
            self.notice.clear()
            self._show()

    def load_levels(self, name: str, path: Path) -> None:
        """Takes the levels of a column from a file, and coarsens anew with them."""
        try:
            levels = read_hierarchy(path, name)
        except DpdeskError as error:
            self.notice.show_notice("warning", str(error))
            return
        self._ask(replace(self.wish(), hierarchies={**self._hierarchies, name: levels}))

    def merge_rare(self, name: str) -> None:
        """Gives a column a level on which its rare answers are one, and coarsens anew."""
        if self.answer is None:
            return
        columns = {column.name: column for column in self.answer.lattice.columns}
        levels = rare_merged_levels(columns[name])
        if levels is not None:
            self._ask(replace(self.wish(), hierarchies={**self._hierarchies, name: levels}))

    def save_levels(self, name: str, path: Path) -> None:
        """Writes the levels of a column to a file."""
        if self.answer is None:
            return
        columns = {column.name: column for column in self.answer.lattice.columns}
        try:
            write_file(path, hierarchy_text(columns[name].hierarchy))
        except DpdeskError as error:
            self.notice.show_notice("warning", str(error))
            return
        self.notice.show_notice("success", self.tr("{name} was written.").format(name=path.name))

    def forget_levels(self, name: str) -> None:
        """Gives a column its suggested levels back."""
        if name in self._hierarchies:
            left = {one: levels for one, levels in self._hierarchies.items() if one != name}
            self._ask(replace(self.wish(), hierarchies=left))

    def _ask_levels(self, name: str) -> None:
        kinds = self.tr("Tables (*.csv *.tsv *.txt);;All files (*)")
        title = self.tr("Open the levels of {name}").format(name=name)
        chosen, _ = QFileDialog.getOpenFileName(self, title, "", kinds)
        if chosen:
            self.load_levels(name, Path(chosen))

    def _ask_file(self, name: str) -> None:
        if self.answer is None:
            self.notice.show_notice("info", self.tr("There are no levels yet: press Find best."))
            return
        title = self.tr("Save the levels of {name}").format(name=name)
        path = asked_path(self, title, "levels.csv", self.tr("Tables (*.csv)"), (".csv",))
        if path is not None:
            self.save_levels(name, path)

    def keep_in_plan(self) -> None:
        """Keeps the columns on their levels in the plan."""
        answer, plan = self.answer, self.document.plan
        if answer is None or answer.levels is None or self.watch.is_running:
            return
        names = answer.wish.request.quasi
        protected = tuple(c.name for c in plan.protected if c.name in names)
        if protected and not self._agreed_to_keep(protected):
            return
        chosen = {name for name, level in zip(names, answer.levels, strict=True) if level}
        from_records = tuple(name for name in answer.from_records if name in chosen)
        if from_records and not self._agreed(from_records, self.tr("&Keep")):
            return
        levels = answer.for_plan(
            chosen_by_hand=answer.wish.levels is not None, confirmed=bool(from_records)
        )
        try:
            changed = keep_coarser(plan, levels)
        except DpdeskError as error:
            self.notice.show_notice("warning", str(error))
            return
        self.document.edit(self.tr("Keep columns coarser"), changed)
        coarser = tuple(name for name in names if levels[name] is not None)
        rest = tuple(name for name in names if levels[name] is None)
        told = (
            self.tr("The plan keeps {names} on these levels, without protection.")
            if not rest
            else self.tr("The plan keeps {rest} as they are, without protection.")
            if not coarser
            else self.tr(
                "The plan keeps {names} on these levels, and {rest} as they are, without "
                "protection."
            )
        ).format(names=quoted(coarser, _NAMED), rest=quoted(rest, _NAMED))
        if answer.comparison.loss.suppressed:
            left = self.tr(
                "Its release leaves out no record: {count} that would be left out here are in it."
            )
            told += " " + left.format(count=f"{answer.comparison.loss.suppressed:,}")
        if any(changed.column(name).keep_waits for name in names):
            told += " " + self.tr("Confirm in Plan that everybody may read them.")
        self._kept = told, names, _said_of(changed, names)
        self.notice.show_notice("success", told)

    def take_out_of_plan(self) -> None:
        """Keeps the columns of the plan that are coarser as they are; that is to be confirmed."""
        names = [column.name for column in self.document.plan.kept if column.kept_coarser]
        changed = keep_as_they_are(self.document.plan, names)
        self.document.edit(self.tr("Keep columns as they are"), changed)

    def ask_folder(self) -> None:
        """Asks where the coarsened file is put, and writes it into a new folder there."""
        if self.answer is None or self.watch.is_running:
            return
        if self.answer.from_records and not self._agreed(self.answer.from_records):
            return
        title = self.tr("Folder that the coarsened file is put in")
        chosen = QFileDialog.getExistingDirectory(self, title)
        if chosen:
            self.write_below(Path(chosen))

    def write_below(self, parent: Path) -> None:
        """Writes the coarsened file into a new folder below another one."""
        table, answer = self.document.table, self.answer
        if table is None or answer is None or self.watch.is_running:
            return
        first = parent / f"coarsened-{Path(table.name).stem}"
        folder, number = first, 1
        while folder.exists():
            number += 1
            folder = first.with_name(f"{first.name}-{number}")
        wish, formats = answer.wish, self.document.plan.formats

        def task(tracker: Tracker) -> Path:
            request = wish.request
            file = CoarsenedFile(request.method, request.suppress, wish.chosen_by, formats=formats)
            result, after = answer.outcome.result, answer.comparison.after
            write_coarsened(table, result, after, file, folder, tracker, usual_paper())
            return folder

        self._is_writing = True
        self.watch.start(Job(self.tr("Writing the coarsened file"), task))

    def _question(self) -> tuple[object, ...]:
        plan = self.document.plan
        declared = tuple((c.name, c.domain, c.confirmed, c.missing) for c in plan.columns)
        quasi, sensitive = self.state.quasi_identifiers, self.state.sensitive
        return (self.document.table, quasi, sensitive, declared)

    def _ask(self, wish: CoarseWish) -> None:
        table = self.document.table
        # A question does not stop the writing of a file; its fields are disabled meanwhile.
        if table is None or not wish.request.quasi or self._is_writing:
            return
        question = self._question()

        def make() -> Job:
            lattice = None
            if self.answer is not None and self.answer.wish.hierarchies == wish.hierarchies:
                lattice = self.answer.lattice
            self._asked = question
            task = partial(coarse_answer, table, self.document.plan, wish, lattice)
            return Job(self.tr("Comparing levels"), task)

        self.watch.start_instead(make)

    def _show_start(self, title: str) -> None:
        self.notice.clear()
        self._verdict.setText(f"{title} …")
        self._set_enabled()

    def _say_stopped(self) -> None:
        if self._is_writing:
            self.notice.show_notice("info", self.tr("Cancelled: nothing was written."))

    def _take(self, found: object) -> None:
        if isinstance(found, Path):
            told = self.tr("{name} was written. It is not differentially private.")
            self.notice.show_notice("success", told.format(name=found.name))
        elif isinstance(found, CoarseAnswer) and self._asked == self._question():
            if self.answer is not None:
                self._earlier.append(self.answer)
            self.answer = found
            self._hierarchies = dict(found.wish.hierarchies)
            if found.wish.levels is None:
                # Laid out first: what it comes to lies below the fields where there is little room.
                QTimer.singleShot(0, self, self._show_verdict)

    def _refuse(self, error: DpdeskError) -> None:
        self.notice.show_notice("warning", str(error))

    def _end(self) -> None:
        self._is_writing = False
        self._follow()
        self._show()

    def _agreed_to_keep(self, names: tuple[str, ...]) -> bool:
        told = self.tr("The plan protects {names}: kept, they are released without protection.")
        return ask_consent(
            self.window(),
            self.tr("Columns that the plan protects"),
            told.format(names=quoted(names, _NAMED)),
            self.tr("Coarser answers are true answers: that is not differential privacy."),
            self.tr("&Keep"),
        )

    def _agreed(self, names: tuple[str, ...], word: str = "") -> bool:
        return ask_consent(
            self.window(),
            self.tr("Levels that follow from the records"),
            self.tr(
                "Nothing says what {names} can hold, so that the levels follow from the records "
                "and tell something of them."
            ).format(names=", ".join(names)),
            self.tr("Confirm the domains in Data first, or release them all the same."),
            word or self.tr("&Write"),
        )

    def _fill(self) -> None:
        self._told = PlainLabel(
            self.tr(
                "True answers, only coarser, until everybody is like k - 1 others. This is not "
                "differential privacy: it stops somebody who knows these columns and no more."
            ),
            "muted",
            wrap=True,
            parent=self,
        )
        self.form = RequestForm(CoarsenRequest, _ASKED, self)
        self.rows = LevelRows(self._levels_changed, self)
        self._in_plan = PlainLabel("", wrap=True, parent=self)
        self.take_out = QPushButton(self.tr("Keep them as they are"), self)
        self._verdict = PlainLabel("", wrap=True, parent=self)
        self._disclosed = PlainLabel("", "warning", wrap=True, parent=self)
        self.model = ComparedModel(self)
        self.view = PlainTable(self.model, self.tr("The file before and after"), parent=self)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.notice = NoticeBar(parent=self)
        self.best = QPushButton(self.tr("Find &best"), self)
        self.best.setProperty("look", "primary")
        self.best.setToolTip(self.tr("The levels that lose least, of all that do what is asked"))
        self.undo = QPushButton(self.tr("&Undo"), self)
        self.undo.setWhatsThis(self.tr("Takes the last step back."))
        self.keep = QPushButton(self.tr("&Keep in plan"), self)
        self.keep.setToolTip(
            self.tr("The plan keeps these columns on these levels: its release writes them so")
        )
        self.write = QPushButton(self.tr("&Write…"), self)
        self.write.setToolTip(self.tr("Writes the coarsened records and a report to a new folder"))
        self.formats = FormatChoice(self.document, parent=self)
        inside = QWidget(self)
        kept = lay_row((self._in_plan, 1), self.take_out, spacing=10)
        levels = lay_column(kept, self.rows, STRETCH, spacing=8)
        asked = lay_column(self.form, STRETCH)
        lay_column(
            self._told,
            lay_row((asked, 5), (levels, 6), spacing=_BESIDE),
            self._verdict,
            self._disclosed,
            self.view,
            STRETCH,
            spacing=8,
            on=inside,
        )
        self.area = scrolled(inside, on_card=True)
        self.rows.setAutoFillBackground(False)
        lay_column(
            (self.area, 1),
            self.notice,
            lay_row(PlainLabel(self.tr("Also as"), "muted", parent=self), (self.formats, 1)),
            lay_row(self.best, self.undo, STRETCH, self.keep, self.write, spacing=6),
            spacing=8,
            on=self,
        )

    def _levels_changed(self) -> None:
        self._ask(replace(self.wish(), levels=self.rows.values()))

    def _show_verdict(self) -> None:
        # The area scrolls no farther than what is in it was laid out, which is asked for by events.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        # Its figures follow it: from its first line on as many are seen as there is room for.
        self.area.verticalScrollBar().setValue(self._verdict.y() - _ABOVE_VERDICT)

    def _set_enabled(self) -> None:
        is_idle = not self.watch.is_running
        self.rows.setEnabled(not self._is_writing)
        # Not while it runs: a button that is disabled loses the keyboard focus.
        self.best.setEnabled(bool(self.state.quasi_identifiers))
        self.undo.setEnabled(is_idle and bool(self._earlier))
        # With more left out than may be, the report would promise what does not hold.
        is_allowed = self.answer is not None and not self.answer.too_many
        self.write.setEnabled(is_idle and is_allowed)
        has_levels = self.answer is not None and self.answer.levels is not None
        self.keep.setEnabled(is_idle and has_levels and bool(self.document.plan.columns))

    def _show(self) -> None:
        answer = self.answer
        self.rows.show_columns(self.state.quasi_identifiers, answer)
        self._verdict.setText(verdict(answer))
        self._disclosed.setText(disclosed(answer))
        self._disclosed.setVisible(bool(self._disclosed.text()))
        self.model.show_rows(() if answer is None else compared(answer))
        self.view.setVisible(answer is not None)
        heads = self.view.horizontalHeader().sizeHint().height()
        rows = sum(self.view.rowHeight(row) for row in range(len(self.model.rows)))
        self.view.setFixedHeight(heads + rows + 2 * self.view.frameWidth() + 2)
        self._show_plan()
        self._set_enabled()

    def _forget_kept(self) -> None:
        """Takes the notice back where the plan no longer keeps what it says."""
        told, names, kept = self._kept
        if told == self.notice.message() and kept != _said_of(self.document.plan, names):
            self.notice.clear()

    def _show_plan(self) -> None:
        """Shows what the plan keeps coarser."""
        kept = self.document.plan.kept
        told = [f"{c.name} {c.kept_coarser.words}" for c in kept if c.kept_coarser is not None]
        self._in_plan.setText(
            self.tr("The plan keeps {columns}.").format(columns=first_names(told, _NAMED))
            if told
            else ""
        )
        for widget in (self._in_plan, self.take_out):
            widget.setVisible(bool(told))


def _said_of(plan: Plan, names: Iterable[str]) -> list[object]:
    """Returns how a plan keeps columns: on which levels, and whether that waits to be confirmed."""
    kept = {column.name: (column.kept_coarser, column.keep_waits) for column in plan.kept}
    return [kept.get(name) for name in names]
