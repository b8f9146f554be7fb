"""The release of statistics: codes of a trusted file in, noisy results out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dpdesk.data.table import SurveyTable
from dpdesk.engine.counted_rows import rows_that_count
from dpdesk.engine.jobs import Tracker
from dpdesk.estimation.released import QueryResult, ReleasedStatistics
from dpdesk.numbers.arrays import Mapped
from dpdesk.plan.checks.details import where_no_report_is_written
from dpdesk.plan.checks.statistics import (
    bind_queries,
    require_answerable,
    statistics_domains,
    unused_weights,
)
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.model import Plan, statistics_plan
from dpdesk.plan.problem import grouped
from dpdesk.queries import CodedRows


def release_statistics(
    table: SurveyTable,
    plan: Plan,
    tracker: Tracker,
    charge: Callable[[], object] | None = None,
    *,
    has_report: bool = True,
) -> ReleasedStatistics:
    """Answers every query of a plan with noise.

    Args:
        table: The trusted file.
        plan: The plan with the queries.
        tracker: Progress and cancel; a cancel does not undo the charge.
        charge: Called once, after every check and before anything is drawn; may raise to stop.
        has_report: Whether a report is written; what its head lacks is told of no other.

    Returns:
        The public results.

    Raises:
        PlanError: The statistics have errors, by themselves or on this table; nothing was drawn.
        Cancelled: The user cancelled.
    """
    tracker.progress("Checking the queries", 0.0)
    problems = require_answerable(plan, table, tracker.tick)
    for problem in grouped(problems if has_report else where_no_report_is_written(problems)):
        tracker.warn(str(problem))
    bound = bind_queries(plan)
    if charge is not None:
        tracker.tick()
        charge()
    rows = coded_rows(table, plan, tracker)
    confidence = float(plan.statistics.confidence)
    released = []
    for index, query in enumerate(bound):
        tracker.progress("Adding noise", 0.3 + 0.7 * index / len(bound))
        released.append((query, query.release(rows, confidence)))
    # Rows of one person are alike: intervals that take each for another person are too short.
    is_sample = plan.statistics.unit.rows_per_respondent == 1
    results = tuple(
        QueryResult(
            query,
            tuple(
                one if is_sample else replace(one, total_lower=None, total_upper=None)
                for one in query.informed(statistics, released, confidence)
            ),
        )
        for query, statistics in released
    )
    # Of the rows that count: how many more rows a respondent has is not public.
    public = rows.rows if plan.statistics.unit.rows_are_public else None
    return ReleasedStatistics(statistics_plan(plan, public), public, results, unused_weights(plan))


def coded_rows(table: SurveyTable, plan: Plan, tracker: Tracker | None = None) -> CodedRows:
    """Encodes the columns of the queries, and enforces the bound on a respondent's rows.

    Args:
        table: The trusted file.
        plan: The plan with the queries.
        tracker: Progress and cancel.
    """
    statistics = plan.statistics
    kept = rows_that_count(table, plan)
    domains = statistics_domains(plan)
    codes = {}
    for query in statistics.queries:
        for name in query.columns:
            if name in codes:
                continue
            if tracker is not None:
                tracker.tick()
            texts = table.column(name)
            encoded = encode_column(plan.column(name), texts, table.reading, answers_only=True)
            places = texts.codes if kept is None else kept.of(texts.codes, name)
            codes[name] = Mapped(encoded.code_of, places)
    size = table.rows if kept is None else kept.count
    return CodedRows(size, codes, domains)
