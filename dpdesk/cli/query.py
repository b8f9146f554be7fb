"""`dpdesk query`: statistics of a trusted file with calibrated noise."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from dpdesk.cli.charge_to import budget_line, told_of_charges
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.given import refuse_ignored
from dpdesk.cli.plain import plain
from dpdesk.cli.progress import progress_bar, stoppable
from dpdesk.cli.query_plan import plan_asked
from dpdesk.cli.reading import hint_of_reading, read_survey
from dpdesk.cli.terminal import OutputError, abandon_output, print_json, try_output
from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.estimate.released_statistics import ReleasedStatistics
from dpdesk.plan import Plan, save_plan
from dpdesk.plan.check_statistics import bind_queries
from dpdesk.preview.central.request import QueryRequest, query_request
from dpdesk.queries import BoundQuery
from dpdesk.release.release import Release, release, tell
from dpdesk.release.statistics import STATISTICS
from dpdesk.report.statistics.html import ends_text, total_text, value_text
from dpdesk.report.statistics.public import StatisticsReport

_ROWS_MAX = 10**12


def query(options: argparse.Namespace) -> int:
    """Asks and answers; a progress bar shows on a terminal, Ctrl+C leaves no folder behind."""
    with stoppable() as is_stopped:
        return _query(options, is_stopped)


def _query(options: argparse.Namespace, is_stopped: Callable[[], bool]) -> int:
    if not options.query and options.plan is not None:
        asked = {"epsilon", "noise", "delta"}
        refuse_ignored(options, asked, "without --query: the plan's queries have their own")
    if options.before:
        charged = {"out", "population", "other_people", "cap", "ledger"}
        refuse_ignored(options, charged, "beside --before: nothing is drawn or charged")
    else:
        refuse_ignored(options, {"group_size"}, "without --before: an answer supposes nothing")
    table, plan = read_survey(options, plan_asked(options), is_stopped)
    if options.save_plan is not None:
        save_plan(plan, options.save_plan, overwrite=options.overwrite)
    with hint_of_reading(options, table):
        if options.before:
            return _before(table, plan, options)
        # Before anybody is asked whose data these are.
        STATISTICS.require(plan, table)
        head = "" if options.json else plain(f"{table.name}: {table.reading.words}")
        with told_of_charges(options, table) as people, progress_bar(is_stopped) as tracker:
            # Nobody pays for an answer that has no place to go.
            to = replace(people, before=partial(try_output, head))
            if options.out is None:
                result = tell(STATISTICS, table, plan, tracker, to)
            else:
                result = release(STATISTICS, table, plan, options.out, tracker, to)
    if not result.is_kept:
        print("warning: the ledger could not keep these answers.", file=sys.stderr)
    try:
        _print_result(result, options)
        sys.stdout.flush()
    except (OutputError, BrokenPipeError):
        abandon_output()
    else:
        return ExitCode.OK
    raise ReleaseError(
        "The answers were drawn and charged, but the output could not be written.",
        remedy=f"They are kept: 'dpdesk ledger --answers {result.charge.id}' shows them."
        if result.is_kept
        else "They are lost: the ledger could not keep them either.",
    )


def _print_result(
    result: Release[ReleasedStatistics, StatisticsReport], options: argparse.Namespace
) -> None:
    if options.json:
        print_json(result.report.model_dump(mode="json"))
        print(plain(budget_line(result.charge)), file=sys.stderr)
        return
    print_report(result.report)
    print(plain(budget_line(result.charge)))
    for name in result.files:
        print(f"{options.out / name}")


def _before(table: SurveyTable, plan: Plan, options: argparse.Namespace) -> int:
    """Says how far off each answer will be in a table of as many rows."""
    STATISTICS.require(plan, table)
    supposed = plan.with_fields(respondents=plan.respondents or table.rows)
    size = options.group_size
    if size is not None and not 1 <= size <= _ROWS_MAX:
        raise ParameterError(
            f"--group-size is a whole number from 1 to {_ROWS_MAX:,}.", remedy="Type such as 500."
        )
    confidence = float(plan.statistics.confidence)
    told = [
        _told_before(query_request(supposed, index), bound, size, confidence)
        for index, bound in enumerate(bind_queries(plan))
    ]
    if options.json:
        total = format_epsilon(plan.statistics.epsilon)
        content = {"confidence": confidence, "epsilon": total, "queries": told}
        print_json(content)
        return ExitCode.OK
    for entry in told:
        print(plain(str(entry["asked"])))
        basis = f" ({entry['basis']})" if entry["basis"] else ""
        width = f"{entry['half_width']:.4g} {entry['unit']}".strip()
        print(plain(f"  ± {width}{basis}, at ε = {entry['epsilon']}"))
        print("\n".join(plain(f"  {sentence}") for sentence in entry["derivations"]))
    print(f"in all ε = {format_epsilon(plan.statistics.epsilon)}; nothing was drawn or charged")
    return ExitCode.OK


def _told_before(
    request: QueryRequest | None, bound: BoundQuery, size: int | None, confidence: float
) -> dict[str, Any]:
    """What is known of an answer before it is drawn.

    Args:
        request: What is asked, of as many rows as the table is supposed to have.
        bound: The same, calibrated.
        size: Rows of each group, where that is given; else they are equal parts of all.
        confidence: Coverage of the interval.
    """
    assert request is not None  # noqa: S101 - a query that does not suit has been refused
    rows = request.rows_of_cell if size is None or request.groups == 1 else size
    error = bound.expected_error(rows, confidence)
    basis = error.basis
    if basis and request.groups > 1:
        equal = f"equal parts of {request.rows:,} rows; --group-size supposes another number"
        basis += f" ({equal if size is None else 'as given'})"
    return {
        "asked": bound.query.description,
        "half_width": error.half_width,
        "unit": error.unit,
        "basis": basis,
        "groups": request.groups,
        "rows_of_a_group": rows,
        "epsilon": format_epsilon(bound.query.epsilon),
        "cells": len(bound.keys),
        "derivations": list(bound.derivations),
    }


def print_report(report: StatisticsReport) -> None:
    """Prints released statistics as lines of text, each with its intervals."""
    percent = f"{100 * report.confidence:g} %"
    for query_of in report.queries:
        head = f"{query_of.name or query_of.asked}  (ε = {query_of.epsilon_asked}"
        print(plain(f"{head}; intervals at {percent})"))
        for result in query_of.results:
            key = " / ".join(result.key)
            line = f"  {key + ': ' if key else ''}{value_text(query_of, result)}"
            if result.lower is not None:
                line += f"   noise {ends_text(query_of, result)}"
            if result.total_lower is not None:
                line += f"   with sampling {total_text(query_of, result)}"
            if result.outside:
                line += "   (beyond what it can be)"
            print(plain(line.replace("\u00a0", " ")))
        if query_of.assurance:
            print(f"  {query_of.assurance}")
