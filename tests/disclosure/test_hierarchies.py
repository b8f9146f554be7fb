from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn, table_from_texts
from dpdesk.disclosure.columns import missing_by
from dpdesk.disclosure.hierarchies import (
    ALL,
    Hierarchy,
    by_prefix,
    by_widths,
    in_groups,
    merged,
    suggested_hierarchy,
)
from dpdesk.disclosure.level_choice import (
    LevelChoice,
    hierarchy_text,
    levelled_columns,
    read_hierarchy,
)
from dpdesk.disclosure.levelled import LevelledColumn, levelled, rare_merged_levels
from dpdesk.domains import Categorical, Integer, NumericDomain, OptionSet, Real
from tests.refusals import refused


def on(hierarchy: Hierarchy, *texts: str) -> LevelledColumn:
    column = TextColumn.from_texts(hierarchy.column, texts)
    return levelled(hierarchy, column, ".", missing_by(Reading())(column))


def written(column: LevelledColumn, level: int) -> list[str]:
    at = column.at(level)
    return [column.labels[level][code] for code in at.codes]


def test_that_numbers_get_intervals_of_round_widths_within_their_bounds() -> None:
    ages = suggested_hierarchy("age", Integer(lower=17, upper=90))
    column = on(ages, "17", "24", "90")
    assert [written(column, level) for level in range(5)] == [
        ["17", "24", "90"],
        ["17 to 19", "20 to 24", "90"],
        ["17 to 19", "20 to 29", "90"],
        ["17 to 19", "20 to 39", "80 to 90"],
        [ALL] * 3,
    ]


def test_that_a_long_scale_is_listed_by_intervals_and_holds_both_of_its_bounds() -> None:
    incomes = suggested_hierarchy("income", Real(lower="0", upper="1000000", resolution="10"))
    assert incomes.keys[0] == "[0, 50000)"
    assert incomes.keys[-1] == "[950000, 1000000]"
    column = on(incomes, "0", "49999.5", "50000", "1000000")
    assert written(column, 0) == ["0", "49999.5", "50000", "1000000"]
    assert written(column, 1)[:2] == ["[0, 50000)", "[0, 50000)"]
    assert written(column, 1)[3] == "[950000, 1000000]"


def test_that_what_lies_beyond_a_coding_is_one_group_on_every_level() -> None:
    ages = by_widths("age", Integer(lower=17, upper=90), (5, 10), lowest=20, highest=65)
    column = on(ages, "17", "19", "20", "64", "65", "90")
    assert (
        written(column, 1) == ["below 20", "below 20", "20 to 24", "60 to 64"] + ["65 or more"] * 2
    )
    assert written(column, 2)[2:4] == ["20 to 29", "60 to 64"]


@pytest.mark.parametrize("widths", [(5, 7), (10, 5), (0, 1), (), (5, 5)])
def test_that_widths_which_do_not_nest_are_refused(widths: tuple[float, ...]) -> None:
    with refused("disclosure.bad-widths", column="age"):
        by_widths("age", Integer(lower=17, upper=90), widths)


def test_that_codes_lose_their_last_letters_and_neighbours_of_an_order_are_merged() -> None:
    codes = suggested_hierarchy("zip", Categorical(values=("13053", "13068", "14850")))
    assert codes.labels == (("130**", "130**", "148**"), (ALL,) * 3)
    assert by_prefix("zip", ("a1", "a2", "b1"), [1]).labels[0] == ("a*", "a*", "b*")
    degree = suggested_hierarchy("d", Categorical(values=tuple("abcde")), is_ordinal=True)
    assert degree.labels[0] == ("a to b", "a to b", "c to d", "c to d", "e")
    assert degree.labels[1] == ("a to d",) * 4 + ("e",)
    assert degree.is_ordered
    assert in_groups("d", tuple("abcdef"), [3]).labels == (
        ("a to c",) * 3 + ("d to f",) * 3,
        (ALL,) * 6,
    )
    assert suggested_hierarchy("race", Categorical(values=("x", "y"))).labels == ((ALL, ALL),)


def test_that_categories_merged_by_hand_stay_merged() -> None:
    found = merged("m", ("a", "b", "c"), {"a": "ab", "b": "ab"}, {"ab": "all", "c": "all"})
    assert found.labels == (("ab", "ab", "c"), (ALL,) * 3)


def test_that_rare_values_are_merged_and_missing_ones_are_none_of_them() -> None:
    # Of 40 answers 4 % are less than two: c and d are rare, e has exactly 5 %.
    texts = [*"a" * 20, *"b" * 16, "c", "d", *"ee", "", ""]
    levels = rare_merged_levels(
        on(suggested_hierarchy("c", Categorical(values=tuple("abcde"))), *texts)
    )
    assert levels is not None
    assert levels.from_data
    assert levels.keys == tuple("abcde")
    assert levels.labels == (("a", "b", "other", "other", "e"), (ALL,) * 5)
    assert "" in written(on(levels, *texts), 1)


@pytest.mark.parametrize("texts", ["a" * 39 + "b", "ab", "".join(map(chr, range(65, 91)))])
def test_that_nothing_is_merged_where_one_value_is_rare_none_or_all(texts: str) -> None:
    values = tuple(dict.fromkeys(texts))
    column = on(suggested_hierarchy("c", Categorical(values=values)), *texts)
    assert rare_merged_levels(column) is None


