"""The parts of naive Bayes: what one attribute says of the class of a record."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from dpdesk.errors import from_extra
from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How a part's log-likelihood, less its mean over the classes, is spread over records.

    Attributes:
        within: Its variance within a class, summed over the classes that it speaks of, on average
            over records.
        between: Its mean in each class less that of everybody, shape (classes, classes).
    """

    within: float
    between: Floats


class Part(ABC):
    """One attribute's part of naive Bayes."""

    @abstractmethod
    def log_likelihood(self, seen: Floats) -> Floats:
        """Returns the log-likelihood of each class but for constants.

        Args:
            seen: What a learner sees of the attribute, shape (n, width); NaN for no answer.

        Returns:
            An array of shape (n, classes); 0 without an answer.
        """

    @abstractmethod
    def evidence(self, shares: Floats) -> Evidence:
        """Returns how much it says, by its own law.

        Args:
            shares: Share of each class.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Normal(Part):
    """Numbers that are normal in each class.

    Attributes:
        mean: Of each class, shape (classes,).
        variance: Alike, above 0.
    """

    mean: Floats
    variance: Floats

    def log_likelihood(self, seen: Floats) -> Floats:
        squares = (seen - self.mean) ** 2 / self.variance
        return np.nan_to_num(-0.5 * (np.log(2 * np.pi * self.variance) + squares))

    def centred(self, places: Floats) -> Floats:
        """Returns the log-density of some numbers less its mean over the classes."""
        each = self.log_likelihood(places[:, None])
        return np.asarray(each - each.mean(axis=1, keepdims=True))

    def law(self, places: Floats) -> Floats:
        """Returns the share of each of some increasing numbers in each class, (n, classes)."""
        squares = (places[:, None] - self.mean) ** 2 / self.variance
        # The nearest number has a share where a class is narrower than the steps between them.
        density = np.exp(-0.5 * (squares - squares.min(axis=0))) * np.gradient(places)[:, None]
        return np.asarray(density / density.sum(axis=0))

    def evidence(self, shares: Floats) -> Evidence:
        grid = np.linspace(0.0, 1.0, 129)
        law, each = self.law(grid), self.centred(grid)
        mean = law.T @ each
        variance = (law.T @ each**2 - mean**2).sum(axis=1)
        return Evidence(float(shares @ variance), mean - shares @ mean)


@dataclass(frozen=True, slots=True, eq=False)
class Shares(Part):
    """Categories or options with a share in each class.

    Attributes:
        shares: Above 0 and below 1, shape (classes, k).
        one: Whether an answer is exactly one of them; else each is ticked by itself.
    """

    shares: Floats
    one: bool

    def log_likelihood(self, seen: Floats) -> Floats:
        ticked = np.nan_to_num(seen) @ np.log(self.shares).T
        if self.one:
            return np.asarray(ticked)
        return np.asarray(ticked + np.nan_to_num(1 - seen) @ np.log1p(-self.shares).T)

    @property
    def slopes(self) -> Floats:
        """What each category or tick adds, less the mean over the classes, shape (k, classes)."""
        each = np.log(self.shares) if self.one else np.log(self.shares) - np.log1p(-self.shares)
        return np.asarray((each - each.mean(axis=0)).T)

    def evidence(self, shares: Floats) -> Evidence:
        slopes = self.slopes
        mean = self.shares @ slopes
        if self.one:
            variance = (self.shares @ slopes**2 - mean**2).sum(axis=1)
        else:
            variance = (self.shares * (1 - self.shares) @ slopes**2).sum(axis=1)
        return Evidence(float(shares @ variance), mean - shares @ mean)


def valid_shares(shares: Floats, variance: Floats, one: bool) -> Floats:
    """Returns the mean of what shares can be, given unbiased estimates with normal errors.

    Args:
        shares: The estimates, shape (..., k).
        variance: Of each, alike.
        one: Whether they sum to 1.
    """
    with from_extra("learning", "Estimates of what is learnt"):
        from scipy.special import log_ndtr

    def above(least: Floats) -> Floats:
        away = least / error
        added = error * np.exp(-(away**2) / 2 - log_ndtr(away)) / sqrt(2 * pi)
        return np.asarray(np.maximum(least + added, 0.0))

    error = np.sqrt(np.maximum(variance, 1e-18))
    valid = above(shares)
    return valid / valid.sum(axis=-1, keepdims=True) if one else np.minimum(valid, 1.0)
