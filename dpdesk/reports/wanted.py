"""The analyses of several columns that a plan names, and what they are worth, for the report."""

from __future__ import annotations

from math import sqrt

import numpy as np

from dpdesk.domains import NumericDomain
from dpdesk.errors import ParameterError
from dpdesk.estimation.released import Released, ReleasedAttribute
from dpdesk.mechanisms.estimates import Answers
from dpdesk.plan.column import Counted
from dpdesk.plan.joint_errors import WantedAnalysis, wanted_analysis
from dpdesk.plan.model import Plan
from dpdesk.plan.verdicts import Verdict
from dpdesk.reports.parameters import judged_domain
from dpdesk.reports.section import Section
from dpdesk.reports.texts import T


class AnalysisFacts(Section):
    """One analysis that the plan names."""

    analysis: str
    """As the plan names it, such as "education x sex"."""
    estimates: str
    """What it estimates, in words; empty where it cannot be had."""
    error_95: float | None
    """95 % error to expect, noise and sampling together: the largest over its estimates."""
    error_95_without_protection: float | None
    """The same if nothing were protected."""
    unit: str
    """"pp", or the unit of a mean or slope; may be empty."""
    usefulness: Verdict | None
    """What it is worth; null where it cannot be had."""
    reason: str
    """Why, as a sentence; or why it cannot be had, and what can."""


def analyses(released: Released) -> tuple[AnalysisFacts, ...]:
    """Returns the analyses of a release's plan, judged by what was released."""
    plan = judged_plan(released)
    return tuple(_facts(_wanted(plan, text)) for text in plan.analyses)


def judged_plan(released: Released) -> Plan:
    """Returns the plan with the records, weights, missing answers and shares of its release.

    A check of the file counts the same; here they are as the release tells them.
    """
    plan, rows = released.plan, max(released.rows, 1)
    place_of = {column.name: place for place, column in enumerate(plan.columns)}
    changed = {}
    for attribute in released.attributes:
        tally, column = attribute.tally, attribute.column
        if not tally.reports:
            continue
        missing = judged_domain(attribute).missing_share
        if column.missing.treatment.stays_blank:
            missing = max(0.0, 1 - plan.sampling.groups * tally.reports / rows)
        answers = _released_answers(attribute, 1 - missing)
        counted = Counted(round(missing, 4), tally.effective_reports / tally.reports, answers)
        changed[place_of[column.name]] = column.with_counts(counted)
    return plan.with_changed(changed).with_rows(rows)


def _released_answers(attribute: ReleasedAttribute, answered: float) -> Answers | None:
    """The answers as the release tells them; None of numbers whose spread it does not tell."""
    domain, estimate = attribute.bound.domain, attribute.estimate
    if not isinstance(domain, NumericDomain):
        return Answers(tuple(estimate.truncated.tolist()))
    own = attribute.bound.estimate(attribute.tally)
    spread = float(own.sampling_error[0]) * sqrt(own.effective_reports * answered)
    if not spread > 0:
        return None
    # Two numbers of this mean and spread stand for all: noise depends on squares at the most.
    mean = float(own.truncated[0])
    codes = domain.nearest(np.array([mean - spread, mean + spread]))
    return Answers((0.5, 0.5), tuple(codes.tolist()), mean, spread)


def _wanted(plan: Plan, text: str) -> WantedAnalysis:
    """What an analysis is worth; the release is charged by now, so that nothing may end it here."""
    try:
        return wanted_analysis(plan, text)
    except Exception as error:  # noqa: BLE001 - what an unforeseen error is, nobody can list
        refusal = ParameterError(T.ERROR_UNKNOWN(kind=type(error).__name__))
        return WantedAnalysis(text, None, refusal)


def _facts(wanted: WantedAnalysis) -> AnalysisFacts:
    found = None if wanted.error is None else wanted.error.usefulness
    return AnalysisFacts(
        analysis=wanted.text,
        estimates="" if found is None else found.what,
        error_95=None if wanted.error is None else wanted.error.error_95,
        error_95_without_protection=None if wanted.error is None else wanted.error.unprotected,
        unit="" if found is None else found.unit,
        usefulness=None if found is None else found.verdict,
        reason=str(wanted.refusal) if found is None else found.reason,
    )
