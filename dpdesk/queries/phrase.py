"""Queries as phrases: "mean of age by sex where race is Black or White".

The phrase of a query is its description, so that what a report says can be asked again. A name
that holds a blank, a comma or one of the grammar's words is put in quotation marks.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, get_args

from pydantic import ValidationError

from dpdesk.errors import ParameterError
from dpdesk.numbers import exact_number, whole_number
from dpdesk.queries.base import Query
from dpdesk.queries.condition import Condition
from dpdesk.queries.count import Count
from dpdesk.queries.histogram import Histogram
from dpdesk.queries.mean import Mean
from dpdesk.queries.most_common import MostCommon
from dpdesk.queries.noise import NoiseKind
from dpdesk.queries.quantile import Quantile
from dpdesk.queries.share import Share
from dpdesk.queries.sum import Sum
from dpdesk.queries.variance import Variance
from dpdesk.queries.written import KEYWORDS

EXAMPLES = (
    "count where sex is Female",
    "count by sex, education",
    "share with age at least 65 by region",
    "mean of age between 18 and 90",
    "sum of children",
    "standard deviation of income",
    "median of age",
    "quantiles 0.25, 0.75 of age",
    "histogram of age at 18, 30, 45, 60, 90",
    "most frequent occupation",
    "3 most frequent of occupation",
    "most frequent reason worth 3, 1, 2",
)
"""One phrase of each kind, for help."""

_RULES = {
    "noise": f"The noise is none that there is. Choose among {', '.join(get_args(NoiseKind))}.",
    "delta": "Delta must be a number from 0 to below 0.01. Type a number such as 0.000001.",
    "by": "Too many columns to group by. Name at most four.",
    "name": "The name is too long. Keep it below 1,000 characters.",
}
"""What to say of a field that is no field of its kind, instead of the words of a validator."""

_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(>=|<=|=|,)|([^\s",=<>]+)|(\S)')


def parse_query(text: str, **fields: Any) -> Query:
    """Reads a phrase.

    Args:
        text: The phrase; see `EXAMPLES`. After a semicolon, fields may follow: "median of age;
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
    reader = _Reader(phrase)
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


