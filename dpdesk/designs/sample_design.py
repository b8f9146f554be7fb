"""How respondents were drawn, and the errors of sums and of mean scores that follow.

Clusters (primary sampling units, PSUs) are drawn in strata; where respondents were drawn one by
one, each is a cluster. Covariances are those of ultimate clusters: as if they were drawn with
replacement, which errs on the safe side. Everybody who was drawn stays in the design, whether or
not they answered or belong to the group that is looked at: they add 0 to its sums.

The score r = (y - b) / (a - b) is unbiased for whether a respondent is a carrier, whatever the
sample is: so the methods of survey sampling apply to it as they do to a true answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.inference import chance_beyond, quantile
from dpdesk.designs.texts import T
from dpdesk.errors import InputError
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import is_even, stated_error

Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]

Lonely = Literal["fail", "certainty", "centred", "average"]
"""What a stratum with a single cluster adds to a variance, as in the R package survey."""

LONELY: tuple[Lonely, ...] = get_args(Lonely)


@dataclass(frozen=True, eq=False)
class SampleDesign:
    """How some respondents were drawn; arrays of shape (n,).

    Attributes:
        weights: Weight of each respondent.
        strata: Stratum of each respondent, numbered from 0.
        clusters: Cluster of each respondent, numbered from 0; clusters of different strata are
            different ones, whatever their number.
        population: How many clusters each stratum has in the population, by its number, of which
            those of the sample were drawn without replacement: people where they were drawn one
            by one. One number where there is one stratum, None where it is not known.
        lonely: What a stratum with a single cluster adds: an error is raised ("fail"); nothing,
            since it was drawn with certainty ("certainty"); its distance from the mean of all
            clusters ("centred", R's "adjust"); as much as the others do on average ("average").
        alike: How many respondents each row stands for, shape (n,), where these were drawn one by
            one and are alike: rows are then clusters, of which there are so many. None for 1.
    """

    weights: Floats
    strata: Labels
    clusters: Labels
    population: Floats | float | None = None
    lonely: Lonely = "fail"
    alike: Labels | None = None

    @cached_property
    def one_by_one(self) -> bool:
        """Whether nobody shares a cluster with another."""
        return self._stratum_of_cluster.size == self.strata.size

    @cached_property
    def sizes(self) -> Labels:
        """Number of clusters of each stratum, by its number; shape (strata,)."""
        if self.alike is None:
            return np.bincount(self._stratum_of_cluster)
        sizes = np.zeros(int(self.strata.max(initial=0)) + 1, dtype=np.int64)
        np.add.at(sizes, self.strata, self.alike)
        return sizes

    @property
    def cluster_count(self) -> int:
        """Number of clusters."""
        return int(self.sizes.sum())

    @property
    def stratum_count(self) -> int:
        """Number of strata."""
        return int((self.sizes > 0).sum())

    @property
    def lonely_strata(self) -> int:
        """Number of strata with a single cluster that was not drawn for certain."""
        return int(self._lonely.sum())

    def freedom(self, members: Mask | None = None) -> int:
        """Returns the degrees of freedom: clusters less strata.

        Args:
            members: Who belongs to a group, shape (n,); clusters and strata without them do not
                count then (as `degf` of a subset in R's survey does it).
        """
        if members is None:
            return self.cluster_count - self.stratum_count
        clusters = np.unique(self._cluster_of_each[members])
        return int(clusters.size - np.unique(self._stratum_of_cluster[clusters]).size)

    def covariance_of_sum(self, contributions: Floats, device: Floats | None = None) -> Floats:
        """Returns the covariance of a sum over the sample.

        Args:
            contributions: What each respondent adds, with their weight, shape (n, k); 0 for who
                does not count but was drawn as well.
            device: The part of each respondent's variance that is the device's, without bias,
                shape (n, k): a population that is known does not shorten it. Needed where there is
                a population and people were drawn one by one.

        Returns:
            An array of shape (k, k).

        Raises:
            InputError: A stratum, or the whole sample, has a single cluster; or more clusters
                than the population.
        """
        self.check()
        strata, sizes = self._stratum_of_cluster, self.sizes
        sums = self._sums(contributions, self._cluster_of_each, strata.size)
        times = np.ones(strata.size)
        if self.alike is not None:
            times[self._cluster_of_each] = self.alike
        of_strata = self._sums(sums * times[:, None], strata, sizes.size)
        means = of_strata / np.maximum(sizes, 1)[:, None]
        if self.lonely == "centred" and self._lonely.any():
            means[self._lonely] = of_strata.sum(axis=0) / self.cluster_count
        drawn = self._drawn_shares
        factor = (1 - drawn) * sizes / np.maximum(sizes - 1, 1)
        centred = (sums - means[strata]) * np.sqrt(factor[strata] * times)[:, None]
        found = centred.T @ centred
        if self.lonely == "average" and self._lonely.any():
            found *= self.stratum_count / (self.stratum_count - self.lonely_strata)
        if self.population is not None:
            found += self._within(contributions, sums, drawn, device)
        return np.asarray(found)

    def check(self) -> None:
        """Refuses a sample whose errors cannot be estimated.

        Raises:
            InputError: As `covariance_of_sum`.
        """
        if self.cluster_count == 1:
            raise InputError(T.ONE_CLUSTER())
        if self.lonely_strata and self.lonely == "fail":
            raise InputError(T.LONELY_STRATUM())
        if self.lonely_strata == self.stratum_count:
            raise InputError(T.LONELY_STRATA())
        if (self._drawn_shares > 1).any():
            raise InputError(T.MORE_THAN_PEOPLE() if self.one_by_one else T.MORE_THAN_CLUSTERS())

    @cached_property
    def _cluster_of_each(self) -> Labels:
        return self._numbered[1]

    @cached_property
    def _stratum_of_cluster(self) -> Labels:
        return self._numbered[0]

    @cached_property
    def _numbered(self) -> tuple[Labels, Labels]:
        """The stratum of each cluster, and the cluster of each respondent, numbered anew."""
        width = int(self.clusters.max(initial=0)) + 1
        different, cluster = np.unique(self.strata * width + self.clusters, return_inverse=True)
        return np.asarray(different // width, dtype=np.int64), cluster.reshape(-1)

    @cached_property
    def _drawn_shares(self) -> Floats:
        """Share of the clusters of each stratum that were drawn; 0 without a population."""
        if self.population is None:
            return np.zeros(self.sizes.size)
        # Strata beyond the last one of the sample, and unused numbers, do not count.
        population = np.atleast_1d(np.asarray(self.population, np.float64))[: self.sizes.size]
        drawn = np.zeros(self.sizes.size)
        # If the population is empty, more clusters were drawn than there are.
        with np.errstate(divide="ignore"):
            np.divide(self.sizes, population, out=drawn, where=self.sizes > 0)
        return drawn

    @cached_property
    def _lonely(self) -> Mask:
        # If the whole population was drawn, there is no error between clusters.
        return np.asarray((self.sizes == 1) & (self._drawn_shares < 1))

    def _within(
        self, contributions: Floats, sums: Floats, drawn: Floats, device: Floats | None
    ) -> Floats:
        """What clusters drawn without replacement leave: f times the variance within them."""
        share = drawn[self.strata]
        if self.one_by_one:
            if device is None:
                raise ValueError("a population of people needs the device's part of the variance")
            return np.diag(share @ device)
        counts = np.bincount(self._cluster_of_each)
        means = sums / counts[:, None]
        # The mean is not subtracted in a cluster with one respondent, since the result would be 0.
        means[counts == 1] = 0.0
        factor = np.where(counts > 1, counts / np.maximum(counts - 1, 1), 1.0)
        centred = (contributions - means[self._cluster_of_each]) * np.sqrt(
            share * factor[self._cluster_of_each]
        )[:, None]
        return np.asarray(centred.T @ centred)

    @staticmethod
    def _sums(rows: Floats, labels: Labels, count: int) -> Floats:
        """Sums of the rows of each label, shape (count, k)."""
        columns = [np.bincount(labels, weights=column, minlength=count) for column in rows.T]
        return np.column_stack(columns).astype(np.float64)


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

    @property
    def is_even(self) -> bool:
        """Whether both ends of the interval are as far from the estimate, in print."""
        return is_even(self.estimate, self.lower, self.upper)

    @property
    def stated_error(self) -> float | None:
        """The standard error; None where all answers are alike, which does not show it."""
        return stated_error(self.standard_error, self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Contrast:
    """The share estimated with the device, compared with that of people who are asked directly.

    Attributes:
        randomized: The share of carriers of those who used a device.
        direct: The share of those who were asked directly.
        difference: The first less the second.
        p_value: Chance of a difference as large or larger if both shares are equal; None without an
            error.
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

    Of independent groups the interval is made of those of both shares (Zou & Donner 2008,
    Statistics in Medicine 27, 1693-1702), so that it is as exact near 0.

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
    below = above = quantile(confidence, freedom) * error
    if freedom is None:
        below = hypot(randomized.estimate - randomized.lower, direct.upper - direct.estimate)
        above = hypot(randomized.upper - randomized.estimate, direct.estimate - direct.lower)
    respondents = randomized.respondents + direct.respondents
    difference = ScoreMean(gap, error, gap - below, gap + above, respondents, freedom)
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
        InputError: The group is too small, or the sample does not allow an error.
    """
    n = int(group.sum())
    if n < 2:  # a variance needs two
        raise InputError(T.SMALL_GROUP())
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
        raise InputError(T.ONE_CLUSTER_IN_GROUP())
    error = sqrt(max(variance, 0.0))
    half = quantile(confidence, freedom) * error
    return ScoreMean(mean, error, mean - half, mean + half, n, freedom)
