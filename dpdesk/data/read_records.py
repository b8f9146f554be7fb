"""Reads the records of a release back, from either of its two files.

A CSV parser makes a text of every cell, which takes half a minute for 10,000 columns and 20,000
records. So indicator columns are cut out of the file and read as bytes: `CsvRecords` writes the k
indicators of a report as one run of 2k - 1 bytes, `0,1,0`, or as k - 1 commas without a report.
Only the rest is parsed. A file with anything else in a run goes to the parser as a whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dpdesk.data.columnar_records import ColumnarRecords
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.header import unique_names
from dpdesk.data.output_fields import BitsField, OutputField, RecordFile, csv_cell
from dpdesk.data.read_file import load_bytes, load_written, read_bytes
from dpdesk.data.record_files import RECORD_FILES
from dpdesk.data.records import CutRecords, Records, TextRecords
from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, is_file, is_folder, open_regular
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import format_of
from dpdesk.data.write_csv import restore
from dpdesk.data.written_column import WrittenColumn

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

    Args:
        raw: The bytes of the file.
        fields: The fields of indicators.

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


# The first bytes of every Parquet file. A text may begin with them, but seldom ends with them too.
_PARQUET = b"PAR1"
# Below it, parsing each cell takes no longer than looking for the runs of each record.
_FEWEST_INDICATORS = 32


def read_records(place: str | os.PathLike[str]) -> SurveyTable:
    """Reads the records of a release back, with their texts as before `neutralise`.

    Args:
        place: The CSV file, or the folder that holds `records.csv`.

    Raises:
        InputError: The file is missing or not a table.
    """
    path = Path(place)
    path = path / CsvRecords.name if is_folder(path) else path
    return _restored(load_bytes(read_bytes(path), path.name))


def open_records(
    place: str | os.PathLike[str],
    fields: Sequence[OutputField],
    columns: Callable[[], Sequence[WrittenColumn]] = tuple,
) -> Records:
    """Opens the records of a release for counting its reports.

    Args:
        place: A file of records in any of their formats, or the folder that holds one of them;
            of several, the CSV file is read, which takes the least time.
        fields: The fields that the release wrote, from `record_fields`; whether their columns
            exist is not checked.
        columns: Returns what was said of their columns, for files of statistics programs.

    Raises:
        InputError: The file is missing or not a table.
    """
    path = records_path(place)
    if _is_parquet(path):
        return ColumnarRecords(path, fields)
    raw = read_bytes(path)
    kind = format_of(raw)
    if kind.writers and CsvRecords not in kind.writers:
        table = load_written(raw, path.name, kind)
        return TextRecords(_as_released(table, kind.writers[0], columns()))
    return _cut(raw, path.name, fields) or TextRecords(_restored(load_bytes(raw, path.name)))


def records_path(place: str | os.PathLike[str]) -> Path:
    """Returns the file that `open_records` reads: of a folder, the first that exists."""
    path = Path(place)
    if not is_folder(path):
        return path
    order = sorted(RECORD_FILES, key=lambda kind: kind.is_asked)
    found = (path / kind.name for kind in order if is_file(path / kind.name))
    return next(found, path / CsvRecords.name)


def _as_released(
    table: SurveyTable, writer: type[RecordFile], columns: Sequence[WrittenColumn]
) -> SurveyTable:
    """Undoes in the table of a file of another program what its format asked for."""
    names = writer.column_names([column.name for column in columns])
    told = dict(zip(names, columns, strict=True))
    found = []
    for texts in table.columns:
        column = told.get(texts.name)
        if column is None:
            found.append(texts)
            continue
        known = dict(zip(writer.read_texts(column), column.texts, strict=True))
        found.append(texts.mapped(partial(_known, known)).renamed(column.name))
    return replace(table, columns=tuple(found))


def _known(texts: Mapping[str, str], text: str) -> str:
    return texts.get(text, text)


def _is_parquet(path: Path) -> bool:
    try:
        with open_regular(path, DATA_MAX) as file:
            if file.read(len(_PARQUET)) != _PARQUET:
                return False
            file.seek(-len(_PARQUET), os.SEEK_END)
            return file.read() == _PARQUET
    except (OSError, FileRefusedError):
        # Reading the file as text reports the cause.
        return False


def _cut(raw: bytes, name: str, fields: Sequence[OutputField]) -> Records | None:
    """The records without parsing their indicators; None if that is not worth it or fails."""
    bits = [field for field in fields if isinstance(field, BitsField)]
    if sum(len(field.names) for field in bits) < _FEWEST_INDICATORS:
        return None
    cut = cut_indicators(raw, bits)
    if cut is None:
        return None
    rest = _restored(load_bytes(cut.rest, name)) if cut.rest else None
    if rest is not None and rest.rows != cut.rows:
        return None
    return CutRecords(cut.rows, cut.indicators, rest)


def _restored(table: SurveyTable) -> SurveyTable:
    names, _ = unique_names(tuple(restore(name) for name in table.names))
    columns = tuple(
        column.mapped(restore).renamed(name)
        for column, name in zip(table.columns, names, strict=True)
    )
    return replace(table, columns=columns)