def test_that_the_word_for_rare_values_is_no_value_itself() -> None:
    texts = ["other"] * 60 + ["x", "y"]
    column = on(suggested_hierarchy("c", Categorical(values=("other", "x", "y"))), *texts)
    levels = rare_merged_levels(column)
    assert levels is not None
    assert levels.labels[0] == ("other", "other answers", "other answers")


def test_that_several_answers_in_a_cell_have_no_levels_of_their_own() -> None:
    with refused("disclosure.several-answers", column="media"):
        suggested_hierarchy("media", OptionSet(values=("tv", "web"), separator=";"))


def test_that_a_level_which_separates_what_was_equal_is_refused_by_its_row() -> None:
    with refused("disclosure.level-separates", level=2, column="c", row=2):
        Hierarchy("c", ("a", "b"), (("x", "x"), ("y", "z")))
    with refused("disclosure.no-label", level=1, column="c", count=1):
        Hierarchy("c", ("a", "b"), (("x", " "),))
    with refused("disclosure.value-twice", column="c"):
        Hierarchy("c", ("a", "a"), (("x", "x"),))
    with refused("disclosure.not-all-labelled", column="c"):
        Hierarchy("c", ("a", "b"), ())


def test_that_values_which_levels_do_not_list_are_counted_and_not_named() -> None:
    levels = merged("c", ("a", "b"), {})
    with refused("disclosure.unlisted", column="c", count=2) as raised:
        on(levels, "a", "secret", "b", "secret")
    assert "secret" not in str(raised.value)


def test_that_a_missing_cell_is_told_apart_up_to_the_level_that_tells_nothing() -> None:
    column = on(merged("c", ("a", "b", "c"), {"a": "ab", "b": "ab"}), "a", "", "c")
    assert [written(column, level) for level in range(3)] == [
        ["a", "", "c"],
        ["ab", "", "c"],
        [ALL] * 3,
    ]
    assert [column.at(level).missing >= 0 for level in range(3)] == [True, True, False]
    listed = on(Hierarchy("c", ("a", ""), (("known", "unknown"),)), "a", "")
    assert written(listed, 1) == ["known", "unknown"]


def test_that_numbers_are_found_however_they_are_written() -> None:
    ages = suggested_hierarchy("age", Integer(lower=17, upper=90))
    assert written(on(ages, "39.0", " 39", "39"), 0) == ["39"] * 3


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    # What a spreadsheet would run, quotation marks, separators, and numbers of any sign.
    cell = st.text("ab-=+@'\",;0 9\u00e9", min_size=1, max_size=5).filter(lambda text: text.strip())
    keys = draw(st.lists(cell, min_size=2, max_size=6, unique=True).filter(lambda k: k[0] != "col"))
    first = draw(st.lists(cell, min_size=len(keys), max_size=len(keys)))
    return Hierarchy("col", tuple(keys), (tuple(first), (ALL,) * len(keys)))


@given(levels=hierarchies())
def test_that_a_file_of_levels_is_read_as_it_was_written(
    levels: Hierarchy, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("levels") / "levels.csv"
    path.write_text(hierarchy_text(levels), encoding="utf-8", newline="")
    found = read_hierarchy(path, "col", delimiter=",")
    assert (found.keys, found.labels) == (levels.keys, levels.labels)


def test_that_a_file_with_semicolons_and_a_header_is_read(tmp_path: Path) -> None:
    path = tmp_path / "levels.csv"
    path.write_text("city;region;all\nBonn;west;*\nJena;east;*\n", encoding="utf-8")
    found = read_hierarchy(path, "city")
    assert found == Hierarchy("city", ("Bonn", "Jena"), (("west", "east"), (ALL, ALL)))


@given(
    lower=st.integers(-50, 50),
    span=st.integers(2, 200),
    data=st.data(),
)
def test_that_every_number_lies_in_an_interval_and_levels_nest(
    lower: int, span: int, data: st.DataObject
) -> None:
    domain: NumericDomain = Integer(lower=lower, upper=lower + span)
    if data.draw(st.booleans()):
        domain = Real(lower=str(lower), upper=str(lower + span), resolution="0.001")
    numbers = data.draw(st.lists(st.integers(lower, lower + span), min_size=1, max_size=20))
    column = on(suggested_hierarchy("x", domain), *map(str, numbers))
    for level in range(1, column.height + 1):
        finer, coarser = column.maps[level - 1], column.maps[level]
        for code in np.unique(finer):
            assert len(set(coarser[finer == code].tolist())) == 1


def test_that_levels_which_follow_from_the_records_say_so_and_have_round_bounds() -> None:
    table = table_from_texts(
        {"age": [str(age) for age in range(17, 60)] * 3, "s": ["a", "b", "c"] * 43}
    )
    (age, s) = levelled_columns(
        table, ["age", "s"], LevelChoice(domains={"s": Categorical(values=("a", "b", "c"))})
    )
    assert age.hierarchy.from_data
    assert not s.hierarchy.from_data
    assert float(age.hierarchy.keys[0]) < 17
