"""Boxes and blanked cells: what they promise is counted on what they write."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.coarsened import Coarsened, before_after
from dpdesk.disclosure.columns import missing_by
from dpdesk.disclosure.hierarchies import ALL, suggested_hierarchy
from dpdesk.disclosure.levelled import LevelledColumn, levelled
from dpdesk.disclosure.mondrian import mondrian
from dpdesk.disclosure.requirement import Requirement
from dpdesk.disclosure.suppression import suppress_cells
from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from tests.disclosure.brute_force import diversity_of, groups_of
from tests.refusals import refused

Rows = Sequence[tuple[int, ...]]


def columns_of(rows: Rows, width: int) -> tuple[LevelledColumn, ...]:
    found = []
    for place in range(width):
        texts = TextColumn.from_texts(f"q{place}", [str(row[place]) for row in rows])
        levels = suggested_hierarchy(texts.name, Integer(lower=0, upper=7))
        found.append(levelled(levels, texts, ".", missing_by(Reading())(texts)))
    return tuple(found)


def told_of(rows: Rows) -> CodedColumn:
    return CodedColumn("s", np.array([row[-1] for row in rows], dtype=np.int64), 3)


def written(result: Coarsened) -> list[tuple[str, ...]]:
    cells = zip(*([c.labels[code] for code in c.codes] for c in result.columns), strict=True)
    return [row for row, kept in zip(cells, result.kept, strict=True) if kept]


@st.composite
def tables(draw: st.DrawFn, values: int = 8) -> tuple[Rows, int]:
    width = draw(st.integers(1, 3))
    row = st.tuples(*[st.integers(0, values - 1)] * width, st.integers(0, 2))
    return draw(st.lists(row, min_size=4, max_size=40)), width


@settings(max_examples=80, deadline=None)
@given(table=tables(), k=st.integers(2, 4), distinct=st.integers(1, 2), relaxed=st.booleans())
def test_that_boxes_hold_their_records_and_fulfil_what_is_asked(
    table: tuple[Rows, int], k: int, distinct: int, relaxed: bool
) -> None:
    rows, width = table
    told = told_of(rows)
    wanted = Requirement(k, min(distinct, told.occurring), t=0.5)
    result = mondrian(columns_of(rows, width), [told], len(rows), wanted, relaxed=relaxed)
    for place, column in enumerate(result.columns):
        for row, code in zip(rows, column.codes, strict=True):
            assert row[place] in column.members[code]
    groups = groups_of(written(result))  # type: ignore[arg-type]
    assert min(map(len, groups.values())) >= k
    own = diversity_of(written(result), [row[-1] for row in rows])  # type: ignore[arg-type]
    assert own["l_distinct"] >= wanted.l_distinct  # type: ignore[operator]
    assert own["nominal"] <= 0.5 + 1e-9  # type: ignore[operator]


@settings(max_examples=60, deadline=None)
@given(table=tables(), k=st.integers(2, 4))
def test_that_strict_boxes_fill_what_columns_can_hold_and_do_not_overlap(
    table: tuple[Rows, int], k: int
) -> None:
    rows, width = table
    result = mondrian(columns_of(rows, width), [], len(rows), Requirement(k))
    boxes = {
        tuple(tuple(column.members[column.codes[place]].tolist()) for column in result.columns)
        for place in range(len(rows))
    }
    points = [point for box in boxes for point in product(*box)]
    # A gap between two boxes would tell the least value of the records in the second one.
    assert len(points) == len(set(points)) == 8**width


def test_that_a_box_is_cut_at_the_median_of_its_widest_column() -> None:
    rows = [(value, value % 2, 0) for value in range(8)]
    result = mondrian(columns_of(rows, 2), [], 8, Requirement(4))
    assert written(result) == [("0 to 3", ALL)] * 4 + [("4 to 7", ALL)] * 4


@pytest.mark.parametrize("relaxed", [False, True])
def test_that_a_box_begins_behind_the_one_before_and_not_at_its_least_value(relaxed: bool) -> None:
    rows = [(value, 0) for value in (1, 1, 5, 6)]
    result = mondrian(columns_of(rows, 1), [], 4, Requirement(2), relaxed=relaxed)
    assert written(result) == [("0 to 1",)] * 2 + [("2 to 7",)] * 2


def test_that_columns_without_an_order_or_with_gaps_are_refused() -> None:
    texts = TextColumn.from_texts("race", ["a", "b", "c", "a"])
    values = suggested_hierarchy("race", Categorical(values=("a", "b", "c")))
    column = levelled(values, texts, ".", missing_by(Reading())(texts))
    with refused("disclosure.no-order", column="race"):
        mondrian([column], [], 4, Requirement(2))
    gaps = TextColumn.from_texts("age", ["1", "", "2", "3"])
    ages = suggested_hierarchy("age", Integer(lower=0, upper=7))
    column = levelled(ages, gaps, ".", missing_by(Reading())(gaps))
    with refused("disclosure.gaps-in-order", column="age", count=1):
        mondrian([column], [], 4, Requirement(2))


@settings(max_examples=100, deadline=None)
@given(table=tables(4), k=st.integers(2, 4), distinct=st.integers(1, 2))
def test_that_blanked_cells_leave_classes_that_fulfil_what_is_asked(
    table: tuple[Rows, int], k: int, distinct: int
) -> None:
    rows, width = table
    told = told_of(rows)
    wanted = Requirement(k, min(distinct, told.occurring), suppressed_most=len(rows))
    levels, costs = [0] * width, [1.0] * width
    result, blanked, least = suppress_cells(
        columns_of(rows, width), [told], len(rows), wanted, levels, costs
    )
    cells = written(result)
    groups = groups_of(cells)  # type: ignore[arg-type]
    kept = [row[-1] for row, stays in zip(rows, result.kept, strict=True) if stays]
    assert all(len(places) >= k for places in groups.values())
    assert all(
        len({kept[place] for place in places}) >= wanted.l_distinct for places in groups.values()
    )
    assert sum(row.count(ALL) for row in cells) == blanked
    # A record that stays reads as it was, or is blanked; one of a good class is never touched.
    before = [tuple(map(str, row[:-1])) for row in rows]
    good = {
        key
        for key, places in groups_of(before).items()  # type: ignore[arg-type]
        if len(places) >= k and len({rows[place][-1] for place in places}) >= wanted.l_distinct
    }
    after = iter(cells)
    for one, stays in zip(before, result.kept, strict=True):
        if stays:
            pairs = zip(one, next(after), strict=True)
            assert all(a == b or (b == ALL and one not in good) for a, b in pairs)
    assert least <= blanked


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=4, max_size=5),
)
def test_that_no_choice_of_cells_needs_fewer_than_the_bound(rows: list[tuple[int, int]]) -> None:
    columns = columns_of([(*row, 0) for row in rows], 2)
    wanted = Requirement(2, suppressed_most=0)
    try:
        _, blanked, least = suppress_cells(columns, [], len(rows), wanted, [0, 0], [1.0, 1.0])
    except ParameterError:
        return
    fewest = blanked
    for flags in product([False, True], repeat=2 * len(rows)):
        cells = [
            tuple(-1 if flags[2 * place + column] else row[column] for column in range(2))
            for place, row in enumerate(rows)
        ]
        if min(map(cells.count, cells)) >= 2:
            fewest = min(fewest, sum(flags))
    assert least <= fewest <= blanked


def test_that_the_column_of_less_importance_is_blanked() -> None:
    rows = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]
    columns = columns_of(rows, 2)
    for costs, stars in (([1.0, 5.0], (True, False)), ([5.0, 1.0], (False, True))):
        result, blanked, least = suppress_cells(columns, [], 4, Requirement(2), [0, 0], costs)
        assert (blanked, least) == (4, 4)
        assert {tuple(cell == ALL for cell in row) for row in written(result)} == {stars}


def test_that_records_which_no_class_takes_in_are_counted_against_the_limit() -> None:
    rows = [(0, 0, 0)] * 3 + [(1, 1, 0)]
    with refused("disclosure.cells-leave-out", count=1, most=0):
        suppress_cells(columns_of(rows, 2), [], 4, Requirement(2), [0, 0], [1.0, 1.0])
    result, blanked, least = suppress_cells(
        columns_of(rows, 2), [], 4, Requirement(2, suppressed_most=1), [0, 0], [1.0, 1.0]
    )
    assert (result.rows, blanked, least) == (3, 0, 0)
    assert before_after(result).after.k == 3


def test_that_cells_are_not_blanked_for_what_a_part_of_a_class_may_fulfil() -> None:
    rows = [(0, 0), (0, 1), (1, 0), (1, 1)]
    with refused("disclosure.cells-for-k-and-l"):
        suppress_cells(columns_of(rows, 1), [told_of(rows)], 4, Requirement(2, t=0.2), [0], [1.0])
