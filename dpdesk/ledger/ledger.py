"""The ledger: what was released of whom, charged before anything is drawn, never refunded."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from dpdesk import __version__
from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable
from dpdesk.errors import LedgerError, ParameterError
from dpdesk.ledger.account import (
    MODELS,
    Cap,
    Model,
    Outcome,
    PastRelease,
    Population,
    ReleaseKind,
    Spent,
)
from dpdesk.ledger.book import Book, cost_content
from dpdesk.ledger.charge import Charge, check_caps
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.people import (
    append_cap,
    append_population,
    begin_after,
    checked_name,
    named,
    now,
    population_of,
)
from dpdesk.ledger.place import default_path
from dpdesk.ledger.recognise import Fingerprint, recognise
from dpdesk.ledger.resemblance import Resemblance, resemblance
from dpdesk.ledger.sketch import TableSketch
from dpdesk.ledger.store import Store, transaction

_begin = begin_after("")


def _no_tick() -> None:
    return None


class Ledger:
    """The record of all releases of one user.

    Every operation is a transaction of its own that verifies the whole ledger first. It is safe
    to use from several threads and processes at once.

    Attributes:
        path: Its file.
    """

    def __init__(self, path: Path, key: LedgerKey) -> None:
        self.path = path
        self._key = key

    @classmethod
    def open(cls, path: Path | None = None) -> Ledger:
        """Opens a ledger; makes it if there is none.

        Args:
            path: Its file; `default_path()` if not given.

        Raises:
            LedgerError: It cannot be read, written or trusted; the message says how to go on.
        """
        place = (default_path() if path is None else path).absolute()
        with transaction(place, _begin) as store:
            return cls(place, store.key)

    def fingerprint(self, table: SurveyTable, tick: Callable[[], None] = _no_tick) -> Fingerprint:
        """Returns what this ledger knows a table by; computed once for each table.

        Args:
            table: The table.
            tick: Called now and then; may raise to stop.
        """
        return recognise(table, self._key, tick)

    def book(self) -> Book:
        """Returns everything that the ledger says now."""
        with self._open() as (_, book):
            return book

    def population(self, name: str) -> Population:
        """Returns the population of a name, in capitals or not.

        Raises:
            ParameterError: There is none.
        """
        return named(self.book(), name)

    def history(self, population: str) -> tuple[PastRelease, ...]:
        """Returns the releases of a population in the order in which they were charged.

        Raises:
            ParameterError: There is no population of that name.
        """
        return named(self.book(), population).releases

    def spent(self, population: str) -> dict[Model, Spent]:
        """Returns what a population has spent in each model; the two are never added.

        Raises:
            ParameterError: There is no population of that name.
        """
        found = named(self.book(), population)
        return {model: found.spent(model) for model in MODELS}

    def similar(
        self, table: SurveyTable, tick: Callable[[], None] = _no_tick
    ) -> tuple[Resemblance, ...]:
        """Returns the known files that a table resembles without being one, the most alike first.

        The file itself, where the ledger knows it, and others of its population are left out.
        """
        data = self.fingerprint(table, tick)
        found = []
        with self._open() as (store, book):
            own = book.of_file(data.digest)
            for population in book.populations():
                if own is not None and population.id == own.id:
                    continue
                for file in population.files:
                    known = TableSketch.from_bytes(store.attachment(file.sketch))
                    likeness = resemblance(population.name, file, known, data.sketch)
                    if likeness is not None:
                        found.append(likeness)
        return tuple(sorted(found, key=lambda likeness: -likeness.share))

    def charge(
        self,
        data: Fingerprint,
        costs: Iterable[PrivacyCost],
        *,
        plan: str,
        title: str,
        kind: ReleaseKind,
        population: str = "",
        cap: Cap | None = None,
        rho: Decimal | None = None,
        release_id: str = "",
    ) -> Charge:
        """Charges a release. Nothing may be drawn before this returns.

        Everything happens in one transaction that is durable when this returns: of several
        processes at once, each sees what the one before was charged. What was charged stays
        charged, whatever becomes of the release.

        Args:
            data: The table, from `fingerprint`.
            costs: Its losses; those of one model add up.
            plan: What is released, as text; kept, so that it can be asked for again.
            title: Its title.
            kind: "records" or "statistics".
            population: Name of the people; if empty, those that the table is known to belong to,
                or new ones.
            cap: The most that the population may lose from now on, in the model of the costs.
            rho: Its loss in zero-concentrated differential privacy, if known.
            release_id: Identifier of the release; a new one if not given.

        Raises:
            CapReachedError: The release would exceed a cap; nothing was charged.
            ParameterError: The table belongs to another population than the one named.
            LedgerError: The ledger cannot be read, written or trusted; nothing was charged.
        """
        charged = tuple(costs)
        identifier = release_id or str(uuid.uuid4())
        with self._open() as (store, book):
            if book.release(identifier) is not None:
                raise LedgerError("A release of this identifier was charged already.")
            number = population_of(store, book, data, population, title)
            if cap is not None:
                for model in dict.fromkeys(cost.model for cost in charged):
                    append_cap(store, number, model, cap)
            book.read_on(store.rows)
            known = book.population(number)
            check_caps(known, charged)
            store.append(
                "charge",
                {
                    "id": identifier,
                    "population": number,
                    "time": now(),
                    "release": kind,
                    "title": title,
                    "plan": hashlib.sha256(plan.encode()).hexdigest(),
                    "costs": [cost_content(cost) for cost in charged],
                    "rho": None if rho is None else str(rho),
                    "rows": data.rows,
                    "version": __version__,
                    "declared": bool(population),
                },
                plan.encode(),
            )
        return Charge(identifier, known, charged, book.begun, bool(population))

    def written(self, charge: Charge, where: Path) -> None:
        """Records where a release was written.

        Raises:
            LedgerError: The ledger cannot be written; the charge stands.
        """
        self._append_outcome(charge, "written", str(where))

    def ended(self, charge: Charge, outcome: Outcome) -> None:
        """Records that a release was shown alone, was cancelled or failed; it stays charged.

        Raises:
            LedgerError: The ledger cannot be written; the charge stands.
        """
        self._append_outcome(charge, outcome, "")

    def set_cap(self, population: str, model: Model, cap: Cap | None) -> None:
        """Sets the most that a population may lose in a model; None takes the limit away.

        Raises:
            ParameterError: There is no population of that name.
        """
        with self._open() as (store, book):
            append_cap(store, named(book, population).id, model, cap)

    def rename(self, population: str, name: str) -> None:
        """Gives a population a name, which declares it.

        Raises:
            ParameterError: There is no such population, or another one has the name.
        """
        with self._open() as (store, book):
            known, wanted = named(book, population), checked_name(name)
            other = book.named(wanted)
            if other is not None and other.id != known.id:
                raise ParameterError(
                    f"There is a population {other.name} already.",
                    remedy="Choose another name, or say that both are the same people.",
                )
            append_population(store, known.id, wanted, declared=True)

    def declare(self, data: Fingerprint, population: str) -> None:
        """Says that a table is about a population, without a release; a new name makes a new one.

        Raises:
            ParameterError: The table belongs to another population.
        """
        with self._open() as (store, book):
            population_of(store, book, data, checked_name(population), "")

    def same_people(self, population: str, into: str) -> None:
        """Says that two populations are the same people: all releases count for the second one.

        It cannot be taken back. Where both have a cap, the smaller one holds.

        Raises:
            ParameterError: One of them is not there, or both are one.
        """
        with self._open() as (store, book):
            first, second = named(book, population), named(book, into)
            if first.id == second.id:
                raise ParameterError("These are one population already.")
            content = {"population": first.id, "into": second.id, "time": now()}
            store.append("same", content)

    def plan_of(self, release_id: str) -> str:
        """Returns the plan of a release, as it was charged.

        Raises:
            ParameterError: There is no such release.
        """
        with self._open() as (store, book):
            release = book.release(release_id)
            if release is None:
                raise ParameterError("The ledger has no release of this identifier.")
            return store.attachment(bytes.fromhex(release.plan)).decode()

    def _append_outcome(self, charge: Charge, outcome: Outcome, where: str) -> None:
        with self._open() as (store, _):
            content = {"id": charge.id, "outcome": outcome, "where": where, "time": now()}
            store.append("outcome", content)

    @contextmanager
    def _open(self) -> Iterator[tuple[Store, Book]]:
        with transaction(self.path, _begin) as store:
            if store.key != self._key:
                raise LedgerError(
                    "Another ledger stands in the place of the one that was opened.",
                    remedy="Open the data again.",
                )
            yield store, Book.read(store.rows)
