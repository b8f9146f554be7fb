"""Designs for a question whose answer is a number: the mean from the mean that was said."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Annotated

import numpy as np
from pydantic import Field

from dpdesk.designs.record import DesignRecord
from dpdesk.designs.survey_estimate import Floats
from dpdesk.errors import InputError, ParameterError
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.intervals import normal_quantile

_LARGEST = 1e12

Real = Annotated[float, Field(allow_inf_nan=False, ge=-_LARGEST, le=_LARGEST), PlainDigits]
"""A number in the unit of the answer."""


@dataclass(frozen=True, slots=True)
class NumberLoss:
    """What an answer betrays.

    Attributes:
        epsilon: Infinite where an answer can be a proof.
        delta: Chance at most that the epsilon, or with an infinite one 0, does not hold; 0 where
            it always holds.
        sentence: Both in words.
    """

    epsilon: float
    delta: float
    sentence: str


@dataclass(frozen=True, slots=True)
class NumberEstimate:
    """An unbiased estimate of the mean of the true answers, in their unit.

    Attributes:
        estimate: The mean.
        standard_error: Its standard error.
        sampling_error: The part that direct questions would have had.
        privacy_error: The part that the device adds.
        lower, upper: Ends of the normal interval.
        spread: Estimated standard deviation of the true answers; 0 where the device hides it.
    """

    estimate: float
    standard_error: float
    sampling_error: float
    privacy_error: float
    lower: float
    upper: float
    spread: float


class NumberDesign(DesignRecord):
    """A design for a number whose true value lies between two bounds that anybody may know."""

    lower: Annotated[Real, Field(description="least true answer possible")]
    upper: Annotated[Real, Field(description="largest true answer possible")]

    @property
    @abstractmethod
    def shift_and_factor(self) -> tuple[float, float]:
        """What is taken from an answer, and what it is then divided by: its unbiased score.

        Raises:
            ParameterError: The parameters make no device.
        """

    @abstractmethod
    def noise_variance(self, mean: float, square: float) -> float:
        """Returns the device's part in the variance of a score.

        Args:
            mean: Mean of the true answers.
            square: Mean of their squares.
        """

    @abstractmethod
    def true_variance(self, mean: float, score_variance: float) -> float:
        """Returns the variance of the true answers; it may come out negative.

        Args:
            mean: Mean of the scores.
            score_variance: Variance of the scores.
        """

    @property
    @abstractmethod
    def loss(self) -> NumberLoss:
        """Epsilon and delta."""

    @property
    def width(self) -> float:
        """The range of the true answers.

        Raises:
            ParameterError: The bounds are not in order.
        """
        if self.lower >= self.upper:
            raise ParameterError(
                "The least true answer is not below the largest.", remedy="Correct the bounds."
            )
        return self.upper - self.lower

    def scores(self, answers: Floats) -> Floats:
        """Returns the unbiased score of each answer, of the same shape."""
        shift, factor = self.shift_and_factor
        return np.asarray((answers - shift) / factor)

    def planned_variance(self, mean: float, variance: float) -> tuple[float, float]:
        """Returns n times the variance of the mean: the sampling's part and the device's.

        Args:
            mean: Mean of the true answers.
            variance: Their variance.
        """
        return variance, self.noise_variance(mean, variance + mean**2)

    def estimate(
        self, mean: float, variance: float, respondents: int, confidence: float = 0.95
    ) -> NumberEstimate:
        """Returns the mean of the true answers.

        Args:
            mean: Mean of what was said.
            variance: Its variance, with n - 1.
            respondents: Number of respondents, n.
            confidence: Coverage of the interval.

        Raises:
            InputError: There are fewer than 2 respondents, or the variance is negative.
        """
        if respondents < 2:  # a variance needs two
            raise InputError(
                "An estimate with an error needs at least 2 respondents.",
                remedy="Correct the number of respondents.",
            )
        if not (abs(mean) <= _LARGEST and 0 <= variance <= _LARGEST**2):
            raise InputError(
                f"The mean must be a number up to {_LARGEST:g}, and the variance one that is not "
                f"negative, up to {_LARGEST**2:g}.",
                remedy="Correct them, or use a larger unit.",
            )
        shift, factor = self.shift_and_factor
        value, spread = (mean - shift) / factor, variance / factor**2
        true = min(max(self.true_variance(value, spread), 0.0), spread)
        error = sqrt(spread / respondents)
        half = normal_quantile(confidence) * error
        return NumberEstimate(
            estimate=value,
            standard_error=error,
            sampling_error=sqrt(true / respondents),
            privacy_error=sqrt((spread - true) / respondents),
            lower=value - half,
            upper=value + half,
            spread=sqrt(true),
        )


def moments(answers: Sequence[float]) -> tuple[float, float]:
    """Returns mean and variance (with n - 1) of answers, as `NumberDesign.estimate` takes them."""
    values = np.array(answers, dtype=np.float64)
    return float(values.mean()), float(values.var(ddof=1))
