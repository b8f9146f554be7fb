"""A small pane for the budget, below the bar that shows it."""

from __future__ import annotations

import re
from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from dpdesk.cost import two_places
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import limit_length
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.plan import BUDGET_MAX

_GRAMMAR = re.compile(r"[0-9]{1,4}(\.[0-9]{1,12})?")
_BEGINNING = re.compile(r"[0-9]{0,4}(\.[0-9]{0,12})?")


class BudgetEditor(QFrame):
    """Takes the total epsilon of a respondent; Enter sets it, Esc closes.

    What can never become a budget is refused while it is typed; what can still become one, such as
    the 0 of 0.5, when the field is left.

    Attributes:
        budgetTyped: Emitted with the `Decimal` (None for no budget) and whether to split it.
    """

    budgetTyped = Signal(object, bool)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()
        self.setObjectName("card")
        self.field = QLineEdit(self)
        self.field.setAccessibleName(self.tr("Budget, epsilon per respondent"))
        limit_length(self.field, 20)
        label = QLabel(self.tr("&Budget ε per respondent"), self)
        label.setBuddy(self.field)
        self._error = PlainLabel("", "danger", wrap=True, parent=self)
        self._error.hide()
        self.set = QPushButton(self.tr("&Set"), self)
        self.split = QPushButton(self.tr("Set and s&plit"), self)
        self.split.setToolTip(self.tr("Splits it evenly over the attributes that are not locked"))
        self.none = QPushButton(self.tr("&No budget"), self)
        row = lay_row(label, (self.field, 1), spacing=9)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.set, self.split, self.none):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        lay_column(row, self._error, buttons, spacing=9, margins=(14, 12, 14, 12), on=self)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_focus)
        self.field.returnPressed.connect(lambda: self._take(split=False))
        self.field.textEdited.connect(self._follow_typing)
        self.field.editingFinished.connect(self._refuse_wrong)
        self.set.clicked.connect(lambda: self._take(split=False))
        self.split.clicked.connect(lambda: self._take(split=True))
        self.none.clicked.connect(self._take_none)

    def open_below(self, anchor: QWidget, budget: Decimal | None) -> None:
        """Opens under a widget with the budget in force."""
        self.field.setText("" if budget is None else two_places(budget))
        self._show_error("")
        # Over everything else in the window, and gone with the next click elsewhere.
        self.setParent(anchor.window())
        self.adjustSize()
        corner = anchor.mapTo(anchor.window(), anchor.rect().bottomRight())
        self.move(max(corner.x() - self.width(), 0), corner.y() + 6)
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self.field.selectAll()

    def error_text(self) -> str:
        """What is said about a wrong input; empty if there is none."""
        return self._error.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if self.isVisible() and new is not None and not self.isAncestorOf(new):
            self.close()

    def _typed(self) -> Decimal | None:
        """The budget in the field; None for none."""
        typed = self.field.text().strip()
        budget = Decimal(typed) if _GRAMMAR.fullmatch(typed) else Decimal(0)
        return budget if 0 < budget <= BUDGET_MAX else None

    def _follow_typing(self, typed: str) -> None:
        if _BEGINNING.fullmatch(typed.strip()):
            self._show_error("")
        else:
            self._refuse()

    def _refuse_wrong(self) -> None:
        if self.isVisible() and self.field.text().strip() and self._typed() is None:
            self._refuse()

    def _refuse(self) -> None:
        self._show_error(self.tr("Type a number above 0 and up to 9,999, such as 8."))

    def _take(self, *, split: bool) -> None:
        budget = self._typed()
        if budget is None:
            self._refuse()
            return
        self.close()
        self.budgetTyped.emit(budget, split)

    def _take_none(self) -> None:
        self.close()
        self.budgetTyped.emit(None, False)

    def _show_error(self, sentence: str) -> None:
        self._error.setText(sentence)
        self._error.setVisible(bool(sentence))
        self.field.setAccessibleDescription(sentence)
        self.field.setProperty("wrong", bool(sentence))
        self.field.style().unpolish(self.field)
        self.field.style().polish(self.field)
        self.adjustSize()
