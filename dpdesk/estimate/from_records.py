"""Estimates from sanitized records alone, as an analyst has them who holds only the release.

`record_fields` says how the columns of a plan appear in the released records.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
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
)
from dpdesk.data.read_records import open_records
from dpdesk.data.reading import Reading
from dpdesk.data.records import Cells, Records, ReportField, TextRecords
from dpdesk.data.table import SurveyTable
from dpdesk.domains import NumericDomain
from dpdesk.errors import InputError, ReleaseError
from dpdesk.estimate.released import Released, bind_attributes, released_from_tallies
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.given_answers import weights_of
from dpdesk.plan.model import Plan, released_names, sampled_attribute_name
from dpdesk.plan.recognisable import kept_answers, kept_answers_in, kept_of
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


def records_of(place: str | os.PathLike[str], plan: Plan, bound: Bound) -> Records:
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
_REMEDY = "Use the plan that these records were released with."


def released_from_file(
    place: str | os.PathLike[str], plan: Plan, *, with_kept: bool = True
) -> Released:
    """Counts the reports of a release's records, ready for estimates.

    Args:
        place: A file of records in any of their formats, or the folder that holds one.
        plan: The plan of the release.
        with_kept: Whether to count who stands out on the answers that are kept as they are, too:
            estimates do not need these columns.

    Raises:
        InputError: The file cannot be read, a released column is missing, or a record holds a
            report that its mechanism cannot make.
    """
    bound = bind_attributes(plan)
    records = records_of(place, plan, bound)
    return _released(records, plan, bound, with_kept=with_kept)


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
    place: str | os.PathLike[str], plan: Plan, name: str
) -> tuple[GroupReports, ...]:
    """Counts the reports of each group of respondents, in the order of the groups' texts.

    Args:
        place: A file of records in any of their formats, or the folder that holds one.
        plan: The plan of the release.
        name: A column that was released as it is: what a protected column holds is a report, which
            does not tell whose it is.

    Raises:
        InputError: As `released_from_file`; or the column is not released as it is, or has more
            than `GROUPS_MAX` different texts.
    """
    if name not in {column.name for column in plan.kept}:
        kept = [column.name for column in plan.kept if column.kind != "weight"]
        offered = f"Columns that were: {', '.join(kept)}." if kept else "No column was."
        raise InputError(
            f"{name} was not released as it is, so that nobody can tell who belongs to a group.",
            column=name,
            remedy=offered,
        )
    bound = bind_attributes(plan)
    records = records_of(place, plan, bound)
    require_columns(records, (name,))
    texts = records.texts(name)
    present = np.flatnonzero(texts.counts)
    if present.size > GROUPS_MAX:
        raise InputError(
            f"{name} has {present.size:,} different texts; at most {GROUPS_MAX:,} groups are "
            "estimated.",
            column=name,
            remedy="Name a column with fewer.",
        )
    groups = sorted((texts.distinct[code], int(code)) for code in present)
    found = []
    for text, code in groups:
        inside = texts.codes == code
        counted, refusal = None, ""
        try:
            counted = _released(records, plan, bound, inside)
        except ReleaseError as error:
            refusal = error.message
        found.append(GroupReports(text, int(inside.sum()), counted, refusal))
    return tuple(found)


def released_from_records(records: SurveyTable, plan: Plan) -> Released:
    """Counts the reports of sanitized records, ready for estimates.

    Args:
        records: The released records, read as text.
        plan: The plan of the release.

    Raises:
        InputError: A released column is missing, or holds a report that its mechanism cannot
            make.
    """
    return _released(TextRecords(records), plan, bind_attributes(plan))


def _released(
    records: Records,
    plan: Plan,
    bound: Bound,
    inside: _Mask | None = None,
    *,
    with_kept: bool = True,
) -> Released:
    if records.rows == 0:
        raise InputError("The records have no rows.", remedy="Open the records of a release.")
    weights = None
    if plan.weight_column is not None:
        require_columns(records, (plan.weight_column.name,))
        texts = records.texts(plan.weight_column.name)
        weights = weights_of(texts, plan.reading or Reading())
    sampled = sampled_attribute(records, plan)
    counted = tuple(
        (
            column,
            mechanism,
            _tally(
                records,
                column,
                mechanism,
                weights,
                None if sampled is None else sampled == i,
                inside,
            ),
        )
        for i, (column, mechanism) in enumerate(bound)
    )
    if inside is not None:
        return released_from_tallies(plan, int(inside.sum()), counted)
    # Who estimates may have left out a column that no estimate needs.
    is_whole = with_kept and records.names.issuperset(kept_answers(plan))
    if not is_whole:
        return released_from_tallies(plan, records.rows, counted)
    # Read once for both questions.
    texts = {name: records.texts(name) for name in kept_answers(plan)}.__getitem__
    kept, answers = kept_of(plan, texts, records.rows), kept_answers_in(plan, texts)
    return released_from_tallies(plan, records.rows, counted, kept, answers)


def sampled_attribute(records: Records, plan: Plan) -> NDArray[Any] | None:
    """Returns the position of each record's attribute; None if records have all attributes."""
    name = sampled_attribute_name(plan)
    if name is None:
        return None
    ((_, reports),) = _reports(records, sampled_field(plan, name), None)
    return reports[:, 0]


