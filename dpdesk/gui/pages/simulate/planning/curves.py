"""Margin or power against n: of the design, and of a direct question, answered or denied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log10

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import YesNoDesign
from dpdesk.designs.direct import Direct
from dpdesk.designs.planning import denied_error, plan_of_sample, power
from dpdesk.gui.pages.simulate.planning.outcome import Outcome
from dpdesk.gui.pages.simulate.planning.wanted import TESTS, Wanted
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.mechanisms import normal_quantile

Floats = NDArray[np.float64]

LEAST, MOST = 100, 10**6
_POINTS = 61


@dataclass(frozen=True)
class Curves:
    """Heights in per cent or percentage points at numbers of respondents.

    Attributes:
        respondents: Where the curves are known; no more than the population.
        design: Margin or power of the design.
        direct: The same of a direct question that is answered truthfully.
        denied: z times the typical error of a direct question that carriers deny; empty without.
        of_power: Whether the curves are of power, and not of margins.
        people: Respondents of the plan.
        height: What the design has there.
        most: Right end of the axis.
    """

    respondents: Floats
    design: Floats
    direct: Floats
    denied: Floats
    of_power: bool
    people: int
    height: float
    most: float


def curves_of(scenario: ShareScenario, wanted: Wanted, outcome: Outcome) -> Curves:
    """Returns the curves of a plan that was found."""
    design = outcome.design or scenario.design
    people = outcome.respondents or scenario.respondents
    of_power = wanted.goal in TESTS
    most = float(max(MOST, 10 ** ceil(log10(people))))
    last = most
    if wanted.needs("population") and wanted.population is not None:
        last = min(most, float(wanted.population))
    first = min(float(LEAST), last)
    places = np.unique(np.round(np.geomspace(first, last, _POINTS)))
    height = _power_of if of_power else _margin_of
    own, plain = height(scenario, wanted, design), height(scenario, wanted, Direct())
    denied = np.zeros(0)
    if wanted.denial is not None and not of_power:
        z, share = normal_quantile(wanted.confidence), wanted.denial
        errors = [denied_error(scenario.prevalence, share, int(n), *wanted.sample) for n in places]
        denied = 100 * z * np.array(errors)
    return Curves(
        respondents=places,
        design=np.array([own(int(n)) for n in places]),
        direct=np.array([plain(int(n)) for n in places]),
        denied=denied,
        of_power=of_power,
        people=people,
        height=own(people),
        most=most,
    )


def _margin_of(
    scenario: ShareScenario, wanted: Wanted, design: YesNoDesign
) -> Callable[[int], float]:
    def margin(respondents: int) -> float:
        found = plan_of_sample(
            design,
            scenario.prevalence,
            respondents,
            wanted.confidence,
            *wanted.sample,
        )
        return 100 * found.margin

    return margin


def _power_of(
    scenario: ShareScenario, wanted: Wanted, design: YesNoDesign
) -> Callable[[int], float]:
    def chance(respondents: int) -> float:
        return 100 * power(
            design,
            wanted.against,
            scenario.prevalence,
            respondents,
            wanted.alpha,
            two_sided=wanted.two_sided,
            second=wanted.second_design(design),
        )

    return chance
