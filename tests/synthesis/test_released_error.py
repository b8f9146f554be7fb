"""What is said to be left of noise in synthetic rows, against fits that are done."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.queries import PrivacyUnit
from dpdesk.randomness import SystemWords
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.junction_tree import CELLS_MAX, Clique
from dpdesk.synthesis.markov_model import MarkovModel, NoisyTable
from dpdesk.synthesis.released_error import _GOLDEN, ReleasedErrors, _supposed, supposed_errors
from dpdesk.synthesis.synthesis import synthesize
from dpdesk.synthesis.synthetic_rows import counted
from dpdesk.synthesis.trusted_counts import TrustedCounts
from tests.synthesis.test_distances import ROWS, SIZES, people

Floats = NDArray[np.float64]
FIXED = PrivacyUnit(relation="replace")


def budget_of(epsilon: str, columns: int, unit: PrivacyUnit = FIXED) -> SynthesisBudget:
    return SynthesisBudget(Decimal(epsilon), Decimal(0), unit, columns)


def covariance(
    errors: ReleasedErrors, pairs: tuple[Clique, ...], wanted: Clique
) -> NDArray[np.float64]:
    """The covariance of a table by least squares over all cells of all columns, word by word."""
    sizes = errors.sizes
    cells = int(np.prod(sizes))

    def of(columns: Clique) -> Floats:
        """Which cells a table of some columns adds up."""
        codes = np.array(np.unravel_index(np.arange(cells), sizes))[list(columns)]
        own = [sizes[column] for column in columns]
        return np.eye(int(np.prod(own)))[np.ravel_multi_index(tuple(codes), own)].T

    tables: list[tuple[Clique, float]] = [
        ((at,), errors.budget.shares_noise(sum(sizes)).variance) for at in range(len(sizes))
    ]
    variance = errors.budget.table_noise(4, errors.rounds).variance
    tables += [(pair, variance) for pair in pairs]
    rows = np.vstack([of(columns) / sqrt(own) for columns, own in tables])
    # The number of rows is fixed: only what sums to 0 is estimated.
    free = np.eye(cells) - 1 / cells
    inverse = np.linalg.pinv(free @ rows.T @ rows @ free, rcond=1e-10)
    return np.asarray(of(wanted) @ inverse @ of(wanted).T)


@pytest.mark.parametrize("wanted", [(0,), (1,), (2,), (3,), (0, 1), (1, 2)])
def test_that_noise_after_fitting_is_that_of_least_squares(wanted: Clique) -> None:
    sizes, pairs = (2, 3, 4, 2), ((0, 1), (1, 2))
    errors = ReleasedErrors(budget_of("1", 4), sizes, 10_000, 5, pairs)
    spread, _ = errors._noise([wanted])
    exact = np.diag(covariance(errors, pairs, wanted))
    assert exact == pytest.approx(np.full(exact.shape, exact[0]))
    assert float(spread[0, 0]) * 10_000 == pytest.approx(sqrt(exact[0]))


def simplex(noisy: Floats) -> Floats:
    """The nearest shares that are not negative and sum to 1."""
    falling = -np.sort(-noisy)
    shifts = (np.cumsum(falling) - 1) / np.arange(1, noisy.size + 1)
    shift = shifts[np.flatnonzero(falling > shifts)[-1]]
    return np.asarray(np.maximum(noisy - shift, 0))


@pytest.mark.parametrize("epsilon", ["0.01", "0.05", "1"])
@pytest.mark.parametrize("is_even", [True, False])
def test_that_the_distance_of_one_column_is_that_of_projected_noise(
    epsilon: str, is_even: bool
) -> None:
    size, rows = 40, 5_000
    shares = np.full(size, 1 / size) if is_even else 0.8 ** np.arange(size)
    shares = shares / shares.sum()
    budget = budget_of(epsilon, 1)
    errors = ReleasedErrors(budget, (size,), rows, 0, ())
    noise = budget.shares_noise(size)
    found = []
    for _ in range(150):
        drawn = np.array(noise.draw(np.rint(shares * rows).astype(int).tolist())) / rows
        found.append(np.abs(simplex(drawn) - shares).sum() / 2)
    assert errors.distance((0,), shares) == pytest.approx(np.mean(found), rel=0.12)
    if is_even:
        assert errors.distances([(0,)])[0] == pytest.approx(np.mean(found), rel=0.12)


def test_that_equal_shares_are_the_same_in_a_table_and_in_full() -> None:
    budget = budget_of("0.3", len(SIZES), PrivacyUnit())
    errors = ReleasedErrors(budget, SIZES, 800, 2, pairs=((0, 1), (1, 2)))
    for column, size in enumerate(SIZES):
        full = errors.distance((column,), np.full(size, 1 / size))
        assert errors.distances([(column,)])[0] == pytest.approx(full, rel=0.003)


def test_that_shares_are_asked_for_after_a_release_alone() -> None:
    errors = supposed_errors(budget_of("1", len(SIZES)), SIZES, 800)
    with pytest.raises(ValueError, match="after a release"):
        errors.distance((0,), np.full(SIZES[0], 1 / SIZES[0]))


@pytest.mark.parametrize("epsilon", ["0.3", "1", "3"])
def test_that_rows_are_as_far_off_as_is_said_before_and_after(epsilon: str) -> None:
    true = people()
    budget = budget_of(epsilon, len(SIZES), PrivacyUnit())
    before = supposed_errors(budget, SIZES, ROWS)
    made = synthesize(TrustedCounts(true, SIZES, budget), SIZES, SystemWords())
    after = ReleasedErrors(budget, SIZES, made.measured_rows, made.rounds, made.pairs)
    found, said, told = [], [], []
    for pair in made.pairs:
        own = counted(made.states, SIZES, pair) / made.states[0].size
        found.append(np.abs(own - counted(true, SIZES, pair) / ROWS).sum() / 2)
        said.append(before.distances([pair])[0])
        told.append(after.distance(pair, own))
    assert 0.8 < np.mean(said) / np.mean(found) < 1.7
    assert 0.75 < np.mean(told) / np.mean(found) < 1.35


def test_that_shares_of_rare_answers_are_nearer_than_equal_ones() -> None:
    pairs = tuple(combinations(range(3), 2))
    errors = ReleasedErrors(budget_of("0.1", 3), (20, 20, 2), 2_000, 3, pairs)
    rare = np.zeros((20, 20))
    rare[:2, :2] = 0.25
    assert errors.distance((0, 1), rare) < errors.distances([(0, 1)])[0] / 2


def test_that_a_table_of_little_noise_is_fitted_beside_shares_of_much() -> None:
    """Shares that noise made nearly 0 stayed so: the descent hardly moves them."""
    true = np.outer([0.7, 0.1, 0.1, 0.1], [0.6, 0.4]) * 800
    model = MarkovModel((4, 2))
    far = [np.array([-400.0, 9_000.0, -300.0, -500.0]), np.array([-600.0, 7_000.0])]
    model.add([NoisyTable((at,), counts, 180_000.0) for at, counts in enumerate(far)])
    model.fit(800, 20)
    model.add([NoisyTable((0, 1), true, 30.0)])
    model.fit(800, 100)
    assert np.abs(model.table((0, 1)) - true / 800).sum() / 2 < 0.02


def test_that_tables_of_two_columns_tell_the_number_of_rows_as_well() -> None:
    true, sizes = people()[:4], SIZES[:4]
    budget = budget_of("0.05", len(sizes), PrivacyUnit())
    errors = supposed_errors(budget, sizes, ROWS)
    alone = ReleasedErrors(budget, sizes, ROWS, 0, ())
    assert errors.rows_deviation < alone.rows_deviation / 2
    told = [
        synthesize(TrustedCounts(true, sizes, budget), sizes, SystemWords(), rows=9).measured_rows
        for _ in range(5)
    ]
    off = np.sqrt(np.mean((np.array(told) - ROWS) ** 2))
    assert off < 2.2 * errors.rows_deviation


@pytest.mark.parametrize("rounds", [1, 5, 17, 26, 27, 40])
def test_that_each_choice_takes_the_pair_whose_columns_the_fewest_tables_hold(rounds: int) -> None:
    sizes = (2, 3, 50, 7, 4, 60_000, 9, 2_000)
    cells = np.outer(sizes, sizes)
    places = np.arange(1, cells.size + 1).reshape(cells.shape)
    for run, chosen in enumerate(_supposed(sizes, rounds)):
        taken, held = np.zeros(cells.shape, dtype=np.bool_), np.zeros(len(sizes))
        for step in range(rounds):
            known = held[:, None] + held + (_GOLDEN * places * (run * rounds + step + 1)) % 1
            known[taken | (cells > CELLS_MAX) | np.tri(len(sizes), dtype=np.bool_)] = np.inf
            one, other = np.unravel_index(int(known.argmin()), cells.shape)
            if np.isfinite(known[one, other]):
                taken[one, other] = taken[other, one] = True
                held[[one, other]] += 1
        assert (chosen == taken).all()
