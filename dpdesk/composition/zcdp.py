"""Zero-concentrated differential privacy: one number per release that adds up."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import exp, log, log1p, sqrt

from dpdesk.composition.advanced import DIGITS, mean_loss, rounded_up
from dpdesk.composition.texts import T
from dpdesk.errors import ParameterError

_STEPS = 120
_GOLDEN = (sqrt(5) - 1) / 2
_SPREAD = 20.0
_GUARD = Decimal("1e-50")
_RHO_DIGITS = Decimal("1e-18")


def rho_of_epsilon(epsilon: Decimal) -> Decimal:
    """Returns the rho of any epsilon-private release: epsilon tanh(epsilon / 2), rounded up.

    No release at epsilon is easier to distinguish than randomized response (Kairouz, Oh & Viswanath
    2015), whose divergence of order a, times a - 1, is ln cosh((a - 1/2) epsilon) - ln cosh(epsilon
    / 2). That is concave in (a - 1/2)^2, so it lies below its tangent at a = 1, which is a (a - 1)
    epsilon tanh(epsilon / 2). It is at most epsilon^2 / 2 (Bun & Steinke 2016, Proposition 1.4).
    """
    with localcontext(DIGITS):
        return mean_loss(epsilon) * (1 + _GUARD)


def zcdp_epsilon(rho: Decimal, delta: Decimal) -> Decimal:
    """Returns an epsilon that a rho-zCDP release keeps except with chance delta, rounded up.

    Canonne, Kamath & Steinke 2020, "The Discrete Gaussian for Differential Privacy", Corollary
    13: for every order a > 1 it is a rho + (ln(1/delta) - ln a) / (a - 1) + ln(1 - 1/a). The best
    order is searched; at whatever order the search ends the bound holds.

    Args:
        rho: At least 0.
        delta: Above 0 and below 1.

    Raises:
        ParameterError: A number is outside its bounds.
    """
    if not (rho >= 0 and 0 < delta < 1):
        raise ParameterError(T.NO_SLACK())
    if rho == 0:
        return Decimal(0)
    order = _best_order(float(rho), float(delta.ln()))
    with localcontext(DIGITS):
        a = 1 + Decimal(order)
        bound = a * rho - (delta.ln() + a.ln()) / (a - 1) + (1 - 1 / a).ln()
    return rounded_up(bound)


def rho_within(epsilon: Decimal, delta: Decimal) -> Decimal:
    """Returns the largest rho up to epsilon, nearly, whose `zcdp_epsilon` is at most epsilon.

    Args:
        epsilon: Above 0.
        delta: Above 0 and below 1.

    Raises:
        ParameterError: A number is outside its bounds.
    """
    if not epsilon > 0:
        raise ParameterError(T.NO_EPSILON())
    least, most = Decimal(0), epsilon
    for _ in range(_STEPS):
        middle = ((least + most) / 2).quantize(_RHO_DIGITS)
        if middle in (least, most):
            break
        if zcdp_epsilon(middle, delta) <= epsilon:
            least = middle
        else:
            most = middle
    return least


def _best_order(rho: float, log_delta: float) -> float:
    """Golden section for a - 1 on a logarithmic scale around the order of the simple bound."""

    def bound(position: float) -> float:
        over = exp(position)
        return (1 + over) * rho - (log_delta + log1p(over)) / over - log1p(1 / over)

    middle = 0.5 * log(max(-log_delta, 1e-9) / rho)
    low, high = middle - _SPREAD, middle + _SPREAD
    for _ in range(_STEPS):
        width = _GOLDEN * (high - low)
        left, right = high - width, low + width
        low, high = (low, right) if bound(left) <= bound(right) else (left, high)
    return exp((low + high) / 2)
