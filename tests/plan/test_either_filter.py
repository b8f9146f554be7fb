"""Questions that were asked because of either of two others: found, bounded, declared."""

from __future__ import annotations

from itertools import combinations
from math import comb, exp, log
from random import Random
from typing import Any

import pytest

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    check,
    check_table,
    draft_table,
    plan_from_json,
    plan_to_json,
    protect_unassigned,
    routing,
)
from dpdesk.plan.declared_routing import declare_asked, read_asked, set_asked
from dpdesk.plan.filter_question import Filter
from dpdesk.plan.routing import FilterFinder
from dpdesk.plan.routing_columns import ROWS as LOOKED_AT
from dpdesk.plan.routing_columns import Answers, Neighbours, _some_rows

ROWS = 900
DRAWN = Random("either of two filters")
SMOKER = [DRAWN.choice(("daily", "sometimes", "no", "no")) for _ in range(ROWS)]
AGE = [str(DRAWN.randrange(10, 81)) for _ in range(ROWS)]
MEDIA = [
    ";".join(o for o in ("TV", "Web", "Radio") if DRAWN.random() < 0.3) or "none"
    for _ in range(ROWS)
]
SCALE = [str(DRAWN.randrange(1, 6)) for _ in range(ROWS)]
OTHERS = {f"q{place}": [str(DRAWN.randrange(1, 4)) for _ in range(ROWS)] for place in range(5)}


def asked_of(is_asked: list[bool], refusing: int = 0) -> list[str]:
    return [
        one if asked and not (refusing and row % refusing == 1) else ""
        for row, (one, asked) in enumerate(zip(SCALE, is_asked, strict=True))
    ]


def table_with(more: list[str]) -> SurveyTable:
    return table_from_texts(dict(smoker=SMOKER, age=AGE, media=MEDIA, **OTHERS, more=more))


def found_in(table: SurveyTable) -> tuple[Filter, ...]:
    plan = draft_table(table)
    domain = OptionSet(values=("TV", "Web", "Radio"), nothing="none")
    plan = plan.with_column("media", kind="several", domain=domain)
    return FilterFinder().filters_of(plan, table, "more")


@pytest.mark.parametrize("refusing", [0, 4])
@pytest.mark.parametrize(
    ("is_asked", "conditions"),
    [
        (
            [s == "daily" or int(a) >= 60 for s, a in zip(SMOKER, AGE, strict=True)],
            {"smoker is daily", "age is at least 60"},
        ),
        (
            [s == "daily" or "TV" in m for s, m in zip(SMOKER, MEDIA, strict=True)],
            {"smoker is daily", "media has TV"},
        ),
        (
            [m == "2" or s == "no" for m, s in zip(OTHERS["q2"], SMOKER, strict=True)],
            {"smoker is no", "q2 is 2"},
        ),
    ],
)
def test_that_either_of_two_filters_is_found(
    is_asked: list[bool], conditions: set[str], refusing: int
) -> None:
    (only,) = found_in(table_with(asked_of(is_asked, refusing)))
    assert {one.description for one in only.rule.any_of} == conditions
    assert only.exceptions == 0
    assert ", or " in only.condition()
    assert f"tells an answer to {' and '.join(only.rule.columns)}" in only.sentence()


def test_that_either_of_two_options_is_a_rule_that_can_be_declared() -> None:
    more = asked_of(["TV" in cell or "Web" in cell for cell in MEDIA])
    (only,) = found_in(table_with(more))
    assert only.rule.columns == ("media",)
    assert {one.description for one in only.rule.any_of} == {"media has TV", "media has Web"}


def test_that_one_filter_is_not_told_as_one_of_two() -> None:
    (only,) = found_in(table_with(asked_of([one == "daily" for one in SMOKER], 3)))
    assert only.condition() == "smoker is daily"


