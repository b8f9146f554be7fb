"""Checks of the statistics of a plan, without and with the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from dpdesk.data.table import SurveyTable
from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.plan.checks.details import check_details
from dpdesk.plan.checks.reading import (
    check_fit,
    check_reading,
    check_reading_of,
    check_respondents,
    check_steps,
)
from dpdesk.plan.checks.records import (
    check_alike,
    check_budget,
    check_large,
    check_missing,
    unconfirmed,
)
from dpdesk.plan.checks.requirement import Requirement
from dpdesk.plan.checks.texts import T
from dpdesk.plan.checks.usefulness import check_usefulness_of_statistics
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.given_answers import check_rows
from dpdesk.plan.model import Plan
from dpdesk.plan.open_questions import open_questions
from dpdesk.plan.persons import check_persons
from dpdesk.plan.problem import Problem, errors_first
from dpdesk.queries import BoundQuery, Domains, PrivacyUnit, Query


def statistics_domains(plan: Plan) -> Domains:
    """Returns the declared domain of every column, by name."""
    return {
        column.name: domain
        for column in plan.columns
        if (domain := column.effective_domain) is not None
    }


def unused_weights(plan: Plan) -> str:
    """Returns the name of the column of survey weights, which statistics do not use; else empty.

    A bound on each weight would not bound what a respondent moves: weights that were fitted to
    known totals, or to who answered, were computed from the answers of all.
    """
    return next((column.name for column in plan.columns if column.kind == "weight"), "")


def bind_queries(plan: Plan) -> tuple[BoundQuery, ...]:
    """Calibrates every query of a plan.

    Raises:
        ParameterError: A query does not suit the declared domains.
    """
    domains = statistics_domains(plan)
    return tuple(query.bind(domains, plan.statistics.unit) for query in plan.statistics.queries)


def check_statistics(plan: Plan) -> tuple[Problem, ...]:
    """Returns every problem of the statistics of a plan, errors first."""
    problems = [
        *check_usefulness_of_statistics(plan),
        *_check_whole(plan),
        *check_reading(plan),
        *_check_columns(plan),
    ]
    domains = statistics_domains(plan)
    for index, query in enumerate(plan.statistics.queries):
        problems += _check_query(plan, index, query, domains)
    problems += check_details(plan)
    return errors_first(problems)


def check_statistics_table(
    plan: Plan, table: SurveyTable, tick: Callable[[], None] | None = None
) -> tuple[Problem, ...]:
    """Returns every problem of the statistics on the data; arguments as in `check_table`."""
    problems: list[Problem] = []
    problems += [*check_reading_of(plan, table), *check_persons(plan, table)]
    if not plan.statistics.unit.respondent_column:
        problems += check_rows(plan, table.rows)
    problems += _check_reach(plan, table.rows)
    known = set(table.names)
    planned = {column.name for column in plan.columns}
    asked = {name for query in plan.statistics.queries for name in query.columns}
    complete = {
        name: index
        for index, query in enumerate(plan.statistics.queries)
        if getattr(query, "complete", False)
        for name in query.columns
    }
    for name in plan.statistics.columns:
        if name not in known:
            said = T.COLUMN_NOT_IN_DATA(count=1, names=name)
            problems.append(Problem("statistics", "error", said))
            continue
        if name not in planned:
            # `check_statistics` says that the plan does not describe it.
            continue
        column = plan.column(name).labelled_by(table.described.get(name))
        if tick is not None:
            tick()
        if name == plan.statistics.unit.respondent_column:
            problems += check_respondents(column, table, plan.allowed_unfit)
        if column.domain is None:
            continue
        encoded = encode_column(column, table.column(name), table.reading, answers_only=True)
        if name in asked:
            still_open = open_questions(column, table.column(name), table.reading)
            problems += [question.problem for question in still_open]
            problems += check_fit(column, encoded, table.rows, plan.allowed_unfit)
            problems += check_steps(column, encoded, table.rows)
        if name in complete and encoded.uncoded:
            place = f"statistics.queries.{complete[name]}.complete"
            problems.append(Problem(place, "error", T.ANSWERS_MISSING(name=name)))
    return errors_first(problems)


require_answerable = Requirement(check_statistics, check_statistics_table)
"""Refuses to release statistics of a plan with errors."""


def _check_reach(plan: Plan, rows: int) -> Iterator[Problem]:
    """Yields sums that could exceed the range of exact numbers, whatever the answers are."""
    domains = statistics_domains(plan)
    for index, query in enumerate(plan.statistics.queries):
        try:
            bound = query.bind(domains, plan.statistics.unit)
        except ParameterError:
            continue
        if not all(part.holds(rows) for part in bound.parts):
            said = T.SUMS_TOO_LARGE(rows=rows)
            yield Problem(f"statistics.queries.{index}", "error", said)


def _check_whole(plan: Plan) -> Iterator[Problem]:
    statistics = plan.statistics
    if not statistics.queries:
        yield Problem("statistics", "error", T.NO_QUERIES())
    yield from check_budget(statistics.epsilon, statistics.budget, "statistics.budget")
    if statistics.queries and (weights := unused_weights(plan)):
        yield Problem("statistics", "warning", T.WEIGHTS_NOT_USED(name=weights))
    if len(statistics.queries) > 1:
        yield from check_large(statistics.epsilon, "statistics.budget")
    yield from check_unit(plan)


def check_unit(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of the unit that a central release protects."""
    unit = plan.statistics.unit
    whose = unit.respondent_column
    path = "statistics.unit"
    if whose and whose not in {column.name for column in plan.columns}:
        said = T.RESPONDENT_COLUMN_UNKNOWN(name=whose)
        yield Problem(f"{path}.respondent_column", "error", said)
    if unit.rows_per_respondent > 1 and not whose:
        yield Problem(f"{path}.rows_per_respondent", "warning", T.ROWS_PROMISED())


def _check_columns(plan: Plan) -> Iterator[Problem]:
    columns = {column.name: column for column in plan.columns}
    asked = dict.fromkeys(name for query in plan.statistics.queries for name in query.columns)
    for name in asked:
        if name in columns:
            yield from _check_column(columns[name])


def _check_column(column: ColumnPlan) -> Iterator[Problem]:
    if column.domain is None:
        return
    if not column.confirmed:
        yield unconfirmed(column)
    yield from check_alike(column)
    yield from check_missing(column)


def _check_query(plan: Plan, index: int, query: Query, domains: Domains) -> Iterator[Problem]:
    known = {column.name for column in plan.columns}
    place = f"statistics.queries.{index}"
    unknown = [name for name in query.columns if name not in known]
    for name in unknown:
        yield Problem(place, "error", T.COLUMN_UNKNOWN(name=name))
    if unknown:
        return
    read = tuple((name, domains[name]) for name in query.columns if name in domains)
    objection = _objection(query, read, plan.statistics.unit)
    if objection is not None:
        yield Problem.of_error(objection, place, "query_does_not_suit")


@lru_cache(maxsize=2048)
def _objection(
    query: Query, domains: tuple[tuple[str, AnyDomain], ...], unit: PrivacyUnit
) -> ParameterError | None:
    """Why a query does not fit the domains; cached, since a slider changes one query of many."""
    try:
        query.bind(dict(domains), unit)
    except ParameterError as error:
        return error
    return None
