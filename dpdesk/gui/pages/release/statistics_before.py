"""Before a release of statistics: the promise, the place, the checks, the head of the report."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.release.account_watch import AccountWatch
from dpdesk.gui.pages.release.checklist_card import ChecklistCard
from dpdesk.gui.pages.release.destination_card import DestinationCard
from dpdesk.gui.pages.release.details_card import DetailsCard
from dpdesk.gui.pages.release.release_files import STATISTICS_FILES
from dpdesk.gui.pages.release.statistics_promise import StatisticsPromiseCard
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import Problem

_FEW = 2


class StatisticsBefore(QWidget):
    """Four cards in two columns.

    Args:
        document: What is shown and edited.
        account: What the ledger says of the data.
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(
        self,
        document: Document,
        account: AccountWatch,
        theme: ThemeSwitch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.promise = StatisticsPromiseCard(document, account, theme, parent=self)
        self.destination = DestinationCard(theme, files=STATISTICS_FILES, parent=self)
        self.checks = ChecklistCard(theme, parent=self)
        self.details = DetailsCard(document, parent=self)
        left, right = QVBoxLayout(), QVBoxLayout()
        self._right = right
        for column, cards in (
            (left, (self.promise, self.destination)),
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
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Lists problems; many of them get the height that the details can spare."""
        self.checks.show_problems(problems)
        many = len(problems) > _FEW
        self._right.setStretch(0, 1 if many else 0)
        self._right.setStretch(1, 0 if many else 1)
