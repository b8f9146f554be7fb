"""The public part of a plan for each kind of release: only what the release depends on."""

from __future__ import annotations

from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.model import Plan
from dpdesk.plan.statistics import Statistics


def public_plan(plan: Plan) -> Plan:
    """Returns the part of a plan that its release of records depends on.

    Dropped columns are left out entirely: their names, labels and domains may come from the data
    (a suggested domain is a list of answers), and nothing in the release needs them. The records
    can be read back with this plan; sanitizing the survey again needs the curator's own. Statistics
    are another release.
    """
    released = tuple(c for c in plan.columns if c.role in {"keep", "protect"})
    return plan.with_fields(columns=released, statistics=Statistics())


def statistics_plan(plan: Plan, rows: int | None = None) -> Plan:
    """Returns the part of a plan that its statistics depend on.

    Columns that no query reads are left out entirely, as in `public_plan`; of the others, their
    protection in records is left out: that is another release. The number of respondents is that
    of the rows that count, and is left out unless it is public: a draft has the number of all rows
    of the file, which discloses how many more rows a respondent has.

    Args:
        plan: The plan.
        rows: Number of rows that count, if it is public.
    """
    read = set(plan.statistics.columns)
    whose = plan.statistics.unit.respondent_column
    columns = tuple(
        column.model_copy(update={"role": "unassigned", "mechanism": None, "note": ""})
        for column in plan.columns
        if column.name in read
    )
    if whose and not _is_asked(plan, whose):
        # A new object: a copy would keep the cached domain, which may be a list of identifiers.
        columns = tuple(
            ColumnPlan(
                name=whose,
                label=column.label,
                kind="identifier",
                missing=MissingPolicy(tokens=column.missing.tokens),
            )
            if column.name == whose
            else column
            for column in columns
        )
    return plan.with_fields(columns=columns, budget=None, shuffle=True, respondents=rows)


def _is_asked(plan: Plan, name: str) -> bool:
    return any(name in query.columns for query in plan.statistics.queries)
