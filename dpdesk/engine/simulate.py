"""Hypothetical outcomes of a survey, from a seeded generator; nothing of it is ever released."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms import Forecast
from dpdesk.mechanisms.bounded_laplace import LaplaceForecast
from dpdesk.mechanisms.duchi import DuchiForecast
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast

Floats = NDArray[np.float64]

RESPONDENTS_MAX = 2**62
"""The generator counts respondents in 64 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class HypotheticalEstimates:
    """Estimates of surveys that were not held.

    Attributes:
        seed: Seed of the generator: the same seed gives the same estimates.
        truth: What every one of them estimates: a share, or a mean from the interval's start.
        estimates: One unbiased estimate per survey, noise and sampling included, shape (draws,).
    """

    seed: int
    truth: float
    estimates: Floats


def simulate_estimates(
    forecast: Forecast, respondents: int, draws: int, seed: int
) -> HypotheticalEstimates:
    """Draws estimates of a share of 1/k, or of the mean of answers spread evenly over the grid.

    Respondents are drawn independently, so that the reports are independent draws from one law
    over a few report values: one multinomial per survey has exactly the law of randomizing each
    respondent, at a cost that does not depend on their number.

    Args:
        forecast: The mechanism on the domain.
        respondents: Number of respondents of each survey.
        draws: Number of surveys.
        seed: Seed of the generator.

    Raises:
        TypeError: The forecast is of a mechanism that this simulation does not know.
    """
    values, chances, truth = report_law(forecast)
    generator = np.random.Generator(np.random.PCG64(seed))
    counts = generator.multinomial(min(respondents, RESPONDENTS_MAX), chances, size=draws)
    return HypotheticalEstimates(seed, truth, counts @ values / respondents)


def report_law(forecast: Forecast) -> tuple[Floats, Floats, float]:
    """Returns what each report adds to the estimate, each report's chance, and the truth.

    The mean of the first under the second is the third: the estimator is unbiased.

    Raises:
        TypeError: The forecast is of a mechanism that this simulation does not know.
    """
    if isinstance(forecast, FrequencyForecast):
        p, q, share = forecast.p, forecast.q, 1 / forecast.size
        supported = share * p + (1 - share) * q
        values = np.array([-q, 1 - q]) / (p - q)
        return values, np.array([1 - supported, supported]), share
    if isinstance(forecast, DuchiForecast):
        reach = forecast.magnitude
        values = forecast.span / 2 * (1 + np.array([-reach, reach]))
        return values, np.array([0.5, 0.5]), forecast.span / 2
    if isinstance(forecast, LaplaceForecast):
        kernel, size = forecast.kernel, forecast.size
        values = forecast.span * kernel.unbiased(np.linspace(0.0, 1.0, size))
        # The kernel is symmetric but for its normalisers: the sum over true answers of r^|x-y|
        # / Z_x is the expectation of 1/Z, put back on the scale of a law.
        normalisers = kernel.normalisers()
        chances = kernel.expected(1 / normalisers) * normalisers / size
        return values, chances / chances.sum(), forecast.span / 2
    raise TypeError(f"no simulation for {type(forecast).__name__}")
