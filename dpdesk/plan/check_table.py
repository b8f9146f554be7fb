"""Checks of a plan against the data that it is to be run on.

What these checks find is for the holder of the data only; it never enters a public report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import parse_number
from dpdesk.plan.check_strategy import check_group_size
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


class AnswerChecks:
    """Remembers what the answers of each column said, so that an edit reads one column anew.

    What is remembered holds for the same column of the same table, as long as the plan says the
    same of what its answers mean; no mechanism and no epsilon plays a part.
    """

    def __init__(self) -> None:
        self._found: dict[str, tuple[TextColumn, tuple[object, ...], tuple[Problem, ...]]] = {}

    def problems(self, column: ColumnPlan, texts: TextColumn, decimal: str) -> tuple[Problem, ...]:
        """Returns the problems of a column's answers."""
        meaning = (
            decimal,
            column.role,
            column.kind,
            column.domain,
            column.missing,
            column.other,
        )
        known = self._found.get(column.name)
        if known is not None and known[0] is texts and known[1] == meaning:
            return known[2]
        found: tuple[Problem, ...] = ()
        if column.role == "protect" and column.domain is not None:
            found = tuple(_check_answers(column, texts, decimal))
        elif column.role == "keep" and column.kind == "weight":
            found = tuple(_check_weights(column, texts, decimal))
        self._found[column.name] = (texts, meaning, found)
        return found


def check_table(
    plan: Plan,
    table: SurveyTable,
    tick: Callable[[], None] | None = None,
    answers: AnswerChecks | None = None,
) -> tuple[Problem, ...]:
    """Returns every problem that the data add to those of the plan itself.

    Args:
        plan: The plan.
        table: The data.
        tick: Called before each column; may raise to stop.
        answers: What is known of the answers from a check before; it is brought up to date.
    """
    answers = AnswerChecks() if answers is None else answers
    problems = list(_check_names(plan, table))
    if table.rows == 0:
        problems.append(
            Problem("", "error", "no_rows", "The file has no rows.", "Open a file with answers.")
        )
    problems += check_group_size(plan, table.rows)
    known = set(table.names)
    for column in plan.columns:
        if column.name not in known:
            continue
        texts = table.column(column.name)
        if tick is not None:
            tick()
        problems += answers.problems(column, texts, table.source.decimal)
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))


def _check_names(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    planned, given = {column.name for column in plan.columns}, set(table.names)
    for column in plan.columns:
        if column.name not in given and column.role != "drop":
            yield Problem(
                f"columns.{column.name}.name",
                "error",
                "column_not_in_data",
                f"The data have no column {column.name}.",
                "Remove it from the plan, or open the file that the plan was made for.",
            )
    for name in table.names:
        if name not in planned:
            yield Problem(
                f"columns.{name}.name",
                "error",
                "column_not_in_plan",
                f"The plan says nothing of the column {name}.",
                "Add it to the plan: protect it, keep it, or drop it.",
            )


def _check_answers(column: ColumnPlan, texts: TextColumn, decimal: str) -> Iterator[Problem]:
    encoded = encode_column(column, texts, decimal)
    if encoded.uncoded_missing:
        yield Problem(
            f"columns.{column.name}.missing",
            "error",
            "missing_without_policy",
            f"{column.name} has missing answers, and the plan does not say what they become.",
            "Make them a category of their own, or put a declared value in their place.",
        )
    unknown = encoded.uncoded - encoded.uncoded_missing
    if unknown:
        yield Problem(
            f"columns.{column.name}.domain",
            "error",
            "answers_outside_domain",
            f"{unknown:,} answers of {column.name} are not in its domain.",
            'Complete the domain, declare a missing code, or add a category "other".',
        )
    elif encoded.outside:
        yield Problem(
            f"columns.{column.name}.domain",
            "warning",
            "answers_moved",
            f"{encoded.outside:,} answers of {column.name} lie outside its domain and are moved "
            f"{'to ' + chr(34) + 'other' + chr(34) if column.other else 'to the nearest bound'}.",
            "Widen the domain if these answers matter.",
        )


def _check_weights(column: ColumnPlan, texts: TextColumn, decimal: str) -> Iterator[Problem]:
    numbers = [parse_number(text, decimal) for text in texts.distinct]
    if any(number is None or not number > 0 for number in numbers):
        yield Problem(
            f"columns.{column.name}.kind",
            "error",
            "weights_not_positive",
            f"{column.name} has weights that are not positive numbers.",
            "Correct the weights, or drop the column.",
        )


def weights_of(column: ColumnPlan, texts: TextColumn, decimal: str) -> NDArray[np.float64]:
    """Returns the weight of each respondent, shape (n,); the column must have passed its check."""
    numbers = np.array([parse_number(text, decimal) for text in texts.distinct], dtype=np.float64)
    return numbers[texts.codes]
