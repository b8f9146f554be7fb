"""Loads CSV, TSV and their relatives as text: every answer as it stands, or a located error."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.csv

from dpdesk.data.dialect import DELIMITERS, declared_delimiter, sniff_decimal, sniff_delimiter
from dpdesk.data.encoding import Utf8Text, to_utf8
from dpdesk.data.foreign_format import refuse_control_bytes, refuse_foreign_format, refuse_nul
from dpdesk.data.header import looks_like_answers, numbered_names, unique_names, unquoted
from dpdesk.data.lines import line_of
from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, read_regular
from dpdesk.data.structure import Structure, check_structure
from dpdesk.data.table import SourceFormat, SurveyTable, TextColumn
from dpdesk.errors import InputError

Tick = Callable[[], None]
_T = TypeVar("_T")

_LINE_ENDS = b"\r\n"
# Large enough that each block's dictionary is small beside the block, small enough for two threads
# to share a file of some tens of megabytes.
_PARSE_BLOCK = 1 << 22
# Each block costs some microseconds per column: thousands of columns get larger blocks.
_PARSE_BYTES_PER_COLUMN = 1 << 13
_LARGEST_PARSE_BLOCK = 1 << 26
# A record must fit into a block of the parser, whose size is a 32-bit number.
_LONGEST_RECORD = (1 << 31) - (1 << 20)
# Offsets of 32 bits bound the distinct texts of one column.
_SHORT_OFFSETS = 1 << 30


def load(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool = True,
    tick: Tick | None = None,
) -> SurveyTable:
    """Loads a delimited text file; nothing is interpreted, trimmed, dropped or merged.

    Args:
        path: The file.
        delimiter: The character between fields; guessed if not given.
        encoding: Python's name of the encoding; detected if not given.
        decimal: The decimal mark of numbers, `.` or `,`; guessed if not given.
        header: Whether the first record holds the names of the columns.
        tick: Called between steps; may raise to cancel.

    Returns:
        The table, with notices of everything that was not plain.

    Raises:
        InputError: The file is no table; the error says where, why, and what to do.
    """
    place = Path(path)
    step = tick if tick is not None else _no_tick
    _check_choices(delimiter, decimal)

    def work() -> SurveyTable:
        raw = _read(place, place.name)
        step()
        return _load(raw, place.name, delimiter, encoding, decimal, header, step)

    return _within_memory(work, place.name)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Reads a file whole, as `load` does.

    Raises:
        InputError: It cannot be read, or does not fit into memory.
    """
    place = Path(path)
    return _within_memory(lambda: _read(place, place.name), place.name)


def load_bytes(raw: bytes, name: str) -> SurveyTable:
    """Loads the bytes of a file that dpdesk wrote: commas, UTF-8, decimal points, a header.

    Args:
        raw: The bytes.
        name: Name of the file, for messages.

    Raises:
        InputError: They are no table.
    """
    return _within_memory(lambda: _load(raw, name, ",", "utf-8", ".", True, _no_tick), name)


def _within_memory(work: Callable[[], _T], name: str) -> _T:
    try:
        result = work()
    except MemoryError:
        too_large = InputError(
            f"{name} does not fit into the memory of this computer.",
            remedy="Close other programs, or split the file.",
        )
    else:
        # Arrow keeps what parsing took for later use; a release has better uses for it.
        pa.default_memory_pool().release_unused()
        return result
    # Raised out of the handler: what a library says of it may quote the file.
    raise too_large


def _no_tick() -> None:
    return


def _check_choices(delimiter: str | None, decimal: str | None) -> None:
    if delimiter is not None and (
        len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0'
    ):
        raise InputError(
            "The delimiter must be one ASCII character other than a quotation mark or a line end.",
            remedy="Common ones are comma, semicolon, tab and the vertical bar.",
        )
    if decimal not in (None, ".", ","):
        raise InputError("The decimal mark must be a point or a comma.")


def _read(place: Path, name: str) -> bytes:
    try:
        return read_regular(place, DATA_MAX)
    except FileRefusedError as refused:
        reason = str(refused)
    raise InputError(
        f"{name or 'The file'} cannot be read: {reason}.",
        remedy="Choose a CSV or TSV file that you may read.",
    )


def _load(
    raw: bytes,
    name: str,
    delimiter: str | None,
    encoding: str | None,
    decimal: str | None,
    header: bool,
    step: Tick,
) -> SurveyTable:
    refuse_foreign_format(raw, name)
    text = to_utf8(raw, name, encoding, step)
    del raw
    refuse_control_bytes(text.data, name)
    refuse_nul(text.data, name)
    layout = _layout(text, name, delimiter, step)
    structure = layout.structure
    names, notices = _names(structure, header)
    rows = structure.records - (1 if header else 0)
    if rows == 0:
        raise InputError(
            f"{name} holds the names of its columns and no answers.",
            line=line_of(text.data, layout.start),
            remedy="Load the file that holds the answers, or load this one without a header.",
        )
    first = structure.body if header else layout.start
    body = pa.py_buffer(text.data).slice(first, layout.end - first)
    parsed = _parse(body, layout, name)
    step()
    if parsed.num_rows != rows:
        raise InputError(
            f"{name} holds {rows:,} records, but {parsed.num_rows:,} were read.",
            remedy="The file was not loaded; export it again as CSV in UTF-8.",
        )
    columns = []
    for position, column_name in enumerate(names):
        columns.append(_column(column_name, parsed.column(position), rows))
        step()
    source = SourceFormat(
        delimiter=layout.delimiter,
        encoding=text.encoding,
        decimal=decimal or sniff_decimal(columns, layout.delimiter),
        header=header,
        name=name,
    )
    return SurveyTable(tuple(columns), rows, source, text.notices + layout.notices + notices)


