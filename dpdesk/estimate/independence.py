"""Whether two attributes are independent, by a test that knows the noise of their reports."""

from __future__ import annotations

from math import sqrt

import numpy as np

from dpdesk.designs.inference import WaldTest, wald_test
from dpdesk.errors import InputError
from dpdesk.estimate.joint import require_few_cells
from dpdesk.estimate.scored_records import ScoredRecords, Together
from dpdesk.estimate.variable import Categories, Floats

_MOST_TESTED = 400
_TESTED_AT_ONCE = 1 << 12


def independence(records: ScoredRecords, first: str, second: str) -> WaldTest | None:
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
        The test; None where the records do not allow one.
    """
    together = records.together((first, second))
    one, other = (variable.categories() for variable in together.variables)
    require_few_cells([one, other])
    contrasts = _contrasts(one), _contrasts(other)
    weight = together.weight
    first_mean, second_mean = np.zeros(len(one.texts)), np.zeros(len(other.texts))
    squares = [np.zeros((mean.size, mean.size)) for mean in (first_mean, second_mean)]
    products = np.zeros((first_mean.size, second_mean.size))
    for part, w, _ in together.blocks(max(products.size, first_mean.size**2)):
        x, y = one.scores(part), other.scores(part)
        wx, wy = w[:, None] * x, w[:, None] * y
        first_mean, second_mean = first_mean + wx.sum(axis=0), second_mean + wy.sum(axis=0)
        squares[0] += wx.T @ x
        squares[1] += wy.T @ y
        products += wx.T @ y
    means = first_mean / weight, second_mean / weight
    left, right = contrasts
    together_mean = left.T @ (products / weight - np.outer(*means)) @ right
    if records.designed or records.is_weighted:
        return _test_by_design(records, together, means, contrasts, together_mean)
    inverses = [
        _inverse(contrast.T @ (square / weight - np.outer(mean, mean)) @ contrast)
        for contrast, square, mean in zip(contrasts, squares, means, strict=True)
    ]
    (back, rank), (forth, width) = inverses
    freedom = rank * width
    if freedom == 0:
        return None
    from scipy.special import chdtrc

    statistic = weight * float(np.sum((back @ together_mean) * (together_mean @ forth)))
    return WaldTest(statistic, freedom, None, float(chdtrc(freedom, statistic)))


def _test_by_design(
    records: ScoredRecords,
    together: Together,
    means: tuple[Floats, Floats],
    contrasts: tuple[Floats, Floats],
    mean: Floats,
) -> WaldTest | None:
    """Tests by the covariance that the sample's weights, strata and clusters give."""
    if mean.size > _MOST_TESTED:
        raise InputError(
            f"With weights, strata or clusters at most {_MOST_TESTED:,} cells are tested, and this "
            f"table has {mean.size:,} that are free.",
            remedy="Name columns with fewer answers.",
        )
    sample = records.sample(together.rows)
    contributions = np.empty((together.rows.size, mean.size))
    for start in range(0, together.rows.size, _TESTED_AT_ONCE):
        rows = together.rows[start : start + _TESTED_AT_ONCE]
        left, right = (
            (variable.scores(rows) - centre) @ contrast
            for variable, centre, contrast in zip(together.variables, means, contrasts, strict=True)
        )
        products = (left[:, :, None] * right[:, None, :]).reshape(rows.size, -1)
        weight = records.weights[rows, None] / together.weight
        contributions[start : start + rows.size] = weight * (products - mean.ravel())
    freedom = sample.freedom() if records.designed else None
    return wald_test(mean.ravel(), sample.covariance_of_sum(contributions), freedom)


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
