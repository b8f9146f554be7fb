"""Writes the records of a release as CSV."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    CodedTexts,
    IntegersField,
    OutputField,
    PartialChunk,
    RecordFile,
    SymbolField,
    TextField,
    csv_cell,
    field_names,
    split_chunk,
)
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.data.written_column import WrittenColumn

# Bytes of text of a CSV file that are assembled at once: so many stay in the cache.
_PIECE = 1 << 20
# An array of Arrow holds less than 2^31 bytes of text.
_ARRAY_BYTES = 1 << 30
# As many bits as a byte has are one cell of a list.
_LISTED_BITS = 8
# Numbers below this limit are a list of cells, and so are the texts of so many answers.
_LISTED_MOST = 1 << 12
_TEXTS_MOST = 1 << 16
# Bytes that a copied text takes, about.
_TEXT_WIDTH = 16
# Cells that stand side by side are one list of all their combinations, up to so many and such
# bytes: they stay in the cache too.
_RUN_CELLS = 1 << 12
_RUN_BYTES = 1 << 17

_Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class _Cells:
    """Neighbouring cells of a line that come from one list.

    Attributes:
        texts: What can be written, with the separator behind it; bytes of each code.
        codes_of: Returns the code of each record from the chunk of the field, shape (rows,).
        field: Position of the field.
    """

    texts: list[bytes]
    codes_of: Callable[[Chunk], _Integers]
    field: int


class CsvRecords(RecordFile):
    """Writes the records of a release to an open CSV file, in constant memory.

    Every possible cell is quoted once, when its field is declared, with the separator behind it.
    Neighbouring cells are one list of all their combinations, as long as these are few. A chunk is
    then a matrix of places in these lists, one row for each record: taking the texts in its order
    lays out the bytes of the file, which no writer that examines each cell can do as fast.
    """

    name = "records.csv"
    meaning = N_("the sanitized answers, one line per respondent")
    content = "The sanitized records: one row per respondent."

    @classmethod
    def deciding_texts(cls, column: WrittenColumn) -> Collection[str]:
        return ()

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        if isinstance(field, BitsField):
            return 2 * len(field.names)
        if isinstance(field, IntegersField):
            return sum(max(len(str(limit)), 2) + 1 for limit in field.limits)
        if isinstance(field, SymbolField):
            texts = (len(csv_cell(text).encode("utf-8")) for text in field.texts)
            # An empty cell alone on its line takes two quotation marks.
            return max([*texts, 2]) + 1
        return 4

    def _begin(self) -> None:
        names = field_names(self._fields)
        self._alone = len(names) == 1
        self._file.write((",".join(self._cell(name) for name in names) + "\n").encode("utf-8"))
        parts = [
            part
            for index, field in enumerate(self._fields)
            for part in self._parts(index, field, b"\n" if index == len(self._fields) - 1 else b",")
        ]
        self._runs = list(_runs(parts))
        listed = [run for run in self._runs if isinstance(run, _Run)]
        self._listed = pa.array([text for run in listed for text in run.texts], type=pa.binary())
        self._kept: dict[int, tuple[pa.Array, pa.Array]] = {}
        longest = sum(max(map(len, run.texts)) for run in listed)
        free = [run.width for run in self._runs if isinstance(run, _Free)]
        # Cells of no list are put behind the lists, which copies these for every piece.
        piece = max(_PIECE, self._listed.nbytes) if free else _PIECE
        self._rows_at_once = max(1, piece // (longest + sum(free) + 1))

    def write(self, chunks: Sequence[Chunk], rows: int) -> None:
        for start in range(0, rows, self._rows_at_once):
            stop = min(rows, start + self._rows_at_once)
            self._write([chunk[start:stop] for chunk in chunks], stop - start)

    def _write(self, chunks: Sequence[Chunk], rows: int) -> None:
        places = np.empty((rows, len(self._runs)), dtype=np.int32)
        lists, first, free_first = [self._listed], 0, len(self._listed)
        size = 0
        for run, column in zip(self._runs, places.T, strict=True):
            if isinstance(run, _Run):
                np.add(run.codes(chunks), np.int32(first), out=column, casting="unsafe")
                first += len(run.texts)
                continue
            cells, codes = run.cells(chunks[run.field])
            np.add(codes, np.int32(free_first), out=column, casting="unsafe")
            lists.append(cells)
            free_first += len(cells)
            lengths = pc.binary_length(cells).to_numpy(zero_copy_only=False)
            size += int(lengths.astype(np.int64)[codes].sum())
        if size > _ARRAY_BYTES and rows > 1:
            half = rows // 2
            self._write([chunk[:half] for chunk in chunks], half)
            self._write([chunk[half:] for chunk in chunks], rows - half)
            return
        cells = lists[0] if len(lists) == 1 else pa.concat_arrays(lists)
        self._file.write(_contents(cells.take(pa.array(places.reshape(-1)))))

    def _cell(self, text: str, *, number: bool = False) -> str:
        # An empty cell alone on its line would be a blank line, which readers skip.
        return csv_cell(text, number=number) or ('""' if self._alone else "")

    def _parts(self, index: int, field: OutputField, end: bytes) -> Iterator[_Cells | _Free]:
        """Yields the cells of a field, from left to right."""
        empty = self._cell("").encode("utf-8")
        if isinstance(field, TextField):
            yield _Free(index, _TEXT_WIDTH, lambda chunk: self._copied(index, chunk, end))
        elif isinstance(field, SymbolField):
            number = field.numeric != "no"
            cells = [self._cell(text, number=number).encode("utf-8") + end for text in field.texts]
            yield _Cells([*cells, empty + end], _coded(lambda reports: reports, len(cells)), index)
        elif isinstance(field, BitsField):
            yield _bits(index, len(field.names), empty, end)
        else:
            *others, last = range(len(field.names))
            for part in others:
                yield _number(index, field, part, empty, b",")
            yield _number(index, field, last, empty, end)

    def _copied(self, index: int, chunk: Chunk, end: bytes) -> tuple[pa.Array, _Integers]:
        """Returns the cells of texts that are copied, and which each record has."""
        assert not isinstance(chunk, PartialChunk)  # noqa: S101 - refused by `rows_of`
        if isinstance(chunk, CodedTexts) and len(chunk.texts) <= _TEXTS_MOST:
            known = self._kept.get(index)
            if known is None or known[0] is not chunk.texts:
                known = self._kept[index] = chunk.texts, self._quoted(chunk.texts, end)
            return known[1], chunk.codes
        texts = chunk.array() if isinstance(chunk, CodedTexts) else pa.array(chunk, pa.string())
        encoded = texts.dictionary_encode()
        return self._quoted(encoded.dictionary, end), encoded.indices.to_numpy()

    def _quoted(self, texts: pa.Array, end: bytes) -> pa.Array:
        cells = [self._cell(text).encode("utf-8") + end for text in texts.to_pylist()]
        return pa.array(cells, type=pa.binary())


@dataclass(frozen=True, slots=True)
class _Free:
    """One cell of a line whose text is of no list.

    Attributes:
        field: Position of its field.
        width: Bytes that its text has at most, or about so many where it is copied.
        cells: Returns the texts of a chunk, with the separator, and which each record has.
    """

    field: int
    width: int
    cells: Callable[[Chunk], tuple[pa.Array, _Integers]]


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring cells as one list of all their combinations.

    Attributes:
        parts: The cells.
        texts: The bytes of each combination, the last part's code running fastest.
    """

    parts: tuple[_Cells, ...]
    texts: list[bytes]

    @classmethod
    def of(cls, parts: Sequence[_Cells]) -> _Run:
        combined = product(*(part.texts for part in parts))
        return cls(tuple(parts), [b"".join(texts) for texts in combined])

    def codes(self, chunks: Sequence[Chunk]) -> _Integers:
        """Returns which combination each record has, shape (rows,)."""
        first, *others = self.parts
        codes = first.codes_of(chunks[first.field])
        if others:
            codes = codes.astype(np.int32)
        for part in others:
            codes *= np.int32(len(part.texts))
            np.add(codes, part.codes_of(chunks[part.field]), out=codes, casting="unsafe")
        return codes


