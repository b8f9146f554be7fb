"""The domain of a column whose kind becomes another: converted, read off the data, or a start."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

import numpy as np

from dpdesk.data.number_texts import read_numbers
from dpdesk.data.suggest import integer_domain, real_domain
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.domains import Categorical, Integer, Real, parse_number
from dpdesk.errors import ParameterError
from dpdesk.plan import ColumnKind, ColumnPlan, Provenance
from dpdesk.plan.encoding import missing_texts

LISTED_MAX = 1_000
"""Most categories that are listed from numbers or from the data: beyond, nobody checks them."""

AnyDomain = Categorical | Integer | Real

_START: dict[str, AnyDomain] = {
    "categories": Categorical(values=("yes", "no")),
    "integer": Integer(lower=0, upper=10),
    "real": Real(lower=Decimal(0), upper=Decimal(100), resolution=Decimal("0.1")),
}


def starting_domain(kind: ColumnKind) -> AnyDomain | None:
    """A domain to begin with where nothing is known; None for kinds without one."""
    if kind in ("identifier", "weight"):
        return None
    return _START.get(kind, _START["categories"])


def domain_for_kind(
    column: ColumnPlan, kind: ColumnKind, table: SurveyTable | None
) -> tuple[AnyDomain | None, Provenance]:
    """Returns the domain of a column that becomes of another kind, and where it comes from.

    Raises:
        ParameterError: The column is to have two categories and has another number of them, or
            the data hold no numbers or too many different answers.
    """
    if kind in ("identifier", "weight"):
        return None, column.provenance
    converted = _converted(column.domain, kind)
    if converted is not None:
        domain, provenance = converted, column.provenance
    elif table is not None and column.name in table.names:
        domain, provenance = _from_data(column, kind, table), "suggested"
    else:
        start = starting_domain(kind)
        assert start is not None  # noqa: S101 - the kinds without a domain have left above
        domain, provenance = start, "declared"
    if kind == "binary" and domain.size != 2:
        raise ParameterError(
            f"A binary column has two categories; this one has {domain.size:,}.",
            remedy="Remove the others first, or choose nominal or ordinal.",
        )
    return domain, provenance


def _converted(domain: AnyDomain | None, kind: ColumnKind) -> AnyDomain | None:
    if kind == "integer":
        return _whole(domain) if isinstance(domain, Real) else None
    if kind == "real":
        if not isinstance(domain, Integer):
            return None
        return Real(
            lower=Decimal(domain.lower),
            upper=Decimal(domain.upper),
            resolution=Decimal(domain.step),
            unit=domain.unit,
        )
    return domain if isinstance(domain, Categorical) else None


def _whole(domain: Real) -> Integer:
    return Integer(
        lower=int(domain.lower.to_integral_value(ROUND_FLOOR)),
        upper=int(domain.upper.to_integral_value(ROUND_CEILING)),
        unit=domain.unit,
    )


def _from_data(column: ColumnPlan, kind: ColumnKind, table: SurveyTable) -> AnyDomain:
    texts, decimal = table.column(column.name), table.reading.decimal
    answered = ~missing_texts(column, texts, table.reading)
    if kind in ("integer", "real"):
        return _numbers_of(texts, answered, kind, decimal)
    if np.count_nonzero(answered) > LISTED_MAX:
        raise ParameterError(
            f"The column has {texts.distinct_count:,} different answers, too many to list.",
            remedy="Choose another kind, or drop the column.",
        )
    answers = [texts.distinct[code] for code in np.flatnonzero(answered) if texts.distinct[code]]
    if len(answers) < 2:
        raise ParameterError(
            "The column has fewer than two different answers, and a domain needs two.",
            remedy="Drop the column, or choose a kind of number and type its bounds.",
        )
    return Categorical(values=tuple(sorted(answers, key=lambda text: _rank(text, decimal))))


def _rank(text: str, decimal: str) -> tuple[bool, float, str]:
    number = parse_number(text, decimal)
    return number is None, number or 0.0, text


def _numbers_of(texts: TextColumn, answered: Flags, kind: ColumnKind, decimal: str) -> AnyDomain:
    numbers = read_numbers(texts.dictionary, decimal)
    values = numbers.values[numbers.is_number & answered]
    if not len(values) or float(values.min()) == float(values.max()):
        raise ParameterError(
            "The column holds fewer than two different numbers.",
            remedy="Choose a kind of category, or correct the decimal mark in the reading options.",
        )
    lower, upper = float(values.min()), float(values.max())
    if kind == "integer":
        return integer_domain(lower, upper)
    return real_domain(lower, upper, numbers.decimals)
