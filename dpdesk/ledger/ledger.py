"""The ledger: what was released of whom, charged before anything is drawn, never refunded."""

from __future__ import annotations

import datetime
import hashlib
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from dpdesk import __version__
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.errors import CapReachedError, LedgerError, ParameterError
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
from dpdesk.ledger.fingerprint import cell_digests, fingerprint_of
from dpdesk.ledger.key import LedgerKey
from dpdesk.ledger.place import default_path
from dpdesk.ledger.resemblance import Resemblance, resemblance
from dpdesk.ledger.sketch import TableSketch, sketch_of
from dpdesk.ledger.store import Store, transaction

_NAME_MAX = 200


def _no_tick() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a ledger knows a table by; it means nothing without the ledger's key.

    Attributes:
        digest: Keyed digest of the multiset of rows, in hexadecimal.
        rows: Number of rows.
        columns: Number of columns.
        sketch: Sketches by which similar files are found.
    """

    digest: str
    rows: int
    columns: int
    sketch: TableSketch


@dataclass(frozen=True, slots=True)
class Charge:
    """A release that was charged and may now be drawn.

    Attributes:
        id: Identifier of the release.
        population: Its population, before this release.
        costs: What was charged.
        begun: When the ledger was begun; of releases before that it knows nothing.
        is_declared: Whether the population was named for this release, so that what it went
            through before is public knowledge.
    """

    id: str
    population: Population
    costs: tuple[PrivacyCost, ...]
    begun: datetime.datetime
    is_declared: bool

    def spent(self, model: Model) -> Spent:
        """Returns what the population has spent in a model, with this release."""
        return self.population.spent(model, self.costs)

    def left(self, model: Model) -> Cap | None:
        """Returns what is left of the cap of a model after this release; None without a cap."""
        return self.spent(model).left(self.population.caps.get(model))


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
        self._fingerprints: WeakKeyDictionary[SurveyTable, Fingerprint] = WeakKeyDictionary()

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
        known = self._fingerprints.get(table)
        if known is None:
            cells = cell_digests(table, self._key)
            tick()
            digest = fingerprint_of(cells, self._key)
            tick()
            sketch = sketch_of(table, cells, tick)
            known = Fingerprint(digest, table.rows, len(table.columns), sketch)
            self._fingerprints[table] = known
        return known

    def book(self) -> Book:
        """Returns everything that the ledger says now."""
        with self._open() as (_, book):
            return book

    def population(self, name: str) -> Population:
        """Returns the population of a name, in capitals or not.

        Raises:
            ParameterError: There is none.
        """
        return _named(self.book(), name)

    def history(self, population: str) -> tuple[PastRelease, ...]:
        """Returns the releases of a population in the order in which they were charged.

        Raises:
            ParameterError: There is no population of that name.
        """
        return _named(self.book(), population).releases

    def spent(self, population: str) -> dict[Model, Spent]:
        """Returns what a population has spent in each model; the two are never added.

        Raises:
            ParameterError: There is no population of that name.
        """
        found = _named(self.book(), population)
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
            number = _population_of(store, book, data, population, title)
            if cap is not None:
                for model in dict.fromkeys(cost.model for cost in charged):
                    _append_cap(store, number, model, cap)
            known = Book.read(store.rows).population(number)
            _check_caps(known, charged)
            store.append(
                "charge",
                {
                    "id": identifier,
                    "population": number,
                    "time": _now(),
                    "release": kind,
                    "title": title,
                    "plan": hashlib.sha256(plan.encode()).hexdigest(),
                    "costs": [cost_content(cost) for cost in charged],
                    "rho": None if rho is None else str(rho),
                    "rows": data.rows,
                    "version": __version__,
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
        """Records that a release was cancelled or failed after it was charged; it stays charged.

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
            _append_cap(store, _named(book, population).id, model, cap)

    def rename(self, population: str, name: str) -> None:
        """Gives a population a name, which declares it.

        Raises:
            ParameterError: There is no such population, or another one has the name.
        """
        with self._open() as (store, book):
            known, wanted = _named(book, population), _checked_name(name)
            other = book.named(wanted)
            if other is not None and other.id != known.id:
                raise ParameterError(
                    f"There is a population {other.name} already.",
                    remedy="Choose another name, or say that both are the same people.",
                )
            _append_population(store, known.id, wanted, declared=True)

    def declare(self, data: Fingerprint, population: str) -> None:
        """Says that a table is about a population, without a release; a new name makes a new one.

        Raises:
            ParameterError: The table belongs to another population.
        """
        with self._open() as (store, book):
            _population_of(store, book, data, _checked_name(population), "")

    def same_people(self, population: str, into: str) -> None:
        """Says that two populations are the same people: all releases count for the second one.

        It cannot be taken back. Where both have a cap, the smaller one holds.

        Raises:
            ParameterError: One of them is not there, or both are one.
        """
        with self._open() as (store, book):
            first, second = _named(book, population), _named(book, into)
            if first.id == second.id:
                raise ParameterError("These are one population already.")
            content = {"population": first.id, "into": second.id, "time": _now()}
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
            content = {"id": charge.id, "outcome": outcome, "where": where, "time": _now()}
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


