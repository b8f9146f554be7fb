"""A slider with its value beside its name, which can be typed."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.scales import Scale
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.number_box import WheelWithFocus

_FIELD_WIDTH, _SHORT_WIDTH = 118, 52
_TITLE_WIDTH = 180
_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class ValueSlider(QWidget):
    """Edits one number: roughly by dragging, exactly by typing, in steps by arrow keys.

    Tab stops at the field alone, whose arrow and page keys move the slider.

    Args:
        title: What the number is.
        scale: What it runs over.
        hint: One sentence more, for the tooltip and for screen readers.
        in_a_row: Whether the slider stands between name and value, and not below them.

    Attributes:
        valueChanged: Emitted with the new number at every change by the user.
        goesOn: Emitted before `valueChanged` where the change goes on with the one before: the
            same drag of the slider, or its keys without leaving it.
    """

    valueChanged = Signal(float)
    goesOn = Signal()

    def __init__(
        self,
        title: str,
        scale: Scale,
        hint: str = "",
        *,
        in_a_row: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._scale = scale
        self._value = scale.lowest
        self._moving = False
        label = QLabel(title, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setToolTip(hint)
        self.field = CommitLine(title, parent=self)
        self.field.setProperty("look", "value")
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        ScaledWidth(self.field, _SHORT_WIDTH if in_a_row else _FIELD_WIDTH)
        self.field.setTextMargins(0, 0, -4, 0)
        self.field.setToolTip(hint)
        label.setBuddy(self.field)
        self.slider = _QuietSlider(Qt.Orientation.Horizontal, self)
        self.slider.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.field.installEventFilter(self)
        self.slider.setRange(0, scale.positions)
        self.slider.setPageStep(scale.positions // 20)
        self.slider.setAccessibleName(self.tr("{name}, slider").format(name=title))
        self.slider.setAccessibleDescription(hint)
        self.refusal = RefusalLabel(parent=self)
        head = QHBoxLayout()
        head.setSpacing(6)
        if in_a_row:
            ScaledWidth(label, _TITLE_WIDTH)
            head.addWidget(label)
            head.addWidget(self.slider, 1)
        else:
            head.addWidget(label, 1)
        head.addWidget(self.field)
        column = lay_column(head, spacing=1, on=self)
        if not in_a_row:
            column.addWidget(self.slider)
        column.addWidget(self.refusal)
        self.slider.valueChanged.connect(self._drag)
        self.slider.sliderPressed.connect(self._rest)
        self.slider.focused.connect(self._rest)
        self.field.committed.connect(self._type)
        self.field.refused.connect(self.refusal.show_sentence)
        self.setFocusProxy(self.field)
        self.set_value(self._value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.field
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _KEYS
        ):
            # What is typed counts first.
            self.field.commit()
            QCoreApplication.sendEvent(self.slider, event)
            return True
        return super().eventFilter(watched, event)

    def value(self) -> float:
        """The number in force; a wrong input does not change it."""
        return self._value

    def set_scale(self, scale: Scale) -> None:
        """Runs over another scale from now on; the number stays."""
        if scale == self._scale:
            return
        self._scale = scale
        blocker = QSignalBlocker(self.slider)
        self.slider.setRange(0, scale.positions)
        self.slider.setPageStep(max(scale.positions // 20, 1))
        self.slider.setValue(scale.position_of(self._value))
        blocker.unblock()
        self.field.set_value(scale.text(self._value))

    def set_value(self, value: float) -> None:
        """Shows a number without a signal; one between two steps is kept as it is."""
        if value != self._value:
            blocker = QSignalBlocker(self.slider)
            self.slider.setValue(self._scale.position_of(value))
            blocker.unblock()
        self._value = value
        self.field.set_value(self._scale.text(value))

    def _drag(self, position: int) -> None:
        if self._moving:
            self.goesOn.emit()
        self._moving = True
        self._value = self._scale.value_at(position)
        self.field.set_value(self._scale.text(self._value))
        self.valueChanged.emit(self._value)

    def _type(self, text: str) -> None:
        try:
            value = self._scale.read(text)
        except ParameterError as error:
            self.field.refuse(str(error))
            return
        self._rest()
        self.set_value(value)
        self.valueChanged.emit(value)

    def _rest(self) -> None:
        """The next change begins anew."""
        self._moving = False


class _QuietSlider(WheelWithFocus, QSlider):
    """Moves with the wheel only where the focus is.

    Attributes:
        focused: The focus came.
    """

    focused = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.focused.emit()
        super().focusInEvent(event)
