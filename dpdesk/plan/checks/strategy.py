"""Checks of a plan's strategy: what it can draw and fake, and how many report each attribute."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.domains import Categorical
from dpdesk.mechanisms import Sampling
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem

STRATEGY_NAMES = {
    "spl": "every answer of each respondent (SPL)",
    "smp": "one answer per respondent (SMP)",
    "rsfd": "one answer per respondent, the others faked (RS+FD)",
    "rsrfd": "one answer per respondent, the others faked realistically (RS+RFD)",
}
"""Strategies in words, with the name that publications give them."""

_WITHOUT_FAKES = f"as the strategy {STRATEGY_NAMES['smp']} or {STRATEGY_NAMES['spl']}."

FEW_REPORTS = 30
"""Fewer expected reports of an attribute than this give a warning."""


# With at most half an attribute expected without a report, three of five draws cover all of them.
_MOST_LEFT_OUT = 0.5


def check_strategy(plan: Plan) -> Iterator[Problem]:
    """Yields the problems of a plan's strategy, by itself and for each protected column."""
    if plan.strategy != "spl" and len(plan.protected) == 1:
        yield Problem(
            "strategy",
            "warning",
            "nothing_to_sample",
            f"The strategy “{STRATEGY_NAMES[plan.strategy]}” draws one of several attributes, and "
            "only one is protected.",
            "Protect more attributes, or report every attribute.",
        )
    sampling = plan.sampling
    for column in plan.protected:
        yield from _check_blanks(plan, column)
        yield from _check_sampled_mechanism(sampling, column)
        yield from _check_expected(sampling, column)


def check_group_size(plan: Plan, rows: int) -> Iterator[Problem]:
    """Yields the problem of too few respondents to report each attribute.

    Of n respondents, nobody reports a given one of d attributes with chance (1 - 1/d)^n. If that
    is likely for some attribute, hardly any draw covers all of them; otherwise the draw is repeated
    until it does (`AttributeDraw.of_everybody`).
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
            yield Problem(
                f"columns.{column.name}.mechanism",
                "warning",
                "few_reports",
                f"About {expected:.0f} respondents will report each option of {column.name}.",
                "Merge options, or raise epsilon.",
            )


_NO_BLANKS = {
    "smp": "leaves a cell blank where another attribute was drawn, which must not be taken for a "
    "missing answer",
    "rsfd": "hides which attribute of a respondent is real among fakes, and a blank cannot be "
    "faked",
}


def _check_blanks(plan: Plan, column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problem of missing answers that stay blank where a strategy cannot leave them."""
    if plan.strategy == "spl" or not column.missing.treatment.stays_blank:
        return
    reason = _NO_BLANKS["smp" if plan.strategy == "smp" else "rsfd"]
    yield Problem(
        f"columns.{column.name}.missing",
        "error",
        "blanks_need_spl",
        f"Missing answers of {column.name} cannot stay blank: the strategy "
        f"“{STRATEGY_NAMES[plan.strategy]}” {reason}.",
        "Report every attribute, make missing answers a category, or protect them with the number.",
    )


def _check_sampled_mechanism(sampling: Sampling, column: ColumnPlan) -> Iterator[Problem]:
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
        f"The strategy “{STRATEGY_NAMES[sampling.strategy]}” cannot use {mechanism.short} for "
        f"{column.name}: its reports cannot be faked.",
        f"Drop the column, or choose {_WITHOUT_FAKES}"
        if numbers
        else f"Choose GRR, SUE or OUE for it, or {_WITHOUT_FAKES}",
    )


def _check_expected(sampling: Sampling, column: ColumnPlan) -> Iterator[Problem]:
    realistic = sampling.strategy == "rsrfd"
    domain = column.effective_domain
    if domain is None or not domain.picks_one:
        return
    path = f"columns.{column.name}.expected"
    if not column.expected:
        if realistic:
            yield Problem(
                path,
                "error",
                "no_expected",
                "The strategy with realistic fakes (RS+RFD) draws them from the expected "
                f"distribution, and {column.name} has none.",
                "Declare how its answers are expected to be distributed, or choose the strategy "
                "with fakes that are alike (RS+FD).",
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
