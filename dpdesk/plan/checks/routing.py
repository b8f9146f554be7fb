"""The checks of who was asked: as the plan declares it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.errors import ParameterError
from dpdesk.plan.checks.texts import T
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.declared_routing import asked_behind, asked_rules, require_fit
from dpdesk.plan.encoding import encode_column, missing_texts
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.queries.condition import Condition

_EXCEPTIONS = 0.05
"""Share of those not asked who have an answer, up to which they are errors of interviewers."""


def check_asked(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of who was asked, as the plan declares it."""
    rules = asked_rules(plan)
    known = {column.name: column for column in plan.columns} if rules else {}
    for name, asked in rules.items():
        path, behind = f"columns.{name}.missing", asked_behind(rules, name)
        unknown = [column for column in asked.columns if column not in known]
        if known[name].role == "drop":
            continue
        if unknown or name in behind:
            yield Problem(
                path,
                "error",
                T.ASKED_OF_NONE(name=name, other=unknown[0])
                if unknown
                else T.ASKED_OF_NONE__CIRCLE(name=name, other=behind[name]),
            )
            continue
        wrong = (_misfit(known[one.column], one) for one in asked.any_of)
        if (error := next(filter(None, wrong), None)) is not None:
            yield Problem.of_error(error, path, "asked_misfit")
        for column in behind:
            if column in known:
                yield from _check_blanks(known[name], known[column])


def _check_blanks(column: ColumnPlan, other: ColumnPlan) -> Iterator[Problem]:
    """Yields the problem of blanks that show the answer to a filter.

    Args:
        column: The column that was not asked of everyone.
        other: The filter question.
    """
    is_kept = column.role == "keep"
    shows = is_kept or (column.role == "protect" and column.missing.treatment.stays_blank)
    if not shows or (other.role == "keep" and other.coarsening is None):
        return
    text = T.BLANKS_TELL_FILTER__KEPT if is_kept else T.BLANKS_TELL_FILTER
    yield Problem(
        f"columns.{column.name}.{'role' if is_kept else 'missing'}",
        "error" if other.role == "protect" else "warning",
        text(name=column.name, other=other.name),
    )


def _misfit(column: ColumnPlan, condition: Condition) -> ParameterError | None:
    """Returns why a condition does not fit the domain of its filter; None if it does."""
    try:
        require_fit(column, condition)
    except ParameterError as error:
        return error
    return None


def check_asked_in(plan: Plan, column: ColumnPlan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problem of a file in which many have an answer who should not have been asked.

    Args:
        plan: The plan.
        column: One of its columns.
        table: The data.
    """
    asked = column.missing.asked
    if asked is None or not {column.name, *asked.columns} <= set(table.names):
        return
    known = {one.name: one for one in plan.columns if one.name in asked.columns}
    if len(known) < len(asked.columns) or any(_misfit(known[c.column], c) for c in asked.any_of):
        return
    if any(one.domain is None for one in known.values()):
        return
    texts, reading = table.column(column.name), table.reading
    is_given = ~missing_texts(column, texts, reading)
    filters = [table.column(one.column) for one in asked.any_of]
    misses = [
        ~_texts_meeting(one, answers, known[one.column], reading)
        for one, answers in zip(asked.any_of, filters, strict=True)
    ]
    errors = many = 0
    for own, *others in zip(texts.chunks(), *(one.chunks() for one in filters), strict=True):
        skipped = np.logical_and.reduce([miss[c] for miss, c in zip(misses, others, strict=True)])
        errors += int(np.count_nonzero(skipped & is_given[own]))
        many += int(np.count_nonzero(skipped))
    if errors > _EXCEPTIONS * many:
        said = T.ASKED_DIFFERS(count=1, names=column.name, answers=errors, skipped=many)
        yield Problem(f"columns.{column.name}.missing", "warning", said)


def _texts_meeting(
    condition: Condition, texts: TextColumn, column: ColumnPlan, reading: Reading
) -> Flags:
    """Returns which distinct answers to a filter question meet a condition, "no answer" none."""
    domain = column.effective_domain
    assert domain is not None  # noqa: S101 - the caller leaves such columns out
    met = condition.met(domain, encode_column(column, texts, reading).code_of)
    # A declared value in the place of a missing answer is no answer either.
    return np.asarray(met & ~missing_texts(column, texts, reading))
