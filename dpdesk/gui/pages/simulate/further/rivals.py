"""What a survey of several answers or of numbers is compared with: theory at equal n."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.further.scenarios import FurtherScenario, SeveralScenario
from dpdesk.gui.pages.simulate.further.usual import kind_of, usual_number, usual_several
from dpdesk.gui.pages.simulate.further.words import further_title, tr

DIRECT = "direct"
SEVERAL_RIVALS = (DIRECT, "forced_categories", "grr", "oue")
NUMBER_RIVALS = (DIRECT, "additive", "multiplicative")


@dataclass(frozen=True)
class Rival:
    """A design that is compared with.

    Attributes:
        title: Its name.
        theory: Mean and error of its estimate, in per cent or in the answers' unit.
    """

    title: str
    theory: EstimatorTheory


def rival_name(word: str) -> str:
    """The name of what can be compared with."""
    if word == DIRECT:
        return tr("Direct question")
    if word in NUMBER_RIVALS:
        return further_title(usual_number(word, 1, 2, 1.0))
    return further_title(usual_several(word, 4, 1.0))


def rivals_of(scenario: FurtherScenario) -> tuple[Rival, ...]:
    """The designs to compare with that can be, at the scenario's epsilon where that is finite."""
    found = []
    for word in scenario.rivals:
        if word == kind_of(scenario.design):
            continue
        try:
            found.append(Rival(rival_name(word), _theory(scenario, word)))
        except DpdeskError:
            # There is no such device for these bounds or these answers: nothing to compare with.
            continue
    return tuple(found)


def _theory(scenario: FurtherScenario, word: str) -> EstimatorTheory:
    if isinstance(scenario, SeveralScenario):
        if word == DIRECT:
            sampling = scenario.request.parts[0]
            return EstimatorTheory(scenario.truth, 100 * sqrt(sampling / scenario.respondents))
        several = usual_several(word, len(scenario.names), scenario.epsilon)
        return scenario.changed(design=several).theory()
    if word == DIRECT:
        return EstimatorTheory(scenario.mean, scenario.deviation / sqrt(scenario.respondents))
    bounds = scenario.design.lower, scenario.design.upper
    return scenario.changed(design=usual_number(word, *bounds, scenario.epsilon)).theory()
