"""The level of each known column, with examples of what is then written, and its file of levels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QMenu, QPushButton, QSpinBox, QWidget

from dpdesk.disclosure.hierarchies import ALL
from dpdesk.gui.widgets.boxes import emptied
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.preview.coarser import CoarseAnswer

_SHOWN = 3


class LevelRows(QWidget):
    """One row per column.

    Args:
        changed: Called when a level was changed by the user.

    Attributes:
        loadAsked: Emitted with the name of a column whose levels are in a file.
        saveAsked: Emitted with the name of a column whose levels go into a file.
        forgetAsked: Emitted with the name of a column that gets the suggested levels back.
    """

    loadAsked = Signal(str)
    saveAsked = Signal(str)
    forgetAsked = Signal(str)

    def __init__(self, changed: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.levels: tuple[QSpinBox, ...] = ()
        self.menus: tuple[QPushButton, ...] = ()
        self._changed = changed
        self._names: tuple[str, ...] = ()
        self._examples: tuple[ElidedLabel, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(2, 1)

    def show_columns(self, names: tuple[str, ...], answer: CoarseAnswer | None) -> None:
        """Shows the known columns, with their levels in an answer if there is one.

        Args:
            names: The columns.
            answer: The file after, of these columns; None while there is none.
        """
        if names != self._names:
            self._rebuild(names)
        for box in self.levels:
            box.setVisible(answer is not None and "level" in answer.wish.how.takes)
        if answer is None:
            for example in self._examples:
                example.set_text("")
            return
        levels = answer.levels or answer.wish.levels or (0,) * len(names)
        for place, (column, level) in enumerate(zip(answer.lattice.columns, levels, strict=True)):
            box = self.levels[place]
            box.blockSignals(True)
            box.setRange(0, column.height)
            box.setSuffix(self.tr(" of {height}").format(height=column.height))
            box.setValue(level)
            box.blockSignals(False)
            written = answer.outcome.result.columns[place].labels
            labels = [label for label in written if label]
            more = " …" if len(labels) > _SHOWN else ""
            shown = ", ".join(labels[:_SHOWN]) + more
            if labels == [ALL]:
                shown = self.tr("{sign}: all answers are one").format(sign=ALL)
            self._examples[place].set_text(shown)

    def values(self) -> tuple[int, ...]:
        """The levels that are set."""
        return tuple(box.value() for box in self.levels)

    def _rebuild(self, names: tuple[str, ...]) -> None:
        emptied(self._grid)
        levels, examples, menus = [], [], []
        for row, name in enumerate(names):
            label, box = ElidedLabel(name, parent=self), QSpinBox(self)
            box.setKeyboardTracking(False)
            box.setAccessibleName(self.tr("Level of {name}").format(name=name))
            box.valueChanged.connect(lambda _: self._changed())
            example = ElidedLabel("", "muted", parent=self)
            menu = self._menu(name)
            for column, widget in enumerate((label, box, example, menu)):
                self._grid.addWidget(widget, row, column)
            levels.append(box)
            examples.append(example)
            menus.append(menu)
        self._names, self.levels = names, tuple(levels)
        self._examples, self.menus = tuple(examples), tuple(menus)

    def _menu(self, name: str) -> QPushButton:
        button = QPushButton(self)
        button.setText(self.tr("Levels"))
        button.setAccessibleName(self.tr("File of levels of {name}").format(name=name))
        menu = QMenu(button)
        for words, signal in (
            (self.tr("&Load levels from a file…"), self.loadAsked),
            (self.tr("&Save levels to a file…"), self.saveAsked),
            (self.tr("Use the s&uggested levels"), self.forgetAsked),
        ):
            menu.addAction(words).triggered.connect(partial(_emit, signal, name))
        button.setMenu(menu)
        return button


def _emit(signal: object, name: str, _checked: bool = False) -> None:
    signal.emit(name)  # type: ignore[attr-defined]
