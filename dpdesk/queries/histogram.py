"""How many numbers fall between declared edges."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from dpdesk.domains import NumericDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import Query
from dpdesk.queries.bound import NoisyCounts, measured_parts
from dpdesk.queries.clamped import grid_code
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import ColumnQuery
from dpdesk.queries.condition import Domains, numbers_in, require_conditions
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import Bound, bound_words, increase, write_phrase, written

_BINS = 10


class Histogram(ColumnQuery):
    """Counts of numbers between declared edges; each bin has its left edge, the last one both.

    Attributes:
        column: The column of numbers.
        edges: Increasing edges; none gives ten even bins over the domain. Numbers outside the
            edges are left out.
    """

    title = N_("Histogram")
    summary = N_("How many numbers of a column fall between declared edges.")
    words = ("histogram",)
    examples = ("histogram of age at 18, 30, 45, 60, 90",)
    form = ("column", "edges", "where", "noise")
    counts_rows = True
    local = "count"

    kind: Literal["histogram"] = "histogram"
    edges: Annotated[
        tuple[Bound, ...],
        Field(
            max_length=10_001,
            title=N_("Edges of the bins"),
            description=N_("Points of the declared grid, from the smallest to the largest"),
        ),
    ] = ()

    @model_validator(mode="after")
    def _edges_increase(self) -> Histogram:
        if len(self.edges) == 1 or not increase(self.edges):
            raise ParameterError(T.EDGES())
        return self

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        if not phrase.take("histogram"):
            return None
        phrase.take("of")
        column = phrase.column_name()
        edges = tuple(phrase.several_bounds()) if phrase.take("at") else ()
        return cls(column=column, edges=edges, **phrase.where(fields))

    @property
    def subject(self) -> str:
        at = write_phrase("at", ", ".join(map(bound_words, self.edges))) if self.edges else ""
        return write_phrase("histogram of", written(self.column), at)

    def placeholder(self, field: str, domains: Domains) -> str:
        return N_("ten even bins") if field == "edges" else ""

    def unit_in(self, domains: Domains) -> str:
        return "rows"

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundHistogram:
        domain = numbers_in(domains, self.column)
        require_conditions(domains, self.where)
        starts, keys = _bins(domain, self.edges)
        contribution = Contribution(1, 1, len(keys), may_skip=True)
        parts = measured_parts(self, unit, [("rows", 1.0, contribution)])
        return BoundHistogram(self, domains, unit, keys, parts, starts)


@dataclass(frozen=True)
class BoundHistogram(NoisyCounts):
    """Counts of bins with noise added to each.

    Attributes:
        starts: First code of each bin, and the code behind the last.
    """

    query: Histogram
    starts: tuple[int, ...]

    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        rows, column = rows.numbered(self.query.column)
        counts = rows.count((column,), self.query.where)
        reached = np.concatenate([[0], np.cumsum(counts)])
        return (np.diff(reached[list(self.starts)]),)


def _bins(
    domain: NumericDomain, edges: tuple[Bound, ...]
) -> tuple[tuple[int, ...], tuple[tuple[str], ...]]:
    """Returns the first code of each bin with the end of the last, and the bins' texts."""
    if not edges:
        cuts = np.unique(np.linspace(0, domain.size, _BINS + 1).round().astype(int))
        starts = tuple(int(cut) for cut in cuts)
        texts = domain.texts
        keys = [f"{texts[a]} to {texts[b - 1]}" for a, b in pairwise(starts)]
        return starts, tuple((key,) for key in keys)
    codes = [grid_code(domain, edge) for edge in edges]
    texts = domain.texts
    # Keys of the released file, and so the same in every language.
    keys = [write_phrase(texts[a], "to below", texts[b]) for a, b in pairwise(codes)]
    keys[-1] = f"{texts[codes[-2]]} to {texts[codes[-1]]}"
    return (*codes[:-1], codes[-1] + 1), tuple((key,) for key in keys)
