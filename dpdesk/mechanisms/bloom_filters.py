"""Bloom filters of categories in cohorts, what least squares makes of them, and RAPPOR's preview.

A category has `hashes` different bits out of `bits`, others in each cohort, so that categories
which share bits in one cohort are told apart in another (Erlingsson, Pihur & Korolova 2014).
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms.estimates import Accuracy, Answers
from dpdesk.numbers.arrays import Floats

# SplitMix64 (Steele, Lea & Flood 2014): the increment and the two multipliers of its finalizer.
_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
# Below this share of the largest pivot a column counts as a mixture of others.
_PIVOT_MIN = 1e-5


def bloom_positions(cohorts: int, size: int, bits: int, hashes: int) -> NDArray[np.int64]:
    """Returns which bits each category has in each cohort, shape (cohorts, size, hashes).

    The j-th bit of category v in cohort c is taken from the SplitMix64 output at place
    2^40 c + 2^8 v + j + 1 of its sequence: its upper 32 bits choose evenly among the bits that
    are not yet taken. The same on every machine, and no secret.
    """
    cohort = np.arange(cohorts, dtype=np.uint64)[:, None] << np.uint64(40)
    category = np.arange(size, dtype=np.uint64)[None, :] << np.uint64(8)
    taken = np.empty((cohorts, size, 0), dtype=np.int64)
    for j in range(hashes):
        words = _mixed((cohort + category + np.uint64(j + 1)) * _INCREMENT)
        place = (words >> np.uint64(32)) * np.uint64(bits - j) >> np.uint64(32)
        position = place.astype(np.int64)
        # The place counts free bits only: it moves up for every taken bit at or below it.
        for earlier in range(j):
            position += position >= taken[..., earlier]
        taken = np.sort(np.concatenate([taken, position[..., None]], axis=2), axis=2)
    return taken


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return np.asarray(state ^ (state >> np.uint64(31)))


@lru_cache(maxsize=32)
def bloom_design(cohorts: int, size: int, bits: int, hashes: int) -> BloomDesign:
    """Returns the design of these sizes; the last few are cached."""
    return BloomDesign(cohorts, size, bits, hashes)


class BloomDesign:
    """The design matrix A: a row for each bit of each cohort, a column for each category.

    Attributes:
        cohorts: Number of cohorts, C.
        size: Number of categories, k.
        bits: Number of bits, m.
        hashes: Number of bits of a category, h.
        positions: Which bits, shape (C, k, h).
        gram: A'A, shape (k, k): bits that two categories share over all cohorts, C h on the
            diagonal.
    """

    def __init__(self, cohorts: int, size: int, bits: int, hashes: int) -> None:
        self.cohorts, self.size, self.bits, self.hashes = cohorts, size, bits, hashes
        self.positions = bloom_positions(cohorts, size, bits, hashes)
        filled = self.filters.transpose(1, 0, 2).reshape(size, -1).astype(np.float32)
        self.gram = (filled @ filled.T).astype(np.float64)

    @cached_property
    def filters(self) -> NDArray[np.bool_]:
        """The Bloom filter of each category in each cohort, shape (C, k, m)."""
        filters = np.zeros((self.cohorts, self.size, self.bits), dtype=np.bool_)
        np.put_along_axis(filters, self.positions, True, axis=2)
        return filters

    @cached_property
    def tells_all_apart(self) -> bool:
        """Whether A has full column rank, so that least squares has one solution."""
        try:
            pivots = np.diag(np.linalg.cholesky(self.gram)) ** 2
        except np.linalg.LinAlgError:
            return False
        return bool(pivots.min() > _PIVOT_MIN * pivots.max())

    @cached_property
    def inverse(self) -> Floats:
        """The inverse of A'A, shape (k, k)."""
        return np.linalg.inv(self.gram).astype(np.float64)

    @cached_property
    def cohort_squares(self) -> Floats:
        """How a respondent's cohort moves an estimate, shape (k, k).

        Without noise a respondent of category x adds C H_c[v, x] to the estimate of v, where
        H_c = (A'A)^-1 A_c'A_c belongs to cohort c and the H_c sum to 1. Its mean over the cohorts
        is 1 if v = x, else 0; this is the mean of its square, C sum_c H_c[v, x]^2.
        """
        squares = np.zeros((self.size, self.size))
        for positions, filters in zip(self.positions, self.filters, strict=True):
            of_bits = self.inverse @ filters.astype(np.float64)
            moved = of_bits[:, positions[:, 0]]
            for j in range(1, self.hashes):
                moved = moved + of_bits[:, positions[:, j]]
            squares += moved**2
        return self.cohorts * squares

    def cohort_products(self, code: int, shares: Floats) -> Floats:
        """Returns the mean products of such moves with those of one category, shape (k,).

        C sum_c sum_x H_c[v, x] H_c[u, x] f_x for the category u, without any H_c in full.

        Args:
            code: u.
            shares: f, the true shares, shape (k,).
        """
        products = np.zeros(self.size)
        for positions, filters in zip(self.positions, self.filters, strict=True):
            of_code = (self.inverse[code] @ filters)[positions].sum(axis=1) * shares
            bits = np.bincount(
                positions.ravel(), np.repeat(of_code, self.hashes), minlength=self.bits
            )
            products += self.inverse @ (filters @ bits)
        return self.cohorts * products

    def solved(self, bits: Floats) -> Floats:
        """Returns the least-squares solution for unbiased bits of all cohorts, shape (k,).

        Args:
            bits: Estimated share of all respondents that are in the cohort and have the bit,
                times C, shape (C, m).
        """
        cohort = np.arange(self.cohorts)[:, None, None]
        return np.asarray(self.inverse @ bits[cohort, self.positions].sum(axis=(0, 2)))

    def matrix(self) -> Floats:
        """Returns A, shape (C m, k)."""
        return self.filters.transpose(0, 2, 1).reshape(-1, self.size).astype(np.float64)


