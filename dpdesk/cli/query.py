"""`dpdesk query`: statistics of a trusted file with calibrated noise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from dpdesk.cli.end_of_release import end_of_release
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.options import (
    WHAT_IS_DECLARED,
    add_charge,
    add_choice,
    add_flag,
    add_input,
    add_output,
    add_paper,
    add_place,
    add_repeated,
    add_text,
    add_value,
)
from dpdesk.cli.terminal import plain, print_asked, print_json, try_output
from dpdesk.cli.values import whole
from dpdesk.cli.whose_rows import add_whose_rows
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.requests.unused import Unused

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.estimation.released import ReleasedStatistics
    from dpdesk.plan import Plan, Problem
    from dpdesk.preview.central.request import QueryRequest
    from dpdesk.queries import BoundQuery
    from dpdesk.releases.release import Release
    from dpdesk.reports.statistics.public import StatisticsReport

DESCRIPTION = (
    "Answers questions about a trusted file with calibrated noise (central differential "
    "privacy). What a column can hold is declared: by a plan, or here. Everything that is "
    "answered is charged to the ledger."
)

_ROWS_MAX = 10**12


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk query`."""
    add_input(parser, "data", table=True, metavar="DATA", help="the trusted file")
    _add_queries(parser)
    _add_cost(parser)
    _add_unit(parser)
    _add_results(parser)
    add_charge(parser, _BEFORE)


_BEFORE = Unused(lambda options: options.before, "beside --before: nothing is drawn or charged")
_OWN = Unused(
    lambda options: not options.query and options.plan is not None,
    "without --query: the plan's queries have their own",
)
_ANSWERS = Unused(
    lambda options: not options.before, "without --before: answers use the true number of rows"
)
_NO_HEAD = Unused(
    lambda options: options.before and options.save_plan is None,
    "beside --before: no report is written",
)


