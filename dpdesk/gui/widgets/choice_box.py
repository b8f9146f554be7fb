"""A combo box that may be narrower than its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from dpdesk.gui.widgets.number_box import WheelWithFocus
from dpdesk.gui.widgets.plain_text import literal

_ARROW = 38
_LEAST_CHARACTERS = 12


class ChoiceBox(WheelWithFocus, QComboBox):
    """Ends in "…" where there is no room, and turns with the wheel only where the focus is.

    Its words may be names or answers of the data, and are shown literally: what a choice stands
    for is its `currentData`.

    Args:
        name: Accessible name.
        choices: The words of each choice with what it stands for, `currentData`.
    """

    def __init__(
        self,
        name: str,
        choices: Iterable[tuple[str, object]] = (),
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_LEAST_CHARACTERS)
        for words, meant in choices:
            self.addItem(words, meant)

    # Choices have words alone: an icon in front is not offered.
    def addItem(self, words: str, meant: object = None) -> None:  # type: ignore[override]
        super().addItem(literal(words), meant)

    def addItems(self, words: Sequence[str]) -> None:
        super().addItems([literal(one) for one in words])

    def show_choices(self, choices: Sequence[tuple[str, object]]) -> None:
        """Shows these choices in place of the ones before; the same ones stay as they are."""
        shown = [(self.itemText(place), self.itemData(place)) for place in range(self.count())]
        if shown != [(literal(words), meant) for words, meant in choices]:
            self.clear()
            for words, meant in choices:
                self.addItem(words, meant)

    def setItemText(self, place: int, words: str) -> None:
        super().setItemText(place, literal(words))

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        words = self.fontMetrics().horizontalAdvance(self.currentText())
        return QSize(max(words + _ARROW, hint.width()), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        style = self.style()
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = style.subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self)
        option.currentText = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, room.width() - 4
        )
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
