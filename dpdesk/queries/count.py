"""How many rows meet a condition, in all or per declared group: counts and cross-tables."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import Query
from dpdesk.queries.bound import NoisyCounts, measured_parts
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import By, by_words, keys_of
from dpdesk.queries.condition import Domains, columns_holding, require_conditions
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import write_phrase


class Count(Query):
    """How many rows there are.

    Attributes:
        by: Columns to group by; two or more give a cross-table.
    """

    title = N_("Count or cross-table")
    summary = N_("How many rows meet a condition, in all or in each group.")
    words = ("count",)
    examples = ("count where sex is Female", "count by sex, education")
    form = ("by", "where", "noise")
    counts_rows = True
    local = "count"

    kind: Literal["count"] = "count"
    by: By = ()

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        if not (phrase.take("count") or phrase.take("number") or phrase.take("how", "many")):
            return None
        of = phrase.take("of")
        if phrase.take("rows"):
            return cls(**phrase.tail(fields))
        met = phrase.category()
        if met is not None:
            said = phrase.tail(fields)
            return cls(**(said | {"where": (met, *said["where"])}))
        if of:
            names = phrase.column_names()
            said = phrase.tail(fields)
            return cls(**(said | {"by": (*names, *said["by"])}))
        return cls(**phrase.tail(fields))

    @classmethod
    def starting(
        cls, domains: Domains, unit: PrivacyUnit, epsilon: Decimal, asked: Container[str]
    ) -> Query:
        by = columns_holding(domains, "categories")[:1] if unit.rows_are_public else ()
        return cls(by=by, epsilon=epsilon)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.by, *self._conditioned())))

    @property
    def subject(self) -> str:
        return write_phrase("count of rows", by_words(self.by))

    def unit_in(self, domains: Domains) -> str:
        return "rows"

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundCount:
        keys = keys_of(domains, self.by)
        require_conditions(domains, self.where)
        # With declared groups, a row without an answer is in none of them.
        skips = bool(self.where) or bool(self.by)
        if unit.rows_are_public and not skips:
            raise ParameterError(T.ROWS_PUBLIC())
        contribution = Contribution(1, 1, len(keys), skips)
        parts = measured_parts(self, unit, [("rows", 1.0, contribution)])
        return BoundCount(self, domains, unit, keys, parts)


@dataclass(frozen=True)
class BoundCount(NoisyCounts):
    """Counts with noise added to each cell."""

    query: Count

    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        return (rows.count(self.query.by, self.query.where).reshape(-1),)
