"""Estimates from sanitized records alone, as an analyst has them who holds only the release.

`record_fields` says how the columns of a plan appear in the released records.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.output_fields import (
    BitsField,
    IntegersField,
    OutputField,
    SymbolField,
    TextField,
    field_names,
)
from dpdesk.data.read_records import open_records
from dpdesk.data.reading import Reading
from dpdesk.data.records import (
    Cells,
    Heard,
    Records,
    RecordSource,
    ReportField,
    TableSource,
    joined_texts,
    rows_of_a_part,
)
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import NumericDomain
from dpdesk.errors import InputError, ReleaseError
from dpdesk.estimation.released import Released, bind_attributes, released_from_tallies
from dpdesk.estimation.texts import T
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.numbers.arrays import Floats
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.given_answers import weights_of
from dpdesk.plan.model import Plan, released_names, sampled_attribute_name
from dpdesk.plan.recognisable import kept_answers, kept_of, with_counts_of_kept
from dpdesk.plan.record_columns import Bound, record_columns

GROUPS_MAX = 1_000
"""More groups than this are a column that tells respondents apart, and nothing is left of them."""


def record_fields(plan: Plan, bound: Bound) -> tuple[OutputField, ...]:
    """Returns the fields of the released records, in the plan's order of columns.

    If each respondent reports one attribute, the last field names it.

    Args:
        plan: The plan.
        bound: Its protected columns with their mechanisms, from `bind_attributes`.
    """
    mechanism_of = {column.name: mechanism for column, mechanism in bound}
    sampled = sampled_attribute_name(plan)
    fields: list[OutputField] = []
    for column in plan.columns:
        if column.role == "keep":
            fields.append(TextField(column.name))
        elif column.role == "protect":
            optional = sampled is not None or column.missing.treatment.stays_blank
            fields.append(protected_field(column, mechanism_of[column.name], optional))
    if sampled is not None:
        fields.append(sampled_field(plan, sampled))
    return tuple(fields)


def sampled_field(plan: Plan, name: str) -> SymbolField:
    """Returns the field that names each respondent's reported attribute."""
    return SymbolField(name, tuple(column.name for column in plan.protected))


def protected_field(column: ColumnPlan, mechanism: BoundMechanism, optional: bool) -> ReportField:
    """Returns the field of a protected column's reports.

    Args:
        column: The column.
        mechanism: Its mechanism on its domain.
        optional: Whether some records lack a report.
    """
    if mechanism.form == "bits":
        return BitsField(released_names(column), optional)
    if mechanism.form == "integers":
        names = released_names(column)
        return IntegersField(names, mechanism.limits, optional, mechanism.blanks)
    if not mechanism.numeric_outputs:
        return SymbolField(column.name, tuple(mechanism.outputs), "no", optional)
    texts = tuple(mechanism.outputs)
    domain = mechanism.domain
    assert isinstance(domain, NumericDomain)  # noqa: S101 - reports of lists are no numbers
    return SymbolField(column.name, texts, domain.numeric_cells(texts), optional)


def records_of(place: str | os.PathLike[str], plan: Plan, bound: Bound) -> RecordSource:
    """Opens the records of a release, whichever of its files they are.

    Args:
        place: One of the files of records, or the folder that holds one.
        plan: The plan of the release.
        bound: Its protected columns with their mechanisms, from `bind_attributes`.

    Raises:
        InputError: The file is missing or not a table.
    """
    fields = record_fields(plan, bound)
    return open_records(place, fields, lambda: record_columns(plan, bound))


_Mask = NDArray[np.bool_]
_Places = NDArray[np.int64]


def released_from_file(
    place: str | os.PathLike[str],
    plan: Plan,
    *,
    with_kept: bool = True,
    heard: Heard = lambda _: None,
) -> Released:
    """Counts the reports of a release's records, ready for estimates.

    Memory does not grow with the records, but for what is kept as it is.

    Args:
        place: A file of records in any of their formats, or the folder that holds one.
        plan: The plan of the release.
        with_kept: Whether to count who stands out on the answers that are kept as they are, too:
            estimates do not need these columns.
        heard: Told which part has been read, from 0 to 1; may raise to stop.

    Raises:
        InputError: The file cannot be read, a released column is missing, or a record holds a
            report that its mechanism cannot make.
    """
    bound = bind_attributes(plan)
    return _released(records_of(place, plan, bound), plan, bound, with_kept, heard)


@dataclass(frozen=True, slots=True)
class GroupReports:
    """The records that have one text in a column that was released as it is.

    Attributes:
        text: The text.
        records: Their number.
        released: Their counts; None where nothing can be estimated from so few.
        refusal: Why not, as a sentence; empty where it can.
    """

    text: str
    records: int
    released: Released | None
    refusal: str = ""