def _runs(parts: Sequence[_Cells | _Free]) -> Iterator[_Run | _Free]:
    """Yields the cells of a line, neighbours together as long as their combinations are few."""
    waiting: list[_Cells] = []
    for part in (*parts, None):
        if isinstance(part, _Cells):
            together = [*waiting, part]
            count = prod(len(one.texts) for one in together)
            size = count * sum(max(map(len, one.texts)) for one in together)
            if not waiting or (count <= _RUN_CELLS and size <= _RUN_BYTES):
                waiting = together
                continue
        if waiting:
            yield _Run.of(waiting)
        waiting = [part] if isinstance(part, _Cells) else []
        if isinstance(part, _Free):
            yield part


def _coded(
    codes: Callable[[npt.NDArray[Any]], _Integers], absent: int
) -> Callable[[Chunk], _Integers]:
    """Returns what codes the records of a chunk; those without a report have the code `absent`."""

    def codes_of(chunk: Chunk) -> _Integers:
        reports, missing = split_chunk(chunk)
        found = codes(reports)
        return found if missing is None else np.where(missing, np.int32(absent), found)

    return codes_of


def _bits(index: int, count: int, empty: bytes, end: bytes) -> _Cells | _Free:
    """The indicators of a report; few are coded as the number that they are the bits of."""
    absent = b",".join([empty] * count) + end
    if count <= _LISTED_BITS:
        texts = [b",".join(bits) + end for bits in product((b"0", b"1"), repeat=count)]

        def number(reports: npt.NDArray[Any]) -> _Integers:
            return np.packbits(reports, axis=1)[:, 0] >> np.uint8(_LISTED_BITS - count)

        return _Cells([*texts, absent], _coded(number, len(texts)), index)

    def cells(chunk: Chunk) -> tuple[pa.Array, _Integers]:
        bits, missing = split_chunk(chunk)
        found = _indicator_cells(bits, end)
        if missing is not None:
            found = pc.if_else(pa.array(missing), pa.scalar(absent), found)
        return found, np.arange(len(found), dtype=np.int32)

    return _Free(index, len(absent) + count, cells)