def _tally(
    records: Records,
    column: ColumnPlan,
    bound: BoundMechanism,
    weights: NDArray[np.float64] | None,
    group: _Mask | None,
    inside: _Mask | None,
) -> Tally:
    tally: Tally | None = None
    for places, found in valid_reports(records, column, bound, group):
        counted = slice(None) if inside is None else inside[places]
        rows, reports = places[counted], found[counted]
        part = bound.tally(reports, None if weights is None else weights[rows])
        tally = part if tally is None else tally + part
    assert tally is not None  # noqa: S101 - there is a record, and so a block
    return tally


def valid_reports(
    records: Records, column: ColumnPlan, bound: BoundMechanism, group: _Mask | None = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """Yields the reports of a protected column, block by block.

    Args:
        records: The released records.
        column: The column.
        bound: Its mechanism on its domain.
        group: Which records report it, shape (rows,), where each reports one attribute.

    Yields:
        The positions of some records, and their reports as the mechanism makes them.

    Raises:
        InputError: A record holds a report that its mechanism cannot make.
    """
    blanks = column.missing.treatment.stays_blank
    field = protected_field(column, bound, blanks or group is not None)
    kind = {"symbol": np.int32, "bits": np.uint8, "integers": np.int64}[bound.form]
    for rows, cells in _reports(records, field, group, blanks=blanks):
        reports = cells.astype(kind, copy=False)
        if bound.form == "symbol":
            reports = reports[:, 0]
        impossible = bound.impossible(reports)
        if impossible is not None and impossible.any():
            record = int(rows[np.flatnonzero(impossible)[0]]) + 1
            raise InputError(
                f"Record {record} holds a report of {column.name} that its mechanism cannot "
                f"make: {bound.report_rule()}.",
                line=records.line(record),
                column=column.name,
                remedy=_REMEDY,
            )
        yield rows, reports


def _reports(
    records: Records, field: ReportField, group: _Mask | None, *, blanks: bool = False
) -> Iterator[tuple[NDArray[np.int64], NDArray[Any]]]:
    """Yields the reports of a field block by block, for one group if given.

    Args:
        records: The released records.
        field: The field.
        group: Which records hold a report, shape (rows,); all others must be empty.
        blanks: Whether a record without an answer is empty; it is left out.

    Yields:
        The positions of some records and their reports, shape (records, columns).
    """
    names = (field.name,) if isinstance(field, SymbolField) else field.names
    require_columns(records, names)
    start = 0
    for cells in records.blocks(field):
        stop = start + len(cells.reports)
        inside = None if group is None else group[start:stop]
        if blanks:
            empty = np.broadcast_to(cells.empty, cells.reports.shape)
            inside = np.logical_not(np.all(empty, axis=1))
        _check(records, names, cells, start, inside)
        if inside is None:
            yield np.arange(start, stop), cells.reports
        else:
            yield start + np.flatnonzero(inside), cells.reports[inside]
        start = stop


def _check(
    records: Records, names: tuple[str, ...], cells: Cells, start: int, inside: _Mask | None
) -> None:
    if inside is None and cells.reports.min() >= 0:
        return
    wrong = cells.reports < 0
    if inside is not None:
        wrong = np.where(inside[:, None], wrong, ~cells.empty)
    if not wrong.any():
        return
    row, column = (int(place) for place in np.argwhere(wrong)[0])
    record, name = start + row + 1, names[column]
    raise InputError(
        f"Record {record} of column {name} holds a report that its mechanism cannot make."
        if inside is None or inside[row]
        else f"Record {record} of column {name} holds a report, but its respondent reports "
        "another attribute.",
        line=records.line(record),
        column=name,
        remedy=_REMEDY,
    )


def require_columns(records: Records, names: tuple[str, ...]) -> None:
    """Raises `InputError` where records lack a column."""
    for name in names:
        if name not in records.names:
            raise InputError(f"The records have no column {name}.", column=name, remedy=_REMEDY)
