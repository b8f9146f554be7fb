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
from dpdesk.cli.whose_rows import with_whose_rows
from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, format_epsilon, split_evenly
from dpdesk.data.reading import Reading
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
    # Without a plan the usual reading applies, unless options change it; none is detected.
    usual = Plan(reading=Reading(), reading_confirmed=True)
    plan = usual if options.plan is None else load_plan(options.plan)
    plan = with_details(plan, title=options.title, curator=options.curator)
    declared = [declared_column(words) for words in options.declare]
    names = {column.name for column in declared}
    if len(names) != len(declared):
        raise ParameterError("A column is declared twice.", remedy="Declare each column once.")
    others = tuple(column for column in plan.columns if column.name not in names)
    plan = plan.with_columns((*others, *declared))
    statistics = plan.statistics
    if options.query:
        statistics = statistics.with_queries(_queries(options, statistics_domains(plan)))
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
        raise ParameterError(
            f"Nothing is declared for {quoted(unknown)}.",
            remedy=f"Give --declare {shlex.quote(f'{name}=LOWER..UPPER')} for numbers or "
            f"--declare {shlex.quote(f'{name}=A|B|C')} for categories, "
            "with what its answers can be, or a --plan that declares it.",
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
            print(
                f"note: {plain(quoted([text]))} is {len(queries):,} statistics, one for each "
                "group; each has its part of the epsilon.",
                file=sys.stderr,
            )
    own = ["epsilon" in query.model_fields_set for query in asked]
    asked = [_without_idle_delta(query) for query in asked]
    if options.delta is not None and not any(query.delta for query in asked):
        raise ParameterError(
            "--delta is for Gaussian noise only, and no query has it.",
            remedy="Leave --delta out, or add --noise discrete_gaussian.",
        )
    if options.epsilon is None:
        if not all(own):
            raise ParameterError(
                "The queries have no epsilon.",
                remedy="Give --epsilon TOTAL, or write ; epsilon=... after each query.",
            )
        return tuple(asked)
    total = _decimal(options.epsilon, "epsilon")
    if total <= 0:
        raise ParameterError("--epsilon must be above 0.", remedy="Type a number such as 0.5.")
    spoken_for = sum(
        (query.epsilon for query, has in zip(asked, own, strict=True) if has), Decimal(0)
    )
    if all(own):
        raise ParameterError(
            "Every query has an epsilon of its own; nothing is left for --epsilon to split.",
            remedy="Leave --epsilon out.",
        )
    if total <= spoken_for:
        raise ParameterError(
            f"Of --epsilon {format_epsilon(total)} nothing is left to split: the queries with an "
            f"epsilon of their own use {format_epsilon(spoken_for)}.",
            remedy="Raise --epsilon.",
        )
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
        raise ParameterError(
            f"Split evenly, --epsilon gives each query {format_epsilon(epsilon)}; a query's "
            f"epsilon lies from {EPSILON_MIN} to {EPSILON_MAX}.",
            remedy="Choose another --epsilon, or write ; epsilon=... after the queries.",
        ) from None


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
        raise ParameterError(
            "--confidence must be a share between 0 and 1 with at most 6 digits after the point.",
            remedy="Type a number such as 0.95 or 95%.",
        )
    return level


def _decimal(text: str, name: str) -> Decimal:
    number = exact_number(text)
    if number is None or abs(number.adjusted()) > _DIGITS_MAX or len(text) > _DIGITS_MAX:
        raise ParameterError(f"--{name} is not a number.", remedy="Type a number such as 0.5.")
    return number
