"""What a report costs beside its error: bits to send, and what an analyst gives up."""

from __future__ import annotations

from math import log2

import numpy as np

from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, Forecast, Mechanism
from dpdesk.mechanisms.mean import MeanForecast

WIDE_TABLE = N_("One column per category; several can be 1.")
NO_CATEGORY = N_("Reports name no category.")
PARTS = N_("Only the estimator can read a report.")
BEYOND_RANGE = N_("Reports leave the range.")
PLAIN_AVERAGE = N_("The plain average is biased.")


def report_bits(mechanism: Mechanism, domain: AnyDomain) -> float:
    """Returns the size of one report in bits, as its form writes it.

    For a symbol or whole numbers it is the logarithm of how many reports there can be; a report
    of bits counts all of them, although some sets of bits may never occur.

    Args:
        mechanism: A mechanism that fits the domain.
        domain: The attribute's public domain.
    """
    forecast = mechanism.forecast(domain)
    if forecast.form == "bits":
        return float(forecast.outputs)
    if mechanism.form == "bits":
        return float(len(mechanism.released_names("", domain)))
    if mechanism.form == "symbol" and forecast.form == "symbol":
        return log2(forecast.outputs)
    bound = mechanism.bind(domain)
    return sum(map(log2, bound.limits or (len(bound.outputs),)))


def losses(mechanism: Mechanism, domain: AnyDomain) -> tuple[str, ...]:
    """Returns what an analyst gives up against reports that look like answers, as sentences.

    Args:
        mechanism: A mechanism that fits the domain.
        domain: The attribute's public domain.
    """
    forecast, lost = mechanism.forecast(domain), []
    if mechanism.form == "bits":
        lost.append(WIDE_TABLE)
    elif mechanism.form == "integers":
        lost.append(PARTS)
    elif forecast.form == "support":
        lost.append(NO_CATEGORY)
    if forecast.quantity == "mean" and forecast.positions is not None:
        lost += _losses_of_numbers(forecast, domain)
    return tuple(lost)


def _losses_of_numbers(forecast: Forecast, domain: AnyDomain) -> list[str]:
    positions = forecast.positions
    assert positions is not None  # noqa: S101 - reports of numbers are numbers
    span = domain.span  # type: ignore[union-attr]  # numbers have a span
    slack = 1e-9 * span
    lost = []
    if positions.min() < -slack or positions.max() > span + slack:
        lost.append(BEYOND_RANGE)
    worth = forecast.worth if isinstance(forecast, MeanForecast) else forecast.report_law()[0]
    if worth.shape != positions.shape or np.abs(worth - positions).max() > slack:
        lost.append(PLAIN_AVERAGE)
    return lost
