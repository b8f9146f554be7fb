"""Which other designs are shown beside the design."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from dpdesk.designs import YesNoDesign
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.direct import Direct
from dpdesk.designs.forced import Forced
from dpdesk.designs.unrelated import Unrelated
from dpdesk.gui.pages.simulate.design_words import BINARY_KINDS, rival_title
from dpdesk.gui.pages.simulate.scenario import ShareScenario, kept_title
from dpdesk.gui.widgets.choice_box import ChoiceBox

RIVALS_MAX = 3
_SHOWN_FIRST: tuple[type[YesNoDesign], ...] = (Direct, Unrelated, Forced, Crosswise)


class CompareList(QWidget):
    """Boxes for the designs that are compared most, and a menu of the others.

    Args:
        parent: Qt's owner.

    Attributes:
        rivalsChanged: Emitted with the tuple of designs.
        keptChanged: Emitted with whether the scenario of this moment is kept, as A.
        equalityChanged: Emitted with whether they are shown at the epsilon of the design.
    """

    rivalsChanged = Signal(object)
    keptChanged = Signal(bool)
    equalityChanged = Signal(bool)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._boxes: dict[type[YesNoDesign], QCheckBox] = {}
        self.more = QToolButton(self)
        self.more.setText(self.tr("Other designs"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setAccessibleName(self.tr("Other designs to compare with"))
        self._menu = QMenu(self.more)
        self._actions: dict[type[YesNoDesign], QAction] = {}
        self.equality = ChoiceBox(self.tr("At what the designs are equal"), parent=self)
        self.equality.addItem(self.tr("at equal n and ε"), True)
        self.equality.addItem(self.tr("at equal n"), False)
        self.equality.activated.connect(
            lambda _: self.equalityChanged.emit(self.equality.currentData())
        )
        for kind in _SHOWN_FIRST:
            self._add_box(kind)
        for kind in BINARY_KINDS:
            if kind not in _SHOWN_FIRST:
                action = QAction(rival_title(kind.example()), self._menu)
                action.triggered.connect(lambda _=False, kind=kind: self._add_other(kind))
                self._menu.addAction(action)
                self._actions[kind] = action
        self.more.setMenu(self._menu)
        self.kept = QCheckBox("", self)
        self.kept.clicked.connect(self.keptChanged)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.more)
        row.addWidget(self.equality, 1)
        self._column.addLayout(row)
        self._column.addWidget(self.kept)

    def box(self, kind: type[YesNoDesign]) -> QCheckBox:
        """The box of a design; those of the menu have one once they were chosen."""
        return self._boxes[kind]

    def add(self, kind: type[YesNoDesign]) -> None:
        """Compares with a design as well, unless there are enough."""
        if kind not in self._boxes:
            self._add_box(kind)
        if self._boxes[kind].isEnabled():
            self._boxes[kind].setChecked(True)

    def show_scenario(self, scenario: ShareScenario) -> None:
        """Shows what is compared; full, the boxes that are left wait."""
        chosen = {type(rival) for rival in scenario.rivals}
        full = len(scenario.rivals) >= RIVALS_MAX
        for kind, box in self._boxes.items():
            box.blockSignals(True)
            box.setChecked(kind in chosen)
            box.blockSignals(False)
            box.setEnabled(kind in chosen or not full)
            full_words = self.tr("Up to three designs can be compared with.")
            box.setToolTip("" if box.isEnabled() else full_words)
        self.more.setEnabled(not full)
        self.kept.setChecked(scenario.kept is not None)
        words = self.tr("This survey as it is now, as A")
        if scenario.kept is not None:
            words = kept_title(scenario.kept)
        if self.kept.text() != words:
            self.kept.setText(words)
            self.kept.setToolTip(
                self.tr("Keeps the survey, so that a changed one can be compared with it")
            )
        self.equality.setCurrentIndex(0 if scenario.equal_epsilon else 1)

    def _add_box(self, kind: type[YesNoDesign]) -> None:
        box = QCheckBox(rival_title(kind.example()), self)
        box.toggled.connect(lambda _: self._tell())
        # Above the row of the menu, which is not there yet for the first four.
        self._column.insertWidget(len(self._boxes), box)
        self._boxes[kind] = box
        if kind in self._actions:
            self._actions[kind].setVisible(False)

    def _add_other(self, kind: type[YesNoDesign]) -> None:
        self.add(kind)

    def _tell(self) -> None:
        rivals = tuple(
            kind.example()
            for kind in BINARY_KINDS
            if kind in self._boxes and self._boxes[kind].isChecked()
        )
        self.rivalsChanged.emit(rivals[:RIVALS_MAX])
