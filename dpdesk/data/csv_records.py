"""Reads the records of a release from CSV, in pieces and on several cores.

A CSV parser makes a text of every cell, which takes half a minute for 10,000 columns and 20,000
records. So indicator columns are cut out of the file and read as bytes: `CsvRecords` writes the k
indicators of a report as one run of 2k - 1 bytes, `0,1,0`, or as k - 1 commas without a report.
Only the rest is parsed, and of it only what is needed. A piece that is written in another way goes
as a whole to the reader of any delimited text, which also says what is wrong with it.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

from dpdesk.data.header import unique_names
from dpdesk.data.output_fields import BitsField, OutputField, csv_cell
from dpdesk.data.read_file import load_bytes
from dpdesk.data.reading import Reading
from dpdesk.data.records import (
    ABSENT,
    CutRecords,
    Heard,
    Records,
    RecordSource,
    TextRecords,
    encoded_texts,
    in_parts,
    rows_of_a_part,
)
from dpdesk.data.structure import LONGEST_RECORD
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.texts import T
from dpdesk.data.write_csv import restore
from dpdesk.errors import InputError

# A cell of RFC 4180; possessive, so that the time is linear.
_CELL = rb'(?:"(?:[^"]++|"")*+"|[^,"\r\n]*+)'
_HEADER_CELL = re.compile(rb"(" + _CELL + rb")(,|\n)")
_COMMA, _ZERO = ord(","), ord("0")
# Bytes of runs that are examined together.
_PIECE = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class CutIndicators:
    """A CSV file in two parts.

    Attributes:
        rows: Number of records.
        indicators: The bits of each field, int8, shape (rows, k), by the names of its columns;
            -1 throughout a record without a report.
        rest: The file without them, with its header; empty if there is no other column.
    """

    rows: int
    indicators: dict[tuple[str, ...], npt.NDArray[np.int8]]
    rest: bytes


def cut_indicators(raw: bytes, fields: Sequence[BitsField]) -> CutIndicators | None:
    """Cuts the runs of some fields out of a file.

    Returns:
        Both parts; None if the file is not written as `CsvRecords` writes it.
    """
    header = _header(raw)
    if header is None:
        return None
    names, start = header
    owners = _owners(names, fields)
    if owners is None or start >= len(raw):
        return None
    segments = [(owner, len(list(group))) for owner, group in groupby(owners)]
    runs = _walk(raw, start, segments)
    if runs is None:
        return None
    starts, lines = runs
    indicators = {}
    for owner, positions in starts.items():
        bits = _bits(raw, np.array(positions, dtype=np.int64), len(fields[owner].names))
        if bits is None:
            return None
        indicators[fields[owner].names] = bits
    others = [name for name, owner in zip(names, owners, strict=True) if owner < 0]
    rest = b"\n".join([b",".join(others), *lines]) + b"\n" if others else b""
    return CutIndicators(len(next(iter(starts.values()))), indicators, rest)


def _header(raw: bytes) -> tuple[list[bytes], int] | None:
    """The cells of the first line, None if two are equal, and where the second line begins."""
    names: list[bytes] = []
    at = 0
    while match := _HEADER_CELL.match(raw, at):
        names.append(match[1])
        at = match.end()
        if match[2] == b"\n":
            return (names, at) if len(set(names)) == len(names) else None
    return None


def _owners(names: list[bytes], fields: Sequence[BitsField]) -> list[int] | None:
    """The position of each column's field; -1 for the other columns."""
    owners = [-1] * len(names)
    place = {name: position for position, name in enumerate(names)}
    for owner, field in enumerate(fields):
        cells = [csv_cell(name).encode("utf-8") for name in field.names]
        first = place.get(cells[0], -1)
        if first < 0 or names[first : first + len(cells)] != cells:
            return None
        owners[first : first + len(cells)] = [owner] * len(cells)
    return owners


