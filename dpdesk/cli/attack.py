"""`dpdesk attack`: how often an attacker finds out which attribute was real."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from dpdesk.cli.options import Unused, add_choice, add_value, real, whole
from dpdesk.cli.simulation import add_simulation, epsilon_text, epsilons, simulate, words

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.engine import Tracker
    from dpdesk.engine.simulate.attack import AttackResult
    from dpdesk.plan import Plan

ATTACK_VARIANTS = ("grr", "sue-z", "oue-z", "sue-r", "oue-r")
"""The variants of RS+FD that publications attack."""

_ASKED = ("epsilons", "knowledge", "classifier", "synthetic", "compromised", "seed")
"""Options that are fields of a request."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk attack`."""
    parser.description = (
        "Simulates reports of the survey's respondents under RS+FD or RS+RFD and guesses which "
        "attribute of each was real. Nothing is released or written."
    )
    variants = (
        f"variants to attack, with commas between (default: {','.join(ATTACK_VARIANTS)}, or what "
        "the plan says); also rfd-grr, rfd-sue-r, rfd-oue-r"
    )
    add_value(parser, "--variants", "NAMES", variants, read=words)
    add_value(
        parser,
        "--epsilons",
        "NUMBERS",
        "nominal epsilons of the publications for the variants (default: 1,4,10)",
        read=epsilons,
        default=(1.0, 4.0, 10.0),
        unused=[Unused(_attacks_a_plan, "where a plan is attacked as it is")],
    )
    knowledge = (
        "whose real attribute the attacker knows: nobody's, that of some respondents (partial), or "
        "that of some, with the estimates from all reports (full)"
    )
    add_choice(parser, "--knowledge", ("none", "partial", "full"), knowledge, default="none")
    ignorant = Unused(
        lambda options: options.knowledge == "none", "without --knowledge partial or full"
    )
    compromised = "share of the respondents that partial or full knowledge covers (default: 0.1)"
    add_value(
        parser, "--compromised", "SHARE", compromised, read=real, default=0.1, unused=[ignorant]
    )
    exact = "the exact posterior, or boosted trees of scikit-learn or of XGBoost"
    add_choice(parser, "--classifier", ("bayes", "boosting", "xgboost"), exact, default="bayes")
    untrained = Unused(
        lambda options: options.classifier == "bayes",
        "without trees that are trained (--classifier)",
    )
    synthetic = "synthetic profiles per respondent that trees are trained on (default: 5)"
    add_value(parser, "--synthetic", "S", synthetic, read=whole, default=5, unused=[untrained])
    add_simulation(parser)


def _attacks_a_plan(options: argparse.Namespace) -> bool:
    return options.plan is not None and not options.variants


def run(options: argparse.Namespace) -> int:
    """Attacks a plan or a grid of variants and epsilons, and prints the accuracies."""
    from dpdesk.engine.simulate.attack import AttackRequest, run_attack

    request = AttackRequest(
        variants=options.variants or (ATTACK_VARIANTS if options.plan is None else ()),
        **{name: getattr(options, name) for name in _ASKED},
    )

    def attack(table: SurveyTable, plan: Plan | None, tracker: Tracker) -> AttackResult:
        return run_attack(table, plan, request, tracker, dropped=options.drop)

    return simulate(options, attack, _print)


def _print(result: AttackResult) -> None:
    from dpdesk.report.number_text import epsilon_up

    request = result.request
    print("Which attribute of a respondent was real, and which were fake?")
    print(
        f"{result.respondents:,} respondents, {len(result.attributes)} attributes; knowledge: "
        f"{request.knowledge}; classifier: {request.classifier}; seed {request.seed}"
    )
    print(f"A blind guess is right for {100 * result.baseline:.2f} % (1/d).")
    header = ("variant", "epsilon of the papers", "of the whole record", "right", "95 % interval")
    rows = [
        (
            outcome.title,
            epsilon_text(outcome.nominal_epsilon),
            epsilon_up(outcome.record_epsilon),
            f"{100 * outcome.accuracy:.2f} %",
            f"{100 * outcome.lower:.2f} to {100 * outcome.upper:.2f} %",
        )
        for outcome in result.outcomes
    ]
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        cells = (f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        print(f"{row[0]:<{widths[0]}}", *cells, sep="  ")
