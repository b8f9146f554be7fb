"""The names that columns have in the released records."""

from __future__ import annotations

from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan


def released_names(column: ColumnPlan) -> tuple[str, ...]:
    """Returns the names of the released columns that a column of the plan becomes.

    The mechanism names them: one bit per category makes one indicator column for each, named
    "column=category". A column that is kept has its one name; a dropped one has none.
    """
    if column.role in {"drop", "unassigned"}:
        return ()
    domain = column.effective_domain
    if column.role == "protect" and column.mechanism is not None and domain is not None:
        return column.mechanism.released_names(column.name, domain)
    return (column.name,)


def sampled_attribute_name(plan: Plan) -> str | None:
    """Returns the name of the released column that says which attribute a respondent reports.

    Only the strategy "smp" has one. It is "sampled_attribute", lengthened by underscores where a
    released column has this name already.
    """
    if plan.strategy != "smp":
        return None
    taken = {name for column in plan.columns for name in released_names(column)}
    name = "sampled_attribute"
    while name in taken:
        name += "_"
    return name
