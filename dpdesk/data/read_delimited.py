"""Reads delimited text into a table: every answer unchanged, or an error with its place.

The text is read block by block, so that no more of it is in memory than some megabytes: one thread
reads, decodes, checks and cuts it between records, another one parses what is cut.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import pyarrow as pa
import pyarrow.csv

from dpdesk.data.block_columns import BlockColumns
from dpdesk.data.dialect import (
    SAMPLE_BYTES,
    declared_delimiter,
    record_widths,
    sniff_decimal,
    sniff_delimiter,
    title_records,
)
from dpdesk.data.encoding import (
    UNREADABLE,
    LineCount,
    NotUtf8Error,
    TextPieces,
    detected_encoding,
    marked_encoding,
    seems_wide,
)
from dpdesk.data.foreign_format import refuse_binary
from dpdesk.data.header import is_sentence, looks_like_answers, numbered_names, unquoted
from dpdesk.data.reading import Reading
from dpdesk.data.source import Source
from dpdesk.data.structure import RecordBlock, Structure, fields_of
from dpdesk.data.survey_platforms import HEADER_LINES, HeaderTold, header_told
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T
from dpdesk.errors import InputError
from dpdesk.i18n import Message

PIECE = 1 << 20
"""Bytes of the file that are read and checked together: more leave the processor's cache."""

PARSE_BLOCK = 1 << 22
"""Bytes that are parsed together: many, so that each block's dictionary is small beside it."""

# Parsing a block costs some microseconds per column: thousands of columns get larger blocks.
_PARSE_BYTES_PER_COLUMN = 1 << 13
_LARGEST_PARSE_BLOCK = 1 << 26
_PATIENCE = 2_000
"""Milliseconds that Arrow gets to release the buffer that it read."""

_LINE_ENDS = b"\r\n"
_BLANK_TOGETHER = 1 << 16


