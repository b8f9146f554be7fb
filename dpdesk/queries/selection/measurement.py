"""Noisy maxima and their loss as OpenDP has them."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal

from dpdesk.queries.noise.measurement import opendp_parts

ChoiceMechanism = Literal["permute_and_flip", "exponential"]
"""How an option is chosen; permute-and-flip is never the worse one."""

CHOICE_MECHANISMS: tuple[ChoiceMechanism, ...] = ("permute_and_flip", "exponential")


@lru_cache(maxsize=256)
def choice_measurement(mechanism: ChoiceMechanism, monotonic: bool, k: int, scale: float) -> Any:
    """Returns OpenDP's noisy maximum, or its k largest, of whole scores."""
    make, domains, metrics, measures, _ = opendp_parts()
    scores = domains.vector_domain(domains.atom_domain(T="i64"))
    distance = metrics.linf_distance(T="i64", monotonic=monotonic)
    if mechanism == "permute_and_flip":
        measure = measures.max_divergence()
    else:
        measure = measures.zero_concentrated_divergence()
    if k == 1:
        return make.make_noisy_max(scores, distance, measure, scale)
    return make.make_noisy_top_k(scores, distance, measure, k, scale)


def pure_choice_loss(linf: int, monotonic: bool, k: int, scale: float) -> Decimal:
    """Returns the pure epsilon by OpenDP's map of permute-and-flip.

    That map is k times the range over the scale. It holds for the exponential mechanism of the
    same scale too (McSherry & Talwar 2007), for which OpenDP itself states rho alone.
    """
    return Decimal(choice_measurement("permute_and_flip", monotonic, k, scale).map(linf))
