"""Before a release of statistics: the promise, the place, the checks, the head of the report."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.release.account_watch import AccountWatch
from dpdesk.gui.pages.release.before_cards import BeforeCards
from dpdesk.gui.pages.release.destination_card import DestinationCard
from dpdesk.gui.pages.release.release_files import STATISTICS_FILES
from dpdesk.gui.pages.release.statistics_promise import StatisticsPromiseCard
from dpdesk.gui.theme import ThemeSwitch


class StatisticsBefore(BeforeCards):
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
        self._lay_out(self.promise, self.destination, document, theme)
