"""Exact checks of RAPPOR, shared with the kill matrix."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import isclose, log, sqrt

import numpy as np
from scipy.stats import beta, binomtest

from dpdesk.channel.bits import MemoizedBitsLaw
from dpdesk.cost import exp_lower
from dpdesk.mechanisms import Tally
from dpdesk.mechanisms.bloom_filters import bloom_design, bloom_positions
from dpdesk.mechanisms.rappor import BoundRappor, Rappor, positive_lasso
from dpdesk.randomness import SystemWords
from tests.mechanisms.drawn_checks import ALPHA
from tests.mechanisms.estimator_checks import categories
from tests.mechanisms.exact_moments import Law, expected_tally, mixture, moments
from tests.randomness.word_sources import ShakeWords


def permanent_loss(f: float, hashes: int) -> float:
    """Returns the loss of all reports ever made from one permanent response.

    eps_inf = 2 h ln((1 - f/2) / (f/2)) (Erlingsson, Pihur & Korolova 2014, equation 3).

    Args:
        f: Chance that a bit of the permanent response is replaced by a fair coin.
        hashes: Bits of a value, h.
    """
    return 2 * hashes * log((1 - f / 2) / (f / 2))


def report_loss(f: float, p: float, q: float, hashes: int) -> float:
    """Returns the loss of one report.

    h ln(q* (1 - p*) / (p* (1 - q*))) with p* = f (p + q) / 2 + (1 - f) p and q* = f (p + q) / 2 +
    (1 - f) q (the same, equation 7 with two values that differ in 2 h bits).

    Args:
        f: Chance that a bit of the permanent response is replaced by a fair coin.
        p: Chance that a report has a bit that the permanent response has not.
        q: Chance that it has one that the permanent response has.
        hashes: Bits of a value, h.
    """
    star_p = f * (p + q) / 2 + (1 - f) * p
    star_q = f * (p + q) / 2 + (1 - f) * q
    return hashes * log(star_q * (1 - star_p) / (star_p * (1 - star_q)))


N = 2**64
SMALL = ((2, 2, 1, 4), (3, 4, 1, 2), (3, 4, 2, 2))
"""Categories, bits, hashes and cohorts of designs small enough to go through every report."""


def _bound(size: int, bits: int, hashes: int, cohorts: int, epsilon: str = "1") -> BoundRappor:
    made = Rappor(epsilon=Decimal(epsilon), bits=bits, hashes=hashes, cohorts=cohorts)
    return made.bind(categories(size))


def _close(found: float, expected: float) -> None:
    assert isclose(found, expected, rel_tol=1e-9, abs_tol=1e-11), (found, expected)


def _reports(bound: BoundRappor, code: int) -> Iterator[tuple[np.ndarray, Fraction]]:
    """Every report with its exact chance under a true category."""
    design, flip = bound.design, bound.law.flip
    for cohort in range(design.cohorts):
        own = set(design.positions[cohort, code].tolist())
        for bits in product((0, 1), repeat=design.bits):
            chance = Fraction(1, design.cohorts)
            for i, bit in enumerate(bits):
                chance *= 1 - flip if bit == (i in own) else flip
            yield np.array([[cohort, *bits]], dtype=np.int64), chance


def _law(bound: BoundRappor, code: int) -> Law:
    law: Law = defaultdict(Fraction)
    for report, chance in _reports(bound, code):
        law[tuple(bound.tally(report).counts.tolist())] += chance
    assert sum(law.values()) == 1
    return dict(law)


def _published_losses(f: float, p: float, q: float, hashes: int) -> tuple[float, float]:
    """The loss of one report and that of all (Erlingsson, Pihur & Korolova 2014, eq. 7 and 3)."""
    star_p, star_q = (f * (p + q) / 2 + (1 - f) * chance for chance in (p, q))
    one = hashes * log(star_q * (1 - star_p) / (star_p * (1 - star_q)))
    return one, 2 * hashes * log((1 - f / 2) / (f / 2))


def both_losses_are_certified_and_nearly_used_up() -> None:
    """Exact rationals below e^eps and e^(ratio eps), and within 1e-9 of them."""
    for epsilon, ratio, hashes in product(
        ("0.0001", "0.3", "1", "3", "17.123456789012", "40"), ("1.01", "2", "3.7"), (1, 2, 3, 7)
    ):
        whole = Decimal(epsilon) * Decimal(ratio)
        if whole > 80 * hashes:
            continue
        law = MemoizedBitsLaw.at(2 * hashes, Decimal(epsilon), whole)
        one = ((1 - law.flip) / law.flip) ** (2 * hashes)
        ever = Fraction(N - law.permanent, law.permanent) ** (2 * hashes)
        assert one <= exp_lower(Decimal(epsilon))
        assert law.certificate(Decimal(epsilon)).likelihood_ratio == one
        assert law.permanent_certificate(whole).likelihood_ratio == ever
        assert float(whole) - log(ever) < max(1e-9, 2e-17 * float(exp_lower(whole / (2 * hashes))))
        assert float(epsilon) - log(one) < 1e-9, (epsilon, ratio, hashes)
        # The published formula for the same chances.
        f, p = 2 * law.permanent / N, law.instantaneous / N
        if float(epsilon) < 20:
            published = _published_losses(f, p, 1 - p, hashes)
            assert isclose(published[0], log(one), rel_tol=1e-6)
            assert isclose(published[1], log(ever), rel_tol=1e-6)


def no_two_answers_are_told_apart_by_more() -> None:
    """Going through every report: the largest ratio over all answers is at most the certified."""
    for sizes in SMALL:
        bound = _bound(*sizes)
        laws = [[chance for _, chance in _reports(bound, code)] for code in range(bound.size)]
        ratio = max(max(column) / min(column) for column in zip(*laws, strict=True))
        assert ratio <= bound.certificate.likelihood_ratio
        assert bound.certificate.likelihood_ratio <= exp_lower(Decimal(1))


def bits_turn_at_their_thresholds() -> None:
    """A word below the weight flips the bit, one at it does not, in both steps."""
    law = MemoizedBitsLaw.at(2, Decimal(1), Decimal(2))
    filters = np.array([[True, True], [False, False]])
    for weight, step in (
        (law.permanent, law.permanent_bits),
        (law.instantaneous, law.reported_bits),
    ):
        words = np.array([weight - 1, weight, weight - 1, weight], dtype=np.uint64)
        assert step(filters, words).tolist() == [[False, True], [True, False]]


def bloom_filters_never_change() -> None:
    """Different bits for each category, evenly chosen, the same on every machine."""
    positions = bloom_positions(64, 300, 32, 3)
    assert (np.diff(np.sort(positions, axis=2), axis=2) > 0).all()
    assert positions.min() == 0
    assert positions.max() == 31
    counts = np.bincount(positions.ravel(), minlength=32)
    # 1,800 are expected of each; six standard deviations.
    assert abs(counts - counts.mean()).max() < 6 * sqrt(counts.mean())
    digest = hashlib.sha256(positions.astype("<i8").tobytes()).hexdigest()
    assert digest[:16] == "bfbdadaf3debca36"


def estimates_are_unbiased_with_their_variance() -> None:
    """E = f and the exact noise variance, given the respondents, over every report."""
    for sizes in SMALL:
        bound = _bound(*sizes)
        design, flip = bound.design, float(bound.law.flip)
        laws = [_law(bound, code) for code in range(bound.size)]
        for codes in [(0,), (1,), (0, 1)] if design.bits < 4 else [(0,), (2,)]:
            means, variances = moments(bound, [laws[c] for c in codes])
            for v in range(bound.size):
                _close(means[v], codes.count(v) / len(codes))
            # The same by matrices: flips of all bits, and the cohort.
            a = design.filters.transpose(0, 2, 1).astype(float)
            gram = np.einsum("cik,cil->kl", a, a)
            k = np.einsum("kl,cil->cki", np.linalg.inv(gram), a)
            bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
            expected = design.cohorts * bit * (k**2).sum(axis=(0, 2)) * len(codes)
            for x in codes:
                moved = design.cohorts * np.einsum("cki,ci->ck", k, a[:, :, x])
                expected = expected + moved.var(axis=0)
            for v in range(bound.size):
                _close(variances[v], expected[v] / len(codes) ** 2)


def errors_are_the_exact_ones_on_expected_counts() -> None:
    """Noise, sampling and total error at the true shares; the forecast says the same."""
    n = 1000
    for sizes in SMALL:
        bound = _bound(*sizes)
        size = bound.size
        laws = [_law(bound, code) for code in range(size)]
        shares = [Fraction(2 * v + 1, size * size) for v in range(size)]
        drawn = mixture(laws, shares)
        estimate = bound.estimate(expected_tally([drawn], n))
        _, variances = moments(bound, [drawn])
        for v in range(size):
            f = float(shares[v])
            _close(estimate.value[v], f)
            _close(estimate.total_error[v] ** 2, variances[v] / n)
            _close(estimate.sampling_error[v] ** 2, f * (1 - f) / n)
        even = mixture(laws, [Fraction(1, size)] * size)
        forecast = bound.mechanism.forecast(bound.domain)
        _close(forecast.accuracy(n).total, sqrt(np.mean(moments(bound, [even])[1]) / n))
        values, chances, truth = forecast.report_law()
        _close(float(values @ chances), truth)
        _close(float((values - truth) ** 2 @ chances) / n, forecast.accuracy(n).total ** 2)
        worst = [moments(bound, [laws[u]])[1][v] for u in range(size) for v in range(size) if u - v]
        _close(forecast.noise_constant, max(worst))


def weighted_counts_are_those_of_each_cohort() -> None:
    """Counts by hand, for weights and without."""
    bound = _bound(3, 4, 2, 4)
    reports = bound.randomize(np.arange(200, dtype=np.int32) % 3, ShakeWords("rappor"))
    for weights in (None, 1.0 + np.arange(200) % 3):
        each = np.ones(200) if weights is None else weights
        counts = bound.tally(reports, weights).counts.reshape(4, 5)
        for cohort in range(4):
            own = reports[:, 0] == cohort
            assert counts[cohort, 0] == each[own].sum()
            assert np.allclose(counts[cohort, 1:], each[own] @ reports[own, 1:])


def the_lasso_ends_where_no_share_can_move() -> None:
    """The slope is 0 at every share above 0 and not above 0 elsewhere: the one minimum."""
    design = bloom_design(8, 40, 64, 2)
    noise = np.sin(np.arange(512.0) ** 2)
    for size in (0.0, 0.1, 1.0):
        observed = design.matrix() @ (np.arange(40) % 7 == 0) / 6 + size * noise
        products = design.matrix().T @ observed
        for penalty in (1e-3, 0.5, 1e6):
            found = positive_lasso(design.gram, products, penalty)
            slopes = products - design.gram @ found - penalty
            assert found.min() >= 0
            assert np.allclose(slopes[found > 0], 0, atol=1e-9)
            assert (slopes[found == 0] <= 1e-9).all()
            assert (found > 0).any() == (penalty < 1e5)


def categories_that_do_not_occur_are_not_selected() -> None:
    """On expected counts and on drawn ones of three categories of 40, the lasso finds these."""
    bound = _bound(40, 64, 2, 8, "4")
    f = np.zeros(40)
    f[[3, 17, 31]] = 0.5, 0.3, 0.2
    design, flip, n = bound.design, float(bound.law.flip), 50_000
    bits = np.einsum("cki,k->ci", design.filters.astype(float), f)
    counts = np.hstack([np.ones((8, 1)), flip + (1 - 2 * flip) * bits]) * n / 8
    estimate = bound.estimate(Tally(n, float(n), float(n), counts.ravel()))
    found = estimate.possible["lasso"]
    assert np.flatnonzero(found).tolist() == [3, 17, 31]
    assert np.allclose(found, f, atol=1e-9)
    # Drawn reports from fixed words: what does not occur is noise, and is left out.
    codes = np.array([3, 3, 3, 3, 3, 17, 17, 17, 31, 31], dtype=np.int32).repeat(600)
    drawn = bound.estimate(bound.tally(bound.randomize(codes, ShakeWords("lasso"))))
    found = drawn.possible["lasso"]
    assert np.flatnonzero(found).tolist() == [3, 17, 31]
    assert (abs(found - f) < 4 * drawn.total_error).all()


def many_reports_show_the_permanent_response_and_no_more() -> None:
    """The majority of 400 reports of one respondent is the permanent response, flips and all."""
    bound = _bound(3, 4, 2, 4, "2")
    words = ShakeWords("repeated")
    codes = np.zeros(200, dtype=np.int32)
    permanent = bound.permanent(codes, bound.cohorts_of(200, words), words)
    ones = (bound.instantaneous(permanent, words)[:, 1:] for _ in range(400))
    seen = sum(bits.astype(np.int64) for bits in ones)
    assert ((seen > 200) == permanent.bits).all()
    truth = bloom_design(4, 3, 4, 2).filters[permanent.cohorts, 0]
    assert 0.1 < (permanent.bits != truth).mean() < 0.45


def the_loss_that_can_be_shown_is_epsilon() -> None:
    """With the system's words: bits flip as often as they should, each by itself.

    Two categories with no bit in common: the event that all bits are those of the first is e^eps
    times likelier under it. A lower bound on the loss is at most epsilon and at least 95 % of it.
    """
    bound = _bound(2, 5, 2, 1)
    draws, flip = 4_000_000, float(bound.law.flip)
    filters = bound.design.filters[0]
    differing = np.flatnonzero(filters[0] != filters[1])
    assert differing.size == 4
    hits = []
    for code in (0, 1):
        reports = bound.randomize(np.full(draws, code, dtype=np.int32), SystemWords())[:, 1:]
        for bit in range(5):
            flips = int((reports[:, bit] != filters[code, bit]).sum())
            assert binomtest(flips, draws, flip).pvalue > ALPHA / 16, (code, bit)
        as_first = (reports[:, differing] == filters[0, differing]).all(axis=1)
        hits.append(int(as_first.sum()))
        expected = (1 - flip) ** 4 if code == 0 else flip**4
        assert binomtest(hits[-1], draws, expected).pvalue > ALPHA / 16
    low = beta.ppf(ALPHA / 2, hits[0], draws - hits[0] + 1)
    high = beta.ppf(1 - ALPHA / 2, hits[1] + 1, draws - hits[1])
    assert 0.95 < log(low / high) <= 1
