"""Arrays on disk hold what was appended or written."""

from __future__ import annotations

import errno
from contextlib import closing

import numpy as np
import pytest

from dpdesk.data import spool
from dpdesk.numbers import arrays
from tests.refusals import refused


def test_that_codes_on_disk_are_those_that_were_appended_even_where_a_column_has_none() -> None:
    kinds = [np.dtype(np.uint8), np.dtype(np.int64), np.dtype(np.uint8)]
    with closing(spool.Spool(3, "codes", 8)) as codes:
        for start in range(0, 50, 10):
            codes.append(1, np.arange(start, start + 10))
        found = codes.finish(kinds)
    assert [one.tolist() for one in found] == [[], list(range(50)), []]


@pytest.mark.parametrize("memory", [1, 1 << 20])
def test_that_zeros_on_disk_can_be_written(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "_ONE_COLUMN", memory)
    found = spool.scratch(1000, np.dtype(np.float64), "scores")
    assert not found.any()
    found[200:300] += 0.5
    assert found.sum() == 50
    assert spool.scratch(0, np.dtype(np.float64), "none").size == 0


def test_that_too_many_open_files_are_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(spool, "NamelessFile", refuse)
    with refused("data.many-open-files") as told:
        spool.scratch(1 << 20, np.dtype(np.float64), "survey.csv")
    assert "open files" in str(told.value.remedy)


@pytest.mark.parametrize("largest", [3, 40, 2**63])
def test_that_distinct_numbers_are_found_across_pieces(
    largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_TOGETHER", 7)
    values = np.random.default_rng(5).integers(0, largest, 100, dtype=np.uint64)
    before = values.copy()
    assert spool.sorted_distinct(values).tolist() == np.unique(values).tolist()
    assert (values == before).all()
    assert spool.sorted_distinct(values[:0]).size == 0


@pytest.mark.parametrize("codes", [5, 60])
def test_that_few_and_many_codes_are_counted_alike(codes: int) -> None:
    drawn = np.random.default_rng(5).integers(0, codes - 1, 100)
    found = spool.counted_codes(np.split(drawn, 10), codes)
    # The last code does not occur.
    assert found.tolist() == np.bincount(drawn, minlength=codes).tolist()


@pytest.mark.parametrize("codes", [1, 7, 256, 300])
@pytest.mark.parametrize("step", [1, 2])
def test_that_bytes_counted_as_pairs_are_counted_each(codes: int, step: int) -> None:
    drawn = np.random.default_rng(6).integers(0, min(codes, 256), 2_000_003)
    drawn = drawn.astype(np.uint8)[::step]
    # The chunks have odd and even numbers of rows, and the last code ends the first one.
    drawn[700_000] = min(codes, 256) - 1
    chunks = np.split(drawn, [700_001, 700_002 + spool._PAIRED_LEAST])
    found = spool.counted_codes(chunks, codes)
    assert found.tolist() == [int(np.count_nonzero(drawn == code)) for code in range(codes)]
