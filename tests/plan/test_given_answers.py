from __future__ import annotations

from dataclasses import astuple
from decimal import Decimal

import numpy as np
import pytest

from dpdesk.data import table
from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.domains import AnyDomain, Categorical, Integer, OptionSet, Real
from dpdesk.numbers import arrays
from dpdesk.plan import ColumnPlan, MissingPolicy, encode_column
from dpdesk.plan.given_answers import BINS_MAX, GivenAnswers, given_answers


def counted(column: ColumnPlan, texts: list[str]) -> GivenAnswers:
    return given_answers(column, TextColumn.from_texts(column.name, texts), Reading())


def test_that_every_respondent_is_counted_once_as_an_answer_missing_or_outside():
    column = ColumnPlan(
        name="q",
        kind="nominal",
        domain=Categorical(values=("a", "b", "c"), labels={"b": "bee"}),
        missing=MissingPolicy(tokens=("", "-9"), policy="category", value="none"),
    )
    given = counted(column, ["a", "b", "b", "-9", "", "zebra", "a", "b"])
    assert given.labels == ("a", "bee", "c")
    assert given.counts.tolist() == [2, 3, 0]
    assert (given.missing, given.outside, given.total) == (2, 1, 8)


def test_that_the_codes_of_the_mechanism_hold_the_category_of_missing_answers():
    column = ColumnPlan(
        name="q",
        kind="binary",
        domain=Categorical(values=("yes", "no")),
        missing=MissingPolicy(tokens=("",), policy="category", value="none"),
    )
    given = counted(column, ["yes", "", "no", "", "yes", ""])
    assert dict(zip(given.codes.tolist(), given.code_counts.tolist(), strict=True)) == {
        0: 2, 1: 1, 2: 3
    }  # fmt: skip


