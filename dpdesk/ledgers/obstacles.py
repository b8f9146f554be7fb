"""Obstacles to a release: one list for the command line, the window and the charge."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from decimal import Decimal

from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.errors import CapReachedError, DpdeskError, ParameterError, SamePeopleError
from dpdesk.i18n import in_a_row
from dpdesk.ledgers.account import Cap, Population, Spent
from dpdesk.ledgers.book import Book
from dpdesk.ledgers.recognise import Resemblance
from dpdesk.ledgers.texts import T


def obstacles(
    book: Book,
    fingerprint: str,
    resemblances: Iterable[Resemblance],
    costs: tuple[PrivacyCost, ...],
    *,
    population: str = "",
    declare: bool = False,
    other_people: bool = False,
    cap: Cap | None = None,
) -> tuple[DpdeskError, ...]:
    """Returns the obstacles to charging a release, as the errors that it would end with.

    Args:
        book: The content of the ledger.
        fingerprint: The table.
        resemblances: The known files that it resembles.
        costs: The losses of the release.
        population: Name of the population; if empty, the one that the table is known to belong
            to, or a new one.
        declare: Whether a population without a declared name gets this one.
        other_people: Whether the files that the table resembles are declared to be of others.
        cap: The new cap; None leaves it unchanged.

    Returns:
        The errors, in the order in which they can be solved; none if it may be released.
    """
    found: list[DpdeskError] = []
    own, named = book.of_file(fingerprint), book.named(population) if population else None
    if own is not None and population and (named is None or named.id != own.id):
        is_first_name = declare and named is None and not own.is_declared
        if not is_first_name:
            found.append(wrong_name(own, named))
    asked = open_questions(book, fingerprint, resemblances, population)
    if asked and not other_people:
        found.append(same_people_asked(asked))
    people = own or named
    if people is not None or cap is not None:
        found += cap_reached(people, costs, cap)
    return tuple(found)


def open_questions(
    book: Book, fingerprint: str, resemblances: Iterable[Resemblance], population: str = ""
) -> tuple[Resemblance, ...]:
    """Returns the resemblances for which it is undecided whether these are the same people.

    A file that was released before has a population. So has one that is released under a name;
    for any other population that it resembles, the question stays open.

    Args:
        book: The content of the ledger.
        fingerprint: The table.
        resemblances: The known files that it resembles.
        population: Name that it is released under; may be empty.

    Returns:
        One for each population, the closest.
    """
    if book.of_file(fingerprint) is not None:
        return ()
    named = book.named(population) if population else None
    asked: dict[int, Resemblance] = {}
    for resemblance in resemblances:
        number = resemblance.number
        is_said = named is not None and (named.id == number or book.are_others(named.id, number))
        if not is_said:
            asked.setdefault(number, resemblance)
    return tuple(asked.values())


def cap_reached(
    population: Population | None, costs: tuple[PrivacyCost, ...], cap: Cap | None = None
) -> tuple[CapReachedError, ...]:
    """Returns the error of a cap that costs would exceed; none within it.

    Args:
        population: The population; None for a new one.
        costs: The losses of the release.
        cap: A cap in place of the population's; None leaves it.
    """
    people = population or Population(0, "these people", False, (), ())
    limit, after = cap or people.cap, people.spent(more=costs)
    if limit is None or after.fits(limit):
        return ()
    return (_reached(people, after, limit),)


def wrong_name(own: Population, named: Population | None) -> ParameterError:
    """Returns the error of data that belong to another population than the one named."""
    text = T.WRONG_POPULATION if named is None else T.ANOTHER_POPULATION
    return ParameterError(text(name=own.name))


def same_people_asked(asked: tuple[Resemblance, ...]) -> SamePeopleError:
    """Returns the question whether these are the same people, as the error that stops a release.

    Args:
        asked: The undecided resemblances; at least one.
    """
    return SamePeopleError(
        T.SAME_PEOPLE(
            likeness=in_a_row(resemblance.sentence for resemblance in asked),
            population=shlex.quote(asked[0].population),
        ),
        populations=tuple(each.population for each in asked),
    )


def _reached(population: Population, after: Spent, cap: Cap) -> CapReachedError:
    before = population.spent()
    if after.epsilon <= cap.epsilon:
        return CapReachedError(
            T.OVER_CAP_OF_DELTA(name=population.name, cap=str(cap.delta), delta=str(after.delta))
        )
    text = T.OVER_CAP_DOUBLED if after.is_doubled else T.OVER_CAP
    return CapReachedError(
        text(
            name=population.name,
            left=format_epsilon(max(cap.epsilon - before.epsilon, Decimal(0))),
            cap=format_epsilon(cap.epsilon),
            needed=format_epsilon(after.epsilon - before.epsilon),
        )
    )
