"""From a margin, a belief or odds to epsilon."""

from __future__ import annotations

from math import exp, inf, isfinite, log, sqrt

from dpdesk.designs.planning.margin import finite_correction, kish_effect, require_share, z_of
from dpdesk.errors import ParameterError


def epsilon_for_margin(
    prevalence: float,
    margin: float,
    respondents: int,
    confidence: float = 0.95,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> float:
    """Returns the least epsilon at which n respondents reach a margin, by Warner's design.

    Among all designs of finite epsilon Warner's has the least variance: V_R = x / (x - 1)^2 with
    x = e^epsilon, so that epsilon = ln[(2v + 1 + sqrt(4v + 1)) / (2v)] with v = n (margin / z)^2 -
    pi (1 - pi), whose last term has the finite correction in a population of N, and whose first is
    divided by Kish's design effect where respondents are weighted.

    Raises:
        ParameterError: Even direct questions would not reach the margin.
    """
    sampling = require_share(prevalence, "expected share") * (1 - prevalence)
    effect = kish_effect(weights_cv, population)
    if population is not None:
        sampling *= finite_correction(respondents, population)
    target = (require_share(margin, "margin") / z_of(confidence)) ** 2
    room = respondents * target / effect - sampling
    if room <= 0:
        raise ParameterError(
            f"{respondents:,} respondents do not reach this margin even with direct questions.",
            remedy="Accept a wider margin, or ask more people.",
        )
    return log((2 * room + 1 + sqrt(4 * room + 1)) / (2 * room))


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
        raise ParameterError(
            "The largest belief must lie above the expected share.",
            remedy="Type a larger one: without any answer the belief is the share itself.",
        )
    return log(cap * (1 - prevalence) / ((1 - cap) * prevalence))


def posterior_range(prevalence: float, epsilon: float) -> tuple[float, float]:
    """Returns between what an answer can move the belief that a respondent is a carrier."""
    if epsilon == inf:
        return 0.0, 1.0
    x = exp(epsilon)
    return prevalence / (prevalence + (1 - prevalence) * x), (
        prevalence * x / (1 - prevalence + prevalence * x)
    )


def epsilon_for_odds(odds: float) -> float:
    """Returns the largest epsilon at which no answer changes the odds of being a carrier more.

    Args:
        odds: Largest factor, such as 3 for "at most three times as likely"; epsilon = ln of it.

    Raises:
        ParameterError: The factor is not above 1, or not finite.
    """
    if not (isfinite(odds) and odds > 1):
        raise ParameterError(
            "The largest factor of the odds must lie above 1.", remedy="Type a number such as 3."
        )
    return log(odds)
