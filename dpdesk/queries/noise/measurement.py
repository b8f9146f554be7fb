"""Noise and its loss as OpenDP has them: measurements, privacy maps, draws.

OpenDP's samplers are exact and its maps round to the safe side. Its numbers are floating point,
so everything that is handed over is rounded to the safe side too, and what comes back is compared
as an exact decimal. OpenDP is imported where it is used: it takes a third of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import inf, nextafter, sqrt
from typing import Any

from dpdesk.errors import MissingPackagesError, ParameterError, from_extra
from dpdesk.queries.noise.kinds import INTEGER_KINDS, NoiseKind
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.queries.texts import T

INTEGER_REACH = 1 << 62
"""Exact answers lie within this of 0: noise stops at 2^63, which a scale below 2^52 never sees."""

FLOAT_REACH = 1 << 53
"""Exact answers that are turned into floating point: up to here every whole number is one."""

SCALE_MAX = float(1 << 52)
"""Largest scale of noise, in steps."""


@lru_cache(maxsize=1)
def opendp_parts() -> tuple[Any, Any, Any, Any, Any]:
    """Returns OpenDP's measurements, domains, metrics, measures and combinators.

    Raises:
        MissingPackagesError: OpenDP is not installed.
    """
    with from_extra("statistics", "Statistics with noise"):
        from opendp import combinators, domains, measurements, measures, metrics, mod

    # Its name for constructors that are proven but whose proofs wait for a second reader.
    mod.enable_features("contrib")
    return measurements, domains, metrics, measures, combinators


def import_ahead() -> None:
    """Imports OpenDP, if it is installed, so that whoever uses it first need not wait."""
    with suppress(MissingPackagesError):
        opendp_parts()


@lru_cache(maxsize=256)
def _measurement(kind: NoiseKind, scale: float) -> Any:
    make, domains, metrics, _, _ = opendp_parts()
    if kind in INTEGER_KINDS:
        domain = domains.vector_domain(domains.atom_domain(T="i64"))
    else:
        domain = domains.vector_domain(domains.atom_domain(T="f64", nan=False))
    if kind == "geometric":
        return make.make_laplace(domain, metrics.l1_distance(T="i64"), scale)
    if kind == "laplace":
        return make.make_laplace(domain, metrics.l1_distance(T="f64"), scale)
    return make.make_gaussian(domain, metrics.l2_distance(T="f64"), scale)


def pure_loss(kind: NoiseKind, sensitivity: Sensitivity, scale: float) -> Decimal:
    """Returns epsilon of discrete Laplace or Laplace noise by OpenDP's map, exactly as it says.

    Args:
        kind: "geometric" or "laplace".
        sensitivity: Of the part.
        scale: In steps.
    """
    distance = sensitivity.l1 if kind == "geometric" else float(sensitivity.l1)
    return Decimal(_measurement(kind, scale).map(distance))


def concentrated_loss(kind: NoiseKind, sensitivity: Sensitivity, scale: float) -> Decimal:
    """Returns rho of (discrete) Gaussian noise by OpenDP's map, exactly as it says."""
    return Decimal(_measurement(kind, scale).map(l2_above(sensitivity)))


def approximate_loss(
    kind: NoiseKind, sensitivity: Sensitivity, scale: float, delta: float
) -> Decimal:
    """Returns epsilon at delta of (discrete) Gaussian noise by OpenDP's maps."""
    *_, combinators = opendp_parts()
    curve = combinators.make_zCDP_to_approxDP(_measurement(kind, scale))
    epsilon, _ = combinators.make_fix_delta(curve, delta).map(l2_above(sensitivity))
    return Decimal(epsilon)


def l2_above(sensitivity: Sensitivity) -> float:
    """Returns the smallest floating-point number that is at least the L2 sensitivity."""
    length = sqrt(sensitivity.l2_square)
    while Fraction(length) ** 2 < sensitivity.l2_square:
        length = nextafter(length, inf)
    return length


def float_below(number: Decimal) -> float:
    """Returns a floating-point number that is at most `number`."""
    nearest = float(number)
    return nearest if Decimal(nearest) <= number else nextafter(nearest, -inf)


def require_reach(values: Sequence[int], kind: NoiseKind) -> None:
    """Refuses exact answers that are too far from 0 for their noise.

    Raises:
        ParameterError: One of them is too far; the message does not state the answer.
    """
    reach = INTEGER_REACH if kind in INTEGER_KINDS else FLOAT_REACH
    if values and (max(values) > reach or min(values) < -reach):
        raise ParameterError(T.OUT_OF_REACH(power=reach.bit_length() - 1))


def add_noise(kind: NoiseKind, scale: float, values: Sequence[int]) -> list[int] | list[float]:
    """Returns the values with independent noise, all in one call.

    Args:
        kind: Any but "staircase".
        scale: In steps.
        values: Exact answers in steps.
    """
    given: Sequence[int] | list[float] = values
    if kind not in INTEGER_KINDS:
        given = [float(value) for value in values]
    noisy: list[int] | list[float] = _measurement(kind, scale)(given)
    return noisy
