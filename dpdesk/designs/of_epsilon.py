"""From an epsilon to the parameters of a design, where one number decides them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import exp, isfinite, sqrt

from dpdesk.cost import EPSILON_MIN
from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.base import Design
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.examples import example_of
from dpdesk.designs.extended_crosswise import ExtendedCrosswise
from dpdesk.designs.forced import Forced
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.loss import loss_of
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.planning import epsilon_for_margin, plan_of_sample, respondents_for_power
from dpdesk.designs.singh_joarder import SinghJoarder
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

    An unrelated question keeps its innocent share and an anchor its trait; Kuk's design has to
    have one card.
    """
    if isinstance(design, MechanismShare):
        return True
    if isinstance(design, Kuk):
        return design.draws == 1
    if isinstance(design, Unrelated):
        return 0 < design.q < 1
    return isinstance(
        design,
        (
            WarnerDesign,
            Crosswise,
            ExtendedCrosswise,
            AnchoredCrosswise,
            Forced,
            SinghJoarder,
        ),
    )


def at_epsilon(design: Design, epsilon: float) -> Design:
    """Returns a design of the same kind whose epsilon is the given one, or a millionth less.

    Raises:
        ParameterError: The epsilon is too small, or does not decide the parameters.
    """
    if not follows_epsilon(design):
        if not isfinite(loss_of(design.groups).epsilon):
            raise ParameterError(
                f"{type(design).title} has an infinite epsilon: an answer can be a proof.",
                remedy="Choose another design, or plan without an epsilon.",
            )
        raise ParameterError(
            f"{type(design).title} has several parameters, which an epsilon alone does not decide.",
            remedy="Choose them, and look at the epsilon that follows.",
        )
    if isinstance(design, MechanismShare):
        return _mechanism_at(design, epsilon)
    if isinstance(design, Crosswise):
        truth = design_at(WarnerDesign, epsilon).groups[0].law[0][0]
        return Crosswise(p=_on_the_side_of(design.p, truth))
    if isinstance(design, ExtendedCrosswise | AnchoredCrosswise):
        truth = design_at(WarnerDesign, epsilon).groups[0].law[0][0]
        return design.model_copy(update={"p": _on_the_side_of(design.p, truth)})
    if isinstance(design, SinghJoarder):
        return _singh_joarder_at(epsilon)
    if isinstance(design, Unrelated):
        return _unrelated_at(design.q, epsilon)
    return design_at(type(design), epsilon)


def usual_at_epsilon(kind: type[Design], epsilon: float) -> Design:
    """Returns the usual design of a kind at an epsilon; an innocent share is one half.

    Raises:
        ParameterError: The epsilon is too small, or does not decide the parameters.
    """
    if kind in (WarnerDesign, Forced, Unrelated, Kuk):
        return design_at(kind, epsilon)
    return at_epsilon(example_of(kind).design, epsilon)


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
    if not isinstance(design, Unrelated | MechanismShare | AnchoredCrosswise | SinghJoarder):
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


def _on_the_side_of(p: Fraction, truth: Fraction) -> Fraction:
    """A trait that is rare stays rare."""
    return 1 - truth if p < Fraction(1, 2) else truth


def _singh_joarder_at(epsilon: float) -> SinghJoarder:
    """Solves p / (1 - p)^2 = e^epsilon for u = 1 - p, the ratio of the answers no.

    It is always larger than that of the answers yes, p (2 - p) / (1 - p).
    """
    design_at(WarnerDesign, epsilon)
    ratio = exp(min(epsilon, _LARGEST))
    # (1 - u) / u^2 = x; the stable form of the positive root.
    u = 2 / (1 + sqrt(1 + 4 * ratio))
    # Rounded up, so that the ratio stays below e^epsilon.
    return SinghJoarder(p=1 - Fraction(int(_DIGITS * u) + 1, _DIGITS))


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
