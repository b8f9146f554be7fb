"""Which problems belong to which query."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dpdesk.plan import Plan, Problem

_QUERY = re.compile(r"statistics\.queries\.(?P<index>[0-9]+)(\..*)?")


def query_of(path: str) -> int | None:
    """Returns the position of the query that a path names; None if it names none."""
    match = _QUERY.fullmatch(path)
    return int(match["index"]) if match else None


def problems_of(problems: Sequence[Problem], plan: Plan, index: int) -> tuple[Problem, ...]:
    """Returns the problems of a query: its own, and those of the columns that it reads."""
    read = set(plan.statistics.queries[index].columns)
    return tuple(
        problem for problem in problems if query_of(problem.path) == index or problem.column in read
    )
