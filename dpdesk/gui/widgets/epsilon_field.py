"""A field for an exact decimal epsilon."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from dpdesk.cost import format_epsilon, parse_epsilon
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.epsilon_ladder import RUNGS, neighbour


class EpsilonField(QAbstractSpinBox):
    """Takes what is typed when Enter is pressed or the focus leaves; Esc gives the old value back.

    Args:
        parent: Qt's owner.

    Attributes:
        epsilonTyped: Emitted with the `Decimal` that was typed or stepped to.
        refused: Emitted with a sentence about what was typed; empty when all is well again.
    """

    epsilonTyped = Signal(object)
    refused = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._epsilon = Decimal(1)
        self._wrong = False
        self.setAlignment(Qt.AlignmentFlag.AlignLeft)
        # Seven digits and the arrows; a longer value scrolls in its field.
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("00.0000") + 34)
        self.lineEdit().setTextMargins(3, 0, 0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().textEdited.connect(self._mark_right)
        self.editingFinished.connect(self._take)
        self.set_epsilon(self._epsilon)

    def has_wrong_input(self) -> bool:
        """Whether the field shows a text that is not an epsilon."""
        return self._wrong

    def set_epsilon(self, epsilon: Decimal) -> None:
        """Shows an epsilon without a signal, and forgets a wrong input."""
        self._epsilon = epsilon
        self.lineEdit().setText(_typed(epsilon))
        self.lineEdit().setCursorPosition(0)
        self._mark_right()

    def stepBy(self, steps: int) -> None:
        """Goes to a neighbouring rung of the ladder."""
        epsilon = neighbour(self._epsilon, steps)
        if epsilon != self._epsilon:
            self.set_epsilon(epsilon)
            self.epsilonTyped.emit(epsilon)

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        """Which arrows lead somewhere."""
        enabled = QAbstractSpinBox.StepEnabledFlag.StepNone
        if self._epsilon < RUNGS[-1]:
            enabled |= QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
        if self._epsilon > RUNGS[0]:
            enabled |= QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        return enabled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.text() != _typed(self._epsilon):
            self.set_epsilon(self._epsilon)
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Selects the value, so that typing replaces it."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectAll()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Steps only where the focus is, so that scrolling a page changes no epsilon."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def _take(self) -> None:
        if self.text() == _typed(self._epsilon):
            self._mark_right()
            return
        try:
            epsilon = parse_epsilon(self.text().strip())
        except ParameterError as error:
            self._mark(wrong=True)
            self.refused.emit(str(error))
            return
        changed = epsilon != self._epsilon
        self.set_epsilon(epsilon)
        if changed:
            self.epsilonTyped.emit(epsilon)

    def _mark_right(self) -> None:
        if self._wrong:
            self._mark(wrong=False)
            self.refused.emit("")

    def _mark(self, *, wrong: bool) -> None:
        self._wrong = wrong
        self.setProperty("wrong", wrong)
        self.style().unpolish(self)
        self.style().polish(self)


def _typed(epsilon: Decimal) -> str:
    """An epsilon as one would type it, with two digits after the point at least."""
    full = format_epsilon(epsilon)
    return full if len(full.partition(".")[2]) > 2 else f"{epsilon:.2f}"
