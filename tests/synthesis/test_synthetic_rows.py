from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpdesk.randomness import SystemWords
from dpdesk.synthesis.markov_model import MarkovModel, NoisyTable
from dpdesk.synthesis.synthetic_rows import counted, draw_rows

SIZES = (3, 2, 4)


class FixedWords:
    """Words of a seeded generator, so that a test can be repeated."""

    def __init__(self, seed: int = 0) -> None:
        self._generator = np.random.default_rng(seed)

    def take(self, count: int) -> NDArray[np.uint64]:
        return self._generator.integers(0, 2**64, count, dtype=np.uint64)


def model_of(pairs: dict[tuple[int, int], NDArray[np.float64]]) -> MarkovModel:
    model = MarkovModel(SIZES)
    model.add([NoisyTable(columns, counts, 1.0) for columns, counts in pairs.items()])
    model.fit(100.0, 3000)
    return model


def chain() -> MarkovModel:
    first = np.array([[20.0, 10.0], [5.0, 25.0], [30.0, 10.0]])
    second = np.array([[10.0, 20.0, 5.0, 20.0], [15.0, 0.0, 20.0, 10.0]])
    return model_of({(0, 1): first, (1, 2): second})


def test_that_rows_have_the_tables_of_the_model_but_for_rounding() -> None:
    model, rows = chain(), 20_000
    drawn = draw_rows(model, rows, SystemWords())
    for columns in ((0, 1), (1, 2)):
        expected = rows * model.table(columns)
        assert np.abs(counted(drawn, SIZES, columns) - expected).max() < 12


def test_that_few_rows_have_the_expected_tables_on_average() -> None:
    model, words = chain(), FixedWords()
    runs, rows = 4000, 3
    total = sum(counted(draw_rows(model, rows, words), SIZES, (1, 2)) for _ in range(runs))
    expected = rows * model.table((1, 2))
    spread = np.sqrt(rows * expected / runs) + 1e-9
    assert (np.abs(total / runs - expected) < 5 * spread + 1e-6).all()


def test_that_columns_without_a_table_in_common_are_independent() -> None:
    drawn = draw_rows(model_of({(0, 1): np.full((3, 2), 20.0)}), 60_000, FixedWords())
    apart = counted(drawn, SIZES, (0, 2)) / 60_000
    assert np.abs(apart - 1 / 12).max() < 0.01


def test_that_the_place_of_a_row_says_nothing_of_it() -> None:
    drawn = draw_rows(chain(), 20_000, FixedWords(1))
    shares = [np.bincount(half, minlength=3) / 10_000 for half in np.split(drawn[0], 2)]
    assert np.abs(shares[0] - shares[1]).max() < 0.03


def test_that_one_row_can_be_drawn() -> None:
    assert [column.size for column in draw_rows(chain(), 1, SystemWords())] == [1, 1, 1]
