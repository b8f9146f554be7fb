"""Reads delimited text into a table: every answer unchanged, or an error with its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import pyarrow as pa
import pyarrow.csv

from dpdesk.data.dialect import declared_delimiter, sniff_decimal, sniff_delimiter
from dpdesk.data.encoding import UNREADABLE, Utf8Text, line_of, to_utf8, to_utf8_by_cells
from dpdesk.data.header import looks_like_answers, numbered_names, unquoted
from dpdesk.data.reading import DELIMITERS, Reading
from dpdesk.data.structure import (
    Structure,
    check_structure,
    refuse_binary,
)
from dpdesk.data.survey_platforms import HEADER_LINES, HeaderTold, header_told
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.errors import InputError

Tick = Callable[[], None]

_LINE_ENDS = b"\r\n"
# Large enough that each block's dictionary is small beside the block, small enough for two threads
# to share a file of some tens of megabytes.
_PARSE_BLOCK = 1 << 22
# Each block costs some microseconds per column: thousands of columns get larger blocks.
_PARSE_BYTES_PER_COLUMN = 1 << 13
_LARGEST_PARSE_BLOCK = 1 << 26
_PATIENCE = 2_000
"""Milliseconds that Arrow gets to release the buffer that it read."""

# A record must fit into a block of the parser, whose size is a 32-bit number.
_LONGEST_RECORD = (1 << 31) - (1 << 20)
# Offsets of 32 bits bound the distinct texts of one column.
_SHORT_OFFSETS = 1 << 30


@dataclass(frozen=True)
class DelimitedLoad:
    """One loading of a delimited text.

    Attributes:
        wanted: How the file is read; its values do not count for parts that are detected.
        name: Name of the file, for messages.
        step: Called between steps.
        found: Parts of the reading that are detected from the file.
        names_alone: Whether the names of the columns are enough.
        detects_platform: Whether the header of a program on the web is looked for.
    """

    wanted: Reading
    name: str
    step: Tick
    found: frozenset[str] = frozenset()
    names_alone: bool = False
    detects_platform: bool = False

    def table(self, raw: bytes) -> SurveyTable:
        """Reads the bytes of the text.

        Raises:
            InputError: They are no table; the error says where, why, and what to do.
        """
        name, wanted = self.name, self.wanted
        text = self._text(raw)
        del raw
        refuse_binary(text.data, name)
        layout = self._layout(text)
        structure = layout.structure
        header = self._header(text, layout)
        names, header_rows = header.names, header.rows
        rows = layout.records - header_rows
        said = {"header_rows": header_rows, "platform": header.platform}
        if rows <= 0 and self.names_alone and header_rows:
            reading = wanted.model_copy(
                update={"encoding": text.encoding, "delimiter": layout.delimiter} | said
            )
            empty = tuple(TextColumn.from_texts(column, ()) for column in names)
            notices = text.notices + header.notices
            table = SurveyTable(empty, 0, reading, name, False, notices)
            return replace(table, described=header.described, declared=header.questions)
        if rows <= 0:
            raise InputError(
                f"{name} holds the names of its columns and no answers.",
                line=line_of(text.data, layout.start),
                remedy="Load the file that holds the answers, or load this one without a header.",
            )
        first = structure.first_starts[header_rows] if header_rows else layout.start
        if header_rows == structure.records:
            # Nothing but blank answers follows, which begin behind the line end of the header.
            first += 2 if text.data[first : first + 2] == b"\r\n" else 1
        with memoryview(text.data) as whole:
            lent = whole[first : layout.end]
            try:
                parsed = _parse(lent, layout, wanted.quote, name)
            finally:
                _take_back(lent)
        self.step()
        if parsed.num_rows != rows:
            raise InputError(
                f"{name} holds {rows:,} records, but {parsed.num_rows:,} were read.",
                remedy="The file was not loaded; export it again as CSV in UTF-8.",
            )
        columns = []
        for position, column_name in enumerate(names):
            columns.append(TextColumn.from_chunks(column_name, parsed.column(position)))
            self.step()
        decimal: str = wanted.decimal
        if "decimal" in self.found:
            decimal = sniff_decimal(columns, layout.delimiter)
        marks = {"encoding": text.encoding, "delimiter": layout.delimiter, "decimal": decimal}
        reading = wanted.model_copy(update={**marks, **said, "questions": ()})
        notices = text.notices + layout.notices + header.notices
        return SurveyTable(
            tuple(columns),
            rows,
            reading,
            name,
            bool(self.found),
            notices,
            described=header.described,
            declared=header.questions,
        )

    def _text(self, raw: bytes) -> Utf8Text:
        if "encoding" in self.found:
            return to_utf8(raw, self.name, None, self.step)
        if self.found:
            return to_utf8(raw, self.name, self.wanted.encoding, self.step)
        return to_utf8_by_cells(raw, self.name, self.wanted.encoding, self.step)

    def _layout(self, text: Utf8Text) -> _Layout:
        data, name = text.data, self.name
        declared_mark = declared_delimiter(data)
        begin = declared_mark[1] if declared_mark else 0
        start, end = _skip_line_ends(data, begin), _last_record_end(data)
        if end <= start:
            raise InputError(f"{name} is empty.", remedy="Load the file that holds the answers.")
        delimiter = self.wanted.delimiter
        if "delimiter" in self.found:
            delimiter = declared_mark[0] if declared_mark else sniff_delimiter(data, start, end)
        elif declared_mark and declared_mark[0] != delimiter and not self.found:
            raise InputError(
                f"The first line of {name} names another delimiter than the one that is declared.",
                line=1,
                remedy="Remove that line, or declare its delimiter.",
            )
        quote = self.wanted.quote
        structure = check_structure(data, start, end, delimiter, name, self.step, quote)
        records = structure.records
        if structure.columns == 1:
            # A blank line is a missing answer, wherever it is: if it counted only before the last
            # answer, that answer would decide on all blank ones behind it.
            records += line_of(data, len(data)) - line_of(data, end) - 1
            records += 0 if data[-1] in _LINE_ENDS else 1
            end = len(data)
            if not self.wanted.header_rows:
                records += line_of(data, start) - line_of(data, begin)
                start = begin
        notices = _notices(data, structure, delimiter, start, end)
        return _Layout(start, end, delimiter, structure, records, notices)

    def _header(self, text: Utf8Text, layout: _Layout) -> HeaderTold:
        structure, rows = layout.structure, self.wanted.header_rows
        if not rows:
            return HeaderTold(numbered_names(structure.columns), 0)
        lines = self._first_lines(text, layout)
        if any(UNREADABLE in name for name in lines[0]):
            raise InputError(
                f"A name of a column of {self.name} holds bytes that are invalid in the declared "
                "encoding.",
                line=1,
                remedy="Declare the encoding that the file was saved in, or save it as UTF-8.",
            )
        told = header_told(lines, rows, self.wanted.platform, detects=self.detects_platform)
        if looks_like_answers(lines[0]):
            numbers = (
                "The first line holds numbers or dates where names of columns are expected. If it "
                "is a respondent's answers, load the file without a header; if it holds the names, "
                "confirm that, for a release publishes them."
            )
            return replace(told, notices=(*told.notices, numbers))
        return told

    def _first_lines(self, text: Utf8Text, layout: _Layout) -> list[tuple[str, ...]]:
        """The cells of the first records, of which the first has the names of the columns."""
        structure, quote = layout.structure, self.wanted.quote
        lines = [unquoted(structure.first_fields, quote)]
        if not self.wanted.platform and not self.detects_platform:
            return lines
        more = structure.first_starts[1 : HEADER_LINES + 1]
        for start, end in pairwise(more):
            record = bytes(text.data[start:end]).rstrip(b"\r\n")
            found = check_structure(
                record, 0, len(record), layout.delimiter, self.name, quote=quote
            )
            lines.append(unquoted(found.first_fields, quote))
        return [line for line in lines if len(line) == structure.columns]


@dataclass(frozen=True)
class _Layout:
    """The table's position in the text and how it is written."""

    start: int
    end: int
    delimiter: str
    structure: Structure
    records: int
    notices: tuple[str, ...]


