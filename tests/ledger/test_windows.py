"""Windows of consecutive answers: how long they are, and which of them are kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from dpdesk.ledger.fingerprint import CodedColumn
from dpdesk.ledger.sketch import smallest_windows, window_length

DIGESTS = np.random.default_rng(1).integers(1, 2**63, 256).astype(np.uint64)


def column(codes: Sequence[int] | np.ndarray) -> CodedColumn:
    array = np.asarray(codes, dtype=np.int32)
    size = int(array.max()) + 1
    return CodedColumn(1, DIGESTS[:size], np.bincount(array, minlength=size), False, array)


def shuffled(rows: int, shares: Sequence[float]) -> np.ndarray:
    counts = [round(rows * share) for share in shares]
    return np.random.default_rng(2).permutation(np.repeat(np.arange(len(shares)), counts))


@pytest.mark.parametrize(
    ("shares", "length"),
    [
        # A window says 48 bits at least: 48 answers of one bit, rounded up to a power of two.
        ([0.5, 0.5], 64),
        ([0.25] * 4, 32),
        ([1 / 256] * 256, 8),
        # 0.197 bits: 244 answers. 0.138 bits: 349, more than the longest window.
        ([0.0304, 0.9696], 256),
        ([0.0193, 0.9807], 0),
        ([1.0], 0),
    ],
    ids=lambda value: str(value)[:14],
)
def test_that_a_window_is_as_long_as_says_enough(shares: list[float], length: int) -> None:
    answers = shuffled(20_480, shares)
    entropy = -sum(share * np.log2(share) for share in shares)
    if length:
        assert length / 2 < 48 / entropy <= length
    assert window_length(column(answers)) == length


@pytest.mark.parametrize(("rows", "length"), [(126, 0), (127, 0), (128, 64), (129, 64)])
def test_that_a_column_holds_two_windows_at_least(rows: int, length: int) -> None:
    answers = np.random.default_rng(4).permutation(np.arange(rows) % 2)
    assert window_length(column(answers)) == length


def test_that_answers_given_once_say_as_much_as_others_and_those_of_nobody_nothing() -> None:
    once = np.random.default_rng(5).permutation(256)
    assert window_length(column(once)) == 8
    # Every other answer of the list was given by nobody.
    even = np.random.default_rng(5).permutation(np.repeat(np.arange(0, 256, 2), 8))
    assert window_length(column(even)) == 8
    four = np.random.default_rng(5).permutation(np.repeat([0, 60, 120, 180], 2_000))
    assert window_length(column(four)) == window_length(column(shuffled(8_000, [0.25] * 4))) == 32


@pytest.mark.parametrize("rows", [40, 200, 520, 640, 2_000, 20_000])
def test_that_an_order_that_every_file_has_makes_no_windows(rows: int) -> None:
    for answers in (np.arange(rows) * 2 // rows, np.arange(rows) % 7, np.arange(rows) % 2):
        assert window_length(column(answers)) == 0


def periodic(period: int, windows: int, length: int) -> CodedColumn:
    """Every window occurs once in a period."""
    order = np.random.default_rng(3).permutation(period)
    return column(order[np.arange(windows + length - 1) % period])


def test_that_windows_that_occur_more_than_five_times_each_are_none() -> None:
    assert smallest_windows(periodic(40, 5 * 40, 8), 8, 500).size == 40
    assert smallest_windows(periodic(40, 5 * 40 + 1, 8), 8, 500).size == 0
    assert smallest_windows(periodic(40, 40, 8), 8, 40).size == 40


def test_that_four_windows_are_looked_at_for_each_one_kept() -> None:
    every = smallest_windows(periodic(60, 5 * 60, 8), 8, 500)
    assert every.tolist() == sorted(set(every.tolist()))
    found = smallest_windows(periodic(60, 5 * 60, 8), 8, 10)
    # Of the 40 smallest, five are equal each time.
    assert found.tolist() == every[:8].tolist()
    # Of these every one is another.
    once = smallest_windows(periodic(60, 60, 8), 8, 10)
    assert once.tolist() == every[:10].tolist()
