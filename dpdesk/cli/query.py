"""`dpdesk query`: statistics of a trusted file with calibrated noise."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from dpdesk.cli.charge_to import budget_line, told_of_charges
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.plain import plain
from dpdesk.cli.progress import progress_bar
from dpdesk.cli.query_plan import plan_asked
from dpdesk.cli.reading import load_survey
from dpdesk.cost import format_epsilon
from dpdesk.errors import PlanError
from dpdesk.plan import Plan, errors_of, save_plan
from dpdesk.plan.check_statistics import bind_queries, check_statistics, check_statistics_table
from dpdesk.report.statistics.html import ends_text, total_text, value_text
from dpdesk.report.statistics.public import StatisticsReport
from dpdesk.report.statistics.release import tell_statistics, write_statistics_release


def query(options: argparse.Namespace) -> int:
    """Asks and answers; a progress bar shows on a terminal, Ctrl+C leaves no folder behind."""
    plan = plan_asked(options)
    if options.save_plan is not None:
        save_plan(plan, options.save_plan)
    if options.before:
        return _before(plan, options)
    table = load_survey(options)
    with told_of_charges(options, table) as to, progress_bar() as tracker:
        if options.out is None:
            result = tell_statistics(table, plan, tracker, to)
        else:
            result = write_statistics_release(table, plan, options.out, tracker, to)
    if not result.is_kept:
        print("warning: the ledger could not keep these answers.", file=sys.stderr)
    if options.json:
        print(result.report.model_dump_json(indent=2))
        print(plain(budget_line(result.charge)), file=sys.stderr)
        return ExitCode.OK
    print_report(result.report)
    print(plain(budget_line(result.charge)))
    for name in result.files:
        print(f"{options.out / name}")
    return ExitCode.OK


def _before(plan: Plan, options: argparse.Namespace) -> int:
    """Says how far off each answer will be in a table of as many rows."""
    table = load_survey(options)
    problems = errors_of((*check_statistics(plan), *check_statistics_table(plan, table)))
    if problems:
        listed = " ".join(dict.fromkeys(str(problem) for problem in problems))
        raise PlanError(f"The statistics cannot be released. {listed}", problems=problems)
    rows = plan.respondents or table.rows
    confidence = float(plan.statistics.confidence)
    told: list[dict[str, Any]] = []
    for bound in bind_queries(plan):
        error = bound.expected_error(rows, confidence)
        told.append(
            {
                "asked": bound.query.description,
                "half_width": error.half_width,
                "unit": error.unit,
                "basis": error.basis,
                "epsilon": format_epsilon(bound.query.epsilon),
                "cells": len(bound.keys),
                "derivations": list(bound.derivations),
            }
        )
    if options.json:
        total = format_epsilon(plan.statistics.epsilon)
        content = {"confidence": confidence, "epsilon": total, "queries": told}
        print(json.dumps(content, indent=2, ensure_ascii=False))
        return ExitCode.OK
    for entry in told:
        print(plain(str(entry["asked"])))
        basis = f" ({entry['basis']})" if entry["basis"] else ""
        size = f"{entry['half_width']:.4g} {entry['unit']}".strip()
        print(plain(f"  ± {size}{basis}, at ε = {entry['epsilon']}"))
        print("\n".join(plain(f"  {sentence}") for sentence in entry["derivations"]))
    print(f"in all ε = {format_epsilon(plan.statistics.epsilon)}; nothing was drawn or charged")
    return ExitCode.OK


def print_report(report: StatisticsReport) -> None:
    """Prints released statistics as lines of text, each with its intervals."""
    for query_of in report.queries:
        print(plain(f"{query_of.name or query_of.asked}  (ε = {query_of.epsilon_asked})"))
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
