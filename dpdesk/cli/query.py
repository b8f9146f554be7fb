"""`dpdesk query`: statistics of a trusted file with calibrated noise."""

from __future__ import annotations

import argparse
import json
import sys
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic import ValidationError

from dpdesk.cli.charge_to import budget_line, told_of_charges
from dpdesk.cli.declare import declared_column
from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.plain import plain
from dpdesk.cli.progress import progress_bar
from dpdesk.cli.reading import load_survey
from dpdesk.cost import format_epsilon
from dpdesk.errors import ParameterError, PlanError
from dpdesk.plan import Plan, errors_of, load_plan, save_plan
from dpdesk.plan.budget import split_evenly
from dpdesk.plan.check_statistics import bind_queries, check_statistics
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import Query
from dpdesk.queries.phrase import parse_query
from dpdesk.report.statistics.html import ends_text, total_text, value_text
from dpdesk.report.statistics.public import StatisticsReport
from dpdesk.report.statistics.release import tell_statistics, write_statistics_release


def query(options: argparse.Namespace) -> int:
    """Asks and answers; a progress bar shows on a terminal, Ctrl+C leaves no folder behind."""
    plan = _plan(options)
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
    if options.json:
        print(result.report.model_dump_json(indent=2))
        print(plain(budget_line(result.charge)), file=sys.stderr)
        return ExitCode.OK
    _print_report(result.report)
    print(plain(budget_line(result.charge)))
    for name in result.files:
        print(f"{options.out / name}")
    return ExitCode.OK


def _plan(options: argparse.Namespace) -> Plan:
    """Returns the plan of a command: the one that is named, with what the words add to it."""
    plan = Plan() if options.plan is None else load_plan(options.plan)
    declared = [declared_column(words) for words in options.declare]
    names = {column.name for column in declared}
    if len(names) != len(declared):
        raise ParameterError("A column is declared twice.", remedy="Declare each column once.")
    others = tuple(column for column in plan.columns if column.name not in names)
    plan = plan.with_columns((*others, *declared))
    statistics = plan.statistics
    if options.query:
        statistics = statistics.with_queries(_queries(options))
    elif not statistics.queries:
        raise ParameterError(
            "Nothing is asked.", remedy='Give --query, such as --query "count by sex".'
        )
    statistics = _with_unit(statistics, options)
    whose = statistics.unit.respondent_column
    if whose and all(column.name != whose for column in plan.columns):
        identifier = declared_column(f"{whose}=a|b").model_copy(
            update={"kind": "identifier", "domain": None}
        )
        plan = plan.with_columns((*plan.columns, identifier))
    return plan.with_fields(statistics=statistics)


def _queries(options: argparse.Namespace) -> tuple[Query, ...]:
    fields: dict[str, Any] = {}
    if options.noise is not None:
        fields["noise"] = options.noise
    if options.delta is not None:
        fields["delta"] = _decimal(options.delta, "delta")
    asked = [parse_query(text, **dict(fields)) for text in options.query]
    own = ["epsilon" in query.model_fields_set for query in asked]
    if options.epsilon is None:
        if not all(own):
            raise ParameterError(
                "The queries have no epsilon.",
                remedy="Give --epsilon TOTAL, or write ; epsilon=... behind each query.",
            )
        return tuple(asked)
    left = _decimal(options.epsilon, "epsilon") - sum(
        (query.epsilon for query, has in zip(asked, own, strict=True) if has), Decimal(0)
    )
    if all(own) or left <= 0:
        raise ParameterError(
            "The queries' own epsilons leave nothing of --epsilon to split.",
            remedy="Raise --epsilon, or leave it out.",
        )
    shares = iter(split_evenly(left, own.count(False)))
    return tuple(
        query if has else query.changed(epsilon=next(shares))
        for query, has in zip(asked, own, strict=True)
    )


def _with_unit(statistics: Statistics, options: argparse.Namespace) -> Statistics:
    unit: dict[str, object] = statistics.unit.model_dump()
    if options.relation is not None:
        unit["relation"] = options.relation.replace("-", "_")
    if options.respondent is not None:
        unit["respondent_column"] = options.respondent
    if options.rows_per_respondent is not None:
        unit["rows_per_respondent"] = options.rows_per_respondent
    changes: dict[str, object] = {"unit": unit}
    if options.confidence is not None:
        changes["confidence"] = _decimal(options.confidence, "confidence")
    try:
        return statistics.with_fields(**changes)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        message = str(first["msg"]).removeprefix("Value error, ")
        raise ParameterError(f"{first['loc'][-1] if first['loc'] else 'unit'}: {message}") from None


def _decimal(text: str, name: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise ParameterError(f"--{name} is not a number.", remedy="Type a number such as 0.5.")
    return number


def _before(plan: Plan, options: argparse.Namespace) -> int:
    """Says how far off each answer will be; the table is read for its number of rows alone."""
    problems = errors_of(check_statistics(plan))
    if problems:
        listed = " ".join(str(problem) for problem in problems[:5])
        raise PlanError(f"The statistics cannot be released. {listed}", problems=problems)
    rows = plan.respondents or load_survey(options).rows
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


def _print_report(report: StatisticsReport) -> None:
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
