"""The plan of a `dpdesk query`: its queries, their epsilons, and the columns it declares."""

from __future__ import annotations

import argparse
import shlex
import sys
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from dpdesk.cli.declaration import declared_column
from dpdesk.cli.draft import with_details
from dpdesk.cli.reading import look_at_survey
from dpdesk.cli.terminal import plain
from dpdesk.cli.texts import T
from dpdesk.cli.whose_rows import with_whose_rows
from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, format_epsilon, split_evenly
from dpdesk.data.reading import Reading
from dpdesk.data.table_format import format_by_ending
from dpdesk.disclosure.columns import unknown_column
from dpdesk.errors import ParameterError
from dpdesk.i18n import quoted
from dpdesk.numbers import exact_number, exact_share
from dpdesk.plan import Plan, load_plan
from dpdesk.plan.checks.statistics import statistics_domains
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import Domains, Query
from dpdesk.queries.noise import GAUSSIAN_KINDS
from dpdesk.queries.phrase import parse_queries

# More than any epsilon, delta or confidence has.
_DIGITS_MAX = 30


def plan_asked(options: argparse.Namespace) -> Plan:
    """Returns the plan of a command: the named one, with what the options add to it."""
    # Without a plan the usual reading of the file's name applies; none is detected from answers.
    usual_reading = Reading(format=format_by_ending(options.data).key)
    usual = Plan(reading=usual_reading, reading_confirmed=True)
    plan = usual if options.plan is None else load_plan(options.plan)
    plan = with_details(plan, title=options.title, curator=options.curator)
    declared = [declared_column(words) for words in options.declare]
    names = {column.name for column in declared}
    if len(names) != len(declared):
        raise ParameterError(T.DECLARED_TWICE())
    others = tuple(column for column in plan.columns if column.name not in names)
    plan = plan.with_columns((*others, *declared))
    statistics = plan.statistics
    if options.query:
        statistics = statistics.with_queries(_queries(options, statistics_domains(plan)))
    elif not statistics.queries:
        raise ParameterError(T.NO_QUERY())
    statistics = _with_unit(statistics, options)
    whose = statistics.unit.respondent_column
    if whose and all(column.name != whose for column in plan.columns):
        identifier = declared_column(f"{whose}=a|b").model_copy(
            update={"kind": "identifier", "domain": None}
        )
        plan = plan.with_columns((*plan.columns, identifier))
    _require_declared(plan, statistics, options)
    return plan.with_fields(statistics=statistics)


def _require_declared(plan: Plan, statistics: Statistics, options: argparse.Namespace) -> None:
    known = {column.name for column in plan.columns if column.effective_domain is not None}
    asked = dict.fromkeys(name for query in statistics.queries for name in query.columns)
    unknown = [name for name in asked if name not in known]
    if unknown:
        # Nobody is asked to declare a name that was mistyped.
        table = look_at_survey(options, plan if options.plan else None, names_alone=True)
        for name in unknown:
            if name not in table.names:
                raise unknown_column(name, table.names)
        name = unknown[0]
        numbers, categories = (shlex.quote(f"{name}={end}") for end in ("LOWER..UPPER", "A|B|C"))
        raise ParameterError(
            T.NOT_DECLARED(names=quoted(unknown), numbers=numbers, categories=categories)
        )


def _queries(options: argparse.Namespace, domains: Domains) -> tuple[Query, ...]:
    fields: dict[str, Any] = {}
    if options.noise is not None:
        fields["noise"] = options.noise
    if options.delta is not None:
        fields["delta"] = _decimal(options.delta, "delta")
    asked: list[Query] = []
    for text in options.query:
        queries = parse_queries(text, domains, **dict(fields))
        asked += queries
        if len(queries) > 1:
            note = T.SEVERAL_STATISTICS(query=plain(quoted([text])), number=len(queries))
            print(note, file=sys.stderr)
    own = ["epsilon" in query.model_fields_set for query in asked]
    asked = [_without_idle_delta(query) for query in asked]
    if options.delta is not None and not any(query.delta for query in asked):
        raise ParameterError(T.IDLE_DELTA())
    if options.epsilon is None:
        if not all(own):
            raise ParameterError(T.NO_EPSILON())
        return tuple(asked)
    total = _decimal(options.epsilon, "epsilon")
    if total <= 0:
        raise ParameterError(T.EPSILON_ABOVE_0())
    spoken_for = sum(
        (query.epsilon for query, has in zip(asked, own, strict=True) if has), Decimal(0)
    )
    if all(own):
        raise ParameterError(T.IDLE_EPSILON())
    if total <= spoken_for:
        used = format_epsilon(spoken_for)
        raise ParameterError(T.ALL_SPOKEN_FOR(total=format_epsilon(total), used=used))
    shares = iter(split_evenly(total - spoken_for, own.count(False)))
    return tuple(
        query if has else _at(query, next(shares)) for query, has in zip(asked, own, strict=True)
    )


def _without_idle_delta(query: Query) -> Query:
    """Removes a delta that a query would be charged for without using it."""
    is_gaussian = query.noise in GAUSSIAN_KINDS and not query.chooses
    return query if is_gaussian or not query.delta else query.changed(delta=Decimal(0))


def _at(query: Query, epsilon: Decimal) -> Query:
    try:
        return query.changed(epsilon=epsilon)
    except ValidationError:
        part, least, most = map(str, (format_epsilon(epsilon), EPSILON_MIN, EPSILON_MAX))
        raise ParameterError(T.BAD_SPLIT(part=part, least=least, most=most)) from None


def _with_unit(statistics: Statistics, options: argparse.Namespace) -> Statistics:
    others = {}
    if options.relation is not None:
        others["relation"] = options.relation.replace("-", "_")
    changes: dict[str, object] = {"unit": with_whose_rows(statistics.unit, options, **others)}
    if options.confidence is not None:
        changes["confidence"] = _confidence(options.confidence)
    return statistics.with_fields(**changes)


def _confidence(text: str) -> Decimal:
    level = exact_share(text)
    if level is None or not 0 < level < 1 or level != level.quantize(Decimal("1e-6")):
        raise ParameterError(T.BAD_CONFIDENCE())
    return level


def _decimal(text: str, name: str) -> Decimal:
    number = exact_number(text)
    if number is None or abs(number.adjusted()) > _DIGITS_MAX or len(text) > _DIGITS_MAX:
        raise ParameterError(T.NO_NUMBER(option=f"--{name}"))
    return number