def _add_queries(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("what is asked")
    phrase = (
        'such as "mean of age by sex", "count where region is North", "median of income", '
        '"share with age at least 65"; after a semicolon epsilon=, noise=, delta= or name=; may '
        "be repeated (default: the queries of the plan)"
    )
    add_repeated(what, "--query", "PHRASE", phrase)
    add_input(what, "--plan", metavar="PLAN.json", help="a plan that declares the columns")
    domain = f"what a column can hold, as public knowledge: {WHAT_IS_DECLARED}; may be repeated"
    add_repeated(what, "--declare", "COLUMN=DOMAIN", domain)


def _add_cost(parser: argparse.ArgumentParser) -> None:
    cost = parser.add_argument_group("what it costs")
    total = "epsilon of all queries together, split evenly among those without one of their own"
    add_value(cost, "--epsilon", "TOTAL", total, unused=[_OWN])
    kinds = ("geometric", "laplace", "discrete_gaussian", "gaussian", "staircase")
    noise = "the noise of queries that name none (default: geometric, whole-numbered Laplace)"
    add_choice(cost, "--noise", kinds, noise, unused=[_OWN])
    chance = "delta of a Gaussian query: the chance that its bound fails"
    add_value(cost, "--delta", "DELTA", chance, unused=[_OWN])


def _add_unit(parser: argparse.ArgumentParser) -> None:
    unit = parser.add_argument_group("whom it protects")
    relation = (
        "which change is protected: adding or removing a respondent, or replacing the answers of "
        "one, with the number of respondents public (default: the plan's, or add-remove)"
    )
    add_choice(unit, "--relation", ("add-remove", "replace"), relation)
    add_whose_rows(unit)


def _add_results(parser: argparse.ArgumentParser) -> None:
    result = parser.add_argument_group("what comes back")
    add_value(result, "--confidence", "SHARE", "of each interval (default: 0.95)")
    before = (
        "print how far off each answer will be, at --confidence, and why; nothing is drawn or "
        "charged"
    )
    add_flag(result, "--before", before)
    rows = "rows of each group that --before assumes (default: those of the group of middle size)"
    add_value(result, "--group-size", "N", rows, read=whole, unused=[_ANSWERS])
    folder = "write table, plan and report into a new folder"
    add_place(result, "--out", "FOLDER", folder, unused=[_BEFORE], is_made=True)
    saved = "write a plan with these queries"
    add_output(result, "--save-plan", stream=False, metavar="PLAN.json", help=saved)
    add_text(result, "--title", "TEXT", "title of the release, for the report", unused=[_NO_HEAD])
    add_text(result, "--curator", "NAME", "who releases, for the report", unused=[_NO_HEAD])
    add_paper(result, Unused(lambda options: options.out is None, "without --out"))


def run(options: argparse.Namespace) -> int:
    """Asks and answers; a progress bar shows on a terminal, Ctrl+C leaves no folder behind."""
    from dpdesk.cli.progress import stoppable

    with stoppable() as is_stopped:
        return _query(options, is_stopped)


class Asked(NamedTuple):
    """What is asked of a trusted file, checked.

    Attributes:
        table: The file.
        plan: The plan with its queries.
        warnings: What a curator should know before anything is charged.
    """

    table: SurveyTable
    plan: Plan
    warnings: tuple[Problem, ...]


def asked(options: argparse.Namespace, is_stopped: Callable[[], bool]) -> Asked:
    """Returns what is asked; nothing is drawn or charged.

    Args:
        options: The options of the command.
        is_stopped: Whether the user asked to stop.
    """
    from dpdesk.cli.query_plan import plan_asked
    from dpdesk.cli.reading import hint_of_reading, read_survey
    from dpdesk.plan import save_plan
    from dpdesk.plan.checks.statistics import require_answerable

    table, plan = read_survey(options, plan_asked(options), is_stopped)
    if options.save_plan is not None:
        save_plan(plan, options.save_plan, overwrite=options.overwrite)
    with hint_of_reading(options, table):
        # Before anybody is asked whose data these are.
        return Asked(table, plan, tuple(require_answerable(plan, table)))


def answered(
    options: argparse.Namespace,
    what: Asked,
    is_stopped: Callable[[], bool],
    before: Callable[[], None] = lambda: None,
) -> Release[ReleasedStatistics, StatisticsReport]:
    """Answers what is asked with noise.

    Args:
        options: The options of the command.
        what: What is asked.
        is_stopped: Whether the user asked to stop.
        before: Called before anything is charged; may raise.
    """
    from dataclasses import replace

    from dpdesk.cli.charge_to import charging_to
    from dpdesk.cli.progress import progress_bar
    from dpdesk.cli.reading import hint_of_reading
    from dpdesk.releases.release import release
    from dpdesk.releases.statistics import STATISTICS

    table, plan = what.table, what.plan
    with (
        hint_of_reading(options, table),
        charging_to(options, table) as people,
        progress_bar(is_stopped) as tracker,
    ):
        to = replace(people, before=before)
        return release(STATISTICS, table, plan, options.out, tracker, to, options.paper)


def _query(options: argparse.Namespace, is_stopped: Callable[[], bool]) -> int:
    from functools import partial

    from dpdesk.cli.reading import hint_of_reading, tell_warnings

    what = asked(options, is_stopped)
    if options.before:
        tell_warnings(what.warnings)
        with hint_of_reading(options, what.table):
            return _before(what.table, what.plan, options)
    table = what.table
    is_asked_alone = options.json or (options.quiet and options.out is None)
    head = "" if is_asked_alone else plain(f"{table.name}: {table.reading.words}")
    # An answer that cannot be printed must not be charged.
    result = answered(options, what, is_stopped, partial(try_output, head))
    if not result.is_kept:
        print("warning: the ledger could not keep these answers.", file=sys.stderr)

    def unprinted() -> ReleaseError:
        return ReleaseError(
            "The answers were drawn and charged, but the output could not be written.",
            remedy=f"They are kept: 'dpdesk ledger --answers {result.charge.id}' shows them."
            if result.is_kept
            else "They are lost: the ledger could not keep them either.",
        )

    # Answers that no folder holds are all that was paid for: `--quiet` prints them alone.
    tell = partial(print_report, result.report, asked=result.folder is None)
    return end_of_release(options, result, tell, unprinted=unprinted)


def _before(table: SurveyTable, plan: Plan, options: argparse.Namespace) -> int:
    """Prints the expected error of each answer in a table of as many rows."""
    from dpdesk.composition.strength import protection_of, strength_of
    from dpdesk.cost import format_epsilon
    from dpdesk.plan.checks.statistics import bind_queries
    from dpdesk.plan.given_answers import with_counts_of
    from dpdesk.preview.central.request import query_request

    supposed = with_counts_of(plan, table)
    size = options.group_size
    if size is not None and not 1 <= size <= _ROWS_MAX:
        raise ParameterError(
            f"--group-size is a whole number from 1 to {_ROWS_MAX:,}.", remedy="Type such as 500."
        )
    confidence = float(plan.statistics.confidence)
    told = [
        _known_before(query_request(supposed, index), bound, size, confidence)
        for index, bound in enumerate(bind_queries(plan))
    ]
    if options.json:
        total = format_epsilon(plan.statistics.epsilon)
        strength = strength_of(plan.statistics.epsilon)
        content = {
            "confidence": confidence,
            "epsilon": total,
            "strength": strength,
            "queries": told,
        }
        print_json(content)
        return ExitCode.OK
    # What was asked for, which `--quiet` prints too.
    print_asked("".join(f"{line}\n" for line in _lines_before(told)))
    print(protection_of(plan.statistics.cost))
    print(f"in total ε = {format_epsilon(plan.statistics.epsilon)}; nothing was drawn or charged")
    return ExitCode.OK


def _lines_before(told: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for entry in told:
        yield plain(str(entry["asked"]))
        basis = f" ({entry['basis']})" if entry["basis"] else ""
        width = f"{entry['half_width']:.4g} {entry['unit']}".strip()
        yield plain(f"  ± {width}{basis}, at ε = {entry['epsilon']}")
        if entry["if_answers_are_even"]:
            yield plain(f"  if answers are spread evenly: {entry['if_answers_are_even']}")
        yield from (plain(f"  {sentence}") for sentence in entry["derivations"])


def _known_before(
    request: QueryRequest | None, bound: BoundQuery, size: int | None, confidence: float
) -> dict[str, Any]:
    """Returns what is known of an answer before it is drawn.

    Args:
        request: The query, of as many rows as the table is assumed to have.
        bound: The same, calibrated.
        size: Rows of each group; if None, those of the group of middle size, or equal parts of all
            rows where the file does not tell.
        confidence: Coverage of the interval.
    """
    from dpdesk.cost import format_epsilon

    assert request is not None  # noqa: S101 - a query that does not suit has been refused
    rows = request.rows_of_cell if size is None or request.groups == 1 else size
    error = bound.expected_error(rows, confidence)
    basis = error.basis
    if basis and request.groups > 1:
        known = "equal parts" if request.group_shares is None else "the group of middle size"
        own = f"{known} of {request.rows:,} rows; --group-size assumes another number"
        basis += f" ({own if size is None else 'as given'})"
    return {
        "asked": bound.query.description,
        "half_width": error.half_width,
        "unit": error.unit,
        "basis": basis,
        "if_answers_are_even": bound.error_if_even(rows, confidence),
        "groups": request.groups,
        "rows_of_a_group": rows,
        "epsilon": format_epsilon(bound.query.epsilon),
        "cells": len(bound.keys),
        "derivations": list(bound.derivations),
    }


def print_report(report: StatisticsReport, *, asked: bool) -> None:
    """Prints released statistics as lines of text, each with its intervals.

    Args:
        report: The report.
        asked: Whether the lines are what was asked for, which `--quiet` prints; not where they
            repeat what was written into a folder.
    """
    text = "".join(f"{line}\n" for line in _lines_of(report))
    if asked:
        print_asked(text)
    else:
        print(text, end="")


def _lines_of(report: StatisticsReport) -> Iterator[str]:
    from dpdesk.reports.statistics.public import interval_text, value_text

    percent = f"{100 * report.confidence:g} %"
    for query_of in report.queries:
        head = f"{query_of.name or query_of.asked}  (ε = {query_of.epsilon_asked}"
        yield plain(f"{head}; intervals at {percent})")
        for result in query_of.results:
            key = " / ".join(result.key)
            line = f"  {key + ': ' if key else ''}{value_text(query_of, result)}"
            if result.lower is not None:
                ends = interval_text(query_of, result, result.lower, result.upper)
                line += f"   noise {ends}"
            if result.total_lower is not None:
                ends = interval_text(query_of, result, result.total_lower, result.total_upper)
                line += f"   with sampling {ends}"
            if result.outside:
                line += "   (outside its possible range)"
            yield plain(line.replace("\u00a0", " "))
        yield from (f"  {said}" for said in (query_of.sampling_note, query_of.assurance) if said)
