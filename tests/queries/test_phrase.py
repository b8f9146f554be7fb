"""Phrases: what a report says can be asked again."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.domains import Categorical, Integer
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
from dpdesk.queries.phrase import EACH_MAX, parse_queries, parse_query
from dpdesk.queries.phrase_offers import completions, examples, nearest_phrases
from tests.refusals import refused

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
    ("text", "why", "values"),
    [
        ("", "beginning", {"expected": "queries.a-statistic"}),
        ("tell me age", "beginning", {"expected": "queries.a-statistic"}),
        ("mean of", "continuation", {"expected": "queries.a-column", "read": "mean of"}),
        (
            "mean of age by",
            "continuation",
            {"expected": "queries.a-column", "read": "mean of age by"},
        ),
        ("mean of age where", "continuation", {"expected": "queries.a-column"}),
        ("count where age is from 3", "continuation", {"expected": "“to”"}),
        ("count where age is at least old", "continuation", {"expected": "queries.a-bound"}),
        ("quantiles 2 of age", "in-phrase", {"reason": "queries.shares"}),
        ("histogram of age at 3, 1", "in-phrase", {"reason": "queries.edges"}),
        ("count; colour=red", "not-a-field", {"setting": "colour=red"}),
        ("count; epsilon=-1", "in-phrase", {}),
        ("count rows twice", "end", {"read": "count rows"}),
        ('count where a is "b', "bad-sign", {}),
    ],
)
def test_that_what_is_not_understood_is_refused_with_its_place(
    text: str, why: str, values: dict[str, str]
) -> None:
    with refused(f"queries.{why}", **values):
        parse_query(text)


COLUMNS = {
    "age": Integer(lower=18, upper=90),
    "Income": Integer(lower=0, upper=1000),
    "sex": Categorical(values=("1", "2"), labels={"1": "Man", "2": "Woman"}),
    "salary": Categorical(values=("<=50K", ">50K")),
    "education": Categorical(values=("School", "Bachelors", "Masters")),
    "smoker": Categorical(values=("yes", "no")),
    "drinker": Categorical(values=("yes", "no")),
    "country": Categorical(values=tuple(f"c{i}" for i in range(41))),
    "percentage": Integer(lower=0, upper=100),
}
WOMEN = Condition(column="sex", values=("2",))
SMOKERS = Condition(column="smoker", values=("yes",))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("count by education and salary", Count(by=("education", "salary"))),
        ("count of education, salary and sex", Count(by=("education", "salary", "sex"))),
        ("count of education by sex", Count(by=("education", "sex"))),
        ("how many women", Count(where=(WOMEN,))),
        ("number of women by education", Count(by=("education",), where=(WOMEN,))),
        ("number of rows", Count()),
        ("how many smokers", Count(where=(SMOKERS,))),
        ("number of Smokers by sex", Count(by=("sex",), where=(SMOKERS,))),
        ("share of smokers by education", Share(by=("education",), meeting=(SMOKERS,))),
        ("average income", Mean(column="Income")),
        ("avg of INCOME by Sex", Mean(column="Income", by=("sex",))),
        ("mean percentage", Mean(column="percentage")),
        ("total income", Sum(column="Income")),
        ("sd of age", Variance(column="age", root=True)),
        ("median income", Quantile(column="Income")),
        ("most common education", MostCommon(column="education")),
        ("histogram age", Histogram(column="age")),
        ("share of women", Share(meeting=(WOMEN,))),
        (
            "share of Bachelors by sex",
            Share(meeting=parse_query("share with education = Bachelors").meeting, by=("sex",)),
        ),
        ("share of age between 20 and 30", parse_query("share with age from 20 to 30")),
        ("proportion with age at least 65", parse_query("share with age at least 65")),
        ("share of rows where age between 20 and 30", parse_query("share with age from 20 to 30")),
        ("percentage of rows with smoker = YES", parse_query("share with smoker is yes")),
        (
            "count where age between 20 and 30 and sex is woman",
            Count(where=(Condition(column="age", lower=20, upper=30), WOMEN)),
        ),
        ("count where age is between 20 and 30", parse_query("count where age from 20 to 30")),
    ],
)
def test_that_what_people_type_is_understood(typed: str, meant: Query) -> None:
    (query,) = parse_queries(typed, COLUMNS)
    assert query == meant
    # What a report says of it needs no knowledge of the columns.
    assert parse_query(query.description) == query


LABELLED = {
    "job": Categorical(
        values=("1", "2", "3", "4"),
        labels={"1": "Works for pay", "2": "Works at home", "3": "works at home", "4": "Or by car"},
    ),
    "again": Categorical(values=("1", "2", "3"), labels={"1": "Yes", "2": "Yes", "3": "No"}),
}


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("job is works for pay", ("1",)),
        # As it is written before as it is said.
        ("job is works at home", ("3",)),
        ("job is Works at home or works for pay", ("2", "1")),
        ('job is "Works for pay" or 4', ("1", "4")),
        ("job is or by car and again is no", ("4",)),
    ],
)
def test_that_a_label_of_several_words_needs_no_quotation_marks(
    typed: str, values: tuple[str, ...]
) -> None:
    (query,) = parse_queries(f"count where {typed}", LABELLED)
    assert query.where[0].values == values
    assert parse_query(query.description) == query


@pytest.mark.parametrize(
    ("typed", "answers", "condition"),
    [
        (
            "count where job is WORKS AT HOME",
            ["2 (Works at home)", "3 (works at home)"],
            "job is 2",
        ),
        ("count where again is yes", ["1 (Yes)", "2 (Yes)"], "again is 1"),
        ("share of yes", ["1 (Yes)", "2 (Yes)"], "again is 1"),
    ],
)
def test_that_a_label_of_several_categories_is_refused_with_their_names(
    typed: str, answers: list[str], condition: str
) -> None:
    with refused("queries.several-meant", answers=answers, condition=condition):
        parse_queries(typed, LABELLED)


def test_that_an_answer_without_a_label_is_named_once() -> None:
    yes_twice = {"x": Categorical(values=("Yes", "yes", "no"))}
    with refused("queries.several-meant", column="x", answers=["Yes", "yes"]):
        parse_queries("count where x is YES", yes_twice)


def test_that_what_is_no_category_is_refused_with_those_there_are() -> None:
    condition = Condition(column="again", values=("maybe",))
    with refused("queries.not-declared", column="again", answers="1 (Yes), 2 (Yes), 3 (No)"):
        condition.require(LABELLED["again"])


def test_that_a_median_by_groups_is_a_query_for_each_and_costs_no_more() -> None:
    asked = parse_queries("median of age by sex, smoker where Income >= 10; epsilon=1", COLUMNS)
    income = Condition(column="Income", lower=Decimal(10))
    assert [query.where for query in asked] == [
        (income, Condition(column="sex", values=(s,)), Condition(column="smoker", values=(y,)))
        for s in ("1", "2")
        for y in ("yes", "no")
    ]
    assert {type(query) for query in asked} == {Quantile}
    assert sum(query.epsilon for query in asked) == 1
    named = parse_queries("median of age by sex; name=Middle", COLUMNS, epsilon=Decimal("0.1"))
    assert [query.name for query in named] == ["Middle, 1", "Middle, 2"]
    assert sum(query.epsilon for query in named) == Decimal("0.1")
    thirds = parse_queries("median of age by education; epsilon=1", COLUMNS)
    assert sum(query.epsilon for query in thirds) == 1
    # Without an epsilon of its own each is split over as any other query.
    free = parse_queries("median of age by sex", COLUMNS)
    assert not any("epsilon" in query.model_fields_set for query in free)


@pytest.mark.parametrize(
    ("typed", "why", "values"),
    [
        ("median of age by country", "many-groups", {"statistics": 41, "most": EACH_MAX}),
        ("median of age by Income", "no-groups", {"column": "Income"}),
        ("median of age by education; epsilon=0.0002", "small-epsilon", {"least": "0.0003"}),
        ("share of yes", "several-columns", {"columns": ["smoker", "drinker"]}),
        ("share of nobody", "continuation", {"expected": "queries.a-declared-category"}),
        ("median of age by nothing", "no-groups", {"column": "nothing"}),
    ],
)
def test_that_what_cannot_be_meant_is_refused_with_the_reason(
    typed: str, why: str, values: dict[str, object]
) -> None:
    with refused(f"queries.{why}", **values):
        parse_queries(typed, COLUMNS)


def test_that_groups_need_declared_columns() -> None:
    with refused("queries.no-groups", column="sex"):
        parse_query("median of age by sex")


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("how old are they, mean age?", "mean of age"),
        ("avrage Income", "of Income"),
        ("averge of age by sex", "of age"),
        ("common education", "most frequent education"),
    ],
)
def test_that_a_phrase_that_is_not_known_gets_the_nearest_three(typed: str, first: str) -> None:
    offered = nearest_phrases(typed, COLUMNS)
    assert len(offered) == 3
    assert first in offered[0]
    for phrase in offered:
        assert parse_queries(phrase, COLUMNS)
    with pytest.raises(ParameterError) as refused:
        parse_queries(typed, COLUMNS)
    assert "; ".join(offered) in str(refused.value)


def test_that_without_columns_the_nearest_examples_are_offered() -> None:
    assert "median of age" in nearest_phrases("mediam of age", {})


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("", "count"),
        ("me", "mean of"),
        ("me", "median of"),
        ("mean of ", "mean of age"),
        ("mean of in", "mean of Income"),
        ("count by sex, ed", "count by sex, education"),
        ("count where salary is ", 'count where salary is "<=50K"'),
        ("count where education = b", "count where education = Bachelors"),
        ("count where education is School or m", "count where education is School or Masters"),
        ("mean of age b", "mean of age by"),
        ("count where percentage a", "count where percentage at least"),
    ],
)
def test_that_words_are_completed_while_one_types(typed: str, offered: str) -> None:
    assert offered in completions(typed, COLUMNS)


@given(st.text(max_size=30))
def test_that_any_text_is_offered_something_and_never_fails(text: str) -> None:
    assert len(nearest_phrases(text, COLUMNS)) == 3
    typed = text[: len(text) // 2].casefold()
    assert all(phrase.casefold().startswith(typed) for phrase in completions(text, COLUMNS))
