"""The figures of an attribute (error, sample, belief, truth), and the attacker's view.

The attacker's view is how far one report can move a belief.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp

import numpy as np

from dpdesk.mechanisms import Forecast
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import bounded_error_text
from dpdesk.plan.usefulness import half_range
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest, Z

PRIOR = 0.5
"""The belief that "how far can a report move it" starts from: nobody knows either way."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The effect of a mechanism on one estimate and on one respondent.

    Attributes:
        error: Half-width of the 95 % interval, noise and sampling, in `unit`.
        noise: The same for noise alone.
        sampling: The same for drawing the respondents alone: the error without protection.
        unit: "pp" or the attribute's unit.
        half_range: Half the width of all that can be estimated, in `unit`.
        factor: Sample needed for the same error, against no protection.
        posterior: The highest belief that a report can produce from a prior of 50 %; if reports may
            be fake, for somebody who knows that this one is real.
        truthful: Share of reports that tell the truth; None if a report is not an answer.
        bits: Number of bits of a report; 0 where a report is a symbol.
        other_bit: Chance that a bit of another category is set, for bits; else 0.
        of_options: Whether an answer is a set of options, of which a report tells some.
    """

    error: float
    noise: float
    sampling: float
    unit: str
    half_range: float
    factor: float
    posterior: float
    truthful: float | None
    bits: int
    other_bit: float
    of_options: bool = False

    @property
    def told(self) -> str:
        """The error in print, in a few signs; one beyond what is possible as more than that."""
        return bounded_error_text(self.error, self.unit, self.half_range, "> ")


@lru_cache(maxsize=CACHED_VIEWS)
def figures(request: PreviewRequest) -> Figures:
    """Returns the figures of a request, for the mean or for a share: 1/k, or the expected ones."""
    forecast = request.forecast
    accuracy = request.accuracy
    width = Z * request.scale
    bits = forecast.form == "bits"
    return Figures(
        error=width * accuracy.total,
        noise=width * accuracy.noise,
        sampling=width * accuracy.sampling,
        unit=request.unit,
        half_range=half_range(request.domain),
        factor=(accuracy.total / accuracy.sampling) ** 2,
        posterior=posterior(PRIOR, float(request.mechanism.epsilon)),
        truthful=forecast.truthful,
        bits=forecast.outputs if bits else 0,
        other_bit=_other_bit(forecast) if bits else 0.0,
        of_options=request.domain.is_set,
    )


def posterior(prior: float, epsilon: float) -> float:
    """Returns the most that one report can make of a belief: pi E / (pi E + 1 - pi)."""
    odds_against = (1 - prior) / prior
    return 1 / (1 + odds_against * exp(-epsilon))


def _other_bit(forecast: Forecast) -> float:
    return float(forecast.probabilities(0)[1])


_PRIORS = np.linspace(0.0, 1.0, 201)


@dataclass(frozen=True, slots=True, eq=False)
class BeliefView:
    """Beliefs before and after the most telling report.

    Attributes:
        priors: Beliefs before, from 0 to 1.
        highest, lowest: The most and the least that a report can make of them.
        prior: The belief that is looked at.
        raised, lowered: What it can become.
        dots_before, dots_after: The same belief as so many of 100 dots.
    """

    priors: Floats
    highest: Floats
    lowest: Floats
    prior: float
    raised: float
    lowered: float
    dots_before: int
    dots_after: int


@lru_cache(maxsize=256)
def belief_view(epsilon: float, prior: float) -> BeliefView:
    """Returns how far a report can move beliefs (bounds that hold for any mechanism and prior).

    Args:
        epsilon: The epsilon of the attribute.
        prior: The belief that is looked at, above 0 and below 1.
    """
    growth = np.exp(epsilon)
    with np.errstate(divide="ignore"):
        odds = _PRIORS / (1 - _PRIORS)
    raised, lowered = posterior(prior, epsilon), posterior(prior, -epsilon)
    return BeliefView(
        priors=_PRIORS,
        highest=_of_odds(odds * growth),
        lowest=_of_odds(odds / growth),
        prior=prior,
        raised=raised,
        lowered=lowered,
        dots_before=round(100 * prior),
        dots_after=round(100 * raised),
    )


def _of_odds(odds: Floats) -> Floats:
    return np.asarray(np.where(np.isinf(odds), 1.0, odds / (1 + np.where(np.isinf(odds), 0, odds))))
