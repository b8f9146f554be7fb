"""The level of each known column, with examples of what is then written, and its file of levels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QWidget

from dpdesk.disclosure.hierarchies import ALL
from dpdesk.disclosure.levelled import LevelledColumn, rare_merged_levels
from dpdesk.gui.widgets.boxes import emptied, lay_column
from dpdesk.gui.widgets.number_box import WholeBox
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.preview.coarser import CoarseAnswer

_SHOWN = 3
"""Part of the width that the names take at the most."""


class _Row(NamedTuple):
    """What stands in the row of a column."""

    label: ElidedLabel
    level: WholeBox
    example: ElidedLabel
    advice: ElidedLabel
    menu: QPushButton
    merge: QAction


class LevelRows(QWidget):
    """One row per column.

    Args:
        changed: Called when a level was changed by the user.

    Attributes:
        loadAsked: Emitted with the name of a column whose levels are in a file.
        mergeAsked: Emitted with the name of a column whose rare answers become one.
        saveAsked: Emitted with the name of a column whose levels go into a file.
        forgetAsked: Emitted with the name of a column that gets the suggested levels back.
    """

    loadAsked = Signal(str)
    mergeAsked = Signal(str)
    saveAsked = Signal(str)
    forgetAsked = Signal(str)

    def __init__(self, changed: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[_Row, ...] = ()
        self._changed = changed
        self._names: tuple[str, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        for column in (0, 2):
            self._grid.setColumnStretch(column, 1)

    def show_columns(self, names: tuple[str, ...], answer: CoarseAnswer | None) -> None:
        """Shows the known columns, with their levels in an answer if there is one.

        Args:
            names: The columns.
            answer: The file after, of these columns; None while there is none.
        """
        if names != self._names:
            self._rebuild(names)
        for row in self.rows:
            row.level.setVisible(answer is not None and "level" in answer.wish.method.takes)
        if answer is None:
            for row in self.rows:
                row.example.set_text("")
                row.advice.hide()
            return
        levels = answer.levels or answer.wish.levels or (0,) * len(names)
        written = (column.labels for column in answer.outcome.result.columns)
        told = zip(self.rows, answer.lattice.columns, levels, written, strict=True)
        for row, column, level, texts in told:
            box = row.level
            box.blockSignals(True)
            box.setRange(0, column.height)
            box.setSuffix(self.tr(" of {height}").format(height=column.height))
            box.setValue(level)
            box.blockSignals(False)
            labels = [label for label in texts if label]
            more = " …" if len(labels) > _SHOWN else ""
            row.example.set_text(", ".join(labels[:_SHOWN]) + more)
            if labels == [ALL]:
                row.example.set_text(self.tr("{sign}: all answers are one").format(sign=ALL))
            self._show_advice(row, column)

    def _show_advice(self, row: _Row, column: LevelledColumn) -> None:
        """Says what to do for a column that can only be kept whole or merged completely."""
        merges = column.height == 1 and rare_merged_levels(column) is not None
        row.merge.setVisible(merges)
        row.advice.setVisible(column.height == 1)
        row.advice.set_text(
            self.tr("One level: merge rare answers")
            if merges
            else self.tr("One level: load a file of levels")
        )

    def values(self) -> tuple[int, ...]:
        """The levels that are set."""
        return tuple(row.level.value() for row in self.rows)

    def _rebuild(self, names: tuple[str, ...]) -> None:
        emptied(self._grid)
        rows = []
        for place, name in enumerate(names):
            label, box = ElidedLabel(name, parent=self), WholeBox(self)
            box.setKeyboardTracking(False)
            box.setAccessibleName(self.tr("Level of {name}").format(name=name))
            box.valueChanged.connect(lambda _: self._changed())
            example = ElidedLabel("", "muted", parent=self)
            advice = ElidedLabel("", "caption", parent=self)
            advice.hide()
            menu, merge = self._menu(name)
            told = QWidget(self)
            lay_column(example, advice, spacing=0, on=told)
            for column, widget in enumerate((label, box, told, menu)):
                self._grid.addWidget(widget, place, column)
            rows.append(_Row(label, box, example, advice, menu, merge))
        self._names, self.rows = names, tuple(rows)

    def _menu(self, name: str) -> tuple[QPushButton, QAction]:
        """The button of the levels of a column, and what merges its rare answers."""
        button = QPushButton(self)
        button.setText(self.tr("Levels"))
        button.setAccessibleName(self.tr("File of levels of {name}").format(name=name))
        button.setWhatsThis(self.tr("Reads from a file how answers become coarser."))
        menu = QMenu(button)
        merge = menu.addAction(self.tr("&Merge rare answers"))
        merge.triggered.connect(partial(_emit, self.mergeAsked, name))
        merge.setVisible(False)
        for words, signal in (
            (self.tr("&Load levels from a file…"), self.loadAsked),
            (self.tr("&Save levels to a file…"), self.saveAsked),
            (self.tr("Use the s&uggested levels"), self.forgetAsked),
        ):
            menu.addAction(words).triggered.connect(partial(_emit, signal, name))
        button.setMenu(menu)
        return button, merge


def _emit(signal: object, name: str, _checked: bool = False) -> None:
    signal.emit(name)  # type: ignore[attr-defined]
