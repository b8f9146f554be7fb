"""Checks of a plan against the data that it is run on.

Their findings are for the holder of the data only; they never enter a public report.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache, partial

import numpy as np

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.reading import Reading, encoding_name
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import Categorical, NumericDomain, domain_type, parse_number
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.tally import effective_size
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
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column, missing_texts, rows_told, unread_texts
from dpdesk.plan.given_answers import all_differ, check_rows
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.missing_changes import suggestion_from
from dpdesk.plan.model import Plan
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.open_questions import open_questions
from dpdesk.plan.persons import UNIT_PATH, check_persons, counted_rows_in
from dpdesk.plan.problem import Problem, errors_first
from dpdesk.plan.recognisable import kept_answers, kept_of, what_helps
from dpdesk.plan.writing_questions import (
    WRITE_ALIKE,
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
        yield Problem(
            f"columns.{column.name}.domain",
            "warning",
            "no_bounds",
            f"{column.name} has no domain. {found.reason}",
            "Say under Domain what its answers can be (draft --declare), or drop the column.",
        )


def _check_recognisable(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    try:
        released = as_kept(table, plan)
    except ParameterError:
        # That answers have no level is a problem of their column.
        return
    found = kept_of(plan, released.column, table.rows)
    if found is None or not found.rows_below:
        return
    yield Problem(
        f"columns.{found.names[0]}.role",
        "warning",
        "recognisable",
        f"The plan keeps {found.sentence()}",
        cache(partial(what_helps, plan, released.column, table.rows, table.reading)),
    )


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
        yield Problem(
            UNIT_PATH,
            "warning",
            "rows_of_one_person",
            unit.interval_note,
            "Let one row of each person count, or read the intervals as those of the rows.",
        )
    for column in plan.columns:
        if column.name == whose and whose in table.names:
            yield from check_respondents(column, table, plan.allowed_unfit)
        elif column.name == whose:
            yield column_lacking(column)


require_releasable = Requirement(check, check_table, "The plan cannot be released.")
"""Refuses to release records by a plan with errors."""


def check_names(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields a problem for each column that only the plan, or only the data, has."""
    planned, in_file = {column.name for column in plan.columns}, set(table.names)
    for column in plan.columns:
        if column.name not in in_file and column.role != "drop":
            yield column_lacking(column)
    for name in table.names:
        if name not in planned:
            yield Problem(
                f"columns.{name}.name",
                "error",
                "column_not_in_plan",
                f"The plan says nothing of the column {name}.",
                "Add it to the plan: protect it, keep it, or drop it.",
                "The plan says nothing of {count} columns: {names}.",
            )


