"""`dpdesk learn`: what a learner still finds in sanitized answers, against epsilon."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from dpdesk.cli.options import add_input, add_output, add_reading, add_value
from dpdesk.cli.request_options import add_request, request_of
from dpdesk.cli.simulation import print_private
from dpdesk.errors import ParameterError
from dpdesk.requests.simulations import LearningRequest

if TYPE_CHECKING:
    from pathlib import Path

    from dpdesk.data.table import SurveyTable
    from dpdesk.engine import Tracker
    from dpdesk.learning.curve import LearningResult
    from dpdesk.learning.measures import Measured
    from dpdesk.plan import Plan

DESCRIPTION = (
    "Sanitizes the survey again and again at several epsilons, learns from the records to "
    "predict one column, and prints how often that is right: learnt from the records as they "
    "are, with the noise taken out, from the true answers, and by always guessing the "
    "commonest class. Nothing is released."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk learn`."""
    add_input(parser, "data", table=True, nargs="?", metavar="DATA", help="the survey")
    add_input(parser, "--plan", metavar="PLAN.json", help="the plan that protects it")
    add_request(parser, LearningRequest)
    example = (
        "in place of DATA and a plan, a published experiment that comes with dpdesk: pima, or "
        "pima-staircase"
    )
    add_value(parser, "--example", "NAME", example)
    add_output(
        parser,
        "-o",
        "--out",
        metavar="CURVE.csv",
        help="write the curve as a table, for the holder of the data ONLY",
    )
    add_reading(parser)


def run(options: argparse.Namespace) -> int:
    """Learns at every epsilon, and prints and writes the curve."""
    from dpdesk.cli.progress import ProgressLines, progress_bar

    fewer = f"{options.repetitions} repetitions at each epsilon; --repetitions N asks for fewer"
    if not options.quiet and "repetitions" not in options.given:
        print(fewer, file=sys.stderr, flush=True)
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


_OF_EXAMPLE = (
    "The published experiment. Its bounds are those of the data, which no release may do; its "
    "staircase was bounded by redrawing, which loses more than its epsilon, and dpdesk's does not."
)


def _survey(options: argparse.Namespace) -> tuple[SurveyTable, Plan]:
    from dpdesk.cli.reading import look_at_survey
    from dpdesk.learning.example import example_named
    from dpdesk.plan import load_plan

    if options.example is not None:
        if options.data is not None or options.plan is not None:
            raise ParameterError(
                "--example has its own survey and plan.",
                remedy="Leave out the survey and --plan, or --example.",
            )
        return example_named(options.example).load()
    if options.data is None or options.plan is None or not options.label:
        raise ParameterError(
            "A survey, its plan and the column to predict are needed.",
            remedy="Name all three, such as survey.csv --plan plan.json --label smokes; or try "
            "--example pima.",
        )
    plan = load_plan(options.plan)
    return look_at_survey(options, plan), plan


def _print(result: LearningResult) -> None:
    from dpdesk.learning.learners import learner_named

    request, title = result.request, learner_named(result.request.learner).title
    print(
        f"{request.label} of {len(result.classes)} classes from {len(result.attributes)} other "
        f"columns; {result.trained:,} rows to learn from, {result.tested:,} to test; "
        f"{request.repetitions:,} repetitions, seed {request.seed}"
    )
    whose = "each protected attribute" if request.scale == "attribute" else "the whole record"
    print(f"Epsilons are those of {whose}; “plan” is the plan as it is.")
    if result.positive:
        print("F1 and the area under the curve (AUC) are those of the rarer class.")
    else:
        print("F1 and the area under the curve (AUC) are means over all classes.")
    naive, corrected = f"{title} on sanitized answers", "Naive Bayes, noise taken out"
    for tested, told in (
        ("true", "true answers: what a model is worth"),
        (
            "sanitized",
            "sanitized answers, as published experiments do: part of the loss is the "
            "noise of the test itself",
        ),
    ):
        lines = [line for point in result.points for line in point.lines if line.tested == tested]
        print(f"\nTested on {told}" + ("." if lines else ": not possible here."))
        if not lines:
            continue
        print(f"{'epsilon':<9}{'record':>8}  {naive:<44}{corrected}")
        print(" " * 19 + "  ".join([f"{'accuracy (sd)':<17}{'F1':<9}{'AUC':<16}"] * 2))
        for point in result.points:
            name = "plan" if point.is_plan else f"{point.epsilon:g}"
            cells = (_cells(point.line(learnt, tested)) for learnt in ("naive", "corrected"))
            print(f"{name:<9}{point.record_epsilon:>8.4g}  " + "  ".join(cells).rstrip())
    print("\nTested on true answers, the same at every epsilon:")
    for name, fixed in (
        (f"{title} on true answers", result.true),
        ("Always the commonest class", result.guess),
    ):
        accuracy, f1, auc = (each.mean for each in (fixed.accuracy, fixed.f1, fixed.auc))
        print(f"{name}: accuracy {accuracy:.4f}, F1 {f1:.4f}, AUC {auc:.4f}")
    if _beats_true_answers(result):
        print(
            "“Noise taken out” can be right more often than naive Bayes on true answers: it "
            "corrects for the dependence between columns, which naive Bayes counts as several "
            "pieces of evidence."
        )
    if result.unreadable:
        print(
            f"Reports of {', '.join(result.unreadable)} are no answers: only what takes the noise "
            "out can use them."
        )
    if result.weighted_by:
        print(f"Learning and testing count each respondent by {result.weighted_by}.")
    if result.left_out:
        print(f"Not used, being no answers or without any: {', '.join(result.left_out)}.")


def _beats_true_answers(result: LearningResult) -> bool:
    """Whether the corrected model is anywhere right more often than naive Bayes on true answers."""
    if result.request.learner != "naive_bayes":
        return False
    corrected = (point.line("corrected", "true") for point in result.points)
    return any(
        one is not None and one.accuracy.mean > result.true.accuracy.mean for one in corrected
    )


def _cells(measured: Measured | None) -> str:
    if measured is None:
        return f"{'-':<42}"
    accuracy = f"{measured.accuracy.mean:.4f}"
    if measured.accuracy.deviation:
        accuracy += f" ({measured.accuracy.deviation:.4f})"
    return f"{accuracy:<17}{measured.f1.mean:<9.4f}{measured.auc.mean:<16.4f}"


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
            "plan" if point.is_plan else point.epsilon,
            point.record_epsilon,
            line.learnt,
            line.tested,
            *numbers(line.measured),
            _PRIVATE,
        ]
        for point in result.points
        for line in point.lines
    ]
    rows += [
        [None, None, name, "true", *numbers(measured), _PRIVATE]
        for name, measured in (("true data", result.true), ("commonest class", result.guess))
    ]
    write_table_csv(path, _HEADER, rows, overwrite=overwrite, private=True)
