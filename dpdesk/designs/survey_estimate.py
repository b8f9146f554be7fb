"""What a survey shows: the share of carriers, its errors and its intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.intervals import normal_quantile

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SurveyEstimate:
    """An unbiased estimate of the share of carriers.

    Attributes:
        estimate: The share as it is; it may be negative or above 1.
        truncated: The share moved between 0 and 1.
        standard_error: Standard error, respondents being a random sample.
        sampling_error: The part that direct questions would have had, at the truncated share.
        privacy_error: The part that the device adds.
        lower, upper: The default interval: Wilson's for the answers, carried over; for several
            groups the normal one.
        conservative: Clopper and Pearson's interval, carried over; None for several groups.
        further: Other quantities that the design estimates, by name, with their standard errors.
    """

    estimate: float
    truncated: float
    standard_error: float
    sampling_error: float
    privacy_error: float
    lower: float
    upper: float
    conservative: tuple[float, float] | None = None
    further: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class SurveyEstimates:
    """Estimates of many surveys of one design, every array of the same shape.

    Attributes:
        estimate: The shares as they are, not truncated.
        standard_error: Their standard errors.
        lower, upper: The default intervals.
    """

    estimate: Floats
    standard_error: Floats
    lower: Floats
    upper: Floats

    @property
    def only(self) -> tuple[float, float, float, float]:
        """The four numbers of a single survey: estimate, error, and the interval's ends."""
        found = (self.estimate, self.standard_error, self.lower, self.upper)
        estimate, error, lower, upper = (float(values.item()) for values in found)
        return estimate, error, lower, upper


def normal_estimates(value: Floats, error: Floats, confidence: float) -> SurveyEstimates:
    """Returns estimates with the normal interval."""
    half = normal_quantile(confidence) * error
    return SurveyEstimates(value, error, value - half, value + half)
