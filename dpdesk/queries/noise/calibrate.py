"""From the loss or the error asked for to the scale of the noise, never to the wrong side."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from functools import lru_cache
from math import exp, inf, log, nextafter, sqrt

from dpdesk.composition import zcdp_epsilon
from dpdesk.cost import format_epsilon, parse_epsilon
from dpdesk.errors import CertificateError, ParameterError
from dpdesk.i18n import any_of
from dpdesk.queries.noise.calibrated import CalibratedNoise
from dpdesk.queries.noise.gaussian_loss import gaussian_loss
from dpdesk.queries.noise.kinds import GAUSSIAN_KINDS, NOISE_KINDS, NoiseKind
from dpdesk.queries.noise.measurement import (
    SCALE_MAX,
    concentrated_loss,
    float_below,
    l2_above,
    pure_loss,
)
from dpdesk.queries.noise.staircase import staircase_law
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.queries.texts import T

# A floating-point number has up to 1,075 decimals; the default of 28 would round them off.
_FIFTEEN_DECIMALS = Context(prec=1_100, rounding=ROUND_CEILING)
_FIFTEEN_DIGITS = Context(prec=15, rounding=ROUND_CEILING)
# OpenDP's map from rho to epsilon is itself a search; closer than this is not worth its time.
_CLOSENESS = 1e-7
# Quotient and map are rounded once or twice each.
_TRIALS = 8
DELTA_MIN = Decimal("1e-300")
"""Smallest delta, for the sake of floating point."""

DELTA_MAX = Decimal("0.01")
"""Largest delta; at it, the guarantee may fail for one respondent in a hundred."""


@lru_cache(maxsize=1024)
def calibrate(
    kind: NoiseKind,
    sensitivity: Sensitivity,
    epsilon: Decimal,
    delta: Decimal = Decimal(0),
    size: int = 1,
    moves: tuple[tuple[int, ...], ...] = (),
) -> CalibratedNoise:
    """Returns the least noise of a kind whose loss is at most what was asked for.

    Discrete Laplace and Laplace noise have the scale l1 / epsilon. Gaussian noise has the smallest
    scale whose exact loss at delta is at most epsilon (`gaussian_loss`). Staircase noise has its
    own certified law.

    Args:
        kind: Which noise.
        sensitivity: Of the part, in steps of its grid.
        epsilon: The loss, an exact decimal from 0.0001 to 40.
        delta: For Gaussian kinds, above 0 and at most 0.01; other kinds need none.
        size: Number of coordinates of the part.
        moves: How its numbers can move, of all moves those that no other exceeds in every number;
            if empty, a single number moves by its sensitivity, and several numbers within their
            norms.

    Raises:
        ParameterError: A parameter is outside its bounds, or the noise would be too large.
    """
    if kind not in NOISE_KINDS:
        raise ParameterError(T.UNKNOWN_KIND(kinds=any_of(NOISE_KINDS)))
    epsilon = parse_epsilon(epsilon)
    if size < 1:
        raise ParameterError(T.EMPTY_PART())
    if kind in GAUSSIAN_KINDS:
        known = moves or (((sensitivity.l1,),) if size == 1 else ())
        return _gaussian(kind, sensitivity, epsilon, require_delta(delta), size, known)
    scale = sensitivity.l1 / float(epsilon)
    require_scale(scale)
    if kind == "staircase":
        return _staircase(sensitivity, epsilon, size, scale)
    scale, run = safe_scale(lambda at: pure_loss(kind, sensitivity, at), epsilon, scale)
    return CalibratedNoise(kind, sensitivity, size, scale, epsilon, rounded_up(run))


def calibrate_rho(
    sensitivity: Sensitivity, rho: Decimal, delta: Decimal, size: int = 1
) -> CalibratedNoise:
    """Returns the least discrete Gaussian noise that is rho-zCDP.

    Its scale is l2 / sqrt(2 rho) (Canonne, Kamath & Steinke 2020, Theorem 4).

    Args:
        sensitivity: Of the part, in steps of its grid.
        rho: The loss in zero-concentrated differential privacy, above 0.
        delta: At which its epsilon is stated, above 0 and at most 0.01.
        size: Number of coordinates of the part.

    Raises:
        ParameterError: A parameter is outside its bounds, or the noise would be too large.
    """
    if not rho > 0 or size < 1:
        raise ParameterError(T.EMPTY_PART())
    epsilon = zcdp_epsilon(rho, require_delta(delta))
    scale = l2_above(sensitivity) / sqrt(2 * float(rho))
    require_scale(scale)
    kind: NoiseKind = "discrete_gaussian"
    scale, _ = safe_scale(lambda at: concentrated_loss(kind, sensitivity, at), rho, scale)
    return CalibratedNoise(kind, sensitivity, size, scale, epsilon, epsilon, delta, rho)


def require_delta(delta: Decimal) -> Decimal:
    """Refuses a delta that Gaussian noise cannot have.

    Raises:
        ParameterError: It is not above 0, or above 0.01.
    """
    if not DELTA_MIN <= delta <= DELTA_MAX:
        raise ParameterError(T.DELTA())
    return delta


def _staircase(
    sensitivity: Sensitivity, epsilon: Decimal, size: int, scale: float
) -> CalibratedNoise:
    if size != 1 or sensitivity.l1 != sensitivity.linf:
        raise ParameterError(T.STAIRCASE())
    run = staircase_law(sensitivity.l1, epsilon).certificate(epsilon).epsilon_certified
    return CalibratedNoise("staircase", sensitivity, size, scale, epsilon, run)


def _gaussian(
    kind: NoiseKind,
    sensitivity: Sensitivity,
    epsilon: Decimal,
    delta: Decimal,
    size: int,
    moves: tuple[tuple[int, ...], ...],
) -> CalibratedNoise:
    chance = float_below(delta)

    def loss(scale: float) -> Decimal:
        return gaussian_loss(kind, sensitivity, scale, chance, moves)

    # The loss of real noise depends on the scale over the L2 sensitivity alone: one search serves
    # all parts.
    quotient = _unit_scale(epsilon, chance) * l2_above(sensitivity)
    require_scale(quotient)
    if kind == "gaussian":
        scale, run = safe_scale(loss, epsilon, quotient, growth=_CLOSENESS / 8)
    else:
        scale = _smallest_scale(loss, epsilon, quotient)
        run = loss(scale)
    rho = fifteen_digits_up(concentrated_loss(kind, sensitivity, scale))
    return CalibratedNoise(kind, sensitivity, size, scale, epsilon, rounded_up(run), delta, rho)


@lru_cache(maxsize=256)
def _unit_scale(epsilon: Decimal, delta: float) -> float:
    """Returns the smallest scale, nearly, for an L2 sensitivity of one step."""
    # At rho with rho + 2 sqrt(rho ln(1/delta)) = epsilon the loss is at most epsilon (Bun &
    # Steinke 2016); the exact one allows a smaller scale.
    target, spread = float(epsilon), log(1 / delta)
    root = target / (sqrt(spread + target) + sqrt(spread))
    one = Sensitivity.of_number(1)

    def loss(scale: float) -> Decimal:
        return gaussian_loss("gaussian", one, scale, delta)

    return _smallest_scale(loss, epsilon, 1 / (sqrt(2) * root))


def _smallest_scale(loss: Callable[[float], Decimal], epsilon: Decimal, start: float) -> float:
    """Returns the smallest scale with loss(scale) <= epsilon, nearly.

    Secants on logarithms, on which the loss is nearly a straight line, that aim a little below
    the target; if they leave the bracket of the answer, the bracket is halved instead.
    """
    target, aim = float(epsilon), -_CLOSENESS / 2
    scale, run = start, loss(start)
    while run > epsilon:
        scale *= 1.001
        run = loss(scale)
    most, most_run, least = scale, run, 0.0
    slope = -1.0
    while float(most_run) < target * (1 - _CLOSENESS):
        # A delta above what this noise can disclose at all has loss 0, which has no logarithm.
        height = log(float(run) / target) if run else -1.0
        guess = scale * exp((aim - height) / slope)
        if not least < guess < most:
            guess = sqrt(least * most) if least else most / 2
        found = loss(guess)
        if found and run and found != run:
            slope = min(log(float(found / run)) / log(guess / scale), -0.1)
        scale, run = guess, found
        if run <= epsilon:
            most, most_run = scale, run
        else:
            least = scale
        if most <= least * (1 + 1e-12):
            break
    return most


def require_scale(scale: float) -> None:
    """Refuses noise that is too large.

    Raises:
        ParameterError: It is larger than 2^52 steps.
    """
    if scale > SCALE_MAX:
        raise ParameterError(T.NOISE_TOO_LARGE())


def safe_scale(
    loss: Callable[[float], Decimal],
    epsilon: Decimal,
    quotient: float,
    growth: float = 0.0,
) -> tuple[float, Decimal]:
    """Returns the first scale from a rounded quotient on that keeps epsilon, and its loss.

    Args:
        loss: OpenDP's map at a scale, which rounds up.
        epsilon: The loss asked for.
        quotient: What the scale is but for rounding.
        growth: The part by which each next scale is larger; one last place when 0.

    Raises:
        CertificateError: A few last places are not enough.
    """
    scale = quotient
    for _ in range(_TRIALS):
        if (run := loss(scale)) <= epsilon:
            return scale, run
        scale = nextafter(scale * (1 + growth), inf)
    raise CertificateError(T.OVER_EPSILON(epsilon=format_epsilon(epsilon)))


def rounded_up(run: Decimal) -> Decimal:
    """Returns a loss rounded up at its 15th decimal.

    An epsilon has at most 12 decimals: what is at most an epsilon stays so.
    """
    return run.quantize(Decimal("1e-15"), context=_FIFTEEN_DECIMALS)


def fifteen_digits_up(number: Decimal) -> Decimal:
    """Returns a positive number rounded up at its 15th significant digit."""
    return _FIFTEEN_DIGITS.plus(number)