def _notices(
    data: bytes | bytearray, structure: Structure, delimiter: str, start: int, end: int
) -> tuple[str, ...]:
    notices = []
    if structure.columns == 1:
        blank = line_of(data, len(data)) - line_of(data, _last_record_end(data)) - 1
        if blank > 0:
            notices.append(
                "1 blank line at the end of the file: an answer that was not given."
                if blank == 1
                else f"{blank:,} blank lines at the end of the file: answers that were not given."
            )
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
    return tuple(notices)


def _skip_line_ends(data: bytes | bytearray, start: int) -> int:
    while start < len(data) and data[start] in _LINE_ENDS:
        start += 1
    return start


def _last_record_end(data: bytes | bytearray) -> int:
    end = len(data)
    while end and data[end - 1] in _LINE_ENDS:
        end -= 1
    return end


def _take_back(lent: memoryview) -> None:
    """Waits until Arrow's threads have released the bytes.

    They do so a moment after their work is done, and need Python for it: a program that ends in
    that moment would be aborted.
    """
    for _ in range(_PATIENCE):
        try:
            lent.release()
        except BufferError:
            time.sleep(0.001)
        else:
            return


def _parse(body: memoryview, layout: _Layout, quote: str, name: str) -> pa.Table:
    structure = layout.structure
    if structure.longest_record > _LONGEST_RECORD:
        raise InputError(f"A record of {name} is longer than 2 GB.", remedy="Split the file.")
    keys = [str(position) for position in range(structure.columns)]
    wanted = min(_LARGEST_PARSE_BLOCK, _PARSE_BYTES_PER_COLUMN * structure.columns)
    texts = pa.large_string() if body.nbytes > _SHORT_OFFSETS else pa.string()
    encoded = pa.dictionary(pa.int32(), texts)
    try:
        return pa.csv.read_csv(
            pa.BufferReader(pa.py_buffer(body)),
            read_options=pa.csv.ReadOptions(
                column_names=keys,
                block_size=max(_PARSE_BLOCK, wanted, structure.longest_record + 4),
            ),
            parse_options=pa.csv.ParseOptions(
                delimiter=layout.delimiter,
                quote_char=quote or False,
                double_quote=bool(quote),
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
        # The error's text quotes a record, so it must not be passed on, not even as the cause.
        failed = InputError(
            f"{name} could not be read as a table delimited by "
            f"{DELIMITERS.get(layout.delimiter, 'the chosen character')}.",
            remedy="Choose the delimiter, or export the file again as CSV in UTF-8.",
        )
    raise failed
