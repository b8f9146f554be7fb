from __future__ import annotations

from dataclasses import astuple
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.data import spool
from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.disclosure import (
    Classes,
    CodedColumn,
    RiskQuestion,
    chosen_columns,
    chosen_weights,
    disclosure_risk,
    diversity,
    measure,
    special_uniques,
    special_uniques_of,
)
from dpdesk.disclosure import classes as classes_module
from dpdesk.disclosure.changes import changes, in_bands, rare_merged
from dpdesk.disclosure.classes import frequencies_matching_missing
from dpdesk.disclosure.measure import Frequencies, without_each
from dpdesk.disclosure.risks import population_risk
from dpdesk.disclosure.special_uniques import RiskyRecord, sets_looked_at
from dpdesk.disclosure.suggest import suggested_columns
from dpdesk.disclosure.texts import T
from dpdesk.errors import Cancelled
from dpdesk.i18n import Message
from dpdesk.numbers import arrays
from tests.disclosure.brute_force import (
    diversity_of,
    frequencies_of_any,
    groups_of,
    minimal_unique_sets,
    suda_score,
)
from tests.refusals import refused

Rows = list[tuple[int, ...]]


def columns_of(rows: Rows, missing: int = -1) -> tuple[CodedColumn, ...]:
    """Columns of codes 0 to 3, named a, b, c ..."""
    codes = np.array(rows, dtype=np.int32).reshape(len(rows), -1)
    return tuple(
        CodedColumn(chr(ord("a") + i), codes[:, i], 4, missing=missing)
        for i in range(codes.shape[1])
    )


@st.composite
def tables(draw: st.DrawFn, width: int = 4, most: int = 24) -> Rows:
    columns = draw(st.integers(1, width))
    cells = st.tuples(*[st.integers(0, 3)] * columns)
    return draw(st.lists(cells, min_size=2, max_size=most))


@given(tables())
def test_that_classes_are_the_groups_of_equal_records(rows: Rows) -> None:
    classes = Classes(columns_of(rows), len(rows))
    groups = groups_of(rows)
    assert sorted(classes.sizes.tolist()) == sorted(map(len, groups.values()))
    assert classes.frequency.tolist() == [len(groups[row]) for row in rows]
    assert classes.k == min(map(len, groups.values()))
    assert classes.unique_rows == sum(len(one) == 1 for one in groups.values())
    assert classes.rows_below(3) == sum(len(one) for one in groups.values() if len(one) < 3)
    for places in groups.values():
        assert len(set(classes.of_row[places].tolist())) == 1


@given(tables())
def test_that_numbers_that_would_leave_63_bits_are_ranked_first(rows: Rows) -> None:
    narrow = columns_of(rows)
    wide = [CodedColumn(c.name, c.codes.astype(np.int64) * 2**40, 2**42) for c in narrow]
    expected, found = Classes(narrow, len(rows)), Classes(wide, len(rows))
    assert sorted(found.sizes.tolist()) == sorted(expected.sizes.tolist())
    assert found.frequency.tolist() == expected.frequency.tolist()


@given(tables(), st.integers(1, 5), st.sampled_from([2**62, 100]), st.sampled_from([0, 2**22]))
def test_that_records_are_classed_the_same_however_many_are_looked_at_together(
    rows: Rows, together: int, largest: int, counted: int
) -> None:
    columns = columns_of(rows)
    weights = np.arange(len(rows)) + 0.5

    def found() -> list[object]:
        classes = Classes(columns, len(rows))
        question = RiskQuestion(columns[:-1] or columns, len(rows), (), weights)
        told = [diversity(classes, column) for column in columns]
        return [
            classes.sizes.tolist(),
            classes.of_row.tolist(),
            classes.alone.tolist(),
            [sums.tolist() for _, sums in classes.sums(weights)],
            classes.as_column.codes.tolist(),
            [column.counts.tolist() for column in columns_of(rows)],
            told,
            disclosure_risk(question),
            special_uniques(columns, len(rows)).scores.tolist(),
            special_uniques(columns, len(rows)).riskiest(3),
            frequencies_matching_missing(columns_of(rows, missing=0), len(rows))[0].tolist(),
        ]

    whole = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "ROWS_TOGETHER", together)
        patch.setattr(classes_module, "_LARGEST", largest)
        patch.setattr(classes_module, "_COUNTED_MOST", counted)
        patch.setattr(classes_module, "_SORTED_MOST", together)
        patch.setattr(spool, "_ONE_COLUMN", 4)
        patch.setattr(spool, "MEMORY_MOST", 4)
        assert found() == whole
        # Sums of more parts are of other roundings.
        patch.setattr(classes_module, "_SUMMED_MOST", together)
        found_sums = [sums for _, sums in Classes(columns, len(rows)).sums(weights)]
        risk = population_risk(Classes(columns, len(rows)), weights)
    classes = Classes(columns, len(rows))
    (expected,) = (sums for _, sums in classes.sums(weights))
    assert np.concatenate(found_sums) == pytest.approx(expected)
    assert astuple(risk) == pytest.approx(astuple(population_risk(classes, weights)))


