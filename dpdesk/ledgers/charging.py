"""How a release is charged: once, after every check and right before the first random word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_file import ReservedSpace
from dpdesk.errors import Cancelled, LedgerError
from dpdesk.ledgers.account import Cap, Charge, KindName, Outcome
from dpdesk.ledgers.ledger import Ledger
from dpdesk.ledgers.texts import T

_END = 1 << 18
"""Most bytes that the end of a release writes: a row, the pages around it, and both heads."""

_COPIES = 3
"""Bytes are written to the log first, then to the file, whose pages are split on the way."""


def _nobody(_: Charge) -> None:
    return None


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class ChargeTo:
    """The ledger and population that a release is charged to.

    Attributes:
        ledger: File of the ledger; `default_path()` if None.
        population: Name of the population; if empty, the one that the data are known to belong
            to, or a new one.
        declare: Whether a population without a declared name gets this one.
        other_people: Whether known files that the data resemble are of other people.
        cap: The new cap of the population; None leaves it unchanged.
        before: Called right before the charge; may raise, and then nothing is charged.
        charged: Called with the charge as soon as it is durable.
    """

    ledger: Path | None = None
    population: str = ""
    declare: bool = False
    other_people: bool = False
    cap: Cap | None = None
    before: Callable[[], None] = _nothing
    charged: Callable[[Charge], None] = _nobody


class Charging:
    """The charge of one release, from `charging`.

    Attributes:
        made: The charge; None as long as nothing was charged.
    """

    def __init__(self, ledger: Ledger, table: SurveyTable, to: ChargeTo) -> None:
        self.made: Charge | None = None
        self._ledger = ledger
        self._table = table
        self._to = to
        self._reserved: ReservedSpace | None = None

    def charge(
        self,
        costs: Iterable[PrivacyCost],
        *,
        plan: str,
        title: str,
        kind: KindName,
        release_id: str,
        rho: Decimal | None = None,
        answers: int = 0,
    ) -> Charge:
        """Charges the release; to be called once, right before the first random word is drawn.

        Space for the end of the release and for `answers` bytes of results is reserved first, so
        that a full disk is noticed before anything is charged.

        Other arguments and errors: as `Ledger.charge`.
        """
        if self.made is not None:
            raise LedgerError(T.CHARGED_TWICE())
        self._reserved = _space_beside(self._ledger.path, _END + _COPIES * answers)
        self._to.before()
        made = self._ledger.charge(
            self._ledger.fingerprint(self._table),
            costs,
            plan=plan,
            title=title,
            kind=kind,
            population=self._to.population,
            declare=self._to.declare,
            other_people=self._to.other_people,
            cap=self._to.cap,
            rho=rho,
            release_id=release_id,
        )
        self.made = made
        self._to.charged(made)
        return made

    def keep(self, answers: str) -> bool:
        """Stores the results before anybody sees them; returns whether that succeeded.

        The release goes on in any case: it was charged and drawn.
        """
        return self._noted(lambda made: self._ledger.keep_answers(made, answers), _END)

    def written(self, where: Path) -> bool:
        """Records where the release was written; returns whether that succeeded.

        The release is valid in any case: it was charged, and only its place is missing.
        """
        return self._noted(lambda made: self._ledger.written(made, where))

    def ended(self, outcome: Outcome) -> None:
        """Records how a charged release ended without a folder; it stays charged."""
        self._free()
        if self.made is not None:
            with suppress(LedgerError):
                self._ledger.ended(self.made, outcome)

    def _noted(self, note: Callable[[Charge], object], reserved: int = 0) -> bool:
        """Adds a note to the charge with all but some reserved bytes free; False if it failed."""
        if self.made is None:
            return False
        self._free(reserved)
        try:
            note(self.made)
        except LedgerError:
            return False
        return True

    def _free(self, but: int = 0) -> None:
        """Frees the reserved space, all but some bytes."""
        if self._reserved is not None and but:
            self._reserved.shrink(but)
        elif self._reserved is not None:
            self._reserved.free()


def _space_beside(ledger: Path, size: int) -> ReservedSpace:
    try:
        return ReservedSpace(ledger.parent, size)
    except OSError as error:
        needed = f"{size / 1e6:.1f} MB"
        reason = str(error.strerror)
        raise LedgerError(T.NO_SPACE(file=ledger.name, size=needed, reason=reason)) from None


@contextmanager
def charging(table: SurveyTable, to: ChargeTo, tick: Callable[[], None]) -> Iterator[Charging]:
    """Opens the ledger for one release of a table and records how the release ends.

    Args:
        table: The data.
        to: The ledger and population that it is charged to.
        tick: Called now and then while the table is recognised; may raise to stop.

    Raises:
        LedgerError: The ledger cannot be read, written or trusted.
    """
    ledger = Ledger.open(to.ledger)
    ledger.fingerprint(table, tick)
    charge = Charging(ledger, table, to)
    try:
        yield charge
    except Cancelled:
        charge.ended("cancelled")
        raise
    except BaseException:
        charge.ended("failed")
        raise
