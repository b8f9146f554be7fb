"""From a margin, a power, a belief or odds to epsilon."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, inf, isfinite, log, sqrt

from dpdesk.designs.law import LARGEST_EPSILON
from dpdesk.designs.planning.margin import (
    finite_correction,
    kish_effect,
    plan_of_sample,
    require_share,
    z_of,
)
from dpdesk.designs.planning.power import respondents_for_power
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.errors import ParameterError

_HALVINGS = 60
_LEAST = 0.01


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


def least_epsilon(
    design: YesNoDesign,
    prevalence: float,
    margin: float,
    respondents: int,
    confidence: float = 0.95,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> float:
    """Returns the least epsilon at which a design reaches a margin with so many respondents.

    Raises:
        ParameterError: No epsilon does, or an epsilon does not decide the parameters.
    """
    followed = design.at_epsilon(1.0)
    least = epsilon_for_margin(prevalence, margin, respondents, confidence, population, weights_cv)
    if _is_warners_channel(followed):
        return least

    def reaches(epsilon: float) -> bool:
        found = plan_of_sample(
            design.at_epsilon(epsilon),
            prevalence,
            respondents,
            confidence,
            population,
            weights_cv,
        )
        return found.margin <= margin

    # Others need at least as much as Warner's channel, and their error falls with epsilon.
    return _least_reaching(reaches, least, f"{respondents:,} respondents do not reach this margin")


def least_epsilon_for_power(
    design: YesNoDesign,
    null: float,
    alternative: float,
    wanted: float,
    respondents: int,
    alpha: float = 0.05,
    *,
    two_sided: bool = False,
) -> float:
    """Returns the least epsilon at which a test of so many respondents has a power.

    Args:
        design: The kind of design.
        null: Share of the null hypothesis.
        alternative: The expected share.
        wanted: The power.
        respondents: Number of respondents.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.

    Raises:
        ParameterError: No epsilon does, or an epsilon does not decide the parameters.
    """
    lower = _LEAST
    design.at_epsilon(1.0)

    def reaches(epsilon: float) -> bool:
        found = respondents_for_power(
            design.at_epsilon(epsilon), null, alternative, wanted, alpha, two_sided=two_sided
        )
        return found <= respondents

    if reaches(lower):
        return lower
    return _least_reaching(reaches, lower, f"{respondents:,} respondents do not have this power")


def _is_warners_channel(design: YesNoDesign) -> bool:
    """Whether each answer protects as the other does, which at an epsilon errs least."""
    return len(design.groups) == len(design.asked) and all(
        len(group.answers) == 2 and group.law[0][0] == group.law[1][1] for group in design.groups
    )


def _least_reaching(reaches: Callable[[float], bool], lower: float, failure: str) -> float:
    """Bisection from the safe side: what is returned reaches."""
    upper = LARGEST_EPSILON
    if not reaches(upper):
        raise ParameterError(
            f"{failure} with this design.", remedy="Ask for less, or ask more people."
        )
    for _ in range(_HALVINGS):
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if reaches(middle) else (middle, upper)
    return upper
