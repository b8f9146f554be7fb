"""A slider over the ladder of epsilons."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QWidget

from dpdesk.gui.widgets.epsilon_ladder import (
    LADDER_MAX,
    LADDER_MIN,
    POSITIONS,
    neighbour,
    position_of,
    rung_at,
)

_PAGE = 10


class EpsilonSlider(QSlider):
    """A logarithmic slider that stops at exact decimals only.

    Args:
        parent: Qt's owner.

    Attributes:
        rungChosen: Emitted with the `Decimal` while the slider is dragged or stepped.
        stepped: Emitted when a step by key, by wheel or by a click beside the handle is complete.
    """

    rungChosen = Signal(object)
    stepped = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._epsilon = Decimal(1)
        self._stepping = False
        self.setRange(0, POSITIONS)
        self.setPageStep(POSITIONS // 30)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._moved)

    def set_epsilon(self, epsilon: Decimal) -> None:
        """Moves to an epsilon without a signal; one between two rungs is kept as it is."""
        self._epsilon = epsilon
        blocker = QSignalBlocker(self)
        self.setValue(position_of(epsilon))
        blocker.unblock()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows go one rung, Page Up and Page Down ten, Home and End to the ends."""
        targets = {
            Qt.Key.Key_Right: neighbour(self._epsilon, 1),
            Qt.Key.Key_Up: neighbour(self._epsilon, 1),
            Qt.Key.Key_Left: neighbour(self._epsilon, -1),
            Qt.Key.Key_Down: neighbour(self._epsilon, -1),
            Qt.Key.Key_PageUp: neighbour(self._epsilon, _PAGE),
            Qt.Key.Key_PageDown: neighbour(self._epsilon, -_PAGE),
            Qt.Key.Key_Home: LADDER_MIN,
            Qt.Key.Key_End: LADDER_MAX,
        }
        target = targets.get(Qt.Key(event.key()))
        if target is None:
            super().keyPressEvent(event)
        else:
            self._choose(target)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """A key that is let go ends the step; while it repeats, the step goes on."""
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self._finish_step()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Ends a step that was a click beside the handle; the end of a drag has its own signal."""
        super().mouseReleaseEvent(event)
        self._finish_step()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Steps only where the focus is, so that scrolling a page changes no epsilon."""
        if not self.hasFocus():
            event.ignore()
            return
        event.accept()
        turn = event.angleDelta().y()
        if turn:
            self._choose(neighbour(self._epsilon, 1 if turn > 0 else -1))
            self._finish_step()

    def _moved(self, position: int) -> None:
        self._choose(rung_at(position))

    def _choose(self, epsilon: Decimal) -> None:
        if epsilon != self._epsilon:
            self._stepping = not self.isSliderDown()
            self.set_epsilon(epsilon)
            self.rungChosen.emit(epsilon)

    def _finish_step(self) -> None:
        if self._stepping:
            self._stepping = False
            self.stepped.emit()
