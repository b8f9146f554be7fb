"""What the curator has to decide on: cells like codes, blanks of sets, how answers are written.

None of it is taken for granted: as long as nothing in the plan or the file tells, it is asked.
A file often writes an empty cell both where nothing was ticked and where there was no answer.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from dpdesk.data.column_description import MEANING_MAX, shortened
from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.missing_codes import codes_text
from dpdesk.data.reading import Reading
from dpdesk.data.suspected_codes import labelled_codes, suspected_codes
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import NOTHING, NumericDomain, OptionSet, parse_number
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message, quoted
from dpdesk.numbers.arrays import pieces_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import set_domain, set_marks
from dpdesk.plan.encoding import among_codes, missing_texts, number_in, unread_texts
from dpdesk.plan.missing import protecting
from dpdesk.plan.missing_changes import set_codes
from dpdesk.plan.model import Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.problem import Problem
from dpdesk.plan.texts import T
from dpdesk.plan.writing_questions import DateOrder, MarkedCells


@dataclass(frozen=True, slots=True)
class SuspectedCodes(OpenQuestion):
    """Answers of a column that look like codes of no answer.

    Attributes:
        codes: The answers.
        labels: What those of them mean whose label says that they are no answer.
        blocks: Whether a release would count them as numbers, or move them to a bound.
    """

    edit: ClassVar[str] = N_("Decide on codes of {name}")
    place: ClassVar[str] = "missing"
    answers: ClassVar[tuple[str, str]] = (N_("These mean no answe&r"), N_("They are &answers"))
    codes: tuple[str, ...]
    labels: Mapping[str, str] = field(hash=False)
    blocks: bool

    @classmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        """Returns the codes of a column about which nobody decided.

        Categories and bounds that somebody declared are decided, unless their own label says that
        they are no answer; so is what the column or the reading declares.
        """
        codes, labels = _undecided_codes(column, texts, reading)
        if not codes:
            return None
        found = texts.among(codes)
        are_read = not np.any(found & unread_texts(column, texts, reading))
        gave = texts.rows_with(found)
        is_left_out = column.provenance == "suggested"
        # One respondent stops no release, and the report says how many may lie outside bounds.
        holds_numbers = column.domain is not None and column.domain.holds_numbers
        stops = gave > 1 or not (are_read or holds_numbers)
        blocks = (holds_numbers and bool(labels)) or (is_left_out and stops)
        return cls(column.name, gave, codes, labels, blocks)

    @property
    def named(self) -> str:
        """The codes in one line, with what they mean."""
        return codes_text(self.codes, labels=self.labels)

    @property
    def sentence(self) -> Message:
        missing = shlex.quote(f"{self.name}={self.code_word}")
        return T.CODES_OPEN(codes=self.named, missing=missing, name=shlex.quote(self.name))

    @property
    def code_word(self) -> str:
        return ",".join(codes_text((code,), between=",") for code in self.codes)

    @property
    def problem(self) -> Problem:
        said = T.CODES_UNDECIDED(count=1, names=self.name)
        return Problem(f"columns.{self.name}.missing", "error" if self.blocks else "warning", said)

    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        column = plan.column(self.name)
        missing = column.missing
        if not first:
            answers = missing.changed(answers=(*missing.answers, *self.codes))
            return set_codes(plan, self.name, answers, table)
        labels = {code: shortened(told, MEANING_MAX) for code, told in self.labels.items()}
        coded = missing.changed(
            tokens=(*missing.tokens, *self.codes), labels={**labels, **missing.labels}
        )
        if missing.policy == "none":
            coded = protecting(column.domain, coded)
        return set_codes(plan, self.name, coded, table)


@dataclass(frozen=True, slots=True)
class SetBlanks(OpenQuestion):
    """Blanks of a question with several answers: nothing was ticked, or there was no answer.

    Attributes:
        joined: How its columns are joined; None where its cells hold all options.
        domain: The options.
    """

    edit: ClassVar[str] = N_("Decide on blanks of {name}")
    place: ClassVar[str] = "missing"
    answers: ClassVar[tuple[str, str]] = (N_("They gave no answe&r"), N_("They ticked nothin&g"))
    joined: JoinedColumns | None
    domain: OptionSet

    @classmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        """Returns the blanks of a column about which nobody decided.

        A file that writes another cell where nothing was ticked tells both apart, and so does a
        plan that declares what such a cell holds, or a codebook.
        """
        joined, domain = reading.question_of(column.name), column.domain
        if not isinstance(domain, OptionSet) or column.provenance == "codebook":
            return None
        blanks = _undecided_blanks(column, domain, texts, reading, joined)
        return cls(column.name, blanks, joined, domain) if blanks else None

    @property
    def sentence(self) -> Message:
        nothing, missing = (f"{option} {shlex.quote(value)}" for option, value in self.options)
        return T.BLANKS_OPEN(count=self.respondents, nothing=nothing, missing=missing)

    @property
    def options(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The options for "ticked nothing" and for "no answer", with their values."""
        if self.joined is not None:
            joined = self.joined
            none, missing = (
                joined.model_copy(update={"no_tick": word}).written for word in ("none", "missing")
            )
            return ("--together", none), ("--together", missing)
        return (
            ("--declare", f"{self.name}={self.domain.declaration}:"),
            ("--missing", f"{self.name}=:category"),
        )

    @property
    def problem(self) -> Problem:
        meaning = T.NO_ANSWER_GIVEN() if self.joined is None else T.NOTHING_TICKED()
        said = T.BLANKS_UNDECIDED(count=1, names=self.name, meaning=meaning)
        return Problem(f"columns.{self.name}.missing", "warning", said)

    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        if self.joined is not None:
            no_tick = "missing" if first else "none"
            said = self.joined.model_copy(update={"no_tick": no_tick})
            questions = tuple(
                said if one.name == said.name else one for one in table.reading.questions
            )
            reading = table.reading if plan.reading is None else plan.reading
            plan = plan.with_fields(reading=reading.model_copy(update={"questions": questions}))
        elif not first:
            return set_marks(plan, self.name, nothing="")
        if not first:
            return plan
        column = plan.column(self.name)
        missing = column.missing.changed(empty_decided=True)
        if missing.policy == "none":
            missing = protecting(column.domain, missing)
        return plan.with_column(self.name, missing=missing)


