"""What `dpdesk draft` says of the plan that it wrote."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from dpdesk.cli.terminal import plain, print_json, print_note
from dpdesk.cli.texts import T

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import ColumnPlan, Plan, Problem
    from dpdesk.plan.checks.table import AnswerChecks

_ROLES = {"keep": "kept as it is", "drop": "dropped", "unassigned": "not assigned"}


def print_summary(
    plan: Plan, options: argparse.Namespace, table: SurveyTable | None, answers: AnswerChecks
) -> None:
    """Prints the columns of a plan and its epsilon; what is left to solve goes to stderr.

    Args:
        plan: The plan.
        options: The words of `dpdesk draft`.
        table: The survey; None where there is none.
        answers: Caches what is found in the survey.
    """
    from dpdesk.cost import short_epsilon
    from dpdesk.numbers.digits import epsilon_up
    from dpdesk.plan import (
        check,
        check_table,
        errors_of,
        grouped,
        hides_the_attribute,
        loss_of_one_attribute,
        nominal_epsilon,
        total_epsilon,
    )
    from dpdesk.plan.checks.records import check_alike
    from dpdesk.plan.losses import protection_of_records
    from dpdesk.plan.problem import errors_first

    on_answers: tuple[Problem, ...] = ()
    if table is not None and table.rows:
        on_answers = check_table(plan, table, answers=answers)
    problems = errors_first((*check(plan), *on_answers))
    if options.json:
        print_json(_content(plan, str(options.out), problems))
    for column in plan.columns:
        print(f"{plain(column.name)}: {column.kind}, {_what_becomes_of(column)}")
    total = f"{short_epsilon(total_epsilon(plan))}{plan.statistics.unit.rows_words}"
    print(T.TOTAL_EPSILON(epsilon=total))
    if plan.strategy != "spl" and len(plan.protected) > 1:
        # Why the epsilons of the columns do not add up.
        text = T.ONE_REPORTED if plan.strategy == "smp" else T.ONE_REPORTED_WITH_FAKES
        print(text(strategy=plan.strategy))
    print(plain(T.PLAN_WRITTEN(file=str(options.out))))
    if protection := protection_of_records(plan):
        print(protection)
    if hides_the_attribute(plan):
        one, stated = epsilon_up(loss_of_one_attribute(plan)), f"{nominal_epsilon(plan):.4f}"
        print(T.EPSILON_OF_ONE(epsilon=one, stated=stated))
    errors = errors_of(grouped(problems))
    if errors:
        print(T.TO_SOLVE(count=len(errors)), file=sys.stderr)
        for problem in errors:
            print(f"  {plain(str(problem))}", file=sys.stderr)
    alike = (problem for column in plan.protected for problem in check_alike(column))
    for problem in grouped(alike):
        print_note(str(problem))


_NAMED = 8
"""Most columns that the note on few respondents names."""


def print_rare_answers(plan: Plan, table: SurveyTable) -> frozenset[str]:
    """Says which suggested domains follow from a few respondents, whom a release would disclose.

    Args:
        plan: The plan before its domains are confirmed.
        table: The survey.

    Returns:
        The columns of texts that respondents seem to have written: no list of others confirms them.
    """
    from dpdesk.i18n import joined, quoted
    from dpdesk.plan.given_answers import RARE, counted_columns, is_confirmed_by_name

    told: list[str] = []
    written: list[str] = []
    held: list[str] = []
    for name, given in counted_columns(plan, table).items():
        column = plan.column(name)
        if column.provenance != "suggested":
            continue
        rare, ends = len(given.rare_codes), given.at_ends
        if column.sentences:
            (held if is_confirmed_by_name(column, given) else written).append(name)
        if rare and not column.sentences:
            told.append(T.CATEGORIES_OF(count=rare, name=name))
        elif ends:
            told.append(T.BOUNDS_OF(count=ends, name=name))
    if held:
        print_note(T.FREE_TEXT_OF_FEW(names=quoted(held, _NAMED), few=RARE))
    if written:
        print_note(T.FREE_TEXT(names=quoted(written, _NAMED)))
    if told:
        print_note(T.FEW_GAVE(few=RARE, answers=joined(told, _NAMED)))
    return frozenset(held)


def _what_becomes_of(column: ColumnPlan) -> str:
    from dpdesk.cost import short_epsilon

    if column.mechanism is not None and column.role == "protect":
        epsilon = short_epsilon(column.mechanism.epsilon)
        return f"{column.mechanism.short}, epsilon {epsilon}"
    if column.role == "unassigned" and column.domain is None and column.kind != "weight":
        return "no domain yet"
    return _ROLES.get(column.role, "")


def _content(plan: Plan, written: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    from dpdesk.cli.check import problem_entry
    from dpdesk.cost import format_epsilon
    from dpdesk.plan import loss_of_one_attribute, total_epsilon

    used = {c.name: c.mechanism for c in plan.columns if c.mechanism and c.role == "protect"}
    columns = [
        {
            "name": column.name,
            "kind": column.kind,
            "role": column.role,
            "mechanism": used[column.name].kind if column.name in used else None,
            "epsilon": format_epsilon(used[column.name].epsilon) if column.name in used else None,
        }
        for column in plan.columns
    ]
    return {
        "written": written,
        "strategy": plan.strategy,
        "epsilon_total": format_epsilon(total_epsilon(plan)),
        "epsilon_of_one_attribute": loss_of_one_attribute(plan),
        "columns": columns,
        "problems": [problem_entry(problem) for problem in problems],
    }
