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
        population: Number of people of a simple random sample without replacement; else None.
    """

    weights: Floats
    strata: Labels
    clusters: Labels
    population: int | None = None


@dataclass(frozen=True, slots=True)
class ScoreMean:
    """The mean score of a group of respondents.

    Attributes:
        estimate: Weighted mean, the estimated share of carriers.
        standard_error: Its error by the sample's design.
        lower: Lower end of the normal interval.
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
        # Respondents drawn one by one: a group of them is a sample of its own.
        sample = SampleDesign(
            sample.weights[group], sample.strata[group], sample.clusters[group], sample.population
        )
        score, group = score[group], np.ones(n, dtype=np.bool_)
    weight = np.where(group, sample.weights, 0.0)
    total = float(weight.sum())
    mean = float(weight @ score) / total
    if sample.population is None:
        variance = _clustered(weight * (score - mean) / total, sample)
    else:
        variance = _finite(score[group], sample.population)
    error = sqrt(variance)
    half = normal_quantile(confidence) * error
    return ScoreMean(mean, error, mean - half, mean + half, n)


def _clustered(residual: Floats, sample: SampleDesign) -> float:
    sums, strata = residual, sample.strata
    if not _one_by_one(sample):
        width = int(sample.clusters.max()) + 1
        different, cluster = np.unique(strata * width + sample.clusters, return_inverse=True)
        sums = np.asarray(np.bincount(cluster, weights=residual), dtype=np.float64)
        strata = np.asarray(different // width, dtype=np.int64)
    sizes = np.bincount(strata)
    if (sizes == 1).any():
        raise InputError(
            "A stratum has a single cluster, so that its error cannot be told.",
            remedy="Join it with another stratum.",
        )
    # A number that no stratum has counts for nothing.
    present = np.maximum(sizes, 2)
    means = np.bincount(strata, weights=sums) / present
    squares = np.bincount(strata, weights=(sums - means[strata]) ** 2)
    return float((present / (present - 1) * squares).sum())


def _one_by_one(sample: SampleDesign) -> bool:
    """Whether nobody shares a cluster with another."""
    return int(np.bincount(sample.clusters).max()) == 1


def _finite(score: Floats, population: int) -> float:
    n = score.size
    if n > population:
        raise InputError(
            "There are more respondents than people in the population.",
            remedy="Correct the size of the population.",
        )
    drawn = (1 - n / population) * float(score.var(ddof=1)) / n
    device = float((score * (score - 1)).sum()) / (population * n)
    return max(drawn + device, 0.0)


def chi_square(groups: list[ScoreMean]) -> tuple[float, int, float]:
    """Tests whether groups of different respondents have one share of carriers (Wald).

    Returns:
        The statistic, its degrees of freedom, and the chance of a larger one if they have.
    """
    from scipy.stats import chi2

    precision = np.array([1 / max(group.standard_error**2, 1e-300) for group in groups])
    means = np.array([group.estimate for group in groups])
    common = float(precision @ means / precision.sum())
    statistic = float(precision @ (means - common) ** 2)
    freedom = len(groups) - 1
    return statistic, freedom, float(chi2.sf(statistic, freedom))