@dataclass(frozen=True, slots=True)
class WholeOptions(OpenQuestion):
    """Options that hold the separator: halves that leave a bracket open or never stand alone.

    Attributes:
        whole: The options with them.
        split: The options if each part is one.
    """

    edit: ClassVar[str] = N_("Say which options {name} has")
    place: ClassVar[str] = "domain"
    answers: ClassVar[tuple[str, str]] = (N_("&One option each"), N_("&Several options"))
    whole: OptionSet
    split: OptionSet

    @classmethod
    def of(cls, column: ColumnPlan, texts: TextColumn, reading: Reading) -> Self | None:
        domain = column.domain
        is_open = column.provenance == "suggested" and isinstance(domain, OptionSet)
        if not is_open or not isinstance(domain, OptionSet) or not domain.joined_values:
            return None
        split = domain.split()
        if split is None:
            return None
        places = [domain.values.index(option) for option in domain.joined_values]
        held = np.asarray(domain.ticked_in(texts.distinct)[:, places].any(axis=1))
        return cls(column.name, texts.rows_with(held), domain, split)

    @property
    def sentence(self) -> Message:
        whole, split = (
            shlex.quote(f"{self.name}={one.declaration}") for one in (self.whole, self.split)
        )
        return T.OPTIONS_OPEN(options=quoted(self.whole.joined_values), whole=whole, split=split)

    @property
    def problem(self) -> Problem:
        said = T.OPTIONS_UNDECIDED(name=self.name)
        return Problem(f"columns.{self.name}.domain", "warning", said)

    def decided(self, plan: Plan, table: SurveyTable, *, first: bool) -> Plan:
        changed = set_domain(plan, self.name, self.whole if first else self.split)
        return changed.with_column(self.name, provenance="declared")


