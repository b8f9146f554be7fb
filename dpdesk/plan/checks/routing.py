"""The checks of who was asked: as the plan declares it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import domain_type
from dpdesk.errors import ParameterError
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.declared_routing import asked_behind, asked_rules, require_fit
from dpdesk.plan.encoding import encode_column, missing_texts
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.queries.condition import Condition

_EXCEPTIONS = 0.05
"""Share of those not asked who have an answer, up to which they are errors of interviewers."""

_FATES = {"protect": "protected", "keep": "released coarser"}
"""What becomes of a filter question, by its role."""


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
                "asked_of_none",
                f"{name} was asked because of {unknown[0]}, which the plan does not have."
                if unknown
                else f"{name} was asked because of {behind[name]}, and that because of it.",
                "Say under Missing answers who was asked (draft --asked).",
            )
            continue
        wrong = (_misfit(known[one.column], one) for one in asked.any_of)
        if (sentence := next(filter(None, wrong), None)) is not None:
            yield Problem(
                path,
                "error",
                "asked_misfit",
                sentence,
                f"Say under Missing answers of {name} who was asked (draft --asked).",
            )
        for column, through in behind.items():
            condition = f"where {rules[through].condition()}"
            if through != name:
                condition = f"because of {through}, and that only {condition}"
            if column in known:
                told = _blanks_tell(known[name], known[column], condition)
                yield from () if told is None else (told,)


def _blanks_tell(column: ColumnPlan, other: ColumnPlan, condition: str) -> Problem | None:
    """Returns the problem of blanks that show the answer to a filter; None where they do not.

    Args:
        column: The column that was not asked of everybody.
        other: The filter question.
        condition: Where it was asked, as a clause without cells of the data.
    """
    kept = column.role == "keep"
    shows = kept or (column.role == "protect" and column.missing.treatment.stays_blank)
    if not shows or (other.role == "keep" and other.coarsening is None):
        return None
    return Problem(
        f"columns.{column.name}.{'role' if kept else 'missing'}",
        "error" if other.role == "protect" else "warning",
        "blanks_tell_filter",
        f"{column.name} was asked only {condition}, so that its blanks tell an answer to "
        f"{other.name}; {'kept as they are' if kept else 'passed through as blank'} they would "
        f"show it, and {other.name} is "
        f"{_FATES.get(other.role, 'not released')}.",
        _remedy_of_kept_blanks(column)
        if kept
        else 'Protect missing answers, or make "not asked" a category.',
    )


def _remedy_of_kept_blanks(column: ColumnPlan) -> str:
    if domain_type(column.kind) is None:
        return "Fill the blanks in, or drop it."
    return f"Protect {column.name} instead of keeping it, or drop it."


def _misfit(column: ColumnPlan, condition: Condition) -> str | None:
    """Returns why a condition does not fit the domain of its filter; None if it does."""
    try:
        require_fit(column, condition)
    except ParameterError as error:
        return error.message
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
        yield Problem(
            f"columns.{column.name}.missing",
            "warning",
            "asked_differs",
            f"The plan says that {column.name} was asked only where {asked.condition()}; in the "
            f"file {errors:,} of {many:,} who should not have been asked have an answer.",
            "Correct who was asked under Missing answers (draft --asked): a report publishes it.",
            "Of {count} columns many have an answer who should not have been asked: {names}.",
        )


def _texts_meeting(
    condition: Condition, texts: TextColumn, column: ColumnPlan, reading: Reading
) -> Flags:
    """Returns which distinct answers to a filter question meet a condition, "no answer" none."""
    domain = column.effective_domain
    assert domain is not None  # noqa: S101 - the caller leaves such columns out
    met = condition.met(domain, encode_column(column, texts, reading).code_of)
    # A declared value in the place of a missing answer is no answer either.
    return np.asarray(met & ~missing_texts(column, texts, reading))
