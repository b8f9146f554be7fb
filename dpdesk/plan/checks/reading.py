"""Checks of the reading: the file is read as was decided before, and its answers fit."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dpdesk.data.header import looks_like_answers
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import format_named
from dpdesk.plan.checks.texts import T
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import EncodedColumn, locate_rows, unknown_respondents
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


def check_reading(plan: Plan) -> Iterator[Problem]:
    """Yields the problem of a reading that is not confirmed to be public knowledge."""
    if plan.reading is not None and not plan.reading_confirmed:
        said = T.READING_UNCONFIRMED(reading=plan.reading.words)
        yield Problem("reading_confirmed", "error", said)
    if has_doubtful_names(plan):
        yield _names_doubtful()


def has_doubtful_names(plan: Plan) -> bool:
    """Tells whether the names of columns may be a respondent's answers, and nobody denied it.

    A file without a header that is read with one loses its first respondent, whose answers become
    names, which every release publishes as they are.
    """
    if plan.reading is None:
        return False
    questions = {question.name: question.in_file for question in plan.reading.questions}
    names = [name for c in plan.columns for name in questions.get(c.name, (c.name,))]
    return _are_doubtful(plan, tuple(names), plan.reading)


def _are_doubtful(plan: Plan, names: tuple[str, ...], reading: Reading) -> bool:
    if plan.names_confirmed or not reading.header_rows or reading.platform:
        return False
    # Other formats have their names beside the answers, not above them.
    return "header_rows" in format_named(reading.format).parts and looks_like_answers(names)


def _names_doubtful() -> Problem:
    return Problem("names_confirmed", "error", T.NAMES_UNCONFIRMED())


def check_reading_of(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problems of a table without rows, or not read as the plan says."""
    if table.rows == 0:
        yield Problem("", "error", T.NO_ROWS())
    if plan.reading is None and table.is_reading_found:
        yield Problem("reading", "error", T.READING_MISSING(reading=table.reading.words))
    elif plan.reading is not None and plan.reading != table.reading:
        said = T.READING_DIFFERS(file=table.reading.words, plan=plan.reading.words)
        yield Problem("reading", "error", said)
    in_file = (table if table.source is None else table.source).names
    # The check of the plan alone says it where the plan has these names.
    if not has_doubtful_names(plan) and _are_doubtful(plan, in_file, table.reading):
        yield _names_doubtful()


def check_fit(
    column: ColumnPlan,
    encoded: EncodedColumn,
    rows: int,
    allowed: Decimal,
    where: str = "",
    advice: str = "",
) -> Iterator[Problem]:
    """Yields the problem of answers outside the declared domain.

    Many of them mean that the domain or the reading does not fit the file: the release would not
    be what was intended, and must not be charged. Who did not answer gave none that could fit, so
    that the share is one of those who did.

    Args:
        column: The column of the plan.
        encoded: Its answers.
        rows: Number of respondents, whether they answered or not.
        allowed: Largest share of such answers; a single one is allowed unless this is 0.
        where: In which rows those stand that cannot be read, as a sentence; empty without any.
        advice: What to do, if that is known better than in general.
    """
    if not encoded.unfit:
        return
    path, answers = f"columns.{column.name}.domain", rows - encoded.missing
    name, unfit, unread = column.name, encoded.unfit, encoded.unreadable
    if too_many_unfit(unfit, answers, allowed):
        said = T.TOO_MANY_UNFIT(
            name=name, unfit=unfit, answers=answers, unread=unread, rows=where, most=_most(allowed)
        )
        yield Problem(path, "error", said, advice=advice)
    else:
        said = T.ANSWERS_UNFIT(name=name, unfit=unfit, answers=answers, unread=unread, rows=where)
        yield Problem(path, "warning", said, advice=advice)


_FINE = 500
"""Grid points beyond which nobody sees that answers are rounded."""


