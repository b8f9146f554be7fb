"""Checks of a plan against the data that it is run on.

Their findings are for the holder of the data only; they never enter a public report.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

import numpy as np

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.reading import Reading, encoding_name
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import Categorical, domain_type, parse_number
from dpdesk.errors import ParameterError
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms.tally import effective_size
from dpdesk.numbers.digits import significant
from dpdesk.plan.checks.coarsening import check_kept_texts
from dpdesk.plan.checks.formats import check_formats_of
from dpdesk.plan.checks.reading import (
    check_fit,
    check_reading_of,
    check_respondents,
    check_steps,
    check_supposed,
)
from dpdesk.plan.checks.records import check
from dpdesk.plan.checks.requirement import Requirement
from dpdesk.plan.checks.routing import check_asked_in
from dpdesk.plan.checks.statistics import check_unit
from dpdesk.plan.checks.strategy import check_group_size
from dpdesk.plan.checks.texts import T
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column, locate_rows, missing_texts, unread_texts
from dpdesk.plan.given_answers import all_differ, check_rows
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.missing_changes import suggestion_from
from dpdesk.plan.model import Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.open_questions import open_questions
from dpdesk.plan.persons import UNIT_PATH, check_persons, counted_rows_in
from dpdesk.plan.problem import Problem, errors_first
from dpdesk.plan.recognisable import kept_answers, kept_of
from dpdesk.plan.writing_questions import (
    WrittenOtherwise,
    numbers_alike,
    numbers_unlike,
)

_HARDLY_LESS = 0.95
"""Share of the respondents below which it is told what weights cost."""


class AnswerChecks:
    """Caches the problems of each column's answers, so that an edit checks one column again.

    An entry is valid for the same column of the same table, as long as the plan gives its answers
    the same meaning; mechanism and epsilon do not matter.
    """

    def __init__(self) -> None:
        self._found: dict[str, tuple[TextColumn, tuple[object, ...], tuple[Problem, ...]]] = {}
        self._open: dict[
            str, tuple[TextColumn, tuple[ColumnPlan, Reading], tuple[OpenQuestion, ...]]
        ] = {}
        self._kept: tuple[tuple[object, ...], tuple[Problem, ...]] = ((), ())

    def problems(
        self, column: ColumnPlan, texts: TextColumn, reading: Reading, allowed: Decimal
    ) -> tuple[Problem, ...]:
        """Returns the problems of a column's answers.

        Args:
            column: The column of the plan.
            texts: The answers.
            reading: How the file is read.
            allowed: Largest share of answers that may be outside the domain.
        """
        meaning = (
            reading,
            allowed,
            column.role,
            column.kind,
            column.provenance,
            column.domain,
            column.missing,
            column.other,
            column.coarsening,
        )
        known = self._found.get(column.name)
        if known is not None and known[0] is texts and known[1] == meaning:
            return known[2]
        problems: tuple[Problem, ...] = ()
        if column.role == "protect" and column.domain is not None:
            asked = self.open_questions(column, texts, reading)
            problems = tuple(check_answers(column, texts, reading, allowed, asked))
        elif column.role in {"protect", "unassigned"} and column.domain is None:
            asked = self.open_questions(column, texts, reading)
            problems = tuple(one.problem for one in asked)
            problems = problems or tuple(_check_no_bounds(column, texts, reading))
        elif column.role == "unassigned" and column.domain is not None:
            # Before anything is decided the page of the data shows what its domain loses.
            encoded = encode_column(column, texts, reading)
            problems = tuple(check_steps(column, encoded, texts.rows))
        elif column.role == "keep":
            problems = tuple(_check_kept(column, texts, reading))
        self._found[column.name] = (texts, meaning, problems)
        return problems

    def open_questions(
        self, column: ColumnPlan, texts: TextColumn, reading: Reading
    ) -> tuple[OpenQuestion, ...]:
        """Returns what is to be decided on in a column; the arguments are those of `problems`."""
        known = self._open.get(column.name)
        if known is None or known[0] is not texts or known[1] != (column, reading):
            found = open_questions(column, texts, reading)
            known = self._open[column.name] = (texts, (column, reading), found)
        return known[2]

    def recognisable(self, plan: Plan, table: SurveyTable) -> tuple[Problem, ...]:
        """Returns the problem of respondents who stand out on what the plan keeps, if any do."""
        kept = kept_answers(plan)
        texts = tuple(table.column(name) for name in kept if name in table.names)
        columns = [plan.column(name) for name in kept]
        asked = (*texts, *((column.missing, column.coarsening) for column in columns))
        if not (len(asked) == len(self._kept[0]) and asked == self._kept[0]):
            found = () if len(texts) < len(kept) else tuple(_check_recognisable(plan, table))
            self._kept = (asked, found)
        return self._kept[1]


def _check_no_bounds(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    """Yields why none are suggested for a column of which nothing is asked."""
    if domain_type(column.kind) is None or not texts.rows:
        return
    found = suggestion_from(column, texts, reading)
    if found.domain is None:
        said = T.NO_BOUNDS(name=column.name, reason=found.reason)
        yield Problem(f"columns.{column.name}.domain", "warning", said)


def _check_recognisable(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    try:
        released = as_kept(table, plan)
    except ParameterError:
        # That answers have no level is a problem of their column.
        return
    found = kept_of(plan, released.column, table.rows)
    if found is None or not found.rows_below:
        return
    said = T.RECOGNISABLE(kept=found.sentence())
    yield Problem(f"columns.{found.names[0]}.role", "warning", said)


def check_table(
    plan: Plan,
    table: SurveyTable,
    tick: Callable[[], None] | None = None,
    answers: AnswerChecks | None = None,
) -> tuple[Problem, ...]:
    """Returns every problem of the plan on the data.

    Args:
        plan: The plan.
        table: The data.
        tick: Called before each column; may raise to stop.
        answers: The cache of an earlier check; it is updated.
    """
    answers = AnswerChecks() if answers is None else answers
    problems = [*check_reading_of(plan, table), *check_names(plan, table)]
    problems += [*check_persons(plan, table), *_check_respondents(plan, table)]
    problems += check_rows(plan, counted_rows_in(plan, table))
    problems += check_group_size(plan, table.rows)
    problems += answers.recognisable(plan, table)
    problems += check_formats_of(plan, table)
    known = set(table.names)
    for column in plan.columns:
        if column.name not in known:
            continue
        texts = table.column(column.name)
        if tick is not None:
            tick()
        labelled = column.labelled_by(table.described.get(column.name))
        found = answers.problems(labelled, texts, table.reading, plan.allowed_unfit)
        if column.missing.asked is not None and column.role != "drop":
            problems += check_asked_in(plan, column, table)
        problems += found
    return errors_first(problems)


def _check_respondents(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields what is wrong with the column that tells whose row it is."""
    yield from check_unit(plan)
    unit = plan.statistics.unit
    whose = unit.respondent_column
    if unit.interval_note:
        said = T.ROWS_OF_ONE_PERSON(note=unit.interval_note)
        yield Problem(UNIT_PATH, "warning", said)
    for column in plan.columns:
        if column.name == whose and whose in table.names:
            yield from check_respondents(column, table, plan.allowed_unfit)
        elif column.name == whose:
            yield column_lacking(column)