class _Reader:
    """The words of a phrase, read from the left."""

    def __init__(self, text: str) -> None:
        self._words: list[tuple[str, bool]] = []
        for match in _TOKEN.finditer(text):
            quoted, sign, word, odd = match.groups()
            if odd is not None:
                raise ParameterError(
                    "A quotation mark or sign in this phrase has no meaning.",
                    remedy='Put names with blanks or signs in "quotation marks".',
                )
            if quoted is not None:
                self._words.append((quoted.replace('""', '"'), True))
            else:
                self._words.append((sign or word, False))
        self._at = 0

    def take(self, *words: str) -> bool:
        """Reads these words of the grammar, if they come next."""
        ahead = self._words[self._at : self._at + len(words)]
        if [word.lower() for word, quoted in ahead if not quoted] != list(words):
            return False
        self._at += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Reads these words of the grammar.

        Raises:
            ParameterError: Something else comes next.
        """
        if not self.take(*words):
            raise self.refusal(f'"{" ".join(words)}" was expected')

    def name(self, what: str) -> str:
        """Reads one name, such as that of a column."""
        if self._at < len(self._words):
            word, quoted = self._words[self._at]
            if not quoted and not word.strip("<>=,"):
                raise self.refusal(f'{what} was expected, in "quotation marks" if it has signs')
            if quoted or word.lower() not in KEYWORDS:
                self._at += 1
                return word
        raise self.refusal(f"{what} was expected")

    def names(self, what: str, *between: str) -> tuple[str, ...]:
        """Reads names with one of these words between them."""
        names = [self.name(what)]
        while any(self.take(word) for word in between):
            names.append(self.name(what))
        return tuple(names)

    def number(self) -> Decimal:
        """Reads one number."""
        number = exact_number(self.name("a number"))
        if number is None:
            self._at -= 1
            raise self.refusal("a number was expected")
        return number

    def whole(self) -> int | None:
        """Reads a whole number, if one comes next."""
        number = None
        if self._at < len(self._words):
            number = whole_number(self._words[self._at][0])
            self._at += number is not None
        return number

    def end(self) -> None:
        """Requires that nothing is left."""
        if self._at < len(self._words):
            raise self.refusal("the phrase should end")

    def refusal(self, expected: str) -> ParameterError:
        """Returns the error of a phrase that does not go on as expected."""
        read = " ".join(word for word, _ in self._words[: self._at])
        where = f'after "{read}"' if read else "at the beginning"
        return ParameterError(
            f"The query is not understood: {expected} {where}.",
            remedy=f"Write such as: {'; '.join(EXAMPLES[:4])}.",
        )


def _query(reader: _Reader, fields: dict[str, Any]) -> Query:
    if reader.take("count"):
        if reader.take("of"):
            reader.expect("rows")
        return Count(**_tail(reader, fields))
    if reader.take("share"):
        reader.expect("with")
        return Share(meeting=_conditions(reader), **_tail(reader, fields))
    if reader.take("median", "of"):
        return Quantile(column=reader.name("a column"), **_bounds(reader), **_where(reader, fields))
    if reader.take("quantiles") or reader.take("quantile"):
        shares = [reader.number()]
        while reader.take(","):
            shares.append(reader.number())
        reader.expect("of")
        column = reader.name("a column")
        return Quantile(
            column=column, shares=tuple(shares), **_bounds(reader), **_where(reader, fields)
        )
    if reader.take("histogram", "of"):
        column, edges = reader.name("a column"), []
        if reader.take("at"):
            edges.append(reader.number())
            while reader.take(","):
                edges.append(reader.number())
        return Histogram(column=column, edges=tuple(edges), **_where(reader, fields))
    return _of_column(reader, fields)


def _of_column(reader: _Reader, fields: dict[str, Any]) -> Query:
    if reader.take("mean", "of"):
        return Mean(**_column(reader, fields))
    if reader.take("sum", "of"):
        return Sum(**_column(reader, fields))
    if reader.take("variance", "of"):
        return Variance(**_column(reader, fields))
    if reader.take("standard", "deviation", "of"):
        return Variance(root=True, **_column(reader, fields))
    reader.take("the")
    k = reader.whole()
    if not reader.take("most", "frequent"):
        raise reader.refusal("a kind of statistic was expected")
    reader.take("of")
    column = reader.name("a column")
    worth: list[Any] = []
    if reader.take("worth"):
        worth.append(reader.number())
        while reader.take(","):
            worth.append(reader.number())
    return MostCommon(column=column, k=k or 1, worth=tuple(worth), **_where(reader, fields))


def _column(reader: _Reader, fields: dict[str, Any]) -> dict[str, Any]:
    return {"column": reader.name("a column"), **_bounds(reader), **_tail(reader, fields)}


def _bounds(reader: _Reader) -> dict[str, Any]:
    if reader.take("at", "least"):
        return {"lower": reader.number()}
    if reader.take("at", "most"):
        return {"upper": reader.number()}
    if not reader.take("between"):
        return {}
    lower = reader.number()
    reader.expect("and")
    return {"lower": lower, "upper": reader.number()}


def _tail(reader: _Reader, fields: dict[str, Any]) -> dict[str, Any]:
    by = reader.names("a column", ",") if reader.take("by") else ()
    return {"by": by, **_where(reader, fields)}


def _where(reader: _Reader, fields: dict[str, Any]) -> dict[str, Any]:
    return {"where": _conditions(reader) if reader.take("where") else (), **fields}


def _conditions(reader: _Reader) -> tuple[Condition, ...]:
    conditions = [_condition(reader)]
    while reader.take("and"):
        conditions.append(_condition(reader))
    return tuple(conditions)


def _condition(reader: _Reader) -> Condition:
    column = reader.name("a column")
    if reader.take(">="):
        return Condition(column=column, lower=reader.number())
    if reader.take("<="):
        return Condition(column=column, upper=reader.number())
    if reader.take("="):
        return Condition(column=column, values=reader.names("a category", "or"))
    reader.take("is")
    if reader.take("at", "least"):
        return Condition(column=column, lower=reader.number())
    if reader.take("at", "most"):
        return Condition(column=column, upper=reader.number())
    if reader.take("from"):
        lower = reader.number()
        reader.expect("to")
        return Condition(column=column, lower=lower, upper=reader.number())
    return Condition(column=column, values=reader.names("a category", "or"))
