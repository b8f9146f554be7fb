"""Do respondents follow the instruction? Tests, where a design allows them."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.designs.inference import chance_beyond
from dpdesk.designs.yes_no import SurveyEstimate
from dpdesk.i18n import N_


@dataclass(frozen=True, slots=True)
class Adherence:
    """A test of the hypothesis that everybody follows the instruction.

    Attributes:
        quantity: What is tested, by the name of `SurveyEstimate.further`.
        title: The same in words.
        value: What was found.
        expected: What it would be.
        standard_error: Its standard error.
        statistic: Distance from what it would be, in standard errors.
        p_value: Chance of one as far or farther, two-sided for a difference, else one-sided.
        freedom: Degrees of freedom of the error, for Student's t; None for the normal law.
    """

    quantity: str
    title: str
    value: float
    expected: float
    standard_error: float
    statistic: float
    p_value: float
    freedom: int | None = None


TESTS = {
    "difference_of_groups": (N_("difference of the groups after recoding"), 0.0, "two-sided"),
    "cheaters": (N_("share who say no whatever the device orders"), 0.0, "above"),
    "attentive": (N_("share who attend"), 1.0, "below"),
    "truthful_carriers": (N_("share of carriers who tell the truth"), 1.0, "below"),
}
"""Words, expected value and side of each quantity that can be tested."""


def adherence_of(found: SurveyEstimate) -> Adherence | None:
    """Returns the test that a design allows, by the normal law; None where it has none.

    Args:
        found: Its estimate.
    """
    quantity = next((name for name in found.further if name in TESTS), None)
    if quantity is None:
        return None
    return adherence_from(quantity, *found.further[quantity])


def adherence_from(
    quantity: str, value: float, error: float, freedom: int | None = None
) -> Adherence | None:
    """Returns the test of a quantity; None without an error.

    Args:
        quantity: Its name in `TESTS`.
        value: What was found.
        error: Its standard error.
        freedom: Degrees of freedom of the error, for Student's t; None for the normal law.
    """
    title, expected, side = TESTS[quantity]
    if error == 0 or freedom == 0:
        return None
    statistic = (value - expected) / error
    if side == "two-sided":
        chance = 2 * chance_beyond(abs(statistic), freedom)
    else:
        chance = chance_beyond(statistic if side == "above" else -statistic, freedom)
    return Adherence(quantity, title, value, expected, error, statistic, chance, freedom)