def begin_after(folder: str) -> Callable[[Store], None]:
    """Returns what appends the first row of a ledger that follows one that was set aside."""

    def begin(store: Store) -> None:
        content = {"time": _now(), "version": __version__, "set_aside": folder}
        store.append("begin", content)

    return begin


_begin = begin_after("")


def _population_of(store: Store, book: Book, data: Fingerprint, name: str, title: str) -> int:
    """Finds or makes the population of a table; returns its number."""
    known = book.of_file(data.digest)
    wanted = _checked_name(name) if name else ""
    named = book.named(wanted) if wanted else None
    if known is not None:
        if wanted and named is None and not known.is_declared:
            _append_population(store, known.id, wanted, declared=True)
        elif wanted and (named is None or named.id != known.id):
            raise ParameterError(
                f"These data belong to the population {known.name}.",
                remedy=f"Name that one, or say first that both are the same people: "
                f"dpdesk ledger --same-people '{known.name}' '{wanted}'."
                if named is not None
                else "Name that one, or rename it in the ledger.",
            )
        return known.id
    if named is None:
        number = book.next_number()
        given = wanted or _free_name(book, title)
        _append_population(store, number, given, declared=bool(wanted))
    else:
        number = named.id
    store.append(
        "file",
        {
            "population": number,
            "fingerprint": data.digest,
            "rows": data.rows,
            "columns": data.columns,
            "time": _now(),
        },
        data.sketch.to_bytes(),
    )
    return number


def _free_name(book: Book, title: str) -> str:
    base = " ".join(title.split())[: _NAME_MAX - 10] or "Unnamed survey"
    name, number = base, 1
    while book.named(name) is not None:
        number += 1
        name = f"{base} ({number})"
    return name


def _checked_name(name: str) -> str:
    shown = " ".join(name.split())
    if not shown or len(shown) > _NAME_MAX or not shown.isprintable():
        raise ParameterError(
            f"The name of a population has 1 to {_NAME_MAX} characters that can be printed.",
            remedy="Choose a name such as Household survey 2026.",
        )
    return shown


def _named(book: Book, name: str) -> Population:
    found = book.named(name)
    if found is None:
        raise ParameterError(
            f"The ledger has no population {' '.join(name.split())}.",
            remedy="'dpdesk ledger' lists them.",
        )
    return found


def _append_population(store: Store, number: int, name: str, *, declared: bool) -> None:
    content = {"population": number, "name": name, "declared": declared, "time": _now()}
    store.append("population", content)


def _append_cap(store: Store, number: int, model: Model, cap: Cap | None) -> None:
    content: dict[str, Any] = {"population": number, "model": model, "time": _now()}
    if cap is None:
        content |= {"epsilon": None, "delta": None}
    else:
        if cap.epsilon < 0 or not 0 <= cap.delta < 1:
            raise ParameterError("A cap is an epsilon of 0 or more and a delta below 1.")
        content |= {"epsilon": format(cap.epsilon, "f"), "delta": str(cap.delta)}
    store.append("cap", content)


def _check_caps(population: Population, costs: tuple[PrivacyCost, ...]) -> None:
    for model in dict.fromkeys(cost.model for cost in costs):
        cap = population.caps.get(model)
        after = population.spent(model, costs)
        if cap is not None and not after.fits(cap):
            raise _reached(population, population.spent(model), after, cap)


def _reached(population: Population, before: Spent, after: Spent, cap: Cap) -> CapReachedError:
    left = max(cap.epsilon - before.epsilon, Decimal(0))
    asked = after.epsilon - before.epsilon
    count = "1 release" if before.releases == 1 else f"{before.releases:,} releases"
    delta = f" Delta would be {after.delta} of {cap.delta}." if after.delta > cap.delta else ""
    return CapReachedError(
        f"The budget of {population.name} does not allow this release. It asks for "
        f"ε = {format_epsilon(asked)} ({before.model} model); of {format_epsilon(cap.epsilon)}, "
        f"{format_epsilon(left)} is left after {count}.{delta} Nothing was drawn.",
        remedy="Ask for less, or raise the cap if everybody concerned agrees.",
    )


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
