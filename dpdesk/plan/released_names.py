"""The names that a column has in the released records."""

from __future__ import annotations

from dpdesk.plan.column import ColumnPlan


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
