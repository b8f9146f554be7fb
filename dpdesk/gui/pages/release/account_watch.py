"""Whose data are open, asked of the ledger in the background."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.ledger import (
    Book,
    Fingerprint,
    Ledger,
    Population,
    Resemblance,
    obstacles,
    open_questions,
)


@dataclass(frozen=True)
class DataAccount:
    """What the ledger says of a table.

    Attributes:
        table: The table.
        ledger: The ledger.
        book: Everything that it says.
        data: What the ledger knows the table by.
        population: Whose data these are known to be, or None.
        similar: Known files of others that the table resembles.
    """

    table: SurveyTable
    ledger: Ledger
    book: Book
    data: Fingerprint
    population: Population | None
    similar: tuple[Resemblance, ...]

    def in_the_way(
        self, cost: PrivacyCost, name: str, *, other_people: bool
    ) -> tuple[DpdeskError, ...]:
        """What keeps a release from being charged: the very list that the charge goes by.

        Args:
            cost: What the release loses.
            name: Name of the people; may be empty.
            other_people: Whether it was said that what the table resembles is of other people.
        """
        return obstacles(
            self.book,
            self.data.digest,
            self.similar,
            (cost,),
            population=name,
            declare=True,
            other_people=other_people,
        )

    def questions(self, name: str) -> tuple[Resemblance, ...]:
        """The resemblances of which it was not said yet whether these are the same people."""
        return open_questions(self.book, self.data.digest, self.similar, name)


def look_up(table: SurveyTable, tracker: Tracker) -> DataAccount:
    """Asks the ledger of a table; recognising a million rows takes a second."""
    ledger = Ledger.open()
    data = ledger.fingerprint(table, tracker.tick)
    similar = ledger.similar(table, tracker.tick)
    book = ledger.book()
    return DataAccount(table, ledger, book, data, book.of_file(data.digest), similar)


class AccountWatch(QObject):
    """Holds what the ledger said last of the table that is open.

    Args:
        parent: Qt's owner.

    Attributes:
        changed: Emitted when there is another answer, an error, or none any more.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._account: DataAccount | None = None
        self._error: DpdeskError | None = None
        self._table: SurveyTable | None = None
        self._watch = JobWatch(self)
        self._watch.finished.connect(self._take)
        self._watch.failed.connect(self._fail)

    @property
    def account(self) -> DataAccount | None:
        """What the ledger said, or None while it was not heard."""
        return self._account

    @property
    def error(self) -> DpdeskError | None:
        """Why the ledger cannot be trusted or read, or None."""
        return self._error

    @property
    def is_running(self) -> bool:
        """Whether an answer is on its way."""
        return self._watch.is_running

    def look_at(self, table: SurveyTable | None) -> None:
        """Asks of another table, unless it is the one that was asked of; None forgets."""
        if table is not self._table:
            self._table, self._account, self._error = table, None, None
            self.ask_again()
            self.changed.emit()

    def ask_again(self) -> None:
        """Asks again, as after a release or a change of the ledger."""
        self._watch.shut_down(timeout=5.0)
        if self._table is not None:
            self._watch.start(Job(self.tr("Asking the ledger"), partial(look_up, self._table)))

    def shut_down(self) -> None:
        """Cancels and joins what runs."""
        self._watch.shut_down()

    def _take(self, account: DataAccount) -> None:
        self._account, self._error = account, None
        self.changed.emit()

    def _fail(self, error: DpdeskError) -> None:
        self._account, self._error = None, error
        self.changed.emit()
