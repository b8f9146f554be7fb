"""How respondents were drawn, and the covariance of sums over them that follows.

Clusters (primary sampling units, PSUs) are drawn in strata; where respondents were drawn one by
one, each is a cluster. Covariances are those of ultimate clusters: as if they were drawn with
replacement, which errs on the safe side. Everybody who was drawn stays in the design, whether or
not they answered or belong to the group that is looked at: they add 0 to its sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import InputError

Floats = NDArray[np.float64]
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
        lonely: What a stratum with a single cluster adds: nothing can be said ("fail"); nothing,
            since it was drawn with certainty ("certainty"); its distance from the mean of all
            clusters ("centred", R's "adjust"); as much as the others do on average ("average").
    """

    weights: Floats
    strata: Labels
    clusters: Labels
    population: Floats | float | None = None
    lonely: Lonely = "fail"

    @cached_property
    def one_by_one(self) -> bool:
        """Whether nobody shares a cluster with another."""
        return self._stratum_of_cluster.size == self.strata.size

    @cached_property
    def sizes(self) -> Labels:
        """Number of clusters of each stratum, by its number; shape (strata,)."""
        return np.bincount(self._stratum_of_cluster)

    @property
    def cluster_count(self) -> int:
        """Number of clusters."""
        return int(self._stratum_of_cluster.size)

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
        means = self._sums(sums, strata, sizes.size) / np.maximum(sizes, 1)[:, None]
        if self.lonely == "centred" and self._lonely.any():
            means[self._lonely] = sums.mean(axis=0)
        drawn = self._drawn_shares
        factor = (1 - drawn) * sizes / np.maximum(sizes - 1, 1)
        centred = (sums - means[strata]) * np.sqrt(factor)[strata][:, None]
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
            raise InputError(
                "All respondents belong to one cluster, so that the error cannot be estimated.",
                remedy="Choose another column of clusters, or none.",
            )
        if self.lonely_strata and self.lonely == "fail":
            raise InputError(
                "A stratum has a single cluster, so that its error cannot be estimated.",
                remedy="Join it with another stratum; or say what it adds (in the window under "
                "Strata with one cluster, on the command line with --lonely-psu): certainty "
                "(nothing, it was drawn for certain), centred (its distance from the mean of all "
                "clusters) or average (as much as the other strata).",
            )
        if self.lonely_strata == self.stratum_count:
            raise InputError(
                "Every stratum has a single cluster, so that the error cannot be estimated.",
                remedy="Choose another column of strata, or none.",
            )
        if (self._drawn_shares > 1).any():
            raise InputError(
                "There are more respondents than people in the population."
                if self.one_by_one
                else "A stratum has more clusters in the sample than in the population.",
                remedy="Correct the size of the population.",
            )

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
        # Strata behind the last one of the sample, and numbers that no stratum has, do not count.
        population = np.atleast_1d(np.asarray(self.population, np.float64))[: self.sizes.size]
        drawn = np.zeros(self.sizes.size)
        # Of a population of nobody more than all were drawn.
        with np.errstate(divide="ignore"):
            np.divide(self.sizes, population, out=drawn, where=self.sizes > 0)
        return drawn

    @cached_property
    def _lonely(self) -> Mask:
        # Where the whole population was drawn nothing is left of the error between clusters.
        return np.asarray((self.sizes == 1) & (self._drawn_shares < 1))

    def _within(
        self, contributions: Floats, sums: Floats, drawn: Floats, device: Floats | None
    ) -> Floats:
        """What clusters drawn without replacement still leave: f times the variance within them.

        People drawn one by one answer through the device all the same. In clusters, people count
        as drawn with replacement, which holds the device's part and errs on the safe side.
        """
        share = drawn[self.strata]
        if self.one_by_one:
            if device is None:
                raise ValueError("a population of people needs the device's part of the variance")
            return np.diag(share @ device)
        counts = np.bincount(self._cluster_of_each)
        means = sums / counts[:, None]
        # Of a cluster with one respondent the mean is not taken off, since nothing would be left.
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
