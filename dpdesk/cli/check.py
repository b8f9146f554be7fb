"""`dpdesk check`: every problem of a plan."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_input, add_json, add_reading
from dpdesk.cli.terminal import plain, print_json

if TYPE_CHECKING:
    from dpdesk.plan import Problem


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk check`."""
    parser.description = "Lists every problem of a plan, by itself and on a survey."
    add_input(parser, "plan", metavar="PLAN.json")
    add_input(parser, "data", nargs="?", metavar="DATA", help="the survey, if any")
    add_json(parser)
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Prints the problems; the exit code says whether one of them blocks a release.

    If a plan asks for statistics and gives no column a role, only its statistics are checked.
    """
    from dpdesk.cli.reading import CODES_OF_MISREADING, look_at_survey, seems_written
    from dpdesk.plan import check, check_table, errors_of, grouped, load_plan
    from dpdesk.plan.check_statistics import check_statistics, check_statistics_table

    plan = load_plan(options.plan)
    table = None if options.data is None else look_at_survey(options, plan)
    asks = bool(plan.statistics.queries)
    problems: tuple[Problem, ...] = ()
    if not asks or any(column.role != "unassigned" for column in plan.columns):
        problems += check(plan)
        problems += () if table is None else check_table(plan, table)
    if asks:
        own = check_statistics(plan)
        own += () if table is None else check_statistics_table(plan, table)
        problems += tuple(problem for problem in own if problem not in problems)
    errors = errors_of(problems)
    if options.json:
        print_json({"problems": [_entry(problem) for problem in problems]})
    else:
        # One line for what many columns share.
        problems = grouped(problems)
        errors = errors_of(problems)
        for problem in problems:
            print(f"{problem.severity}: {plain(problem.path)}: {plain(str(problem))}")
        hint = ""
        if table is not None and any(p.code in CODES_OF_MISREADING for p in problems):
            hint = seems_written(options, table.reading)
        if hint:
            print(f"note: {plain(hint)}")
        warnings = len(problems) - len(errors)
        print(f"{_counted(len(errors), 'error')}, {_counted(warnings, 'warning')}")
    return ExitCode.PROBLEMS if errors else ExitCode.OK


def _entry(problem: Problem) -> dict[str, str]:
    from dataclasses import asdict

    entry = asdict(problem)
    # Each column has an entry of its own, so that nothing is told of several.
    del entry["several"]
    return entry


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" + "s" * (number != 1)
