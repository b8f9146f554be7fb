"""Checks of a plan without the data: its columns, mechanisms and budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from dpdesk.composition.strength import strength_of
from dpdesk.cost import format_epsilon
from dpdesk.domains import domain_type
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.checks.coarsening import check_filter, check_levels
from dpdesk.plan.checks.details import check_details
from dpdesk.plan.checks.formats import check_formats
from dpdesk.plan.checks.reading import check_reading
from dpdesk.plan.checks.routing import check_asked
from dpdesk.plan.checks.strategy import check_options, check_strategy
from dpdesk.plan.checks.usefulness import check_usefulness
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.losses import total_epsilon
from dpdesk.plan.model import Plan, released_names
from dpdesk.plan.problem import Problem, errors_first


def check_large(epsilon: Decimal, path: str) -> Iterator[Problem]:
    """Yields the warning of an epsilon that is hardly any protection.

    Args:
        epsilon: The loss of all that is released of a respondent.
        path: The place of the budget in the plan.
    """
    if strength_of(epsilon) == "very weak":
        yield Problem(
            path,
            "warning",
            "large",
            f"Protection: very weak. Epsilon {format_epsilon(epsilon)} in all, where e^epsilon is "
            f"{ratio_text(epsilon)}.",
            "Set a smaller budget and split it, or release less of each respondent.",
        )


def check(plan: Plan) -> tuple[Problem, ...]:
    """Returns every problem of a plan, errors first, each with its place and remedy."""
    # What makes a release worth nothing goes before other warnings.
    problems = list(check_usefulness(plan))
    problems += [problem for column in plan.columns for problem in _check_column(column)]
    problems += _check_whole(plan)
    problems += check_details(plan)
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
        yield from check_large(total, "budget")
    yield from check_options(plan)
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
    for column in plan.kept:
        yield from check_filter(plan, column)
    yield from check_strategy(plan)
    yield from check_formats(plan)


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


def _remedy_of_unassigned(column: ColumnPlan) -> str:
    """What to do about a column without a role: weights are no answers and cannot be protected."""
    if column.kind == "weight":
        return (
            "Weights are not protected. Keep it as it is, so that estimates are weighted by it and "
            "everybody can read it (draft --weights), or drop it."
        )
    if column.effective_domain is None:
        # To keep it would be the only choice that works at once, and is the wrong one.
        return "Say under Domain what its answers can be (draft --declare), or drop it."
    return "Choose: protect, keep as it is, or drop."


def _remedy_of_unconfirmed(column: ColumnPlan) -> str:
    if column.kind == "weight":
        return "Confirm this for the column (draft --weights), or drop it."
    if domain_type(column.kind) is None:
        return "Confirm this for the column (draft --keep), or drop it."
    return "Confirm this for the column (draft --keep), or protect or drop it."


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
        alike = (
            "{count} columns of weights are not assigned: {names}."
            if column.kind == "weight"
            else "{count} columns are not assigned and have no domain: {names}."
            if column.effective_domain is None
            else "{count} columns are not assigned: {names}."
        )
        yield problem(
            "role",
            "error",
            "unassigned",
            f"{name} is not assigned.",
            _remedy_of_unassigned(column),
            alike,
        )
    if column.role == "keep":
        if not column.keep_confirmed:
            yield problem(
                "keep_confirmed",
                "error",
                "keep_unconfirmed",
                f"{name} would be released "
                f"{'as it is' if column.coarsening is None else column.coarsening.words}, without "
                "protection.",
                _remedy_of_unconfirmed(column),
            )
        elif column.kept_coarser is not None:
            told = column.kept_coarser
            yield problem(
                "coarsening",
                "warning",
                "kept_coarser",
                f"{name} is released {told.words}, without protection: its answers are true, only "
                "coarser.",
                _remedy_of_kept(column),
                "{count} columns are released coarser, without protection: {names}.",
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
    yield from check_levels(column)
    if column.role in {"unassigned", "protect"}:
        yield from check_alike(column)
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
        "Confirm that this is public knowledge (dpdesk confirm PLAN), or correct it.",
        "{count} domains were read off the data and are unconfirmed: {names}."
        if read
        else "{count} domains are unconfirmed: {names}.",
    )


def check_alike(column: ColumnPlan) -> Iterator[Problem]:
    """Yields the warning of listed answers that nobody can tell apart."""
    domain = column.domain
    if domain is not None and domain.alike:
        yield Problem(
            f"columns.{column.name}.domain",
            "warning",
            "answers_alike",
            f"{domain.count_words.format(count=f'{domain.alike:,}')} of {column.name} look alike: "
            "they differ only in blanks or in signs that nobody sees.",
            "If they are the same answer, write them alike in the file; or list only one of them "
            'under Domain (draft --declare) and take the rest for missing or for "other".',
            "{count} columns list answers that look alike, which differ only in blanks or in signs "
            "that nobody sees: {names}.",
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
    if strength_of(mechanism.epsilon) == "very weak":
        ratio = ratio_text(mechanism.epsilon)
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
