"""How an attribute takes part in learning: numbers, one category, or options that are ticked.

A trait says what a learner sees of true answers and of reports taken as they are, and learns its
part of naive Bayes from either: from answers, or from reports with the noise taken out.

**The noise taken out.** Label and attribute of a record are randomized independently, so that the
product of a score of the label's report, s_c with E[s_c | class] = 1[class = c], and of anything
that is read off the attribute's report, g, is unbiased for the class: E[s_c g] = E[1[class = c] g].
What is known of the attribute in class c beside what is known of everybody is therefore

    d_c = mean((s_c - pi_c) (g - mean g)) / pi_c,
    variance of d_c = E[(s_c - pi_c)^2] Var(g) / (n pi_c^2),

with pi_c the share of the class. Categories and options have g from `BoundMechanism.totals`, whose
expectation is the indicator of the answer. Numbers have the report and its square, whose means
under each answer x follow from the law; what they say of the mean and the mean square of the
answers is read through their regression on (1, x, x^2) under the normal law that explains all
reports best. Where reports are unbiased as they are this is the unbiased moment itself; where they
are kept within bounds it avoids the inverse of the channel, whose rare reports are worth so much
that they drown what the others tell.

With few records at a small epsilon d_c is mostly noise. So it is shrunk by the share of its mean
square that would be noise if classes differed by a medium effect, half a standard deviation
(`EFFECT`): the best linear estimate under that expectation. Where records are many and noise is
small, hardly anything is shrunk. A share becomes the mean of what is possible of it given its
estimate and error; a variance is at least a fiftieth of that of everybody.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import AnyDomain, OptionSet
from dpdesk.learning.parts import Normal, Part, Shares, valid_shares
from dpdesk.mechanisms import BoundMechanism
from dpdesk.numbers.arrays import Codes, Floats

P = TypeVar("P", bound=Part)

EFFECT = 0.5
"""The difference between classes that is expected, in standard deviations: a medium effect."""

SMOOTHING = 1e-9
"""Share of a variance that is added to it, as scikit-learn does, so that no class has none."""

_LEAST_SHARE = 0.02
"""Least variance of a class in shares of that of everybody, where noise made it less."""

_NODES = 129
_BLOCK = 128


@dataclass(frozen=True, slots=True, eq=False)
class LabelScores:
    """What the reports of the label say of each record's class.

    Attributes:
        scores: s_c of each record, shape (classes, n).
        shares: Share of each class, valid: above 0, and 1 in all; shape (classes,).
        weights: How much each record counts, 1 on average, shape (n,); None for all alike.
    """

    scores: Floats
    shares: Floats
    weights: Floats | None = None

    def of(self, present: NDArray[np.bool_]) -> LabelScores:
        """Returns those of some records."""
        if present.all():
            return self
        weights = None if self.weights is None else self.weights[present]
        return LabelScores(
            self.scores[:, present],
            self.shares,
            None if weights is None else weights / weights.mean(),
        )

    @property
    def weighted(self) -> Floats:
        """The scores less the mean of each class, each times the weight of its record."""
        mean = np.average(self.scores, axis=1, weights=self.weights)
        away = self.scores - mean[:, None]
        return np.asarray(away if self.weights is None else away * self.weights)

    @property
    def effective_rows(self) -> float:
        """The number of records of equal weight that say as much (Kish)."""
        rows = self.scores.shape[1]
        return float(rows if self.weights is None else rows / (self.weights**2).mean())

    @property
    def spread(self) -> Floats:
        """E[(s_c - pi_c)^2] / (n pi_c^2): times a variance that of a difference, (classes,)."""
        rows = self.scores.shape[1]
        return np.asarray((self.weighted**2).mean(axis=1) / (rows * self.shares**2))


class Reader(Protocol[P]):
    """Reads the reports of an attribute, or its answers where it is released as it is."""

    def seen(self, reports: NDArray[Any]) -> Floats | None:
        """Returns what a learner sees of reports that are taken for answers, shape (n, width).

        None where they cannot be: reports are then no answers of the domain.
        """

    def learn(self, reports: NDArray[Any], label: LabelScores) -> P:
        """Learns from reports with the noise taken out.

        Args:
            reports: Of the records that have one.
            label: Of the same records.
        """

    def evidence(self, part: P, reports: NDArray[Any], shares: Floats) -> Floats:
        """Returns what each record's answer is estimated to say of its class.

        Args:
            part: What was learnt.
            reports: Of some records.
            shares: Share of each class.

        Returns:
            Estimates of `log_likelihood` less the mean of the classes and that of everybody, shape
            (n, classes): unbiased for categories and options; for numbers of the part of it that
            is linear in the mean of a report.
        """


@dataclass(frozen=True, slots=True)
class Trait(ABC):
    """An attribute of a learner.

    Attributes:
        domain: Its domain.
    """

    domain: AnyDomain

    @abstractmethod
    def seen(self, codes: Codes) -> Floats:
        """Returns what a learner sees of true answers, shape (n, width); NaN for none."""

    @abstractmethod
    def learn(self, seen: Floats, counts: Floats) -> Part:
        """Learns from what is seen as it is, by the usual estimates of naive Bayes.

        Args:
            seen: Shape (n, width).
            counts: How much each record counts in each class (`counts_of`), shape (n, classes).
        """

    @abstractmethod
    def reader(self, bound: BoundMechanism | None) -> Reader[Any]:
        """Returns what reads the reports of a mechanism, or true codes where it is None."""


def trait_of(domain: AnyDomain) -> Trait:
    """Returns how an attribute with this domain takes part."""
    return (Numbers if domain.holds_numbers else Options if domain.is_set else Category)(domain)


class Listed(Trait):
    """What categories and options share: an indicator for each."""

    def learn(self, seen: Floats, counts: Floats) -> Part:
        present = ~np.isnan(seen)
        given, rows = counts.T @ np.where(present, seen, 0.0), counts.T @ present
        one, width = self.domain.picks_one, seen.shape[1]
        return Shares((given + 1) / (rows + (width if one else 2)), one)

    @abstractmethod
    def reported(self, bound: BoundMechanism, reports: NDArray[Any]) -> Floats | None:
        """Returns what is seen of reports that are taken for answers; None where they cannot be."""

    def reader(self, bound: BoundMechanism | None) -> Reader[Shares]:
        return ListedReader(self, bound)


class Category(Listed):
    """One answer of a list."""

    def seen(self, codes: Codes) -> Floats:
        return np.where((codes < 0)[:, None], np.nan, one_hot(codes, self.domain.size))

    def reported(self, bound: BoundMechanism, reports: NDArray[Any]) -> Floats | None:
        if bound.form == "bits":
            return reports.astype(np.float64)
        if bound.form == "symbol" and tuple(bound.outputs) == self.domain.texts:
            return one_hot(reports, self.domain.size)
        return None


class Options(Listed):
    """Any number of answers of a list."""

    def seen(self, codes: Codes) -> Floats:
        assert isinstance(self.domain, OptionSet)  # noqa: S101 - what `trait_of` asks
        return np.where((codes < 0)[:, None], np.nan, self.domain.ticked(np.maximum(codes, 0)))

    def reported(self, bound: BoundMechanism, reports: NDArray[Any]) -> Floats | None:
        return np.where(reports > 1, np.nan, reports)


@dataclass(frozen=True, slots=True, eq=False)
class ListedReader:
    """Reads shares of categories or options."""

    trait: Listed
    bound: BoundMechanism | None

    def seen(self, reports: NDArray[Any]) -> Floats | None:
        """Returns what reports say that are taken for answers; None where they cannot be."""
        if self.bound is None:
            return self.trait.seen(reports)
        return self.trait.reported(self.bound, reports)

    def learn(self, reports: NDArray[Any], label: LabelScores) -> Shares:
        """The shares of everybody, moved by what each class has more of them."""
        rows = len(reports)
        value, variance, moved = self.totals(reports, label)
        difference = moved / (rows * label.shares[:, None])
        one = self.trait.domain.picks_one
        possible = valid_shares(value, variance / label.effective_rows, one)
        # A rare answer is not expected to be many times as likely in a class.
        largest = np.minimum(possible * (1 - possible), (possible / EFFECT) ** 2)
        expected = _expected(label)[:, None] * largest
        noise = label.spread[:, None] * variance
        kept = expected / (expected + noise)
        moved = possible + kept * difference
        shares = valid_shares(moved, kept * noise, one)
        own = rows * label.shares[:, None]
        shares = (own * shares + 1) / (own + (len(value) if one else 2))
        return Shares(shares, one)

    def totals(self, reports: NDArray[Any], label: LabelScores) -> tuple[Floats, Floats, Floats]:
        """Returns shares, the variances of one record's, and sums by the scores of each class."""
        weighted = label.weighted
        if self.bound is None:
            seen = self.trait.seen(reports)
            value = np.average(seen, axis=0, weights=label.weights)
            return value, value * (1 - value), weighted @ seen
        estimate = self.bound.estimate(self.bound.tally(reports, label.weights))
        counts = self.bound.counts(reports, weighted)
        moved = self.bound.totals(counts, weighted.sum(axis=1))
        return estimate.value, estimate.total_error**2 * label.effective_rows, moved

    def evidence(self, part: Shares, reports: NDArray[Any], shares: Floats) -> Floats:
        """By the unbiased estimator of the mechanism, record by record."""
        slopes, bound = part.slopes, self.bound
        usual = shares @ part.shares @ slopes
        if bound is None:
            return np.asarray(self.trait.seen(reports) @ slopes - usual)
        if bound.form == "symbol":
            outputs = len(bound.outputs)
            table = bound.totals(np.eye(outputs), np.ones(outputs)) @ slopes
            return np.asarray(table[reports] - usual)
        each = [
            bound.totals(bound.counts(block, np.eye(len(block))), np.ones(len(block))) @ slopes
            for block in (reports[at : at + _BLOCK] for at in range(0, len(reports), _BLOCK))
        ]
        return np.asarray(np.concatenate(each) - usual)


