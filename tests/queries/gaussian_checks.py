"""Exact checks of the loss of Gaussian noise, for every move that a respondent can make."""

from __future__ import annotations

from decimal import Decimal
from itertools import combinations_with_replacement
from math import exp

import numpy as np
from scipy.stats import norm

from dpdesk.queries.contribution import Contribution
from dpdesk.queries.noise import CalibratedNoise, calibrate
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.queries.unit import PrivacyUnit
from tests.queries.noise_checks import DELTA, noise_of


def real_gaussian_noise_has_the_analytic_scale() -> None:
    """Against the integral of the excess, and against the published numbers of the mechanism."""
    for epsilon in ("0.0001", "0.05", "1", "8", "40"):
        noise = noise_of("gaussian", Sensitivity.of_number(1), epsilon)
        s, x = noise.scale, float(epsilon)
        # Where the excess begins, in scales from the middle; both tails by their logarithms.
        start = x * s - 0.5 / s
        delta = norm.sf(start) - exp(x + norm.logsf(start + 1 / s))
        assert float(DELTA) * (1 - 1e-4) < delta <= float(DELTA) * (1 + 1e-12), (epsilon, delta)
    # Balle & Wang 2018 give their calibration as code; at (1, 1e-6) it finds 4.2247.
    found = calibrate("gaussian", Sensitivity.of_number(1), Decimal(1), Decimal("1e-6")).scale
    assert abs(found - 4.22468) < 1e-4


def excess_of_move(noise: CalibratedNoise, move: tuple[int, ...], epsilon: float) -> float:
    """The sum over all results of what the first law has more than e^epsilon times the second."""
    reach = int(16 * noise.scale) + max(move)
    k = np.arange(-reach, reach + 1)
    one, other = np.ones(()), np.ones(())
    for entry in move:
        one = np.multiply.outer(one, noise.law(k))
        other = np.multiply.outer(other, noise.law(k - entry))
    excess = one - exp(epsilon) * other
    return float(excess[excess > 0].sum())


def gaussian_noise_keeps_delta_for_every_move_of_several_numbers() -> None:
    """Every move that a respondent can make, by enumeration of all results."""
    cases = [
        (Contribution(1, 1, 4), PrivacyUnit(relation="replace"), ["0.5", "2", "6"]),
        (Contribution(-3, 3, 2), PrivacyUnit(relation="replace"), ["1", "4"]),
        (Contribution(-1, 3, 2), PrivacyUnit(relation="replace"), ["1"]),
        (Contribution(0, 2, 2, may_skip=True), PrivacyUnit(relation="replace"), ["1"]),
        (Contribution(1, 1, 3), PrivacyUnit(rows_per_respondent=2, respondent_column="id"), ["1"]),
        (Contribution(1, 2, 2), PrivacyUnit(rows_per_respondent=3, respondent_column="id"), ["2"]),
    ]
    for contribution, unit, epsilons in cases:
        sensitivity, moves = contribution.sensitivity(unit), contribution.moves(unit)
        for epsilon in epsilons:
            noise = noise_of("discrete_gaussian", sensitivity, epsilon, 4, moves)
            found = [
                excess_of_move(noise, move, float(epsilon))
                for move in moves_made(contribution, unit)
            ]
            assert max(found) <= DELTA, (contribution, epsilon, max(found))
            # As much noise as the worst of them takes, and no more.
            assert max(found) > float(DELTA) * (1 - 1e-3), (contribution, epsilon, max(found))


def moves_made(contribution: Contribution, unit: PrivacyUnit) -> set[tuple[int, ...]]:
    """All changes of up to two sums that one respondent can make, absolute, without zeros."""
    cells, rows = range(min(contribution.cells, 2)), unit.rows_per_respondent
    each = [
        (cell, value)
        for cell in cells
        for value in range(contribution.least, contribution.largest + 1)
    ]
    may_skip = contribution.may_skip or rows > 1
    held = [
        rows_of
        for count in range(0 if may_skip else rows, rows + 1)
        for rows_of in combinations_with_replacement(each, count)
    ]
    sums = {
        tuple(sum(value for place, value in rows_of if place == cell) for cell in cells)
        for rows_of in held
    }
    before = sums if unit.relation == "replace" else {(0,) * len(cells)}
    changes = {tuple(abs(a - b) for a, b in zip(x, y, strict=True)) for x in sums for y in before}
    return {tuple(entry for entry in change if entry) for change in changes} - {()}
