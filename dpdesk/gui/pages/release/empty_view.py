"""The Release page where there is nothing to release."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel

_WIDTH = 560


class EmptyView(QWidget):
    """Says why there is nothing to sanitize, and offers what can be done.

    Args:
        theme: The switch that the icons follow.
        parent: Qt's owner.

    Attributes:
        openAsked: The user wants to open data.
        saveAsked: The user wants to save the plan.
        planAsked: The user wants to see the plan.
    """

    openAsked = Signal()
    saveAsked = Signal()
    planAsked = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = Card(margin=28, parent=self)
        card.setFixedWidth(_WIDTH)
        self._title = PlainLabel("", "heading", wrap=True, parent=card)
        self._reason = PlainLabel("", "muted", wrap=True, parent=card)
        self.open = self._button(theme, self.tr("Open data…"), "table", card)
        self.open.setProperty("look", "primary")
        self.save = self._button(theme, self.tr("Save plan…"), "content-save", card)
        self.plan = self._button(theme, self.tr("Go to Plan"), "tune-variant", card)
        self.open.clicked.connect(self.openAsked)
        self.save.clicked.connect(self.saveAsked)
        self.plan.clicked.connect(self.planAsked)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        for button in (self.open, self.save, self.plan):
            buttons.addWidget(button)
        buttons.addStretch(1)
        card.body.addWidget(self._title)
        card.body.addWidget(self._reason)
        card.body.addSpacing(10)
        card.body.addLayout(buttons)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(card)
        middle.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addStretch(2)
        whole.addLayout(middle)
        whole.addStretch(3)

    def reason(self) -> str:
        """Why there is nothing to sanitize."""
        return self._reason.text()

    def show_questionnaire(self, has_plan: bool) -> None:
        """Tells a plan without data from nothing at all."""
        self._title.setText(self.tr("There is nothing to sanitize"))
        self._reason.setText(
            self.tr(
                "This plan is for a survey whose answers are not here. Save it now; when the "
                "answers have come, open them and the plan together and release them here."
            )
            if has_plan
            else self.tr(
                "Neither data nor a plan are open. Open a file of answers, plan what protects "
                "them, and release them here."
            )
        )
        self.save.setVisible(has_plan)
        self.plan.setVisible(has_plan)

    def _button(self, theme: ThemeSwitch, text: str, icon: str, card: QWidget) -> QPushButton:
        button = QPushButton(text, card)
        IconBond(button, theme, icon, "accent_text" if icon == "table" else "text")
        return button