class Numbers(Trait):
    """Numbers of a grid, seen from 0 at the lower end to 1 at the upper."""

    def seen(self, codes: Codes) -> Floats:
        size = self.domain.size
        return np.where((codes < 0) | (codes >= size), np.nan, codes / (size - 1))[:, None]

    def learn(self, seen: Floats, counts: Floats) -> Part:
        present = ~np.isnan(seen[:, 0])
        numbers, own = seen[present, 0], counts[present]
        rows = own.sum(axis=0)
        everybody = (numbers.mean(), numbers.var()) if numbers.size else (0.5, 1.0)
        divisor = np.where(rows > 0, rows, 1.0)
        mean = np.where(rows > 0, numbers @ own / divisor, everybody[0])
        squares = ((numbers[:, None] - mean) ** 2 * own).sum(axis=0)
        variance = np.where(rows > 0, squares / divisor, everybody[1])
        return Normal(mean, variance + SMOOTHING)

    def reader(self, bound: BoundMechanism | None) -> Reader[Normal]:
        size, span = self.domain.size, self.domain.span
        nodes = np.unique(np.linspace(0, size - 1, _NODES).round().astype(np.int32))
        at = nodes / (size - 1)
        if bound is None:
            places = np.append(np.linspace(0.0, 1.0, size), np.nan)
            powers = np.nan_to_num(np.column_stack((places, places**2)))
            given = np.append(np.ones(size), 0.0)[:, None]
            return _NumbersReader(places, np.hstack((given, powers)), at, powers[nodes])
        law = bound.number_reports(nodes)
        assert law is not None  # noqa: S101 - the domain holds numbers
        # "No answer" is the last report where it is one.
        places = np.append(law.places / span, np.nan)
        return _NumbersReader(
            places, law.scores / [1, span, span**2], at, law.moments / [span, span**2]
        )


