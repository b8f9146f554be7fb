"""Tables of any length are recognised piece by piece: the same result, in the same memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.ledgers import fingerprint
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.ledgers.fingerprint import CodedTable, cell_digests, coded_table
from dpdesk.ledgers.recognise import Likeness, recognise, sketch_of
from tests.ledgers import changed_files as changed

KEY = LedgerKey(b"k" * 32)


def survey(rows: int, seed: int) -> SurveyTable:
    """Answers of which some are frequent; one number is written in two ways."""
    draw = np.random.default_rng(seed)
    columns = []
    for number, size in enumerate((2, 3, 4, 7, 20, 60, 300)):
        codes = np.minimum(draw.geometric(min(0.7, 3 / size), rows) - 1, size - 1)
        texts = [f"{code % 5}.0" if code == size - 1 else f"{code}" for code in range(size)]
        columns.append(
            TextColumn(f"q{number}", codes.astype(np.int32), pa.array(texts, type=pa.string()))
        )
    return SurveyTable(tuple(columns), rows)


def coded(table: SurveyTable) -> CodedTable:
    return coded_table(table, cell_digests(table, KEY), KEY, lambda: None)


def told(table: SurveyTable) -> tuple[object, ...]:
    """All that a sketch says, in texts that can be compared."""
    sketch = sketch_of(coded(table), lambda: None)
    return (
        sketch.rows,
        [(c.name, c.is_serial, c.answers.tolist(), c.codes.tolist()) for c in sketch.columns],
    )


def in_small_pieces(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(fingerprint, "_PIECE", piece)


@pytest.mark.parametrize("piece", [1, 7, 300, 2_999, 3_000])
def test_that_a_sketch_does_not_depend_on_the_pieces(piece: int, monkeypatch: pytest.MonkeyPatch):
    rows = 300 if piece == 1 else 3_000
    whole = told(survey(rows, 1))
    in_small_pieces(monkeypatch, piece)
    assert told(survey(rows, 1)) == whole


def test_that_rows_are_sampled_by_the_smallest_keys():
    table = coded(survey(200_000, 2))
    keys = fingerprint.scrambled(np.arange(200_000, dtype=np.uint64) + np.uint64(table.first_key))
    assert table.sample(2_048).tolist() == np.sort(np.argsort(keys)[:2_048]).tolist()


PARTS: dict[str, Callable[[SurveyTable, np.random.Generator], SurveyTable]] = {
    "the same": lambda table, _: table,
    "every row twice": changed.twice,
    "one row in ten": changed.tenth,
    "shuffled": changed.shuffled,
    "columns dropped": changed.without_columns,
}


@pytest.mark.parametrize("change", PARTS)
@pytest.mark.parametrize("direction", ["known", "new"])
def test_that_a_long_table_is_compared_as_a_short_one(
    change: str, direction: str, monkeypatch: pytest.MonkeyPatch
):
    table = survey(5_000, 3)
    other = PARTS[change](table, np.random.default_rng(4))
    known, new = (other, table) if direction == "known" else (table, other)
    sketch = recognise(known, KEY, lambda: None).sketch

    def likeness() -> Likeness | None:
        comparison = recognise(SurveyTable(new.columns, new.rows), KEY, lambda: None).comparison
        return comparison.likeness(b"known", sketch, lambda: None)

    sorted_rows = likeness()
    assert sorted_rows is not None
    in_small_pieces(monkeypatch, 777)
    assert likeness() == sorted_rows


def test_that_strangers_stay_strangers_in_a_long_table(monkeypatch: pytest.MonkeyPatch):
    sketch = recognise(survey(5_000, 5), KEY, lambda: None).sketch
    comparison = recognise(survey(5_000, 6), KEY, lambda: None).comparison
    assert comparison.likeness(b"known", sketch, lambda: None) is None


def test_that_the_memory_does_not_grow_with_the_table(monkeypatch: pytest.MonkeyPatch):
    sketch = recognise(survey(5_000, 7), KEY, lambda: None).sketch

    def peak(rows: int) -> int:
        table = survey(rows, 7)
        for column in table.columns:
            column.counts.sum()
        tracemalloc.start()
        found = recognise(table, KEY, lambda: None)
        found.comparison.likeness(b"known", sketch, lambda: None)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    few, many = peak(150_000), peak(600_000)
    # An array of four bytes a row would be 1.8 MB more.
    assert many <= 1.05 * few
    assert few < 20_000_000
