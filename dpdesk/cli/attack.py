"""`dpdesk attack`: how often an attacker finds out which attribute was real."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.given import refuse_ignored
from dpdesk.cli.progress import progress_bar
from dpdesk.cli.reading import look_at_survey
from dpdesk.cli.simulation_options import ATTACK_VARIANTS, PRIVATE, epsilon_text
from dpdesk.cli.terminal import print_json
from dpdesk.engine.simulate.attack import AttackRequest, AttackResult, run_attack
from dpdesk.plan import load_plan
from dpdesk.report.number_text import epsilon_up


def attack(options: argparse.Namespace) -> int:
    """Attacks a plan or a grid of variants and epsilons, and prints the accuracies."""
    if options.plan is not None:
        refuse_ignored(options, {"drop"}, "beside --plan, which says what is protected")
        if not options.variants:
            refuse_ignored(options, {"epsilons"}, "where a plan is attacked as it is")
    if options.knowledge == "none":
        refuse_ignored(options, {"compromised"}, "without --knowledge partial or full")
    if options.classifier == "bayes":
        refuse_ignored(options, {"synthetic"}, "without trees that are trained (--classifier)")
    plan = None if options.plan is None else load_plan(options.plan)
    request = AttackRequest(
        variants=options.variants or (ATTACK_VARIANTS if plan is None else ()),
        epsilons=options.epsilons,
        knowledge=options.knowledge,
        classifier=options.classifier,
        synthetic=options.synthetic,
        compromised=options.compromised,
        seed=options.seed,
    )
    table = look_at_survey(options, plan)
    with progress_bar() as tracker:
        result = run_attack(table, plan, request, tracker, dropped=options.drop)
    if options.json:
        print_json({"private": True} | asdict(result))
    else:
        _print(result)
    return ExitCode.OK


def _print(result: AttackResult) -> None:
    request = result.request
    print(PRIVATE)
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
