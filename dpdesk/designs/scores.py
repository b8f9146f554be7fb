"""The unbiased score of a respondent, and design-based errors of its mean.

r = (y - b) / (a - b) is unbiased for whether a respondent is a carrier, whatever the sample is: so
the methods of survey sampling apply to r as they do to a true answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import InputError
from dpdesk.mechanisms import normal_quantile

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SampleDesign:
    """How the respondents were drawn; arrays of shape (n,).

    Attributes:
        weights: Weight of each respondent.
        strata: Stratum of each respondent, numbered from 0.
        clusters: Cluster of each respondent, drawn as a whole; numbered from 0.
        population: Number of people that a simple random sample without replacement was drawn
            from, for a part of it their expected number; else None.
    """

    weights: Floats
    strata: Labels
    clusters: Labels
    population: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreMean:
    """The mean score of a group of respondents.

    Attributes:
        estimate: Weighted mean, the estimated share of carriers.
        standard_error: Its error by the sample's design.
        lower: Lower end of the interval: the normal one, if nothing else is said.
        upper: Upper end.
        respondents: Number of respondents.
    """

    estimate: float
    standard_error: float
    lower: float
    upper: float
    respondents: int


def scores(said_yes: Floats, a: Floats, b: Floats) -> Floats:
    """Returns each respondent's score, shape (n,)."""
    return np.asarray((said_yes - b) / (a - b))


def mean_score(
    score: Floats, sample: SampleDesign, group: NDArray[np.bool_], confidence: float = 0.95
) -> ScoreMean:
    """Returns the share of carriers in a group of respondents.

    Errors are those of clusters drawn with replacement within strata (ultimate clusters). For a
    simple random sample without replacement from a known population they are Horvitz and
    Thompson's, plus the device's part, r (r - 1), which the correction for a finite population does
    not touch.

    Args:
        score: Each respondent's score, shape (n,).
        sample: How respondents were drawn.
        group: Which of them belong to the group, shape (n,).
        confidence: Coverage of the interval.

    Raises:
        InputError: The group is too small, or a stratum has a single cluster.
    """
    n = int(group.sum())
    if n < 2:  # a variance needs two
        raise InputError(
            "A group has fewer than 2 respondents, so that its error cannot be told.",
            remedy="Join it with another group.",
        )
    if _one_by_one(sample) and not sample.strata.any():
        # Respondents drawn one by one: a group of them is a sample of its own, of the same share
        # of its people.
        people = None if sample.population is None else sample.population * n / group.size
        sample = SampleDesign(
            sample.weights[group], sample.strata[group], sample.clusters[group], people
        )
        score, group = score[group], np.ones(n, dtype=np.bool_)
    weight = np.where(group, sample.weights, 0.0)
    total = float(weight.sum())
    mean = float(weight @ score) / total
    if sample.population is None:
        residual = weight * (score - mean) / total
        variance = float(covariance_of_sum(residual[:, None], sample)[0, 0])
    else:
        variance = _finite(score[group], sample.population)
    error = sqrt(variance)
    half = normal_quantile(confidence) * error
    return ScoreMean(mean, error, mean - half, mean + half, n)


def covariance_of_sum(contributions: Floats, sample: SampleDesign) -> Floats:
    """Returns the covariance of a sum over the sample, clusters drawn with replacement in strata.

    Args:
        contributions: What each respondent adds, with their weight, shape (n, k); 0 for who does
            not count but was drawn as well.
        sample: How respondents were drawn.

    Returns:
        An array of shape (k, k).

    Raises:
        InputError: A stratum, or the whole sample, has a single cluster.
    """
    sums, strata = contributions, sample.strata
    if not _one_by_one(sample):
        width = int(sample.clusters.max()) + 1
        different, cluster = np.unique(strata * width + sample.clusters, return_inverse=True)
        sums = _sums(contributions, cluster, different.size)
        strata = np.asarray(different // width, dtype=np.int64)
    sizes = np.bincount(strata)
    if sizes.size == 1 and sizes[0] == 1:
        raise InputError(
            "All respondents belong to one cluster, so that the error cannot be told.",
            remedy="Choose another column of clusters, or none.",
        )
    if (sizes == 1).any():
        raise InputError(
            "A stratum has a single cluster, so that its error cannot be told.",
            remedy="Join it with another stratum.",
        )
    # A number that no stratum has counts for nothing.
    present = np.maximum(sizes, 2)
    means = _sums(sums, strata, sizes.size) / present[:, None]
    centred = (sums - means[strata]) * np.sqrt(present / (present - 1))[strata][:, None]
    return np.asarray(centred.T @ centred)


def _sums(rows: Floats, labels: Labels, count: int) -> Floats:
    """Sums of the rows of each label, shape (count, k)."""
    columns = [np.bincount(labels, weights=column, minlength=count) for column in rows.T]
    return np.column_stack(columns).astype(np.float64)


def _one_by_one(sample: SampleDesign) -> bool:
    """Whether nobody shares a cluster with another."""
    return int(np.bincount(sample.clusters).max()) == 1


def _finite(score: Floats, population: float) -> float:
    n = score.size
    if n > population:
        raise InputError(
            "There are more respondents than people in the population.",
            remedy="Correct the size of the population.",
        )
    drawn = (1 - n / population) * float(score.var(ddof=1)) / n
    device = float((score * (score - 1)).sum()) / (population * n)
    return max(drawn + device, 0.0)


def chi_square(
    groups: list[ScoreMean], covariance: Floats | None = None
) -> tuple[float, int, float] | None:
    """Tests whether groups of different respondents have one share of carriers (Wald).

    Args:
        groups: Their shares, at least 2.
        covariance: Of the shares, shape (groups, groups); None for groups that were drawn apart.

    Returns:
        The statistic, its degrees of freedom, and the chance of a larger one if they have. None
        where the errors do not allow a test: one is 0, or there are too few clusters.
    """
    from scipy.stats import chi2

    errors = np.array([group.standard_error for group in groups])
    means = np.array([group.estimate for group in groups])
    spread = np.diag(errors**2) if covariance is None else covariance
    gaps, freedom = means[1:] - means[0], len(groups) - 1
    apart = spread[1:, 1:] - spread[1:, :1] - spread[:1, 1:] + spread[0, 0]
    if not (errors > 0).all() or np.linalg.matrix_rank(apart, hermitian=True) < freedom:
        return None
    statistic = float(gaps @ np.linalg.solve(apart, gaps))
    return statistic, freedom, float(chi2.sf(statistic, freedom))
