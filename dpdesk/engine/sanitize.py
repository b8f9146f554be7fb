"""The release of records: codes and random words in, sanitized records and their counts out.

`AttributeDraw` carries out the strategy: which attribute each respondent reports, and what happens
to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.data.output_fields import (
    Chunk,
    CodedTexts,
    OutputField,
    PartialChunk,
    RecordFile,
    TextField,
)
from dpdesk.data.packed_records import PackedRows, RecordLayout
from dpdesk.data.record_files import most_bytes, record_files
from dpdesk.data.side_thread import SideThread
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_records import RecordWriter, require_writable
from dpdesk.engine.cluster import Cluster
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.shuffle import RecordShuffle, bytes_on_disk
from dpdesk.errors import ReleaseError
from dpdesk.estimate.from_records import record_fields
from dpdesk.estimate.released import Released, bind_attributes, released_from_tallies
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.numbers.arrays import Codes
from dpdesk.plan.check_table import require_releasable
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.file import plan_from_json, plan_to_json
from dpdesk.plan.given_answers import weight_of_texts
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.model import Plan, public_plan
from dpdesk.plan.problem import grouped
from dpdesk.plan.recognisable import kept_answers_in, kept_of
from dpdesk.plan.record_columns import Bound, record_columns
from dpdesk.randomness import MeteredWords, SystemWords, TakenWords, WordSource

# Each draw covers all attributes with a chance of at least .5 if the plan passed its check.
_DRAWS_MAX = 200
# Attributes of so many respondents are stored, in 8 or 16 bits each.
_STORED_ROWS = 1 << 23


@dataclass(frozen=True, slots=True)
class AttributeReports:
    """The reports of one attribute in a chunk.

    Attributes:
        reports: One for every respondent.
        present: Which of them are released, shape (n,); None if all are.
    """

    reports: NDArray[Any]
    present: NDArray[np.bool_] | None

    @classmethod
    def of(cls, chunk: Chunk) -> AttributeReports:
        """Returns the reports of a chunk of records."""
        if isinstance(chunk, PartialChunk):
            return cls(chunk.reports, chunk.present)
        return cls(np.asarray(chunk), None)

    def as_chunk(self) -> Chunk:
        """Returns them as a chunk of records."""
        return self.reports if self.present is None else PartialChunk(self.reports, self.present)

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
        self._attribute: NDArray[Any] | None = None
        if plan.strategy != "spl":
            law, kind = FixedLaw(len(plan.protected)), np.min_scalar_type(len(plan.protected))
            self._attribute = np.empty(rows, dtype=kind)
            for start in range(0, rows, _CHUNK_ROWS):
                part = self._attribute[start : start + _CHUNK_ROWS]
                part[:] = law.sample(words.take(part.size))
        self.released = self._attribute if plan.strategy == "smp" else None

    @classmethod
    def of_everybody(cls, plan: Plan, rows: int, words: WordSource) -> AttributeDraw | None:
        """Draws the attributes of all respondents of a release, unless these are very many.

        If the release states who reports what, and nobody was drawn for some attribute, all are
        drawn again: nothing could be estimated, and the release is charged already. The draw does
        not depend on the answers, so drawing again does not weaken anybody's protection. The
        plan's check makes sure that it is rare.

        Of more than `_STORED_ROWS` respondents what was drawn is not stored, and each chunk draws
        its own: that one of 10,000 attributes is left out then has a chance below 10^-300, and
        stops the release as a failure of the source.

        Args:
            plan: A plan without errors on so many respondents.
            rows: Number of respondents.
            words: Source of random words.

        Returns:
            The draw; None if each chunk draws its own.

        Raises:
            ReleaseError: The source of randomness failed.
        """
        if rows > _STORED_ROWS:
            return None
        attributes = len(plan.protected)
        for _ in range(_DRAWS_MAX):
            draw = cls(plan, rows, words)
            if draw.released is None or np.unique(draw.released).size == attributes:
                return draw
        raise _no_chance()

    def of(self, rows: slice) -> AttributeDraw:
        """Returns the draw of some consecutive respondents."""
        part = copy(self)
        if self._attribute is not None:
            part._attribute = self._attribute[rows]
        part.released = None if self.released is None else self.released[rows]
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


def _no_chance() -> ReleaseError:
    return ReleaseError(
        "However often it was tried, nobody was drawn to report one of the attributes, which "
        "chance does not do: the source of randomness has failed.",
        remedy="Do not release anything on this computer before it is repaired.",
    )


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
    tracker.progress("Certifying the laws", 0.01)
    bound = bind_attributes(plan, tracker.tick)
    as_released = as_kept(table, plan)
    draws = _Draws(table, as_released, plan, bound, tracker.tick)
    fields = record_fields(plan, bound)
    columns = record_columns(plan, bound, as_released)
    files = record_files(plan.formats)
    require_writable(files, fields, columns, table.rows)
    kept = {column.name: as_released.column(column.name).dictionary for column in plan.kept}
    layout = RecordLayout(fields, kept)
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
        writer = RecordWriter(
            folder, fields, columns, files, most_rows=table.rows, tick=tracker.tick
        )
        held.push(writer)
        side = SideThread("draw", tracker.tick)
        held.callback(side.stop)
        until, drawn = _DRAWN if plan.shuffle else _WRITTEN, 0
        if cluster is None:
            made = draws.of_all(everybody, step, words, side)
        else:
            made = draws.by_workers(everybody, _rows_per_part(layout.width), cluster)
        for size, chunk in made:
            if shuffle is None:
                tallies.add(chunk)
                writer.append(chunk)
            else:
                shuffle.put(layout.pack(chunk, size))
            drawn += size
            done = _BEGUN + (until - _BEGUN) * drawn / table.rows
            tracker.progress("Randomizing answers", done)
        written = 0
        for bucket in () if shuffle is None else shuffle.drain():
            for start in range(0, len(bucket), step):
                chunk = layout.unpack(bucket[start : start + step])
                tallies.add(chunk)
                writer.append(chunk)
                written += len(bucket[start : start + step])
                done = _DRAWN + (_WRITTEN - _DRAWN) * written / table.rows
                tracker.progress("Writing records", done)
        counted = tallies.counted()
        stand_out = kept_of(plan, as_released.column, table.rows)
        answers = kept_answers_in(plan, as_released.column)
        return released_from_tallies(plan, table.rows, counted, stand_out, answers)


class _Draws:
    """The reports of respondents, chunk by chunk in the order of the file.

    Args:
        table: The survey.
        as_released: The same, its kept columns as they are released.
        plan: The plan, which has passed its checks.
        bound: The protected columns with their mechanisms.
        tick: Called for each column; may raise.
    """

    def __init__(
        self,
        table: SurveyTable,
        as_released: SurveyTable,
        plan: Plan,
        bound: Bound,
        tick: Callable[[], None],
    ) -> None:
        self._plan, self._tick = plan, tick
        self._position = {column.name: position for position, (column, _) in enumerate(bound)}
        self._bound, self._as_released = bound, as_released
        self._sources: dict[str, _Codes] = {}
        for column, _ in bound:
            tick()
            self._sources[column.name] = _Codes.of(table, plan, column.name)

    def of_all(
        self, everybody: AttributeDraw | None, step: int, words: WordSource, side: SideThread
    ) -> Iterator[tuple[int, list[Chunk]]]:
        """Yields the number of respondents and the reports of one chunk after the other.

        Two chunks are drawn at a time. How many words a chunk takes depends on its number of
        respondents alone, so that it is known from the first one, and both get theirs beforehand:
        what is drawn does not depend on which of them is faster.

        Args:
            everybody: The attributes of all respondents; drawn with each chunk if None.
            step: Respondents of a chunk; the last one may have fewer.
            words: Source of random words.
            side: Where one of two chunks is drawn.
        """
        rows = self._as_released.rows
        first = MeteredWords(words)
        stop = min(step, rows)
        yield stop, self.chunk(everybody, 0, stop, first)
        for start in range(step, rows - 2 * step + 1, 2 * step):
            middle, stop = start + step, start + 2 * step
            own, other = (TakenWords(words.take(first.taken)) for _ in range(2))
            ahead = side.run(self.chunk, everybody, start, middle, own)
            behind = self.chunk(everybody, middle, stop, other)
            before = side.result(ahead)
            own.require_used()
            other.require_used()
            yield step, before
            yield step, behind
        for start in range(stop, rows, step):
            size = min(step, rows - start)
            yield size, self.chunk(everybody, start, start + size, words)

    def by_workers(
        self, everybody: AttributeDraw | None, step: int, cluster: Cluster
    ) -> Iterator[tuple[int, list[Chunk]]]:
        """Yields what `of_all` does, drawn by the workers of a cluster.

        Args:
            everybody: The attributes of all respondents; drawn with each chunk if None.
            step: Respondents of a chunk; the last one may have fewer.
            cluster: The workers.
        """
        rows = self._as_released.rows
        plan, laws = plan_to_json(public_plan(self._plan)), fingerprints(self._bound)
        layout = reports_layout(self._plan, self._bound)
        pieces = [slice(start, min(start + step, rows)) for start in range(0, rows, step)]
        parts = (
            DrawnPart(
                plan,
                laws,
                tuple(self._sources[column.name].narrow(piece) for column, _ in self._bound),
                None if everybody is None else everybody.of(piece),
            )
            for piece in pieces
        )
        with closing(cluster.map(draw_part, parts, self._tick)) as made:
            for piece, packed in zip(pieces, made, strict=True):
                size = piece.stop - piece.start
                if packed.shape != (size, layout.width):
                    raise ReleaseError(
                        "A worker of the cluster returned other records than it was asked for.",
                        remedy="Release on one machine.",
                    )
                yield size, self._with_kept(layout.unpack(packed), piece)

    def chunk(
        self, everybody: AttributeDraw | None, start: int, stop: int, words: WordSource
    ) -> list[Chunk]:
        """Draws the reports of some consecutive respondents.

        Args:
            everybody: The attributes of all respondents; drawn here if None.
            start: The first respondent.
            stop: The one behind the last.
            words: Source of random words.
        """
        size, rows = stop - start, slice(start, stop)
        draw = AttributeDraw(self._plan, size, words) if everybody is None else everybody.of(rows)
        codes = (self._sources[column.name].at(rows) for column, _ in self._bound)
        return self._with_kept(drawn_reports(self._bound, draw, codes, words, self._tick), rows)

    def _with_kept(self, reports: Sequence[Chunk], rows: slice) -> list[Chunk]:
        """Returns the reports of some respondents and their kept answers, as the plan has them."""
        chunk: list[Chunk] = []
        for column in self._plan.columns:
            if column.role == "keep":
                texts = self._as_released.column(column.name)
                chunk.append(CodedTexts(texts.dictionary, texts.codes[rows]))
            elif column.role == "protect":
                chunk.append(reports[self._position[column.name]])
        chunk += reports[len(self._bound) :]
        return chunk


def drawn_reports(
    bound: Bound,
    draw: AttributeDraw,
    codes: Iterable[Codes],
    words: WordSource,
    tick: Callable[[], object] = lambda: None,
) -> list[Chunk]:
    """Draws the reports of some respondents, one chunk for each protected column.

    Behind them stands who reports which of them, where the release states it.

    Args:
        bound: The protected columns with their mechanisms.
        draw: The attribute that each respondent reports.
        codes: The true codes of each column, shape (n,).
        words: Source of random words.
        tick: Called for each column; may raise.
    """
    reports: list[Chunk] = []
    for position, ((_, mechanism), own) in enumerate(zip(bound, codes, strict=True)):
        tick()
        reports.append(draw.randomize(position, mechanism, own, words).as_chunk())
    return reports if draw.released is None else [*reports, draw.released]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DrawnPart:
    """Respondents whose reports a worker draws, with all that it needs.

    Attributes:
        plan: The public plan, as JSON.
        laws: The fingerprints of the laws that the plan was certified with.
        codes: The true codes of each protected column.
        attributes: The attribute that each respondent reports; drawn by the worker if None.
    """

    plan: str
    laws: tuple[str, ...]
    codes: tuple[NDArray[Any], ...]
    attributes: AttributeDraw | None


def draw_part(part: DrawnPart) -> PackedRows:
    """Draws the reports of a part with random words of the worker's system.

    Returns:
        The reports as rows of bytes (`reports_layout`).

    Raises:
        ReleaseError: The worker's laws are not those of the plan, or its source of randomness
            failed.
    """
    plan, bound = _bound_on_worker(part.plan)
    if fingerprints(bound) != part.laws:
        raise ReleaseError(
            "A worker of the cluster computed other laws than were certified; nothing was drawn "
            "by it.",
            remedy="Install the same version of dpdesk and of its packages on every machine.",
        )
    words, size = SystemWords(), len(part.codes[0])
    draw = part.attributes or AttributeDraw(plan, size, words)
    codes = (codes.astype(np.int32, copy=False) for codes in part.codes)
    return reports_layout(plan, bound).pack(drawn_reports(bound, draw, codes, words), size)


@lru_cache(maxsize=4)
def _bound_on_worker(text: str) -> tuple[Plan, Bound]:
    plan = plan_from_json(text)
    return plan, bind_attributes(plan)


def fingerprints(bound: Bound) -> tuple[str, ...]:
    """Returns the fingerprint of the law of each protected column."""
    return tuple(mechanism.certificate.fingerprint for _, mechanism in bound)


def reports_layout(plan: Plan, bound: Bound) -> RecordLayout:
    """Returns where reports stand in the bytes that a worker returns."""
    fields = [field for field in record_fields(plan, bound) if not isinstance(field, TextField)]
    return RecordLayout(fields, {})


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
                raise _no_chance()
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
        longest = max((len(text.encode()) for text in texts.distinct), default=0)
        kept += sum(f.most_bytes_of_texts(texts.text_bytes, longest, table.rows) for f in files)
    return kept + sum(most_bytes(field, table.rows, files) for field in fields)


class _Codes:
    """Codes of one column, stored by distinct text and looked up by row."""

    def __init__(self, code_of: NDArray[np.int32], rows: NDArray[np.integer[Any]]) -> None:
        self._code_of = code_of
        self._rows = rows

    @classmethod
    def of(cls, table: SurveyTable, plan: Plan, name: str) -> _Codes:
        texts = table.column(name)
        encoded = encode_column(plan.column(name), texts, table.reading)
        return cls(encoded.code_of, texts.codes)

    def at(self, rows: slice) -> NDArray[np.int32]:
        return self._code_of.take(self._rows[rows])

    def narrow(self, rows: slice) -> NDArray[Any]:
        """The same in as few bytes as they need, to be sent."""
        least = np.min_scalar_type(-int(self._code_of.max(initial=0)) - 1)
        return self._code_of.astype(least).take(self._rows[rows])


def _rows_per_part(width: int) -> int:
    return max(1, min(_PART_ROWS, _PART_BYTES // max(1, width)))


def _rows_per_chunk(bytes_per_row: int) -> int:
    return max(1, min(_CHUNK_ROWS, _CHUNK_BYTES // max(1, bytes_per_row)))
