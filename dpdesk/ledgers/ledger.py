"""The ledger: what was released of whom, charged before anything is drawn, never refunded."""

from __future__ import annotations

import hashlib
import hmac
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable
from dpdesk.errors import LedgerError, ParameterError, SamePeopleError
from dpdesk.ledgers import account
from dpdesk.ledgers.book import Book, cost_content
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.obstacles import obstacles, open_questions, same_people_asked
from dpdesk.ledgers.people import (
    append_cap,
    append_others,
    append_population,
    begin_after,
    checked_name,
    named,
    now,
    population_of,
)
from dpdesk.ledgers.place import ledger_path
from dpdesk.ledgers.recognise import Fingerprint, Resemblance, recognise
from dpdesk.ledgers.store import Store, transaction
from dpdesk.ledgers.texts import T
from dpdesk.version import __version__

_begin = begin_after("")

_Kept = tuple[account.Population, account.KnownFile, bytes]
"""A known file and its sketch."""


def _no_tick() -> None:
    return None


class Ledger:
    """The record of all releases of one user.

    Every operation is a transaction of its own that verifies the whole ledger first. It is safe
    to use from several threads and processes at once.

    Attributes:
        path: The ledger's file.
    """

    def __init__(self, path: Path, key: LedgerKey) -> None:
        self.path = path
        self._key = key

    @classmethod
    def open(cls, path: Path | None = None) -> Ledger:
        """Opens a ledger; creates it if it does not exist.

        Args:
            path: The ledger's file; `default_path()` if None.

        Raises:
            ParameterError: The path is a folder.
            LedgerError: It cannot be read, written or trusted; the message says how to go on.
        """
        place = ledger_path(path)
        with transaction(place, _begin) as store:
            return cls(place, store.key)

    def fingerprint(self, table: SurveyTable, tick: Callable[[], None] = _no_tick) -> Fingerprint:
        """Returns the fingerprint of a table under this ledger's key; cached for each table.

        Args:
            table: The table.
            tick: Called now and then; may raise to stop.
        """
        return recognise(table, self._key, tick)

    def book(self) -> Book:
        """Returns the current content of the ledger."""
        with self._open() as (_, book):
            return book

    def population(self, name: str) -> account.Population:
        """Returns the population with a name, ignoring case.

        Raises:
            ParameterError: There is no population of that name.
        """
        return named(self.book(), name)

    def history(self, population: str) -> tuple[account.PastRelease, ...]:
        """Returns the releases of a population in the order in which they were charged.

        Raises:
            ParameterError: There is no population of that name.
        """
        return named(self.book(), population).releases

    def similar(
        self, table: SurveyTable, tick: Callable[[], None] = _no_tick
    ) -> tuple[Resemblance, ...]:
        """Returns the known files that a table resembles, the most similar first.

        The file itself if the ledger has it, others of its population, and those of populations
        declared to be other people are left out.
        """
        data = self.fingerprint(table, tick)
        with self._open() as (store, book):
            kept = _sketches(store, book, data)
        # Comparing takes time: others may use the ledger meanwhile.
        return _resembling(data, kept, tick)

    def question(
        self, table: SurveyTable, resemblances: Iterable[Resemblance], population: str = ""
    ) -> SamePeopleError | None:
        """Returns the question that stops a release until the user says whose data these are.

        Args:
            table: The table.
            resemblances: The result of `similar`.
            population: Name of the population for the release; may be empty.

        Returns:
            The error that a release would end with, or None if there is no question.
        """
        asked = open_questions(
            self.book(), self.fingerprint(table).digest, resemblances, population
        )
        return same_people_asked(asked) if asked else None

    def charge(
        self,
        data: Fingerprint,
        costs: Iterable[PrivacyCost],
        *,
        plan: str,
        title: str,
        kind: account.KindName,
        population: str = "",
        declare: bool = False,
        other_people: bool = False,
        cap: account.Cap | None = None,
        rho: Decimal | None = None,
        release_id: str = "",
    ) -> account.Charge:
        """Charges a release. Nothing may be drawn before this returns.

        Everything happens in one transaction that is durable when this returns: of several
        processes at once, each sees the charges of those before. A charge stays, whatever becomes
        of the release.

        Args:
            data: The table, from `fingerprint`.
            costs: Its losses; they add up.
            plan: The plan as text; stored, so that it can be read again.
            title: Its title.
            kind: "records", "statistics" or "synthetic".
            population: Name of the population; if empty, the one that the table is known to
                belong to, or a new one.
            declare: Whether a population without a declared name gets this one.
            other_people: Whether known files that the table resembles are of other people; stored.
            cap: The new cap of the population; None leaves it unchanged.
            rho: Its loss in zero-concentrated differential privacy, if known.
            release_id: Identifier of the release; a new one if empty.

        Raises:
            SamePeopleError: The table resembles a known file of another population than the one
                named, and it is not declared to be of other people; nothing was charged.
            CapReachedError: The release would exceed a cap; nothing was charged.
            ParameterError: The table belongs to another population than the one named.
            LedgerError: The ledger cannot be read, written or trusted; nothing was charged.
        """
        charged = tuple(costs)
        identifier = release_id or str(uuid.uuid4())
        with self._open() as (store, book):
            if book.release(identifier) is not None:
                raise LedgerError(T.CHARGED_TWICE())
            is_known = book.of_file(data.digest) is not None
            kept = [] if is_known else _sketches(store, book, data)
            resemblances = _resembling(data, kept, _no_tick)
            in_the_way = obstacles(
                book,
                data.digest,
                resemblances,
                charged,
                population=population,
                declare=declare,
                other_people=other_people,
                cap=cap,
            )
            if in_the_way:
                raise in_the_way[0]
            asked = open_questions(book, data.digest, resemblances, population)
            before = book.of_file(data.digest)
            number = population_of(store, book, data, population, title, declare=declare)
            append_others(store, number, data, asked)
            if cap is not None:
                append_cap(store, number, cap)
            book.read_on(store.rows)
            known = book.population(number)
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
        # Read back, as it will be after a crash, before anything is drawn.
        read = self.book().release(identifier)
        if read is None or read.costs != charged:
            raise LedgerError(T.NOT_CHARGED())
        old_name = "" if before is None or before.name == known.name else before.name
        return account.Charge(
            identifier,
            known,
            charged,
            book.whole_since,
            bool(population),
            old_name,
            self._key.seal(identifier),
        )

    def keep_answers(self, charge: account.Charge, answers: str) -> None:
        """Stores the results of a release, which are public, so that they can be read again.

        Args:
            charge: The release.
            answers: Its report, as JSON.

        Raises:
            LedgerError: The ledger cannot be written; the charge stands.
        """
        with self._open() as (store, _):
            store.append("answers", {"id": charge.id, "time": now()}, answers.encode())

    def written(self, charge: account.Charge, where: Path) -> None:
        """Records where a release was written.

        Raises:
            LedgerError: The ledger cannot be written; the charge stands.
        """
        self._append_outcome(charge, "written", str(where))

    def ended(self, charge: account.Charge, outcome: account.Outcome) -> None:
        """Records that a release was only shown, was cancelled or failed; it stays charged.

        Raises:
            LedgerError: The ledger cannot be written; the charge stands.
        """
        self._append_outcome(charge, outcome, "")

    def set_cap(self, population: str, cap: account.Cap | None) -> None:
        """Sets the cap of all releases of a population; None removes it.

        Raises:
            ParameterError: There is no population of that name.
        """
        with self._open() as (store, book):
            append_cap(store, named(book, population).id, cap)

    def rename(self, population: str, name: str) -> None:
        """Renames a population, which declares it.

        Raises:
            ParameterError: There is no such population, or another one has the name.
        """
        with self._open() as (store, book):
            known, wanted = named(book, population), checked_name(name)
            other = book.named(wanted)
            if other is not None and other.id != known.id:
                raise ParameterError(T.NAME_TAKEN(name=other.name))
            append_population(store, known.id, wanted, declared=True)

    def declare(self, data: Fingerprint, population: str) -> None:
        """Declares the population of a table without a release; a new name makes a new one.

        Raises:
            ParameterError: The table belongs to another population.
        """
        with self._open() as (store, book):
            population_of(store, book, data, checked_name(population), "")

    def same_people(self, population: str, into: str) -> None:
        """Declares two populations to be the same people: all releases count for the second one.

        This cannot be undone. If both have a cap, the smaller one holds.

        Raises:
            ParameterError: One of them does not exist, or both are one.
        """
        with self._open() as (store, book):
            first, second = named(book, population), named(book, into)
            if first.id == second.id:
                raise ParameterError(T.ONE_ALREADY())
            content = {"population": first.id, "into": second.id, "time": now()}
            store.append("same", content)

    def plan_of(self, release_id: str) -> str:
        """Returns the plan of a release, as it was charged.

        Raises:
            ParameterError: There is no such release.
        """
        with self._open() as (store, book):
            release = _known_release(book, release_id)
            return store.attachment(bytes.fromhex(release.plan)).decode()

    def answers_of(self, release_id: str) -> str:
        """Returns the stored results of a release.

        Raises:
            ParameterError: There is no such release, or its results are not stored.
        """
        with self._open() as (store, book):
            release = _known_release(book, release_id)
            if release.answers:
                return store.attachment(release.answers).decode()
        text = T.NO_ANSWERS_BUT_FOLDER if release.where else T.NO_ANSWERS
        raise ParameterError(text(folder=release.where))

    def missing(self, carried: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Returns the identifiers of releases that were charged to this ledger but are not in it.

        Args:
            carried: Identifier and seal of releases, from their reports.
        """
        own = [each for each, seal in carried if self.is_own(each, seal)]
        if not own:
            return ()
        book = self.book()
        return tuple(each for each in own if book.release(each) is None)

    def is_own(self, release_id: str, seal: str) -> bool:
        """Whether a release carries the seal of this ledger."""
        return hmac.compare_digest(seal, self._key.seal(release_id))

    def enter(
        self,
        release_id: str,
        seal: str,
        population: str,
        costs: Iterable[PrivacyCost],
        *,
        plan: str,
        title: str,
        kind: account.KindName,
        where: Path,
    ) -> None:
        """Enters a release that was charged to this ledger and is missing in it.

        Args:
            release_id: Its identifier.
            seal: Its seal.
            population: Name of its population; a new name makes a new one.
            costs: Its losses.
            plan: Its plan, as text.
            title: Its title.
            kind: "records", "statistics" or "synthetic".
            where: Its folder.

        Raises:
            ParameterError: It was not charged to this ledger, or is in it.
        """
        if not self.missing([(release_id, seal)]):
            raise ParameterError(T.RELEASE_KNOWN())
        with self._open() as (store, book):
            people, number = book.named(checked_name(population)), book.next_number()
            if people is None:
                append_population(store, number, checked_name(population), declared=True)
            content = {
                "id": release_id,
                "population": number if people is None else people.id,
                "time": now(),
                "release": kind,
                "title": title,
                "plan": hashlib.sha256(plan.encode()).hexdigest(),
                "costs": [cost_content(cost) for cost in costs],
                "rho": None,
                "rows": 0,
                "version": __version__,
                "declared": True,
            }
            store.append("charge", content, plan.encode())
            written = {"id": release_id, "outcome": "written", "where": str(where), "time": now()}
            store.append("outcome", written)

    def _append_outcome(self, charge: account.Charge, outcome: account.Outcome, where: str) -> None:
        with self._open() as (store, _):
            content = {"id": charge.id, "outcome": outcome, "where": where, "time": now()}
            store.append("outcome", content)

    @contextmanager
    def _open(self) -> Iterator[tuple[Store, Book]]:
        with transaction(self.path, _begin) as store:
            if store.key != self._key:
                raise LedgerError(T.REPLACED())
            yield store, Book.read(store.rows)


def _known_release(book: Book, release_id: str) -> account.PastRelease:
    release = book.release(release_id)
    if release is None:
        raise ParameterError(T.NO_RELEASE())
    return release


def _sketches(store: Store, book: Book, data: Fingerprint) -> list[_Kept]:
    """Returns the files of every population that a table could belong to, with their sketches.

    Sketches that the table was compared with before are not read again.
    """
    own = book.of_file(data.digest)
    return [
        (
            population,
            file,
            b"" if data.comparison.knows(file.sketch) else store.attachment(file.sketch),
        )
        for population in book.populations()
        if own is None or not (population.id == own.id or book.are_others(own.id, population.id))
        for file in population.files
    ]


def _resembling(
    data: Fingerprint, kept: Iterable[_Kept], tick: Callable[[], None]
) -> tuple[Resemblance, ...]:
    similar = []
    for population, file, sketch in kept:
        likeness = data.comparison.likeness(file.sketch, sketch, tick)
        if likeness is not None:
            similar.append(Resemblance(population.name, population.id, file, likeness))
    return tuple(sorted(similar, key=lambda each: -each.likeness.share))
