"""Queries as phrases: "mean of age by sex where race is Black or White".

The phrase of a query is its description, so that what a report says can be asked again. A name
that holds a blank, a comma or one of the grammar's words is put in quotation marks.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from pydantic import ValidationError

from dpdesk.errors import ParameterError
from dpdesk.queries.base import Query
from dpdesk.queries.noise import NoiseKind
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.registry import QUERIES


def examples() -> tuple[str, ...]:
    """Returns phrases of each kind, for help."""
    return tuple(example for kind in QUERIES for example in kind.examples)


_RULES = {
    "noise": f"There is no noise of this kind. Choose among {', '.join(get_args(NoiseKind))}.",
    "delta": "Delta must be a number from 0 to below 0.01. Type a number such as 0.000001.",
    "by": "Too many columns to group by. Name at most four.",
    "name": "The name is too long. Keep it below 1,000 characters.",
}
"""The message for an invalid value of a field, in place of the validator's."""


def parse_query(text: str, **fields: Any) -> Query:
    """Reads a phrase.

    Args:
        text: The phrase; see `examples`. After a semicolon, fields may follow: "median of age;
            epsilon=0.5; name=Median age".
        fields: Fields that the phrase does not give itself.

    Raises:
        ParameterError: The phrase is not understood; the error says from where on.
    """
    phrase, *settings = _outside_quotes(text) or [""]
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or name.strip() not in {"epsilon", "noise", "delta", "name"}:
            raise ParameterError(
                f'"{setting.strip()}" is no field of a query.',
                remedy="After a semicolon write epsilon=, noise=, delta= or name=.",
            )
        fields[name.strip()] = value.strip()
    reader = PhraseReader(phrase, examples()[:4])
    try:
        query = _query(reader, fields)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = str(first["loc"][0]) if first["loc"] else ""
        message = _RULES.get(place) or str(first["msg"]).removeprefix("Value error, ")
        raise ParameterError(f'"{phrase.strip()}": {message}') from None
    reader.end()
    return query


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
    raise reader.refusal("a kind of statistic was expected")
