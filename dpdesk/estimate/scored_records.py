"""The records of a release with unbiased scores of every attribute, ready to be looked at together.

A score of a report has the true answer's indicator, or its number, as expectation; that of a column
which was released as it is is the indicator itself. Given the true answers, attributes that are
randomized on their own have independent reports, so that products of their scores are unbiased for
what answers have in common. Where each respondent reports one attribute alone, or fakes hide which
is real, one protected attribute can still be looked at beside columns that were released as they
are: scores of reports that are not there are left out, and those of fakes are corrected.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.reading import Reading
from dpdesk.data.records import Records
from dpdesk.data.table import TextColumn
from dpdesk.designs.sample_design import Lonely, SampleDesign
from dpdesk.domains import NumericDomain
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimate.from_records import (
    records_of,
    require_columns,
    sampled_attribute,
    valid_reports,
)
from dpdesk.estimate.released import bind_attributes
from dpdesk.estimate.variable import Categories, Numbers, Places, Variable
from dpdesk.i18n import N_
from dpdesk.mechanisms import BoundMechanism
from dpdesk.numbers.arrays import Floats
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.given_answers import weights_of
from dpdesk.plan.model import Plan
from dpdesk.plan.recognisable import answers_beside

MOST_CATEGORIES = 2_000
"""More different answers than this are a column that tells respondents apart."""
NO_ANSWER = N_("no answer")
_MOST_COMBINATIONS = 1 << 21
"""Combinations of reports that are counted; of more, each record is looked at by itself."""
_PRODUCTS, _LEAST_BLOCK, _MOST_BLOCK = 1 << 18, 256, 1 << 14
"""Products that are made at a time: matrices of more wake threads, which wait for each other."""


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Some attributes, and the records that tell of all of them.

    Attributes:
        variables: The attributes.
        rows: Positions of the records, shape (n,).
        weight: Sum of their weights.
        squares: Sum of the squared weights.
        different: Positions of records whose scores are those of all others, shape (m,): one for
            each combination of reports where there are few, else all of them.
        weights: The weight of all records that are like each of them, shape (m,).
        square_weights: Their squared weight, alike.
    """

    variables: tuple[Variable, ...]
    rows: Places
    weight: float
    squares: float
    different: Places
    weights: Floats
    square_weights: Floats

    @classmethod
    def of(cls, variables: tuple[Variable, ...], rows: Places, weights: Floats) -> Together:
        """Finds the records that differ.

        Args:
            variables: The attributes.
            rows: Positions of the records that tell of all of them.
            weights: Weight of each record of the release, shape (records,).
        """
        each = weights[rows]
        sums = float(each.sum()), float(each @ each)
        combined, size = np.zeros(rows.size, dtype=np.int64), 1
        for variable in variables:
            if variable.codes is None:
                return cls(variables, rows, *sums, rows, each, each**2)
            codes = variable.codes[rows]
            width = int(codes.max()) + 1
            combined, size = combined * width + codes, size * width
            if size > _MOST_COMBINATIONS:
                return cls(variables, rows, *sums, rows, each, each**2)
        first = np.full(size, -1, dtype=np.int64)
        first[combined] = rows
        present = np.flatnonzero(first >= 0)
        by_weight, by_square = (
            np.bincount(combined, what, size)[present].astype(np.float64)
            for what in (each, each**2)
        )
        return cls(variables, rows, *sums, first[present], by_weight, by_square)

    def blocks(self, cells: int) -> Iterator[tuple[Places, Floats, Floats]]:
        """Yields positions of records that differ, with weights and squared weights.

        Args:
            cells: Products that are made of the scores of a record.
        """
        step = max(_LEAST_BLOCK, min(_MOST_BLOCK, _PRODUCTS // max(cells, 1)))
        for start in range(0, self.different.size, step):
            part = slice(start, start + step)
            yield self.different[part], self.weights[part], self.square_weights[part]


class ScoredRecords:
    """The records of a release, of which several attributes can be looked at together.

    Args:
        place: The CSV or Parquet file, or the folder that holds one of them.
        plan: The plan of the release.
        strata, clusters: Columns that were released as they are and say how respondents were
            drawn; empty for respondents drawn one by one.
        lonely: How a stratum with a single cluster adds to a variance.

    Attributes:
        plan: The plan.
        rows: Number of records.
        weights: Weight of each record, 1 without weights; shape (rows,).
        designed: Whether there are strata or clusters.
        tick: Called again and again while scores are read; what it raises stops the work.

    Raises:
        InputError: The file cannot be read, or lacks a column.
    """

    def __init__(
        self,
        place: str | os.PathLike[str],
        plan: Plan,
        *,
        strata: str = "",
        clusters: str = "",
        lonely: Lonely = "fail",
    ) -> None:
        bound = bind_attributes(plan)
        self.plan = plan
        self._bound = {column.name: mechanism for column, mechanism in bound}
        self._order = [column.name for column, _ in bound]
        self._records: Records = records_of(place, plan, bound)
        self.rows = self._records.rows
        if self.rows == 0:
            raise InputError("The records have no rows.", remedy="Open the records of a release.")
        self.weights = self._weights()
        self.designed = bool(strata or clusters)
        self.tick: Callable[[], object] = lambda: None
        self._strata = self._labels(strata, np.zeros(self.rows, np.int64))
        self._clusters = self._labels(clusters, np.arange(self.rows))
        self._lonely: Lonely = lonely
        self._sampled = sampled_attribute(self._records, plan)

    @property
    def is_weighted(self) -> bool:
        """Whether respondents have weights."""
        return self.plan.weight_column is not None

    def together(self, names: Sequence[str], listed: Sequence[str] = ()) -> Together:
        """Returns some attributes, and the records that tell of all of them.

        Args:
            names: Names of columns, each once.
            listed: Those of them whose numbers are taken as categories, where they were released
                as they are.

        Raises:
            InputError: A column is not in the release, twice named, or has too many answers.
            ParameterError: Nothing tells what their answers have in common.
        """
        if len(set(names)) < len(names):
            raise InputError(
                "A column is named twice.", remedy="Name different columns to look at together."
            )
        protected = [name for name in names if name in self._bound]
        if len(protected) > 1 and self.plan.strategy != "spl" and len(self._order) > 1:
            raise not_together(self.plan, protected)
        rows = np.arange(self.rows)
        group = None
        if self._sampled is not None and protected:
            group = self._sampled == self._order.index(protected[0])
            rows = np.flatnonzero(group)
            if not rows.size:
                raise InputError(
                    f"No respondent was drawn to report {protected[0]}.", column=protected[0]
                )
        variables = tuple(self._ticking(name, group, name in listed) for name in names)
        return Together.of(variables, rows, self.weights)

    def sample(self, rows: Places) -> SampleDesign:
        """Returns how the respondents of some records were drawn."""
        return SampleDesign(
            self.weights[rows], self._strata[rows], self._clusters[rows], lonely=self._lonely
        )

    def kept_column(self, name: str) -> TextColumn:
        """Returns a column that was released as it is, empty where it holds no answer.

        Dates are numbers of their unit, such as months since 1970-01.

        Raises:
            InputError: The records lack it.
        """
        require_columns(self._records, (name,))
        texts, column = self._records.texts(name), self.plan.column(name)
        reading = self.plan.reading or Reading()
        texts = texts.emptied(missing_texts(column, texts, reading))
        domain = column.domain if column.kept_coarser is None else None
        if isinstance(domain, NumericDomain):
            return texts.in_digits(domain, reading.decimal)
        return texts

    def _ticking(self, name: str, group: NDArray[np.bool_] | None, is_listed: bool) -> Variable:
        """The attribute of a name, whose scores are read by blocks, with a tick before each."""
        self.tick()
        found = self._variable(name, group, is_listed)

        def scores(rows: Places) -> Floats:
            self.tick()
            return found.scores(rows)

        return replace(found, scores=scores)

    def _variable(self, name: str, group: NDArray[np.bool_] | None, is_listed: bool) -> Variable:
        columns = {column.name: column for column in self.plan.columns}
        column = columns.get(name)
        if column is None or column.role not in {"protect", "keep"} or column.kind == "weight":
            released = [c.name for c in (*self.plan.protected, *self.plan.kept)]
            weight = self.plan.weight_column
            offered = ", ".join(n for n in released if weight is None or n != weight.name)
            of = "the weight of" if weight and name == weight.name else "not an attribute of"
            raise InputError(
                f"{name} is {of} this release.",
                column=name,
                remedy=f"Name one of: {offered}.",
            )
        if column.role == "protect":
            return self._protected(column, self._bound[name], group)
        require_columns(self._records, (name,))
        return self._kept(column, self._records.texts(name), is_listed)

    def _protected(
        self, column: ColumnPlan, bound: BoundMechanism, group: NDArray[np.bool_] | None
    ) -> Variable:
        place = np.full(self.rows, -1, dtype=np.int64)
        parts: list[NDArray[Any]] = []
        count = 0
        for rows, reports in valid_reports(self._records, column, bound, group):
            place[rows] = np.arange(count, count + rows.size)
            parts.append(reports)
            count += rows.size
        reports = np.concatenate(parts)
        # "No report" is the code before the first one.
        codes = np.where(place < 0, 0, reports[place] + 1) if reports.ndim == 1 else None
        domain, blanks = bound.domain, column.missing.treatment.stays_blank
        of_numbers = bound.number_scores
        if of_numbers is not None:
            has_squares = not bool(np.isnan(of_numbers).any())
            # The last row is that of no report.
            table = np.vstack((np.nan_to_num(of_numbers), np.zeros(3)))
            at = np.where(place < 0, len(of_numbers), reports[place])

            def numbers(rows: Places) -> Floats:
                return np.asarray(table[at[rows]])

            has_missing = bool((table[at, 0] != 1).any() or (of_numbers[:, 0] != 1).any())
            return Numbers(
                column,
                False,
                numbers,
                codes,
                domain.unit,
                domain.origin,
                has_squares,
                has_missing,
            )

        def listed(rows: Places) -> Floats:
            at = place[rows]
            if not blanks:
                return bound.report_scores(reports[at])
            blank = at < 0
            told = np.zeros((rows.size, domain.size + 1))
            told[~blank, :-1] = bound.report_scores(reports[at[~blank]])
            told[blank, -1] = 1.0
            return told

        def likely(rows: Places) -> Floats:
            at = place[rows]
            told = np.zeros((rows.size, domain.size + blanks))
            chances = bound.report_chances(reports[at[at >= 0]])
            if chances is not None:
                told[at >= 0, : domain.size] = chances
            told[at < 0, -1] = 1.0
            return told

        has_chances = bound.report_chances(reports[:1]) is not None
        texts, labels = domain.texts, tuple(domain.label(i) for i in range(domain.size))
        missing = domain.listed.index(domain.missing_value) if domain.missing_value else None
        if blanks:
            texts, labels, missing = (*texts, ""), (*labels, NO_ANSWER), domain.size
        _require_few(column, len(texts))
        one = domain.picks_one
        chances = likely if has_chances else None
        return Categories(column, False, listed, codes, texts, labels, one, missing, chances)

    def _kept(self, column: ColumnPlan, texts: TextColumn, is_listed: bool) -> Variable:
        reading = self.plan.reading or Reading()
        missing = missing_texts(column, texts, reading)
        if column.kept_as_numbers and not is_listed:
            domain = column.domain
            if isinstance(domain, NumericDomain):
                number = texts.on_grid(domain, reading.decimal)
            else:
                number = texts.numbers(reading.decimal).values
            told = ~np.isnan(number) & ~missing
            number = np.where(told, number, 0.0)
            table = np.column_stack((told, number, number**2)).astype(np.float64)
            unit = "" if domain is None else domain.unit
            codes = texts.codes.astype(np.int64)
            lacks = not bool(told[codes].all())

            def given(rows: Places) -> Floats:
                return np.asarray(table[codes[rows]])

            return Numbers(column, True, given, codes, unit, 0.0, True, lacks)
        return _kept_categories(column, texts, missing)

    def _weights(self) -> Floats:
        column = self.plan.weight_column
        if column is None:
            return np.ones(self.rows)
        require_columns(self._records, (column.name,))
        return weights_of(self._records.texts(column.name), self.plan.reading or Reading())

    def _labels(self, name: str, default: Places) -> Places:
        if not name:
            return default
        if name not in {column.name for column in self.plan.kept}:
            raise InputError(
                f"{name} was not released as it is, so that it does not tell how respondents were "
                "drawn.",
                column=name,
                remedy="Name a column that was.",
            )
        require_columns(self._records, (name,))
        texts = self._records.texts(name)
        if bool(texts.blank[texts.codes].any()):
            raise InputError(
                f"The column {name} has empty cells.",
                column=name,
                remedy="Leave it out: nobody is drawn outside of strata and clusters.",
            )
        return np.asarray(texts.codes, dtype=np.int64)


def _kept_categories(
    column: ColumnPlan, texts: TextColumn, missing: NDArray[np.bool_]
) -> Categories:
    """The categories of a column that was released as it is, in the order of its domain."""
    used = texts.counts > 0
    domain = column.domain
    of_domain = domain.texts if domain is not None and domain.picks_one else ()
    listed = (*of_domain, *answers_beside(column, texts, missing))
    _require_few(column, len(listed))
    code_of = {text: code for code, text in enumerate(listed)}
    labels = tuple(
        domain.label(code) if domain is not None and code < len(of_domain) else text
        for code, text in enumerate(listed)
    )
    has_missing = bool((used & missing).any())
    last = len(listed)
    codes = np.array(
        [
            last if m else code_of.get(text.strip(), last)
            for text, m in zip(texts.distinct, missing, strict=True)
        ],
        dtype=np.int64,
    )[texts.codes]
    if has_missing:
        listed, labels = (*listed, ""), (*labels, NO_ANSWER)
    size = len(listed)

    def indicators(rows: Places) -> Floats:
        return np.asarray(codes[rows, None] == np.arange(size), dtype=np.float64)

    missing_place = last if has_missing else None
    return Categories(
        column, True, indicators, codes, listed, labels, True, missing_place, indicators
    )


def _require_few(column: ColumnPlan, size: int) -> None:
    if size > MOST_CATEGORIES:
        raise InputError(
            f"{column.name} has {size:,} different answers; at most {MOST_CATEGORIES:,} can be "
            "looked at together with others.",
            column=column.name,
            remedy="Name a column with fewer.",
        )


def not_together(plan: Plan, names: Sequence[str]) -> ParameterError:
    """Returns the refusal of several protected attributes of which no record tells together."""
    listed = " and ".join(names)
    if plan.strategy == "smp":
        why = f"Each respondent reports one attribute alone, so that no record tells of {listed}."
    else:
        why = f"At most one report of a record is real, so that none tells of {listed} together."
    return ParameterError(
        why,
        remedy="Look at each by itself or beside columns that were released as they are; a release "
        "in which every attribute is reported (the strategy “split”) would tell.",
    )