def column_lacking(column: ColumnPlan) -> Problem:
    """Returns the problem of a column of the plan that the data do not have."""
    return Problem(
        f"columns.{column.name}.name",
        "error",
        "column_not_in_data",
        f"The data have no column {column.name}.",
        "Remove it from the plan, or open the file that the plan was made for.",
        "The data lack {count} columns of the plan: {names}.",
    )


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
    encoded = encode_column(column, texts, reading)
    yield from (question.problem for question in asked)
    if encoded.uncoded_missing:
        yield Problem(
            f"columns.{column.name}.missing",
            "error",
            "missing_without_policy",
            f"{column.name} has missing answers, and the plan does not say what they become.",
            "Make them a category of their own, or put a declared value in their place.",
        )
    if column.missing.treatment.stays_blank and 0 < encoded.missing == texts.rows:
        yield Problem(
            f"columns.{column.name}.missing",
            "error",
            "nobody_answered",
            f"Nobody answered {column.name}, so that all of its cells would be blank.",
            "Drop the column, or correct what means no answer.",
        )
    yield from _check_identifier(column, texts, reading)
    yield from check_supposed(column, encoded, texts.rows)
    unknown = encoded.uncoded - encoded.uncoded_missing
    told = {one.respondents for one in asked if one.code_word and one.problem.severity == "error"}
    if told & {unknown, encoded.unfit}:
        # What is asked about as codes is not told once more as answers that do not fit.
        return
    otherwise = WrittenOtherwise.of(column, texts, reading) if encoded.unreadable else None
    if otherwise is not None:
        yield otherwise.problem("error", reading)
    elif encoded.outside and (alike := numbers_alike(column, texts, reading)) > 1:
        yield Problem(
            f"columns.{column.name}.domain",
            "error",
            "answers_outside_domain",
            f"{alike:,} answers of {column.name} are not in its domain as the file writes them: "
            "they are numbers of it that are written otherwise, such as 1.0 for 1.",
            "Declare the categories and codes as the file writes them (such as draft --declare "
            f"{shlex.quote(f'{column.name}=1.0|2.0')}), or write whole numbers in the file.",
        )
    elif unknown:
        where, unlike = _unread(column, texts, reading)
        yield Problem(
            f"columns.{column.name}.domain",
            "error",
            "answers_outside_domain",
            f"{unknown:,} {'answer' if unknown == 1 else 'answers'} of {column.name} "
            f"{'is' if unknown == 1 else 'are'} not in its domain. {where}",
            WRITE_ALIKE
            if unlike
            else "Complete the domain, or declare what means no answer and what becomes of missing "
            'answers; of categories, a category "other" will do.',
        )
    elif encoded.unfit:
        has_moved = isinstance(column.domain, NumericDomain) and encoded.unfit > encoded.unreadable
        where, unlike = _unread(column, texts, reading, has_moved=has_moved)
        advice = WRITE_ALIKE if unlike else ""
        yield from check_fit(column, encoded, texts.rows, allowed, where, advice)
    elif encoded.outside:
        yield Problem(
            f"columns.{column.name}.domain",
            "warning",
            "answers_moved",
            f"{encoded.outside:,} {'answer' if encoded.outside == 1 else 'answers'} of "
            f"{column.name} {'lies' if encoded.outside == 1 else 'lie'} outside its domain and "
            f'{"becomes" if encoded.outside == 1 else "become"} "other".',
            "Widen the domain if these answers matter.",
        )
    yield from check_steps(column, encoded, texts.rows)


def _unread(
    column: ColumnPlan, texts: TextColumn, reading: Reading, *, has_moved: bool = False
) -> tuple[str, bool]:
    """Where answers stand that cannot be read, and whether some are numbers in another writing.

    Args:
        column: The column of the plan.
        texts: The answers.
        reading: How the file is read.
        has_moved: Whether others are told beside them, which were moved to a bound.
    """
    unread = unread_texts(column, texts, reading)
    unlike = numbers_unlike(column, texts, reading, unread)
    rows = rows_told(texts, unread, "could not be read" if has_moved else "")
    return f"{rows} {unlike}".strip(), bool(unlike)


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
    yield Problem(
        f"columns.{column.name}.role",
        "warning",
        "answers_all_differ",
        f"All {count:,} answers of {column.name} differ: it looks like an identifier, and its "
        "categories are a list of the respondents.",
        "Leave it out (draft --drop), or declare categories that many people give.",
    )


def _check_kept(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    has_invalid = texts.holding(UNREADABLE)
    spoilt = texts.rows_with(has_invalid)
    if spoilt:
        yield Problem(
            f"columns.{column.name}.role",
            "error",
            "kept_unreadable",
            f"{spoilt:,} answers of {column.name} hold bytes that are invalid in "
            f"{encoding_name(reading.encoding)}, and would be released like that. "
            f"{rows_told(texts, has_invalid)}",
            "Correct the encoding or these answers, or drop the column.",
        )
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
    if wrong.any():
        without = texts.rows_with(wrong)
        yield Problem(
            f"columns.{column.name}.kind",
            "error",
            "weights_not_positive",
            f"Of {texts.rows:,} weights of {column.name}, {without:,} "
            f"{'is not a positive number' if without == 1 else 'are not positive numbers'}, and "
            f"every respondent needs one. {rows_told(texts, wrong)}",
            "Weights are not answers that could be protected or left out: complete them in the "
            "file, or drop the column.",
        )
        return
    worth = effective_size(float(texts.counts @ weights), float(texts.counts @ weights**2))
    if worth < _HARDLY_LESS * texts.rows:
        # The report judges by it too (`parameters`).
        yield Problem(
            f"columns.{column.name}.kind",
            "warning",
            "weights_cost",
            f"With the weights of {column.name}, {texts.rows:,} respondents tell as much as "
            f"{worth:,.0f} without: weighted errors are "
            f"{math.sqrt(texts.rows / worth):.2f} times those of as many without weights.",
            "The errors and verdicts here count this in, as the report will.",
        )