def _number(
    index: int, field: IntegersField, part: int, empty: bytes, end: bytes
) -> _Cells | _Free:
    """One whole number of a report."""
    limit = field.limits[part]
    if limit <= _LISTED_MOST:
        texts = [str(number).encode("ascii") + end for number in range(limit)]
        if field.blanks:
            texts[-1] = empty + end
        return _Cells([*texts, empty + end], _coded(lambda r: r[:, part], limit), index)

    def cells(chunk: Chunk) -> tuple[pa.Array, _Integers]:
        reports, missing = split_chunk(chunk)
        numbers = reports[:, part]
        texts = pa.array(numbers).cast(pa.string()).cast(pa.binary())
        blank = missing
        if field.blanks:
            last = numbers == limit - 1
            blank = last if missing is None else last | missing
        if blank is not None:
            texts = pc.if_else(pa.array(blank), pa.scalar(empty), texts)
        joined = pc.binary_join_element_wise(texts, pa.scalar(end), b"")
        return joined, np.arange(len(joined), dtype=np.int32)

    return _Free(index, len(str(limit)) + 2, cells)


def _indicator_cells(bits: _Integers, end: bytes) -> pa.Array:
    """Each row of 0 and 1 as one text `0,1,0`, with what stands behind it."""
    rows, k = bits.shape
    text = np.full((rows, 2 * k), ord(","), dtype=np.uint8)
    np.add(bits, ord("0"), out=text[:, 0::2], casting="unsafe")
    text[:, -1] = ord(end)
    offsets = np.arange(rows + 1, dtype=np.int32) * np.int32(2 * k)
    return pa.Array.from_buffers(
        pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    )


def _contents(texts: pa.Array) -> memoryview:
    """All bytes of an array of texts, one after the other."""
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int32)
    first, last = int(bounds[texts.offset]), int(bounds[texts.offset + len(texts)])
    return memoryview(data)[first:last]
