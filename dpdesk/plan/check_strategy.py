"""Checks of how the attributes of a plan share a respondent's report."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.domains import Categorical
from dpdesk.mechanisms import Sampling
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem

STRATEGY_SHORT = {"spl": "SPL", "smp": "SMP", "rsfd": "RS+FD", "rsrfd": "RS+RFD"}
"""Strategies as the literature writes them."""

FEW_REPORTS = 30
"""Fewer expected reports of an attribute than this are worth a warning."""


# Up to half an attribute without a report, at least three of five draws serve all of them.
_MOST_LEFT_OUT = 0.5


def check_strategy(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of a plan's strategy, by itself and for each protected column."""
    short = STRATEGY_SHORT[plan.strategy]
    if plan.strategy != "spl" and len(plan.protected) == 1:
        yield Problem(
            "strategy",
            "warning",
            "nothing_to_sample",
            f"{short} draws one of several attributes, and only one is protected.",
            "Protect more attributes, or report every attribute.",
        )
    sampling = plan.sampling
    for column in plan.protected:
        yield from _check_mechanism(sampling, column)
        yield from _check_expected(sampling, column)


def check_group_size(plan: Plan, rows: int) -> Iterator[Problem]:
    """Yields the problem of too few respondents to report each attribute.

    Of n respondents, nobody reports one of d attributes with chance (1 - 1/d)^n. Where that is to
    be expected of some attribute, no draw serves all of them; else it can be made anew
    (`AttributeDraw.of_everybody`).
    """
    attributes = len(plan.protected)
    if plan.strategy != "smp" or rows == 0 or not attributes:
        return
    expected = rows / attributes
    left_out = attributes * (1 - 1 / attributes) ** rows
    if left_out >= _MOST_LEFT_OUT:
        yield Problem(
            "strategy",
            "error",
            "too_few_reports",
            f"{rows:,} respondents are too few for {attributes:,} attributes: about "
            f"{left_out:,.1f} of these would be reported by nobody.",
            "Protect fewer attributes, or report every attribute.",
        )
    elif expected < FEW_REPORTS:
        yield Problem(
            "strategy",
            "warning",
            "few_reports",
            f"About {expected:.0f} respondents will report each attribute.",
            "Protect fewer attributes, or report every attribute.",
        )


def _check_mechanism(sampling: Sampling, column: ColumnPlan) -> Iterator[Problem]:
    mechanism = column.mechanism
    if mechanism is None or sampling.serves(type(mechanism)):
        return
    numbers = column.effective_domain is not None and not isinstance(
        column.effective_domain, Categorical
    )
    yield Problem(
        f"columns.{column.name}.mechanism",
        "error",
        "cannot_be_faked",
        f"{STRATEGY_SHORT[sampling.strategy]} cannot use {mechanism.short} for {column.name}: its "
        "reports cannot be faked.",
        "Drop the column, or choose SMP or SPL as the strategy."
        if numbers
        else "Choose GRR, SUE or OUE for it, or SMP or SPL as the strategy.",
    )


def _check_expected(sampling: Sampling, column: ColumnPlan) -> Iterator[Problem]:
    realistic = sampling.strategy == "rsrfd"
    domain = column.effective_domain
    if not isinstance(domain, Categorical):
        return
    path = f"columns.{column.name}.expected"
    if not column.expected:
        if realistic:
            yield Problem(
                path,
                "error",
                "no_expected",
                f"RS+RFD fakes answers by their expected distribution, and {column.name} has none.",
                "Declare how its answers are expected to be distributed, or choose RS+FD.",
            )
    elif not column.expected_shares:
        wrong = (
            "is nothing but zeros"
            if len(column.expected) == domain.size
            else f"has {len(column.expected):,} weights for {domain.size:,} categories"
        )
        yield Problem(
            path,
            "error" if realistic else "warning",
            "expected_misfit",
            f"The expected distribution of {column.name} {wrong}"
            f"{'.' if realistic else ', so that it is not used.'}",
            "Give one weight for each category, in the order of the domain, and one above 0.",
        )
    elif realistic and not all(column.expected):
        yield Problem(
            path,
            "error",
            "expected_zero",
            f"A category of {column.name} is expected with weight 0: it would never be faked, so "
            "that a report of it would show that this attribute is the real one.",
            "Give every category a weight above 0.",
        )
