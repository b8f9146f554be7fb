"""What has to be said of how answers are written before they are dates or numbers.

03/05/2024 may be in March or in May, and 1,200 a thousand or a little more than one. Nothing is
guessed: the column has no domain until the curator decides.
"""

from __future__ import annotations

import shlex
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from dpdesk.data.date_texts import dates_in, dates_of
from dpdesk.data.marked_numbers import (
    marked_numbers,
    numbers_in_any_way,
    numbers_with_minus_sign,
)
from dpdesk.data.reading import Reading
from dpdesk.data.suggested_grid import integer_domain, real_domain
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import AnyGrid, NumericDomain, domain_type
from dpdesk.domains.written_numbers import Writing, number_reader
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import set_kind
from dpdesk.plan.encoding import missing_texts, number_in
from dpdesk.plan.missing import suited
from dpdesk.plan.model import Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.problem import Problem


def _not_open(what: str) -> tuple[str, str]:
    """Why there is nothing to decide of dates or of numbers, and what to do."""
    wrong = f"Declare other {what}, if these are wrong."
    return f"How the {what} of {{name}} are written is not open.", wrong


@dataclass(frozen=True, slots=True)
class WritingQuestion(OpenQuestion):
    """How cells are written that can be read in several ways, or in none."""

    place: ClassVar[str] = "domain"

    @property
    @abstractmethod
    def declarations(self) -> tuple[tuple[str, str], ...]:
        """When which domain is to be declared, as the command line has it."""

    otherwise: ClassVar[str]
    """What else than a declaration decides it, after "or"."""

    undecided: ClassVar[str]
    """What a plan that leaves it open does not say, a sentence with {people} and {name}."""

    @property
    def problem(self) -> Problem:
        place = f"columns.{self.name}.domain"
        remedy = f"Say so under Domain (draft --declare), or {self.otherwise}."
        undecided = self.undecided.format(people=self.people, name=self.name)
        return Problem(place, "error", "writing_undecided", undecided, remedy)

    def drafting(self, column: ColumnPlan, word: Callable[[str], str]) -> str:
        ways = (
            f"with --declare {word(f'{column.name}={declared}')} {when}"
            for when, declared in self.declarations
        )
        ways = (way.strip() for way in ways)
        return f"{self.sentence(str)} Draft {', or '.join(ways)}"


@dataclass(frozen=True, slots=True)
class DateOrder(WritingQuestion):
    """Dates of which nothing tells whether the day or the month comes first.

    Attributes:
        patterns: Both ways to read them, that with the day first before the other.
    """

    edit: ClassVar[str] = N_("Say how dates of {name} are written")
    none_open: ClassVar[tuple[str, str]] = _not_open("dates")
    hints: ClassVar[tuple[str, str]] = (
        N_("1 date: does the day or the month come first?"),
        N_("{count} dates: does the day or the month come first?"),
    )
    answers: ClassVar[tuple[str, str]] = (N_("Da&y first"), N_("&Month first"))
    undecided: ClassVar[str] = (
        "Nothing in the dates that {people} gave to {name} tells whether the day or the month "
        "comes first."
    )
    otherwise: ClassVar[str] = "drop the column"

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

    def sentence(self, say: Callable[[str], str]) -> str:
        return say(
            N_(
                "Dates that can be read in two ways: nothing in them tells whether the day or the "
                "month comes first."
            )
        )

    @property
    def declarations(self) -> tuple[tuple[str, str], ...]:
        first, second = (f"FIRST..LAST by month as {pattern}" for pattern in self.patterns)
        return ("if the day comes first", first), ("if the month does", second)

    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        texts, column = table.column(self.name), plan.column(self.name)
        answered = ~missing_texts(column, texts, table.reading) & ~texts.blank
        return _with(plan, column, dates_of(texts, answered, self.patterns[not first]))


