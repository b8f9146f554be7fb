"""Checks of weighted estimates, shared by the ordinary tests and the kill matrix.

The variance of a weighted mean is stated anew, respondent by respondent; none of it is taken from
the code under test.
"""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import numpy as np

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import AnyDomain, Tally
from dpdesk.mechanisms.tally import effective_number, indicator_variance
from tests.mechanisms.estimator_checks import bind, categories
from tests.mechanisms.exact_moments import MANY, Law, moments, report_law

GRID = Integer(lower=0, upper=3)
KINDS: tuple[tuple[str, AnyDomain], ...] = (
    ("warner", categories(2)),
    *((kind, categories(3)) for kind in ("grr", "subset_selection", "hadamard", "pram")),
    ("oue", categories(2)),
    *((kind, GRID) for kind in ("bounded_laplace", "bounded_staircase", "duchi", "square_wave")),
)
CODES, WEIGHTS = (0, 0, 1, 1), (7, 4, 1, 2)
"""Respondents whose weight goes with their answer; some values have nobody."""


def weighted_tally(laws: list[Law], weights: tuple[int, ...]) -> Tally:
    """The tally that holds exactly the counts expected of these respondents, each of them MANY."""
    outputs = len(next(iter(laws[0])))

    def expected(power: int) -> list[float]:
        return [
            float(
                sum(
                    Fraction(weight**power) * chance * Fraction(counts[y])
                    for law, weight in zip(laws, weights, strict=True)
                    for counts, chance in law.items()
                )
            )
            for y in range(outputs)
        ]

    total, squares = float(sum(weights)), float(sum(w * w for w in weights))
    sums = (total, squares, np.array(expected(1)), np.array(expected(2)))
    return Tally(len(laws) * MANY, *(MANY * one for one in sums))


def weighted_errors_are_those_of_a_ratio() -> None:
    """Given respondents the noise error is exact; drawing them adds sum w^2 (x - m)^2 / W^2."""
    for kind, domain in KINDS:
        bound = bind(kind, domain, "1")
        laws = [report_law(bound, code) for code in CODES]
        means, variances = moments(bound, laws, WEIGHTS)
        estimate = bound.estimate(weighted_tally(laws, WEIGHTS))
        for v, (mean, noise) in enumerate(zip(means, variances, strict=True)):
            share = isinstance(domain, Categorical)
            each = [float(code == v) if share else float(code) for code in CODES]
            drawn = sum(
                w * w * (x - mean) ** 2 for w, x in zip(WEIGHTS, each, strict=True)
            ) / float(sum(WEIGHTS) ** 2)
            assert isclose(estimate.value[v], mean, rel_tol=1e-9, abs_tol=1e-12), kind
            assert isclose(estimate.total_error[v] ** 2 * MANY, noise + drawn, rel_tol=1e-9), kind
            if not np.isnan(estimate.sampling_error[v]):
                assert isclose(estimate.noise_error[v] ** 2 * MANY, noise, rel_tol=1e-9), kind
                assert isclose(
                    estimate.sampling_error[v] ** 2 * MANY, drawn, rel_tol=1e-9, abs_tol=1e-15
                ), kind


def weighted_errors_of_intervals_are_those_of_a_ratio() -> None:
    """The same of the shares of intervals, where the spread lies above the least noise."""
    bound = bind("square_wave", GRID, "1")
    laws = [report_law(bound, code) for code in CODES]
    found = bound.estimate(weighted_tally(laws, WEIGHTS)).intervals
    assert found is not None
    worth = bound.intervals.worth  # type: ignore[attr-defined]
    for v in range(GRID.size):
        mean = sum(w for w, code in zip(WEIGHTS, CODES, strict=True) if code == v) / sum(WEIGHTS)
        spread = sum(
            w * w * float(chance) * (float(np.array(counts) @ worth[:, v]) - mean) ** 2
            for w, law in zip(WEIGHTS, laws, strict=True)
            for counts, chance in law.items()
        )
        assert isclose(found.shares.value[v], mean, rel_tol=1e-9, abs_tol=1e-9)
        expected = spread / sum(WEIGHTS) ** 2
        assert isclose(found.shares.total_error[v] ** 2 * MANY, expected, rel_tol=1e-9)


def a_share_is_worth_the_reports_that_have_its_error() -> None:
    """l (1 - l) / n* = sum w^2 (y - l)^2 / W^2, n* at most n; Kish's where nothing is told."""
    said = np.array([[1, 0, 0, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1], [0] * 5, [1] * 5], float)
    weights = np.array([7.0, 4, 1, 2, 1])
    squares = weights**2
    tally = Tally(5, 15.0, 71.0, said @ weights, said @ squares)
    found = effective_number(tally, tally.shares, tally.square_shares)
    for row, (number, share) in enumerate(zip(found.tolist(), tally.shares.tolist(), strict=True)):
        linearised = float((squares * (said[row] - share) ** 2).sum()) / 225
        spread = indicator_variance(tally.shares, tally.square_shares)[row] / (225 / 71)
        assert isclose(spread, linearised, rel_tol=1e-9, abs_tol=1e-12)
        if 0 < share < 1:
            assert isclose(number, min(share * (1 - share) / linearised, 5.0), rel_tol=1e-9)
        else:
            assert number == 225 / 71
    assert found[2] == 5.0
    alike = Tally(4, 4.0, 4.0, np.array([1.0]))
    assert effective_number(alike, alike.shares, alike.square_shares).tolist() == [4.0]
