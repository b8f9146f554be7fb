"""Epsilon of the designs for several answers and for numbers, and their parameters from it."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, exp, isfinite, log

from dpdesk.designs.additive import Additive
from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.loss import loss_of
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.multiplicative import Multiplicative
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.of_epsilon import at_epsilon
from dpdesk.errors import ParameterError
from dpdesk.numbers import bound_text

FurtherDesign = CategoryDesign | MechanismShare | NumberDesign
"""A design for several answers or for a number."""

_DIGITS = 10**6
_MARGIN = 1e-9
"""How much larger a scale is, so that rounding never takes epsilon above what was asked for."""


def epsilon_of(design: FurtherDesign) -> float:
    """Returns the privacy loss of a design; infinite where an answer can rule true answers out."""
    if isinstance(design, NumberDesign):
        return design.loss.epsilon
    return loss_of(design.groups).epsilon


def epsilon_decides(design: FurtherDesign) -> bool:
    """Returns whether an epsilon decides the device, all else being kept.

    Orders keep their ratios and bounds stay; a matrix has no one number, and devices whose epsilon
    is infinite have none at all.
    """
    if isinstance(design, ForcedCategories):
        return min(design.orders) > 0
    if isinstance(design, Multiplicative):
        return design.noise == "laplace" and 0 < design.lower < design.upper
    if isinstance(design, Additive):
        return design.noise == "laplace"
    return isinstance(design, MechanismShare)


def with_epsilon(design: FurtherDesign, epsilon: float) -> FurtherDesign:
    """Returns a design of the same kind with at most this epsilon, and hardly less.

    Raises:
        ParameterError: The epsilon decides nothing, is not above 0, or is too small for the
            device to have a variance.
    """
    if not epsilon_decides(design):
        raise ParameterError(
            "The parameters of this design do not follow from an epsilon.",
            remedy="Change its parameters, and look at the epsilon that follows.",
        )
    if not (isfinite(epsilon) and epsilon > 0):
        raise ParameterError("Epsilon must be above 0.", remedy="Type a number such as 1.")
    if isinstance(design, MechanismShare):
        found = at_epsilon(design, epsilon)
        assert isinstance(found, MechanismShare)  # noqa: S101 - of the same kind
        return found
    if isinstance(design, ForcedCategories):
        return _orders_at(design, epsilon)
    if isinstance(design, Additive):
        return design.model_copy(update={"scale": design.width / epsilon * (1 + _MARGIN)})
    assert isinstance(design, Multiplicative)  # noqa: S101 - the one that is left
    scale = log(design.upper / design.lower) / epsilon * (1 + _MARGIN)
    if scale >= 0.5:  # no variance, see MultiplyingDesign.drawn
        enough = bound_text(2 * log(design.upper / design.lower), 3)
        raise ParameterError(
            "At this epsilon the multiplier has no variance, so that no number of respondents "
            "would do.",
            remedy=f"Choose an epsilon above {enough}, or bounds whose ratio is smaller.",
        )
    return design.model_copy(update={"scale": scale})


def _orders_at(design: ForcedCategories, epsilon: float) -> ForcedCategories:
    """With t the chance of the truth and r the least part of an order, e^eps = 1 + t/((1-t) r)."""
    ordered = sum(design.orders, Fraction(0))
    least = float(min(design.orders) / ordered)
    gain = (exp(epsilon) - 1) * least
    # Rounded down: less truth is less loss.
    truth = Fraction(int(_DIGITS * gain / (1 + gain)), _DIGITS)
    if truth <= 0:
        raise ParameterError(
            "At this epsilon the answers would tell next to nothing.", remedy="Choose a larger one."
        )
    # Decimals that one can read and type; rounded up, which is less truth and so less loss.
    orders = tuple(
        Fraction(ceil(_DIGITS * (1 - truth) * order / ordered), _DIGITS) for order in design.orders
    )
    if sum(orders) >= 1:
        raise ParameterError(
            "At this epsilon the answers would tell next to nothing.", remedy="Choose a larger one."
        )
    return design.model_copy(update={"orders": orders})
