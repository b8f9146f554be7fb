"""From the error that is wanted to the loss that it costs."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, parse_epsilon
from dpdesk.errors import ParameterError
from dpdesk.queries.noise.calibrate import calibrate
from dpdesk.queries.noise.calibrated import LAWS
from dpdesk.queries.noise.gaussian_loss import gaussian_loss
from dpdesk.queries.noise.kinds import GAUSSIAN_KINDS, NoiseKind
from dpdesk.queries.noise.measurement import (
    SCALE_MAX,
    float_below,
    pure_loss,
)
from dpdesk.queries.sensitivity import Sensitivity

# Six digits of epsilon are more than anybody plans with; always upwards.
_SIX_DIGITS = Context(prec=6, rounding=ROUND_CEILING)


def accuracy_to_epsilon(
    kind: NoiseKind,
    sensitivity: Sensitivity,
    half_width: float,
    confidence: float = 0.95,
    delta: Decimal = Decimal(0),
) -> Decimal:
    """Returns the least epsilon, to six digits, whose noise stays within an error.

    Args:
        kind: Which noise.
        sensitivity: Of the part, in steps of its grid.
        half_width: The error in steps that the noise of one coordinate may have.
        confidence: How often it is to stay within.
        delta: For Gaussian kinds.

    Returns:
        An epsilon with `calibrate(...).half_width(confidence) <= half_width`.

    Raises:
        ParameterError: The error is negative, or too small for any epsilon up to 40.
    """
    if not half_width >= 0:
        raise ParameterError("An error is at least 0.")

    def within(epsilon: Decimal) -> bool:
        noise = calibrate(kind, sensitivity, epsilon, delta)
        return noise.half_width(confidence) <= half_width

    if not within(EPSILON_MAX):
        raise ParameterError(
            "No epsilon up to 40 keeps the noise within this error.",
            remedy="Allow a larger error or a lower confidence.",
        )
    if kind == "staircase":
        epsilon = _between(sensitivity, half_width, confidence)
    else:
        epsilon = _of_scale(kind, sensitivity, half_width, 1 - confidence, delta)
    while epsilon < EPSILON_MAX and not within(epsilon):
        epsilon = min(_SIX_DIGITS.next_plus(epsilon), EPSILON_MAX)
    # The searches stop a little above the answer, which may lie on the other side of a digit.
    while (lower := _SIX_DIGITS.next_minus(epsilon)) >= EPSILON_MIN and within(lower):
        epsilon = lower
    return parse_epsilon(epsilon)


def _of_scale(
    kind: NoiseKind, sensitivity: Sensitivity, half_width: float, tail: float, delta: Decimal
) -> Decimal:
    """Returns the loss of the largest scale whose tail beyond the error is small enough."""
    law = LAWS[kind]
    least, most = calibrate(kind, sensitivity, EPSILON_MAX, delta).scale, SCALE_MAX
    while most > least * (1 + 1e-9):
        middle = (least * most) ** 0.5
        if law(middle).tail(half_width) <= tail:
            least = middle
        else:
            most = middle
    if kind in GAUSSIAN_KINDS:
        moves = ((sensitivity.l1,),)
        loss = gaussian_loss(kind, sensitivity, least, float_below(delta), moves)
    else:
        loss = pure_loss(kind, sensitivity, least)
    return min(max(_SIX_DIGITS.plus(loss), EPSILON_MIN), EPSILON_MAX)


def _between(sensitivity: Sensitivity, half_width: float, confidence: float) -> Decimal:
    """Returns an epsilon at which staircase noise begins to stay within the error."""
    least, most = sensitivity.l1 / SCALE_MAX, float(EPSILON_MAX)
    least = max(least * (1 + 1e-9), float(EPSILON_MIN))
    while most > least * (1 + 1e-6):
        middle = (least * most) ** 0.5
        noise = calibrate("staircase", sensitivity, _SIX_DIGITS.create_decimal_from_float(middle))
        if noise.half_width(confidence) <= half_width:
            most = middle
        else:
            least = middle
    return min(_SIX_DIGITS.create_decimal_from_float(least), EPSILON_MAX)
