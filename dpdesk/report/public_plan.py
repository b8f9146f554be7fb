"""The plan as a release publishes it: nothing of the columns that are not released."""

from __future__ import annotations

from dpdesk.plan.model import Plan
from dpdesk.plan.statistics import Statistics


def public_plan(plan: Plan) -> Plan:
    """Returns the part of a plan that its release rests on.

    Dropped columns are left out whole: their names, labels and domains may come from the data
    (a suggested domain is a list of answers), and nothing in the release needs them. The records
    can be read back with this plan; to sanitize the survey again takes the curator's own. What is
    asked of the whole file is another release.
    """
    released = tuple(c for c in plan.columns if c.role in {"keep", "protect"})
    return plan.with_fields(columns=released, statistics=Statistics())
