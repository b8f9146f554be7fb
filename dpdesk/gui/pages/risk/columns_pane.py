"""The pane of columns: what others know of people, what they want to learn, and what each does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.icons import IconButton
from dpdesk.gui.pages.risk.pane import RiskPane, RiskState
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.number_box import WholeBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PaddedDelegate, TableView, paint_ground
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.ticks import BOX, paint_tick
from dpdesk.i18n import N_
from dpdesk.preview.recognisable import Measured

NAME, KNOWN, SENSITIVE, ANSWERS, EFFECT = range(5)
_TICKED = (KNOWN, SENSITIVE)
_SIZE_MOST = 10_000
_FIELD_LEAST, _LEAST_CHARACTERS = 64, 5
"""Pixels and letters that a field may shrink to beside the picture."""
_CheckRole = int(Qt.ItemDataRole.CheckStateRole)


@dataclass(frozen=True)
class ColumnRow:
    """One column of the file.

    Attributes:
        name: Its name.
        distinct: Number of different answers.
        known: Whether others are taken to know it of people.
        sensitive: Whether they are taken to want to learn it.
        saved: How many respondents are no longer alone without it; None where it is not known.
    """

    name: str
    distinct: int
    known: bool
    sensitive: bool
    saved: int | None


class ColumnsModel(RowModel[ColumnRow]):
    """One row per column."""

    def text(self, row: ColumnRow, column: int) -> str:
        if column == NAME:
            return row.name
        if column == ANSWERS:
            return f"{row.distinct:,}"
        if column == EFFECT:
            return "" if row.saved is None else f"−{row.saved:,}" if row.saved else "0"
        return ""

    def spoken(self, row: ColumnRow, column: int) -> str:
        if column in _TICKED:
            word = self.tr("yes") if self.is_ticked(row, column) else self.tr("no")
            return f"{self.heads[column].text}: {word}"
        return super().spoken(row, column)

    def is_ticked(self, row: ColumnRow, column: int) -> bool:
        """Whether a column of ticks is ticked in a row."""
        return row.known if column == KNOWN else row.sensitive

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == _CheckRole and index.isValid() and index.column() in _TICKED:
            ticked = self.is_ticked(self.row(index.row()), index.column())
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        return super().data(index, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        ticks = index.column() in _TICKED
        return super().flags(index) | (
            Qt.ItemFlag.ItemIsUserCheckable if ticks else Qt.ItemFlag.NoItemFlags
        )

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Column")),
            Head(
                self.tr("Known"),
                self.tr("Quasi-identifier: an outsider may know it of a person (space bar)"),
            ),
            Head(self.tr("Sensitive"), self.tr("An outsider may want to learn it of a person (S)")),
            Head(self.tr("Answers"), self.tr("How many different answers occur"), number=True),
            Head(
                self.tr("Without it"),
                self.tr("How many fewer respondents are the only one if nobody knows it"),
                number=True,
            ),
        )


class _TickDelegate(PaddedDelegate):
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tick = index.data(_CheckRole)
        if tick is None:
            super().paint(painter, option, index)
            return
        rect = option.rect
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_ground(painter, rect, theme_in_force(), selected=selected)
        box = QRect(rect.center().x() - BOX // 2, rect.center().y() - BOX // 2, BOX, BOX)
        paint_tick(painter, box, option.widget, on=tick == Qt.CheckState.Checked)
        painter.restore()


class ColumnsView(TableView):
    """The table; a click or a key ticks.

    Args:
        model: What is shown.

    Attributes:
        ticked: Emitted with the row and the column of a tick that is turned.
        moved: Emitted with the row of a column and -1 or 1, up or down.
    """

    ticked = Signal(int, int)
    moved = Signal(int, int)

    def __init__(self, model: ColumnsModel, *, parent: QWidget | None = None) -> None:
        super().__init__(model, self.tr("Columns and who knows them"), parent=parent)
        self.setAccessibleDescription(
            self.tr(
                "The space bar ticks what others know, S what is sensitive; Alt with an arrow "
                "moves a column."
            )
        )
        self.setItemDelegate(_TickDelegate(self))
        self.stretch(NAME)
        self.clicked.connect(self._click)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, key = self.currentIndex().row(), event.key()
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(key))
        if row >= 0 and step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.moved.emit(row, step)
        elif row >= 0 and key == Qt.Key.Key_Space:
            column = self.currentIndex().column()
            self.ticked.emit(row, column if column in _TICKED else KNOWN)
        elif row >= 0 and key == Qt.Key.Key_S and not event.modifiers():
            self.ticked.emit(row, SENSITIVE)
        else:
            super().keyPressEvent(event)

    def _click(self, index: QModelIndex) -> None:
        if index.column() in _TICKED:
            self.ticked.emit(index.row(), index.column())


class ColumnsPane(RiskPane):
    """A field that finds columns, the table of columns, who chose them, and how they are compared.

    Columns that are known by the plan or a suggestion are listed first. A row stays in its place
    while ticks are set: the list is in the order in which columns are added "as listed".
    """

    title = N_("Columns")
    shows_risk_of_file = True

    def __init__(self, state: RiskState, parent: QWidget | None = None) -> None:
        super().__init__(state, parent)
        self._listed: tuple[str, ...] = ()
        self._explanation = PlainLabel("", "muted", wrap=True, parent=self)
        self.search = QLineEdit(self)
        limit_length(self.search, 200)
        self.search.setPlaceholderText(self.tr("Find a column"))
        self.search.setAccessibleName(self.tr("Find a column"))
        self.search.setWhatsThis(self.tr("Lists only columns whose names hold these letters."))
        self.search.setClearButtonEnabled(True)
        self.setFocusProxy(self.search)
        self.up = IconButton("arrow-up", self.tr("Add the column earlier (Alt+Up)"), parent=self)
        self.up.setWhatsThis(self.tr("Moves the chosen column up in the order of what is known."))
        self.down = IconButton(
            "arrow-down", self.tr("Add the column later (Alt+Down)"), parent=self
        )
        self.down.setWhatsThis(
            self.tr("Moves the chosen column down in the order of what is known.")
        )
        self.reset = QPushButton(self.tr("As in the &plan"), self)
        self.reset.setToolTip(
            self.tr("The columns that the plan keeps as they are, or a suggestion without any")
        )
        self.model = ColumnsModel(self)
        self.view = ColumnsView(self.model, parent=self)
        self._make_comparison()
        lay_column(
            self._explanation,
            lay_row((self.search, 1), self.up, self.down, self.reset, spacing=6),
            (self.view, 1),
            lay_row(
                self._least_label, self.least, 8, self._missing_label, (self.missing, 1), spacing=6
            ),
            spacing=8,
            on=self,
        )
        self.search.textChanged.connect(lambda _: self._show_rows())
        self.view.ticked.connect(self._turn)
        self.view.moved.connect(self._move)
        self.up.clicked.connect(lambda: self._move(self.view.currentIndex().row(), -1))
        self.down.clicked.connect(lambda: self._move(self.view.currentIndex().row(), 1))
        self.reset.clicked.connect(state.follow_plan)
        self.least.valueChanged.connect(state.count_below)
        self.missing.activated.connect(lambda _: state.match_missing(self.missing.currentData()))

    def explanation(self) -> str:
        """Who chose the columns."""
        return self._explanation.text()

    def _make_comparison(self) -> None:
        """Makes the fields of what a small group is, and of what a missing answer is."""
        self.least = WholeBox(self)
        self.least.setRange(2, _SIZE_MOST)
        self.least.setValue(self.state.wish.threshold)
        self.least.setKeyboardTracking(False)
        self.least.setMinimumWidth(_FIELD_LEAST)
        self.least.setAccessibleName(self.tr("Groups of fewer respondents than this are small"))
        self.least.setToolTip(
            self.tr(
                "Respondents in groups of fewer are counted as standing out; usual are 3, 5, 10"
            )
        )
        choices = (
            (self.tr("is an answer"), "value"),
            (self.tr("matches any"), "any"),
        )
        self.missing = ChoiceBox(self.tr("What a missing answer is"), choices, parent=self)
        self.missing.setMinimumContentsLength(_LEAST_CHARACTERS)
        self.missing.setToolTip(
            self.tr(
                "Where it matches any answer, somebody who did not answer looks like everybody who "
                "is alike in the rest. There are no groups then, so that nothing is said of "
                "sensitive columns, of weights and of the riskiest records."
            )
        )
        words = self.tr("&Groups below")
        self._least_label = PlainLabel(words, "muted", buddy=self.least, parent=self)
        words = self.tr("A mi&ssing answer")
        self._missing_label = PlainLabel(words, "muted", buddy=self.missing, parent=self)

    def show_answer(self, answer: Measured | None) -> None:
        self._explanation.setText(self._who_chose(answer))
        self.reset.setEnabled(answer is None or answer.source == "own")
        self._show_rows()

    def _who_chose(self, answer: Measured | None) -> str:
        source = None if answer is None else answer.source
        if source == "kept":
            return self.tr("Ticked as known: what the plan keeps as it is.")
        if source == "suggested":
            return self.tr(
                "A suggestion, from the names of the columns and from what tells records apart: "
                "tick what an outsider may know of a person, and what they may want to learn."
            )
        return self.tr(
            "Tick what an outsider may know of a person, and what they may want to learn."
        )

    def _show_rows(self) -> None:
        table, answer = self.document.table, self.state.measured
        if table is None:
            self.model.show_rows(())
            return
        known, sensitive = self.state.quasi_identifiers, self.state.sensitive
        saved = {}
        if answer is not None:
            alone = answer.risk.unique_rows
            saved = {e.column: alone - e.without.unique_rows for e in answer.risk.effects}
        self._list_columns(table.names, known)
        wanted = self.search.text().strip().casefold()
        rows = [
            ColumnRow(
                name,
                table.column(name).distinct_count,
                name in known,
                name in sensitive,
                saved.get(name),
            )
            for name in self._listed
            if wanted in name.casefold()
        ]
        current = self._current()
        same = [row.name for row in rows] == [row.name for row in self.model.rows]
        self.model.show_rows(rows, same=same)
        if same:
            self.view.viewport().update()
            return
        places = {row.name: place for place, row in enumerate(rows)}
        if rows:
            column = max(self.view.currentIndex().column(), NAME)
            self.view.setCurrentIndex(self.model.index(places.get(current, 0), column))

    def _list_columns(self, names: tuple[str, ...], known: tuple[str, ...]) -> None:
        """Puts known columns first, unless the list as it stands has them in their order."""
        is_own = self.state.wish.quasi_identifiers is not None
        as_known = tuple(name for name in self._listed if name in set(known))
        if is_own and as_known == known and set(self._listed) == set(names):
            return
        first = tuple(name for name in known if name in names)
        self._listed = first + tuple(name for name in names if name not in set(first))

    def _current(self) -> str:
        row = self.view.currentIndex().row()
        return self.model.rows[row].name if 0 <= row < len(self.model.rows) else ""

    def _turn(self, number: int, column: int) -> None:
        row = self.model.rows[number]
        known = tuple(name for name in self.state.quasi_identifiers if name != row.name)
        sensitive = tuple(name for name in self.state.sensitive if name != row.name)
        if column == KNOWN and not row.known:
            known = tuple(name for name in self._listed if name in {*known, row.name})
        if column == SENSITIVE and not row.sensitive:
            sensitive = (*sensitive, row.name)
        self.state.choose(known, sensitive)
        self._show_rows()

    def _move(self, number: int, step: int) -> None:
        known = list(self.state.quasi_identifiers)
        name = self.model.rows[number].name if 0 <= number < len(self.model.rows) else ""
        if name not in known or not 0 <= known.index(name) + step < len(known):
            return
        place = known.index(name)
        other = known[place + step]
        known[place], known[place + step] = other, name
        swapped = {name: other, other: name}
        self._listed = tuple(swapped.get(one, one) for one in self._listed)
        self.state.choose(tuple(known), self.state.sensitive, in_order=True)
        self._show_rows()