@dataclass(frozen=True, slots=True)
class MarkedCells(WritingQuestion):
    """Numbers with a unit beside them, with grouped digits or another decimal mark.

    Attributes:
        unread: Number of those who gave anything else.
        writings: How they can be read, in one way or two.
    """

    edit: ClassVar[str] = N_("Say how numbers of {name} are written")
    none_open: ClassVar[tuple[str, str]] = _not_open("numbers")
    hints: ClassVar[tuple[str, str]] = (
        N_("1 answer looks like a number with marks."),
        N_("{count} answers look like numbers with marks."),
    )
    undecided: ClassVar[str] = (
        "What {people} gave to {name} looks like numbers with a unit, grouped digits or another "
        "decimal mark, and nobody said how to read them."
    )
    otherwise: ClassVar[str] = "choose another kind"

    unread: int
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
        return cls(column.name, found.answers - found.unread, found.unread, found.writings)

    @property
    def answers(self) -> tuple[str, str]:
        if len(self.writings) == 1:
            return N_("Read them as &numbers"), N_("They are te&xts")
        first, second = (writing.example.replace("&", "&&") for writing in self.writings)
        return first, second

    def sentence(self, say: Callable[[str], str]) -> str:
        examples = [writing.example for writing in self.writings]
        one = N_(
            "They look like numbers: one thousand two hundred thirty-four and a half would be "
            "written “{example}”."
        )
        two = N_(
            "They look like numbers: one thousand two hundred thirty-four and a half would be "
            "written “{example}”, or “{other}”."
        )
        ways = say(one if len(examples) == 1 else two)
        ways = ways.format(example=examples[0], other=examples[-1])
        if not self.unread:
            return ways
        others = say(N_("{count} are written in another way.")).format(count=f"{self.unread:,}")
        return f"{ways} {others}"

    @property
    def declarations(self) -> tuple[tuple[str, str], ...]:
        listed = []
        for writing, other in zip(self.writings, reversed(self.writings), strict=True):
            unit = f" {writing.unit}" if writing.unit else ""
            declared = f"LOWER..UPPER/STEP{unit} as {writing.example}"
            listed.append((_when(writing, other), declared))
        return tuple(listed)

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
            raise ParameterError(
                "The column holds fewer than two different numbers.", remedy="Drop the column."
            )
        whole = all(number.is_integer() for number in numbers)
        decimals = max(len(repr(number).partition(".")[2]) for number in numbers)
        domain = integer_domain(lower, upper) if whole else real_domain(lower, upper, decimals)
        said = {"unit": writing.unit[:100], "written": writing.example}
        return _with(plan, column, type(domain).model_validate(domain.model_dump() | said))


def _when(writing: Writing, other: Writing) -> str:
    """When numbers are written in one of two ways; empty where there is one."""
    marks = {".": "point", ",": "comma", " ": "blank", "'": "apostrophe"}
    if writing.decimal in (other.grouping, other.decimal) and writing != other:
        return f"if the {marks[writing.decimal]} is the decimal mark"
    if writing.grouping and writing.grouping == other.decimal:
        return f"if the {marks[writing.grouping]} parts thousands"
    return ""


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

    def problem(self, severity: Literal["error", "warning"], reading: Reading) -> Problem:
        """The problem of a plan whose domain does not say how they are written."""
        name, domain = self.column.name, self.column.domain
        assert isinstance(domain, NumericDomain)  # noqa: S101 - `of` asked for one
        ways = [one.written_how or "ISO 8601" for one in self.domains]
        declared = " or ".join(
            f"--declare {shlex.quote(f'{name}={one.declaration}')}" for one in self.domains
        )
        said = _read_how(domain, reading)
        people = "1 respondent" if self.respondents == 1 else f"{self.respondents:,} respondents"
        what = (
            "one thousand two hundred thirty-four and a half as "
            if domain.in_digits
            else "dates as "
        )
        return Problem(
            f"columns.{name}.domain",
            severity,
            "answers_outside_domain",
            f"In what {people} gave to {name} the file writes {what}"
            f"{' or '.join(f'“{one}”' for one in ways)}, and its domain reads {said}: none of "
            "these answers is read.",
            f"Say under Domain how they are written (draft {declared}).",
        )


WRITE_ALIKE = "Write all numbers of the column alike in the file."


def numbers_unlike(column: ColumnPlan, texts: TextColumn, reading: Reading, unread: Flags) -> str:
    """Returns how many answers are numbers that another way of reading fits; empty for none.

    Some have a decimal comma and some a point, grouped digits, or another minus sign.

    Args:
        column: The column of the plan, with a domain.
        texts: Its answers.
        reading: How the file is read.
        unread: Which distinct texts the domain does not read, shape (distinct_count,).
    """
    domain = column.domain
    if not isinstance(domain, NumericDomain) or not domain.in_digits or not unread.any():
        return ""
    unlike = unread & numbers_in_any_way(texts)
    count = texts.rows_with(unlike)
    if not count:
        return ""
    signed = numbers_with_minus_sign(texts, reading.decimal)
    way = "another decimal mark or grouped digits; each way of reading fits some of them alone"
    if not domain.written_how and not np.any(unlike & ~signed):
        way = (
            "the minus sign U+2212 in place of a hyphen, which a domain reads too that is declared "
            f"with “as 1234{reading.decimal}5” behind it"
        )
    return (
        f"{count:,} of them {'is a number' if count == 1 else 'are numbers'}, written in another "
        f"way than {_read_how(domain, reading)}, as its domain reads: with {way}."
    )


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