@dataclass(frozen=True)
class _Layout:
    """Where the table lies in the text and how it is written."""

    start: int
    end: int
    delimiter: str
    structure: Structure
    notices: tuple[str, ...]


def _layout(text: Utf8Text, name: str, delimiter: str | None, step: Tick) -> _Layout:
    data = text.data
    declared = declared_delimiter(data)
    start = _skip_line_ends(data, declared[1] if declared else 0)
    end = _last_record_end(data)
    if end <= start:
        raise InputError(f"{name} is empty.", remedy="Load the file that holds the answers.")
    if delimiter is None:
        delimiter = declared[0] if declared else sniff_delimiter(data, start, end)
    structure = check_structure(data, start, end, delimiter, name, step)
    notices = []
    if structure.columns == 1:
        blank = line_of(data, len(data)) - line_of(data, end) - 1
        if blank > 0:
            lines = "1 blank line" if blank == 1 else f"{blank:,} blank lines"
            notices.append(f"{lines} at the end of the file: not counted as answers.")
        if delimiter != "," and data.find(b",", start, end) >= 0:
            notices.append(
                "The file was read as one column, although commas stand in it. "
                "If it has several columns, choose the delimiter."
            )
    if structure.blank_lines:
        count = structure.blank_lines
        lines = "1 blank line was" if count == 1 else f"{count:,} blank lines were"
        notices.append(f"{lines} skipped between records.")
    if structure.quoted_line_ends:
        count = structure.quoted_line_ends
        many = "1 line break stands" if count == 1 else f"{count:,} line breaks stand"
        notices.append(f"{many} within quoted answers; the answers were kept whole.")
    return _Layout(start, end, delimiter, structure, tuple(notices))


def _skip_line_ends(data: bytes | bytearray, start: int) -> int:
    while start < len(data) and data[start] in _LINE_ENDS:
        start += 1
    return start


def _last_record_end(data: bytes | bytearray) -> int:
    end = len(data)
    while end and data[end - 1] in _LINE_ENDS:
        end -= 1
    return end


def _names(structure: Structure, header: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not header:
        return numbered_names(structure.columns), ()
    given = unquoted(structure.first_fields)
    names, notices = unique_names(given)
    if looks_like_answers(given):
        notices += (
            "The first line holds only numbers. If it is an answer and not the names of the "
            "columns, load the file without a header.",
        )
    return names, notices


def _parse(body: pa.Buffer, layout: _Layout, name: str) -> pa.Table:
    structure = layout.structure
    if structure.longest_record > _LONGEST_RECORD:
        raise InputError(f"A record of {name} is longer than 2 GB.", remedy="Split the file.")
    keys = [str(position) for position in range(structure.columns)]
    wanted = min(_LARGEST_PARSE_BLOCK, _PARSE_BYTES_PER_COLUMN * structure.columns)
    texts = pa.large_string() if body.size > _SHORT_OFFSETS else pa.string()
    encoded = pa.dictionary(pa.int32(), texts)
    try:
        return pa.csv.read_csv(
            pa.BufferReader(body),
            read_options=pa.csv.ReadOptions(
                column_names=keys,
                block_size=max(_PARSE_BLOCK, wanted, structure.longest_record + 4),
            ),
            parse_options=pa.csv.ParseOptions(
                delimiter=layout.delimiter,
                quote_char='"',
                double_quote=True,
                escape_char=False,
                newlines_in_values=structure.quoted_line_ends > 0,
                ignore_empty_lines=structure.columns > 1,
            ),
            convert_options=pa.csv.ConvertOptions(
                column_types=dict.fromkeys(keys, encoded),
                strings_can_be_null=False,
                null_values=[],
            ),
        )
    except pa.ArrowMemoryError:
        raise
    except pa.ArrowException:
        # Its text quotes a record; nothing of it may travel on, not even as the cause.
        failed = InputError(
            f"{name} could not be read as a table delimited by "
            f"{DELIMITERS.get(layout.delimiter, 'the chosen character')}.",
            remedy="Choose the delimiter, or export the file again as CSV in UTF-8.",
        )
    raise failed


def _column(name: str, chunks: pa.ChunkedArray, rows: int) -> TextColumn:
    unified = chunks.unify_dictionaries()
    codes = np.empty(rows, dtype=np.int32)
    filled = 0
    for chunk in unified.chunks:
        codes[filled : filled + len(chunk)] = chunk.indices.to_numpy(zero_copy_only=False)
        filled += len(chunk)
    return TextColumn(name, codes, unified.chunk(0).dictionary)
