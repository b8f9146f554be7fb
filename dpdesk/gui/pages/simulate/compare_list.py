"""Which other designs are shown beside the design."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from dpdesk.gui.pages.simulate.scenario import Scenario, kept_title
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import plain_tooltip


class CompareList(QWidget):
    """Boxes for the designs that are compared most, and a menu of the others.

    Args:
        scenario: The kind of scenario, which says what it can be compared with.

    Attributes:
        changed: Emitted with the name of a field of the scenario and its value: the words of the
            designs, or whether they are shown at the epsilon of the design.
        keptChanged: Emitted with whether the scenario of this moment is kept, as A.
        boxes: The boxes by the word of the design; those of the menu have one once chosen.
    """

    changed = Signal(str, object)
    keptChanged = Signal(bool)

    def __init__(self, scenario: type[Scenario[Any]], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._titles = scenario.rival_titles()
        self._most = scenario.rivals_most
        self._column = lay_column(spacing=4, on=self)
        self.boxes: dict[str, QCheckBox] = {}
        self.more = QToolButton(self)
        self.more.setText(self.tr("Other designs"))
        self.more.setProperty("look", "menu")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setAccessibleName(self.tr("Other designs to compare with"))
        self.more.setWhatsThis(self.tr("Further devices whose error is drawn beside this one's."))
        self._menu = QMenu(self.more)
        self._actions: dict[str, QAction] = {}
        self.equality = ChoiceBox(self.tr("At what the designs are equal"), parent=self)
        self.equality.setWhatsThis(
            self.tr("What all compared designs share, so that errors compare.")
        )
        self.equality.addItem(self.tr("at equal n and ε"), True)
        self.equality.addItem(self.tr("at equal n"), False)
        self.equality.activated.connect(
            lambda _: self.changed.emit("equal_epsilon", self.equality.currentData())
        )
        for word, (title, often) in self._titles.items():
            if often:
                self._add_box(word)
                continue
            action = QAction(title, self._menu)
            action.triggered.connect(lambda _=False, word=word: self.add(word))
            self._menu.addAction(action)
            self._actions[word] = action
        self.more.setMenu(self._menu)
        self.kept = QCheckBox("", self)
        # The words have no say in the width of the card.
        self.kept.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.kept.clicked.connect(self.keptChanged)
        row = lay_row(self.more, (self.equality, 1), spacing=8)
        self._column.addLayout(row)
        self._column.addWidget(self.kept)

    def add(self, word: str) -> None:
        """Compares with a design as well, unless there are enough."""
        if word not in self.boxes:
            self._add_box(word)
        if self.boxes[word].isEnabled():
            self.boxes[word].setChecked(True)

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Shows what is compared; full, the boxes that are left wait.

        The design in force is not compared with itself.
        """
        full = len(scenario.rivals) >= self._most
        for word, box in self.boxes.items():
            chosen = word in scenario.rivals
            same = scenario.is_in_force(word)
            box.blockSignals(True)
            box.setChecked(chosen)
            box.blockSignals(False)
            box.setEnabled(chosen or not (full or same))
            hint = self.tr("Up to {count} designs can be compared with.").format(count=self._most)
            if same:
                hint = self.tr("This is the design itself.")
            box.setToolTip(hint if same or not box.isEnabled() else "")
        self.more.setEnabled(not full)
        self.kept.setChecked(scenario.kept is not None)
        words = self.tr("This survey as it is now, as A")
        if scenario.kept is not None:
            words = kept_title(scenario.kept)
        if self.kept.accessibleName() != words:
            self.kept.setAccessibleName(words)
            hint = self.tr("Keeps the survey, so that a changed one can be compared with it")
            self.kept.setToolTip(plain_tooltip(f"{words}. {hint}"))
            self.kept.setText(words)
        self.equality.setCurrentIndex(0 if scenario.equal_epsilon else 1)

    def _add_box(self, word: str) -> None:
        box = QCheckBox(self._titles[word][0], self)
        box.setWhatsThis(self.tr("Draws the error of this design beside that of the survey."))
        box.toggled.connect(lambda _: self._tell())
        # Above the row of the menu, which is not there yet for the first ones.
        self._column.insertWidget(len(self.boxes), box)
        self.boxes[word] = box
        if word in self._actions:
            self._actions[word].setVisible(False)

    def _tell(self) -> None:
        chosen = (word for word in self._titles if word in self.boxes)
        rivals = tuple(word for word in chosen if self.boxes[word].isChecked())
        self.changed.emit("rivals", rivals[: self._most])
