"""Exact checks of post-randomization, shared with the kill matrix."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement
from math import isclose, log, sqrt

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import beta, binomtest

from dpdesk.cost import exp_lower
from dpdesk.errors import invalid_fields
from dpdesk.i18n import Message
from dpdesk.mechanisms.pram import BoundPram, Pram
from dpdesk.randomness import SystemWords
from tests.cost.exact_exponential import exp_bounds
from tests.mechanisms.drawn_checks import ALPHA
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.exact_moments import expected_tally, mixture, moments, report_law

MATRICES = (
    (("0.9", "0.1"), ("0.5", "0.5")),
    (("1/3", "1/3", "1/3"), ("0.2", "0.7", "0.1"), ("0.25", "0.05", "0.7")),
    (("0.6", "0.3", "0.1"), ("0.1", "0.6", "0.3"), ("0.3", "0.1", "0.6")),
)


def _bound(matrix: tuple[tuple[str, ...], ...]) -> BoundPram:
    return Pram.model_validate({"matrix": matrix}).bind(categories(len(matrix)))


def _close(found: float, expected: float) -> None:
    assert isclose(found, expected, rel_tol=1e-9, abs_tol=1e-12), (found, expected)


def epsilon_is_the_largest_logarithm_rounded_up() -> None:
    """The largest ratio within a column lies between e^(eps - 1e-12) and e^eps."""
    for matrix in MATRICES:
        mechanism = Pram.model_validate({"matrix": matrix})
        columns = zip(*[[Fraction(c) for c in row] for row in matrix], strict=True)
        ratio = max(a / b for column in columns for a in column for b in column)
        unit = Fraction(1, 10**12)
        assert ratio <= exp_bounds(Fraction(mechanism.epsilon))[1]
        below = mechanism.epsilon - mechanism.epsilon.__class__(unit.numerator) / unit.denominator
        assert ratio >= exp_lower(below)
        _close(float(mechanism.epsilon), log(ratio))


def the_law_is_the_matrix_and_its_certificate_holds() -> None:
    """Each weight is within 2^-50 of its chance; the certified loss is at most epsilon."""
    for matrix in MATRICES:
        bound = _bound(matrix)
        for row, weights in zip(matrix, bound.law.weights.tolist(), strict=True):
            assert sum(weights) == 2**64
            for chance, weight in zip(row, weights, strict=True):
                assert abs(Fraction(weight, 2**64) - Fraction(chance)) < Fraction(1, 2**50)
        certificate = bound.certificate
        assert certificate.likelihood_ratio <= exp_lower(bound.epsilon)
        _close(float(certificate.epsilon_certified), float(bound.epsilon))


def estimates_are_unbiased_with_their_variance() -> None:
    """E = f and the multinomial noise variance, given the respondents, n = 1..3."""
    for matrix in MATRICES:
        bound = _bound(matrix)
        size = len(matrix)
        laws = [report_law(bound, code) for code in range(size)]
        m = np.array([[float(Fraction(c)) for c in row] for row in matrix])
        w = np.linalg.inv(m)
        for n in (1, 2, 3):
            for codes in combinations_with_replacement(range(size), n):
                means, variances = moments(bound, [laws[c] for c in codes])
                for v in range(size):
                    _close(means[v], codes.count(v) / n)
                    noise = sum(m[u] @ w[:, v] ** 2 - (m[u] @ w[:, v]) ** 2 for u in codes)
                    _close(variances[v], noise / n**2)


def errors_are_the_exact_ones_on_expected_counts() -> None:
    """Noise, sampling and total error at the true shares; the forecast says the same."""
    n = 1000
    for matrix in MATRICES:
        bound = _bound(matrix)
        size = len(matrix)
        laws = [report_law(bound, code) for code in range(size)]
        shares = [Fraction(2 * v + 1, size * size) for v in range(size)]
        drawn = mixture(laws, shares)
        estimate = bound.estimate(expected_tally([drawn], n))
        _, variances = moments(bound, [drawn])
        for v in range(size):
            f = float(shares[v])
            _close(estimate.value[v], f)
            _close(estimate.total_error[v] ** 2, variances[v] / n)
            _close(estimate.sampling_error[v] ** 2, f * (1 - f) / n)
            noise, sampling = estimate.noise_error[v], estimate.sampling_error[v]
            _close(noise**2 + sampling**2, estimate.total_error[v] ** 2)
            _close(estimate.possible["iterative_bayes"][v].round(2), round(f, 2))
        even = mixture(laws, [Fraction(1, size)] * size)
        _, variances = moments(bound, [even])
        forecast = bound.mechanism.forecast(bound.domain)
        _close(forecast.accuracy(n).total, sqrt(np.mean(variances) / n))
        values, chances, truth = forecast.report_law()
        _close(float(values @ chances), truth)
        worst = [
            moments(bound, [laws[u]])[1][v] for u in range(size) for v in range(size) if u != v
        ]
        _close(forecast.noise_constant, max(worst))


def impossible_matrices_are_refused() -> None:
    """Each with the place by position; never a proof of a true answer, never a wrong epsilon."""
    tiny, rest = "1/1000000000000000000", "999999999999999999/1000000000000000000"
    thirds = (("1/3", "1/3", "1/3"), ("0.5", "0.25", "0.25"), ("5/12", "7/24", "7/24"))
    half = ("0.5", "0.5")
    cases: list[tuple[object, str, dict[str, object]]] = [
        ((("1", "0"), half), "zero-probability", {"row": 1, "column": 2}),
        ((("0.9", "0.2"), half), "row-sum", {"row": 1, "sum": "1.1"}),
        ((half, ("0.333", "0.666")), "row-sum", {"row": 2, "sum": "0.999"}),
        ((half, ("-0.5", "1.5")), "no-probability", {"row": 2, "column": 1}),
        ((half, ("1/0", "1")), "no-probability", {"row": 2, "column": 1}),
        ((half, (0.5, 0.5)), "no-probability", {"row": 2, "column": 1}),
        ((half, ("0.2", "0.3", "0.5")), "matrix-row", {"row": 2, "columns": 3}),
        ((("1",),), "matrix-rows", {"rows": 1}),
        ("0.5", "no-matrix", {}),
        ((half, half), "no-inverse", {}),
        (thirds, "no-inverse", {}),
        ((("0.9999999999999999999", "1/10000000000000000000"),) * 2, "no-inverse", {}),
        (((rest, tiny), (tiny, rest)), "matrix-epsilon", {"epsilon": "41.446531673893"}),
        ((("0.50001", "0.49999"), ("0.49999", "0.50001")), "matrix-epsilon", {}),
    ]
    for matrix, name, values in cases:
        message = _refusal({"matrix": matrix})
        assert message.id == f"mechanisms.{name}", (matrix, message)
        assert message.values.items() >= values.items(), (matrix, message)
    message = _refusal({"matrix": MATRICES[0], "epsilon": "1"})
    assert message.id == "mechanisms.other-epsilon"
    assert str(message.values["epsilon"]).startswith("1.609437912435")


def _refusal(fields: dict[str, object]) -> Message:
    with pytest.raises(ValidationError) as caught:
        Pram.model_validate(fields)
    cause = invalid_fields(caught.value)[0].cause
    assert cause is not None
    assert isinstance(cause.message, Message)
    return cause.message


def drawn_reports_follow_the_rows() -> None:
    """With the system's words: exact binomial tests of each cell, and the loss that shows."""
    draws = 400_000
    for matrix in MATRICES:
        bound = _bound(matrix)
        size = len(matrix)
        counts = np.zeros((size, size))
        for code in range(size):
            reports = bound.randomize(np.full(draws, code, dtype=np.int32), SystemWords())
            counts[code] = bound.tally(reports).counts
            for y, chance in enumerate(matrix[code]):
                test = binomtest(int(counts[code, y]), draws, float(Fraction(chance)))
                assert test.pvalue > ALPHA / size**2, (code, y)
        # Clopper-Pearson bounds of the two chances that are furthest apart.
        m = np.array([[float(Fraction(c)) for c in row] for row in matrix])
        y = int((m.max(axis=0) / m.min(axis=0)).argmax())
        most, least = counts[m[:, y].argmax(), y], counts[m[:, y].argmin(), y]
        low = beta.ppf(ALPHA / 2, most, draws - most + 1)
        high = beta.ppf(1 - ALPHA / 2, least + 1, draws - least)
        assert 0.95 * float(bound.epsilon) < log(low / high) <= float(bound.epsilon)
