"""Hypothetical outcomes of a survey, from a seeded generator; nothing of it is ever released."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms import Forecast

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
    """
    values, chances, truth = forecast.report_law()
    generator = np.random.Generator(np.random.PCG64(seed))
    counts = generator.multinomial(min(respondents, RESPONDENTS_MAX), chances, size=draws)
    return HypotheticalEstimates(seed, truth, counts @ values / respondents)
