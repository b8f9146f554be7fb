"""Exact checks of the window law and of the hybrid law, shared with the kill matrix.

Each law is stated anew in plain Python integers: the reports in the order of the words, with the
number of words that draw each of them.
"""

from __future__ import annotations

from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from math import ceil

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.channel import HybridLaw, WindowKernel, WindowLaw
from dpdesk.errors import CertificateError, ReleaseError
from tests.channel.small_words import ALL_SMALL_WORDS, SMALL_TOTAL, small_words
from tests.cost.exact_exponential import exp_bounds
from tests.randomness.word_sources import ShakeWords

TOTAL = 2**64
SHARE = Fraction(39, 100)
LAWS = [(2, 1, "1"), (3, 2, "0.01"), (5, 3, "0.5"), (5, 9, "3"), (82, 49, "1"), (20, 1, "5")]
WIDE_LAWS = [*LAWS, (1_000, 607, "1"), (10_000, 9_512, "0.1"), (82, 1, "20"), (2, 1, "40")]

Runs = list[tuple[int, int]]
"""Reports with their weights, in the order of the words that draw them."""


def window_runs(size: int, width: int, epsilon: str, total: int, code: int) -> Runs:
    """The window's cells, the first ones with a unit more, then the cells before and behind it."""
    low, high = exp_bounds(Fraction(epsilon))
    lie, other = (ceil((total + width) / (width * e + size - 1)) for e in (high, low))
    assert lie == other, "the independent bounds are too wide"
    each, more = divmod(total - (size - 1) * lie, width)
    window = [(code + i, each + (i < more)) for i in range(width)]
    outside = [*range(code), *range(code + width, size + width - 1)]
    return window + [(cell, lie) for cell in outside]


def hybrid_runs(size: int, width: int, epsilon: str, total: int, below: int, code: int) -> Runs:
    """The window's runs on the first part of the words, then "high", then "low"."""
    split = int(SHARE * total)
    cells = window_runs(size, width, epsilon, split, code)
    rest, last = total - split, size + width - 1
    bounds = exp_bounds(Fraction(epsilon))
    low, other = (ceil(rest / (e + 1)) for e in reversed(bounds))
    assert low == other
    high = low + (rest - 2 * low) * code // (size - 1)
    moved = [(cell + (cell >= below) + (cell >= last - below), w) for cell, w in cells]
    return [*moved, (last + 1 - below, high), (below, rest - high)]


def weights_of(law: WindowLaw | HybridLaw, code: int) -> list[int]:
    """The weight of each report under a true code, from the law's own integers."""
    if isinstance(law, WindowLaw):
        weights = [law.lie] * law.outputs
        each, more = divmod(law.truth, law.width)
        weights[code : code + law.width] = [each + (i < more) for i in range(law.width)]
        return weights
    weights = weights_of(law.window, code)
    high = law.low + (law.rest - 2 * law.low) * code // (law.window.size - 1)
    middle = weights[law.below : len(weights) - law.below]
    ends = weights[: law.below], weights[len(weights) - law.below :]
    return [*ends[0], law.rest - high, *middle, high, *ends[1]]


