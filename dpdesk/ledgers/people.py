"""Populations in the ledger: finds, names and caps them, and appends the rows for it."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any

from dpdesk.errors import ParameterError, without_unprintable
from dpdesk.ledgers.account import Cap, Population
from dpdesk.ledgers.book import Book
from dpdesk.ledgers.obstacles import wrong_name
from dpdesk.ledgers.recognise import Fingerprint, Resemblance
from dpdesk.ledgers.store import Store
from dpdesk.ledgers.texts import T
from dpdesk.version import __version__

_NAME_MAX = 200


def now() -> str:
    """Returns the time in the form of the rows: UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def begin_after(folder: str) -> Callable[[Store], None]:
    """Returns a function that appends the first row of a ledger after one was set aside."""

    def begin(store: Store) -> None:
        content = {"time": now(), "version": __version__, "set_aside": folder}
        store.append("begin", content)

    return begin


def population_of(
    store: Store, book: Book, data: Fingerprint, name: str, title: str, *, declare: bool = False
) -> int:
    """Finds or makes the population of a table; returns its number.

    Args:
        store: The store that rows are appended to.
        book: The content of the ledger.
        data: The table.
        name: Name of the population; if empty, the one that the table is known to belong to, or
            a new one.
        title: Name of a new population that was given none.
        declare: Whether a population without a declared name gets this one.

    Raises:
        ParameterError: The table belongs to another population than the one named. Renaming or
            joining it tacitly would be a declaration that nobody made.
    """
    known = book.of_file(data.digest)
    wanted = checked_name(name) if name else ""
    named = book.named(wanted) if wanted else None
    if known is not None:
        is_first_name = declare and bool(wanted) and not known.is_declared
        if wanted and (named is None or named.id != known.id) and not (is_first_name and not named):
            raise wrong_name(known, named)
        if is_first_name:
            append_population(store, known.id, wanted, declared=True)
        return known.id
    if named is None:
        number = book.next_number()
        given = wanted or _free_name(book, title)
        append_population(store, number, given, declared=bool(wanted))
    else:
        number = named.id
    store.append(
        "file",
        {
            "population": number,
            "fingerprint": data.digest,
            "rows": data.rows,
            "columns": data.columns,
            "time": now(),
        },
        data.sketch,
    )
    return number


def _free_name(book: Book, title: str) -> str:
    base = " ".join(without_unprintable(title).split())[: _NAME_MAX - 10] or "Unnamed survey"
    name, number = base, 1
    while book.named(name) is not None:
        number += 1
        name = f"{base} ({number})"
    return name


def checked_name(name: str) -> str:
    """Returns the name of a population without needless spaces.

    Raises:
        ParameterError: The name is invalid.
    """
    shown = " ".join(name.split())
    if not shown or len(shown) > _NAME_MAX or not shown.isprintable():
        raise ParameterError(T.BAD_NAME(most=_NAME_MAX))
    return shown


def named(book: Book, name: str) -> Population:
    """Returns the population with a name.

    Raises:
        ParameterError: There is no population of that name.
    """
    population = book.named(name)
    if population is None:
        raise ParameterError(T.NO_POPULATION(name=" ".join(name.split())))
    return population


def append_others(
    store: Store, number: int, data: Fingerprint, resemblances: Iterable[Resemblance]
) -> None:
    """Appends the declarations that similar known files are of other people."""
    for resemblance in resemblances:
        content = {
            "population": number,
            "than": resemblance.number,
            "fingerprint": data.digest,
            "known": resemblance.file.fingerprint,
            "alike": resemblance.sentence,
            "time": now(),
        }
        store.append("other", content)


def append_population(store: Store, number: int, name: str, *, declared: bool) -> None:
    """Appends the name of a population, new or not."""
    content = {"population": number, "name": name, "declared": declared, "time": now()}
    store.append("population", content)


def append_cap(store: Store, number: int, cap: Cap | None) -> None:
    """Appends the cap of a population; None removes it.

    Raises:
        ParameterError: The cap is invalid.
    """
    content: dict[str, Any] = {"population": number, "time": now()}
    if cap is None:
        content |= {"epsilon": None, "delta": None}
    else:
        if cap.epsilon < 0 or not 0 <= cap.delta < 1:
            raise ParameterError(T.BAD_CAP())
        content |= {"epsilon": format(cap.epsilon, "f"), "delta": str(cap.delta)}
    store.append("cap", content)
