"""A number under its name, with the reason of a refusal below it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.scales import Read
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel

_LONGEST = "± 00.0 pp"
_PADDING = 14
"""A number that every field has room for, and the pixels around it."""


class Cell(QWidget):
    """A control below its name; what is wrong with it stands beneath.

    Args:
        title: The name, with its letter for Alt marked by "&".
        field: The control.
        hint: One sentence more.
        beside: Whether the name stands beside the control, in one line.

    Attributes:
        control: The control.
    """

    def __init__(
        self,
        title: str,
        field: QWidget,
        hint: str = "",
        *,
        beside: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.control = field
        label = QLabel(title, self)
        label.setBuddy(field)
        label.setToolTip(hint)
        field.setAccessibleName(title.replace("&", ""))
        field.setToolTip(hint)
        self.refusal = RefusalLabel(parent=self)
        column = lay_column(spacing=3, on=self)
        line: QBoxLayout = QHBoxLayout() if beside else QVBoxLayout()
        line.setSpacing(8 if beside else 3)
        line.addWidget(label)
        line.addWidget(field)
        column.addLayout(line)
        column.addWidget(self.refusal)
        column.addStretch(1)
        self.setFocusProxy(field)


class NumberCell(Cell):
    """A number that is typed; an empty field is no number, where that is allowed.

    Args:
        title: Its name, with its letter for Alt marked by "&".
        value: The number at first; None for none.
        read: Reads what is typed; raises `ParameterError`.
        text: Writes a number.
        hint: One sentence more.
        none: What stands in an empty field; without it a number must be typed.
        beside: Whether the name stands beside the field, in one line.

    Attributes:
        changed: Emitted when another number is in force.
    """

    changed = Signal()

    def __init__(
        self,
        title: str,
        value: float | None,
        read: Read,
        text: Callable[[float], str],
        hint: str = "",
        *,
        none: str = "",
        beside: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self.field = CommitLine(title, parent=parent)
        super().__init__(title, self.field, hint, beside=beside, parent=parent)
        self._value, self._read, self._text, self._none = value, read, text, none
        self._said = ""
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setMinimumWidth(self.fontMetrics().horizontalAdvance(_LONGEST) + _PADDING)
        self.field.setPlaceholderText(none)
        self.field.set_value("" if value is None else text(value))
        self.field.committed.connect(self._take)
        self.field.refused.connect(lambda _: self._tell())

    def value(self) -> float | None:
        """The number in force."""
        return self._value

    def number(self) -> float:
        """The number in force, where there always is one."""
        assert self._value is not None  # noqa: S101 - such a field is made with a number
        return self._value

    def set_value(self, value: float) -> None:
        """Shows a number without a signal."""
        self._value = value
        self.field.set_value(self._text(value))

    def say_again(self) -> None:
        """Shows the number in force as it is written now: its unit may be another one."""
        if self._value is not None and not self.field.accessibleDescription():
            self.field.show_value(self._text(self._value))

    def say(self, sentence: str) -> None:
        """Shows what planning says of the number in force; an empty text for nothing."""
        self._said = sentence
        self._tell()

    def _tell(self) -> None:
        self.refusal.show_sentence(self.field.accessibleDescription() or self._said)

    def _take(self, text: str) -> None:
        if self._none and not text.strip():
            self._value = None
            self.field.set_value("")
        else:
            try:
                self._value = self._read(text)
            except ParameterError as error:
                self.field.refuse(str(error))
                return
            self.field.set_value(self._text(self._value))
        self.changed.emit()
