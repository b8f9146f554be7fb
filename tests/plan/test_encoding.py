from __future__ import annotations

from dpdesk.data.table import TextColumn
from dpdesk.plan import ColumnPlan, MissingPolicy, encode_column
from tests.plan.plans import AGES, MOODS


def _mood(**fields: object) -> ColumnPlan:
    return ColumnPlan(name="mood", kind="ordinal", domain=MOODS, **fields)  # type: ignore[arg-type]


def _codes(column: ColumnPlan, texts: list[str], decimal: str = ".") -> list[int]:
    answers = TextColumn.from_texts(column.name, texts)
    return [int(c) for c in encode_column(column, answers, decimal).code_of[answers.codes]]


def test_that_na_is_an_answer_until_it_is_declared_missing() -> None:
    assert _codes(_mood(), ["low", "NA"]) == [0, -1]
    policy = MissingPolicy(tokens=("", "NA"), policy="category", value="(none)")
    assert _codes(_mood(missing=policy), ["low", "NA", ""]) == [0, 3, 3]


def test_that_a_declared_value_takes_the_place_of_missing_answers() -> None:
    policy = MissingPolicy(policy="value", value="middle")
    assert _codes(_mood(missing=policy), ["", "high"]) == [1, 2]


def test_that_answers_outside_the_list_go_to_other() -> None:
    assert _codes(_mood(other="rest"), ["low", "?", "rest"]) == [0, 3, 3]


def test_that_an_answer_that_reads_like_the_missing_category_is_not_taken_for_it() -> None:
    policy = MissingPolicy(policy="category", value="(none)")
    assert _codes(_mood(missing=policy), ["", "(none)"]) == [3, -1]
    assert _codes(_mood(missing=policy, other="rest"), ["", "(none)"]) == [4, 3]


def test_that_numbers_are_clamped_rounded_and_read_with_their_decimal_mark() -> None:
    column = ColumnPlan(name="age", kind="integer", domain=AGES)
    assert _codes(column, ["17", "18", "20.6", "100", "x"]) == [0, 0, 3, 81, -1]
    assert _codes(column, ["20,6", "20.6"], ",") == [3, -1]


def test_that_counts_of_missing_and_outside_answers_are_per_respondent() -> None:
    column = ColumnPlan(name="age", kind="integer", domain=AGES)
    encoded = encode_column(column, TextColumn.from_texts("age", ["", "", "5", "x", "40"]))
    assert (encoded.missing, encoded.outside, encoded.uncoded) == (2, 2, 3)
    assert encoded.uncoded_missing == 2
