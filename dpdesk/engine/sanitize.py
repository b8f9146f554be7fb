"""The release of records: codes and random words in, sanitized records and their counts out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.output_fields import (
    Chunk,
    CodedTexts,
    OutputField,
    RecordFile,
)
from dpdesk.data.packed_records import PackedRows, RecordLayout
from dpdesk.data.record_files import (
    RecordWriter,
    deciding_texts,
    most_bytes,
    record_files,
    require_writable,
)
from dpdesk.data.side_thread import SideThread
from dpdesk.data.table import SurveyTable
from dpdesk.engine.attribute_draw import (
    AttributeDraw,
    AttributeReports,
    DrawnPart,
    draw_part,
    drawn_reports,
    fingerprints,
    no_chance,
    reports_layout,
)
from dpdesk.engine.cluster import Cluster
from dpdesk.engine.counted_rows import counted_table
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.shuffle import RecordShuffle, bytes_on_disk
from dpdesk.engine.texts import T
from dpdesk.errors import ReleaseError
from dpdesk.estimation.from_records import record_fields
from dpdesk.estimation.released import Released, bind_attributes, released_from_tallies
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.numbers.arrays import Mapped, pieces_of
from dpdesk.plan.checks.table import require_releasable
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.given_answers import weight_of_texts
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.model import Plan, public_plan
from dpdesk.plan.problem import grouped
from dpdesk.plan.recognisable import kept_of, with_counts_of_kept
from dpdesk.plan.record_columns import Bound, record_columns
from dpdesk.randomness import MeteredWords, SystemWords, TakenWords, WordSource

# Shares of the progress: drawing begins, then the records are shuffled and written.
_BEGUN, _DRAWN, _WRITTEN = 0.05, 0.5, 0.95

# A chunk of this many bytes of words and reports takes some 20 ms: short enough for an immediate
# cancel, long enough for the cost per chunk to be negligible.
_CHUNK_BYTES = 1 << 23
_CHUNK_ROWS = 1 << 16

# A part takes a worker a tenth of a second or more, which is much beside the millisecond that it
# takes to send it.
_PART_BYTES = 1 << 24
_PART_ROWS = 1 << 19

_DRAWN_AT_ONCE = 2


def _nothing(_: int) -> None:
    return None


def sanitize(
    table: SurveyTable,
    plan: Plan,
    folder: Path,
    tracker: Tracker,
    *,
    before_drawing: Callable[[int], object] = _nothing,
    cluster: Cluster | None = None,
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
        cluster: Whose workers draw the reports, each with its system's random words; this
            computer if None.

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
    table = counted_table(table, plan)
    tracker.progress("Certifying the laws", 0.01)
    bound = bind_attributes(plan, tracker.tick)
    as_released = as_kept(table, plan)
    fields = record_fields(plan, bound)
    files = record_files(plan.formats)
    columns = record_columns(plan, bound, as_released, partial(deciding_texts, files))
    require_writable(files, fields, columns, table.rows)
    kept = {column.name: as_released.column(column.name).dictionary for column in plan.kept}
    layout = RecordLayout(fields, kept)
    draws = _Draws(table, as_released, plan, bound, layout, tracker.tick)
    most = _most_bytes(as_released, plan, fields, files)
    before_drawing(most + (bytes_on_disk(table.rows, layout.width) if plan.shuffle else 0))
    words = SystemWords()
    tallies = _Tallies(plan, bound, as_released)
    with ExitStack() as held:
        step = _rows_per_chunk(sum(mechanism.bytes_per_row for _, mechanism in bound))
        shuffle = None
        if plan.shuffle:
            shuffle = RecordShuffle(table.rows, layout.width, words, folder, tracker.tick)
            held.callback(shuffle.close)
        everybody = AttributeDraw.of_everybody(plan, table.rows, words)
        writer = RecordWriter(folder, fields, columns, files, tick=tracker.tick)
        held.push(writer)
        if cluster is None:
            sides = [SideThread("draw", tracker.tick, ahead=1) for _ in range(_DRAWN_AT_ONCE)]
            for side in sides:
                held.callback(side.stop)
            made = draws.of_all(everybody, step, words, sides)
        else:
            made = draws.by_workers(everybody, _rows_per_part(layout.width), cluster)
        stage, begun = "Randomizing answers", _BEGUN
        if shuffle is not None:
            for packed in made:
                shuffle.put(packed)
                done = _BEGUN + (_DRAWN - _BEGUN) * shuffle.rows / table.rows
                tracker.progress(stage, done)
            made, stage, begun = shuffle.drain(), "Writing records", _DRAWN
        for packed in made:
            for rows in pieces_of(len(packed), step):
                chunk = layout.unpack(packed[rows])
                tallies.add(chunk)
                writer.append(chunk)
                done = begun + (_WRITTEN - begun) * writer.rows / table.rows
                tracker.progress(stage, done)
        counted = tallies.counted()
        stand_out = kept_of(plan, as_released.column, table.rows)
        plan = with_counts_of_kept(plan, as_released.column, as_released.reading)
        return released_from_tallies(plan, table.rows, counted, stand_out)


class _Draws:
    """The reports of respondents, chunk by chunk in the order of the file.

    Args:
        table: The survey.
        as_released: The same, its kept columns as they are released.
        plan: The plan, which has passed its checks.
        bound: The protected columns with their mechanisms.
        layout: How records are packed.
        tick: Called for each column; may raise.
    """

    def __init__(
        self,
        table: SurveyTable,
        as_released: SurveyTable,
        plan: Plan,
        bound: Bound,
        layout: RecordLayout,
        tick: Callable[[], None],
    ) -> None:
        self._plan, self._layout, self._tick = plan, layout, tick
        self._position = {column.name: position for position, (column, _) in enumerate(bound)}
        self._bound, self._as_released = bound, as_released
        self._sources: dict[str, Mapped[np.int32]] = {}
        for column, _ in bound:
            tick()
            self._sources[column.name] = _codes(table, plan, column.name)

    def of_all(
        self,
        everybody: AttributeDraw | None,
        step: int,
        words: WordSource,
        sides: Sequence[SideThread],
    ) -> Iterator[PackedRows]:
        """Yields the records of one chunk after the other, packed where they are drawn.

        Several chunks are drawn at a time. How many words a chunk takes depends on its number of
        respondents alone, so that it is known from the first one, and all get theirs beforehand:
        what is drawn does not depend on which of them is faster.

        Args:
            everybody: The attributes of all respondents; drawn with each chunk if None.
            step: Respondents of a chunk; the last one may have fewer.
            words: Source of random words.
            sides: Threads in which chunks are drawn by turns.
        """
        first, rows = MeteredWords(words), self._as_released.rows
        begin, *others = pieces_of(rows, step)
        last = others.pop() if others else None
        yield self.packed(everybody, begin, first)
        ahead: deque[tuple[SideThread, Future[PackedRows]]] = deque()
        for piece, side in zip(others, cycle(sides), strict=False):
            own = TakenWords(words.take(first.taken))
            ahead.append((side, side.run(self._drawn_ahead, everybody, piece, own)))
            if len(ahead) > len(sides):
                earlier, drawn = ahead.popleft()
                yield earlier.result(drawn)
        for side, drawn in ahead:
            yield side.result(drawn)
        if last is not None:
            yield self.packed(everybody, last, words)

    def by_workers(
        self, everybody: AttributeDraw | None, step: int, cluster: Cluster
    ) -> Iterator[PackedRows]:
        """Yields what `of_all` does, drawn by the workers of a cluster.

        Args:
            everybody: The attributes of all respondents; drawn with each chunk if None.
            step: Respondents of a chunk; the last one may have fewer.
            cluster: The workers.
        """
        rows = self._as_released.rows
        plan, laws = plan_to_json(public_plan(self._plan)), fingerprints(self._bound)
        layout = reports_layout(self._plan, self._bound)
        pieces = list(pieces_of(rows, step))
        sources = [self._sources[column.name] for column, _ in self._bound]
        sent = [(codes, _least_type(codes)) for codes in sources]
        parts = (
            DrawnPart(
                plan,
                laws,
                tuple(_narrow(codes, kind, piece) for codes, kind in sent),
                None if everybody is None else everybody.of(piece),
            )
            for piece in pieces
        )
        with closing(cluster.map(draw_part, parts, self._tick)) as drawn:
            for piece, packed in zip(pieces, drawn, strict=True):
                size = piece.stop - piece.start
                if packed.shape != (size, layout.width):
                    raise ReleaseError(T.OTHER_RECORDS())
                yield self._pack(layout.unpack(packed), piece)

    def packed(self, everybody: AttributeDraw | None, rows: slice, words: WordSource) -> PackedRows:
        """Draws the reports of some consecutive respondents; returns their records.

        Args:
            everybody: The attributes of all respondents; drawn here if None.
            rows: The respondents.
            words: Source of random words.
        """
        size = rows.stop - rows.start
        draw = AttributeDraw(self._plan, size, words) if everybody is None else everybody.of(rows)
        codes = [self._sources[column.name][rows] for column, _ in self._bound]
        reports = drawn_reports(self._bound, draw, codes, words, self._tick)
        return self._pack(reports, rows)

    def _drawn_ahead(
        self, everybody: AttributeDraw | None, rows: slice, words: TakenWords
    ) -> PackedRows:
        found = self.packed(everybody, rows, words)
        words.require_used()
        return found

    def _pack(self, reports: Sequence[Chunk], rows: slice) -> PackedRows:
        """Returns the records of some respondents: their reports and their kept answers."""
        chunk: list[Chunk] = []
        for column in self._plan.columns:
            if column.role == "keep":
                texts = self._as_released.column(column.name)
                chunk.append(CodedTexts(texts.dictionary, texts.codes[rows]))
            elif column.role == "protect":
                chunk.append(reports[self._position[column.name]])
        chunk += reports[len(self._bound) :]
        return self._layout.pack(chunk, rows.stop - rows.start)


class _Tallies:
    """The counts of the records that are written, in the order that they are written in.

    Weighted sums are rounded, so that they depend on their order: on the released one alone.

    Args:
        plan: The plan.
        bound: The protected columns with their mechanisms.
        as_released: The survey, its kept columns as they are released.
    """

    def __init__(self, plan: Plan, bound: Bound, as_released: SurveyTable) -> None:
        self._bound = bound
        self._sampled = plan.strategy == "smp"
        written = [column.name for column in plan.columns if column.role in {"keep", "protect"}]
        self._places = [written.index(column.name) for column, _ in bound]
        weight = plan.weight_column
        self._weight: tuple[int, NDArray[np.float64]] | None = None
        if weight is not None:
            texts = as_released.column(weight.name)
            self._weight = written.index(weight.name), weight_of_texts(texts, as_released.reading)
        self._tallies: list[Tally | None] = [None] * len(bound)

    def add(self, chunk: Sequence[Chunk]) -> None:
        """Counts some records."""
        weights = None
        if self._weight is not None:
            place, weight_of = self._weight
            texts = chunk[place]
            assert isinstance(texts, CodedTexts)  # noqa: S101 - weights are kept
            weights = weight_of[texts.codes]
        for number, (place, (_, mechanism)) in enumerate(
            zip(self._places, self._bound, strict=True)
        ):
            tally = AttributeReports.of(chunk[place]).tally(mechanism, weights)
            known = self._tallies[number]
            self._tallies[number] = tally if known is None else known + tally

    def counted(self) -> tuple[tuple[ColumnPlan, BoundMechanism, Tally], ...]:
        """Returns the counts of every protected column.

        Raises:
            ReleaseError: Nobody was drawn to report some attribute.
        """
        found = []
        for (column, mechanism), tally in zip(self._bound, self._tallies, strict=True):
            assert tally is not None  # noqa: S101 - a releasable table has rows
            if self._sampled and not tally.reports:
                raise no_chance()
            found.append((column, mechanism, tally))
        return tuple(found)


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
        longest = texts.longest_text_bytes
        kept += sum(f.most_bytes_of_texts(texts.text_bytes, longest, table.rows) for f in files)
    return kept + sum(most_bytes(field, table.rows, files) for field in fields)


def _codes(table: SurveyTable, plan: Plan, name: str) -> Mapped[np.int32]:
    """Codes of one column, stored by distinct text and looked up by row."""
    texts = table.column(name)
    return Mapped(encode_column(plan.column(name), texts, table.reading).code_of, texts.codes)


def _least_type(codes: Mapped[np.int32]) -> np.dtype[Any]:
    """Returns the type of fewest bytes that holds all codes of a column, and -1."""
    return np.min_scalar_type(-int(codes.of.max(initial=0)) - 1)


def _narrow(codes: Mapped[np.int32], kind: np.dtype[Any], rows: slice) -> NDArray[np.integer[Any]]:
    """Returns the codes of some rows as another type, to be sent."""
    if codes.of.size > rows.stop - rows.start:
        return codes[rows].astype(kind)
    # Cheaper: the codes of few texts become small before there are as many as rows.
    return codes.of.astype(kind).take(codes.places[rows])


def _rows_per_part(width: int) -> int:
    return max(1, min(_PART_ROWS, _PART_BYTES // max(1, width)))


def _rows_per_chunk(bytes_per_row: int) -> int:
    return max(1, min(_CHUNK_ROWS, _CHUNK_BYTES // max(1, bytes_per_row)))
