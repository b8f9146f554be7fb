"""The laws that the help pages tell of, written down once more from what the pages say of them."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, comb, exp, floor, log, sqrt

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm

E = exp(1)
Z = norm.ppf(0.975)
AGES = np.arange(18, 100)
SIZE, WIDTH, MIDDLE, HALF = 82, 81, 58.5, 40.5
MINUS = "\N{MINUS SIGN}"


def up(number: float, digits: int) -> str:
    """A bound with so many digits, rounded up."""
    places = digits - 1 - floor(np.log10(number))
    return f"{ceil(round(number * 10**places, 9)) / 10**places:.{max(places, 0)}f}"


def signed(number: float) -> str:
    return f"{number:.1f}".replace("-", MINUS)


# Shares


def share_error(p: float, q: float, f: float = 0.2, n: int = 1_000) -> float:
    """95 % error in percentage points, by the law of how many reports support the category."""
    support = f * p + (1 - f) * q
    return 100 * Z * sqrt(support * (1 - support) / n) / (p - q)


def grr(k: int, e: float = E) -> tuple[float, float]:
    return e / (e + k - 1), 1 / (e + k - 1)


def subset(k: int, w: int, e: float = E) -> tuple[float, float]:
    with_it = e * comb(k - 1, w - 1)
    p = with_it / (with_it + comb(k - 1, w))
    return p, (w - p) / (k - 1)


def noise(p: float, q: float) -> float:
    """n times the noise variance of a share near 0."""
    return q * (1 - q) / (p - q) ** 2


def best_subset(k: int, e: float = E) -> int:
    return min(range(1, k), key=lambda w: noise(*subset(k, w, e)))


def hash_of(g: int, e: float = E) -> tuple[float, float]:
    return e / (e + g - 1), 1 / g


def best_hash(e: float) -> int:
    return min(range(2, 4097), key=lambda g: noise(*hash_of(g, e)))


S = exp(1 / 2)
BITS = {"oue": (1 / 2, 1 / (E + 1)), "sue": (S / (S + 1), 1 / (S + 1)), "blh": hash_of(2),
        "olh": hash_of(best_hash(E)), "hadamard": (E / (E + 1), 1 / 2)}  # fmt: skip


def rescaled(estimates: np.ndarray) -> np.ndarray:
    kept = np.maximum(estimates, 0)
    return kept / kept.sum(axis=1, keepdims=True)


def projected(estimates: np.ndarray) -> np.ndarray:
    """The nearest shares, all from 0 and of sum 1 (Duchi et al. 2008)."""
    ordered = -np.sort(-estimates, axis=1)
    taken = (ordered.cumsum(axis=1) - 1) / np.arange(1, estimates.shape[1] + 1)
    count = (ordered > taken).sum(axis=1)
    return np.maximum(estimates - taken[np.arange(len(taken)), count - 1][:, None], 0)


def after_noise(post: Callable[[np.ndarray], np.ndarray]) -> float:
    """What a share of one half becomes on average, of 50 categories by GRR."""
    rng, (p, q) = np.random.default_rng(1), grr(50)
    true = np.array([0.5, *[0.5 / 49] * 49])
    reports = rng.multinomial(2_000, q + (p - q) * true, size=4_000)
    return float(post((reports / 2_000 - q) / (p - q))[:, 0].mean())


# Means of ages


def mean_error(law: np.ndarray, numbers: np.ndarray, n: int) -> float:
    """95 % error in years of the mean of ages that are spread evenly."""
    assert np.allclose(law @ numbers, AGES)
    chances = law.mean(axis=0)
    return Z * sqrt((chances @ numbers**2 - (chances @ numbers) ** 2) / n)


def corrected(law: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(law, AGES, rcond=None)[0]


def near_law(weight: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """A law within the bounds whose chances depend on the distance."""
    found = weight(np.abs(AGES[:, None] - AGES).astype(float))
    return found / found.sum(axis=1, keepdims=True)


def laplace_within(epsilon: float) -> np.ndarray:
    return near_law(lambda d: np.exp(-epsilon * d / WIDTH))


def staircase_within(epsilon: float, g: int) -> tuple[float, np.ndarray]:
    """Its own epsilon, and the law that loses just epsilon."""

    def law(own: float) -> np.ndarray:
        return near_law(lambda d: np.where(d < g, exp(own), 1.0))

    def loss(own: float) -> float:
        return float(np.log(law(own).max(axis=0) / law(own).min(axis=0)).max())

    own = brentq(lambda own: loss(own) - epsilon, epsilon / 100, epsilon)
    return own, law(own)


def window_law(w: int, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """A law of a window of w cells, and the cells' numbers that make the average unbiased."""
    cells, e = np.arange(SIZE + w - 1), exp(epsilon)
    place = np.arange(SIZE)[:, None]
    inside = (cells >= place) & (cells < place + w)
    law = np.where(inside, e, 1.0) / (w * e + SIZE - 1)
    step = (w * e + SIZE - 1) / (w * (e - 1))
    return law, MIDDLE + step * (cells - cells.mean())


def piecewise(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    return window_law(max(1, round(WIDTH / exp(epsilon / 2))), epsilon)


def wave_reach(epsilon: float) -> int:
    e = exp(epsilon)
    half = (epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon))
    return min(range(60), key=lambda r: abs((2 * r + 1) / 2 - half * WIDTH))


