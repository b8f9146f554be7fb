"""Estimates from sanitized records alone: what an analyst who has only the release can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.errors import InputError
from dpdesk.estimate.released import Released, ReleasedAttribute, bind_attributes
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.plan.check_table import weights_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.released_names import released_names

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
    attributes = tuple(
        ReleasedAttribute(column, bound, _tally(records, column, bound, weights))
        for column, bound in bind_attributes(plan)
    )
    return Released(plan, records.rows, attributes)


def _tally(
    records: SurveyTable,
    column: ColumnPlan,
    bound: BoundMechanism,
    weights: NDArray[np.float64] | None,
) -> Tally:
    if bound.form == "symbol":
        return bound.tally(_codes(records, column.name, bound.outputs), weights)
    if bound.form == "integers":
        names = released_names(column)
        parts = [
            _integers(records, name, limit) for name, limit in zip(names, bound.limits, strict=True)
        ]
        return bound.tally(np.stack(parts, axis=1), weights)
    bits = [_codes(records, name, ("0", "1")) for name in released_names(column)]
    step = max(1, _BLOCK_BITS // len(bits))
    tally = None
    for start in range(0, records.rows, step):
        block = np.stack([b[start : start + step] for b in bits], axis=1).astype(np.uint8)
        part = bound.tally(block, None if weights is None else weights[start : start + step])
        tally = part if tally is None else tally + part
    assert tally is not None  # noqa: S101 - there is at least one row
    return tally


def _codes(records: SurveyTable, name: str, outputs: Sequence[str]) -> NDArray[np.int32]:
    _require(records, name)
    texts = records.column(name)
    code_of = {text: code for code, text in enumerate(outputs)}
    codes = np.array([code_of.get(text, -1) for text in texts.distinct], dtype=np.int32)
    return _made(records, name, codes[texts.codes])


def _integers(records: SurveyTable, name: str, limit: int) -> NDArray[np.int64]:
    _require(records, name)
    texts = records.column(name)
    numbers = np.array([_whole(text, limit) for text in texts.distinct], dtype=np.int64)
    return _made(records, name, numbers[texts.codes])


def _whole(text: str, limit: int) -> int:
    """Reads a whole number from 0 up to one below the limit; -1 for anything else."""
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(limit))
    return int(text) if plain and int(text) < limit else -1


def _made(records: SurveyTable, name: str, reports: NDArray[Any]) -> NDArray[Any]:
    """Returns the reports, none of which may be negative: the mark of one that cannot be made."""
    if reports.min() < 0:
        header_lines = 1 if records.source.header else 0
        line = int(np.flatnonzero(reports < 0)[0]) + 1 + header_lines
        raise InputError(
            f"Record {line - header_lines} of column {name} holds a report that its mechanism "
            "cannot make.",
            line=line,
            column=name,
            remedy="Use the plan that these records were released with.",
        )
    return reports


def _require(records: SurveyTable, name: str) -> None:
    if name not in records.names:
        raise InputError(
            f"The records have no column {name}.",
            column=name,
            remedy="Use the plan that these records were released with.",
        )
