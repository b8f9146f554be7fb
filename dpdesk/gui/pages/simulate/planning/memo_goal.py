"""What is wanted of one question, in the words of the planning memo."""

from __future__ import annotations

from dataclasses import replace

from dpdesk.gui.pages.simulate.planning.goals import found
from dpdesk.gui.pages.simulate.planning.outcome import FieldRefusal
from dpdesk.gui.pages.simulate.planning.wanted import TESTS, Wanted
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.report.survey import MemoRequest


def with_goal(request: MemoRequest, scenario: ShareScenario, wanted: Wanted) -> MemoRequest:
    """Returns a memo with the respondents or the epsilon that were found, and what they rest on.

    A wish that cannot be met leaves the memo as it is: the page says why.
    """
    try:
        outcome = found(scenario, wanted)
    except FieldRefusal:
        return request
    finite = wanted.needs("population")
    tested = wanted.goal in TESTS
    design = request.design
    if outcome.epsilon is not None:
        design = design.at_epsilon(outcome.epsilon)
    return replace(
        request,
        design=design,
        respondents=outcome.respondents or request.respondents,
        confidence=wanted.confidence,
        population=wanted.population if finite else None,
        weights_cv=wanted.weights_cv if finite else 0.0,
        against=wanted.against if tested else None,
        alpha=wanted.alpha,
        two_sided=wanted.two_sided,
        second=wanted.second_design(design) if tested else None,
        denial=wanted.denial,
    )
