"""Exact checks of Hadamard response, shared with the kill matrix."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, exp, isclose

import numpy as np

from dpdesk.channel.hadamard import HadamardLaw, support_of
from tests.channel.certificate_checks import TIGHT_UP_TO
from tests.cost.cost_checks import EPSILONS
from tests.cost.exact_exponential import exp_bounds
from tests.mechanisms.estimator_checks import bind, categories
from tests.mechanisms.exact_moments import moments, report_law
from tests.randomness.word_sources import ShakeWords

TOTAL = 2**64


def supports(report: int, value: int) -> bool:
    """Whether row `value` + 1 of Sylvester's matrix has +1 in this column, by its recursion."""
    row, sign = value + 1, 1
    while row:
        if row % 2 and report % 2:
            sign = -sign
        row, report = row // 2, report // 2
    return sign == 1


def indices_are_drawn_from_the_half_that_is_told() -> None:
    """The first word chooses the half, the second the index in it; each half evenly."""
    for size in (2, 3, 4, 7, 8, 1_000, 10_000):
        law, rows = HadamardLaw.at(size, Decimal(1)), 400
        assert size < law.outputs <= 2 * size
        codes = (np.arange(rows) * 37 % size).astype(np.int32)
        words = ShakeWords("hadamard").take(2 * rows).copy()
        words[0:8:2] = [law.truth - 1, law.truth, 0, TOTAL - 1]
        reports = law.sample(codes, words)
        assert reports.dtype == np.int32
        for row, report in enumerate(reports.tolist()):
            assert 0 <= report < law.outputs
            told = int(words[2 * row]) < law.truth
            assert supports(report, int(codes[row])) == told
            low = int(words[2 * row + 1]) % law.outputs
            assert report == low or supports(low, int(codes[row])) != told
    law = HadamardLaw.at(11, Decimal(1))
    every = np.arange(law.outputs, dtype=np.uint64)
    for code in range(11):
        for decision in (0, TOTAL - 1):
            words = np.stack([np.full(law.outputs, decision, dtype=np.uint64), every], axis=1)
            drawn = law.sample(np.full(law.outputs, code, dtype=np.int32), words.ravel())
            half = [y for y in range(law.outputs) if supports(y, code) == (decision == 0)]
            counts = np.bincount(drawn, minlength=law.outputs)
            assert counts.tolist() == [2 * (y in half) for y in range(law.outputs)]


def every_report_supports_half_of_the_others() -> None:
    """Of the indices that support a value half support any other: q = 1/2 exactly."""
    for size in (2, 3, 7, 20):
        law = HadamardLaw.at(size, Decimal(1))
        columns = [{y for y in range(law.outputs) if supports(y, v)} for v in range(size)]
        for v, mine in enumerate(columns):
            assert len(mine) == law.outputs // 2
            assert all(len(mine & other) == law.outputs // 4 for other in columns[:v])
        assert law.probabilities() == (law.truth / TOTAL, 0.5)


def the_transform_counts_what_supports() -> None:
    """The fast transform gives for each value the weight of the reports that support it."""
    for size in (2, 3, 4, 50, 127, 128):
        outputs = HadamardLaw.at(size, Decimal(1)).outputs
        counts = (np.arange(outputs) * 7919 % 101).astype(np.float64)
        found = support_of(counts, size)
        expected = [sum(c for y, c in enumerate(counts.tolist()) if supports(y, v))
                    for v in range(size)]  # fmt: skip
        assert found.tolist() == expected


def hadamard_certificates_hold() -> None:
    """The lie is rounded up; the ratio is below e^eps, and tight up to eps = 19."""
    for epsilon in EPSILONS:
        low, high = exp_bounds(Fraction(epsilon))
        for size in (2, 100, 10_000):
            law = HadamardLaw.at(size, epsilon)
            assert law.truth + law.lie == TOTAL
            assert law.lie == ceil(TOTAL / (high + 1)) == ceil(TOTAL / (low + 1))
            certificate = law.certificate(epsilon)
            assert certificate.likelihood_ratio == Fraction(law.truth, law.lie) <= low
            if epsilon <= TIGHT_UP_TO:
                assert float(epsilon - certificate.epsilon_certified) <= 1e-9


def hadamard_estimates_are_unbiased_with_their_variance() -> None:
    """E = f and Var = [((E+1)/(E-1))^2 - f] / n, over every report; n = 1 and 2."""
    for size in (2, 3, 5):
        for epsilon in ("0.5", "2"):
            E = exp(float(epsilon))
            bound = bind("hadamard", categories(size), epsilon)
            laws = [report_law(bound, code) for code in range(size)]
            for codes in ((0,), (size - 1,), (0, size - 1)):
                means, variances = moments(bound, [laws[c] for c in codes])
                for v in range(size):
                    f = codes.count(v) / len(codes)
                    assert isclose(means[v], f, abs_tol=1e-9)
                    noise = ((E + 1) / (E - 1)) ** 2 - f
                    assert isclose(variances[v], noise / len(codes), rel_tol=1e-9)