def _hybrid(size: int, width: int, epsilon: str) -> HybridLaw:
    return HybridLaw.at(size, width, Decimal(epsilon), SHARE, (size + width) // 4)


def _runs(law: WindowLaw | HybridLaw, epsilon: str, total: int, code: int) -> Runs:
    if isinstance(law, WindowLaw):
        return window_runs(law.size, law.width, epsilon, total, code)
    window = law.window
    return hybrid_runs(window.size, window.width, epsilon, total, law.below, code)


def _loss(law: WindowLaw | HybridLaw, epsilon: str, total: int, size: int) -> Fraction:
    rows = [dict(_runs(law, epsilon, total, code)) for code in range(size)]
    columns = [[row[report] for row in rows] for report in range(law.outputs)]
    return max(Fraction(max(column), min(column)) for column in columns)


def windows_are_their_law_on_every_small_word() -> None:
    """Of 65,536 words each report has exactly its weight; the loss is the certified one."""
    with small_words():
        for size, width, epsilon in LAWS:
            for law in (WindowLaw.at(size, width, Decimal(epsilon)), _hybrid(size, width, epsilon)):
                for code in {0, size // 2, size - 1}:
                    codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
                    drawn = np.bincount(law.sample(codes, ALL_SMALL_WORDS), minlength=law.outputs)
                    expected = dict(_runs(law, epsilon, SMALL_TOTAL, code))
                    assert dict(enumerate(drawn.tolist())) == expected, (size, width, epsilon)
                loss = _loss(law, epsilon, SMALL_TOTAL, size)
                assert loss <= exp_bounds(Fraction(epsilon))[0]
                assert law.certificate(Decimal(epsilon)).likelihood_ratio == loss


def windows_turn_at_every_threshold() -> None:
    """On 64 bits the report changes at each cumulative weight and nowhere beside it."""
    for size, width, epsilon in WIDE_LAWS:
        for law in (WindowLaw.at(size, width, Decimal(epsilon)), _hybrid(size, width, epsilon)):
            for code in {0, size // 3, size - 1}:
                runs = _runs(law, epsilon, TOTAL, code)
                ends = list(accumulate(weight for _, weight in runs))
                assert ends[-1] == TOTAL
                chosen = {*ends[:40], *ends[width - 3 : width + 3], *ends[-40:-1]}
                words = _around(chosen)
                expected = [runs[bisect_right(ends, word)][0] for word in words.tolist()]
                reports = law.sample(np.full(words.size, code, dtype=np.int32), words)
                assert reports.dtype == np.int32
                assert reports.tolist() == expected, (type(law).__name__, size, width, code)


def _around(thresholds: set[int]) -> NDArray[np.uint64]:
    sides = {t + shift for t in thresholds for shift in (-2, -1, 0, 1)} | {0, TOTAL - 1}
    exact = np.array(sorted(t for t in sides if 0 <= t < TOTAL), dtype=np.uint64)
    return np.concatenate([exact, ShakeWords("between").take(300)])


def windows_draw_every_row_by_itself() -> None:
    """Row i depends on code i and word i alone, and on nothing that is no code or no word."""
    for law in (WindowLaw.at(7, 4, Decimal(1)), _hybrid(7, 4, "1")):
        codes = (np.arange(2_000) * 3 % 7).astype(np.int32)
        words = ShakeWords("rows").take(2_000)
        alone = [int(law.sample(codes[i : i + 1], words[i : i + 1])[0]) for i in range(2_000)]
        assert law.sample(codes, words).tolist() == alone
        for wrong in (-1, 7):
            with pytest.raises(ReleaseError):
                law.sample(np.array([wrong], dtype=np.int32), words[:1])
        with pytest.raises(ReleaseError):
            law.sample(codes, words.view(np.int64))


def window_certificates_hold() -> None:
    """No law exceeds its epsilon; up to eps = 10 it comes within 1e-9 of it.

    A window's cell has a weight of about N / (w + m / E), so that its units and those of a lie
    show at larger epsilons only.
    """
    for epsilon in ("0.0001", "0.01", "0.1", "0.5", "1", "2", "5", "10", "15", "20", "30", "40"):
        below = exp_bounds(Fraction(epsilon))[0]
        for size, width in ((2, 1), (3, 1), (3, 2), (10, 7), (82, 1), (82, 49), (1_000, 30)):
            for law in (WindowLaw.at(size, width, Decimal(epsilon)), _hybrid(size, width, epsilon)):
                certificate = law.certificate(Decimal(epsilon))
                ratio = certificate.likelihood_ratio
                if size <= 100:
                    assert ratio == _loss(law, epsilon, TOTAL, size)
                assert ratio <= below, "the loss exceeds the nominal epsilon"
                assert certificate.epsilon_certified <= Decimal(epsilon)
                assert exp_bounds(Fraction(certificate.epsilon_certified))[1] >= ratio
                if float(epsilon) <= 10:
                    assert float(Decimal(epsilon) - certificate.epsilon_certified) <= 1e-9
    with pytest.raises(CertificateError), small_words():
        WindowLaw.at(60_000, 5_000, Decimal("0.01"))


def _matrix(kernel: WindowKernel) -> NDArray[np.float64]:
    cells, codes = np.arange(kernel.outputs), np.arange(kernel.size)[:, None]
    inside = (cells >= codes) & (cells < codes + kernel.width)
    return np.where(inside, kernel.q + kernel.gap, kernel.q)


KERNELS = [(2, 1, 1.0), (3, 2, 0.01), (5, 9, 0.5), (12, 5, 2.0), (82, 49, 1.0), (82, 1, 8.0)]


def window_kernels_are_the_law() -> None:
    """The rows, their mean and their bins are those of the channel that the law describes."""
    for size, width, epsilon in KERNELS:
        kernel = WindowKernel.at(size, width, epsilon)
        matrix = _matrix(kernel)
        law = WindowLaw.at(size, width, Decimal(str(epsilon)))
        for code in range(size):
            runs = dict(window_runs(size, width, str(epsilon), TOTAL, code))
            exact = [runs[cell] / TOTAL for cell in range(kernel.outputs)]
            assert np.allclose(matrix[code], exact, rtol=1e-12, atol=0)
            assert np.array_equal(kernel.row(code), matrix[code])
        q, gap = law.chances()
        assert np.allclose([q, gap], [kernel.q, kernel.gap], rtol=1e-11, atol=0)
        assert np.allclose(kernel.even(), matrix.mean(axis=0), rtol=1e-12, atol=0)
        inputs = np.unique([0, 1, size // 3, size])
        outputs = np.unique([0, 2, width, kernel.outputs // 2, kernel.outputs])
        sums = np.add.reduceat(matrix, outputs[:-1], axis=1)
        bins = np.add.reduceat(sums, inputs[:-1], axis=0) / np.diff(inputs)[:, None]
        assert np.allclose(kernel.binned(inputs, outputs), bins, rtol=1e-11, atol=1e-15)


def window_reports_are_worth_what_they_should() -> None:
    """Linear, quadratic and general worth are unbiased at every grid point.

    The general worth is the one of least variance for even answers: chance times worth is a
    combination of the channel's rows (Lagrange).
    """
    for size, width, epsilon in KERNELS:
        kernel = WindowKernel.at(size, width, epsilon)
        matrix, codes = _matrix(kernel), np.arange(size)
        linear, squares = kernel.linear(), kernel.squares()
        scale = np.abs(linear).max()
        assert np.abs(matrix @ linear - codes).max() < 1e-12 * scale
        assert np.abs(matrix @ squares - codes**2).max() < 1e-12 * np.abs(squares).max()
        assert np.allclose(np.diff(linear), linear[1] - linear[0], rtol=1e-9)
        variances = matrix @ linear**2 - codes**2
        assert np.allclose(kernel.linear_variances(), variances, rtol=1e-9)
        targets = np.stack([codes % 2, codes**2 / size, codes == size - 1], axis=1) * 1.0
        worth = kernel.unbiased(targets)
        assert np.abs(matrix @ worth - targets).max() < 1e-11 * np.abs(worth).max()
        squares = kernel.expected(worth**2)
        assert np.allclose(squares, matrix @ worth**2, rtol=1e-9, atol=1e-9 * squares.max())
        pull = matrix.mean(axis=0)[:, None] * worth
        combined = matrix.T @ np.linalg.lstsq(matrix.T, pull, rcond=None)[0]
        assert np.abs(combined - pull).max() < 1e-9 * np.abs(pull).max()
