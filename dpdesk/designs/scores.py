"""The unbiased score of a respondent, and design-based errors of its mean.

r = (y - b) / (a - b) is unbiased for whether a respondent is a carrier, whatever the sample is: so
the methods of survey sampling apply to r as they do to a true answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.inference import chance_beyond, quantile
from dpdesk.designs.sample_design import SampleDesign
from dpdesk.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ScoreMean:
    """The mean score of a group of respondents.

    Attributes:
        estimate: Weighted mean, the estimated share of carriers.
        standard_error: Its error by the sample's design.
        lower: Lower end of the interval: by Student's t or the normal law, if nothing else is said.
        upper: Upper end.
        respondents: Number of respondents.
        freedom: Degrees of freedom of the error; None for the normal law.
    """

    estimate: float
    standard_error: float
    lower: float
    upper: float
    respondents: int
    freedom: int | None = None


@dataclass(frozen=True, slots=True)
class Contrast:
    """What the device tells against what people say who are asked directly.

    Attributes:
        randomized: The share of carriers of those who used a device.
        direct: The share of those who were asked directly.
        difference: The first less the second.
        p_value: Chance of a difference as large or larger, if there is none; None without an error.
    """

    randomized: ScoreMean
    direct: ScoreMean
    difference: ScoreMean
    p_value: float | None


def contrast_of(
    randomized: ScoreMean,
    direct: ScoreMean,
    *,
    confidence: float = 0.95,
    across: float = 0.0,
    freedom: int | None = None,
) -> Contrast:
    """Returns the difference of two shares with its error, its interval and its test.

    Args:
        randomized: The share by the device.
        direct: The share by direct questions.
        confidence: Coverage of the interval.
        across: Covariance of both; 0 for independent groups.
        freedom: Degrees of freedom of the errors; None for the normal law.
    """
    gap = randomized.estimate - direct.estimate
    variance = randomized.standard_error**2 + direct.standard_error**2 - 2 * across
    error = sqrt(max(variance, 0.0))
    half = quantile(confidence, freedom) * error
    respondents = randomized.respondents + direct.respondents
    difference = ScoreMean(gap, error, gap - half, gap + half, respondents, freedom)
    chance = 2 * chance_beyond(abs(gap) / error, freedom) if error > 0 else None
    return Contrast(randomized, direct, difference, chance)


def scores(said_yes: Floats, a: Floats, b: Floats) -> Floats:
    """Returns each respondent's score, shape (n,)."""
    return np.asarray((said_yes - b) / (a - b))


def mean_score(
    score: Floats,
    sample: SampleDesign,
    group: NDArray[np.bool_],
    confidence: float = 0.95,
    *,
    normal: bool = False,
) -> ScoreMean:
    """Returns the share of carriers in a group of respondents.

    The mean is a ratio, whose error is by Taylor linearisation over the clusters of the sample;
    those without members of the group stay in it (a domain). For a simple random sample without
    replacement from a known population it is Horvitz and Thompson's, plus the device's part,
    r (r - 1), which the correction for a finite population does not touch.

    Args:
        score: Each respondent's score, shape (n,); of members of the group a number.
        sample: How respondents were drawn.
        group: Which of them belong to the group, shape (n,).
        confidence: Coverage of the interval.
        normal: Whether the interval is by the normal law; else by Student's t.

    Raises:
        InputError: The group is too small, or the sample tells no error.
    """
    n = int(group.sum())
    if n < 2:  # a variance needs two
        raise InputError(
            "A group has fewer than 2 respondents, so that its error cannot be estimated.",
            remedy="Join it with another group.",
        )
    if sample.one_by_one and not sample.strata.any():
        # Respondents drawn one by one: a group of them is a sample of its own, of the same share
        # of its people.
        people = None if sample.population is None else sample.population * (n / group.size)
        sample = SampleDesign(
            sample.weights[group], sample.strata[group], sample.clusters[group], people
        )
        score, group = score[group], np.ones(n, dtype=np.bool_)
    weight = np.where(group, sample.weights, 0.0)
    total = float(weight.sum())
    score = np.where(group, score, 0.0)
    mean = float(weight @ score) / total
    residual = weight * (score - mean) / total
    device = (weight / total) ** 2 * score * (score - 1)
    variance = float(sample.covariance_of_sum(residual[:, None], device[:, None])[0, 0])
    freedom = None if normal else sample.freedom(group)
    if freedom == 0:
        raise InputError(
            "All respondents of a group belong to one cluster of each stratum, so that its error "
            "cannot be estimated.",
            remedy="Join it with another group.",
        )
    error = sqrt(max(variance, 0.0))
    half = quantile(confidence, freedom) * error
    return ScoreMean(mean, error, mean - half, mean + half, n, freedom)
