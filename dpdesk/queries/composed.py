"""What several queries cost together, and why."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.composition import Composed, Loss, Release, Sequential
from dpdesk.queries.base import BoundQuery


def composed(queries: Sequence[BoundQuery]) -> Composed:
    """Returns the tree of what is composed: parts to queries, queries to the whole.

    All queries are about the same respondents, so that their losses add up; that one query with
    many cells costs its epsilon once is in the sensitivity of its vector.

    Args:
        queries: At least one.
    """
    nodes = [_one(query) for query in queries]
    return nodes[0] if len(nodes) == 1 else Sequential(tuple(nodes), "All statistics")


def losses_of(queries: Sequence[BoundQuery]) -> tuple[Loss, ...]:
    """Returns every loss of the queries, for an accountant."""
    return tuple(loss for query in queries for loss in query.losses)


def _one(query: BoundQuery) -> Composed:
    parts = tuple(Release(loss) for loss in query.losses)
    return parts[0] if len(parts) == 1 else Sequential(parts, query.query.heading)
