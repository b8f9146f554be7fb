"""Exact checks of the estimators, shared by the ordinary tests and the kill matrix.

The formulas are stated anew from e^eps, k and n; none is taken from the code under test.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement
from math import exp, isclose

import numpy as np

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.mechanisms import AnyDomain, BoundMechanism, mechanism_named
from dpdesk.numbers.intervals import wilson_interval
from tests.mechanisms.exact_moments import (
    MANY,
    expected_tally,
    mixture,
    moments,
    report_law,
)

FREQUENCY_CASES = [
    (kind, size, epsilon)
    for kind, sizes in (("warner", (2,)), ("grr", (2, 3, 4)), ("sue", (2, 3)), ("oue", (2, 3)))
    for size in sizes
    for epsilon in ("0.5", "2")
]
AGES = Integer(lower=18, upper=99)


def categories(size: int) -> Categorical:
    return Categorical(values=tuple(f"v{i}" for i in range(size)))


def bind(kind: str, domain: AnyDomain, epsilon: str) -> BoundMechanism:
    return mechanism_named(kind).starting(domain, Decimal(epsilon)).bind(domain)


def p_and_q(kind: str, size: int, epsilon: float) -> tuple[float, float]:
    """The table of Wang et al. 2017."""
    E = exp(epsilon)
    if kind == "oue":
        return 0.5, 1 / (E + 1)
    if kind == "sue":
        return exp(epsilon / 2) / (exp(epsilon / 2) + 1), 1 / (exp(epsilon / 2) + 1)
    return E / (E + size - 1), 1 / (E + size - 1)


def _close(found: float, expected: float) -> None:
    assert isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), (found, expected)


def frequency_estimates_are_unbiased_with_their_variance() -> None:
    """E = f and Var = [q(1-q)/(p-q)^2 + f(1-p-q)/(p-q)] / n, given the respondents, n = 1..4."""
    for kind, size, epsilon in FREQUENCY_CASES:
        bound = bind(kind, categories(size), epsilon)
        p, q = p_and_q(kind, size, float(epsilon))
        laws = [report_law(bound, code) for code in range(size)]
        for n in (1, 2, 4):
            for codes in combinations_with_replacement(range(size), n):
                means, variances = moments(bound, [laws[c] for c in codes])
                for v in range(size):
                    f = codes.count(v) / n
                    noise = q * (1 - q) / (p - q) ** 2 + f * (1 - p - q) / (p - q)
                    _close(means[v], f)
                    _close(variances[v], noise / n)


def drawing_respondents_adds_the_sampling_variance() -> None:
    """With respondents drawn by f: Var = noise + f(1-f)/n = l(1-l)/(n (p-q)^2)."""
    for kind, size, epsilon in FREQUENCY_CASES:
        bound = bind(kind, categories(size), epsilon)
        p, q = p_and_q(kind, size, float(epsilon))
        f = [Fraction(2 * v + 1, size * size) for v in range(size)]
        drawn = mixture([report_law(bound, code) for code in range(size)], f)
        for n in (1, 3):
            means, variances = moments(bound, [drawn] * n)
            for v in range(size):
                share = float(f[v])
                noise = q * (1 - q) / (p - q) ** 2 + share * (1 - p - q) / (p - q)
                support = share * p + (1 - share) * q
                _close(means[v], share)
                _close(variances[v], (noise + share * (1 - share)) / n)
                _close(variances[v], support * (1 - support) / (n * (p - q) ** 2))


def weights_enter_by_the_effective_sample_size() -> None:
    """Weights w: E = weighted share; drawn respondents have the variance of (sum w)^2/sum w^2."""
    weights = [1, 2, 5]
    effective = sum(weights) ** 2 / sum(w * w for w in weights)
    for kind, domain in [
        ("grr", categories(3)),
        ("oue", categories(2)),
        ("bounded_laplace", Integer(lower=0, upper=3)),
        ("duchi", Integer(lower=0, upper=3)),
    ]:
        bound = bind(kind, domain, "1")
        size = domain.size
        laws = [report_law(bound, code) for code in range(size)]
        shares = [Fraction(2 * v + 1, size * size) for v in range(size)]
        drawn = mixture(laws, shares)
        one = moments(bound, [drawn])
        means, variances = moments(bound, [drawn] * 3, weights)
        tally = expected_tally([drawn], 1)
        weighted = type(tally)(3, 8.0, 30.0, tally.counts * 8, tally.counts * 30)
        estimate = bound.estimate(weighted)
        _close(estimate.effective_reports, effective)
        for v, error in enumerate(estimate.total_error.tolist()):
            _close(means[v], one[0][v])
            _close(variances[v], one[1][v] / effective)
            _close(error**2, variances[v])
        given = moments(bound, [laws[0], laws[-1], laws[-1]], weights)[0]
        truth = 7 / 8 if isinstance(domain, Categorical) else 3 * 7 / 8
        _close(given[-1], truth)


def bounded_laplace_mean_is_unbiased_with_its_errors() -> None:
    """E = mean of the answers; the error figures on expected counts are the exact variances."""
    tenths = Real(lower=Decimal(0), upper=Decimal("0.4"), resolution=Decimal("0.1"))
    for domain in (Integer(lower=0, upper=1), Integer(lower=-2, upper=4, step=2), tenths):
        for epsilon in ("0.5", "2"):
            _mean_is_unbiased(bind("bounded_laplace", domain, epsilon), splits=True)


def duchi_mean_is_unbiased_with_its_errors() -> None:
    """E = mean of the answers; Var = (B^2 - x^2) times the squared half-width, B = (E+1)/(E-1)."""
    halves = Real(lower=Decimal(-1), upper=Decimal(1), resolution=Decimal("0.5"))
    for domain in (Integer(lower=0, upper=1), Integer(lower=18, upper=21), halves):
        for epsilon in ("0.5", "2"):
            bound = bind("duchi", domain, epsilon)
            _mean_is_unbiased(bound, splits=False)
            E, half = exp(float(epsilon)), domain.span / 2
            for code in range(domain.size):
                x = 2 * code / (domain.size - 1) - 1
                variance = moments(bound, [report_law(bound, code)])[1][0]
                _close(variance, half**2 * (((E + 1) / (E - 1)) ** 2 - x * x))


def _mean_is_unbiased(bound: BoundMechanism, *, splits: bool) -> None:
    domain = bound.domain
    assert not isinstance(domain, Categorical)
    grid = domain.values.tolist()
    laws = [report_law(bound, code) for code in range(domain.size)]
    alone = [moments(bound, [law]) for law in laws]
    for code, x in enumerate(grid):
        _close(alone[code][0][0], x)
    for codes in combinations_with_replacement(range(domain.size), 3):
        means, variances = moments(bound, [laws[c] for c in codes])
        noise = sum(alone[c][1][0] for c in codes) / 9
        _close(means[0], sum(grid[c] for c in codes) / 3)
        _close(variances[0], noise)
        estimate = bound.estimate(expected_tally([laws[c] for c in codes], 3 * MANY))
        spread = float(np.var([grid[c] for c in codes])) / 3
        _close(estimate.total_error[0] ** 2 * MANY, noise + spread)
        if splits:
            _close(estimate.noise_error[0] ** 2 * MANY, noise)
            # Equal answers cannot be told from noise: by rounding alone there is a spread or none.
            is_told = not np.isnan(estimate.sampling_error[0])
            assert is_told or spread < 1e-9
            assert not is_told or abs(estimate.sampling_error[0] ** 2 * MANY - spread) < 1e-9
        else:
            assert np.isnan(estimate.sampling_error[0])
            assert estimate.noise_error[0] ** 2 * MANY >= noise * (1 - 1e-12)


def frequency_errors_are_the_exact_variances() -> None:
    """On expected counts the three errors are the exact ones, and noise and sampling add up."""
    for kind, size, epsilon in FREQUENCY_CASES:
        bound = bind(kind, categories(size), epsilon)
        p, q = p_and_q(kind, size, float(epsilon))
        laws = [report_law(bound, code) for code in range(size)]
        f = [Fraction(2 * v + 1, size * size) for v in range(size)]
        estimate = bound.estimate(expected_tally([mixture(laws, f)], 50))
        for v in range(size):
            share = float(f[v])
            noise = q * (1 - q) / (p - q) ** 2 + share * (1 - p - q) / (p - q)
            _close(estimate.value[v], share)
            _close(estimate.noise_error[v] ** 2, noise / 50)
            _close(estimate.sampling_error[v] ** 2, share * (1 - share) / 50)
            _close(estimate.total_error[v] ** 2, (noise + share * (1 - share)) / 50)


def forecasts_are_the_law_that_is_run() -> None:
    """Previews give the probabilities and errors of the integer law, to rounding."""
    for kind, size, epsilon in FREQUENCY_CASES:
        _forecast_agrees(kind, categories(size), epsilon)
    for kind in ("bounded_laplace", "duchi"):
        for domain in (Integer(lower=0, upper=1), Integer(lower=10, upper=70, step=20)):
            for epsilon in ("0.5", "2"):
                _forecast_agrees(kind, domain, epsilon)


def _forecast_agrees(kind: str, domain: AnyDomain, epsilon: str) -> None:
    bound = bind(kind, domain, epsilon)
    forecast = bound.mechanism.forecast(domain)
    laws = [report_law(bound, code) for code in range(domain.size)]
    for code, law in enumerate(laws):
        expected = expected_tally([law], 1).counts
        assert np.allclose(forecast.probabilities(code), expected, rtol=1e-12, atol=1e-15)
    even = [Fraction(1, domain.size)] * domain.size
    total = moments(bound, [mixture(laws, even)])[1][0]
    noise = sum(moments(bound, [law])[1][0] for law in laws) / domain.size
    accuracy = forecast.accuracy(1)
    _close(accuracy.noise**2, noise)
    _close(accuracy.total**2, total)
    assert abs(accuracy.sampling**2 - (total - noise)) < 1e-9 * total
    unit = 1.0 if forecast.quantity == "share" else bound.domain.span / 2  # type: ignore[union-attr]
    if forecast.quantity == "share":
        worst = moments(bound, [laws[1]])[1][0]
    else:
        worst = max(moments(bound, [law])[1][0] for law in laws)
    if kind == "duchi":
        # B^2 belongs to the middle of the interval, which an even grid does not hold.
        assert forecast.noise_constant * unit**2 >= worst
    else:
        _close(forecast.noise_constant, worst / unit**2)


def tallies_of_bits_are_plain_sums() -> None:
    """Counts of set bits are the sums of the columns, for every size and for bits all set."""
    bound = {k: bind("sue", categories(k), "1") for k in (2, 3, 16, 127, 1000)}
    for k, oracle in bound.items():
        for rows in (1, 7, 255, 256, 2_039, 2_040, 2_041, 30_011):
            full = np.ones((rows, k), dtype=np.uint8)
            some = np.resize(np.array([1, 1, 0, 0, 0, 0, 0], np.uint8), (rows, k))
            for bits in (full, some, some[:, ::-1], some[::2]):
                counts = oracle.tally(bits).counts
                assert counts.tolist() == bits.sum(axis=0, dtype=np.int64).tolist(), (rows, k)


GOLDEN = [
    ("warner", 2, 0.9207),
    ("grr", 2, 0.9207),
    ("grr", 16, 5.6624),
    ("grr", 128, 43.5965),
    ("grr", 1024, 347.069),
    ("sue", 2, 3.9177),
    ("sue", 128, 3.9177),
    ("oue", 2, 3.6827),
    ("oue", 1024, 3.6827),
    ("blh", 2, 4.6827),
    ("blh", 1024, 4.6827),
    ("olh", 16, 3.6917),
    ("olh", 1024, 3.6917),
    ("subset_selection", 16, 3.1107),
    ("hadamard", 2, 4.6827),
    ("hadamard", 1024, 4.6827),
]
"""n Var* at eps = 1, from Wang et al. 2017, Ye & Barg 2018 and Acharya et al. 2019."""


def noise_constants_are_the_published_ones() -> None:
    """n Var* at eps = 1 to the digits of the published table."""
    for kind, size, published in GOLDEN:
        bound = bind(kind, categories(size), "1")
        digits = 3 if published > 100 else 4
        assert round(bound.parameters()["n_var_star"], digits) == published, (kind, size)
        forecast = bound.mechanism.forecast(bound.domain).noise_constant
        assert round(forecast, digits) == published, (kind, size)


def wilson_is_the_score_interval() -> None:
    """The ends solve (share - l)^2 = z^2 l (1 - l) / n, which is what Wilson's interval means."""
    z2 = 3.841458820694124
    shares = np.array([0.0, 0.03, 0.5, 0.77, 1.0])
    for n in (1.0, 12.5, 4_000.0):
        for ends in wilson_interval(shares, n):
            residue = (shares - ends) ** 2 - z2 * ends * (1 - ends) / n
            assert np.abs(residue).max() < 1e-12
        lower, upper = wilson_interval(shares, n)
        assert (lower <= shares + 1e-15).all()
        assert (shares <= upper + 1e-15).all()
        assert (upper - lower > 1e-4).all()