require_releasable = Requirement(check, check_table)
"""Refuses to release records by a plan with errors."""


def check_names(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields a problem for each column that only the plan, or only the data, has."""
    planned, in_file = {column.name for column in plan.columns}, set(table.names)
    for column in plan.columns:
        if column.name not in in_file and column.role != "drop":
            yield column_lacking(column)
    for name in table.names:
        if name not in planned:
            said = T.COLUMN_NOT_IN_PLAN(count=1, names=name)
            yield Problem(f"columns.{name}.name", "error", said)


def column_lacking(column: ColumnPlan) -> Problem:
    """Returns the problem of a column of the plan that the data do not have."""
    said = T.COLUMN_NOT_IN_DATA(count=1, names=column.name)
    return Problem(f"columns.{column.name}.name", "error", said)


def check_answers(
    column: ColumnPlan,
    texts: TextColumn,
    reading: Reading,
    allowed: Decimal,
    asked: Sequence[OpenQuestion],
) -> Iterator[Problem]:
    """Yields the problems of the answers of a column with a domain.

    Args:
        column: The column of the plan.
        texts: The answers.
        reading: How the file is read.
        allowed: Largest share of answers that may be outside the domain.
        asked: What is to be decided on in the column.
    """
    encoded, name = encode_column(column, texts, reading), column.name
    path, answers = f"columns.{name}", texts.rows - encoded.missing
    yield from (question.problem for question in asked)
    if encoded.uncoded_missing:
        yield Problem(f"{path}.missing", "error", T.MISSING_WITHOUT_POLICY(name=name))
    if column.missing.treatment.stays_blank and 0 < encoded.missing == texts.rows:
        yield Problem(f"{path}.missing", "error", T.NOBODY_ANSWERED(name=name))
    yield from _check_identifier(column, texts, reading)
    yield from check_supposed(column, encoded, texts.rows)
    unknown = encoded.uncoded - encoded.uncoded_missing
    codes = {one.respondents for one in asked if one.code_word and one.problem.severity == "error"}
    if codes & {unknown, encoded.unfit}:
        # What is asked about as codes is not shown once more as answers that do not fit.
        return
    otherwise = WrittenOtherwise.of(column, texts, reading) if encoded.unreadable else None
    if otherwise is not None:
        yield otherwise.problem("error", reading)
    elif encoded.outside and (alike := numbers_alike(column, texts, reading)) > 1:
        example = shlex.quote(f"{name}=1.0|2.0")
        said = T.ANSWERS_OUTSIDE_DOMAIN__ALIKE(name=name, answers=alike, example=example)
        yield Problem(f"{path}.domain", "error", said)
    elif unknown:
        rows, advice = _unread(column, texts, reading)
        said = T.ANSWERS_OUTSIDE_DOMAIN(name=name, unknown=unknown, answers=answers, rows=rows)
        yield Problem(f"{path}.domain", "error", said, advice=advice)
    elif encoded.unfit:
        rows, advice = _unread(column, texts, reading)
        yield from check_fit(column, encoded, texts.rows, allowed, rows, advice)
    elif encoded.outside:
        said = T.ANSWERS_MOVED(
            name=name, other=column.other, outside=encoded.outside, answers=answers
        )
        yield Problem(f"{path}.domain", "warning", said)
    yield from check_steps(column, encoded, texts.rows)


def _unread(column: ColumnPlan, texts: TextColumn, reading: Reading) -> tuple[str, str]:
    """In which rows answers cannot be read, and what to do if some are numbers written otherwise.

    Args:
        column: The column of the plan.
        texts: The answers.
        reading: How the file is read.
    """
    unread = unread_texts(column, texts, reading)
    unlike = numbers_unlike(column, texts, reading, unread)
    rows = in_a_row(filter(None, (locate_rows(texts, unread), unlike)))
    return rows, "" if unlike is None else unlike.remedy


def _check_identifier(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    """Yields the problem of categories of which each is the answer of one respondent."""
    # A column of many more texts than categories has another problem.
    domain = column.domain
    if not isinstance(domain, Categorical) or texts.distinct_count > 2 * domain.size:
        return
    is_missing = missing_texts(column, texts, reading) | texts.blank
    if not all_differ(texts, is_missing):
        return
    count = texts.rows - texts.rows_with(is_missing)
    said = T.ANSWERS_ALL_DIFFER(answers=count, name=column.name)
    yield Problem(f"columns.{column.name}.role", "warning", said)


def _check_kept(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    has_invalid = texts.holding(UNREADABLE)
    spoilt = texts.rows_with(has_invalid)
    if spoilt:
        said = T.KEPT_UNREADABLE(
            name=column.name,
            encoding=encoding_name(reading.encoding),
            count=spoilt,
            rows=locate_rows(texts, has_invalid),
        )
        yield Problem(f"columns.{column.name}.role", "error", said)
    otherwise = WrittenOtherwise.of(column, texts, reading)
    if otherwise is not None and column.kept_coarser is None:
        yield otherwise.problem("warning", reading)
    if column.kind == "weight":
        yield from _check_weights(column, texts, reading)
    elif column.coarsening is not None:
        yield from check_kept_texts(column, texts, reading)


def _check_weights(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    numbers = (parse_number(text, reading.decimal) for text in texts.each_distinct())
    or_nan = (math.nan if number is None else number for number in numbers)
    weights = np.fromiter(or_nan, dtype=np.float64, count=texts.distinct_count)
    wrong = ~(weights > 0)
    path = f"columns.{column.name}.kind"
    if wrong.any():
        said = T.WEIGHTS_NOT_POSITIVE(
            name=column.name,
            wrong=texts.rows_with(wrong),
            rows=texts.rows,
            where=locate_rows(texts, wrong),
        )
        yield Problem(path, "error", said)
        return
    worth = effective_size(float(texts.counts @ weights), float(texts.counts @ weights**2))
    if worth < _HARDLY_LESS * texts.rows:
        # The report judges by it too (`parameters`).
        factor = significant(math.sqrt(texts.rows / worth), 3)
        yield Problem(path, "warning", T.WEIGHTS_COST(name=column.name, factor=factor))
