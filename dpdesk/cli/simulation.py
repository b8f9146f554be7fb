"""What `dpdesk attack` and `dpdesk experiment` share: simulations from true answers."""

from __future__ import annotations

import argparse
from math import log

from dpdesk.cli.files import add_input
from dpdesk.cli.options import add_reading, add_repeated, seed

PRIVATE = (
    "SIMULATION from the survey's true answers: PRIVATE, for the holder of the data only; "
    "not a release."
)
"""The first line of what both commands print."""


def epsilon_text(epsilon: float) -> str:
    """Returns an epsilon as it is asked for: a number, or ln of a small whole one."""
    for number in range(2, 101):
        if epsilon == log(number):
            return f"ln {number}"
    return f"{epsilon:g}"


def add_simulation(parser: argparse.ArgumentParser) -> None:
    """Adds the survey and how it is read, a plan, the seed and --json."""
    add_input(parser, "data", metavar="DATA", help="the survey, CSV or TSV")
    add_input(
        parser,
        "--plan",
        metavar="PLAN.json",
        help="take its protected columns of categories with their declared domains (default: "
        "every column, with its distinct answers)",
    )
    add_repeated(
        parser, "--drop", "COLUMN", "leave a column out, where there is no plan; may be repeated"
    )
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="seed of the simulation (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_reading(parser)


def words(text: str) -> tuple[str, ...]:
    """Words with commas between them, as the type of an option."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def epsilons(text: str) -> tuple[float, ...]:
    """Nominal epsilons such as "1,2.5" or "ln2,ln3", as the type of an option."""
    found = tuple(_epsilon(word) for word in words(text))
    if not found:
        raise argparse.ArgumentTypeError("name at least one epsilon, such as 1 or ln2")
    return found


def _epsilon(word: str) -> float:
    from dpdesk.numbers import real_number, whole_number

    bare = whole_number(word[2:]) if word.startswith("ln") else None
    number = log(bare) if bare is not None and bare > 0 else real_number(word)
    if number is None or not number > 0:
        raise argparse.ArgumentTypeError("an epsilon is a number above 0, such as 1, 2.5 or ln2")
    return number
