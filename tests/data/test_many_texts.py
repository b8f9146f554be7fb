"""Distinct texts on disk are those that are found in memory, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data import block_columns, spool
from dpdesk.data.block_columns import BlockColumns, ManyTexts
from dpdesk.data.nameless_file import NamelessFile
from dpdesk.data.reading import Reading
from dpdesk.data.suggest import suggest_column
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import TextColumn
from dpdesk.data.texts import T
from dpdesk.errors import InputError
from tests.refusals import refused

TEXTS = st.lists(st.lists(st.text(max_size=3), max_size=9), max_size=9)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    set_sizes(monkeypatch)


def set_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets few texts outgrow memory, and be on disk in pieces of three or four."""
    for module, name, size in (
        (block_columns, "_FEW", 2),
        (block_columns, "_WAITING_MOST", 4),
        (block_columns, "MEMORY_MOST", 0),
        (block_columns, "_TOGETHER", 3),
        (block_columns, "_SPOOLED", 8),
        (spool, "MEMORY_MOST", 64),
        (spool, "_ONE_COLUMN", 8),
        (spool, "_COPIED", 4),
    ):
        assert hasattr(module, name), name
        monkeypatch.setattr(module, name, size)


def column_of(blocks: Sequence[Sequence[str]]) -> TextColumn:
    """The only column of a file that is read in blocks."""
    with closing(BlockColumns(1, "file")) as columns:
        for block in blocks:
            cells = pa.array(list(block), pa.string()).dictionary_encode()
            codes = cells.indices.cast(pa.uint8())
            columns.append([pa.DictionaryArray.from_arrays(codes, cells.dictionary)])
        return columns.finish(["q"])[0]


@given(TEXTS)
def test_that_texts_on_disk_are_found_in_the_order_of_the_file(blocks: list[list[str]]) -> None:
    texts = [text for block in blocks for text in block]
    with pytest.MonkeyPatch.context() as patch:
        set_sizes(patch)
        found = column_of(blocks)
        assert found.texts() == texts
        assert found.distinct == list(dict.fromkeys(texts))
        assert found.counts.tolist() == [texts.count(text) for text in found.distinct]


def test_that_texts_outgrow_memory(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    class Counted(ManyTexts):
        def __init__(self, name: str) -> None:
            super().__init__(name)
            made.append(name)

    monkeypatch.setattr(block_columns, "ManyTexts", Counted)
    starts = range(0, 999, 5)
    blocks = [[str(number % 301) for number in range(start, start + 7)] for start in starts]
    found = column_of(blocks)
    assert made == ["file"]
    assert found.codes.dtype == np.uint16
    assert found.distinct == list(dict.fromkeys(text for block in blocks for text in block))


def test_that_equal_hashes_make_no_texts_equal(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.hash", lambda _: 7)
    texts = [str(number) for number in range(50)]
    assert column_of([texts, texts[::-1]]).distinct == texts


def test_that_a_full_disk_is_told(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(NamelessFile, "append", full)
    with refused("data.spool-refused"):
        column_of([[str(number) for number in range(50)]] * 2)


def test_that_too_many_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_columns, "_ENTRIES_MOST", 5)
    with closing(ManyTexts("survey.csv")) as texts:
        assert texts.append(pa.array(["a", "b", "c"])) == 0
        with pytest.raises(InputError, match=r"survey\.csv has more different answers"):
            texts.append(pa.array(["d", "e", "f"]))


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([f"P{number}" for number in range(400)], "identifier"),
        ([str(number + 1) for number in range(400)], "identifier"),
        ([f"{number * 7 % 401}.5" for number in range(400)], "real"),
    ],
)
def test_that_a_long_column_is_judged_by_some_rows(
    cells: list[str], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = TextColumn.from_texts("q", [*cells, "-25", "7000", ""])
    whole = suggest_column(column)
    monkeypatch.setattr("dpdesk.data.table.SAMPLE_ROWS", 100)
    found = suggest_column(column)
    assert (found.kind, found.has_missing) == (kind, True)
    # The least and the largest number are looked for in all rows.
    assert found.domain == whole.domain
    assert found.reason.endswith(T.SAMPLED(sample=100, rows=403))


AMOUNTS = [f"{number}.25" for number in range(10, 3000)]
"""As a sorted file has them."""


@pytest.mark.parametrize(
    ("cells", "codes", "reading"),
    [
        # The largest numbers are no answers, be it that they are declared so or not.
        ([*AMOUNTS, *["999999"] * 9, *["999998"] * 9], {"999999", "999998"}, Reading()),
        ([*AMOUNTS, *["999999"] * 9], set(), Reading(missing=("999999",))),
        (["-9", *["-8"] * 9, *AMOUNTS[::-1]], {"-9", "-8"}, Reading()),
        # Some were not asked, such as those of the first wave.
        ([""] * 2000 + AMOUNTS, set(), Reading()),
    ],
)
def test_that_a_long_column_is_judged_wherever_its_answers_stand(
    cells: list[str], codes: set[str], reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    column = TextColumn.from_texts("q", cells)
    whole = suggest_column(column, reading)
    monkeypatch.setattr("dpdesk.data.table.SAMPLE_ROWS", 1024)
    found = suggest_column(column, reading)
    assert found.kind == whole.kind == "real"
    assert found.domain == whole.domain
    assert set(found.suspected) == set(whole.suspected) == codes
    left_out = column.among(reading.missing)
    assert {column.distinct[at] for at in suspected_codes(column, ".", left_out)} == codes


def test_that_answers_nobody_gave_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = pa.array(["-5", "", *AMOUNTS, "5000"])
    column = TextColumn("q", np.arange(1000, 1300, dtype=np.int32), texts)
    monkeypatch.setattr("dpdesk.data.table.SAMPLE_ROWS", 1024)
    sample, _ = column.sample_of_rows(".")
    assert sorted(sample.texts()) == sorted(column.texts())
    assert not suggest_column(column).has_missing


def test_that_texts_on_disk_are_not_held_in_memory(tiny: None) -> None:
    texts = block_columns._Texts("file")
    with closing(texts):
        texts.placed(pa.array([str(number) for number in range(99)]), np.arange(99, dtype=np.int32))
        assert texts._many is not None
        assert texts._known.get_total_buffer_size() < 16
