"""Slider and field of an epsilon, always showing the same value."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesk.gui.widgets.epsilon_field import EpsilonField
from dpdesk.gui.widgets.epsilon_slider import EpsilonSlider
from dpdesk.gui.widgets.plain_text import PlainLabel


class EpsilonEdit(QWidget):
    """Edits one epsilon: roughly with a logarithmic slider, exactly by typing.

    Args:
        parent: Qt's owner.

    Attributes:
        epsilonChanged: Emitted with the new `Decimal` at every change by the user, also while
            the slider is dragged.
        editingFinished: Emitted when a drag, a step or a typed value is complete: everything
            since the last time is one edit.
        sliderReleased: Emitted when the slider is let go, before `editingFinished`.
    """

    epsilonChanged = Signal(object)
    editingFinished = Signal()
    sliderReleased = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._epsilon = Decimal(1)
        self.slider = EpsilonSlider(parent=self)
        self.slider.setAccessibleName(self.tr("Epsilon, slider"))
        self.slider.setAccessibleDescription(
            self.tr("From 0.01 to 20 in equal ratios; type smaller or larger values in the field.")
        )
        self.field = EpsilonField(parent=self)
        self.field.setAccessibleName(self.tr("Epsilon"))
        self._error = PlainLabel("", "danger", wrap=True, parent=self)
        self._error.hide()
        label = QLabel("ε", self)
        label.setBuddy(self.field)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(9)
        row.addWidget(label)
        row.addWidget(self.slider, 1)
        row.addWidget(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(row)
        column.addWidget(self._error)
        self.slider.rungChosen.connect(self._change)
        self.slider.stepped.connect(self.editingFinished)
        self.slider.sliderReleased.connect(self._release)
        self.field.epsilonTyped.connect(self._change_and_finish)
        self.field.refused.connect(self._show_error)
        self.setFocusProxy(self.field)
        self.set_epsilon(self._epsilon)

    def epsilon(self) -> Decimal:
        """The value in force; a wrong input does not change it."""
        return self._epsilon

    def set_epsilon(self, epsilon: Decimal) -> None:
        """Shows an epsilon without a signal."""
        self._epsilon = epsilon
        self.slider.set_epsilon(epsilon)
        self.field.set_epsilon(epsilon)

    def is_dragging(self) -> bool:
        """Whether the slider is held."""
        return self.slider.isSliderDown()

    def error_text(self) -> str:
        """What is said about a wrong input; empty if there is none."""
        return self._error.text()

    def _change(self, epsilon: Decimal) -> None:
        self.set_epsilon(epsilon)
        self.epsilonChanged.emit(epsilon)

    def _change_and_finish(self, epsilon: Decimal) -> None:
        self._change(epsilon)
        self.editingFinished.emit()

    def _release(self) -> None:
        self.sliderReleased.emit()
        self.editingFinished.emit()

    def _show_error(self, sentence: str) -> None:
        self._error.setText(sentence)
        self._error.setVisible(bool(sentence))
        self.field.setAccessibleDescription(sentence)