def released_by_group(
    place: str | os.PathLike[str], plan: Plan, name: str, *, heard: Heard = lambda _: None
) -> tuple[GroupReports, ...]:
    """Counts the reports of each group of respondents, in the order of the groups' texts.

    Args:
        place: A file of records in any of their formats, or the folder that holds one.
        plan: The plan of the release.
        name: A column that was released as it is: what a protected column holds is a report, which
            does not tell whose it is.
        heard: Told which part has been read, from 0 to 1; may raise to stop.

    Raises:
        InputError: As `released_from_file`; or the column is not released as it is, or has more
            than `GROUPS_MAX` different texts.
    """
    if name not in {column.name for column in plan.kept}:
        raise InputError(T.NOT_UNPROTECTED(column=name), column=name)
    bound = bind_attributes(plan)
    records = records_of(place, plan, bound)
    require_columns(records, (name,))
    groups = _groups(records, name)
    counts = _Counts(plan, bound, len(groups))
    size = np.zeros(len(groups), dtype=np.int64)
    for part in records.parts(_names(records, plan, bound, (name,)), heard):
        texts = part.texts(name)
        group = np.array([groups.get(text, -1) for text in texts.distinct], np.int16)[texts.codes]
        size += np.bincount(group, minlength=len(groups))
        counts.add(part, group)
    found = []
    for text, number in sorted(groups.items()):
        counted, refusal = None, ""
        try:
            counted = released_from_tallies(plan, int(size[number]), counts.of(number))
        except ReleaseError as error:
            refusal = error.message
        found.append(GroupReports(text, int(size[number]), counted, refusal))
    return tuple(found)


def _groups(records: RecordSource, name: str) -> dict[str, int]:
    """Numbers the texts of a column.

    Raises:
        InputError: They are too many.
    """
    groups: dict[str, int] = {}
    for part in records.parts((name,)):
        texts = part.texts(name)
        for code in np.flatnonzero(texts.counts):
            groups.setdefault(texts.distinct[code], len(groups))
        if len(groups) > GROUPS_MAX:
            raise InputError(T.MANY_TEXTS(column=name, most=GROUPS_MAX), column=name)
    return groups


def released_from_records(records: SurveyTable, plan: Plan) -> Released:
    """Counts the reports of sanitized records, ready for estimates.

    Args:
        records: The released records, read as text.
        plan: The plan of the release.

    Raises:
        InputError: A released column is missing, or holds a report that its mechanism cannot
            make.
    """
    bound = bind_attributes(plan)
    source = TableSource(records, rows_of_a_part(record_fields(plan, bound)))
    return _released(source, plan, bound, True, lambda _: None)


def _released(
    records: RecordSource, plan: Plan, bound: Bound, with_kept: bool, heard: Heard
) -> Released:
    # Who estimates may have left out a column that no estimate needs.
    kept = kept_answers(plan) if with_kept and records.names.issuperset(kept_answers(plan)) else ()
    counts, rows = _Counts(plan, bound), 0
    texts: dict[str, list[TextColumn]] = {name: [] for name in kept}
    for part in records.parts(_names(records, plan, bound, kept), heard):
        counts.add(part)
        rows += part.rows
        for name, pieces in texts.items():
            pieces.append(part.texts(name))
    if not rows:
        raise InputError(T.NO_RECORDS())
    if not kept:
        return released_from_tallies(plan, rows, counts.of(0))
    columns = {name: joined_texts(pieces) for name, pieces in texts.items()}
    stand_out = kept_of(plan, columns.__getitem__, rows)
    plan = with_counts_of_kept(plan, columns.__getitem__, plan.reading or Reading())
    return released_from_tallies(plan, rows, counts.of(0), stand_out)


def _names(
    records: RecordSource, plan: Plan, bound: Bound, others: Iterable[str] = ()
) -> tuple[str, ...]:
    """The columns that counting reports needs, and others.

    Raises:
        InputError: The records lack one of those with reports.
    """
    names = [] if plan.weight_column is None else [plan.weight_column.name]
    sampled = sampled_attribute_name(plan)
    names += [] if sampled is None else [sampled]
    for column, mechanism in bound:
        names += field_names((protected_field(column, mechanism, optional=True),))
    require_columns(records, names)
    return (*names, *others)


