"""What has to be said of how answers are written before they are dates or numbers.

03/05/2024 may be in March or in May, and 1,200 a thousand or a little more than one. Nothing is
guessed: the column has no domain until the curator decides.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from dpdesk.data.date_texts import dates_in, dates_of
from dpdesk.data.marked_numbers import (
    marked_numbers,
    numbers_in_any_way,
)
from dpdesk.data.reading import Reading
from dpdesk.data.suggested_grid import integer_domain, real_domain
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import AnyGrid, NumericDomain, domain_type
from dpdesk.domains.written_numbers import Writing, number_reader
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message, any_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import set_kind
from dpdesk.plan.encoding import missing_texts, number_in
from dpdesk.plan.missing import suited
from dpdesk.plan.model import Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.problem import Problem, Severity
from dpdesk.plan.texts import T

_DATES = "FIRST..LAST by month as {pattern}"
_NUMBERS = "LOWER..UPPER/STEP{unit} as {example}"
"""Domains as `draft --declare` takes them."""


@dataclass(frozen=True, slots=True)
class DateOrder(OpenQuestion):
    """Dates of which nothing tells whether the day or the month comes first.

    Attributes:
        patterns: Both ways to read them, that with the day first before the other.
    """

    edit: ClassVar[str] = N_("Say how dates of {name} are written")
    place: ClassVar[str] = "domain"
    answers: ClassVar[tuple[str, str]] = (N_("Da&y first"), N_("&Month first"))

    patterns: tuple[str, ...]

    @classmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        if column.kind != "date" or column.domain is not None:
            return None
        found = dates_in(texts, ~missing_texts(column, texts, reading) & ~texts.blank)
        if found is None or len(found.patterns) < 2:
            return None
        # DD stands before MM in the one and behind it in the other.
        ways = sorted(found.patterns, key=lambda pattern: pattern.find("DD"))
        return cls(column.name, found.answers - found.unread, (ways[0], ways[-1]))

    @property
    def sentence(self) -> Message:
        first, second = (
            shlex.quote(f"{self.name}={_DATES.format(pattern=each)}") for each in self.patterns
        )
        return T.DATES_OPEN(count=self.respondents, first=first, second=second)

    @property
    def problem(self) -> Problem:
        said = T.WRITING_UNDECIDED__DATES(name=self.name)
        return Problem(f"columns.{self.name}.domain", "error", said)

    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        texts, column = table.column(self.name), plan.column(self.name)
        answered = ~missing_texts(column, texts, table.reading) & ~texts.blank
        return _with(plan, column, dates_of(texts, answered, self.patterns[not first]))


@dataclass(frozen=True, slots=True)
class MarkedCells(OpenQuestion):
    """Numbers with a unit beside them, with grouped digits or another decimal mark.

    Attributes:
        writings: How they can be read, in one way or two.
    """

    edit: ClassVar[str] = N_("Say how numbers of {name} are written")
    place: ClassVar[str] = "domain"

    writings: tuple[Writing, ...]

    @classmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        wanted = domain_type(column.kind)
        is_open = wanted is not None and issubclass(wanted, NumericDomain) and wanted.in_digits
        if column.domain is not None or not is_open:
            return None
        answered = ~missing_texts(column, texts, reading) & ~texts.blank
        found = marked_numbers(texts, answered, reading.decimal)
        if found is None:
            return None
        return cls(column.name, found.answers - found.unread, found.writings)

    @property
    def answers(self) -> tuple[str, str]:
        if len(self.writings) == 1:
            return N_("Read them as &numbers"), N_("They are te&xts")
        first, second = (writing.example.replace("&", "&&") for writing in self.writings)
        return first, second

    @property
    def sentence(self) -> Message:
        first, *others = self.writings
        declared = [self._declared(each) for each in self.writings]
        if not others:
            return T.NUMBERS_OPEN(example=first.example, first=declared[0])
        return T.NUMBERS_OPEN_TWO(
            example=first.example,
            other=others[0].example,
            first=declared[0],
            second=declared[1],
        )

    def _declared(self, writing: Writing) -> str:
        unit = f" {writing.unit}" if writing.unit else ""
        declared = _NUMBERS.format(unit=unit, example=writing.example)
        return shlex.quote(f"{self.name}={declared}")

    @property
    def problem(self) -> Problem:
        said = T.WRITING_UNDECIDED__NUMBERS(name=self.name)
        return Problem(f"columns.{self.name}.domain", "error", said)

    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        if not first and len(self.writings) == 1:
            return _as_texts(plan, table, self.name)
        writing = self.writings[not first]
        texts, column = table.column(self.name), plan.column(self.name)
        answered = ~missing_texts(column, texts, table.reading) & ~texts.blank
        cells: list[str] = texts.dictionary.take(np.flatnonzero(answered)).to_pylist()
        read = number_reader(writing)
        numbers = [number for cell in cells if (number := read(cell)) is not None]
        lower, upper = min(numbers), max(numbers)
        if lower == upper:
            raise ParameterError(T.ONE_NUMBER(name=self.name))
        whole = all(number.is_integer() for number in numbers)
        decimals = max(len(repr(number).partition(".")[2]) for number in numbers)
        domain = integer_domain(lower, upper) if whole else real_domain(lower, upper, decimals)
        said = {"unit": writing.unit[:100], "written": writing.example}
        return _with(plan, column, type(domain).model_validate(domain.model_dump() | said))


@dataclass(frozen=True, slots=True)
class WrittenOtherwise:
    """Answers that a declared domain does not read, since the file writes them in another way.

    Attributes:
        column: The column of the plan.
        respondents: Number of those who gave them; of a very long column, at its beginning.
        domains: The domain with how they are written; two where nothing tells which way is right.
    """

    column: ColumnPlan
    respondents: int
    domains: tuple[NumericDomain, ...]

    @classmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        """Returns what most answers of a column are; None where its domain reads them so."""
        domain = column.domain
        if not isinstance(domain, NumericDomain):
            return None
        # Of a column in which nearly every answer differs, some rows.
        texts, _ = texts.sample_of_rows(reading.decimal)
        answered = ~missing_texts(column, texts, reading) & ~texts.blank
        ways: tuple[str, ...]
        if domain.in_digits:
            marked = marked_numbers(texts, answered, reading.decimal)
            if marked is not None and marked.has_plain and not domain.written_how:
                # It reads them, in one of both ways.
                return None
            ways = () if marked is None else tuple(one.example for one in marked.writings)
            unread = 0 if marked is None else marked.unread
        else:
            dates = dates_in(texts, answered)
            ways = () if dates is None else dates.patterns
            unread = 0 if dates is None else dates.unread
        if not ways or domain.written_how in ways:
            return None
        respondents = texts.rows_with(answered) - unread
        return cls(column, respondents, tuple(map(domain.written_as, ways)))

    def problem(self, severity: Severity, reading: Reading) -> Problem:
        """The problem of a plan whose domain does not say how they are written."""
        name, domain = self.column.name, self.column.domain
        assert isinstance(domain, NumericDomain)  # noqa: S101 - `of` asked for one
        options = [f"--declare {shlex.quote(f'{name}={one.declaration}')}" for one in self.domains]
        said = T.ANSWERS_OUTSIDE_DOMAIN__WRITTEN(
            name=name,
            written=any_of([f"“{one.written_how or 'ISO 8601'}”" for one in self.domains]),
            declared=_read_how(domain, reading),
            options=any_of(options),
        )
        return Problem(f"columns.{name}.domain", severity, said)


def numbers_unlike(
    column: ColumnPlan, texts: TextColumn, reading: Reading, unread: Flags
) -> Message | None:
    """Returns how many answers are numbers that another way of reading fits; None for none.

    Some have a decimal comma and some a point, grouped digits, or another minus sign.

    Args:
        column: The column of the plan, with a domain.
        texts: Its answers.
        reading: How the file is read.
        unread: Which distinct texts the domain does not read, shape (distinct_count,).
    """
    domain = column.domain
    if not isinstance(domain, NumericDomain) or not domain.in_digits or not unread.any():
        return None
    unlike = unread & numbers_in_any_way(texts)
    count = texts.rows_with(unlike)
    if not count:
        return None
    return T.NUMBERS_UNLIKE(count=count, declared=_read_how(domain, reading))


def _read_how(domain: NumericDomain, reading: Reading) -> str:
    """How a domain reads its cells, by the number 1234.5."""
    if not domain.in_digits:
        return domain.written_how or "ISO 8601"
    return f"“{domain.written_how or f'1234{reading.decimal}5'}”"


def numbers_alike(column: ColumnPlan, texts: TextColumn, reading: Reading) -> int:
    """Returns how many respondents gave a category as a number that is written in another way.

    A file has 1.0 and 2.0 where its codebook has 1 and 2, since some program kept them as numbers
    with decimals. A category is a text, so that 1.0 is none of these.
    """
    domain = column.domain
    if domain is None or domain.holds_numbers or domain.is_set:
        return 0
    listed = [number_in(value, reading.decimal) for value in domain.listed]
    numbers = texts.numbers(reading.decimal).values
    alike = np.isin(numbers, [number for number in listed if number is not None])
    is_open = ~missing_texts(column, texts, reading) & ~texts.among(domain.listed)
    return texts.rows_with(alike & is_open)


def _with(plan: Plan, column: ColumnPlan, domain: AnyGrid | None) -> Plan:
    """Returns the plan with a domain that was read off the answers."""
    if domain is None:
        return plan
    return plan.with_column(
        column.name,
        kind=domain.kinds[0],
        domain=domain,
        provenance="suggested",
        confirmed=False,
        missing=suited(column.missing, domain),
    )


def _as_texts(plan: Plan, table: SurveyTable, name: str) -> Plan:
    """Returns the plan with a column of categories, or of free text where they are too many."""
    try:
        return set_kind(plan, name, "nominal", table)
    except ParameterError:
        plan = set_kind(plan, name, "identifier", table)
        return plan.with_column(name, role="drop")