@pytest.mark.parametrize("blanks", [5, 6, 7])
def test_that_chance_is_told_either_of_two_filters_as_seldom_as_is_said(blanks: int) -> None:
    # Every way in which so many of 15 respondents can be blank, for two filters of two answers.
    first, second = [*"aaaaabbbbbbbbbb"], [*"ccdddcccccddddd"]
    columns = [answers_of("first", first), answers_of("second", second)]
    near, chances = Neighbours(columns), []
    for blank in combinations(range(15), blanks):
        target = answers_of("more", ["" if row in blank else "x" for row in range(15)])
        near.likely_filters(target, 0.0)
        fit = routing._fit_of_either(target, near, 0.0)
        chances.append(0.0 if fit is None else fit.log_chance)
    # Both orders of the two columns are looked at: two pairs.
    for at_most in (0.02, 0.1, 0.3, 0.5):
        told = sum(chance + log(2) <= log(at_most) for chance in chances)
        assert told <= at_most * len(chances)
    assert min(chances) < log(0.5)


def test_that_the_chance_of_a_pair_counts_the_ways_of_both_partings_and_all_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = [("a", "b", "c")[row % 3] for row in range(60)]
    second = [("d", "e")[row // 3 % 2] for row in range(60)]
    more = ["x" if f == "a" or s == "d" else "" for f, s in zip(first, second, strict=True)]
    near = Neighbours([answers_of("first", first), answers_of("second", second)])
    target = answers_of("more", more)
    near.likely_filters(target, 0.0)
    fit = routing._fit_of_either(target, near, 0.0)
    assert fit is not None
    # Of the 40 that one filter does not let in, those of the other are the 20 with an answer; or
    # of the 30, the 10. The former is less likely by chance; the first has 3 answers, the second 2.
    assert fit.log_chance == pytest.approx(log(1 / comb(40, 20)) + (3 + 2) * log(2))
    asked_for: list[float] = []
    monkeypatch.setattr(
        routing, "_fit_of_either", lambda _target, _near, chance: asked_for.append(chance)
    )
    table = table_from_texts({"first": first, "second": second, "more": more})
    monkeypatch.setattr(Neighbours, "likely_filters", lambda *_: asked_for.append(_[2]) or [])
    FilterFinder().filters_of(draft_table(table), table, "more")
    single, pair = map(exp, asked_for)
    # Three columns with three, and with three times three: together one table in a thousand.
    assert 3 * 3 * single + 3 * 3 * 3 * pair == pytest.approx(0.001)


def answers_of(name: str, texts: list[str]) -> Answers:
    table = table_from_texts({name: texts})
    return Answers.of(table.column(name), ColumnPlan(name=name, kind="nominal"), Reading())


@pytest.mark.parametrize("share", [0.15, 0.4, 0.7])
def test_that_tables_whose_blanks_go_with_answers_are_told_no_pair(share: float) -> None:
    # Those with one answer refuse more often than others: that is no routing.
    drawn = Random(f"refusals {share}")
    columns = {f"q{i}": [str(drawn.randrange(2 + i % 3)) for _ in range(800)] for i in range(10)}
    more = [
        "" if drawn.random() < share * (1.3 if columns["q0"][row] == "0" else 0.7) else "1"
        for row in range(800)
    ]
    table = table_from_texts({**columns, "more": more})
    assert FilterFinder().filters_of(draft_table(table), table, "more") == ()


def test_that_a_large_file_is_looked_at_by_some_records_only_and_counted_by_all() -> None:
    drawn, rows = Random("large"), 2 * LOOKED_AT + 11
    first = [drawn.choice("abc") for _ in range(rows)]
    second = [drawn.choice("12") for _ in range(rows)]
    asked = (f == "a" or s == "1" for f, s in zip(first, second, strict=True))
    more = ["x" if one and drawn.random() < 0.8 else "" for one in asked]
    table = table_from_texts({"first": first, "second": second, "more": more})
    (only,) = FilterFinder().filters_of(draft_table(table), table, "more")
    assert {one.description for one in only.rule.any_of} == {"first is a", "second is 1"}
    assert only.skipped == sum(f != "a" and s == "2" for f, s in zip(first, second, strict=True))


def test_that_either_of_two_filters_can_be_declared_and_refuses_blanks_of_both() -> None:
    asked = [s == "daily" or int(a) >= 60 for s, a in zip(SMOKER, AGE, strict=True)]
    table = table_with(asked_of(asked))
    plan = draft_table(table).with_column("age", kind="integer", domain=Integer(lower=0, upper=99))
    plan = protect_unassigned(plan)
    plan = plan.with_column("more", missing=MissingPolicy(policy="blank"))
    (found,) = FilterFinder().filters_of(plan, table, "more")
    told = [p for p in check_table(plan, table) if p.code == "blanks_tell_filter"]
    assert [problem.severity for problem in told] == ["error", "error"]
    plan = set_asked(plan, "more", read_asked(plan, found.rule.written))
    rule = plan.column("more").missing.asked
    assert rule is not None
    assert read_asked(plan, rule.written) == rule
    assert plan_from_json(plan_to_json(plan)) == plan
    declared = [p for p in check(plan) if p.code == "blanks_tell_filter"]
    assert len(declared) == 2
    codes = {problem.code for problem in check_table(plan, table)}
    assert not {"blanks_tell_filter", "asked_differs"} & codes
    wrong = declare_asked(plan, "more", "smoker=sometimes or age=70..")
    assert "asked_differs" in {problem.code for problem in check_table(wrong, table)}
    with pytest.raises(ParameterError):
        declare_asked(plan, "age", "smoker=daily or more=1")


def test_that_no_condition_is_lost_beside_two_options_of_one_question() -> None:
    plan = draft_table(table_with(SCALE))
    plan = plan.with_column("media", kind="several", domain=OptionSet(values=("TV", "Web")))
    plan = declare_asked(plan, "more", "media=TV or media=Web or smoker=no")
    rule = plan.column("more").missing.asked
    assert rule is not None
    assert rule.written == "media has TV, or media has Web, or smoker is no"
    assert str(rule.supposed_share) == "0.83"
    asked = ["TV" in m or "Web" in m or s == "no" for m, s in zip(MEDIA, SMOKER, strict=True)]
    table = table_with(asked_of(asked))
    domain = OptionSet(values=("TV", "Web", "Radio"), nothing="none")
    plan = protect_unassigned(plan.with_column("media", domain=domain))
    assert "asked_differs" not in {problem.code for problem in check_table(plan, table)}


def test_that_the_share_asked_by_either_is_that_of_both_alike() -> None:
    plan = draft_table(
        table_from_texts({"a": ["1", "2"] * 9, "b": ["x", "y"] * 9, "c": ["z"] * 18})
    )
    assert str(read_asked(plan, "a=1 or b=x").supposed_share) == "0.75"
    with pytest.raises(ParameterError):
        read_asked(plan, " or ".join(["a=1"] * 6))


def test_that_a_question_with_one_answer_is_no_pair_with_itself() -> None:
    # All with "a" answer, 30 of 100 with "b", none with "c": 15 % of those without "a".
    first = ["a"] * 400 + ["b"] * 100 + ["c"] * 100
    more = ["x" if place < 430 else "" for place in range(600)]
    other = ["de"[place % 2] for place in range(600)]
    table = table_from_texts({"first": first, "other": other, "more": more})
    assert FilterFinder().filters_of(draft_table(table), table, "more") == ()


@pytest.mark.parametrize(("blank", "found"), [(45, 0), (90, 1)])
def test_that_either_of_two_is_looked_for_where_one_in_ten_has_no_answer(
    blank: int, found: int
) -> None:
    # Of 900 records the first `blank` alone have neither: fewer than one in ten, or as many.
    first = ["a" if row >= blank and row % 2 else "b" for row in range(ROWS)]
    second = ["c" if row >= blank and not row % 2 else "d" for row in range(ROWS)]
    more = ["" if row < blank else "1" for row in range(ROWS)]
    table = table_from_texts({"first": first, "second": second, "more": more})
    assert len(FilterFinder().filters_of(draft_table(table), table, "more")) == found


def test_that_of_those_whom_a_condition_lets_in_one_in_four_answers() -> None:
    def found_where(answering: int) -> object:
        # Of each 100 so many with "a" answer, and 30 of those with "d" but not "a".
        rows = [(f, s, place) for f in "ab" for s in "de" for place in range(100)]
        given = [place < answering if f == "a" else s == "d" and place < 30 for f, s, place in rows]
        first, second = (
            answers_of(name, [row[at] for row in rows]) for at, name in ((0, "f"), (1, "s"))
        )
        target, near = (
            answers_of("more", ["x" if one else "" for one in given]),
            Neighbours([first, second]),
        )
        near.likely_filters(target, 0.0)
        return routing._fit_of_either(target, near, 0.0)

    assert found_where(26) is not None
    assert found_where(24) is None


def test_that_a_pair_is_told_by_its_answers_where_both_questions_list_them() -> None:
    asked = [m == "2" or s == "no" for m, s in zip(OTHERS["q2"], SMOKER, strict=True)]
    table = table_with(asked_of(asked))
    plan = protect_unassigned(draft_table(table))
    plan = plan.with_column("more", missing=MissingPolicy(policy="blank"))

    def told(plan: Plan) -> list[str]:
        return [p.message for p in check_table(plan, table) if p.code == "blanks_tell_filter"]

    (found,) = FilterFinder().filters_of(plan, table, "more")
    assert set(
        zip([one.column for one in found.rule.any_of], map(frozenset, found.others), strict=True)
    ) == {
        ("smoker", frozenset({"daily", "sometimes"})),
        ("q2", frozenset({"1", "3"})),
    }
    assert all(f"only where {found.condition()}," in message for message in told(plan))
    # An answer that one of both domains does not declare is a cell of the data.
    without = plan.with_column("smoker", domain=Categorical(values=("daily", "no")), other="daily")
    assert len(told(without)) == 2
    assert not any("only where" in message for message in told(without))


def test_that_what_is_found_is_cached_until_a_column_means_something_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_with(asked_of([one == "daily" for one in SMOKER]))
    plan, finder = draft_table(table), FilterFinder()
    found = finder.filters_of(plan, table, "more")
    looked: list[Answers] = []
    look = Neighbours.likely_filters

    def likely(near: Neighbours, target: Answers, *args: Any) -> list[Answers]:
        looked.append(target)
        return look(near, target, *args)

    monkeypatch.setattr(Neighbours, "likely_filters", likely)
    other = plan.with_column("more", label="How much")
    assert finder.filters_of(other, table, "more") == found
    assert not looked
    codes = other.with_column("smoker", missing=MissingPolicy(tokens=("", "no")))
    assert finder.filters_of(codes, table, "more") != found
    assert looked


def test_that_a_large_file_is_looked_at_with_twice_the_exceptions() -> None:
    rows = 2 * LOOKED_AT
    smoker = ["yes" if row % 3 else "no" for row in range(rows)]
    of_no = [row for row in range(rows) if smoker[row] == "no"]
    seen = set(_some_rows(rows).tolist())
    # Of those who are looked at, 7 in 100 have an answer; of all, fewer than 5.
    errors = {row for place, row in enumerate(r for r in of_no if r in seen) if place % 100 < 7}
    more = ["1" if s == "yes" or row in errors else "" for row, s in enumerate(smoker)]
    table = table_from_texts({"smoker": smoker, "more": more})
    (only,) = FilterFinder().filters_of(draft_table(table), table, "more")
    assert only.condition() == "smoker is yes"
    assert 0 < only.exceptions <= 0.05 * only.skipped