def check_steps(column: ColumnPlan, encoded: EncodedColumn, rows: int) -> Iterator[Problem]:
    """Yields the problem of numbers between two steps of the declared grid: they are rounded.

    A fine grid is no problem, of whole numbers or others: it moves a number by no more than a
    thousandth of the domain, and any noise is larger.

    Args:
        column: The column of the plan.
        encoded: Its answers.
        rows: Number of respondents, whether they answered or not.
    """
    domain = column.domain
    if not encoded.rounded or domain is None or domain.bounds is None:
        return
    if domain.size > _FINE:
        return
    said = T.ANSWERS_ROUNDED(
        count=1,
        names=column.name,
        rounded=encoded.rounded,
        answers=rows - encoded.missing,
        step=f"{domain.bounds[2]} {domain.unit}".strip(),
    )
    yield Problem(f"columns.{column.name}.domain", "warning", said)


_FAR, _FEW_POINTS = 1.5, 0.05
"""Factor and difference beyond which the share of missing answers is far from the supposed one.

The share of those who answered is compared in the same way.
"""


def check_supposed(column: ColumnPlan, encoded: EncodedColumn, rows: int) -> Iterator[Problem]:
    """Yields the problem of a share of missing answers that is far from the supposed one.

    Errors and verdict of the plan are those of the supposed share.

    Args:
        column: The column of the plan.
        encoded: Its answers.
        rows: Number of respondents.
    """
    treatment = column.missing.treatment
    if not treatment.supposes_share or not rows:
        return
    missing = encoded.missing + (encoded.unreadable if treatment.takes_unread else 0)
    share, supposed = missing / rows, float(column.missing.supposed_missing)
    # Where most have no answer, the error goes by how many have one.
    is_near = supposed / 2 <= share <= _FAR * supposed
    is_near &= (1 - supposed) / _FAR <= 1 - share <= 2 * (1 - supposed)
    if is_near or abs(share - supposed) <= _FEW_POINTS or missing == rows:
        return
    said = T.SUPPOSED_SHARE_FAR(
        count=1,
        names=column.name,
        missing=missing,
        answers=rows,
        share=column.missing.supposed_text,
    )
    yield Problem(f"columns.{column.name}.missing", "warning", said)


def check_respondents(
    column: ColumnPlan, table: SurveyTable, allowed: Decimal
) -> Iterator[Problem]:
    """Yields the problem of rows without a respondent, of the file where rows are joined.

    They are left out; many of them mean that the column is the wrong one, or read wrongly.

    Args:
        column: The column of respondents in the plan.
        table: The data, which have it.
        allowed: Largest share of such rows; a single one is allowed unless this is 0.
    """
    is_in_file = column.name in table.in_file.names
    texts = (table.in_file if is_in_file else table).column(column.name)
    rows = texts.rows
    is_unknown = unknown_respondents(column, texts, table.reading)
    unknown = texts.rows_with(is_unknown)
    if not unknown:
        return
    name, path = column.name, f"columns.{column.name}.missing"
    where = locate_rows(texts, is_unknown)
    if too_many_unfit(unknown, rows, allowed):
        said = T.TOO_MANY_UNFIT__RESPONDENTS(
            name=name, unknown=unknown, all=rows, rows=where, most=_most(allowed)
        )
        yield Problem(path, "error", said)
    else:
        said = T.ANSWERS_UNFIT__RESPONDENTS(name=name, unknown=unknown, all=rows, rows=where)
        yield Problem(path, "warning", said)


def too_many_unfit(unfit: int, among: int, allowed: Decimal) -> bool:
    """Tells whether so many rows or answers that do not fit a declaration stop a release.

    Args:
        unfit: Their number.
        among: Number of all rows, or of all answers that were given.
        allowed: Largest share of them; a single one is allowed unless this is 0.
    """
    # A single respondent can neither stop a release nor be disclosed by whether it is stopped.
    return unfit > allowed * among and (unfit > 1 or not allowed)


def _most(allowed: Decimal) -> str:
    return f"{(100 * allowed).normalize():f} %"