def test_that_numbers_are_counted_in_intervals_of_equally_many_grid_points():
    rng = np.random.default_rng(4)
    numbers = rng.integers(10, 120, 5_000)
    column = ColumnPlan(name="age", kind="integer", domain=Integer(lower=18, upper=99))
    given = counted(column, [str(n) for n in numbers])
    assert len(given.counts) <= BINS_MAX
    inside = numbers[(numbers >= 18) & (numbers <= 99)]
    # 82 grid points in 24 bars at most: four to a bar.
    expected = np.bincount((inside - 18) // 4, minlength=21)
    assert given.counts.tolist() == expected.tolist()
    assert given.labels[0] == "18–21"
    assert given.labels[-1] == "98–99"
    assert given.outside == int(((numbers < 18) | (numbers > 99)).sum())
    assert given.below == int((numbers < 18).sum()) > 0
    assert given.above == int((numbers > 99).sum()) > 0


def test_that_a_bar_of_one_grid_point_is_named_after_it():
    domain = Real(lower=Decimal(0), upper=Decimal(1), resolution=Decimal("0.5"))
    given = counted(ColumnPlan(name="q", kind="real", domain=domain), ["0", "0.5", "0.5", "x"])
    assert given.labels == ("0.0", "0.5", "1.0")
    assert given.counts.tolist() == [1, 2, 0]
    assert given.outside == 1


def test_that_only_categories_of_one_to_four_respondents_are_rare():
    column = ColumnPlan(name="q", kind="nominal", domain=Categorical(values=("a", "b", "c", "d")))
    given = counted(column, ["a"] * 5 + ["b"] * 4 + ["c"])
    assert given.rare == (("b", 4), ("c", 1))
    assert (given.rare_codes, given.at_ends) == ((1, 2), 0)


def test_that_options_of_a_set_are_rare_as_categories_are():
    column = ColumnPlan(name="q", kind="several", domain=OptionSet(values=("a", "b", "c")))
    given = counted(column, ["a;b"] * 4 + ["a"] * 6 + ["b"])
    assert (given.rare, given.at_ends) == ((), 0)
    assert counted(column, ["a;b"] * 4 + ["a"] * 6).rare == (("b", 4),)


@pytest.mark.parametrize(("least", "most", "few"), [(1, 4, 2), (5, 4, 1), (5, 0, 0), (0, 1, 1)])
def test_that_a_bound_is_rare_where_one_to_four_respondents_gave_it(least, most, few):
    column = ColumnPlan(name="q", kind="integer", domain=Integer(lower=0, upper=99))
    given = counted(column, ["0"] * least + ["99"] * most + ["50", "-3", "200"])
    assert (given.ends, given.at_ends, given.rare) == ((least, most), few, ())


@pytest.mark.parametrize(
    ("cells", "ends"),
    [
        (["0.1", "9.9"], (1, 1)),
        # Rounded to the next point, and still within a step of the bound.
        (["4.9", "5.1", "94.9", "95.1"], (1, 1)),
        (["4.9"] * 5 + ["5", "95"], (5, 0)),
        (["0", "1", "100", "99.5"], (2, 2)),
    ],
)
def test_that_a_bound_tells_of_answers_less_than_a_step_from_it(cells, ends):
    upper = 10 if "9.9" in cells else 100
    domain = Real(lower=Decimal(0), upper=Decimal(upper), resolution=Decimal(5))
    column = ColumnPlan(name="q", kind="real", domain=domain)
    assert counted(column, [*cells, "5", "5"] if upper > 10 else cells).ends == ends


def test_that_categories_without_an_order_are_drawn_by_their_counts():
    texts = ["b", "b", "a", "c", "c", "c"]
    values = Categorical(values=("a", "b", "c"))
    nominal = counted(ColumnPlan(name="q", kind="nominal", domain=values), texts)
    ordinal = counted(ColumnPlan(name="q", kind="ordinal", domain=values), texts)
    assert nominal.shown_order().tolist() == [2, 1, 0]
    assert ordinal.shown_order().tolist() == [0, 1, 2]


def test_that_a_column_without_a_domain_has_a_number_of_texts_and_no_bars():
    given = counted(ColumnPlan(name="id", kind="identifier"), ["r1", "r2", "r3"])
    assert (given.labels, given.distinct, len(given.counts)) == ((), 3, 0)


def test_that_weights_give_each_answer_its_part_and_the_effective_number_of_respondents():
    column = ColumnPlan(name="q", kind="nominal", domain=Categorical(values=("a", "b", "c")))
    texts = TextColumn.from_texts("q", ["a", "b", "b", "x", "a"])
    weights = np.array([3.0, 1.0, 1.0, 100.0, 1.0])
    given = given_answers(column, texts, Reading(), ("w", weights))
    # What cannot be encoded has no part: 6 of weight, squares 12.
    assert given.codes.tolist() == [0, 1]
    assert given.weighted is not None
    assert given.weighted.by == "w"
    assert given.weighted.shares == pytest.approx([4 / 6, 2 / 6])
    assert given.weighted.effective == pytest.approx(36 / 12)
    assert given.code_counts.tolist() == [2, 2]
    assert counted(column, ["a", "b"]).weighted is None


@pytest.mark.parametrize(
    ("kind", "domain", "other"),
    [
        ("integer", Integer(lower=0, upper=90, step=2), ""),
        ("nominal", Categorical(values=tuple(str(n) for n in range(40))), ""),
        ("nominal", Categorical(values=("rest", *(str(n) for n in range(40)))), "rest"),
        ("several", OptionSet(values=tuple(str(n) for n in range(9))), ""),
    ],
)
@pytest.mark.parametrize(
    ("policy", "value"), [("category", "no answer"), ("blank", None), ("none", None)]
)
def test_that_many_distinct_texts_are_encoded_and_counted_alike_in_pieces(
    kind: str,
    domain: AnyDomain,
    other: str,
    policy: str,
    value: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    missing = {"tokens": ("", "-9"), "ranges": ({"lower": 70, "upper": 72},)}
    missing |= {"policy": policy} if value is None else {"policy": policy, "value": value}
    fields = {"name": "q", "kind": kind, "domain": domain, "other": other, "missing": missing}
    column = ColumnPlan.model_validate(fields)
    cells = [str(number * 37 % 101 - 3) for number in range(300)]
    texts = [*cells, "", " ", "-9", "-9.0", "0", "90", "no number", "1;2", "4\ufffd"]

    def found() -> list[object]:
        answers = TextColumn.from_texts("q", texts)
        weights = np.arange(len(texts)) % 7 / 2
        given = given_answers(column, answers, Reading(), ("w", weights))
        parts = (*astuple(encode_column(column, answers)), *astuple(given))
        return [part.tolist() if isinstance(part, np.ndarray) else part for part in parts]

    whole = found()
    monkeypatch.setattr(arrays, "ROWS_TOGETHER", 7)
    monkeypatch.setattr(table, "_TEXTS_TOGETHER", 5)
    np.testing.assert_equal(found(), whole)