@dataclass(frozen=True, slots=True, eq=False)
class _NumbersReader:
    """Reads the moments of numbers off those of their reports.

    Attributes:
        places: The number of each report, from 0 at the lower end to 1 at the upper; the last one
            is NaN.
        table: What each report adds to the number of those who answered, and to the sums of
            reports and of their squares among them, shape (outputs, 3).
        at: Some answers, shape (nodes,).
        moments: Mean and mean square of a report under each of them, shape (nodes, 2).
    """

    places: Floats
    table: Floats
    at: Floats
    moments: Floats

    def seen(self, reports: NDArray[Any]) -> Floats | None:
        return np.asarray(self.places[reports][:, None])

    def learn(self, reports: NDArray[Any], label: LabelScores) -> Normal:
        """The moments of everybody, moved by what each class has more of them."""
        scores, rows = self.table[reports], len(reports)
        first, *others = np.average(scores, axis=0, weights=label.weights)
        answered = max(float(first), 1 / rows)
        reported = np.array(others) / answered
        away = (scores[:, 1:] - reported * scores[:, :1]) / answered
        noise = np.cov(away.T, aweights=label.weights, ddof=0)
        law = _Explained.of(self.at, self.moments, reported, noise / label.effective_rows)
        difference = label.weighted @ away / (rows * label.shares[:, None])
        mean, variance = law.mean, law.variance
        means, variances = np.empty(len(label.shares)), np.empty(len(label.shares))
        for c, (share, spread) in enumerate(zip(_expected(label), label.spread, strict=True)):
            # A variance is expected to differ by as large a part of itself as a mean of a
            # deviation.
            prior = law.prior(share * variance, share * variance**2)
            moved = _best_linear(prior, law.slope, spread * noise, difference[c])
            means[c] = np.clip(mean + moved[0], 0.0, 1.0)
            variances[c] = law.square + moved[1] - means[c] ** 2
        return Normal(means, np.maximum(variances, _LEAST_SHARE * variance) + SMOOTHING)

    def evidence(self, part: Normal, reports: NDArray[Any], shares: Floats) -> Floats:
        """By the regression of the evidence on the mean of a report, over everybody's law."""
        law = part.law(self.at) @ shares
        away = self.moments[:, 0] - law @ self.moments[:, 0]
        slope = (law * away) @ part.centred(self.at) / max(float((law * away) @ away), 1e-12)
        places = self.places[reports]
        moved = places - np.nanmean(places) if np.isfinite(places).any() else places
        return np.asarray(np.nan_to_num(moved)[:, None] * slope)


