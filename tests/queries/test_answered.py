"""Conditions on whether there is an answer, and on the options of questions with several."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.queries import CodedRows, Condition, Count, MeasuredQuery, PrivacyUnit, Query, Share
from dpdesk.queries.phrase import parse_queries, parse_query
from dpdesk.queries.phrase_offers import completions
from dpdesk.queries.texts import T
from tests.queries.test_neighbours import UNITS, neighbours
from tests.refusals import refused

PARTY = Categorical(values=("left", "right")).with_missing_value("(no answer)")
MEDIA = OptionSet(values=("tv", "web"))
AGE = Integer(lower=18, upper=20)
DOMAINS = {"party": PARTY, "media": MEDIA, "age": AGE}
ANSWERED = {
    (column, answered): Condition(column=column, answered=answered)
    for column, answered in product(DOMAINS, (True, False))
}
WEB = Condition(column="media", options=("web",))
EITHER = Condition(column="media", options=("tv", "web"))

# A row is the codes of media and party; -1 is a missing answer, party 2 its category.
ROWS = tuple(product((-1, 0, 1, 2, 3), (0, 2)))

QUERIES: tuple[Query, ...] = (
    Count(where=(ANSWERED["media", False],)),
    Count(where=(WEB,), by=("party",)),
    Count(where=(EITHER, ANSWERED["party", True])),
    Share(meeting=(ANSWERED["media", True],)),
    Share(meeting=(ANSWERED["party", False],), by=("party",)),
    Share(meeting=(WEB,)),
    Share(meeting=(WEB.model_copy(update={"negated": True}),)),
    Count(where=(Condition(column="party", values=("right",), negated=True),)),
    Share(meeting=(EITHER,), where=(ANSWERED["party", True],)),
)


def _coded(table: tuple[tuple[int, int], ...]) -> CodedRows:
    codes = np.asarray(table, dtype=np.int32).reshape(-1, 2)
    return CodedRows(len(table), {"media": codes[:, 0], "party": codes[:, 1]}, DOMAINS)


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}-{u.rows_per_respondent}")
@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.description)
def test_that_the_sensitivity_is_the_largest_change_over_all_neighbours(
    query: Query, unit: PrivacyUnit
) -> None:
    bound = query.bind(DOMAINS, unit)
    assert isinstance(bound, MeasuredQuery)
    sums: dict[tuple[tuple[int, int], ...], list[int]] = {}
    found = [0, 0, 0]
    for pair in neighbours(unit, ROWS):
        for table in pair:
            if table not in sums:
                (counts,) = bound.sums(_coded(table))
                sums[table] = counts.tolist()
        change = [abs(a - b) for a, b in zip(sums[pair[0]], sums[pair[1]], strict=True)]
        reached = (sum(change), sum(c * c for c in change), max(change))
        found = [max(a, b) for a, b in zip(found, reached, strict=True)]
    stated = bound.parts[0].noise.sensitivity
    assert [stated.l1, stated.l2_square, stated.linf] == found


def test_that_no_answer_is_none_whether_it_is_a_category_or_missing() -> None:
    media = np.array([-1, 0, 1, 2, 3], dtype=np.int32)
    answered = ANSWERED["media", True].met(MEDIA, media)
    assert answered.tolist() == [False, True, True, True, True]
    assert (ANSWERED["media", False].met(MEDIA, media) == ~answered).all()
    wide = MEDIA.with_missing_value("(no answer)")
    codes = np.array([-1, 0, 3, 4], dtype=np.int32)
    assert ANSWERED["media", True].met(wide, codes).tolist() == [False, True, True, False]
    party = np.array([-1, 0, 1, 2], dtype=np.int32)
    assert ANSWERED["party", True].met(PARTY, party).tolist() == [False, True, True, False]
    ages = np.array([-1, 0, 2], dtype=np.int32)
    assert ANSWERED["age", False].met(AGE, ages).tolist() == [True, False, False]


def test_that_an_option_counts_whatever_else_was_ticked() -> None:
    codes = np.array([-1, 0, 1, 2, 3], dtype=np.int32)
    assert WEB.met(MEDIA, codes).tolist() == [False, False, False, True, True]
    assert EITHER.met(MEDIA, codes).tolist() == [False, False, True, True, True]
    many = OptionSet(values=tuple(f"o{i}" for i in range(30))).with_missing_value("none")
    last = Condition(column="m", options=("o29",))
    codes = np.array([1 << 29, 1 << 30, -1, 1], dtype=np.int32)
    assert last.met(many, codes).tolist() == [True, False, False, False]


def test_that_the_share_who_answered_is_one_of_all_rows() -> None:
    rows = _coded(((-1, 0), (0, 0), (3, 0), (2, 2)))
    (share,) = Share(meeting=(ANSWERED["media", True],)).bind(DOMAINS, PrivacyUnit()).exact(rows)
    assert share.value == pytest.approx(75)
    # Of those who answered it, half ticked web: that is what it is a share of.
    (web,) = Share(meeting=(WEB,)).bind(DOMAINS, PrivacyUnit()).exact(rows)
    assert web.value == pytest.approx(100 * 2 / 3)


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.description)
def test_that_a_description_is_a_phrase_that_asks_the_same(query: Query) -> None:
    assert parse_query(query.description) == query
    assert parse_queries(query.description, DOMAINS) == (query,)


@pytest.mark.parametrize(
    ("phrase", "query"),
    [
        ("count where media has TV", Count(where=(Condition(column="media", options=("tv",)),))),
        ("count where media = web", Count(where=(WEB,))),
        ("how many where media includes tv or web", Count(where=(EITHER,))),
        ("share of web", Share(meeting=(WEB,))),
        ("count where age answered", Count(where=(ANSWERED["age", True],))),
        ("share with age is not answered", Share(meeting=(ANSWERED["age", False],))),
    ],
)
def test_that_people_are_understood(phrase: str, query: Query) -> None:
    assert parse_queries(phrase, DOMAINS) == (query,)


@pytest.mark.parametrize("words", ["answered", "not answered"])
def test_that_words_that_could_be_a_category_are_refused(words: str) -> None:
    domains = {"status": Categorical(values=(words.capitalize(), "open"))}
    category = words.capitalize()
    with refused("queries.answered-or-category", category=category) as error:
        parse_queries(f"count where status is {words}", domains)
    assert error.value.message.values["condition"] == f'status is "{category}"'


def test_that_a_category_named_answered_stays_one() -> None:
    domains = {"status": Categorical(values=("answered", "open"))}
    condition = Condition(column="status", values=("answered",))
    assert condition.description == 'status is "answered"'
    assert parse_queries('count where status is "answered"', domains) == (
        Count(where=(condition,)),
    )


def test_that_a_count_by_a_question_with_several_answers_asks_for_each_option() -> None:
    queries = parse_queries("count by media, party; epsilon=1", DOMAINS)
    assert [query.description for query in queries] == [
        "count of rows by party where media has tv",
        "count of rows by party where media has web",
    ]
    assert sum(query.epsilon for query in queries) == Decimal(1)


def test_that_what_needs_one_answer_in_a_row_says_how_to_ask_for_options() -> None:
    for query in (
        Count(by=("media",)),
        Count(where=(Condition(column="media", values=("tv",)),)),
        parse_query("mean of media"),
        parse_query("most common media"),
    ):
        with refused("queries.several-answers", column="media", condition="media has tv"):
            query.bind(DOMAINS, PrivacyUnit())
    with refused("queries.one-answer", column="party"):
        Count(where=(Condition(column="party", options=("left",)),)).bind(DOMAINS, PrivacyUnit())
    with refused("queries.not-declared", column="media"):
        Count(where=(Condition(column="media", options=("radio",)),)).bind(DOMAINS, PrivacyUnit())


def test_that_a_condition_says_one_thing() -> None:
    for said in (
        {},
        {"options": ("a",), "answered": True},
        {"values": ("a",), "options": ("b",)},
        {"answered": False, "lower": Decimal(1)},
    ):
        with pytest.raises(ValueError, match=T.EMPTY_CONDITION.remedy):
            Condition(column="x", **said)


def test_that_words_are_offered_while_one_types() -> None:
    assert "count where media has web" in completions("count where media has ", DOMAINS)
    assert "count where age is answered" in completions("count where age is a", DOMAINS)
    assert "count where party is not answered" in completions("count where party is n", DOMAINS)
    assert "count where media has" in completions("count where media h", DOMAINS)


@pytest.mark.parametrize(
    ("text", "met", "share"),
    [
        # Codes of party: left, right, the category of "no answer", and none at all.
        ("party is not left", [False, True, False, False], 1 / 3),
        ("party != left", [False, True, False, False], 1 / 3),
        ("party is not left or right", [False, False, False, False], 0),
        # Nothing, tv, web, both, and no answer.
        ("media does not have tv", [True, False, True, False, False], 1 / 2),
        ("media does not have tv or web", [True, False, False, False, False], 1 / 4),
        ("media is not web", [True, True, False, False, False], 1 / 2),
        # 18, 19, 20, a protected missing answer, and none at all.
        ("age is not from 18 to 19", [False, False, True, False, False], 1 / 3),
        ("age is 19 or more", [False, True, True, False, False], 2 / 3),
        ("age is 18 or less", [True, False, False, False, False], 1 / 3),
        ("age is 18 or 20", [True, False, True, False, False], 2 / 3),
        ("age is not 19", [True, False, True, False, False], 2 / 3),
        ("age is 21", None, None),
        ("age is 18.5", None, None),
    ],
)
def test_that_another_answer_is_met_by_those_who_gave_one(
    text: str, met: list[bool] | None, share: float | None
) -> None:
    def read() -> Condition:
        (condition,) = parse_queries(f"count where {text}", DOMAINS)[0].model_dump()["where"]
        condition = Condition.model_validate(condition)
        condition.require(DOMAINS[condition.column])
        return condition

    if met is None:
        with pytest.raises(ParameterError):
            read()
        return
    condition, again = read(), parse_queries(f"count where {read().description}", DOMAINS)[0]
    assert again == Count(where=(condition,))
    codes = np.array([*range(len(met) - 1), -1], dtype=np.int32)
    assert condition.met(DOMAINS[condition.column], codes).tolist() == met
    assert condition.expected_share(DOMAINS[condition.column]) == pytest.approx(share)


def test_that_a_negated_option_is_not_met_by_the_option_of_no_answer() -> None:
    domain = MEDIA.with_missing_value("(no answer)")
    condition = Condition(column="media", options=("tv",), negated=True)
    # Nothing, tv, web, both; then "no answer".
    assert condition.met(domain, np.arange(5, dtype=np.int32)).tolist() == [
        True,
        False,
        True,
        False,
        False,
    ]


def test_that_the_expected_share_is_that_of_the_expected_answers() -> None:
    condition = Condition(column="party", values=("left",))
    assert condition.expected_share(PARTY, (0.2, 0.5, 0.3)) == pytest.approx(0.2)
    assert Condition(column="party", values=("left",), negated=True).expected_share(
        PARTY, (0.2, 0.5, 0.3)
    ) == pytest.approx(0.5)
