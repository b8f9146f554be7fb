"""The release of records: codes and random words in, sanitized records and their counts out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.output_fields import Chunk, OutputField, PartialChunk
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_records import RecordWriter, most_bytes
from dpdesk.engine.attribute_draw import AttributeDraw, AttributeReports
from dpdesk.engine.jobs import Tracker
from dpdesk.estimate.record_fields import record_fields
from dpdesk.estimate.released import Released, bind_attributes, released_from_tallies
from dpdesk.mechanisms import Tally
from dpdesk.plan.check_table import require_releasable, weights_of
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.model import Plan
from dpdesk.randomness import SystemWords, shuffled_order

# A chunk of this many bytes of words and reports takes some 20 ms: short enough for a cancel to
# be felt at once, long enough for the cost per chunk to vanish.
_CHUNK_BYTES = 1 << 23
_CHUNK_ROWS = 100_000


def _nothing(_: int) -> None:
    return None


def sanitize(
    table: SurveyTable,
    plan: Plan,
    folder: Path,
    tracker: Tracker,
    *,
    before_drawing: Callable[[int], object] = _nothing,
) -> Released:
    """Randomizes every protected column and writes the records into a folder.

    The words come from the operating system; there is no seed. How many are used does not depend
    on the answers.

    Args:
        table: The survey.
        plan: What to do with it.
        folder: An existing folder, to be thrown away if this fails.
        tracker: Progress and cancel.
        before_drawing: Called once, after every check and before the first random word, with
            the most bytes that the records can take; may raise, and then nothing is drawn. A
            release is charged here.

    Returns:
        What was released: counts and certificates, no true value.

    Raises:
        PlanError: The plan has errors, by itself or on this table; nothing was drawn.
        ReleaseError: The records cannot be written, or the source of randomness failed.
        Cancelled: The user cancelled.
    """
    tracker.progress("Checking the plan", 0.0)
    for problem in require_releasable(plan, table, tracker.tick):
        tracker.warn(str(problem))
    tracker.progress("Certifying the laws", 0.01)
    bound = bind_attributes(plan, tracker.tick)
    sources: dict[str, _Codes] = {}
    for column, _ in bound:
        tracker.tick()
        sources[column.name] = _Codes.of(table, plan, column.name)
    weights = _weights(table, plan)
    tracker.tick()
    fields = record_fields(plan, bound)
    before_drawing(_most_bytes(table, plan, fields))
    words = SystemWords()
    order = shuffled_order(table.rows, words) if plan.shuffle else np.arange(table.rows)
    everybody = AttributeDraw.of_everybody(plan, table.rows, words)
    tallies: dict[str, Tally] = {}
    position_of = {column.name: position for position, (column, _) in enumerate(bound)}
    step = _rows_per_chunk(sum(mechanism.bytes_per_row for _, mechanism in bound))
    writer = RecordWriter(folder, fields)
    try:
        for start in range(0, table.rows, step):
            rows = order[start : start + step]
            chunk_weights = None if weights is None else weights[rows]
            draw = everybody.of(start, start + rows.size)
            chunk: list[Chunk] = []
            for column in plan.columns:
                tracker.tick()
                if column.role == "keep":
                    chunk.append(_texts(table, column.name, rows))
                elif column.role == "protect":
                    position = position_of[column.name]
                    mechanism = bound[position][1]
                    codes = sources[column.name].at(rows)
                    drawn = draw.randomize(position, mechanism, codes, words)
                    tally = drawn.tally(mechanism, chunk_weights)
                    known = tallies.get(column.name)
                    tallies[column.name] = tally if known is None else known + tally
                    chunk.append(_chunk(drawn))
            if draw.released is not None:
                chunk.append(draw.released)
            writer.append(chunk)
            tracker.progress("Randomizing answers", 0.05 + 0.9 * (start + rows.size) / table.rows)
        counted = tuple((column, mechanism, tallies[column.name]) for column, mechanism in bound)
        released = released_from_tallies(plan, table.rows, counted)
        writer.close()
    except BaseException:
        writer.abort()
        raise
    return released


def _most_bytes(table: SurveyTable, plan: Plan, fields: Sequence[OutputField]) -> int:
    """The most bytes that the records can take; texts that are passed through are in both files."""
    kept = sum(2 * table.column(column.name).text_bytes for column in plan.kept)
    return kept + sum(most_bytes(field, table.rows) for field in fields)


def _chunk(drawn: AttributeReports) -> Chunk:
    return drawn.reports if drawn.present is None else PartialChunk(drawn.reports, drawn.present)


class _Codes:
    """Codes of one column: per distinct text, looked up per row."""

    def __init__(self, code_of: NDArray[np.int32], rows: NDArray[np.int32]) -> None:
        self._code_of = code_of
        self._rows = rows

    @classmethod
    def of(cls, table: SurveyTable, plan: Plan, name: str) -> _Codes:
        texts = table.column(name)
        encoded = encode_column(plan.column(name), texts, table.reading)
        return cls(encoded.code_of, texts.codes)

    def at(self, rows: NDArray[np.int64]) -> NDArray[np.int32]:
        return self._code_of[self._rows[rows]]


def _weights(table: SurveyTable, plan: Plan) -> NDArray[np.float64] | None:
    column = plan.weight_column
    if column is None:
        return None
    return weights_of(column, table.column(column.name), table.reading)


def _texts(table: SurveyTable, name: str, rows: NDArray[np.int64]) -> list[str]:
    column = table.column(name)
    distinct = column.distinct
    return [distinct[code] for code in column.codes[rows]]


def _rows_per_chunk(bytes_per_row: int) -> int:
    return max(1, min(_CHUNK_ROWS, _CHUNK_BYTES // max(1, bytes_per_row)))