def noise_variances(design: BloomDesign, flip: float, shares: Floats) -> Floats:
    """Returns n times the noise variance of each estimate, shape (k,).

    A report's bits, with the flips corrected for, have variance s^2 = F (1 - F) / (1 - 2 F)^2
    each, whatever the answer is. So a report adds C s^2 (A'A)^-1[v, v] to the variance of
    category v, and a respondent of category x, by the cohort, `cohort_squares`[v, x] less the
    square of its mean, which is 1 if v = x, else 0.

    Args:
        design: The Bloom filters.
        flip: Chance F that a bit of a report is not that of the true answer.
        shares: The true shares, shape (k,), summing to 1.
    """
    bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
    noise = design.cohorts * bit * np.diag(design.inverse)
    return np.maximum(noise + design.cohort_squares @ shares - shares, 0.0)


def score_products(
    design: BloomDesign, flip: float, shares: Floats, code: int
) -> tuple[Floats, Floats]:
    """Returns the mean squares of what reports add to estimates, and products with one of them.

    As `noise_variances`: bits are flipped independently, and a cohort moves two estimates
    together.

    Args:
        design: The Bloom filters.
        flip: Chance F that a bit of a report is not that of the true answer.
        shares: The true shares, shape (k,), summing to 1.
        code: The category whose estimate all others are multiplied with.

    Returns:
        Both of shape (k,).
    """
    bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
    squares = design.cohorts * bit * np.diag(design.inverse) + design.cohort_squares @ shares
    products = design.cohorts * bit * design.inverse[code] + design.cohort_products(code, shares)
    return squares, products


@lru_cache(maxsize=256)
def rappor_forecast(design: BloomDesign, flip: float) -> RapporForecast:
    """Returns the preview for a chance of flipping a bit; the last few are cached."""
    return RapporForecast(design, flip)


class RapporForecast:
    """Preview of RAPPOR: a `Forecast` of shares."""

    quantity: Literal["share", "mean"] = "share"
    form: Literal["symbol", "bits", "support"] = "support"
    positions: Floats | None = None
    truthful: float | None = None

    def __init__(self, design: BloomDesign, flip: float) -> None:
        self._design = design
        self._flip = flip
        self.size = self.outputs = design.size
        even = np.full(design.size, 1 / design.size)
        self._even = float(noise_variances(design, flip, even).mean())
        bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
        self._of_bits = design.cohorts * bit * np.diag(design.inverse)

    def probabilities(self, code: int) -> Floats:
        """Returns the chance that a bit of each category is set, over cohorts, shape (k,)."""
        shared = self._design.gram[code] / (self._design.cohorts * self._design.hashes)
        return np.asarray(self._flip + (1 - 2 * self._flip) * shared)

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns two equally likely values with the mean and the variance of what a report adds.

        A report adds one of very many values to a share of 1/k; of their law only these two
        moments show in an estimate from many reports.
        """
        share = 1 / self.size
        reach = sqrt(self._even + share * (1 - share))
        return share + reach * np.array([-1.0, 1.0]), np.array([0.5, 0.5]), share

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one category, as root mean square over all of them.

        The category has this share (1/k when not given), the others have equal parts of the rest.
        """
        f = 1 / self.size if share is None else share
        noise = self._even if share is None else self._mean_noise(f)
        sampling = f * (1 - f)
        return Accuracy(*(sqrt(v / reports) for v in (noise, sampling, noise + sampling)))

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances of each share, shape (k,)."""
        shares = np.array(answers.shares)
        return noise_variances(self._design, self._flip, shares), shares * (1 - shares)

    def _mean_noise(self, f: float) -> float:
        squares = self._design.cohort_squares
        own = np.diag(squares)
        others = (squares.sum(axis=1) - own) / (self.size - 1)
        return float(np.mean(self._of_bits + f * own + (1 - f) * others) - f)

    @property
    def noise_constant(self) -> float:
        """The constant n Var* of the worst category, all respondents being of the worst other."""
        squares = self._design.cohort_squares
        others = (squares - np.diag(np.diag(squares))).max(axis=1)
        return float((self._of_bits + others).max())
