"""Which share of the rows meets a condition, in all or per declared group."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpdesk.domains import Categorical
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import ExpectedError, ExpectedSize, Query, Statistic
from dpdesk.queries.bound import MeasuredQuery, Noisy, measured_parts, size_of_share
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import By, by_words, keys_of
from dpdesk.queries.combined import quotient_intervals, total_interval, widths_between
from dpdesk.queries.condition import (
    Condition,
    Domains,
    columns_holding,
    first_unasked,
    require_conditions,
)
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.released_law import FirstOrder, ReleasedLaw
from dpdesk.queries.texts import T
from dpdesk.queries.unit import Complete, PrivacyUnit, counts_all_rows
from dpdesk.queries.written import read_bound, write_phrase


class Share(Query):
    """Which share of rows meets a condition, of those that answered it.

    Attributes:
        meeting: What a row must meet to count; all of them.
        by: Columns to group by: the share within each group.
        complete: Whether the curator states that every row has an answer; see `counts_all_rows`.
    """

    title = N_("Share")
    summary = N_("Which share of the rows meets a condition, in all or by group.")
    words = ("share",)
    synonyms = ("proportion", "percentage")
    examples = ("share with age at least 65 by region",)
    form = ("meeting", "by", "where", "noise")
    averages = True
    counts_rows = True
    local = "share"

    kind: Literal["share"] = "share"
    meeting: Annotated[
        tuple[Condition, ...],
        Field(min_length=1, max_length=20, title=N_("Share of rows where")),
    ]
    by: By = ()
    complete: Complete = False

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        if not phrase.take_any(*cls.words, *cls.synonyms):
            return None
        of = phrase.take("of")
        met = phrase.category() if of else None
        if met is not None:
            return cls(meeting=(met,), **phrase.tail(fields))
        if phrase.take("rows") or not of:
            if not phrase.take("where"):
                phrase.expect("with")
        elif not phrase.has_column():
            raise phrase.refusal(T.A_DECLARED_CATEGORY())
        return cls(meeting=phrase.conditions(), **phrase.tail(fields))

    @classmethod
    def starting(
        cls, domains: Domains, unit: PrivacyUnit, epsilon: Decimal, asked: Container[str]
    ) -> Query | None:
        listed = columns_holding(domains, "categories") or columns_holding(domains, "numbers")
        name = first_unasked(listed, asked)
        if name is None:
            return None
        domain = domains[name]
        if isinstance(domain, Categorical):
            condition = Condition(column=name, values=domain.texts[:1])
        else:
            condition = Condition(column=name, lower=read_bound(domain.texts[domain.size // 2]))
        return cls(meeting=(condition,), epsilon=epsilon)

    @property
    def columns(self) -> tuple[str, ...]:
        met = tuple(condition.column for condition in self.meeting)
        return tuple(dict.fromkeys((*self.by, *met, *self._conditioned())))

    @property
    def subject(self) -> str:
        met = " and ".join(condition.description for condition in self.meeting)
        return write_phrase("share with", met, by_words(self.by))

    @property
    def statistic(self) -> str:
        return "share"

    def unit_in(self, domains: Domains) -> str:
        return "%"

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundShare:
        keys = keys_of(domains, self.by)
        require_conditions(domains, (*self.meeting, *self.where))
        if counts_all_rows(self.complete, self.where, self.by, unit):
            contribution = Contribution(0, 1, adds=T.ZERO_OR_ONE())
            parts = measured_parts(self, unit, [("rows that meet it", 1.0, contribution)])
        else:
            # One vector: a row that meets the condition is in one cell, any other in the next.
            contribution = Contribution(1, 1, 2 * len(keys), may_skip=True)
            parts = measured_parts(self, unit, [("rows that meet it or not", 1.0, contribution)])
        return BoundShare(self, domains, unit, keys, parts)


@dataclass(frozen=True)
class BoundShare(MeasuredQuery):
    """A share as the quotient of noisy counts, or of one by a public number of rows."""

    query: Share

    @property
    def _has_public_base(self) -> bool:
        return self.parts[0].cells == 1

    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        by, where, meeting = self.query.by, self.query.where, self.query.meeting
        met = rows.count(by, (*where, *meeting)).reshape(-1)
        if self._has_public_base:
            return (met,)
        # Whether there is an answer is known of every row.
        asked = (condition for condition in meeting if condition.answered is None)
        answered = tuple(dict.fromkeys(condition.column for condition in asked))
        base = rows.count(by, where, answered).reshape(-1)
        return (np.stack([met, base - met], axis=1).reshape(-1),)

    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        noise = self.parts[0].noise
        if self._has_public_base:
            assert rows is not None  # noqa: S101 - a public base implies public rows
            return (self._of_public_base(float(noisy[0][0]), max(rows, 1), confidence),)
        widths = widths_between(noise, noise, ((1.0, 0.0), (0.0, 1.0)), confidence)
        met, other = noisy[0].reshape(-1, 2).T
        base = met + other
        lows, highs = quotient_intervals(met, base, *widths)
        statistics = []
        cells = zip(self.keys, *(ends.tolist() for ends in (met, base, lows, highs)), strict=True)
        for key, top, n, low, high in cells:
            value = top / n if n > 0 else (low + high) / 2
            statistics.append(_statistic(key, value, low, high, n, confidence))
        return tuple(statistics)

    def _of_public_base(self, met: float, rows: int, confidence: float) -> Statistic:
        half = self.parts[0].half_width(confidence) / rows
        return _statistic((), met / rows, met / rows - half, met / rows + half, rows, confidence)

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        shift = min(100 * self.unit.rows_per_respondent / rows, 100)
        return FirstOrder(((self.parts[0].noise, 100 / rows),), shift)

    def sampling_error(self, rows: int) -> float:
        return 50 / sqrt(rows)

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        half = 100 * self.parts[0].half_width(confidence) / max(respondents, 1)
        if self._has_public_base:
            return ExpectedError(half, "pp")
        # An interval is never wider than all shares.
        return ExpectedError(min(half, 50.0), "pp", T.AT_ANY_VALUE(count=respondents))

    def expected_size(self, rows: int) -> ExpectedSize:
        share = self._selected(self.query.meeting)
        size, is_itself = size_of_share(share)
        what = T.SIZE_OF_SHARE(share=f"{100 * share:.3g} %")
        return ExpectedSize(what, 100 * size, is_itself)


def _statistic(
    key: tuple[str, ...], value: float, low: float, high: float, base: float, confidence: float
) -> Statistic:
    """Adds the sampling error of a share of `base` rows, and turns shares into per cent."""
    least, most = total_interval(value, low, high, base, confidence)
    low, high, least, most = (100 * end for end in (low, high, least, most))
    return Statistic(key, 100 * value, low, high, least, most, (0.0, 100.0))
