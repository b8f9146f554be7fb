"""Noise that is really drawn, against the laws; shared with the kill matrix.

Every check fails by chance with a probability of at most `ALPHA`, and is never run again to pass.
There are so many draws that a scale 5 % off is noticed: the chance of a noise beyond a fixed
distance then differs by ten deviations.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, chi2

from dpdesk.queries.noise import NoiseKind
from dpdesk.queries.sensitivity import Sensitivity
from tests.queries.noise_checks import noise_of

ALPHA = 1e-9
# Draws of each kind, and the distance beyond which they are counted: where a wrong scale moves
# that chance most.
DRAWS: dict[NoiseKind, tuple[int, float]] = {
    "staircase": (58_000, 4),
    "geometric": (65_000, 3),
    "laplace": (65_000, 4.0),
    "discrete_gaussian": (32_000, 17),
    "gaussian": (32_000, 17.0),
}
EPSILON = Decimal("1.25")
STEPS = 3
EXACT = 41


def drawn(kind: NoiseKind) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Noise that was added to one number, and the chances of the whole numbers around it."""
    draws, _ = DRAWS[kind]
    if kind == "staircase":
        noise = noise_of(kind, Sensitivity.of_number(STEPS), EPSILON)
        found = np.array([noise.draw([EXACT])[0] for _ in range(draws)], dtype=np.float64)
    else:
        one = ((STEPS,),)
        noise = noise_of(kind, Sensitivity.of_number(STEPS), EPSILON, draws, one)
        found = np.array(noise.draw([EXACT] * draws), dtype=np.float64)
    cells = np.arange(-8, 9)
    return found - EXACT, np.array([noise.probability(int(k)) for k in cells])


def every_noise_is_as_frequent_as_its_law_says() -> None:
    tests = 2 * len(DRAWS) * 20
    for kind, (draws, far) in DRAWS.items():
        noise, chances = drawn(kind)
        for k, chance in zip(range(-8, 9), chances.tolist(), strict=True):
            count = int((np.rint(noise) == k).sum())
            assert binomtest(count, draws, chance).pvalue > ALPHA / tests, (kind, k, count)
        law = noise_of(kind, Sensitivity.of_number(STEPS), EPSILON)
        for count, chance in (
            (int((np.abs(noise) > far).sum()), law.tail(far)),
            (int((noise < 0).sum()), law.cumulative(-1 if law.whole else 0.0)),
        ):
            assert binomtest(count, draws, chance).pvalue > ALPHA / tests, (kind, count)


def neighbours_have_independent_noise() -> None:
    """Signs of neighbouring coordinates, and of one coordinate in two draws, are independent."""
    statistic, freedom = 0.0, 0
    for kind in ("geometric", "discrete_gaussian"):
        noise = noise_of(kind, Sensitivity(200, 200, 1), EPSILON, size=4_000)
        first = np.array(noise.draw([0] * noise.size)) > 0
        second = np.array(noise.draw([0] * noise.size)) > 0
        assert first.any()
        assert not first.all()
        for one, other in ((first[:-1], first[1:]), (first, second)):
            cells = [(one == x) & (other == y) for x in (True, False) for y in (True, False)]
            table = np.array([cell.sum() for cell in cells], dtype=float).reshape(2, 2)
            expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
            statistic += float(((table - expected) ** 2 / expected).sum())
            freedom += 1
    assert chi2.sf(statistic, freedom) > ALPHA, statistic


def whole_noise_stays_on_the_grid() -> None:
    for kind in DRAWS:
        noise = noise_of(kind, Sensitivity.of_number(STEPS), EPSILON)
        (value,) = noise.draw([EXACT])
        assert isinstance(value, int if noise.whole else float), kind
        assert noise.whole == (kind not in ("laplace", "gaussian"))
