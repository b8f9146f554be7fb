"""The names that a column has in the released records."""

from __future__ import annotations

from dpdesk.plan.column import ColumnPlan


def released_names(column: ColumnPlan) -> tuple[str, ...]:
    """Returns the names of the released columns that a column of the plan becomes.

    A mechanism that reports one bit per category makes one indicator column for each, named
    "column=category"; every other column keeps its one name; a dropped one has none.
    """
    if column.role in {"drop", "unassigned"}:
        return ()
    domain = column.effective_domain
    bits = column.role == "protect" and column.mechanism and column.mechanism.form == "bits"
    if bits and domain is not None:
        return tuple(f"{column.name}={text}" for text in domain.texts)
    return (column.name,)