@dataclass(frozen=True)
class DelimitedLoad:
    """One loading of a delimited text.

    Attributes:
        wanted: How the file is read; its values do not count for parts that are detected.
        name: Name of the file, for messages.
        found: Parts of the reading that are detected from the file.
        names_alone: Whether the names of the columns are enough.
        detects_platform: Whether the header of a program on the web is looked for.
        detects_names: Whether the line of the names is looked for below a title.
        is_written: Whether dpdesk wrote the file, whose names stay with their blanks.
    """

    wanted: Reading
    name: str
    found: frozenset[str] = frozenset()
    names_alone: bool = False
    detects_platform: bool = False
    detects_names: bool = False
    is_written: bool = False

    def table(self, source: Source) -> SurveyTable:
        """Reads a text.

        Raises:
            InputError: It is no table; the error says where, why, and what to do.
        """
        if "encoding" not in self.found:
            text = self._text(source, self.wanted.encoding, by_cells=not self.found)
            return self._read(source, text)
        marked = marked_encoding(source.head)
        if marked is not None or not seems_wide(source.head):
            # Nearly always right, and shown by reading the text.
            try:
                guess = self._text(source, marked or "utf-8", is_guess=marked is None)
                return self._read(source, guess)
            except NotUtf8Error:
                pass
        encoding, notices = detected_encoding(self._pieces(source), self.name)
        table = self._read(source, self._text(source, encoding))
        return replace(table, notices=(*notices, *table.notices))

    def _read(self, source: Source, text: TextPieces) -> SurveyTable:
        name, wanted = self.name, self.wanted
        begun = self._begun(text)
        structure = Structure(begun.delimiter, name, wanted.quote, begun.line, begun.titles)
        blocks = structure.blocks(begun.pieces)
        first = next(blocks)
        header = self._header(first.text, structure, begun.delimiter)
        # One column: a blank line is a missing answer, wherever it is. If it counted only before
        # the last answer, that answer would decide on all blank ones behind it.
        blank = begun.blank_lines if structure.columns == 1 and not wanted.header_rows else 0
        answers = _answers(first, blocks, structure.first_starts, header.rows)
        parser = _Parser(structure.columns, begun.delimiter, wanted.quote, name)
        with closing(BlockColumns(structure.columns, name)) as columns:
            together = parser.together(chain(_blank_records(blank), answers))
            columns.fill(together, parser.encoded, source.tick)
            rows = structure.records - header.rows + blank
            source.tick()
            if rows <= 0 and not (self.names_alone and header.rows):
                raise InputError(T.NAMES_ALONE(file=name), line=begun.line)
            found = columns.finish(header.names)
        source.tick()
        marks = {"encoding": text.encoding, "delimiter": begun.delimiter}
        if rows > 0:
            detects = "decimal" in self.found
            marks["decimal"] = sniff_decimal(found, begun.delimiter) if detects else wanted.decimal
        said = {"header_rows": header.rows, "platform": header.platform, "joined_rows": None}
        own = _notices(structure) if rows > 0 else ()
        return SurveyTable(
            found,
            max(rows, 0),
            wanted.model_copy(update=marks | said | ({"questions": ()} if rows > 0 else {})),
            name,
            rows > 0 and bool(self.found),
            (*text.notices, *own, *header.notices),
            described=header.described,
            declared=header.questions,
        )

    def _pieces(self, source: Source) -> Callable[[], Iterator[bytes]]:
        return lambda: source.pieces(PIECE)

    def _text(
        self, source: Source, encoding: str, *, by_cells: bool = False, is_guess: bool = False
    ) -> TextPieces:
        pieces = self._pieces(source)
        return TextPieces(pieces, self.name, encoding, by_cells=by_cells, is_guess=is_guess)

    def _begun(self, text: TextPieces) -> _Begun:
        """Looks at the beginning of the text.

        Raises:
            InputError: There is nothing in it, or it names another delimiter than is declared.
        """
        name = self.name
        pieces = iter(text)
        head, _ = _filled(b"", pieces)
        refuse_binary(head, name)
        declared_mark = declared_delimiter(head)
        table = declared_mark[1] if declared_mark else 0
        lines = LineCount()
        lines.see(head[:table])
        first_line = lines.line
        body = head[table:]
        while not (kept := body.lstrip(_LINE_ENDS)):
            lines.see(body)
            body = next(pieces, b"")
            if not body:
                raise InputError(T.EMPTY_FILE(file=name))
        lines.see(body[: len(body) - len(kept)])
        body, is_whole = _filled(kept, pieces)
        delimiter: str = self.wanted.delimiter
        if "delimiter" in self.found:
            sample = body.rstrip(_LINE_ENDS)[:SAMPLE_BYTES]
            sniffed = declared_mark or (sniff_delimiter(sample, is_whole, lambda: iter(text)), 0)
            delimiter = sniffed[0]
        elif declared_mark and declared_mark[0] != delimiter and not self.found:
            raise InputError(T.OTHER_DELIMITER(file=name), line=1)
        titles = max(0, self.wanted.header_rows - 1)
        if self.detects_names:
            sample = body.rstrip(_LINE_ENDS)[:SAMPLE_BYTES]
            titles = title_records(record_widths(sample, delimiter, is_whole))
        blank = lines.line - first_line
        return _Begun(delimiter, lines.line, blank, chain([body], pieces), titles)

    def _header(self, text: bytes, structure: Structure, delimiter: str) -> HeaderTold:
        rows = self.wanted.header_rows
        if not rows:
            return HeaderTold(numbered_names(structure.columns), 0)
        lines = self._first_lines(text, structure, delimiter)
        wanted = None if self.detects_names else rows
        told = header_told(
            lines,
            wanted,
            self.wanted.platform,
            detects=self.detects_platform,
            is_written=self.is_written,
        )
        if told.rows <= structure.titles:
            message = T.RAGGED_HEADER(file=self.name, columns=structure.columns)
            raise InputError(message, line=1)
        if any(UNREADABLE in name for name in told.names):
            raise InputError(T.INVALID_NAME(file=self.name), line=1)
        if looks_like_answers(told.names):
            return replace(told, notices=(*told.notices, T.NUMBERS_AS_NAMES()))
        return told

    def _first_lines(
        self, text: bytes, structure: Structure, delimiter: str
    ) -> list[tuple[str, ...]]:
        """The cells of the first records; of the first alone where it names every column.

        A title is one cell. What may name all columns but one, that of row numbers, is none.
        """
        quote, lines, width = self.wanted.quote, list[tuple[str, ...]](), structure.columns
        for start, end in pairwise(structure.first_starts):
            record = text[start:end].rstrip(_LINE_ENDS)
            cells = unquoted(fields_of(record, delimiter, quote), quote)
            may_name = self.detects_names and len(cells) > 1 and not is_sentence(cells)
            if len(cells) != width and not (may_name and abs(len(cells) - width) == 1):
                cells = (delimiter.join(cells),)
            lines.append((*cells, *[""] * (width - len(cells)))[:width])
            is_named = "" not in lines[0] and not self.wanted.platform and not is_sentence(lines[0])
            if is_named and len(lines) == (HEADER_LINES if self.detects_platform else 1):
                break
        return lines


@dataclass(frozen=True)
class _Begun:
    """A text of which the beginning was looked at.

    Attributes:
        delimiter: The character between two fields.
        line: The line of the first record.
        blank_lines: Blank lines before it.
        pieces: The text from there on.
        titles: Records that may stand above that of the names.
    """

    delimiter: str
    line: int
    blank_lines: int
    pieces: Iterator[bytes]
    titles: int


