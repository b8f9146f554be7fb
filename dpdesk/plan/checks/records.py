"""Checks of a plan without the data: its columns, mechanisms and budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from dpdesk.composition.strength import strength_of
from dpdesk.cost import format_epsilon
from dpdesk.domains import domain_type
from dpdesk.i18n import Message
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.checks.coarsening import check_filter, check_levels
from dpdesk.plan.checks.details import check_details
from dpdesk.plan.checks.formats import check_formats
from dpdesk.plan.checks.reading import check_reading
from dpdesk.plan.checks.routing import check_asked
from dpdesk.plan.checks.strategy import check_options, check_strategy
from dpdesk.plan.checks.texts import T
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
        said = T.LARGE(epsilon=format_epsilon(epsilon), ratio=ratio_text(epsilon))
        yield Problem(path, "warning", said)


def check_budget(used: Decimal, budget: Decimal | None, path: str) -> Iterator[Problem]:
    """Yields the error of a budget that is exceeded."""
    if budget is not None and used > budget:
        said = T.OVER_BUDGET(used=format_epsilon(used), budget=format_epsilon(budget))
        yield Problem(path, "error", said)


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
        yield Problem("columns", "error", T.NO_COLUMNS())
    elif not plan.protected and all(column.role != "unassigned" for column in plan.columns):
        yield Problem("columns", "error", T.NOTHING_PROTECTED())
    total = total_epsilon(plan)
    yield from check_budget(total, plan.budget, "budget")
    if len(plan.protected) > 1:
        yield from check_large(total, "budget")
    yield from check_options(plan)
    if _names_clash(plan):
        yield Problem("columns", "error", T.RELEASED_NAMES_CLASH())
    if sum(column.kind == "weight" for column in plan.kept) > 1:
        yield Problem("columns", "error", T.TWO_WEIGHTS())
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


@lru_cache(maxsize=20_000)
def _check_column(column: ColumnPlan) -> tuple[Problem, ...]:
    return tuple(_column_problems(column))


def _column_problems(column: ColumnPlan) -> Iterator[Problem]:
    name, path = column.name, f"columns.{column.name}"
    if column.role == "unassigned":
        yield Problem(f"{path}.role", "error", _unassigned(column))
    if column.role == "keep":
        yield _kept(column)
    yield from check_levels(column)
    if column.role in {"unassigned", "protect"}:
        yield from check_alike(column)
    if column.role != "protect":
        return
    if domain_type(column.kind) is None:
        said = T.CANNOT_PROTECT(name=name, kind=column.kind)
        yield Problem(f"{path}.kind", "error", said)
        return
    if column.domain is None:
        yield Problem(f"{path}.domain", "error", T.NO_DOMAIN(count=1, names=name))
        return
    if not column.confirmed:
        yield unconfirmed(column)
    yield from check_missing(column)
    if column.missing.treatment.stays_blank:
        yield Problem(f"{path}.missing", "warning", T.WHO_ANSWERED_PUBLIC(name=name))
    yield from _check_mechanism(column)


def _unassigned(column: ColumnPlan) -> Message:
    """What to do about a column without a role: weights are no answers and cannot be protected."""
    if column.kind == "weight":
        return T.UNASSIGNED__WEIGHTS(count=1, names=column.name)
    if column.effective_domain is None:
        # To keep it would be the only choice that works at once, and is the wrong one.
        return T.UNASSIGNED__NO_DOMAIN(count=1, names=column.name)
    return T.UNASSIGNED(count=1, names=column.name)


def _kept(column: ColumnPlan) -> Problem:
    name, path = column.name, f"columns.{column.name}"
    is_weight = column.kind == "weight"
    if not column.keep_confirmed:
        text = T.KEEP_UNCONFIRMED__WEIGHTS if is_weight else T.KEEP_UNCONFIRMED
        return Problem(f"{path}.keep_confirmed", "error", text(name=name))
    if column.kept_coarser is not None:
        said = T.KEPT_COARSER(count=1, names=name, how=column.kept_coarser.words)
        return Problem(f"{path}.coarsening", "warning", said)
    said = T.KEPT__WEIGHTS(name=name) if is_weight else T.KEPT(count=1, names=name)
    return Problem(f"{path}.role", "warning", said)


def unconfirmed(column: ColumnPlan) -> Problem:
    """Returns the problem of a domain that is not confirmed to be public knowledge."""
    said = T.DOMAIN_UNCONFIRMED(count=1, names=column.name)
    return Problem(f"columns.{column.name}.confirmed", "error", said)


def check_alike(column: ColumnPlan) -> Iterator[Problem]:
    """Yields the warning of listed answers that look the same."""
    domain = column.domain
    if domain is not None and domain.alike:
        said = T.ANSWERS_ALIKE(count=1, names=column.name)
        yield Problem(f"columns.{column.name}.domain", "warning", said)


def check_missing(column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problems of the rules for missing and undeclared answers."""
    domain, missing, name = column.domain, column.missing, column.name
    if domain is None:
        return
    path = f"columns.{name}.missing"
    if not missing.treatment.serves(domain):
        yield Problem(path, "error", T.MISSING_POLICY_UNFIT(name=name))
    if column.other and (refused := domain.no_other):
        said = T.OTHER_REFUSED(name=name)
        yield Problem(f"columns.{name}.other", "error", said, refused.code, refused.remedy)
    listed = domain.listed
    named = missing.value if missing.policy == "category" else ""
    if listed and not domain.takes_listed(named):
        yield Problem(path, "error", T.MISSING_POLICY_UNFIT__SEPARATOR(name=name))
    if missing.policy == "value" and domain.outside([missing.value])[0]:
        yield Problem(path, "error", T.MISSING_VALUE_OUTSIDE(name=name))
    added = [text for text in (column.other, named) if text]
    if listed and (len(set(added)) < len(added) or not set(listed).isdisjoint(added)):
        yield Problem(path, "error", T.CATEGORY_TWICE(name=name))


def _check_mechanism(column: ColumnPlan) -> Iterator[Problem]:
    name, path = column.name, f"columns.{column.name}.mechanism"
    mechanism, domain = column.mechanism, column.effective_domain
    if mechanism is None:
        yield Problem(path, "error", T.NO_MECHANISM(name=name))
        return
    reason = mechanism.objection(domain) if domain is not None else None
    if reason is not None:
        said = T.MISFIT(mechanism=mechanism.short, name=name, reason=reason)
        yield Problem(path, "error", said)
    if strength_of(mechanism.epsilon) == "very weak":
        said = T.WEAK(count=1, names=name, epsilon=format_epsilon(mechanism.epsilon))
        yield Problem(f"{path}.epsilon", "warning", said)
