"""From the loss asked for to the scale of a choice, never to the wrong side."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache

from dpdesk.cost import parse_epsilon
from dpdesk.errors import ParameterError
from dpdesk.queries.noise.calibrate import fifteen_digits_up, rounded_up, safe_scale
from dpdesk.queries.noise.measurement import SCALE_MAX
from dpdesk.queries.selection.choice import OPTIONS_MAX, CalibratedChoice
from dpdesk.queries.selection.measurement import (
    CHOICE_MECHANISMS,
    ChoiceMechanism,
    choice_measurement,
    pure_choice_loss,
)
from dpdesk.queries.sensitivity import SENSITIVITY_MAX


@lru_cache(maxsize=512)
def calibrate_choice(
    linf: int,
    monotonic: bool,
    epsilon: Decimal,
    options: int,
    k: int = 1,
    mechanism: ChoiceMechanism = "permute_and_flip",
) -> CalibratedChoice:
    """Returns the sharpest choice whose loss is at most epsilon.

    The loss of choosing once is the range by which one respondent can change differences of
    scores, over the scale: linf if all scores move in the same direction, otherwise twice that.
    Choosing k one after the other has k times that loss.

    Args:
        linf: How far one respondent moves any score, a whole number of at least 1.
        monotonic: Whether all scores move in the same direction.
        epsilon: The loss, an exact decimal from 0.0001 to 40.
        options: Number of options, declared without a look at the data.
        k: How many are chosen.
        mechanism: How each is chosen.

    Raises:
        ParameterError: A parameter is outside its bounds, or the noise would be too large.
    """
    epsilon = parse_epsilon(epsilon)
    if not 1 <= options <= OPTIONS_MAX:
        raise ParameterError(f"A choice is among at most {OPTIONS_MAX:,} options.")
    if not 1 <= k <= options:
        raise ParameterError(
            "A choice cannot take more options than there are.", remedy="Choose a smaller k."
        )
    if mechanism not in CHOICE_MECHANISMS:
        raise ParameterError(
            "There is no choice of this kind.",
            remedy=f"Choose one of {', '.join(CHOICE_MECHANISMS)}.",
        )
    if not 1 <= linf <= SENSITIVITY_MAX // 2:
        raise ParameterError("A sensitivity is a whole number from 1 to 2^52.")
    scale = k * (linf if monotonic else 2 * linf) / float(epsilon)
    if scale > SCALE_MAX:
        raise ParameterError(
            "The noise would be larger than 2^52 grid steps.",
            remedy="Choose a larger epsilon, a coarser grid or closer bounds.",
        )
    scale, run = safe_scale(lambda at: pure_choice_loss(linf, monotonic, k, at), epsilon, scale)
    rho = None
    if mechanism == "exponential":
        loss = choice_measurement(mechanism, monotonic, k, scale).map(linf)
        rho = fifteen_digits_up(Decimal(loss))
    return CalibratedChoice(
        linf, monotonic, options, k, mechanism, scale, epsilon, rounded_up(run), rho
    )