class _Counts:
    """The tallies of all attributes, for each group of records where there are some.

    Tallies are sums over parts of the records, in their order: counts are exact, and weights are
    added up on the same grid whatever file they are read from.

    Args:
        plan: The plan.
        bound: Its protected columns with their mechanisms.
        groups: Number of groups.
    """

    def __init__(self, plan: Plan, bound: Bound, groups: int = 1) -> None:
        self._plan, self._bound, self._size = plan, bound, groups
        self._tallies: list[dict[int, Tally]] = [{} for _ in bound]

    def add(self, part: Records, group: NDArray[np.int16] | None = None) -> None:
        """Counts the reports of some records.

        Args:
            part: The records.
            group: The group of each, shape (rows,); None where there is one.
        """
        weights = None
        if self._plan.weight_column is not None:
            texts = part.texts(self._plan.weight_column.name)
            weights = weights_of(texts, self._plan.reading or Reading())
        sampled = sampled_attribute(part, self._plan)
        for i, (column, mechanism) in enumerate(self._bound):
            reported = None if sampled is None else sampled == i
            rows, reports = valid_reports(part, column, mechanism, reported)
            of_reports = weights if weights is None or rows is None else weights[rows]
            if group is None:
                self._count(i, 0, reports, of_reports)
                continue
            own = group if rows is None else group[rows]
            order = np.argsort(own, kind="stable")
            ends = np.searchsorted(own[order], np.arange(self._size + 1))
            for one in np.flatnonzero(np.diff(ends)):
                some = order[ends[one] : ends[one + 1]]
                self._count(
                    i, int(one), reports[some], None if of_reports is None else of_reports[some]
                )

    def _count(self, i: int, group: int, reports: NDArray[Any], weights: Floats | None) -> None:
        part = self._bound[i][1].tally(reports, weights)
        known = self._tallies[i].get(group)
        self._tallies[i][group] = part if known is None else known + part

    def of(self, group: int) -> tuple[tuple[ColumnPlan, BoundMechanism, Tally], ...]:
        """Returns the tallies of a group."""
        return tuple(
            (column, mechanism, found.get(group) or self._none(mechanism))
            for (column, mechanism), found in zip(self._bound, self._tallies, strict=True)
        )

    def _none(self, mechanism: BoundMechanism) -> Tally:
        """The tally of no reports."""
        shape = {
            "symbol": (0,),
            "bits": (0, len(mechanism.outputs)),
            "integers": (0, len(mechanism.limits)),
        }[mechanism.form]
        weights = None if self._plan.weight_column is None else np.zeros(0)
        return mechanism.tally(np.zeros(shape, dtype=_KINDS[mechanism.form]), weights)


def sampled_attribute(records: Records, plan: Plan) -> NDArray[Any] | None:
    """Returns the position of each record's attribute; None if records have all attributes."""
    name = sampled_attribute_name(plan)
    if name is None:
        return None
    _, reports = _reports(records, sampled_field(plan, name), None)
    return reports[:, 0]


_KINDS: dict[str, type[np.integer[Any]]] = {
    "symbol": np.int32,
    "bits": np.uint8,
    "integers": np.int64,
}


def valid_reports(
    records: Records, column: ColumnPlan, bound: BoundMechanism, group: _Mask | None = None
) -> tuple[_Places | None, NDArray[Any]]:
    """Returns the reports of a protected column in some records.

    Args:
        records: The records.
        column: The column.
        bound: Its mechanism on its domain.
        group: Which of them report it, shape (rows,), where each reports one attribute.

    Returns:
        The positions of the records with a report, None where all have one; and the reports as the
        mechanism makes them.

    Raises:
        InputError: A record holds a report that its mechanism cannot make.
    """
    blanks = column.missing.treatment.stays_blank
    field = protected_field(column, bound, blanks or group is not None)
    rows, cells = _reports(records, field, group, blanks=blanks)
    reports = cells.astype(_KINDS[bound.form], copy=False)
    if bound.form == "symbol":
        reports = reports[:, 0]
    impossible = bound.impossible(reports)
    if impossible is not None and impossible.any():
        at = int(np.flatnonzero(impossible)[0])
        record = records.first + (at if rows is None else int(rows[at])) + 1
        name, rule = column.name, bound.report_rule()
        message = T.IMPOSSIBLE_BY_RULE(record=record, column=name, rule=rule)
        raise InputError(message, line=records.line(record), column=name)
    return rows, reports


def _reports(
    records: Records, field: ReportField, group: _Mask | None, *, blanks: bool = False
) -> tuple[_Places | None, NDArray[Any]]:
    """Returns the reports of a field in some records, for one group if given.

    Args:
        records: The records.
        field: The field.
        group: Which records hold a report, shape (rows,); all others must be empty.
        blanks: Whether a record without an answer is empty; it is left out.

    Returns:
        The positions of the records with a report, None where all have one; and the reports, shape
        (records, columns).
    """
    names = field_names((field,))
    cells, inside = records.cells(field), group
    if blanks:
        empty = np.broadcast_to(cells.empty, cells.reports.shape)
        inside = np.logical_not(np.all(empty, axis=1))
    _check(records, names, cells, inside)
    if inside is None:
        return None, cells.reports
    return np.flatnonzero(inside), cells.reports[inside]


def _check(records: Records, names: tuple[str, ...], cells: Cells, inside: _Mask | None) -> None:
    if inside is None and cells.reports.min() >= 0:
        return
    wrong = cells.reports < 0
    if inside is not None:
        wrong = np.where(inside[:, None], wrong, ~cells.empty)
    if not wrong.any():
        return
    row, column = (int(place) for place in np.argwhere(wrong)[0])
    record, name = records.first + row + 1, names[column]
    text = T.IMPOSSIBLE if inside is None or inside[row] else T.NOT_ITS_REPORT
    message = text(record=record, column=name)
    raise InputError(message, line=records.line(record), column=name)


def require_columns(records: RecordSource, names: Iterable[str]) -> None:
    """Raises `InputError` where records lack a column."""
    for name in names:
        if name not in records.names:
            raise InputError(T.RECORDS_LACK(column=name), column=name)
