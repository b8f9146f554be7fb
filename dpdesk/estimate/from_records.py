"""Estimates from sanitized records alone: what an analyst who has only the release can do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.errors import InputError
from dpdesk.estimate.released import Released, bind_attributes, released_from_tallies
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.plan.check_table import weights_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.released_names import released_names, sampled_attribute_name

# Bits are read in blocks of rows, so that 10,000 indicator columns never stand side by side.
_BLOCK_BITS = 1 << 24


def released_from_records(records: SurveyTable, plan: Plan) -> Released:
    """Counts the reports of sanitized records, ready for estimates.

    Args:
        records: The released records, read as text.
        plan: The plan of the release.

    Raises:
        InputError: A released column is missing, or holds a report that its mechanism cannot
            make.
    """
    if records.rows == 0:
        raise InputError("The records have no rows.", remedy="Open the records of a release.")
    weights = None
    if plan.weight_column is not None:
        _require(records, plan.weight_column.name)
        texts = records.column(plan.weight_column.name)
        weights = weights_of(plan.weight_column, texts, ".")
    sampled = _sampled_attribute(records, plan)
    counted = tuple(
        (
            column,
            bound,
            _tally(records, column, bound, weights, None if sampled is None else sampled == i),
        )
        for i, (column, bound) in enumerate(bind_attributes(plan))
    )
    return released_from_tallies(plan, records.rows, counted)


def _sampled_attribute(records: SurveyTable, plan: Plan) -> NDArray[np.int32] | None:
    """Returns the position of each record's attribute, or None where records have them all."""
    name = sampled_attribute_name(plan)
    if name is None:
        return None
    return _codes(records, name, tuple(column.name for column in plan.protected), None)


def _tally(
    records: SurveyTable,
    column: ColumnPlan,
    bound: BoundMechanism,
    weights: NDArray[np.float64] | None,
    group: NDArray[np.bool_] | None,
) -> Tally:
    if group is not None and weights is not None:
        weights = weights[group]
    if bound.form == "symbol":
        return bound.tally(_codes(records, column.name, bound.outputs, group), weights)
    names = released_names(column)
    if bound.form == "integers":
        parts = [
            _integers(records, name, limit, group)
            for name, limit in zip(names, bound.limits, strict=True)
        ]
        return bound.tally(np.stack(parts, axis=1), weights)
    bits = [_codes(records, name, ("0", "1"), group) for name in names]
    step = max(1, _BLOCK_BITS // len(bits))
    # An empty block first: nobody may be in the group.
    tally = bound.tally(
        np.empty((0, len(bits)), np.uint8), None if weights is None else weights[:0]
    )
    for start in range(0, bits[0].size, step):
        block = np.stack([b[start : start + step] for b in bits], axis=1).astype(np.uint8)
        tally += bound.tally(block, None if weights is None else weights[start : start + step])
    return tally


def _codes(
    records: SurveyTable,
    name: str,
    outputs: Sequence[str],
    group: NDArray[np.bool_] | None,
) -> NDArray[np.int32]:
    code_of = {text: code for code, text in enumerate(outputs)}
    return _reports(records, name, lambda text: code_of.get(text, -1), group).astype(np.int32)


def _integers(
    records: SurveyTable, name: str, limit: int, group: NDArray[np.bool_] | None
) -> NDArray[np.int64]:
    return _reports(records, name, lambda text: _whole(text, limit), group)


def _whole(text: str, limit: int) -> int:
    """Reads a whole number from 0 up to one below the limit; -1 for anything else."""
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(limit))
    return int(text) if plain and int(text) < limit else -1


def _reports(
    records: SurveyTable,
    name: str,
    read: Callable[[str], int],
    group: NDArray[np.bool_] | None,
) -> NDArray[np.int64]:
    """Returns a column's reports, of a group alone where one is given.

    Args:
        records: The released records.
        name: Name of the column.
        read: Returns the report of a text; negative where the mechanism cannot make it.
        group: Whose cells hold a report, shape (rows,); all others must be empty.
    """
    _require(records, name)
    texts = records.column(name)
    reports = np.array([read(text) for text in texts.distinct], dtype=np.int64)[texts.codes]
    wrong = reports < 0
    if group is not None:
        empty = np.array([text == "" for text in texts.distinct], dtype=np.bool_)[texts.codes]
        wrong = np.where(group, wrong, ~empty)
    if wrong.any():
        header_lines = 1 if records.source.header else 0
        record = int(np.flatnonzero(wrong)[0]) + 1
        raise InputError(
            f"Record {record} of column {name} holds a report that its mechanism cannot make."
            if group is None or group[record - 1]
            else f"Record {record} of column {name} holds a report, but its respondent reports "
            "another attribute.",
            line=record + header_lines,
            column=name,
            remedy="Use the plan that these records were released with.",
        )
    return reports if group is None else reports[group]


def _require(records: SurveyTable, name: str) -> None:
    if name not in records.names:
        raise InputError(
            f"The records have no column {name}.",
            column=name,
            remedy="Use the plan that these records were released with.",
        )
