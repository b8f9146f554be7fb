"""From an epsilon to the parameters of a design, where one number decides them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import exp

from dpdesk.cost import EPSILON_MIN
from dpdesk.designs.base import Design
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.forced import Forced
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.planning import epsilon_for_margin, plan_of_sample, respondents_for_power
from dpdesk.designs.suggest import design_at
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError

_DIGITS = 10**6
_HALVINGS = 60
_LARGEST = 12.0
_LEAST = 0.01


def follows_epsilon(design: Design) -> bool:
    """Returns whether an epsilon decides the parameters of a design.

    An unrelated question keeps its innocent share; Kuk's design has to have one card.
    """
    if isinstance(design, MechanismShare):
        return True
    if isinstance(design, Kuk):
        return design.draws == 1
    if isinstance(design, Unrelated):
        return 0 < design.q < 1
    return isinstance(design, (WarnerDesign, Crosswise, Forced))


def at_epsilon(design: Design, epsilon: float) -> Design:
    """Returns a design of the same kind whose epsilon is the given one, or a millionth less.

    Raises:
        ParameterError: The epsilon is too small, or does not decide the parameters.
    """
    if not follows_epsilon(design):
        raise ParameterError(
            f"{type(design).title} has several parameters, which an epsilon alone does not decide.",
            remedy="Choose them, and look at the epsilon that follows.",
        )
    if isinstance(design, MechanismShare):
        return _mechanism_at(design, epsilon)
    if isinstance(design, Crosswise):
        truth = design_at(WarnerDesign, epsilon).groups[0].law[0][0]
        return Crosswise(p=1 - truth if design.p < Fraction(1, 2) else truth)
    if isinstance(design, Unrelated):
        return _unrelated_at(design.q, epsilon)
    return design_at(type(design), epsilon)


def least_epsilon(
    design: Design,
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
    at_epsilon(design, 1.0)
    least = epsilon_for_margin(prevalence, margin, respondents, confidence, population, weights_cv)
    if not isinstance(design, Unrelated | MechanismShare):
        return least

    def reaches(epsilon: float) -> bool:
        found = plan_of_sample(
            at_epsilon(design, epsilon),
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
    design: Design,
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
    at_epsilon(design, 1.0)

    def reaches(epsilon: float) -> bool:
        found = respondents_for_power(
            at_epsilon(design, epsilon), null, alternative, wanted, alpha, two_sided=two_sided
        )
        return found <= respondents

    if reaches(lower):
        return lower
    return _least_reaching(reaches, lower, f"{respondents:,} respondents do not have this power")


def _least_reaching(reaches: Callable[[float], bool], lower: float, failure: str) -> float:
    """Bisection from the safe side: what is returned reaches."""
    upper = _LARGEST
    if not reaches(upper):
        raise ParameterError(
            f"{failure} with this design.", remedy="Ask for less, or ask more people."
        )
    for _ in range(_HALVINGS):
        middle = (lower + upper) / 2
        lower, upper = (lower, middle) if reaches(middle) else (middle, upper)
    return upper


def _mechanism_at(design: MechanismShare, epsilon: float) -> MechanismShare:
    design_at(WarnerDesign, epsilon)
    whole = Decimal(int(min(epsilon, _LARGEST) * _DIGITS)) / _DIGITS
    if whole < EPSILON_MIN:
        raise ParameterError(
            "At this epsilon the answers would tell next to nothing.", remedy="Choose a larger one."
        )
    return design.model_copy(update={"epsilon": whole})


def _unrelated_at(q: Fraction, epsilon: float) -> Unrelated:
    """Solves p / (1 - p) = min(q, 1 - q) (e^epsilon - 1): the rarer answer protects least."""
    design_at(WarnerDesign, epsilon)
    odds = float(min(q, 1 - q)) * (exp(min(epsilon, _LARGEST)) - 1)
    p = Fraction(int(_DIGITS * odds / (1 + odds)), _DIGITS)
    if p == 0:
        raise ParameterError(
            "At this epsilon the answers would tell next to nothing.", remedy="Choose a larger one."
        )
    return Unrelated(p=p, q=q)
