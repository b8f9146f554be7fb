"""A field for the error that one can live with; it solves for epsilon."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
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
        self._request: PreviewRequest | None = None
        self.field = QLineEdit(self)
        self.field.setAccessibleName(self.tr("95 % error I can live with"))
        self.field.setMaxLength(30)
        self.field.setFixedWidth(self.fontMetrics().horizontalAdvance("00,000.0") + 16)
        label = QLabel(self.tr("95 % error I can &live with:"), self)
        label.setBuddy(self.field)
        self._unit = PlainLabel("", "muted", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(label)
        row.addWidget(self.field)
        row.addWidget(self._unit)
        self.field.returnPressed.connect(self._solve)
        self.field.textEdited.connect(self._mark_right)

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the error in force as a hint; what was typed goes when the law is another one."""
        if request != self._request:
            self._request = request
            found = figures(request)
            self.field.clear()
            self.field.setPlaceholderText(significant(found.error, 2))
            self._unit.setText(found.unit[:8])
            self._mark_right()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
            self._mark_right()
        else:
            super().keyPressEvent(event)

    def _solve(self) -> None:
        if self._request is None or not self.field.text().strip():
            return
        typed = self.field.text().replace("±", "").removesuffix(self._request.unit).strip()
        number = parse_number(typed)
        if number is None:
            number = parse_number(typed, ",")
        try:
            if number is None:
                raise ParameterError(
                    self.tr("This is not an error in numbers."),
                    remedy=self.tr("Type a number above 0, such as 2.5."),
                )
            epsilon = epsilon_for_error(self._request, number)
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
