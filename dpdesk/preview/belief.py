"""The attacker's view: what one report can make of a belief."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.preview.figures import posterior

Floats = NDArray[np.float64]

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