@given(tables())
def test_that_a_missing_cell_can_match_any_value(rows: Rows) -> None:
    columns = columns_of(rows, missing=0)
    of_classes, sizes = frequencies_matching_missing(columns, len(rows))
    classes = Classes(columns, len(rows))
    assert sizes.tolist() == classes.sizes.tolist()
    found = of_classes[classes.of_row]
    assert found.tolist() == frequencies_of_any(rows, 0)
    frequencies = Frequencies(columns_of(rows, missing=0), len(rows), "any")
    assert frequencies.average == pytest.approx(np.mean(1 / found))
    assert (frequencies.k, frequencies.below(3)) == (found.min(), np.count_nonzero(found < 3))


def test_that_too_many_combinations_of_missing_cells_are_refused() -> None:
    numbers = np.arange(2048)
    columns = [CodedColumn(str(bit), numbers >> bit & 1, 2, missing=0) for bit in range(11)]
    with refused("disclosure.missing-patterns", patterns=2048):
        frequencies_matching_missing(columns, len(numbers))


@given(tables(width=3), st.data())
def test_that_diversity_is_that_of_the_definitions(rows: Rows, data: st.DataObject) -> None:
    sensitive = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    classes, expected = Classes(columns_of(rows), len(rows)), diversity_of(rows, sensitive)
    for is_ordered, name in ((False, "nominal"), (True, "ordered")):
        column = CodedColumn("s", np.array(sensitive), 4, is_ordered=is_ordered)
        found = diversity(classes, column)
        assert found.l_distinct == expected["l_distinct"]
        assert found.rows_disclosed == expected["rows_disclosed"]
        assert found.l_entropy == pytest.approx(expected["l_entropy"])
        assert found.recursive_c == pytest.approx(expected["recursive_c"])
        assert found.alpha == pytest.approx(expected["alpha"])
        assert found.t_closeness == pytest.approx(expected[name], abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(tables(width=5, most=14), st.integers(1, 4))
def test_that_minimal_unique_sets_are_those_of_the_definition(rows: Rows, depth: int) -> None:
    columns = columns_of(rows)
    found = special_uniques(columns, len(rows), depth)
    expected = minimal_unique_sets(rows, min(depth, len(columns)))
    assert found.rows.tolist() == sorted(expected)
    of_row = {one.row: (one.suda, one.sets) for one in found.riskiest(len(rows))}
    for row, sets in expected.items():
        score, listed = of_row[row]
        assert {tuple("abcde".index(name) for name in one) for one in listed} == sets
        assert score == suda_score(sets, len(columns), min(depth, len(columns)))
    parts = [
        sum(
            suda_score({one}, len(columns), min(depth, len(columns)))
            for sets in expected.values()
            for one in sets
            if place in one
        )
        for place in range(len(columns))
    ]
    whole = sum(score for score, _ in of_row.values())
    assert found.contributions == pytest.approx([p / whole if whole else 0.0 for p in parts])


def test_that_records_which_only_many_columns_tell_apart_are_ordered_by_rare_answers() -> None:
    # Nobody is alone on fewer than six columns: each row is a corner of a cube of six dimensions.
    cube = np.array(list(product((0, 1), repeat=6)))
    # A column that few say yes to tells more of those who do.
    uneven = np.concatenate([cube, cube[:16].repeat(2, axis=0)])
    columns = [CodedColumn(name, uneven[:, at], 2) for at, name in enumerate("abcdef")]
    found = special_uniques(columns, len(uneven))
    records = found.riskiest(len(uneven))
    assert {one.suda for one in records} == {0.0}
    assert all(0 < one.score < 1 and not one.sets for one in records)
    assert [one.score for one in records] == sorted((one.score for one in records), reverse=True)
    for one in records:
        differ = (uneven != uneven[one.row]).mean()
        assert one.rarity == pytest.approx(differ)
    # Of 96 records 32 have a 1 in each of the first two columns: those with both come first.
    assert all(uneven[one.row, :2].all() for one in records[:16])
    assert len({one.score for one in records}) > 1


def test_that_a_rarity_never_looks_like_a_score() -> None:
    assert RiskyRecord(0, 0.0, 0.9999, ()).score_text == "0.999"
    assert RiskyRecord(0, 1210.0, 0.25, (("a",),)).score_text == "1,210.250"


def test_that_the_score_is_that_of_the_published_example() -> None:
    """Manning, Haglin & Keane (2008): 8 columns, sets of at most 3: 210, 30 and 5."""
    assert [suda_score({tuple(range(n))}, 8, 3) for n in (1, 2, 3)] == [210, 30, 5]


def test_that_of_many_columns_smaller_sets_are_looked_at() -> None:
    assert sets_looked_at(5) == (4, 5 + 10 + 10 + 5)
    assert sets_looked_at(3) == (3, 7)
    assert sets_looked_at(60) == (2, 60 + 1770)
    assert sets_looked_at(200) == (1, 200)


@given(tables(width=5))
def test_that_each_column_is_left_out_once(rows: Rows) -> None:
    columns = columns_of(rows)
    places = []
    for place, outside in without_each(columns, len(rows)):
        others = [c for i, c in enumerate(columns) if i != place]
        sizes = Classes(outside, len(rows)).sizes
        assert sorted(sizes.tolist()) == sorted(Classes(others, len(rows)).sizes.tolist())
        places.append(place)
    assert sorted(places) == list(range(len(columns)))


REFERENCE = (
    # What pycanon 1.3.5 finds: quasi-identifiers, sensitive, k, l, truncated entropy l, alpha, t.
    (
        ("adult.csv", "age education race sex", "occupation", 1, 1, 1, 1.0, 0.9948697536597231),
        (3670, 1276, 4201, 0.08115518995179337),
    ),
    (
        ("adult.csv", "race sex", "salary", 126, 2, 1, 0.9395393474088292, 0.18738331715806625),
        (10, 0, 0, 0.00022113130777055417),
    ),
    (
        (
            *("nursery.csv", "parents form children", "NURSERY", 270, 3, 2),
            *(0.5259259259259259, 0.23796296296296296),
        ),
        (48, 0, 0, 0.003703703703703704),
    ),
)


@pytest.mark.parametrize(("case", "counted"), REFERENCE)
def test_that_published_data_have_the_values_of_another_library(
    case: tuple[str, str, str, int, int, int, float, float],
    counted: tuple[int, int, int, float],
    shared_data: Path,
) -> None:
    file, quasi, sensitive, k, l_distinct, l_entropy, alpha, t = case
    table = load(shared_data / file)
    columns = chosen_columns(table, quasi.split())
    question = RiskQuestion(columns, table.rows, chosen_columns(table, [sensitive]))
    risk = disclosure_risk(question)
    (told,) = risk.sensitive
    assert (risk.k, told.l_distinct, int(told.l_entropy)) == (k, l_distinct, l_entropy)
    assert told.alpha == pytest.approx(alpha, rel=1e-13)
    assert told.t_closeness == pytest.approx(t, rel=1e-12)
    assert (risk.classes, risk.unique_rows, risk.rows_below_5) == counted[:3]
    assert risk.prosecutor_average == pytest.approx(counted[3], rel=1e-14)
    # The last step and the whole are one question.
    assert risk.steps[-1].groups == disclosure_risk(question, in_order=True).steps[-1].groups
    assert risk.steps[-1].groups.unique_rows == risk.unique_rows


def test_that_recursive_c_is_that_of_the_definition(shared_data: Path) -> None:
    """r_1 is the most frequent answer. pycanon sorts the counts upwards and finds c = 1."""
    table = load(shared_data / "adult.csv")
    classes = Classes(chosen_columns(table, ["race", "sex"]), table.rows)
    found = diversity(classes, *chosen_columns(table, ["salary"]))
    # Of two answers the rarer one is all there is from the second on.
    assert found.recursive_c == pytest.approx(found.alpha / (1 - found.alpha))
    assert found.recursive_c == pytest.approx(15.5397, abs=1e-4)


def test_that_what_would_help_is_counted_on_the_changed_table(shared_data: Path) -> None:
    table = load(shared_data / "adult.csv")
    names = ["sex", "race", "relationship", "education", "age"]
    found = {
        (one.kind, one.column): one.groups
        for one in changes(RiskQuestion(chosen_columns(table, names), table.rows))
    }
    assert found["bands", "age"].unique_rows == 730
    assert found["drop", "education"].unique_rows == 469
    assert found["protect", "age"] == found["drop", "age"]
    assert found["drop", "age"].unique_rows == 122
    ages = [str(int(text) // 10) for text in table.column("age").texts()]
    texts = {name: table.column(name).texts() for name in names} | {"age": ages}
    other = table_from_texts(texts)
    again = disclosure_risk(RiskQuestion(chosen_columns(other, names), other.rows))
    assert found["bands", "age"].rows_below == again.rows_below


def test_that_coarser_columns_are_bands_of_a_round_width_and_merged_rare_answers() -> None:
    ages = [str(age) for age in range(17, 91)] + [""]
    table = table_from_texts({"age": ages, "colour": ["r"] * 60 + ["g"] * 12 + ["b"] * 2 + ["w"]})
    age, colour = chosen_columns(table, ["age", "colour"])
    bands = in_bands(age)
    assert bands is not None
    assert (bands.width, bands.column.occurring, bands.moved) == (10.0, 9 + 1, 74)
    assert bands.column.missing == bands.column.codes[-1]
    rare = rare_merged(colour)
    assert rare is not None
    assert (rare.merged, rare.column.occurring, rare.moved) == (2, 3, 3)
    assert in_bands(colour) is None


def small(**columns: list[str]) -> SurveyTable:
    return table_from_texts(columns)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "quasi", "sensitive", "message"),
    [
        (small(a=["1", "2"]), [], [], T.NO_KNOWN()),
        (small(age=["1", "2"]), ["agee"], [], T.NO_COLUMN__NEAR(column="agee", near="age")),
        (small(age=["1", "2"]), ["zzz"], [], T.NO_COLUMN(column="zzz", known="“age”")),
        (small(a=["1"]), ["a"], [], T.FEW_RECORDS()),
        (small(a=["", " "], b=["1", "2"]), ["a", "b"], [], T.NO_ANSWERS(column="a")),
        (small(a=["1", "2"]), ["a"], ["a"], T.KNOWN_AND_SENSITIVE(column="a")),
    ],
)
def test_that_what_cannot_be_asked_is_refused_in_a_sentence(
    table: SurveyTable, quasi: list[str], sensitive: list[str], message: Message
) -> None:
    with refused(message.id, **message.values):
        RiskQuestion(chosen_columns(table, quasi), table.rows, chosen_columns(table, sensitive))


@pytest.mark.parametrize("weight", ["", "-7.25", "0.000", "heavy", "inf"])
def test_that_a_weight_that_is_none_is_refused_without_its_value(weight: str) -> None:
    table = small(w=["1.5", weight])
    with refused("disclosure.bad-weights", column="w", count=1) as caught:
        chosen_weights(table, "w")
    assert not weight or weight not in str(caught.value)


def test_that_missing_cells_are_one_value_however_they_are_written() -> None:
    table = small(a=["", " ", "1", "1"], b=["x", "x", "x", "y"])
    columns = chosen_columns(table, ["a", "b"])
    risk = disclosure_risk(RiskQuestion(columns, table.rows))
    assert (risk.k, risk.unique_rows, risk.missing_cells) == (1, 2, 2)
    matching = disclosure_risk(RiskQuestion(columns, table.rows, missing="any"))
    # Rows 1, 2 and 3 match each other; row 4 differs in b.
    assert (matching.k, matching.unique_rows, matching.classes) == (1, 1, None)


def test_that_numbers_are_one_value_however_they_are_written_and_ordered() -> None:
    (column,) = chosen_columns(small(a=["10", "9", "9.0", "10"]), ["a"])
    assert column.codes.tolist() == [1, 0, 0, 1]
    assert column.is_ordered
    assert column.numbers is not None
    assert column.numbers.tolist() == [9, 10]


def test_that_answers_are_ordered_as_their_plan_says_and_not_where_some_are_missing() -> None:
    texts = ["low", "high", "mid", "low"]
    table = small(a=texts, b=["2", "1", "3", "2"], c=["2", "", "3", "2"])
    order = {"a": ("low", "mid", "high"), "b": ()}
    a, b, c = chosen_columns(table, "abc", order_of=order.get)
    assert (a.codes.tolist(), a.is_ordered) == ([0, 2, 1, 0], True)
    assert (b.is_ordered, c.is_ordered) == (False, False)
    (plain,) = chosen_columns(table, "b")
    assert plain.is_ordered
    # A text beyond the order: it has none.
    (beyond,) = chosen_columns(table, "a", order_of=lambda _: ("low", "mid"))
    assert not beyond.is_ordered


def test_that_two_hundred_columns_are_compared(shared_data: Path) -> None:
    generator = np.random.default_rng(1)  # a test's own
    codes = generator.integers(0, 4, size=(300, 200))
    columns = tuple(CodedColumn(f"q{i}", codes[:, i], 4) for i in range(200))
    question = RiskQuestion(columns, 300)
    risk = disclosure_risk(question)
    assert (risk.unique_rows, len(risk.steps)) == (300, 200)
    assert special_uniques_of(question).depth == 1


def test_that_figures_and_changes_compare_the_other_columns_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    generator = np.random.default_rng(2)  # a test's own
    rows = [tuple(row) for row in generator.integers(0, 4, size=(60, 4)).tolist()]
    alone = changes(RiskQuestion(columns_of(rows), 60))
    calls = []
    monkeypatch.setattr(
        measure, "without_each", lambda *asked: calls.append(asked) or without_each(*asked)
    )
    question = RiskQuestion(columns_of(rows), 60)
    risk = disclosure_risk(question)
    beside = changes(question)
    assert len(calls) == 1
    told = [(one.kind, one.column, one.groups) for one in beside]
    assert told == [(one.kind, one.column, one.groups) for one in alone]
    without = {one.column: one.without for one in risk.effects}
    assert {one.column: one.groups for one in beside if one.kind == "drop"} == without
    # What was read in part is computed anew.
    question = RiskQuestion(columns_of(rows), 60)
    next(question.without_each())
    assert [place for place, _ in question.without_each()] == [0, 1, 2, 3]


def test_that_work_stops_where_it_is_asked_to() -> None:
    def stop(stage: str, done: float) -> None:
        raise Cancelled

    question = RiskQuestion(columns_of([(0, 1), (1, 1)]), 2)
    for work in (
        lambda: disclosure_risk(question, report=stop),
        lambda: special_uniques_of(question, stop),
        lambda: changes(question, stop),
    ):
        with pytest.raises(Cancelled):
            work()


def test_that_names_suggest_what_outsiders_know_and_what_they_want_to_know(
    shared_data: Path,
) -> None:
    table = load(shared_data / "adult.csv")
    found = suggested_columns(chosen_columns(table, table.names), table.rows)
    quasi = {one.name for one in found if one.use == "quasi-identifier"}
    assert {"age", "sex", "race", "marital-status"} <= quasi
    assert [one.name for one in found if one.use == "sensitive"] == ["salary"]


def test_that_where_names_say_nothing_what_tells_records_apart_is_suggested() -> None:
    rows = range(200)
    table = small(
        x1=[str(row % 14) for row in rows],
        x2=[str(row // 14) for row in rows],
        same=["a"] * 200,
        key=[f"k{row}" for row in rows],
    )
    found = suggested_columns(chosen_columns(table, table.names), table.rows)
    assert {one.name for one in found} == {"x1", "x2"}