_KINDS: tuple[type[OpenQuestion], ...] = (
    SuspectedCodes,
    SetBlanks,
    DateOrder,
    MarkedCells,
    WholeOptions,
)


def open_questions(
    column: ColumnPlan, texts: TextColumn, reading: Reading
) -> tuple[OpenQuestion, ...]:
    """Returns what is to be decided on in a column.

    Args:
        column: The column of the plan.
        texts: Its answers.
        reading: How the file is read.
    """
    found = (kind.of(column, texts, reading) for kind in _KINDS)
    return tuple(question for question in found if question is not None)


def decide(
    plan: Plan, table: SurveyTable, name: str, kind: type[OpenQuestion], *, first: bool
) -> Plan:
    """Returns the plan with an open question of a column decided.

    Args:
        plan: The plan.
        table: The data.
        name: Name of the column.
        kind: The kind of question.
        first: Whether the first of its two answers is given.

    Raises:
        ParameterError: The column has no such question.
    """
    column = plan.column(name).labelled_by(table.described.get(name))
    question = kind.of(column, table.column(name), table.reading)
    if question is None:
        raise ParameterError(T.NOTHING_OPEN(name=name))
    return question.decided(plan, table, first=first)


def _undecided_codes(
    column: ColumnPlan, texts: TextColumn, reading: Reading
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The codes on which nobody decided, and what those mean of which a label says it."""
    domain = column.domain
    if domain is None:
        return (), {}
    as_numbers = domain.holds_numbers
    known = missing_texts(column, texts, reading)
    decided = column.missing.answers
    known |= among_codes(texts, decided, (), reading.decimal, as_numbers=as_numbers)
    is_declared, bounds = column.provenance != "suggested", None
    # Files that cannot declare codes of no answer label them, and those whose office did not.
    labelled = labelled_codes(texts, column.labels, reading.decimal) & ~known
    if is_declared and isinstance(domain, NumericDomain):
        # Who declares ages from 18 to 99 has decided that 99 is an age, and who declares dates
        # that what can be read as one of them is a date.
        bounds = domain.plain_bounds
        numbers = texts.on_grid(domain, reading.decimal)
        for some in pieces_of(len(numbers)):
            own = numbers[some]
            known[some] |= ~domain.beyond(own) if bounds is None else np.isin(own, bounds[:2])
    elif is_declared:
        for some in pieces_of(texts.distinct_count):
            known[some] |= ~domain.outside(texts.distinct_at(some))
        if column.provenance != "codebook":
            labelled &= ~known
        listed = [number_in(value, reading.decimal) for value in domain.listed]
        steps = [number for number in listed if number is not None]
        if len(steps) == len(listed):
            bounds = min(steps), max(steps), 1.0
    labelled &= texts.counts > 0
    found = suspected_codes(texts, reading.decimal, known, bounds, is_declared=is_declared)
    found = np.union1d(found, np.flatnonzero(labelled))
    undecided: list[str] = texts.dictionary.take(found).to_pylist()
    named = (code for code, place in zip(undecided, found.tolist(), strict=True) if labelled[place])
    return tuple(undecided), {code: _label_of(code, column.labels) for code in named}


def _label_of(code: str, labels: Mapping[str, str]) -> str:
    """The label of a value, which a file may write otherwise: 9.0 for 9."""
    number = parse_number(code)
    alike = (label for value, label in labels.items() if parse_number(value) == number)
    return labels.get(code) or next(alike)


def _undecided_blanks(
    column: ColumnPlan,
    domain: OptionSet,
    texts: TextColumn,
    reading: Reading,
    joined: JoinedColumns | None,
) -> int:
    nothing = texts.rows_with(texts.among((NOTHING,)))
    if joined is not None:
        is_open = not joined.none_column and not joined.no_tick
        return nothing if is_open and set(joined.unticked) == {""} else 0
    if column.missing.empty_decided or domain.nothing != NOTHING or nothing:
        return 0
    return texts.rows_with(texts.blank & missing_texts(column, texts, reading))
