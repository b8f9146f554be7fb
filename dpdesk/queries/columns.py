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
from dpdesk.queries.texts import T
from dpdesk.queries.written import write_phrase, written_list

By = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...],
    Field(max_length=4, title=N_("In groups of")),
]
"""Columns whose declared categories are the keys; at most four."""

Column = Annotated[str, Field(title=N_("Column"))]
"""The column that a query is about."""

_CELLS_MAX = 100_000


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
        raise ParameterError(T.NAMED_TWICE())
    listed = [categories_in(domains, name).texts for name in by]
    require_cells(prod(len(texts) for texts in listed))
    return tuple(product(*listed))


def require_cells(cells: int) -> None:
    """Refuses a query of too many cells: each is a line that is read.

    Raises:
        ParameterError: There are more than 100,000.
    """
    if cells > _CELLS_MAX:
        raise ParameterError(T.TOO_MANY_CELLS(cells=cells, most=_CELLS_MAX))


def by_words(by: Sequence[str]) -> str:
    """Returns "by a, b" as a phrase writes it, or "" without columns."""
    return write_phrase("by", written_list(by)) if by else ""
