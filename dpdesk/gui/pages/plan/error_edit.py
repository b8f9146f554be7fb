"""A field for the error that one can live with; it solves for epsilon."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.preview import PreviewRequest, epsilon_for_error, figures, significant


class ErrorEdit(QWidget):
    """Takes an error at Enter and announces the least epsilon that keeps it.

    Args:
        parent: Qt's owner.

    Attributes:
        epsilonSolved: Emitted with the `Decimal` that was solved for.
        refused: Emitted with a sentence about what was typed; empty when all is well again.
    """

    epsilonSolved = Signal(object)
    refused = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: object = None
        self._unit_name = ""
        self._solver: Callable[[float], Decimal] | None = None
        self.field = QLineEdit(self)
        limit_length(self.field, 30)
        self.field.setFixedWidth(self.fontMetrics().horizontalAdvance("00,000.0") + 16)
        self._label = QLabel(self)
        self._label.setBuddy(self.field)
        self.set_level("95 %")
        self._unit = PlainLabel("", "muted", parent=self)
        lay_row(self._label, self.field, self._unit, spacing=6, on=self)
        self.field.returnPressed.connect(self._solve)
        self.field.textEdited.connect(self._mark_right)

    def set_level(self, level: str) -> None:
        """Says which confidence the error has, such as "95 %"."""
        self._label.setText(self.tr("{level} error I can &live with:").format(level=level))
        self.field.setAccessibleName(self.tr("{level} error I can live with").format(level=level))

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the error in force as a hint; what was typed goes when the law is another one."""
        if request != self._shown:
            found = figures(request)
            self.show_error(request, found.error, found.unit, partial(epsilon_for_error, request))

    def show_error(
        self, shown: object, error: float, unit: str, solve: Callable[[float], Decimal]
    ) -> None:
        """Shows an error in force as a hint.

        Args:
            shown: What the error is of; while it stays, so does what was typed.
            error: The half-width in force.
            unit: Its unit.
            solve: Returns the least epsilon that keeps an error, or raises `ParameterError`.
        """
        if shown == self._shown:
            return
        self._shown, self._unit_name, self._solver = shown, unit, solve
        self.field.clear()
        self.field.setPlaceholderText(significant(error, 2))
        self._unit.setText(unit[:8])
        self._mark_right()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
            self._mark_right()
        else:
            super().keyPressEvent(event)

    def _solve(self) -> None:
        if self._solver is None or not self.field.text().strip():
            return
        typed = self.field.text().replace("±", "").removesuffix(self._unit_name).strip()
        number = parse_number(typed)
        if number is None:
            number = parse_number(typed, ",")
        try:
            if number is None:
                raise ParameterError(
                    self.tr("This is not an error in numbers."),
                    remedy=self.tr("Type a number above 0, such as 2.5."),
                )
            epsilon = self._solver(number)
        except ParameterError as error:
            self._mark(wrong=True)
            self.field.setAccessibleDescription(str(error))
            self.refused.emit(str(error))
            return
        self.epsilonSolved.emit(epsilon)

    def _mark_right(self) -> None:
        if self.field.property("wrong"):
            self._mark(wrong=False)
            self.field.setAccessibleDescription("")
            self.refused.emit("")

    def _mark(self, *, wrong: bool) -> None:
        self.field.setProperty("wrong", wrong)
        self.field.style().unpolish(self.field)
        self.field.style().polish(self.field)
