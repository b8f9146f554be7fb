"""`dpdesk learn`: what a learner still finds in sanitized answers, against epsilon."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dpdesk.cli.options import add_input, add_output, add_reading, add_value
from dpdesk.cli.request_options import add_request, request_of
from dpdesk.cli.simulation import print_private
from dpdesk.cli.texts import T
from dpdesk.errors import ParameterError
from dpdesk.requests.simulations import LearningRequest

if TYPE_CHECKING:
    from pathlib import Path

    from dpdesk.data.table import SurveyTable
    from dpdesk.engine import Tracker
    from dpdesk.learning.curve import CurvePoint, LearningResult
    from dpdesk.learning.measures import Measured
    from dpdesk.plan import Plan

DESCRIPTION = (
    "Sanitizes the survey at several epsilons, learns from the records to predict one column, and "
    "prints how often that is right, beside learning from the true answers. Nothing is released."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk learn`."""
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help="the survey")
    add_input(parser, "--plan", metavar="PLAN.json", help="the plan that protects it")
    add_request(parser, LearningRequest)
    example = "in place of DATA and a plan, a published experiment: pima, or pima-staircase"
    add_value(parser, "--example", "NAME", example)
    out = "write the curve as a table, for the holder of the data ONLY"
    add_output(parser, "-o", "--out", metavar="CURVE.csv", help=out)
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Learns at every epsilon, and prints and writes the curve."""
    from dpdesk.cli.progress import ProgressLines, progress_bar

    if not options.quiet and "repetitions" not in options.given:
        print(T.HOW_OFTEN(count=options.repetitions), file=sys.stderr, flush=True)
    lines = None if options.quiet else ProgressLines()
    with progress_bar(lines=lines) as tracker:
        result = answered(options, tracker)

    def tell(result: LearningResult) -> None:
        if options.example is not None:
            print(_OF_EXAMPLE)
        _print(result)

    return print_private(options, result, tell)


def answered(options: argparse.Namespace, tracker: Tracker | None = None) -> LearningResult:
    """Returns what is learnt at every epsilon; writes the curve where a file is named."""
    from dpdesk.engine.jobs import untracked
    from dpdesk.learning.curve import run_learning
    from dpdesk.learning.example import LABEL
    from dpdesk.releases.private import refuse_in_release

    if options.out is not None:
        # Before hours of learning.
        refuse_in_release(options.out)
    table, plan = _survey(options)
    request = request_of(LearningRequest, options)
    if not request.label:
        request = replace(request, label=LABEL)
    result = run_learning(table, plan, request, tracker or untracked())
    if options.out is not None:
        _write(options.out, result, overwrite=options.overwrite)
    return result


_OF_EXAMPLE = "The published experiment. Its bounds are those of the data, which no release may do."


def _survey(options: argparse.Namespace) -> tuple[SurveyTable, Plan]:
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.learning.example import example_named
    from dpdesk.plan import load_plan

    if options.example is not None:
        if options.data is not None or options.plan is not None:
            raise ParameterError(T.EXAMPLE_ALONE())
        return example_named(options.example).load()
    if options.data is None or options.plan is None or not options.label:
        raise ParameterError(T.LEARN_NEEDS())
    plan = load_plan(options.plan)
    return look_at_survey(options, plan), plan


def _print(result: LearningResult) -> None:
    from dpdesk.cli.terminal import print_rows, print_table
    from dpdesk.learning.learners import learner_named

    request = result.request
    setting = [
        ("predicted column", request.label),
        ("classes", str(len(result.classes))),
        ("other columns", str(len(result.attributes))),
        ("rows to learn from", f"{result.trained:,}"),
        ("rows to test", f"{result.tested:,}"),
        ("learner", learner_named(request.learner).title),
        ("repetitions", f"{request.repetitions:,}"),
        ("seed", str(request.seed)),
        ("epsilon of", "an attribute" if request.scale == "attribute" else "the whole record"),
        ("F1 and AUC of", "the rarer class" if result.positive else "all classes, averaged"),
        ("weights", result.weighted_by),
        ("used with the noise taken out alone", ", ".join(result.unreadable)),
        ("not used", ", ".join(result.left_out)),
    ]
    print_rows([row for row in setting if row[1]])
    rows = [
        (
            "" if point is None else "plan" if point.is_plan else f"{point.epsilon:g}",
            "" if point is None else f"{point.record_epsilon:.4g}",
            _LEARNT.get(learnt, learnt),
            tested,
            *(f"{each:.4f}" for each in (measured.accuracy.mean, measured.accuracy.deviation)),
            *(f"{each.mean:.4f}" for each in (measured.f1, measured.auc)),
        )
        for point, learnt, tested, measured in _lines(result)
    ]
    head = ("epsilon", "record", "learnt from", "tested on", "accuracy", "sd", "F1", "AUC")
    print()
    print_table([head, *rows], texts=4)
    print(T.NOISE_OF_TEST())


_LEARNT = {"naive": "sanitized answers", "corrected": "the same, noise taken out"}


def _lines(result: LearningResult) -> Iterator[tuple[CurvePoint | None, str, str, Measured]]:
    """Yields point of the curve, what is learnt from, what is tested on, and what it is worth."""
    for point in result.points:
        for line in point.lines:
            yield point, line.learnt, line.tested, line.measured
    yield None, "true data", "true", result.true
    yield None, "commonest class", "true", result.guess


_PRIVATE = "for the holder of the data only"
_HEADER = (
    "epsilon",
    "record_epsilon",
    "learnt",
    "tested",
    *(
        f"{measure}_{part}"
        for measure in ("accuracy", "f1", "auc")
        for part in ("mean", "sd", "lower", "upper")
    ),
    # Each row says so: whoever meets the file alone, or a part of it, is told.
    "private",
)


def _write(path: Path, result: LearningResult, *, overwrite: bool) -> None:
    from dpdesk.data.write_csv import write_table_csv

    def numbers(measured: Measured) -> list[float]:
        spreads = (measured.accuracy, measured.f1, measured.auc)
        return [n for s in spreads for n in (s.mean, s.deviation, s.lower, s.upper)]

    rows: list[list[str | float | None]] = [
        [
            None if point is None else "plan" if point.is_plan else point.epsilon,
            None if point is None else point.record_epsilon,
            learnt,
            tested,
            *numbers(measured),
            _PRIVATE,
        ]
        for point, learnt, tested, measured in _lines(result)
    ]
    write_table_csv(path, _HEADER, rows, overwrite=overwrite, private=True)
