"""Phrases: what a report says can be asked again."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.errors import ParameterError
from dpdesk.queries import (
    Condition,
    Count,
    Histogram,
    Mean,
    MostCommon,
    Quantile,
    Query,
    Share,
    Sum,
    Variance,
)
from dpdesk.queries.phrase import examples, parse_query

_NAMES = st.text(min_size=1, max_size=12) | st.sampled_from(
    ("where", "by", "age", "marital-status", "of rows", 'a "b"', "a;b", "3")
)
_NUMBERS = st.decimals(-100, 100, places=2).map(lambda x: x.quantize(Decimal("0.01")))


@st.composite
def _conditions(draw: st.DrawFn) -> Condition:
    column = draw(_NAMES)
    if draw(st.booleans()):
        return Condition(column=column, values=tuple(draw(st.lists(_NAMES, min_size=1))))
    lower = draw(_NUMBERS)
    ends = draw(st.sampled_from(("lower", "upper", "both")))
    if ends == "both":
        return Condition(column=column, lower=lower, upper=lower + 1)
    return Condition(column=column, **{ends: lower})


@st.composite
def _queries(draw: st.DrawFn) -> Query:
    column, where = draw(_NAMES), tuple(draw(st.lists(_conditions(), max_size=2)))
    by = tuple(draw(st.lists(_NAMES, max_size=3, unique=True)))
    low = draw(st.none() | _NUMBERS)
    bounds = {"lower": low, "upper": draw(st.none() | st.just((low or Decimal(0)) + 3))}
    kind = draw(st.integers(0, 8))
    if kind == 0:
        return Count(by=by, where=where)
    if kind == 1:
        return Share(meeting=(draw(_conditions()),), by=by, where=where)
    if kind in (2, 3):
        return (Mean, Sum)[kind - 2](column=column, by=by, where=where, **bounds)
    if kind in (4, 5):
        return Variance(column=column, root=kind == 4, by=by, where=where, **bounds)
    if kind == 6:
        shares = tuple(
            draw(st.sampled_from(((Decimal("0.5"),), (Decimal("0.25"), Decimal("0.75")))))
        )
        return Quantile(column=column, shares=shares, where=where, **bounds)
    if kind == 7:
        edges = draw(st.sampled_from(((), (Decimal(0), Decimal("2.5"), Decimal(10)))))
        return Histogram(column=column, edges=edges, where=where)
    worth = tuple(draw(st.lists(st.integers(0, 1000), max_size=4)))
    return MostCommon(column=column, k=draw(st.integers(1, 9)), worth=worth, where=where)


@given(_queries())
def test_that_a_description_read_again_is_the_same_query(query: Query) -> None:
    assert parse_query(query.description) == query


def test_that_every_example_is_understood() -> None:
    assert len({type(parse_query(text)) for text in examples()}) == 8


def test_that_fields_follow_after_semicolons() -> None:
    query = parse_query('median of "net income; euros"; epsilon=0.5; name=Income', noise="laplace")
    assert query == Quantile(
        column="net income; euros", epsilon=Decimal("0.5"), name="Income", noise="laplace"
    )


def test_that_signs_serve_as_well_as_words() -> None:
    assert parse_query("count where age>=30 and sex = F") == Count(
        where=(Condition(column="age", lower=Decimal(30)), Condition(column="sex", values=("F",)))
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "at the beginning"),
        ("mean age", "at the beginning"),
        ("mean of", 'a column was expected after "mean of"'),
        ("mean of age by", 'after "mean of age by"'),
        ("mean of age where", "a column was expected"),
        ("count where age is from 3", '"to" was expected'),
        ("count where age is at least old", "a number was expected"),
        ("quantiles 2 of age", "between 0 and 1"),
        ("histogram of age at 3, 1", "each above the one before"),
        ("count; colour=red", "no field of a query"),
        ("count; epsilon=-1", "epsilon"),
        ("count rows twice", "should end"),
        ('count where a is "b', "quotation mark"),
    ],
)
def test_that_what_is_not_understood_is_refused_with_its_place(text: str, expected: str) -> None:
    with pytest.raises(ParameterError, match=None) as refused:
        parse_query(text)
    assert expected.lower() in str(refused.value).lower()
