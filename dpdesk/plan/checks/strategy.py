"""Checks of a plan's strategy: what it can draw and fake, and how many report each attribute."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.mechanisms import Sampling
from dpdesk.numbers.digits import significant
from dpdesk.plan.checks.texts import T
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem

FEW_REPORTS = 30
"""Fewer expected reports of an attribute than this give a warning."""


# With at most half an attribute expected without a report, three of five draws cover all of them.
_MOST_LEFT_OUT = 0.5


def check_strategy(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of a plan's strategy, by itself and for each protected column."""
    if plan.strategy != "spl" and len(plan.protected) == 1:
        yield Problem("strategy", "warning", T.NOTHING_TO_SAMPLE())
    sampling = plan.sampling
    for column in plan.protected:
        yield from _check_blanks(plan, column)
        yield from _check_sampled_mechanism(sampling, column)
        yield from _check_expected(sampling, column)


def check_group_size(plan: Plan, rows: int) -> Iterator[Problem]:
    """Yields the problem of too few respondents to report each attribute.

    Of n respondents, none reports a given one of d attributes with chance (1 - 1/d)^n. If that
    is likely for some attribute, hardly any draw covers all of them; otherwise the draw is repeated
    until it does (`AttributeDraw.of_everybody`).
    """
    attributes = len(plan.protected)
    if plan.strategy != "smp" or rows == 0 or not attributes:
        return
    expected = rows / attributes
    left_out = attributes * (1 - 1 / attributes) ** rows
    if left_out >= _MOST_LEFT_OUT:
        said = T.TOO_FEW_REPORTS(
            respondents=rows, variables=attributes, left_out=significant(left_out, 2)
        )
        yield Problem("strategy", "error", said)
    elif expected < FEW_REPORTS:
        yield Problem("strategy", "warning", T.FEW_REPORTS(expected=round(expected)))


def check_options(plan: Plan) -> Iterator[Problem]:
    """Yields the problem of too few respondents to report each option of a question."""
    rows = plan.judged_respondents or 0
    for column in plan.protected:
        # The kind first: of ten thousand columns hardly any has options.
        if column.kind != "several":
            continue
        mechanism, domain = column.mechanism, column.effective_domain
        if mechanism is None or domain is None or mechanism.objection(domain) is not None:
            continue
        share = mechanism.reported_share(domain)
        expected = rows * share / plan.sampling.groups
        if rows and share < 1 and expected < FEW_REPORTS:
            said = T.FEW_REPORTS__OPTIONS(expected=round(expected), name=column.name)
            yield Problem(f"columns.{column.name}.mechanism", "warning", said)


def _check_blanks(plan: Plan, column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problem of missing answers that stay blank where a strategy cannot leave them.

    A blank would be one of an attribute that was not drawn, or show which one is no fake.
    """
    if plan.strategy != "spl" and column.missing.treatment.stays_blank:
        said = T.BLANKS_NEED_SPL(name=column.name)
        yield Problem(f"columns.{column.name}.missing", "error", said)


def _check_sampled_mechanism(sampling: Sampling, column: ColumnPlan) -> Iterator[Problem]:
    mechanism = column.mechanism
    if mechanism is not None and not sampling.serves(type(mechanism)):
        said = T.CANNOT_BE_FAKED(mechanism=mechanism.short, name=column.name)
        yield Problem(f"columns.{column.name}.mechanism", "error", said)


def _check_expected(sampling: Sampling, column: ColumnPlan) -> Iterator[Problem]:
    realistic = sampling.strategy == "rsrfd"
    domain = column.effective_domain
    if domain is None or not domain.picks_one:
        return
    name, path = column.name, f"columns.{column.name}.expected"
    if not column.expected:
        if realistic:
            yield Problem(path, "error", T.NO_EXPECTED(name=name))
    elif not column.expected_shares:
        said = T.EXPECTED_MISFIT(name=name, weights=len(column.expected), categories=domain.size)
        yield Problem(path, "error" if realistic else "warning", said)
    elif realistic and not all(column.expected):
        # A report of it would show that this attribute is the real one.
        yield Problem(path, "error", T.EXPECTED_ZERO(name=name))
