"""Four cards in two columns: what is promised and written, what stands in the way, who releases."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.release.checklist_card import ChecklistCard
from dpdesk.gui.pages.release.details_card import DetailsCard
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import Problem

_FEW = 2


class BeforeCards(QWidget):
    """What a release of any kind shows before it runs.

    A kind of release makes its own two cards and then calls `_lay_out`, so that Tab goes through
    all four in reading order.

    Attributes:
        checks: What stands in the way.
        details: The head of the report.
    """

    checks: ChecklistCard
    details: DetailsCard

    def _lay_out(
        self, promise: QWidget, destination: QWidget, document: Document, theme: ThemeSwitch
    ) -> None:
        """Puts the cards of a kind of release beside those of any."""
        self.checks = ChecklistCard(theme, parent=self)
        self.details = DetailsCard(document, parent=self)
        left, right = QVBoxLayout(), QVBoxLayout()
        self._right = right
        for column, cards in (
            (left, (promise, destination)),
            (right, (self.checks, self.details)),
        ):
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(12)
            column.addWidget(cards[0], 1)
            column.addWidget(cards[1], 0)
        inside = QWidget(self)
        row = QHBoxLayout(inside)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addLayout(left, 6)
        row.addLayout(right, 5)
        # A low window scrolls rather than cutting a card.
        area = QScrollArea(self)
        area.setObjectName("problemList")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        # What takes the focus inside scrolls into view; a stop at the area would lead nowhere.
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def show_problems(self, problems: Sequence[Problem], *, is_held: bool) -> None:
        """Lists problems; many of them get the height that the details can spare."""
        self.checks.show_problems(problems, is_held=is_held)
        many = len(problems) > _FEW
        self._right.setStretch(0, 1 if many else 0)
        self._right.setStretch(1, 0 if many else 1)
