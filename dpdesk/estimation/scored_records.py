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
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.output_fields import field_names
from dpdesk.data.reading import Reading
from dpdesk.data.records import Heard, Records, RecordSource
from dpdesk.data.table import TextColumn
from dpdesk.designs.sample_design import Lonely
from dpdesk.domains import NumericDomain
from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.from_records import (
    protected_field,
    records_of,
    require_columns,
    sampled_attribute,
    valid_reports,
)
from dpdesk.estimation.record_patterns import Labels, Mask, Patterns, Together, tables_of
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.report_scores import kept_variable, protected_variable
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Reports, Variable
from dpdesk.i18n import quoted
from dpdesk.numbers.arrays import Floats
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.given_answers import weights_of
from dpdesk.plan.model import Plan, sampled_attribute_name


class ScoredRecords:
    """The records of a release, of which several attributes can be looked at together.

    They are read anew for each question, of which they need few columns.

    Args:
        place: A file of records, or the folder that holds one.
        plan: The plan of the release.
        strata, clusters: Columns that were released as they are and say how respondents were
            drawn; empty for respondents drawn one by one.
        lonely: How a stratum with a single cluster adds to a variance.

    Attributes:
        plan: The plan.
        source: Reads the records.
        bound: The mechanism of each protected column on its domain.
        order: Names of these columns in the plan's order.
        drawn: The columns of strata and clusters, empty where there are none.
        designed: Whether there are strata or clusters.
        tick: Called again and again while records are read; what it raises stops the work.
        heard: Told which part of the records has been read, from 0 to 1.

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
        self.bound = {column.name: mechanism for column, mechanism in bound}
        self.order = [column.name for column, _ in bound]
        self.source: RecordSource = records_of(place, plan, bound)
        self.designed = bool(strata or clusters)
        self.tick: Callable[[], object] = lambda: None
        self.heard: Heard = lambda _: None
        self.drawn = {"strata": strata, "clusters": clusters}
        self._lonely: Lonely = lonely
        if plan.weight_column is not None:
            require_columns(self.source, (plan.weight_column.name,))
        for name in filter(None, (strata, clusters)):
            self._require_kept(name)

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
            raise InputError(T.NAMED_TWICE())
        protected = [name for name in names if name in self.bound]
        if len(protected) > 1 and self.plan.strategy != "spl" and len(self.order) > 1:
            raise not_together(self.plan, protected)
        columns = [self._column(name) for name in names]
        reading = _Reading(self, columns, protected[:1])
        only, records, weight, squares = None, 0, 0.0, 0.0
        for number, table in enumerate(tables_of(reading.parts())):
            only = table if number == 0 else None
            of_table = table.totals
            records, weight, squares = (
                records + of_table[0],
                weight + of_table[1],
                squares + of_table[2],
            )
        if not reading.rows:
            raise InputError(T.NO_RECORDS())
        if not records:
            raise InputError(T.NO_REPORTS(column=protected[0]), column=protected[0])
        codes = reading.sort()
        return Together(
            tuple(reading.variable(column, column.name in listed) for column in columns),
            lambda: tables_of(reading.parts()),
            (records, weight, squares),
            None if only is None else only.recoded(codes),
            designed=self.designed,
            lonely=self._lonely,
        )

    def kept_column(self, name: str, together: Together | None = None) -> TextColumn:
        """Returns a column that was released as it is, empty where it holds no answer.

        Dates are numbers of their unit, such as months since 1970-01.

        Args:
            name: Its name.
            together: Some attributes, of which it is one; None to read it.

        Returns:
            A text for each of the different records, `Together.whole`.

        Raises:
            InputError: The records lack it.
        """
        require_columns(self.source, (name,))
        if together is None:
            together = self.together((name,))
        column = self.plan.column(name)
        (variable,) = (one for one in together.variables if one.name == name)
        texts = _of_codes(name, variable.cells, together.whole.reports[name])
        reading = self.plan.reading or Reading()
        texts = texts.emptied(missing_texts(column, texts, reading))
        domain = column.domain if column.kept_coarser is None else None
        if isinstance(domain, NumericDomain):
            return texts.in_digits(domain, reading.decimal)
        return texts

    def _column(self, name: str) -> ColumnPlan:
        """The column of a name.

        Raises:
            InputError: It is no attribute of the release.
        """
        columns = {column.name: column for column in self.plan.columns}
        column = columns.get(name)
        if column is None or column.role not in {"protect", "keep"} or column.kind == "weight":
            answered = (*self.plan.protected, *self.plan.kept)
            released = [each.name for each in answered if each.kind != "weight"]
            raise InputError(T.NOT_RELEASED(column=name, columns=released), column=name)
        return column

    def _require_kept(self, name: str) -> None:
        if name not in {column.name for column in self.plan.kept}:
            raise InputError(T.NOT_UNPROTECTED(column=name), column=name)
        require_columns(self.source, (name,))


class _Reading:
    """The reading of some columns, and what is learned of them.

    Args:
        records: The records.
        columns: The columns.
        drawn: The protected one among them that respondents were drawn to report, if there is one;
            of others the records are left out where each respondent reports one attribute.

    Attributes:
        rows: Number of records of the release.
    """

    def __init__(
        self, records: ScoredRecords, columns: Sequence[ColumnPlan], drawn: Sequence[str]
    ) -> None:
        self._of, self._columns = records, columns
        plan = records.plan
        self._sampled = sampled_attribute_name(plan) if drawn else None
        self._place = records.order.index(drawn[0]) if drawn else 0
        self._weight = None if plan.weight_column is None else plan.weight_column.name
        self._labels = {what: name for what, name in records.drawn.items() if name}
        if self._labels and self._weight is not None:
            self._labels["weights"] = self._weight
        kept = [column.name for column in columns if column.role == "keep"]
        self._texts: dict[str, dict[str, int]] = {
            name: {} for name in (*kept, *self._labels.values())
        }
        self._examples: dict[str, NDArray[Any]] = {}
        self._lacking: set[str] = set()
        self._names = self._needed(kept)
        self.rows = 0

    def _needed(self, kept: Sequence[str]) -> list[str]:
        names = [] if self._sampled is None else [self._sampled]
        for column in self._columns:
            if column.role == "protect":
                field = protected_field(column, self._of.bound[column.name], optional=True)
                names += field_names((field,))
        names += kept
        require_columns(self._of.source, names)
        return [*names, *self._labels.values(), *([] if self._weight is None else [self._weight])]

    def parts(self) -> Iterator[Patterns]:
        """Yields the records of each part that tell of all columns."""
        self.rows = 0
        for part in self._of.source.parts(self._names, self._of.heard):
            self._of.tick()
            self.rows += part.rows
            group = None
            if self._sampled is not None:
                sampled = sampled_attribute(part, self._of.plan)
                group = np.asarray(sampled == self._place)
            reports = {column.name: self._reports(part, column, group) for column in self._columns}
            labels = {what: self._codes(part, name) for what, name in self._labels.items()}
            for what in self._labels.keys() - {"weights"}:
                _require_filled(part.texts(self._labels[what]))
            weights = np.ones(part.rows)
            if self._weight is not None:
                reading = self._of.plan.reading or Reading()
                weights = weights_of(part.texts(self._weight), reading)
            ones = np.ones(part.rows, dtype=np.int64)
            found = Patterns(reports, labels, ones, weights, weights**2)
            yield found if group is None else found.take(group)

    def _reports(self, part: Records, column: ColumnPlan, group: Mask | None) -> Reports:
        """What the records hold in a column, as codes or as several numbers each."""
        if column.role == "keep":
            return self._codes(part, column.name)
        bound = self._of.bound[column.name]
        rows, reports = valid_reports(part, column, bound, group)
        if len(reports):
            self._examples.setdefault(column.name, reports[:1])
        self._examples.setdefault(column.name, reports)
        if rows is not None and group is None:
            self._lacking.add(column.name)
        places = slice(None) if rows is None else rows
        if reports.ndim == 1:
            codes = np.zeros(part.rows, dtype=np.int64)
            codes[places] = reports + np.int64(1)
            return codes
        told = np.zeros((part.rows, 1 + reports.shape[1]), dtype=reports.dtype)
        told[places, 0] = 1
        told[places, 1:] = reports
        return told

    def _codes(self, part: Records, name: str) -> Labels:
        """The texts of a column as numbers, the same in all parts."""
        texts, known = part.texts(name), self._texts[name]
        code_of = np.zeros(texts.distinct_count, dtype=np.int64)
        for code in np.flatnonzero(texts.counts).tolist():
            code_of[code] = known.setdefault(texts.distinct[code], len(known))
        return np.asarray(code_of[texts.codes])

    def sort(self) -> dict[str, Labels]:
        """Numbers the texts in their order from now on; returns the new codes by the old ones.

        Sums then do not depend on which text comes first.
        """
        found = {}
        for name, known in self._texts.items():
            order = {text: code for code, text in enumerate(sorted(known))}
            found[name] = np.array([order[text] for text in known], dtype=np.int64)
            self._texts[name] = order
        return found

    def variable(self, column: ColumnPlan, is_listed: bool) -> Variable:
        """Returns an attribute, when all has been read; each block of scores begins with a tick.

        Args:
            column: Its column.
            is_listed: Whether numbers that were released as they are are taken as categories.
        """
        if column.role == "keep":
            texts = list(self._texts[column.name])
            found = kept_variable(column, texts, is_listed, self._of.plan.reading or Reading())
        else:
            example = self._examples[column.name][:1]
            bound, lacks = self._of.bound[column.name], column.name in self._lacking
            found = protected_variable(column, bound, example, lacks=lacks)
        scores, tick = found.scores, self._of.tick

        def ticking(reports: Reports) -> Floats:
            tick()
            return scores(reports)

        return replace(found, scores=ticking)


def _of_codes(name: str, texts: Sequence[str], codes: Labels) -> TextColumn:
    """A column by the codes of its texts."""
    dictionary = TextColumn.from_texts(name, texts).dictionary
    return TextColumn(name, codes.astype(np.int32), dictionary)


def _require_filled(texts: TextColumn) -> None:
    if bool(texts.blank[texts.codes].any()):
        raise InputError(T.EMPTY_CELLS(column=texts.name), column=texts.name)


def not_together(plan: Plan, names: Sequence[str]) -> ParameterError:
    """Returns the refusal of several protected columns that no record combines."""
    text = T.ONE_REPORT_EACH if plan.strategy == "smp" else T.ONE_REPORT_REAL
    return ParameterError(text(columns=quoted(names)))
