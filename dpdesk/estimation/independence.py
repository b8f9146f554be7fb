"""Whether two attributes are independent, by a test that knows the noise of their reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from dpdesk.designs.inference import WaldTest, wald_test
from dpdesk.errors import InputError
from dpdesk.estimation.joint import least_variance, require_few_cells
from dpdesk.estimation.record_patterns import Patterns, Together
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Categories
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.tails import chi_square_above

_MOST_TESTED = 400


@dataclass(frozen=True, slots=True)
class DependentCell:
    """One pair of answers of a test of independence.

    Attributes:
        labels: What the answers are.
        categories: Their texts in the records.
        observed: The unbiased share of all respondents with both.
        expected: What it would be if the attributes were independent.
        residual: The difference in standard errors of it under independence, sampling and noise
            together; NaN where there is no error.
    """

    labels: tuple[str, str]
    categories: tuple[str, str]
    observed: float
    expected: float
    residual: float


@dataclass(frozen=True, slots=True, eq=False)
class Independence:
    """Whether two attributes are independent, and where they are not.

    Attributes:
        first, second: The attributes, of a and b categories.
        test: The test of all pairs of answers at once; None where the records do not allow one.
        observed, expected, residual: As of `DependentCell`, shape (a, b).
        records: Number of records that tell of both.
    """

    first: Categories
    second: Categories
    test: WaldTest | None
    observed: Floats
    expected: Floats
    residual: Floats
    records: int

    def cells(self) -> Iterator[DependentCell]:
        """Yields each pair of answers, those of one first answer one after another."""
        for place in np.ndindex(*self.observed.shape):
            yield self._cell(*place)

    @property
    def strongest(self) -> DependentCell | None:
        """The pair of answers farthest from independence; None where no error is known."""
        known = np.isfinite(self.residual)
        if not known.any():
            return None
        farthest = np.where(known, np.abs(self.residual), -1.0).argmax()
        return self._cell(*np.unravel_index(farthest, known.shape))

    def _cell(self, a: int | np.intp, b: int | np.intp) -> DependentCell:
        one, other = self.first, self.second
        return DependentCell(
            (one.labels[a], other.labels[b]),
            (one.texts[a], other.texts[b]),
            *(float(of[a, b]) for of in (self.observed, self.expected, self.residual)),
        )


def independence(records: ScoredRecords, first: str, second: str) -> Independence:
    """Tests whether two attributes are independent.

    The products of centred scores have the mean f_ab - f_a f_b. If the attributes are independent,
    so are the reports, and their covariance is that of the one scores times that of the others:
    with D the mean products in contrasts of the categories, n tr(V^-1 D W^-1 D') follows chi-square
    with rank(V) rank(W) degrees of freedom. Without noise it is Pearson's statistic; with noise it
    is a general chi-square test in the sense of Gaboardi & Rogers 2018 (ICML, section 5). With
    weights, strata or clusters the covariance is that of the sample's design instead.

    Args:
        records: The records.
        first: An attribute with categories.
        second: Another one.

    Returns:
        The test, and each pair of answers beside what independence expects.
    """
    together = records.together((first, second))
    one, other = (variable.categories() for variable in together.variables)
    require_few_cells([one, other])
    contrasts = _contrasts(one), _contrasts(other)
    weight = together.weight
    first_mean, second_mean = np.zeros(len(one.texts)), np.zeros(len(other.texts))
    squares = [np.zeros((mean.size, mean.size)) for mean in (first_mean, second_mean)]
    products = np.zeros((first_mean.size, second_mean.size))
    for part in together.blocks(max(products.size, first_mean.size**2)):
        x, y, w = part.scores(one), part.scores(other), part.weights
        wx, wy = w[:, None] * x, w[:, None] * y
        first_mean, second_mean = first_mean + wx.sum(axis=0), second_mean + wy.sum(axis=0)
        squares[0] += wx.T @ x
        squares[1] += wy.T @ y
        products += wx.T @ y
    means = first_mean / weight, second_mean / weight
    observed, expected = products / weight, np.outer(*means)
    apart = observed - expected
    if records.designed or records.is_weighted:
        test, errors = _test_by_design(together, means, contrasts, apart)
    else:
        spreads = [
            square / weight - np.outer(mean, mean)
            for square, mean in zip(squares, means, strict=True)
        ]
        test = _test_of_records(weight, spreads, contrasts, apart)
        errors = np.sqrt(np.outer(*(np.diag(spread).clip(0) for spread in spreads)) / weight)
    # An answer that no report tells of has no variance of its own; drawing respondents has.
    effective = weight**2 / together.squares
    least = (effective * least_variance(mean, effective) for mean in means)
    errors = np.maximum(errors, np.sqrt(np.outer(*least) / effective))
    residual = np.divide(apart, errors, out=np.full_like(apart, np.nan), where=errors > 0)
    return Independence(one, other, test, observed, expected, residual, together.records)


def _test_of_records(
    weight: float, spreads: list[Floats], contrasts: tuple[Floats, Floats], apart: Floats
) -> WaldTest | None:
    """Tests independent respondents without weights."""
    left, right = contrasts
    (back, rank), (forth, width) = (
        _inverse(contrast.T @ spread @ contrast)
        for contrast, spread in zip(contrasts, spreads, strict=True)
    )
    freedom = rank * width
    if freedom == 0:
        return None
    mean = left.T @ apart @ right
    statistic = weight * float(np.sum((back @ mean) * (mean @ forth)))
    return WaldTest(statistic, freedom, None, chi_square_above(statistic, freedom))


def _test_by_design(
    together: Together,
    means: tuple[Floats, Floats],
    contrasts: tuple[Floats, Floats],
    apart: Floats,
) -> tuple[WaldTest | None, Floats]:
    """Tests by the covariance that the sample's weights, strata and clusters give.

    Returns:
        The test, and the error of each cell, shape (a, b).
    """
    left, right = contrasts
    free = left.shape[1] * right.shape[1]
    if free > _MOST_TESTED:
        raise InputError(T.MANY_FREE_CELLS(most=_MOST_TESTED, cells=free))

    def parts(block: Patterns) -> Floats:
        x, y = (
            block.scores(variable) - centre
            for variable, centre in zip(together.variables, means, strict=True)
        )
        return np.asarray((x[:, :, None] * y[:, None, :]).reshape(block.size, -1) - apart.ravel())

    covariance = together.covariance_of_sum(parts, apart.size) / together.weight**2
    errors = np.sqrt(np.diag(covariance).clip(0)).reshape(apart.shape)
    both = np.kron(left, right)
    if not free:
        return None, errors
    freedom = together.sample.freedom() if together.designed else None
    return wald_test(apart.ravel() @ both, both.T @ covariance @ both, freedom), errors


def _inverse(matrix: Floats) -> tuple[Floats, int]:
    """Returns the pseudo-inverse of a covariance, and its rank."""
    values, vectors = np.linalg.eigh(matrix)
    told = values > 1e-10 * max(float(values.max(initial=0.0)), 1e-300)
    kept = vectors[:, told]
    return np.asarray((kept / values[told]) @ kept.T), int(told.sum())


def _contrasts(variable: Categories) -> Floats:
    """Returns contrasts of the categories, shape (k, k - 1): shares add up to 1. Options have none.

    Helmert's, of unit length; the test is the same with any others.
    """
    size = len(variable.texts)
    if not variable.picks_one:
        return np.eye(size)
    found = np.zeros((size, max(size - 1, 0)))
    for j in range(1, size):
        found[:j, j - 1] = 1 / sqrt(j * (j + 1))
        found[j, j - 1] = -j / sqrt(j * (j + 1))
    return found
