from __future__ import annotations

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.domains import Categorical
from dpdesk.plan import ColumnPlan, MissingPolicy, encode_column
from tests.plan.plans import AGES, MOODS


def _mood(**fields: object) -> ColumnPlan:
    return ColumnPlan(name="mood", kind="ordinal", domain=MOODS, **fields)  # type: ignore[arg-type]


def _codes(column: ColumnPlan, texts: list[str], **parts: object) -> list[int]:
    answers = TextColumn.from_texts(column.name, texts)
    reading = Reading(**parts)  # type: ignore[arg-type]
    return [int(c) for c in encode_column(column, answers, reading).code_of[answers.codes]]


def test_that_na_is_an_answer_until_it_is_declared_missing() -> None:
    assert _codes(_mood(), ["low", "NA"]) == [0, -1]
    policy = MissingPolicy(tokens=("", "NA"), policy="category", value="(none)")
    assert _codes(_mood(missing=policy), ["low", "NA", ""]) == [0, 3, 3]


def test_that_a_declared_value_takes_the_place_of_missing_answers() -> None:
    policy = MissingPolicy(policy="value", value="middle")
    assert _codes(_mood(missing=policy), ["", "high"]) == [1, 2]


def test_that_answers_outside_the_list_go_to_other() -> None:
    assert _codes(_mood(other="rest"), ["low", "?", "rest"]) == [0, 3, 3]


def test_that_an_answer_that_reads_like_the_missing_category_is_outside_the_domain() -> None:
    policy = MissingPolicy(policy="category", value="(none)")
    texts = TextColumn.from_texts("mood", ["", "(none)", "(none)"])
    encoded = encode_column(_mood(missing=policy), texts)
    assert (encoded.missing, encoded.outside, encoded.unfit) == (1, 2, 2)


def test_that_what_cannot_be_found_or_read_is_taken_as_missing_where_that_has_a_place() -> None:
    policy = MissingPolicy(policy="category", value="(none)")
    assert _codes(_mood(missing=policy), ["", "(none)", "?"]) == [3, 3, 3]
    assert _codes(_mood(missing=policy, other="rest"), ["", "(none)"]) == [4, 3]


def test_that_texts_among_numbers_are_taken_as_missing_where_that_has_a_place() -> None:
    policy = MissingPolicy(policy="value", value="20")
    column = ColumnPlan(name="age", kind="integer", domain=AGES, missing=policy)
    assert _codes(column, ["x", "", "18", "17"]) == [2, 2, 0, 0]


def test_that_numbers_are_clamped_rounded_and_read_with_their_decimal_mark() -> None:
    column = ColumnPlan(name="age", kind="integer", domain=AGES)
    assert _codes(column, ["17", "18", "20.6", "100", "x"]) == [0, 0, 3, 81, -1]
    assert _codes(column, ["20,6", "20.6"], decimal=",") == [3, -1]


def test_that_counts_of_missing_and_outside_answers_are_per_respondent() -> None:
    column = ColumnPlan(name="age", kind="integer", domain=AGES)
    encoded = encode_column(column, TextColumn.from_texts("age", ["", "", "5", "x", "40"]))
    assert (encoded.missing, encoded.outside, encoded.uncoded) == (2, 2, 3)
    assert encoded.uncoded_missing == 2
    assert (encoded.unfit, encoded.unreadable) == (2, 1)


def test_that_an_answer_of_wrong_bytes_is_unreadable_even_where_others_have_a_place() -> None:
    answers = TextColumn.from_texts("mood", ["low", "l\ufffdw", "?", "?"])
    encoded = encode_column(_mood(), answers)
    assert (encoded.unfit, encoded.unreadable, encoded.outside) == (3, 1, 3)
    encoded = encode_column(_mood(other="rest"), answers)
    assert (encoded.unfit, encoded.unreadable, encoded.outside) == (1, 1, 3)


def test_that_a_code_for_no_answer_is_one_in_every_column_of_the_reading() -> None:
    policy = MissingPolicy(policy="category", value="(none)")
    assert _codes(_mood(missing=policy), ["-9", "low"], missing=("-9",)) == [3, 0]
    ages = ColumnPlan(name="age", kind="integer", domain=AGES)
    assert _codes(ages, ["99", "18"], missing=("99",)) == [-1, 0]
    assert _codes(ages, ["99", "18"]) == [81, 0]


def test_that_a_cell_of_blanks_is_empty_unless_it_is_a_category() -> None:
    policy = MissingPolicy(policy="category", value="(none)")
    assert _codes(_mood(missing=policy), [" " * 1500, "\t", "low"]) == [3, 3, 0]
    told_apart = MissingPolicy(tokens=("NA",), policy="category", value="(none)")
    texts = TextColumn.from_texts("mood", ["NA", " ", ""])
    encoded = encode_column(_mood(missing=told_apart), texts)
    assert (encoded.missing, encoded.unfit) == (1, 2)
    blank = ColumnPlan(name="b", kind="binary", domain=Categorical(values=(" ", "x")))
    assert _codes(blank, [" ", "x", "", "  "]) == [0, 1, -1, -1]
