"""Checks of a plan without the data: its columns, mechanisms, budget and strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from math import exp

from dpdesk.cost import format_epsilon
from dpdesk.domains import Categorical, domain_type
from dpdesk.mechanisms import Sampling
from dpdesk.numbers.digits import significant
from dpdesk.plan.check_reading import check_reading
from dpdesk.plan.check_usefulness import check_usefulness
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.declared_routing import check_asked
from dpdesk.plan.losses import total_epsilon
from dpdesk.plan.model import Plan, released_names
from dpdesk.plan.problem import Problem, errors_first

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


def _check_options(plan: Plan) -> Iterator[Problem]:
    """Yields the problem of too few respondents to report each option of a question."""
    rows = plan.respondents or 0
    for column in plan.protected:
        # The kind first: of ten thousand columns hardly any has options.
        if column.kind != "several":
            continue
        mechanism, domain = column.mechanism, column.effective_domain
        if mechanism is None or domain is None or mechanism.objection(domain) is not None:
            continue
        share = mechanism.reported_share(domain)
        expected = rows * share / (plan.sampling.attributes if plan.strategy == "smp" else 1)
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


WEAK_EPSILON = Decimal(8)
"""From this epsilon on a report can move a belief of 1 % beyond 96 %: a warning, not an error."""


LARGE_RATIO = Decimal(1000)
"""From this e^epsilon on all that is released of a respondent hides next to nothing."""


def check_large(epsilon: Decimal, path: str, sentence: str) -> Iterator[Problem]:
    """Yields the warning of an epsilon that is hardly any protection.

    Args:
        epsilon: The loss of all that is released of a respondent.
        path: The place of the budget in the plan.
        sentence: What that means.
    """
    if epsilon > LARGE_RATIO.ln():
        shown = significant(exp(epsilon), 2) if epsilon < _FLOAT_MAX else "beyond 10³⁰⁰"
        yield Problem(
            path,
            "warning",
            "large",
            f"Epsilon {format_epsilon(epsilon)} in all, where e^epsilon is {shown}: {sentence}",
            "Set a smaller budget and split it, or release less of each respondent.",
        )


_FLOAT_MAX = 700


def check(plan: Plan) -> tuple[Problem, ...]:
    """Returns every problem of a plan, errors first, each with its place and remedy."""
    # What makes a release worth nothing goes before other warnings.
    problems = list(check_usefulness(plan))
    problems += [problem for column in plan.columns for problem in _check_column(column)]
    problems += _check_whole(plan)
    return errors_first(problems)


def _check_whole(plan: Plan) -> Iterator[Problem]:
    if not plan.columns:
        yield Problem(
            "columns",
            "error",
            "no_columns",
            "The plan has no columns.",
            "Open a data file or add a question.",
        )
    elif not plan.protected and all(column.role != "unassigned" for column in plan.columns):
        yield Problem(
            "columns",
            "error",
            "nothing_protected",
            "No column is protected.",
            "Protect at least one column, or there is nothing to sanitize.",
        )
    total = total_epsilon(plan)
    if plan.budget is not None and total > plan.budget:
        yield Problem(
            "budget",
            "error",
            "over_budget",
            f"The attributes use epsilon {format_epsilon(total)}, the budget is "
            f"{format_epsilon(plan.budget)}.",
            "Lower an epsilon, split the budget again, or raise the budget.",
        )
    if len(plan.protected) > 1:
        whom = "this hides next to nothing from somebody who compares whole records."
        yield from check_large(total, "budget", whom)
    yield from _check_options(plan)
    if _names_clash(plan):
        yield Problem(
            "columns",
            "error",
            "released_names_clash",
            "Two released columns would have the same name.",
            "Rename a column whose name equals another's name and category joined by =.",
        )
    if sum(column.kind == "weight" for column in plan.kept) > 1:
        yield Problem(
            "columns",
            "error",
            "two_weights",
            "Two columns of weights are kept.",
            "Keep one of them and drop the other.",
        )
    yield from check_reading(plan)
    yield from check_asked(plan)
    yield from check_strategy(plan)


def _names_clash(plan: Plan) -> bool:
    """Returns whether two released columns would have the same name.

    Only an attribute of several columns, such as "name=category", can collide with another's name.
    These are examined only if some name begins like one, since a plan is checked at every step of
    a slider.
    """
    several = tuple(c.name for c in plan.protected if c.mechanism and c.mechanism.form != "symbol")
    released_columns = (c.name for c in plan.columns if c.role in {"keep", "protect"})
    if not any(name.startswith(several) and name not in several for name in released_columns):
        return False
    released = Counter(name for column in plan.columns for name in released_names(column))
    return len(released) < released.total()


def _remedy_of_kept(column: ColumnPlan) -> str:
    """What to do about a column that is released as it is: not all kinds can be protected."""
    if domain_type(column.kind) is not None:
        return "Protect or drop it unless everybody may know it."
    if column.kind == "weight":
        return (
            "Weights tell what they were computed from, such as region, sex and age. Drop it "
            "unless everybody may know that."
        )
    return "Drop it unless everybody may know it."


@lru_cache(maxsize=20_000)
def _check_column(column: ColumnPlan) -> tuple[Problem, ...]:
    return tuple(_column_problems(column))


def _column_problems(column: ColumnPlan) -> Iterator[Problem]:
    def problem(
        field: str, severity: str, code: str, message: str, remedy: str, several: str = ""
    ) -> Problem:
        path = f"columns.{column.name}.{field}"
        return Problem(path, severity, code, message, remedy, several)  # type: ignore[arg-type]

    name = column.name
    if column.role == "unassigned":
        yield problem(
            "role",
            "error",
            "unassigned",
            f"{name} is not assigned.",
            "Choose: protect, keep as it is, or drop.",
            "{count} columns are not assigned: {names}.",
        )
    if column.role == "keep":
        if not column.keep_confirmed:
            yield problem(
                "keep_confirmed",
                "error",
                "keep_unconfirmed",
                f"{name} would be released as it is, without protection.",
                "Confirm this for the column, or protect or drop it.",
            )
        else:
            yield problem(
                "role",
                "warning",
                "kept",
                f"{name} is released as it is: the file is not private with respect to it.",
                _remedy_of_kept(column),
                # What weights tell is said of them alone.
                ""
                if column.kind == "weight"
                else "{count} columns are released as they are: the file is not private with "
                "respect to {names}.",
            )
    if column.role != "protect":
        return
    if domain_type(column.kind) is None:
        yield problem(
            "kind",
            "error",
            "cannot_protect",
            f"{name} is of kind {column.kind}, which no mechanism can protect.",
            "Drop it, or change its kind.",
        )
        return
    if column.domain is None:
        yield problem(
            "domain",
            "error",
            "no_domain",
            f"{name} has no domain.",
            "List its answers or type its bounds.",
            "{count} columns have no domain: {names}.",
        )
        return
    if not column.confirmed:
        yield unconfirmed(column)
    yield from check_missing(column)
    if column.missing.treatment.stays_blank:
        yield problem(
            "missing",
            "warning",
            "who_answered_public",
            f"Who answered {name} is released without protection: its missing answers stay blank.",
            "Make them a category, or protect them with the number, unless everybody may know "
            "who answered.",
        )
    yield from _check_mechanism(column)


def unconfirmed(column: ColumnPlan) -> Problem:
    """Returns the problem of a domain that nobody confirmed to be public knowledge."""
    read = column.provenance == "suggested"
    return Problem(
        f"columns.{column.name}.confirmed",
        "error",
        "domain_unconfirmed",
        f"The domain of {column.name} {'was read off the data' if read else 'is unconfirmed'}.",
        "Confirm that this is public knowledge, or correct it.",
        "{count} domains were read off the data and are unconfirmed: {names}."
        if read
        else "{count} domains are unconfirmed: {names}.",
    )


def check_missing(column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problems of the rules for missing and undeclared answers."""
    domain, missing = column.domain, column.missing
    path = f"columns.{column.name}.missing"
    objection = "" if domain is None else missing.treatment.objection(domain)
    if objection:
        yield Problem(
            path,
            "error",
            "missing_policy_unfit",
            f"{column.name} {objection}.",
            "Choose another policy for missing answers.",
        )
    if domain is not None and column.other and (refused := domain.no_other):
        yield Problem(
            f"columns.{column.name}.other",
            "error",
            refused.code,
            f'{column.name} {refused.reason}, so it cannot have a category "other".',
            refused.remedy,
        )
    listed = () if domain is None else domain.listed
    named = missing.value if missing.policy == "category" else ""
    if domain is not None and listed and not domain.takes_listed(named):
        yield Problem(
            path,
            "error",
            "missing_policy_unfit",
            f"The option that missing answers of {column.name} become has a separator in its name.",
            "Give it another name.",
        )
    if missing.policy == "value" and domain is not None and domain.outside([missing.value])[0]:
        yield Problem(
            path,
            "error",
            "missing_value_outside",
            f"The value declared for missing answers of {column.name} is not in its domain.",
            "Choose a value of the domain.",
        )
    if listed:
        own = {text for text in (column.other,) if text}
        if missing.policy == "category":
            own |= {missing.value}
        twice = own & set(listed) or (
            missing.policy == "category" and column.other == missing.value
        )
        if twice:
            yield Problem(
                path,
                "error",
                "category_twice",
                f'A category added to {column.name} for "missing" or "other" exists already.',
                "Give it another name.",
            )


def _check_mechanism(column: ColumnPlan) -> Iterator[Problem]:
    path = f"columns.{column.name}.mechanism"
    mechanism, domain = column.mechanism, column.effective_domain
    if mechanism is None:
        yield Problem(
            path,
            "error",
            "no_mechanism",
            f"{column.name} has no mechanism.",
            "Choose a mechanism and an epsilon.",
        )
        return
    reason = mechanism.objection(domain) if domain is not None else None
    if reason is not None:
        yield Problem(
            path,
            "error",
            "misfit",
            f"{mechanism.short} does not fit {column.name}. {reason}",
            "Choose another mechanism or other parameters.",
        )
    if mechanism.epsilon >= WEAK_EPSILON:
        ratio = f"{exp(mechanism.epsilon):,.0f}"
        yield Problem(
            f"{path}.epsilon",
            "warning",
            "weak",
            f"{column.name}: epsilon {format_epsilon(mechanism.epsilon)} lets a randomized answer "
            f"be {ratio} times likelier under one true answer than under another.",
            "Choose a smaller epsilon unless the answer is harmless.",
            "The epsilons of {count} columns let a randomized answer be a thousand times likelier "
            "or more under one true answer than under another: {names}.",
        )