def _walk(
    raw: bytes, start: int, segments: list[tuple[int, int]]
) -> tuple[dict[int, list[int]], list[bytes]] | None:
    """Where the runs begin, -1 in records without a report, and the bytes beside them."""
    parts = [
        # A run is measured here and examined later, for all rows at a time.
        b"([01](?s:.{%d})|,{%d})" % (2 * size - 2, size - 1)
        if owner >= 0
        else b"(" + b",".join([_CELL] * size) + b")"
        for owner, size in segments
    ]
    record = re.compile(b",".join(parts) + rb"(?:\n|\Z)")
    groups = list(enumerate((owner for owner, _ in segments), start=1))
    runs = [(group, owner) for group, owner in groups if owner >= 0]
    others = [group for group, owner in groups if owner < 0]
    alone = sum(size for owner, size in segments if owner < 0) == 1
    starts: dict[int, list[int]] = {owner: [] for _, owner in runs}
    lines: list[bytes] = []
    at, end = start, len(raw)
    while at < end:
        match = record.match(raw, at)
        if match is None:
            return None
        for group, owner in runs:
            begin, stop = match.span(group)
            present = begin < stop and raw[begin] != _COMMA
            starts[owner].append(begin if present else -1)
        if others:
            # An empty cell alone on its line would be a blank line.
            lines.append(b",".join([match[group] for group in others]) or b'""' * alone)
        at = match.end()
    return starts, lines


