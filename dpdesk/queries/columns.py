"""The columns of a query: the one that it is about, and those whose categories are its groups.

The cells of a grouping are fixed before any data are seen: they are the declared categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Annotated

from pydantic import Field

from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.queries.base import Query
from dpdesk.queries.condition import Domains, categories_in
from dpdesk.queries.written import written_list

By = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...],
    Field(max_length=4, title=N_("In groups of")),
]
"""Columns whose declared categories are the keys; at most four."""

Column = Annotated[str, Field(title=N_("Column"))]
"""The column that a query is about."""

_KEYS_MAX = 100_000


class ColumnQuery(Query):
    """A query about one column.

    Attributes:
        column: The column.
    """

    column: Column

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.column, *self._conditioned())))


def keys_of(domains: Domains, by: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Returns every combination of the declared categories, in the order of the cells.

    Raises:
        ParameterError: A column is named twice, has no declared categories, or the combinations
            are too many to be read.
    """
    if len(set(by)) != len(by):
        raise ParameterError("A column is named twice.", remedy="Group by each column once.")
    listed = [categories_in(domains, name).texts for name in by]
    cells = prod(len(texts) for texts in listed)
    if cells > _KEYS_MAX:
        raise ParameterError(
            f"These columns have {cells:,} combinations; at most {_KEYS_MAX:,} can be released.",
            remedy="Group by fewer columns.",
        )
    return tuple(product(*listed))


def by_words(by: Sequence[str]) -> str:
    """Returns " by a, b", or "" without columns."""
    return f" by {written_list(by)}" if by else ""
