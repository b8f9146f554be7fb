"""What `dpdesk draft` says of the plan that it wrote."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from dpdesk.cli.terminal import plain, print_json

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
    from dpdesk.plan import check, check_table, errors_of, grouped, total_epsilon
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
    print(plain(f"total epsilon {total}{_strategy_of(plan)}; plan written to {options.out}"))
    if protection := protection_of_records(plan):
        print(protection)
    _print_loss_of_one(plan)
    errors = errors_of(grouped(problems))
    if errors:
        many = "1 problem" if len(errors) == 1 else f"{len(errors)} problems"
        print(f"{many} to solve before a release:", file=sys.stderr)
        for problem in errors:
            print(f"  {plain(str(problem))}", file=sys.stderr)
    alike = (problem for column in plan.protected for problem in check_alike(column))
    for problem in grouped(alike):
        print(f"note: {plain(str(problem))}", file=sys.stderr)


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
    from dpdesk.i18n import first_names, joined
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
            told.append(f"{rare:,} {'category' if rare == 1 else 'categories'} of {plain(name)}")
        elif ends:
            told.append(f"{'a bound' if ends == 1 else 'both bounds'} of {plain(name)}")
    if held:
        print(
            f"note: texts of {plain(first_names(held, _NAMED))} have blanks or digits, and fewer "
            f"than {RARE} respondents gave some of them, like what somebody wrote. They stay "
            "unconfirmed: look at them ('dpdesk confirm PLAN.json --data DATA'), then confirm each "
            "by its name ('dpdesk confirm PLAN.json COLUMN -o NEW.json').",
            file=sys.stderr,
        )
    if written:
        print(
            f"note: texts of {plain(first_names(written, _NAMED))} have blanks or digits, like "
            "what somebody wrote. --confirm-domains lets a release publish them: look at them "
            "first ('dpdesk confirm PLAN.json --data DATA').",
            file=sys.stderr,
        )
    if told:
        print(
            f"note: fewer than {RARE} respondents gave {joined(told, _NAMED)}. These domains were "
            "read off the data and are confirmed by --confirm-domains: a release publishes them, "
            "and so discloses these answers unless everybody knows that they are possible. "
            "'dpdesk confirm PLAN.json --data DATA' shows them and rounder bounds; draft with "
            "--declare COLUMN=DOMAIN what is known without the data.",
            file=sys.stderr,
        )
    return frozenset(held)


def _strategy_of(plan: Plan) -> str:
    """Says why the epsilons of the columns do not add up, where one answer of each is reported."""
    if plan.strategy == "spl" or len(plan.protected) < 2:
        return ""
    what = "reports one of these answers, drawn at random"
    faked = "" if plan.strategy == "smp" else ", and made-up ones for the others"
    return f" for a whole record, since each respondent {what}{faked} (strategy {plan.strategy})"


def _what_becomes_of(column: ColumnPlan) -> str:
    from dpdesk.cost import short_epsilon

    if column.mechanism is not None and column.role == "protect":
        epsilon = short_epsilon(column.mechanism.epsilon)
        return f"{column.mechanism.short}, epsilon {epsilon}"
    if column.role == "unassigned" and column.domain is None and column.kind != "weight":
        return "no domain yet"
    return _ROLES.get(column.role, "")


def _print_loss_of_one(plan: Plan) -> None:
    """Says what one attribute loses where a strategy hides which one was reported."""
    from dpdesk.numbers.digits import epsilon_up
    from dpdesk.plan import hides_the_attribute, loss_of_one_attribute, nominal_epsilon

    if hides_the_attribute(plan):
        print(
            f"epsilon of a single attribute {epsilon_up(loss_of_one_attribute(plan))}; the papers "
            f"on this strategy state epsilon {nominal_epsilon(plan):.4f}"
        )


def _content(plan: Plan, written: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    from dpdesk.cli.check import problem_entry
    from dpdesk.cost import format_epsilon
    from dpdesk.plan import loss_of_one_attribute, total_epsilon

    columns: list[dict[str, Any]] = []
    for column in plan.columns:
        mechanism = column.mechanism if column.role == "protect" else None
        columns.append(
            {
                "name": column.name,
                "kind": column.kind,
                "role": column.role,
                "mechanism": None if mechanism is None else mechanism.kind,
                "epsilon": None if mechanism is None else format_epsilon(mechanism.epsilon),
            }
        )
    return {
        "written": written,
        "strategy": plan.strategy,
        "epsilon_total": format_epsilon(total_epsilon(plan)),
        "epsilon_of_one_attribute": loss_of_one_attribute(plan),
        "columns": columns,
        "problems": [problem_entry(problem) for problem in problems],
    }
