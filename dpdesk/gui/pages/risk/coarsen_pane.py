"""The pane of coarser answers: what is asked, the level of each column, and before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFileDialog,
    QFormLayout,
    QGridLayout,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.messages import plain_box
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.gui.widgets.when_shown import WhenShown
from dpdesk.i18n import N_
from dpdesk.preview.coarser import CoarseAnswer, CoarseWish, coarse_answer
from dpdesk.preview.recognisable import Measured
from dpdesk.release.coarsened import CoarsenedFile, write_coarsened

_SHOWN = 3
_K_MOST = 1_000_000


@dataclass(frozen=True)
class Compared:
    """One figure of the file before and after.

    Attributes:
        name: What it is.
        before, after: It, as text.
    """

    name: str
    before: str
    after: str


class ComparedModel(RowModel[Compared]):
    """One row per figure."""

    def text(self, row: Compared, column: int) -> str:
        """The text of a cell."""
        return (row.name, row.before, row.after)[column]

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("The file")),
            Head(self.tr("before"), number=True),
            Head(self.tr("after"), number=True),
        )


class LevelRows(QWidget):
    """The level of each column, with examples of what is then written.

    Args:
        changed: Called when a level was changed by the user.
        parent: Qt's owner.
    """

    def __init__(self, changed: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.levels: tuple[QSpinBox, ...] = ()
        self._changed = changed
        self._names: tuple[str, ...] = ()
        self._examples: tuple[ElidedLabel, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(2, 1)

    def show_answer(self, answer: CoarseAnswer | None) -> None:
        """Shows the levels of an answer; none without one."""
        columns = () if answer is None else answer.lattice.columns
        names = tuple(column.name for column in columns)
        if names != self._names:
            self._rebuild(names)
        levels = () if answer is None else answer.levels or ()
        for place, (column, level) in enumerate(zip(columns, levels, strict=True)):
            box = self.levels[place]
            box.blockSignals(True)
            box.setRange(0, column.height)
            box.setSuffix(self.tr(" of {height}").format(height=column.height))
            box.setValue(level)
            box.blockSignals(False)
            labels = [label for label in column.labels[level] if label]
            more = " …" if len(labels) > _SHOWN else ""
            self._examples[place].set_text(", ".join(labels[:_SHOWN]) + more)

    def values(self) -> tuple[int, ...]:
        """The levels that are set."""
        return tuple(box.value() for box in self.levels)

    def _rebuild(self, names: tuple[str, ...]) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        levels, examples = [], []
        for row, name in enumerate(names):
            label, box = ElidedLabel(name, parent=self), QSpinBox(self)
            box.setKeyboardTracking(False)
            box.setAccessibleName(self.tr("Level of {name}").format(name=name))
            box.valueChanged.connect(lambda _: self._changed())
            example = ElidedLabel("", "muted", parent=self)
            for column, widget in enumerate((label, box, example)):
                self._grid.addWidget(widget, row, column)
            levels.append(box)
            examples.append(example)
        self._names, self.levels, self._examples = names, tuple(levels), tuple(examples)


class CoarsenPane(RiskPane):
    """Coarser answers until nobody stands out, and what that costs."""

    title = N_("Coarsen")

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self.answer: CoarseAnswer | None = None
        self.watch = JobWatch(self)
        self._earlier: list[CoarseAnswer] = []
        self._wanted: CoarseWish | None = None
        self._columns: tuple[object, ...] = ()
        self._fill()
        self.watch.finished.connect(self._take)
        self.watch.failed.connect(self._refuse)
        self.watch.ended.connect(self._end)
        self.best.clicked.connect(self.find_best)
        self.undo.clicked.connect(self.take_back)
        self.write.clicked.connect(self.ask_folder)
        # What columns can hold decides on their levels; the page measures nothing anew for it.
        self._following = WhenShown(self, self._follow)
        self.document.planChanged.connect(self._following.request)
        self._show()

    def told(self) -> str:
        """What the figures say."""
        return self._verdict.text()

    def show_answer(self, answer: Measured | None) -> None:
        """Drops what is shown where the columns or the data are others."""
        self._follow()

    def _follow(self) -> None:
        columns = self._question()
        if columns != self._columns:
            self._columns = columns
            self.cancel()
            self.answer, self._earlier = None, []
            self.notice.clear()
            self._show()
        self.best.setEnabled(bool(self.state.quasi_identifiers) and not self.watch.is_running)

    def wish(self) -> CoarseWish:
        """What is asked by the fields."""
        t = self.t.value()
        return CoarseWish(
            self.state.quasi_identifiers,
            tuple(n for n in self.state.sensitive if n not in self.state.quasi_identifiers),
            self.k.value(),
            self.l_distinct.value(),
            t=t if t < 1 else None,
            left_out=f"{self.left_out.value():g}%",
        )

    def find_best(self) -> None:
        """Looks for the best levels."""
        self._ask(self.wish())

    def take_back(self) -> None:
        """Shows the answer before the last one."""
        if self._earlier and not self.watch.is_running:
            self.answer = self._earlier.pop()
            wish = self.answer.wish
            self.k.setValue(wish.k)
            self.l_distinct.setValue(wish.l_distinct)
            self.t.setValue(1.0 if wish.t is None else wish.t)
            self.left_out.setValue(float(wish.left_out.removesuffix("%")))
            self.notice.clear()
            self._show()

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
        if table is None or answer is None:
            return
        first = parent / f"coarsened-{Path(table.name).stem}"
        folder, number = first, 1
        while folder.exists():
            number += 1
            folder = first.with_name(f"{first.name}-{number}")
        wish = answer.wish

        def task(tracker: Tracker) -> Path:
            file = CoarsenedFile(wish.method, wish.left_out, wish.chosen_by)
            write_coarsened(table, answer.result, answer.told.after, file, folder, tracker)
            return folder

        self._start(self.tr("Writing the coarsened file"), task)

    def cancel(self) -> bool:
        """Stops what runs; returns whether something did."""
        is_running = self.watch.is_running
        self.watch.cancel()
        return is_running

    def shut_down(self) -> None:
        """Cancels and joins what runs."""
        self.watch.shut_down()

    def _question(self) -> tuple[object, ...]:
        plan = self.document.plan
        declared = tuple((c.name, c.domain, c.confirmed, c.missing) for c in plan.columns)
        quasi, sensitive = self.state.quasi_identifiers, self.state.sensitive
        return (id(self.document.table), quasi, sensitive, declared)

    def _ask(self, wish: CoarseWish) -> None:
        table = self.document.table
        if table is None or not wish.quasi_identifiers:
            return
        if self.watch.is_running:
            self._wanted = wish
            self.watch.cancel()
            return
        lattice = None if self.answer is None else self.answer.lattice
        task = partial(coarse_answer, table, self.document.plan, wish, lattice)
        self._start(self.tr("Comparing levels"), task)

    def _start(self, title: str, task: Callable[[Tracker], object]) -> None:
        self.notice.clear()
        self._verdict.setText(f"{title} …")
        self.watch.start(Job(title, task))
        self._set_enabled()

    def _take(self, found: object) -> None:
        if isinstance(found, Path):
            told = self.tr("{name} was written. It is not differentially private.")
            self.notice.show_notice("success", told.format(name=found.name))
        elif isinstance(found, CoarseAnswer) and self._columns == self._question():
            if self.answer is not None:
                self._earlier.append(self.answer)
            self.answer = found

    def _refuse(self, error: DpdeskError) -> None:
        self.notice.show_notice("warning", str(error))

    def _end(self) -> None:
        wanted, self._wanted = self._wanted, None
        self._show()
        if wanted is not None:
            self._ask(wanted)

    def _agreed(self, names: tuple[str, ...]) -> bool:
        box = plain_box(
            self.window(),
            QMessageBox.Icon.Question,
            self.tr("Levels that follow from the records"),
            self.tr(
                "Nothing says what {names} can hold, so that the levels follow from the records "
                "and tell something of them."
            ).format(names=", ".join(names)),
            self.tr("Confirm the domains in Data first, or write the file all the same."),
        )
        write = box.addButton(self.tr("&Write"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        return box.clickedButton() is write

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
        self.k, self.l_distinct = QSpinBox(self), QSpinBox(self)
        self.k.setRange(2, _K_MOST)
        self.k.setValue(5)
        self.k.setToolTip(self.tr("Least number of equal records"))
        self.l_distinct.setRange(1, 1000)
        self.l_distinct.setToolTip(self.tr("Least number of sensitive answers among equal records"))
        self.t, self.left_out = QDoubleSpinBox(self), QDoubleSpinBox(self)
        self.t.setRange(0.0, 1.0)
        self.t.setSingleStep(0.05)
        self.t.setValue(1.0)
        self.t.setToolTip(
            self.tr("Largest distance of equal records from all, 0 to 1; at 1 there is no limit")
        )
        self.left_out.setRange(0.0, 50.0)
        self.left_out.setDecimals(1)
        self.left_out.setValue(2.0)
        self.left_out.setSuffix(self.tr(" %"))
        self.left_out.setToolTip(self.tr("Share of the records that may be left out"))
        fields = []
        for word, box in (
            (self.tr("k"), self.k),
            (self.tr("l"), self.l_distinct),
            (self.tr("t"), self.t),
            (self.tr("Left out"), self.left_out),
        ):
            box.setAccessibleName(word)
            form = QFormLayout()
            form.addRow(word, box)
            fields.append(form)
        self.rows = LevelRows(self._levels_changed, self)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setWidget(self.rows)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        # The card behind them shows through.
        for widget in (area.viewport(), self.rows):
            widget.setAutoFillBackground(False)
        self._area = area
        self._verdict = PlainLabel("", wrap=True, parent=self)
        self._gap = QWidget(self)
        self.model = ComparedModel(self)
        self.view = PlainTable(self.model, self.tr("The file before and after"), parent=self)
        self.notice = NoticeBar(parent=self)
        self.best = QPushButton(self.tr("Find &best"), self)
        self.best.setProperty("look", "primary")
        self.best.setToolTip(self.tr("The levels that lose least, of all that do what is asked"))
        self.undo = QPushButton(self.tr("&Undo"), self)
        self.write = QPushButton(self.tr("&Write…"), self)
        self.write.setToolTip(self.tr("Writes the coarsened records and a report to a new folder"))
        lay_column(
            self._told,
            lay_row(*fields, STRETCH, spacing=10),
            self.notice,
            (area, 2),
            self._verdict,
            (self.view, 3),
            (self._gap, 1),
            lay_row(self.best, self.undo, STRETCH, self.write, spacing=6),
            spacing=8,
            on=self,
        )

    def _levels_changed(self) -> None:
        self._ask(replace(self.wish(), levels=self.rows.values()))

    def _set_enabled(self) -> None:
        is_idle = not self.watch.is_running
        self.best.setEnabled(is_idle and bool(self.state.quasi_identifiers))
        self.undo.setEnabled(is_idle and bool(self._earlier))
        # With more left out than may be, the report would promise what does not hold.
        is_allowed = self.answer is not None and not self.answer.too_many
        self.write.setEnabled(is_idle and is_allowed)

    def _show(self) -> None:
        answer = self.answer
        self.rows.show_answer(answer)
        self._area.setVisible(answer is not None)
        self.view.setVisible(answer is not None)
        self._gap.setVisible(answer is None)
        self._verdict.setText(self._words(answer))
        self.model.show_rows(() if answer is None else self._compared(answer))
        self._set_enabled()

    def _words(self, answer: CoarseAnswer | None) -> str:
        if answer is None:
            return self.tr(
                "Find best looks at all levels of the known columns. Then each level can be "
                "changed by hand."
            )
        loss = answer.told.loss
        share = f"{100 * loss.suppressed / answer.told.before.rows:.1f} %"
        words = self.tr(
            "{bits} of what these columns tell is lost; {count} records ({share}) are left out."
        )
        told = words.format(
            bits=f"{100 * loss.entropy:.0f} %", count=f"{loss.suppressed:,}", share=share
        )
        if answer.is_best:
            told += " " + self.tr("No other levels lose less.")
        if answer.too_many:
            more = self.tr("That is {count} more than may be.")
            told += " " + more.format(count=f"{answer.too_many:,}")
        return told

    def _compared(self, answer: CoarseAnswer) -> tuple[Compared, ...]:
        before, after = answer.told.before, answer.told.after
        rows = [
            Compared(self.tr("records"), f"{before.rows:,}", f"{after.rows:,}"),
            Compared(self.tr("smallest group (k)"), f"{before.k:,}", f"{after.k:,}"),
            Compared(
                self.tr("the only one of their kind"),
                f"{before.unique_rows:,}",
                f"{after.unique_rows:,}",
            ),
            Compared(
                self.tr("in groups below {k}").format(k=before.threshold),
                f"{before.rows_below:,}",
                f"{after.rows_below:,}",
            ),
            Compared(
                self.tr("chance of a right guess, average"),
                f"{100 * before.prosecutor_average:.2f} %",
                f"{100 * after.prosecutor_average:.2f} %",
            ),
        ]
        for one, other in zip(before.sensitive, after.sensitive, strict=True):
            name = one.column
            rows += [
                Compared(f"{name}: l", f"{one.l_distinct:,}", f"{other.l_distinct:,}"),
                Compared(f"{name}: t", f"{one.t_closeness:.3f}", f"{other.t_closeness:.3f}"),
            ]
        return tuple(rows)