def duchi(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    gap = (exp(epsilon) - 1) / (exp(epsilon) + 1)
    high = 1 / 2 + (AGES - MIDDLE) / HALF * gap / 2
    return np.column_stack([1 - high, high]), MIDDLE + np.array([-1, 1]) * HALF / gap


def hybrid(epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    (first, a), (second, b) = piecewise(epsilon), duchi(epsilon)
    part = 1 - exp(-epsilon / 2)
    return np.hstack([part * first, (1 - part) * second]), np.concatenate([a, b])


def worst(law: np.ndarray, numbers: np.ndarray) -> float:
    """Largest variance of one report, in squared half-widths."""
    return float((law @ numbers**2 - AGES**2).max()) / HALF**2


def laplace_error(epsilon: float, n: int) -> float:
    r = exp(-epsilon / WIDTH)
    return Z * sqrt((2 * r / (1 - r) ** 2 + AGES.var()) / n)


def stairs(epsilon: float, steps: int, g: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and chances of staircase noise whose width has so many steps."""
    far = np.arange(ceil(40 / epsilon) * steps)
    level, rest = np.divmod(far, steps)
    weight = np.exp(-epsilon * (level + (rest >= g)))
    weight[1:] *= 2
    return far / steps, weight / weight.sum()


def stairs_variance(epsilon: float, steps: int) -> float:
    """The least variance of staircase noise, in squared widths.

    That of `stairs(epsilon, steps, g)` for every g at once: places that lie equally far into their
    width are added up first, which leaves two sums over the places before and after g.
    """
    far = np.arange(ceil(40 / epsilon) * steps)
    weight = np.where(far > 0, 2, 1) * np.exp(-epsilon * (far // steps))
    chances, squares = (
        np.append(0, np.cumsum(one.reshape(-1, steps).sum(axis=0)))
        for one in (weight, weight * (far / steps) ** 2)
    )
    g = np.arange(1, steps + 1)
    lower = exp(-epsilon)
    sums = [one[g] + lower * (one[-1] - one[g]) for one in (squares, chances)]
    return float((sums[0] / sums[1]).min())


def years(error: float, digits: int = 2) -> str:
    return f"{error:.{digits}f} years"


def gaussian_scale(delta: float) -> float:
    """Least scale of Gaussian noise on a count at epsilon 1 (Balle and Wang 2018, theorem 8)."""
    return brentq(
        lambda s: norm.cdf(1 / (2 * s) - s) - E * norm.cdf(-1 / (2 * s) - s) - delta, 1, 20
    )


def concentrated_scale(delta: float) -> float:
    """The same by rho = 1 / (2 s^2) and the best order (Canonne, Kamath and Steinke 2020)."""

    def reached(s: float) -> float:
        def exponent(order: float) -> float:
            return (order - 1) * (order / (2 * s * s) - 1) + order * log(1 - 1 / order) - log(
                order - 1
            )  # fmt: skip

        return minimize_scalar(exponent, bounds=(1.001, 500), method="bounded").fun

    return brentq(lambda s: reached(s) - log(delta), 1, 20)


# Surveys


def needed(p: float, share: float = 0.1, margin: float = 0.03, people: int | None = None) -> int:
    """Respondents through Warner's device."""
    yes = share * p + (1 - share) * (1 - p)
    device = yes * (1 - yes) / (2 * p - 1) ** 2 - share * (1 - share)
    spread, target = share * (1 - share), (margin / Z) ** 2
    if people is None:
        return ceil((spread + device) / target)
    spread *= people / (people - 1)
    return ceil((spread + device) / (target + spread / people))


ONE = E / (1 + E)


WIDTHS = [g for g in range(1, 42) if SIZE % (2 * g - 1) == 0 or WIDTH % (2 * g - 1) == 0]
"""Widths of bounded staircase noise on the ages whose mean has an unbiased correction."""


# Sets


def wrong_among(s: int, e: float) -> float:
    """Chance that one of s options is reported wrongly with their combination."""
    return 2 ** (s - 1) / (e + 2**s - 1)


def best_asked(d: int, e: float) -> int:
    return min(range(1, d + 1), key=lambda s: 1 / s / (1 - 2 * wrong_among(s, e)) ** 2)


def set_errors(d: int, epsilon: float, f: float = 0.3, n: int = 2_000) -> list[float]:
    """95 % errors in percentage points: ours, one option, a few, all by majority, all split."""
    e = exp(epsilon)

    def error(asked: float, q: float) -> float:
        return share_error(1 - q, q, f, 1) * sqrt(d / asked / n)

    s = best_asked(d, e)
    # Reports with most, half and few of the options told truly: weights E, (E + 1) / 2 and 1.
    chances = [
        comb(d, k) * (e if 2 * k < d else 1 if 2 * k > d else (e + 1) / 2) for k in range(d + 1)
    ]
    majority = sum(k * c for k, c in enumerate(chances)) / d / sum(chances)
    return [
        error(s, wrong_among(s, e)),
        error(1, 1 / (e + 1)),
        min(error(k, 1 / (exp(epsilon / k) + 1)) for k in range(1, d + 1)),
        error(d, majority),
        error(d, 1 / (exp(epsilon / d) + 1)),
    ]
