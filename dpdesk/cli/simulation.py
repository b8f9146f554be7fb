"""Simulations from true answers: the common part of `attack`, `experiment` and `learn`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import log
from typing import TYPE_CHECKING, Any, TypeVar

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import add_input, add_reading, add_repeated
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import Plan

ResultT = TypeVar("ResultT", bound=Any)

PRIVATE = (
    "SIMULATION from the survey's true answers: PRIVATE, for the holder of the data only; "
    "not a release."
)


def epsilon_text(epsilon: float) -> str:
    """Returns an epsilon as it is asked for: a number, or ln of a small whole one."""
    for number in range(2, 101):
        if epsilon == log(number):
            return f"ln {number}"
    return f"{epsilon:g}"


def add_simulation(parser: argparse.ArgumentParser) -> None:
    """Adds the survey and how it is read, a plan, and --json."""
    add_input(parser, "data", table=True, metavar="DATA", help="the survey")
    add_simulation_options(parser)


def add_simulation_options(parser: argparse.ArgumentParser) -> None:
    """Adds how the survey is read, a plan, and --json."""
    add_input(
        parser,
        "--plan",
        metavar="PLAN.json",
        help="take its protected columns of categories with their declared domains (default: "
        "every column, with its distinct answers)",
    )
    planned = Unused(
        lambda options: options.plan is not None, "beside --plan, which says what is protected"
    )
    drop = "leave a column out, where there is no plan; may be repeated"
    add_repeated(parser, "--drop", "COLUMN", drop, unused=[planned])
    add_reading(parser)


def read_simulated(options: argparse.Namespace) -> tuple[SurveyTable, Plan | None]:
    """Reads the survey that is simulated, and its plan if one is named."""
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.plan import load_plan

    plan = None if options.plan is None else load_plan(options.plan)
    return look_at_survey(options, plan), plan


def print_private(
    options: argparse.Namespace, result: ResultT, tell: Callable[[ResultT], None]
) -> int:
    """Prints what was simulated from true answers as private, and returns the exit code.

    Args:
        options: The options of the command.
        result: A dataclass.
        tell: Prints it as text.
    """
    from dataclasses import asdict

    from dpdesk.cli.terminal import print_json

    if options.json:
        print_json({"private": True} | asdict(result))
    else:
        print(PRIVATE)
        tell(result)
    return ExitCode.OK


def words(text: str) -> tuple[str, ...]:
    """Reads words with commas between them."""
    return tuple(word.strip() for word in text.split(",") if word.strip())
