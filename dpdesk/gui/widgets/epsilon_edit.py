"""Slider and field of an epsilon, always showing the same value."""

from __future__ import annotations

import bisect
import math
from decimal import Decimal

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QLabel, QSlider, QWidget

from dpdesk.cost import format_epsilon, parse_epsilon
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.number_box import WheelWithFocus, dress
from dpdesk.gui.widgets.plain_text import PlainLabel

POSITIONS = 1000
"""Positions of the slider; equal distances are equal ratios."""

LADDER_MIN = Decimal("0.01")
LADDER_MAX = Decimal(20)

_SPAN = math.log(float(LADDER_MAX / LADDER_MIN))


def _rungs() -> tuple[Decimal, ...]:
    """0.010 … 0.099, 0.10 … 0.99, 1.00 … 4.95 by 0.05, 5.0 … 20.0 by 0.1."""
    stretches = (("0.010", "0.1", "0.001"), ("0.1", "1", "0.01"), ("1", "5", "0.05"))
    rungs: list[Decimal] = []
    for start, stop, step in stretches:
        rung = Decimal(start)
        while rung < Decimal(stop):
            rungs.append(rung)
            rung += Decimal(step)
    rungs.extend(Decimal(tenth) / 10 for tenth in range(50, 201))
    return tuple(rungs)


RUNGS = _rungs()


def rung_at(position: int) -> Decimal:
    """The rung nearest to a position of the slider, 0 to `POSITIONS`."""
    wanted = float(LADDER_MIN) * math.exp(position / POSITIONS * _SPAN)
    index = bisect.bisect_left(RUNGS, Decimal(wanted))
    near = RUNGS[max(index - 1, 0) : index + 1]
    # Nearest by ratio, since that is what the slider shows.
    return min(near, key=lambda rung: abs(math.log(float(rung) / wanted)))


def position_of(epsilon: Decimal) -> int:
    """The position that shows an epsilon; outside the ladder it is the nearer end."""
    inside = min(max(epsilon, LADDER_MIN), LADDER_MAX)
    return round(math.log(float(inside / LADDER_MIN)) / _SPAN * POSITIONS)


def neighbour(epsilon: Decimal, steps: int) -> Decimal:
    """The rung that lies this many steps above (or, negative, below) an epsilon."""
    if steps >= 0:
        index = bisect.bisect_right(RUNGS, epsilon) - 1 + steps
    else:
        index = bisect.bisect_left(RUNGS, epsilon) + steps
    return RUNGS[min(max(index, 0), len(RUNGS) - 1)]


_PAGE = 10


class EpsilonSlider(QSlider):
    """A logarithmic slider that stops at exact decimals only.

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
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat():
            self._finish_step()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._finish_step()

    def wheelEvent(self, event: QWheelEvent) -> None:
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


class EpsilonField(WheelWithFocus, QAbstractSpinBox):
    """Takes what is typed when Enter is pressed or the focus leaves; Esc gives the old value back.

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
        dress(self)
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
        epsilon = neighbour(self._epsilon, steps)
        if epsilon != self._epsilon:
            self.set_epsilon(epsilon)
            self.epsilonTyped.emit(epsilon)

    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        enabled = QAbstractSpinBox.StepEnabledFlag.StepNone
        if self._epsilon < RUNGS[-1]:
            enabled |= QAbstractSpinBox.StepEnabledFlag.StepUpEnabled
        if self._epsilon > RUNGS[0]:
            enabled |= QAbstractSpinBox.StepEnabledFlag.StepDownEnabled
        return enabled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != _typed(self._epsilon):
            self.set_epsilon(self._epsilon)
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self.selectAll()

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


class EpsilonEdit(QWidget):
    """Edits one epsilon: roughly with a logarithmic slider, exactly by typing.

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
        self.field.setWhatsThis(
            self.tr("The strength of protection: small hides much, large errs little.")
        )
        self._error = PlainLabel("", "danger", wrap=True, parent=self)
        self._error.hide()
        label = QLabel("ε", self)
        label.setBuddy(self.field)
        row = lay_row(label, (self.slider, 1), self.field, spacing=9)
        lay_column(row, self._error, spacing=3, on=self)
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
