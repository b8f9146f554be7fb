"""Queries as phrases: "mean of age by sex where race is Black or White".

The phrase of a query is its description, so that what a report says can be asked again. A name
that holds a blank, a comma or one of the grammar's words is put in quotation marks.
"""

from __future__ import annotations

import re
from itertools import product
from math import prod
from typing import Any

from pydantic import ValidationError

from dpdesk.cost import EPSILON_MIN, split_evenly
from dpdesk.domains import AnyDomain, OptionSet
from dpdesk.errors import ParameterError, invalid_fields
from dpdesk.i18n import any_of
from dpdesk.queries.base import Query
from dpdesk.queries.condition import Domains, condition_on
from dpdesk.queries.noise import NOISE_KINDS
from dpdesk.queries.phrase_offers import nearest_phrases
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.registry import QUERIES
from dpdesk.queries.texts import T

_RULES = {
    "noise": T.UNKNOWN_KIND,
    "delta": T.BAD_DELTA,
    "by": T.MANY_COLUMNS,
    "name": T.LONG_NAME,
}
"""The message for an invalid value of a field, in place of the validator's."""


EACH_MAX = 20
"""Most queries that one phrase asks for."""


def parse_query(text: str, **fields: Any) -> Query:
    """Reads the phrase of one query, whose names are taken as they stand.

    Args:
        text: The phrase; see `examples`. After a semicolon, fields may follow: "median of age;
            epsilon=0.5; name=Median age".
        fields: Fields that the phrase does not give itself.

    Raises:
        ParameterError: The phrase is not understood; the error says from where on.
    """
    (query,) = parse_queries(text, {}, **fields)
    return query


def parse_queries(text: str, domains: Domains, **fields: Any) -> tuple[Query, ...]:
    """Reads a phrase that somebody types who knows the columns.

    A kind without groups, such as the median, is asked once for each category that the phrase
    names groups by. All of them together cost what the phrase says.

    Args:
        text: As for `parse_query`; names may have other capitals, and labels stand for categories.
        domains: The declared columns.
        fields: As for `parse_query`.

    Raises:
        ParameterError: The phrase is not understood, or asks for more than `EACH_MAX` queries. The
            error names what is understood and looks like it.
    """
    phrase, *settings = _outside_quotes(text) or [""]
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name.strip() not in {"epsilon", "noise", "delta", "name"}:
            raise ParameterError(T.NOT_A_FIELD(setting=setting.strip()))
        fields[name.strip()] = value.strip()
    reader = PhraseReader(phrase, lambda: nearest_phrases(phrase, domains), domains)
    try:
        query = _query(reader, fields)
    except ValidationError as error:
        first = invalid_fields(error)[0]
        place = str(first.place[0]) if first.place else ""
        rule = _RULES.get(place)
        message = rule(kinds=any_of(NOISE_KINDS)) if rule else first.sentence
        cause = first.cause or ParameterError(message)
        named = T.IN_PHRASE(phrase=phrase.strip(), reason=cause.message)
        raise ParameterError(named, remedy=cause.remedy) from None
    reader.end()
    query, parted = _without_sets(query, domains)
    parted = (*reader.parted, *parted)
    return _each(query, parted, domains) if parted else (query,)


def _without_sets(query: Query, domains: Domains) -> tuple[Query, tuple[str, ...]]:
    """Takes questions with several answers out of the groups: a row may be in several of them."""
    by: tuple[str, ...] = getattr(query, "by", ())
    sets = tuple(name for name in by if isinstance(domains.get(name), OptionSet))
    if not sets:
        return query, ()
    given = {name: getattr(query, name) for name in query.model_fields_set}
    return type(query)(**(given | {"by": tuple(n for n in by if n not in sets)})), sets


def _each(query: Query, by: tuple[str, ...], domains: Domains) -> tuple[Query, ...]:
    """One query for each combination of categories, at even parts of the epsilon."""
    listed: list[AnyDomain] = []
    for name in by:
        domain = domains.get(name)
        if domain is None or domain.holds_numbers:
            raise ParameterError(T.NO_GROUPS(title=query.title, column=name))
        listed.append(domain)
    count = prod(domain.size for domain in listed)
    if count > EACH_MAX:
        raise ParameterError(T.MANY_GROUPS(title=query.title, statistics=count, most=EACH_MAX))
    given = {name: getattr(query, name) for name in query.model_fields_set}
    shares = split_evenly(query.epsilon, count)
    if "epsilon" in given and min(shares) < EPSILON_MIN:
        raise ParameterError(T.SMALL_EPSILON(parts=count, least=f"{EPSILON_MIN * count}"))
    queries = []
    combinations = product(*(domain.listed for domain in listed))
    for values, share in zip(combinations, shares, strict=True):
        conditions = (
            condition_on(name, domain, (value,))
            for name, domain, value in zip(by, listed, values, strict=True)
        )
        changes: dict[str, Any] = {"where": (*query.where, *conditions)}
        if "epsilon" in given:
            changes["epsilon"] = share
        if query.name:
            changes["name"] = f"{query.name}, {', '.join(values)}"
        queries.append(type(query)(**(given | changes)))
    return tuple(queries)


def _outside_quotes(text: str) -> list[str]:
    pieces = re.findall(r'(?:"(?:[^"]|"")*"|[^;])+|;', text)
    return [piece for piece in pieces if piece != ";"]


def _query(reader: PhraseReader, fields: dict[str, Any]) -> Query:
    for kind in QUERIES:
        query = kind.read(reader, fields)
        if query is not None:
            return query
        reader.from_start()
    reader.back_to_farthest()
    raise reader.refusal(T.A_STATISTIC())