def _filled(begun: bytes, pieces: Iterator[bytes]) -> tuple[bytes, bool]:
    """Adds pieces until there are enough to guess by; and whether that is all of the table."""
    while len(begun.rstrip(_LINE_ENDS)) <= SAMPLE_BYTES:
        piece = next(pieces, None)
        if piece is None:
            return begun, True
        begun += piece
    return begun, False


def _notices(structure: Structure) -> list[Message]:
    notices = []
    blank = structure.blank_at_end
    if structure.columns == 1 and blank:
        notices.append(T.BLANK_AT_END(count=blank))
    if structure.has_commas:
        notices.append(T.ONE_COLUMN())
    if structure.blank_lines:
        notices.append(T.BLANK_LINES(count=structure.blank_lines))
    if structure.quoted_line_ends:
        notices.append(T.LINE_BREAKS(count=structure.quoted_line_ends))
    return notices


def _answers(
    first: RecordBlock, blocks: Iterator[RecordBlock], starts: Sequence[int], header: int
) -> Iterator[RecordBlock]:
    """Yields the blocks without the header."""
    if first.records > header:
        text = first.text[starts[header] :]
        yield replace(first, text=text, records=first.records - header)
    yield from blocks


def _blank_records(count: int) -> Iterator[RecordBlock]:
    for done in range(0, count, _BLANK_TOGETHER):
        lines = min(_BLANK_TOGETHER, count - done)
        yield RecordBlock(b"\n" * lines, lines, has_quoted_line_ends=False)


@dataclass(frozen=True)
class _Parser:
    """Parses blocks of records that were checked.

    Attributes:
        columns: Number of columns.
        delimiter: The character between two fields.
        quote: The quotation mark, or empty for none.
        name: Name of the file, for messages.
    """

    columns: int
    delimiter: str
    quote: str
    name: str

    def together(self, blocks: Iterable[RecordBlock]) -> Iterator[RecordBlock]:
        """Joins blocks that are smaller than the parser likes."""
        wide = min(_LARGEST_PARSE_BLOCK, _PARSE_BYTES_PER_COLUMN * self.columns)
        least = max(PARSE_BLOCK, wide)
        held: list[RecordBlock] = []
        size = 0
        for block in blocks:
            held.append(block)
            size += len(block.text)
            if size >= least:
                yield _joined(held)
                held, size = [], 0
        if held:
            yield _joined(held)

    def encoded(self, block: RecordBlock) -> list[pa.DictionaryArray]:
        """Returns the answers of a block.

        Raises:
            InputError: The parser does not read what was checked.
        """
        lent = memoryview(block.text)
        try:
            parsed = self._parsed(lent, block)
        finally:
            _take_back(lent)
        if parsed.num_rows != block.records:
            read, held = parsed.num_rows, block.records
            raise InputError(T.RECORDS_LOST(file=self.name, read=read, records=held))
        return [column.combine_chunks() for column in parsed.columns]

    def _parsed(self, text: memoryview, block: RecordBlock) -> pa.Table:
        keys = [str(position) for position in range(self.columns)]
        encoded = pa.dictionary(pa.int32(), pa.string())
        try:
            return pa.csv.read_csv(
                pa.BufferReader(pa.py_buffer(text)),
                read_options=pa.csv.ReadOptions(column_names=keys, block_size=len(text) + 4),
                parse_options=pa.csv.ParseOptions(
                    delimiter=self.delimiter,
                    quote_char=self.quote or False,
                    double_quote=bool(self.quote),
                    escape_char=False,
                    newlines_in_values=block.has_quoted_line_ends,
                    ignore_empty_lines=self.columns > 1,
                ),
                convert_options=pa.csv.ConvertOptions(
                    column_types=dict.fromkeys(keys, encoded),
                    strings_can_be_null=False,
                    null_values=[],
                ),
                # Arrow's own keeps what one thread has freed and another one will not ask for: the
                # longer the file, the more of it comes together.
                memory_pool=pa.system_memory_pool(),
            )
        except pa.ArrowMemoryError:
            raise
        except pa.ArrowException:
            # The error's text quotes a record, so it must not be passed on, not even as the cause.
            failed = InputError(T.NOT_DELIMITED(file=self.name))
        raise failed


def _joined(blocks: Sequence[RecordBlock]) -> RecordBlock:
    if len(blocks) == 1:
        return blocks[0]
    return RecordBlock(
        b"".join(block.text for block in blocks),
        sum(block.records for block in blocks),
        any(block.has_quoted_line_ends for block in blocks),
    )


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
