"""The words of `dpdesk attack` and `dpdesk experiment`."""

from __future__ import annotations

import argparse
from math import log

from dpdesk.cli.files import add_input
from dpdesk.cli.words import real, seed, whole
from dpdesk.numbers import real_number, whole_number

PRIVATE = (
    "SIMULATION from the survey's true answers: PRIVATE, for the holder of the data only; "
    "not a release."
)
"""The first line of what both commands print."""

ATTACK_VARIANTS = ("grr", "sue-z", "oue-z", "sue-r", "oue-r")
"""The variants of RS+FD that publications attack."""


def add_attack(parser: argparse.ArgumentParser) -> None:
    """Declares the options of `dpdesk attack`."""
    parser.description = (
        "Simulates reports of the survey's respondents under RS+FD or RS+RFD and guesses which "
        "attribute of each was real. Nothing is released or written."
    )
    _add_data(parser)
    parser.add_argument(
        "--variants",
        type=_words,
        metavar="NAMES",
        help=f"variants to attack, with commas between (default: {','.join(ATTACK_VARIANTS)}, or "
        "what the plan says); also rfd-grr, rfd-sue-r, rfd-oue-r",
    )
    parser.add_argument(
        "--epsilons",
        type=_epsilons,
        default=(1.0, 4.0, 10.0),
        metavar="NUMBERS",
        help="nominal epsilons of the publications for the variants (default: 1,4,10)",
    )
    parser.add_argument(
        "--knowledge",
        choices=("none", "partial", "full"),
        default="none",
        help="the attacker knows the real attribute of nobody, of some respondents, or of some "
        "and uses the estimates from all reports too",
    )
    parser.add_argument(
        "--compromised",
        type=real,
        default=0.1,
        metavar="SHARE",
        help="share of the respondents known to a partial or full knowledge (default: 0.1)",
    )
    parser.add_argument(
        "--classifier",
        choices=("bayes", "boosting", "xgboost"),
        default="bayes",
        help="the exact posterior, or boosted trees of scikit-learn or of XGBoost",
    )
    parser.add_argument(
        "--synthetic",
        type=whole,
        default=5,
        metavar="S",
        help="synthetic profiles per respondent that trees are trained on (default: 5)",
    )
    _add_seed_and_json(parser)


def add_experiment(parser: argparse.ArgumentParser) -> None:
    """Declares the options of `dpdesk experiment`."""
    parser.description = (
        "Simulates surveys with the true counts under several strategies and prints the squared "
        "error of the estimated shares, averaged over values, attributes and repetitions. Nothing "
        "is released or written."
    )
    _add_data(parser)
    parser.add_argument(
        "--strategies",
        type=_words,
        metavar="NAMES",
        help="spl, smp, adp and variants of RS+FD such as grr or oue-z, with commas between "
        "(default: spl,smp,grr,sue-z,sue-r,oue-z,oue-r,adp)",
    )
    parser.add_argument(
        "--epsilons",
        type=_epsilons,
        metavar="NUMBERS",
        help="nominal epsilons of the publications (default: ln2,ln3,ln4,ln5,ln6,ln7)",
    )
    parser.add_argument(
        "--repetitions",
        type=whole,
        default=200,
        metavar="N",
        help="simulated surveys (default: 200)",
    )
    _add_seed_and_json(parser)


def epsilon_text(epsilon: float) -> str:
    """Returns an epsilon as it is asked for: a number, or ln of a small whole one."""
    for number in range(2, 101):
        if epsilon == log(number):
            return f"ln {number}"
    return f"{epsilon:g}"


def _add_data(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "data", metavar="DATA", help="the survey, CSV or TSV")
    add_input(
        parser,
        "--plan",
        metavar="PLAN.json",
        help="take its protected columns of categories with their declared domains (default: "
        "every column, with its distinct answers)",
    )
    parser.add_argument(
        "--drop",
        action="append",
        default=[],
        metavar="COLUMN",
        help="leave a column out, where there is no plan; may be repeated",
    )


def _add_seed_and_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=seed, default=1, metavar="N", help="seed of the simulation (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _epsilons(text: str) -> tuple[float, ...]:
    epsilons = tuple(_epsilon(word) for word in _words(text))
    if not epsilons:
        raise argparse.ArgumentTypeError("name at least one epsilon, such as 1 or ln2")
    return epsilons


def _epsilon(word: str) -> float:
    bare = whole_number(word[2:]) if word.startswith("ln") else None
    number = log(bare) if bare is not None and bare > 0 else real_number(word)
    if number is None or not number > 0:
        raise argparse.ArgumentTypeError("an epsilon is a number above 0, such as 1, 2.5 or ln2")
    return number