def counts_of(label: NDArray[np.int64], classes: int, weights: Floats | None = None) -> Floats:
    """Returns how much each record counts in each class, shape (n, classes).

    Args:
        label: The class of each record, shape (n,).
        classes: Number of classes.
        weights: How many records each one counts for, shape (n,); one if None.
    """
    own = one_hot(label, classes)
    return own if weights is None else own * weights[:, None]


def one_hot(codes: NDArray[np.integer], size: int) -> Floats:
    """Returns an indicator for each code, shape (n, size); none for codes outside."""
    return np.asarray(codes[:, None] == np.arange(size), dtype=np.float64)


def _expected(label: LabelScores) -> Floats:
    """Mean square of a class's distance from everybody that is expected, in variances, (classes,).

    A class that lies `EFFECT` from all others lies (1 - pi_c) times as far from everybody.
    """
    return np.asarray((EFFECT * (1 - label.shares)) ** 2)


def _best_linear(prior: Floats, slope: Floats, noise: Floats, observed: Floats) -> Floats:
    """Returns the best linear estimate of t from slope @ t + noise, both covariances known."""
    seen = slope @ prior @ slope.T + noise
    # Reports that are the same of every answer have no variance, and say nothing.
    return np.asarray(prior @ slope.T @ np.linalg.pinv(seen, hermitian=True) @ observed)


@dataclass(frozen=True, slots=True, eq=False)
class _Explained:
    """The moments of all answers that explain those of their reports.

    Attributes:
        mean: Of the answers.
        square: Their mean square.
        slope: Regression of reports and their squares on answers and theirs, shape (2, 2).
    """

    mean: float
    square: float
    slope: Floats

    @property
    def variance(self) -> float:
        """Of the answers, above 0."""
        return max(self.square - self.mean**2, 1e-6)

    def prior(self, mean: float, variance: float) -> Floats:
        """Covariance of a mean and a mean square, from variances of a mean and of a variance."""
        turned = np.array([[1.0, 0.0], [2 * self.mean, 1.0]])
        return np.asarray(turned @ np.diag([mean, variance]) @ turned.T)

    @classmethod
    def of(cls, places: Floats, moments: Floats, reported: Floats, noise: Floats) -> _Explained:
        """Finds them: the likeliest normal law on a lattice, and from there one linear step.

        Answers spread evenly are expected, by a factor of e^3 in the variance: where reports say
        nothing of it, that is what stays.

        Args:
            places: Answers from 0 to 1, shape (nodes,).
            moments: Mean and mean square of a report under each, shape (nodes, 2).
            reported: Mean of the reports and of their squares.
            noise: Covariance of these two.
        """
        weight, answers = _lattice(places.tobytes())
        square = np.trace(noise) * 1e-9 + 1e-12
        away = weight @ moments - reported
        distance = (away @ np.linalg.inv(noise + square * np.eye(2)) * away).sum(axis=1)
        means, squares = (weight @ answers).T
        distance += (np.log(12 * np.maximum(squares - means**2, 1e-9)) / 3) ** 2
        best = int(distance.argmin())
        chosen = weight[best]
        first, seen = chosen @ answers, chosen @ moments
        own = (answers - first) * chosen[:, None]
        slope = (np.linalg.pinv(own.T @ (answers - first)) @ own.T @ (moments - seen)).T
        near = cls(float(first[0]), float(first[1]), slope)
        # The step covers what lies between the points of the lattice.
        step = near.prior(_STEP**2 + near.variance / 4, near.variance**2 / 4)
        moved = first + _best_linear(step, slope, noise, reported - seen)
        mean = float(np.clip(moved[0], 0.0, 1.0))
        return cls(mean, max(float(moved[1]), mean**2 + near.variance / 10), slope)


_STEP = 0.05


@lru_cache(maxsize=64)
def _lattice(nodes: bytes) -> tuple[Floats, Floats]:
    """Returns normal laws on some answers, shape (laws, nodes), and the answers with squares."""
    places = np.frombuffer(nodes)
    means, variances = np.linspace(-0.5, 1.5, 41), np.geomspace(1e-4, 4.0, 28)
    at, variance = (each.reshape(-1, 1) for each in np.meshgrid(means, variances))
    weight = (np.exp(-0.5 * (places - at) ** 2 / variance) + 1e-12) * np.gradient(places)
    return weight / weight.sum(axis=1, keepdims=True), np.column_stack((places, places**2))
