"""A condition on rows: what an answer is, which options it holds, or whether there is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from dpdesk.domains import (
    SUPPOSED_MISSING,
    AnyDomain,
    Categorical,
    NumericDomain,
    OptionSet,
    Real,
)
from dpdesk.errors import ParameterError
from dpdesk.i18n import first_names
from dpdesk.numbers import exact_number
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.texts import T
from dpdesk.queries.written import Bound, between_words, in_order, write_phrase, written

_NAMED = 12
"""Most categories that an error names."""

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,9})?")


@lru_cache(maxsize=1024)
def number_grid(domain: Categorical) -> tuple[Real, tuple[int, ...]] | None:
    """Returns the grid on which the numbers among some categories lie.

    Args:
        domain: The categories.

    Returns:
        The coarsest grid that has every number, and the place of each category on it, -1 for a
        category that is not a number; None where fewer than two categories are numbers or no grid
        holds them.
    """
    numbers = [Decimal(text) if _NUMBER.fullmatch(text) else None for text in domain.values]
    known = sorted({number for number in numbers if number is not None})
    if len(known) < 2:
        return None
    gaps = [Fraction(number) - Fraction(known[0]) for number in known[1:]]
    common = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * common) for gap in gaps)), common)
    resolution = Decimal(step.numerator) / Decimal(step.denominator)
    try:
        grid = Real(lower=known[0], upper=known[-1], resolution=resolution)
    except ValidationError:
        return None
    places = tuple(
        -1 if number is None else int((number - known[0]) / resolution) for number in numbers
    )
    return grid, places


Domains = Mapping[str, AnyDomain]
"""The declared domain of each column that a query may use."""


class Condition(BaseModel):
    """What the answer to one question must be; a missing answer meets only that it is missing.

    Attributes:
        column: The question's column.
        values: Categories of which the answer is one, for a categorical domain.
        options: Options of which at least one was ticked, for a question with several answers.
        answered: Whether there is an answer, or there is none; None where this is not asked. "No
            answer" as a category of its own is no answer here.
        lower: Least number, included; None for no bound. For numbers, and for categories that are
            numbers.
        upper: Largest number, included; None for no bound.
        negated: Whether those are met that have another answer; for all but `answered`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    column: Annotated[str, Field(min_length=1, max_length=1000)]
    values: tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...] = ()
    lower: Bound | None = None
    upper: Bound | None = None
    options: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...],
        Field(exclude_if=lambda options: not options),
    ] = ()
    answered: Annotated[bool | None, Field(exclude_if=lambda answered: answered is None)] = None
    negated: Annotated[bool, Field(exclude_if=lambda negated: not negated)] = False

    @model_validator(mode="after")
    def _says_one_thing(self) -> Condition:
        bounded = self.lower is not None or self.upper is not None
        fields = (bool(self.values), bool(self.options), bounded, self.answered is not None)
        if sum(fields) != 1 or (self.negated and self.answered is not None):
            raise ParameterError(T.EMPTY_CONDITION(column=self.column))
        if not in_order(self.lower, self.upper):
            raise ParameterError(T.CROSSED_CONDITION(column=self.column))
        return self

    def require(self, domain: AnyDomain) -> None:
        """Refuses a domain that the condition does not suit.

        Raises:
            ParameterError: It asks for something else, or a category or option is not declared.
        """
        if isinstance(domain, OptionSet):
            self._ticked(domain)
        else:
            self.table(domain)

    def met(self, domain: AnyDomain, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Returns which rows meet the condition, shape (rows,).

        Args:
            domain: The domain of the column.
            codes: Code of each row's answer; -1 for no answer.

        Raises:
            ParameterError: As for `require`.
        """
        if not isinstance(domain, OptionSet):
            # No answer has code -1 and so finds the entry that is put last.
            return np.append(self.table(domain), self.answered is False)[codes]
        ticked = self._ticked(domain)
        if self.answered is None:
            met = (codes >= 0) & ((codes & ticked != 0) != self.negated)
            if self.negated and domain.missing_value:
                met &= codes & (1 << domain.values.index(domain.missing_value)) == 0
            return np.asarray(met)
        answered = (codes >= 0) & (codes & ticked == 0)
        return np.asarray(answered if self.answered else ~answered)

    def share_in(
        self, domain: AnyDomain, codes: NDArray[np.int64], counts: Counts, rows: int
    ) -> float:
        """Returns the share of rows that meets it; 0 where it does not suit the domain.

        Args:
            domain: The domain of the column.
            codes: Codes of the answers that were given; others than the domain's are no answers.
            counts: How many rows have each of them.
            rows: Number of all rows; those without a code have no answer.
        """
        if not isinstance(domain, OptionSet):
            codes = np.where(codes < domain.size, codes, -1)
        try:
            met = self.met(domain, np.append(codes, -1).astype(np.int32))
        except ParameterError:
            return 0.0
        return float(met @ np.append(counts, rows - int(counts.sum()))) / max(rows, 1)

    def expected_share(self, domain: AnyDomain, expected: Sequence[float] = ()) -> float:
        """Returns the share of rows that meet it, if answers are spread evenly.

        Args:
            domain: The domain of the column.
            expected: Share of each answer of a domain with one in a row; empty for all alike.

        Raises:
            ParameterError: As for `require`.
        """
        self.require(domain)
        if self.answered is not None:
            missing = domain.missing_share or float(SUPPOSED_MISSING)
            return 1 - missing if self.answered else missing
        if isinstance(domain, OptionSet):
            none = 0.5 ** len(set(self.options))
            return none if self.negated else 1 - none
        met = self.table(domain)
        return float(met @ np.asarray(expected) if expected else met.mean())

    def _ticked(self, domain: OptionSet) -> int:
        """The options as bits of a code; of "answered" that for "no answer", if there is one."""
        if self.answered is not None:
            wanted = tuple(filter(None, (domain.missing_value,)))
        elif self.options:
            wanted = self.options
        else:
            raise _several_answers(self.column, domain)
        if not set(wanted) <= set(domain.values):
            raise self._not_declared(domain)
        return sum(1 << domain.values.index(option) for option in set(wanted))

    def table(self, domain: Categorical | NumericDomain) -> NDArray[np.bool_]:
        """Returns which codes of the domain meet the condition, shape (domain size,).

        Raises:
            ParameterError: The condition does not suit the domain, or a category is not in it.
        """
        if self.options:
            raise ParameterError(T.ONE_ANSWER(column=self.column))
        if self.answered is not None:
            answered = np.ones(domain.size, dtype=np.bool_)
            if domain.missing_value:
                answered[domain.listed.index(domain.missing_value)] = False
            return answered if self.answered else ~answered
        met = self._listed(domain) if isinstance(domain, Categorical) else self._numbers(domain)
        if self.negated:
            met = ~met
            if domain.missing_value:
                met[domain.listed.index(domain.missing_value)] = False
        return met

    def _numbers(self, domain: NumericDomain) -> NDArray[np.bool_]:
        meets = np.ones(domain.size, dtype=np.bool_)
        if self.values:
            meets[:] = False
            for text in self.values:
                meets[self._place(domain, text)] = True
        if self.lower is not None:
            meets[: max(_steps(domain, self._bound(domain, self.lower), ROUND_CEILING), 0)] = False
        if self.upper is not None:
            upper = self._bound(domain, self.upper, is_upper=True)
            meets[_steps(domain, upper, ROUND_FLOOR) + 1 :] = False
        return meets

    def _bound(
        self, domain: NumericDomain, bound: Decimal | str, *, is_upper: bool = False
    ) -> Decimal:
        """A bound on the scale of the grid."""
        number = domain.number_of(bound, is_upper=is_upper)
        if number is None:
            kind, example = domain.read_as, domain.texts[0]
            raise ParameterError(T.UNREADABLE_BOUND(column=self.column, kind=kind, example=example))
        return number

    def _place(self, domain: NumericDomain, text: str) -> int:
        """The code of a number that is named like a category."""
        number = domain.number_of(exact_number(text) or text, is_upper=False)
        if number is None:
            raise ParameterError(T.HOLDS_NUMBERS(column=self.column))
        place = _steps(domain, number, ROUND_CEILING)
        if not 0 <= place < domain.size or place != _steps(domain, number, ROUND_FLOOR):
            raise off_grid(domain)
        return place

    def _listed(self, domain: Categorical) -> NDArray[np.bool_]:
        if not self.values:
            return self._numbers_among(domain)
        codes = domain.encode(self.values)
        if (codes < 0).any():
            raise self._not_declared(domain)
        meets = np.zeros(domain.size, dtype=np.bool_)
        meets[codes] = True
        return meets

    def _numbers_among(self, domain: Categorical) -> NDArray[np.bool_]:
        """Categories that are numbers lie within bounds or not; others never do."""
        coded = number_grid(domain)
        if coded is None:
            raise ParameterError(T.NOT_NUMBERS(column=self.column))
        grid, places = coded
        at = np.array(places)
        meets: NDArray[np.bool_] = (at >= 0) & self._numbers(grid)[np.maximum(at, 0)]
        return meets

    def _not_declared(self, domain: Categorical | OptionSet) -> ParameterError:
        answers = first_names([domain.value_with_label(value) for value in domain.values], _NAMED)
        return ParameterError(T.NOT_DECLARED(column=self.column, answers=answers))

    @property
    def description(self) -> str:
        """The condition in words, as a phrase is typed."""
        return self.words()

    def words(self, shorten: Callable[[tuple[str, ...]], str] | None = None) -> str:
        """Returns the condition in words.

        Args:
            shorten: Lists written categories or options for a reader where not all have to stand;
                with "or" between all of them if None.
        """
        column = written(self.column)
        listed = shorten or " or ".join
        verb = "is not" if self.negated else "is"
        if self.values:
            return write_phrase(column, verb, listed(tuple(map(_written_category, self.values))))
        if self.options:
            verb = "does not have" if self.negated else "has"
            return write_phrase(column, verb, listed(tuple(map(written, self.options))))
        if self.answered is not None:
            return write_phrase(column, "is" if self.answered else "is not", ANSWERED)
        return write_phrase(column, verb, between_words(self.lower, self.upper, "from", "to"))


ANSWERED = "answered"
"""What a phrase says of a column that has an answer."""


def _written_category(value: str) -> str:
    """A category as a phrase writes it behind "is", where some words mean something else."""
    return f'"{value}"' if value.lower() in {ANSWERED, "more", "less"} else written(value)


def _several_answers(column: str, domain: OptionSet) -> ParameterError:
    """The error of a question that asks for one answer in a row where there may be several."""
    condition = Condition(column=column, options=domain.values[:1]).description
    return ParameterError(T.SEVERAL_ANSWERS(column=column, condition=condition))


def off_grid(domain: NumericDomain) -> ParameterError:
    """Returns the error of a number that is no point of a declared grid."""
    least, *_, largest = domain.texts
    step = f"{domain.bounds[2]}"
    return ParameterError(T.OFF_GRID(least=least, largest=largest, step=step))


def _steps(domain: NumericDomain, bound: Decimal, rounding: str) -> int:
    """Returns the code of the first or last grid point within a bound, kept to -1..size."""
    steps = (bound - domain.grid_lower) / domain.grid_step
    return min(max(int(steps.to_integral_value(rounding=rounding)), -1), domain.size)


def condition_on(column: str, domain: AnyDomain | None, values: tuple[str, ...]) -> Condition:
    """Returns that the answer is one of some categories, or that one of some options was ticked.

    Args:
        column: Name of the column.
        domain: Its domain; None where none is known, for categories.
        values: The categories or options; that for "no answer" alone is asked as "not answered".
    """
    if domain is None or not domain.is_set:
        return Condition(column=column, values=values)
    if values == (domain.missing_value,):
        return Condition(column=column, answered=False)
    return Condition(column=column, options=values)


def domain_in(domains: Domains, column: str) -> AnyDomain:
    """Returns the declared domain of a column.

    Raises:
        ParameterError: No domain is declared for it.
    """
    if column not in domains:
        raise ParameterError(T.NO_DOMAIN(column=column))
    return domains[column]


def require_conditions(domains: Domains, conditions: Iterable[Condition]) -> None:
    """Refuses conditions that the declared domains cannot meet.

    Raises:
        ParameterError: A column has no domain, or a condition does not suit it.
    """
    for condition in conditions:
        condition.require(domain_in(domains, condition.column))


def numbers_in(domains: Domains, column: str) -> NumericDomain:
    """Returns the declared grid of a column of numbers, or that of categories that are numbers.

    Raises:
        ParameterError: The column has no domain, or one of categories that are not numbers.
    """
    domain = domain_in(domains, column)
    if isinstance(domain, NumericDomain):
        return domain
    if isinstance(domain, OptionSet):
        raise _several_answers(column, domain)
    coded = number_grid(domain)
    if coded is None:
        raise ParameterError(T.NOT_NUMBERS(column=column))
    return coded[0]


def require_numbers_only(domains: Domains, column: str) -> None:
    """Refuses a column if some of its categories are not numbers.

    Raises:
        ParameterError: It has such a category, so that not every row has a number.
    """
    domain = domain_in(domains, column)
    if isinstance(domain, Categorical):
        coded = number_grid(domain)
        if coded is None or -1 in coded[1]:
            raise ParameterError(T.NOT_ALL_NUMBERS(column=column))


def categories_in(domains: Domains, column: str) -> Categorical:
    """Returns the declared categories of a column.

    Raises:
        ParameterError: The column has no domain, or one of numbers.
    """
    domain = domain_in(domains, column)
    if isinstance(domain, OptionSet):
        raise _several_answers(column, domain)
    if not isinstance(domain, Categorical):
        raise ParameterError(T.HOLDS_NUMBERS(column=column))
    return domain


def columns_holding(domains: Domains, what: Literal["numbers", "categories"]) -> tuple[str, ...]:
    """Returns the columns of categories, or those of numbers and then categories that are numbers.

    Questions with several answers are among neither.

    Args:
        domains: The declared domains, in the order of the columns.
        what: What they hold.
    """
    listed = {name: d for name, d in domains.items() if isinstance(d, Categorical)}
    if what == "categories":
        return tuple(listed)
    grids = (name for name, d in domains.items() if isinstance(d, NumericDomain))
    return (*grids, *(name for name, domain in listed.items() if number_grid(domain)))


def first_unasked(columns: Sequence[str], asked: Container[str]) -> str | None:
    """Returns the first column that was not asked about, else the first; None without columns."""
    return next((name for name in columns if name not in asked), next(iter(columns), None))