def _bits(raw: bytes, starts: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int8] | None:
    """The bits of all runs of a field; None if one holds anything but 0 and 1."""
    bits = np.full((starts.size, size), -1, dtype=np.int8)
    present = np.flatnonzero(starts >= 0)
    text, width = np.frombuffer(raw, dtype=np.uint8), 2 * size - 1
    if present.size == 0:
        return bits
    runs = np.lib.stride_tricks.sliding_window_view(text, width)
    step = max(1, _PIECE // width)
    for first in range(0, present.size, step):
        rows = present[first : first + step]
        piece = runs[starts[rows]]
        digits = piece[:, 0::2] - np.uint8(_ZERO)
        if (piece[:, 1::2] != _COMMA).any() or digits.max() > 1:
            return None
        bits[rows] = digits.view(np.int8)
    return bits


# Below it, parsing each cell takes no longer than looking for the runs of each record.
_FEWEST_INDICATORS = 32
READ_AT_ONCE = 1 << 21
"""Bytes of a file that are parsed together. More of them leave gaps in memory that add up."""
_NAMED_BY = 1 << 16
"""Bytes of records that are looked at for the names of the columns."""
_MOST_THREADS = 4
_TEXTS = pa.dictionary(pa.int32(), pa.string())
_ODD_STARTS = (b"\r", b"\n", b"sep=", b"\xff\xfe", b"\xfe\xff")
"""How a file begins that is not a header and records: it is read as any other text, at once."""

Open = Callable[[], AbstractContextManager[BinaryIO]]


class CsvSource(RecordSource):
    """The records of a CSV file, in constant memory.

    Args:
        name: Name of the file, for messages.
        opened: Opens it for reading its text.
        size: Bytes that are read of it, for what is said of progress; 0 where nobody knows.
        fields: The fields that the release wrote.

    Raises:
        InputError: It is not a table.
    """

    def __init__(self, name: str, opened: Open, size: int, fields: Sequence[OutputField]) -> None:
        self._name, self._opened, self._size = name, opened, size
        self._rows = rows_of_a_part(fields)
        with opened() as file:
            self._head, body = _beginning(file)
        table = restored(load_bytes(self._head + body, name))
        self._columns = table.names
        self.names = frozenset(table.names)
        bits = [field for field in fields if isinstance(field, BitsField)]
        is_wide = sum(len(field.names) for field in bits) >= _FEWEST_INDICATORS
        self._cut = [field for field in bits if is_wide and self.names.issuperset(field.names)]

    def parts(self, names: Collection[str], heard: Heard = lambda _: None) -> Iterator[Records]:
        asked = [field for field in self._cut if not set(field.names).isdisjoint(names)]
        indicators = {name for field in asked for name in field.names}
        wanted = [n for n in self._columns if n in set(names) and n not in indicators]
        first = 0
        for part in in_parts(self._pieces(wanted, asked, heard), self._rows):
            yield self._part(part, wanted, asked, first)
            first += part.num_rows

    def _part(
        self, part: pa.Table, wanted: Sequence[str], asked: Sequence[BitsField], first: int
    ) -> Records:
        columns = tuple(
            TextColumn.from_chunks(name, part.column(place)).mapped(restore)
            for place, name in enumerate(wanted)
        )
        rest = None
        if columns:
            rest = TextRecords(SurveyTable(columns, part.num_rows, Reading()), first)
        if rest is not None and not asked:
            return rest
        bits = {
            field.names: _matrix(part.column(place), len(field.names))
            for place, field in enumerate(asked, start=len(wanted))
        }
        return CutRecords(part.num_rows, bits, rest, first)

    def _pieces(
        self, wanted: Sequence[str], asked: Sequence[BitsField], heard: Heard
    ) -> Iterator[pa.Table]:
        """Yields the columns, and behind them the indicators of each field, piece by piece.

        Pieces are parsed ahead by other threads; each has as many bytes, whatever they hold.
        """
        threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
        ahead: deque[tuple[float, Future[pa.Table]]] = deque()
        with self._opened() as file, ThreadPoolExecutor(threads) as pool:
            try:
                file.read(len(self._head))
                at = len(self._head)
                for body in _bodies(file, self._name):
                    start, at = at, at + len(body)
                    parse = pool.submit(self._parsed, body, start, wanted, asked)
                    ahead.append((at / self._size if self._size else 0.0, parse))
                    if len(ahead) > threads:
                        read, parsed = ahead.popleft()
                        yield parsed.result()
                        heard(min(read, 1.0))
                while ahead:
                    read, parsed = ahead.popleft()
                    yield parsed.result()
                    heard(min(read, 1.0))
            finally:
                for _, parse in ahead:
                    parse.cancel()

    def _parsed(
        self, body: bytes, start: int, wanted: Sequence[str], asked: Sequence[BitsField]
    ) -> pa.Table:
        """Reads a piece that begins at a byte of the file."""
        if not asked:
            found = _plain(body, self._columns, wanted)
            return _side_by_side(found or self._columns_of(self._loaded(body, start), wanted), [])
        cut = cut_indicators(self._head + body, self._cut)
        columns = None if cut is None else self._rest(cut, wanted)
        if cut is not None and columns is not None:
            bits = [cut.indicators[field.names] for field in asked]
            # A record without a report has no indicator at all.
            return _side_by_side(columns, [np.where(one < 0, np.int8(ABSENT), one) for one in bits])
        table = self._loaded(body, start)
        cells = [TextRecords(restored(table)).cells(field) for field in asked]
        bits = [np.where(one.empty, np.int8(ABSENT), one.reports) for one in cells]
        return _side_by_side(self._columns_of(table, wanted), bits)

    def _rest(self, cut: CutIndicators, wanted: Sequence[str]) -> list[pa.ChunkedArray] | None:
        """The other columns of a piece; None where they are not written as those of a release."""
        if not wanted:
            return []
        cut_out = {name for field in self._cut for name in field.names}
        others = [name for name in self._columns if name not in cut_out]
        header = _header(cut.rest)
        found = None if header is None else _plain(cut.rest[header[1] :], others, wanted)
        if found is None:
            table = load_bytes(cut.rest, self._name)
            found = self._columns_of(table, wanted, others)
        return found if len(found[0]) == cut.rows else None

    def _loaded(self, body: bytes, start: int) -> SurveyTable:
        """Reads a piece as any other text; an error names its line of the file."""
        try:
            return load_bytes(self._head + body, self._name)
        except InputError as error:
            if error.line is not None and error.line > 1:
                error.line += self._lines_before(start)
            raise

    def _lines_before(self, start: int) -> int:
        """Line ends between the header and a byte of the file."""
        count, left = -self._head.count(b"\n"), start
        with self._opened() as file:
            while left and (piece := file.read(min(left, READ_AT_ONCE))):
                count += piece.count(b"\n")
                left -= len(piece)
        return count

    def _columns_of(
        self, table: SurveyTable, wanted: Sequence[str], columns: Sequence[str] = ()
    ) -> list[pa.ChunkedArray]:
        """The needed columns of a piece that was read as any other text."""
        place = {name: place for place, name in enumerate(columns or self._columns)}
        return [pa.chunked_array([encoded_texts(table.columns[place[name]])]) for name in wanted]


def restored(table: SurveyTable) -> SurveyTable:
    """Returns a table of a file of a release with its texts as before `neutralise`."""
    names, _ = unique_names(tuple(restore(name) for name in table.names), is_written=True)
    columns = tuple(
        column.mapped(restore).renamed(name)
        for column, name in zip(table.columns, names, strict=True)
    )
    return replace(table, columns=columns)


def comes_in_pieces(start: bytes) -> bool:
    """Whether a text that begins with these bytes is a header and records, as far as that tells."""
    return not start.startswith(_ODD_STARTS) and b"\n" in start


def _beginning(file: BinaryIO) -> tuple[bytes, bytes]:
    """The header with its line end, and the first records, or all where there are few."""
    head = body = b""
    while line := file.readline():
        if not head or head.count(b'"') % 2:
            head += line
            continue
        body += line
        if len(body) >= _NAMED_BY and body.count(b'"') % 2 == 0:
            break
    return head, body


def _bodies(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yields the rest of a file in pieces of whole records.

    A line end between quotation marks does not end a record; since quotation marks within a text
    are doubled, those of whole records are even in number.

    Raises:
        InputError: A record is longer than one of a table may be.
    """
    while body := file.read(READ_AT_ONCE):
        parts, more, is_open = [body], 0, body.count(b'"') % 2
        while is_open or not parts[-1].endswith(b"\n"):
            # As far as the record may go: a mark that is never closed makes all that follows one.
            line = file.readline(LONGEST_RECORD + 1)
            if not line:
                break
            more += len(line)
            if more > LONGEST_RECORD:
                raise InputError(T.LONG_RECORD(file=name, size=LONGEST_RECORD >> 20))
            is_open ^= line.count(b'"') % 2
            parts.append(line)
        yield b"".join(parts)


def _plain(
    body: bytes, columns: Sequence[str], wanted: Sequence[str]
) -> list[pa.ChunkedArray] | None:
    """The needed columns of records without quotation marks; None of other records."""
    # A blank line is a record of a single column.
    if len(columns) == 1 or not wanted or any(mark in body for mark in (b'"', b"\r", b"\0")):
        return None
    place = {name: str(place) for place, name in enumerate(columns)}
    keys = [place[name] for name in wanted]
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(body),
            read_options=pa.csv.ReadOptions(
                column_names=list(place.values()), block_size=len(body) + 1, use_threads=False
            ),
            parse_options=pa.csv.ParseOptions(quote_char=False),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(keys, _TEXTS),
                include_columns=keys,
                strings_can_be_null=False,
                null_values=[],
            ),
        )
    except pa.ArrowMemoryError:
        raise
    except pa.ArrowException:
        # The reader of any text says what is wrong.
        return None
    return [table.column(place) for place in range(len(keys))]


def _side_by_side(
    columns: Sequence[pa.ChunkedArray], indicators: Sequence[npt.NDArray[np.int8]]
) -> pa.Table:
    """One table of columns of texts and of indicators."""
    lists = [
        pa.chunked_array(
            [pa.FixedSizeListArray.from_arrays(pa.array(one.reshape(-1)), one.shape[1])]
        )
        for one in (np.ascontiguousarray(bits, dtype=np.int8) for bits in indicators)
    ]
    arrays = [*columns, *lists]
    return pa.Table.from_arrays(arrays, names=[str(place) for place in range(len(arrays))])


def _matrix(bits: pa.ChunkedArray, width: int) -> npt.NDArray[np.int8]:
    """The indicators of a part, shape (rows, width)."""
    pieces = [np.asarray(chunk.flatten()).reshape(-1, width) for chunk in bits.chunks]
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
