"""From a margin, a belief or odds to epsilon."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, log, sqrt

from dpdesk.designs.base import Design
from dpdesk.designs.law import LARGEST_EPSILON, require_share
from dpdesk.designs.planning.sample import Sample
from dpdesk.designs.planning.texts import T
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.i18n import Message

_HALVINGS = 50
_LEAST = 1e-6


def least_epsilon(sample: Sample, margin: float) -> float:
    """Returns the least epsilon at which the device of a design reaches a margin.

    The devices are those of `Design.at_epsilon`, whose chances are rounded to the safe side: at
    the epsilon that a formula without rounding gives, the device would miss the margin by a hair.

    Args:
        sample: The sample; of its design only what an epsilon does not decide matters.
        margin: Half-width of the interval, in the unit of what is estimated.

    Raises:
        ParameterError: No epsilon does, or an epsilon does not decide the parameters.
    """
    sample.people.check()
    sample.people.require_margin(margin)
    require_decided(sample.design)
    if sample.direct_margin >= margin:
        raise ParameterError(T.MARGIN_EVEN_DIRECT(respondents=sample.respondents))
    failure = T.TOO_FEW(respondents=sample.respondents)
    return least_reaching(sample.design, lambda d: sample.asked_by(d).margin <= margin, failure)


def least_reaching(design: Design, reaches: Callable[[Design], bool], failure: Message) -> float:
    """Returns the least epsilon at which something holds; at what is returned it does.

    Args:
        design: A design that an epsilon decides.
        reaches: Whether it holds of the design at an epsilon; where it does, it does of larger
            ones as well.
        failure: What is said where no epsilon does.

    Raises:
        ParameterError: No epsilon does, or an epsilon does not decide the parameters.
    """
    require_decided(design)

    def holds(epsilon: float) -> bool:
        try:
            asked = design.at_epsilon(epsilon)
        except DpdeskError:
            # So small an epsilon leaves no device: a larger one is needed.
            return False
        return reaches(asked)

    lower, upper = _LEAST, LARGEST_EPSILON
    if not holds(upper):
        raise ParameterError(failure)
    if holds(lower):
        return lower
    for _ in range(_HALVINGS):
        middle = sqrt(lower * upper)
        lower, upper = (lower, middle) if holds(middle) else (middle, upper)
    return upper


def require_decided(design: Design) -> None:
    """Refuses a design whose parameters an epsilon does not decide.

    Raises:
        ParameterError: It is one.
    """
    if not design.epsilon_decides:
        design.at_epsilon(1.0)


def epsilon_for_posterior(prevalence: float, cap: float) -> float:
    """Returns the largest epsilon at which no answer makes a respondent look like a carrier more.

    epsilon = ln[cap (1 - pi) / ((1 - cap) pi)].

    Args:
        prevalence: What is believed of everybody before an answer.
        cap: The most that may be believed of anybody afterwards.

    Raises:
        ParameterError: The cap does not lie above the share.
    """
    if require_share(cap, "largest belief") <= require_share(prevalence, "expected share"):
        raise ParameterError(T.LOW_BELIEF())
    return log(cap * (1 - prevalence) / ((1 - cap) * prevalence))


def epsilon_for_odds(odds: float) -> float:
    """Returns the largest epsilon at which no answer changes the odds of being a carrier more.

    Args:
        odds: Largest factor, such as 3 for "at most three times as likely"; epsilon = ln of it.

    Raises:
        ParameterError: The factor is not above 1, or not finite.
    """
    if not (isfinite(odds) and odds > 1):
        raise ParameterError(T.LOW_ODDS())
    return log(odds)
