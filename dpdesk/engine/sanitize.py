"""The release of records: codes and random words in, sanitized records and their counts out.

`AttributeDraw` carries out the strategy: which attribute each respondent reports, and what happens
to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.data.output_fields import Chunk, OutputField, PartialChunk, RecordFile
from dpdesk.data.record_files import most_bytes, record_files
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_records import RecordWriter, require_writable
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ReleaseError
from dpdesk.estimate.from_records import record_fields
from dpdesk.estimate.released import Released, bind_attributes, released_from_tallies
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.numbers.arrays import Codes
from dpdesk.plan.check_table import require_releasable
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.given_answers import weights_of
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import grouped
from dpdesk.plan.recognisable import kept_answers_in, kept_of
from dpdesk.plan.record_columns import record_columns
from dpdesk.randomness import SystemWords, WordSource, shuffled_order

# Each draw covers all attributes with a chance of at least .5 if the plan passed its check.
_DRAWS_MAX = 200


@dataclass(frozen=True, slots=True)
class AttributeReports:
    """The reports of one attribute in a chunk.

    Attributes:
        reports: One for every respondent.
        present: Which of them are released, shape (n,); None if all are.
    """

    reports: NDArray[Any]
    present: NDArray[np.bool_] | None

    def tally(self, mechanism: BoundMechanism, weights: NDArray[np.float64] | None) -> Tally:
        """Counts the released reports."""
        if self.present is None:
            return mechanism.tally(self.reports, weights)
        chosen = None if weights is None else weights[self.present]
        return mechanism.tally(self.reports[self.present], chosen)


class AttributeDraw:
    """The attribute that each of some respondents reports.

    It is drawn with one word for each respondent, independently of the answers. Whatever is drawn,
    every attribute of every respondent is randomized, so that the number of words is fixed.

    Attributes:
        released: Position of each respondent's attribute among the protected ones, shape (n,),
            if the release states it; else None.
    """

    def __init__(self, plan: Plan, rows: int, words: WordSource) -> None:
        """Draws the attributes of `rows` respondents; under "spl" there is nothing to draw."""
        self._attribute: Codes | None = None
        if plan.strategy != "spl":
            self._attribute = FixedLaw(len(plan.protected)).sample(words.take(rows))
        self.released = self._attribute if plan.strategy == "smp" else None

    @classmethod
    def of_everybody(cls, plan: Plan, rows: int, words: WordSource) -> AttributeDraw:
        """Draws the attributes of all respondents of a release.

        If the release states who reports what, and nobody was drawn for some attribute, all are
        drawn again: nothing could be estimated, and the release is charged already. The draw does
        not depend on the answers, so drawing again does not weaken anybody's protection. The
        plan's check makes sure that it is rare.

        Args:
            plan: A plan without errors on so many respondents.
            rows: Number of respondents.
            words: Source of random words.

        Raises:
            ReleaseError: The source of randomness failed.
        """
        attributes = len(plan.protected)
        for _ in range(_DRAWS_MAX):
            draw = cls(plan, rows, words)
            if draw.released is None or np.unique(draw.released).size == attributes:
                return draw
        raise ReleaseError(
            f"In {_DRAWS_MAX} draws nobody was drawn to report one of the attributes, which chance "
            "does not do: the source of randomness has failed.",
            remedy="Do not release anything on this computer before it is repaired.",
        )

    def of(self, start: int, stop: int) -> AttributeDraw:
        """Returns the draw of some consecutive respondents."""
        part = copy(self)
        if self._attribute is not None:
            part._attribute = self._attribute[start:stop]
        part.released = None if self.released is None else self.released[start:stop]
        return part

    def randomize(
        self, position: int, mechanism: BoundMechanism, codes: Codes, words: WordSource
    ) -> AttributeReports:
        """Draws the reports of one attribute.

        Args:
            position: Position of the attribute among the protected ones.
            mechanism: Its mechanism, from `bind_attributes`.
            codes: True codes, shape (n,); -1 for a missing answer that stays blank, which only
                "spl" can leave so.
            words: Source of random words.
        """
        if self._attribute is None:
            blank = codes < 0
            if not blank.any():
                return AttributeReports(mechanism.randomize(codes, words), None)
            # Some answer is randomized in the place of each blank, so that the words stay in step.
            reports = mechanism.randomize(np.where(blank, 0, codes).astype(codes.dtype), words)
            return AttributeReports(reports, ~blank)
        drawn = self._attribute == position
        if isinstance(mechanism, FakeDataOracle):
            return AttributeReports(mechanism.randomize_drawn(codes, drawn, words), None)
        return AttributeReports(mechanism.randomize(codes, words), drawn)


# A chunk of this many bytes of words and reports takes some 20 ms: short enough for an immediate
# cancel, long enough for the cost per chunk to be negligible.
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

    The words come from the operating system, without a seed. Their number does not depend on the
    answers.

    Args:
        table: The survey.
        plan: The plan.
        folder: An existing folder, to be deleted if this fails.
        tracker: Progress and cancel.
        before_drawing: Called once, after every check and before the first random word, with
            the most bytes that the records can take; may raise, and then nothing is drawn. The
            release is charged here.

    Returns:
        The public result: counts and certificates, no true value.

    Raises:
        PlanError: The plan has errors, by itself or on this table; nothing was drawn.
        ReleaseError: The records cannot be written, or the source of randomness failed.
        Cancelled: The user cancelled.
    """
    tracker.progress("Checking the plan", 0.0)
    for problem in grouped(require_releasable(plan, table, tracker.tick)):
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
    as_released = as_kept(table, plan)
    columns = record_columns(plan, bound, as_released)
    files = record_files(plan.formats)
    require_writable(files, fields, columns, table.rows)
    before_drawing(_most_bytes(as_released, plan, fields, files))
    words = SystemWords()
    order = shuffled_order(table.rows, words) if plan.shuffle else np.arange(table.rows)
    everybody = AttributeDraw.of_everybody(plan, table.rows, words)
    tallies: dict[str, Tally] = {}
    position_of = {column.name: position for position, (column, _) in enumerate(bound)}
    step = _rows_per_chunk(sum(mechanism.bytes_per_row for _, mechanism in bound))
    writer = RecordWriter(folder, fields, columns, files, most_rows=table.rows, tick=tracker.tick)
    try:
        for start in range(0, table.rows, step):
            rows = order[start : start + step]
            chunk_weights = None if weights is None else weights[rows]
            draw = everybody.of(start, start + rows.size)
            chunk: list[Chunk] = []
            for column in plan.columns:
                tracker.tick()
                if column.role == "keep":
                    chunk.append(_texts(as_released, column.name, rows))
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
        kept = kept_of(plan, as_released.column, table.rows)
        answers = kept_answers_in(plan, as_released.column)
        released = released_from_tallies(plan, table.rows, counted, kept, answers)
        writer.close()
    except BaseException:
        writer.abort()
        raise
    return released


def _most_bytes(
    table: SurveyTable,
    plan: Plan,
    fields: Sequence[OutputField],
    files: Sequence[type[RecordFile]],
) -> int:
    """The most bytes that the records can take; unprotected texts are in every file."""
    kept = 0
    for column in plan.kept:
        texts = table.column(column.name)
        longest = max((len(text.encode()) for text in texts.distinct), default=0)
        kept += sum(f.most_bytes_of_texts(texts.text_bytes, longest, table.rows) for f in files)
    return kept + sum(most_bytes(field, table.rows, files) for field in fields)


def _chunk(drawn: AttributeReports) -> Chunk:
    return drawn.reports if drawn.present is None else PartialChunk(drawn.reports, drawn.present)


class _Codes:
    """Codes of one column, stored by distinct text and looked up by row."""

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
    return weights_of(table.column(column.name), table.reading)


def _texts(table: SurveyTable, name: str, rows: NDArray[np.int64]) -> list[str]:
    column = table.column(name)
    distinct = column.distinct
    return [distinct[code] for code in column.codes[rows]]


def _rows_per_chunk(bytes_per_row: int) -> int:
    return max(1, min(_CHUNK_ROWS, _CHUNK_BYTES // max(1, bytes_per_row)))
