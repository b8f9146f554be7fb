"""Checks that a file is one delimited table of text before any parser reads it.

Files of other formats are recognised by their first bytes or by their control bytes. Parsers lose
or merge records at a stray or unclosed quotation mark without a word. So the bytes themselves are
checked: quotation marks stand only where RFC 4180 allows them, every record has as many fields as
the first, no field is absurdly long. A text that passes has only one reading, and the number of its
records is known independently of the parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from dpdesk.data.dialect import CR, LF, Bytes, Flags, Offsets, Separators, separators
from dpdesk.data.encoding import line_of
from dpdesk.data.reading import HEADER_ROWS_MAX
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.errors import InputError

_EXPORT = "Open it in the program that wrote it, export it as CSV and load that file."

# First bytes of formats that people try to load as a table; from the specifications of the formats.
_SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a spreadsheet (xlsx, ods) or another ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (xls, doc)"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow (Feather) file"),
    (b"$FL2", "an SPSS file (sav)"),
    (b"$FL3", "a compressed SPSS file (zsav)"),
    (b"<stata_dta>", "a Stata file (dta)"),
    (b"HEADER RECORD*******LIBRARY", "a SAS transport file"),
    (b"**COMPRESSED** **COMPRESSED**", "a file that SAS alone reads (proc cport)"),
    (b"\xff\xff\xff\xff", "a stream of Arrow (a Feather file is read)"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "a rich text document (rtf)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"RDX2\n", "an R workspace"),
    (b"RDX3\n", "an R workspace"),
    (b"X\n\0\0\0", "an object of R (rds)"),
    (b"\0\1\0\0Standard ", "a database of Access"),
    (b"\x80\x04\x95", "an object of Python (pickle)"),
    (b"\x80\x05\x95", "an object of Python (pickle)"),
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
)

_WEB_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|table|meta)\b", re.IGNORECASE
)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<\?xml\b")
_TAR_AT, _TAR = 257, b"ustar"
_OF_JSON = (".json", ".jsonl", ".ndjson")
_SAMPLE_BYTES = 1 << 16
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b") + b"\x7f"
# Text has next to no control characters, random bytes about one in ten. A few of them are a
# damaged line, which another message names.
_MOST_CONTROL = 0.02
_FEW_CONTROL = 8


def refuse_foreign_format(raw: bytes, name: str) -> None:
    """Refuses a file that is recognised as another format than delimited text.

    Args:
        raw: The bytes of the file.
        name: Name of the file, for the message.

    Raises:
        InputError: The file is of another format, which the message names.
    """
    if _WEB_PAGE.match(raw):
        raise InputError(f"{name} is a web page (HTML), not a table of text.", remedy=_EXPORT)
    if _XML.match(raw):
        raise InputError(f"{name} is a file of XML, not a table of text.", remedy=_EXPORT)
    if raw[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR and b"\0" in raw[:_TAR_AT]:
        raise InputError(
            f"{name} is a tar archive, not a text file.", remedy="Unpack it, and load the table."
        )
    if name.lower().endswith(_OF_JSON) and _is_json(raw):
        raise InputError(
            f"{name} holds something other than objects of JSON.",
            remedy="Write a list of objects, or an object on each line, with one respondent each; "
            'in pandas: to_json(path, orient="records").',
        )
    for signature, what in _SIGNATURES:
        if raw.startswith(signature) and not _reads_like_text(raw, signature):
            raise InputError(f"{name} is {what}, not a text file.", remedy=_EXPORT)


def refuse_binary(text: bytes | bytearray, name: str) -> None:
    """Refuses what no text file holds: many control characters, or a NUL byte.

    A binary file is full of control characters; at a NUL byte some programs stop reading.

    Args:
        text: The text, encoded as UTF-8.
        name: Name of the file, for the message.

    Raises:
        InputError: More than 2 % of the first 65,536 bytes, and more than 8 of them, are control
            characters; or there is a NUL byte, whose line the message names.
    """
    sample = bytes(text[:_SAMPLE_BYTES])
    if _controls(sample) > max(_FEW_CONTROL, _MOST_CONTROL * len(sample)):
        raise InputError(f"{name} is not a text file: it is full of control bytes.", remedy=_EXPORT)
    nul = text.find(b"\0")
    if nul >= 0:
        line = line_of(text, nul)
        raise InputError(
            f"Line {line} of {name} holds a NUL byte, which no text file may hold.",
            line=line,
            remedy="Export the table again as CSV; the file may be damaged.",
        )


def _is_json(raw: bytes) -> bool:
    """Whether a text is JSON, or begins as a list of it does."""
    if raw.lstrip().startswith(b"["):
        return True
    try:
        parse_strict(raw)
    except JsonRefusedError:
        return False
    return True


def _reads_like_text(raw: bytes, signature: bytes) -> bool:
    # "BZh" or "PAR1" can also begin the name of a column: letters alone prove nothing.
    if not signature.isalnum():
        return False
    sample = raw[:_SAMPLE_BYTES]
    return _controls(sample) == 0 and any(line_end in sample for line_end in b"\r\n")


def _controls(sample: bytes) -> int:
    return len(sample) - len(sample.translate(None, _CONTROL))


FIELD_LIMIT = 100_000
"""Most characters of one answer: longer ones come from a lost quotation mark."""

COLUMN_LIMIT = 100_000
"""Most columns: a wide release of indicator columns has some ten thousand."""

_NO_QUOTES = -1


def _unbalanced(quote: int) -> str:
    mark = chr(quote) if quote != _NO_QUOTES else '"'
    return (
        "An answer that holds the delimiter, a quotation mark or a line break stands in "
        f"{mark}…{mark}, with each quotation mark in it doubled ({mark}{mark})."
    )


@dataclass(frozen=True)
class Structure:
    """The shape of a delimited text.

    Attributes:
        columns: Fields per record.
        records: Number of records, the first included, skipped blank lines excluded.
        blank_lines: Blank lines that are skipped; 0 with one column, where they are answers.
        quoted_line_ends: Line ends within answers.
        longest_record: Length of the longest record in bytes.
        first_fields: The fields of the first record, with their quotation marks.
        first_starts: Positions at which the first records start, as many as can be a header and
            one more; where there are fewer, the end of the last one follows.
    """

    columns: int
    records: int
    blank_lines: int
    quoted_line_ends: int
    longest_record: int
    first_fields: tuple[bytes, ...]
    first_starts: tuple[int, ...]


def check_structure(
    text: bytes | bytearray,
    start: int,
    end: int,
    delimiter: str,
    name: str,
    tick: Callable[[], None] = lambda: None,
    quote: str = '"',
) -> Structure:
    """Examines the records between two positions of a text.

    Args:
        text: The whole file as UTF-8, so that lines can be named.
        start: Where the first record starts; not at a line end.
        end: Where the last record ends, without its line end.
        delimiter: The character between two fields.
        name: Name of the file, for messages.
        tick: Called between blocks; may raise to cancel.
        quote: The quotation mark, or empty for none.

    Raises:
        InputError: The text is not one table; the message names line and cause.
    """
    records = np.frombuffer(text, dtype=np.uint8)[start:end]
    mark = ord(quote) if quote else _NO_QUOTES
    walk = _Walk(text, start, records, ord(delimiter), mark, name)
    has_cr = text.find(b"\r", start, end) >= 0
    for block in separators(walk.text, ord(delimiter), quote=quote, has_cr=has_cr):
        tick()
        walk.see(block)
    return walk.finish()


@dataclass
class _Walk:
    """State carried from block to block; positions count from `start`."""

    whole: bytes | bytearray
    start: int
    text: Bytes
    delimiter: int
    quote: int
    name: str
    columns: int = 0
    records: int = 0
    blank_lines: int = 0
    quoted_line_ends: int = 0
    longest_record: int = 0
    first_ends: list[int] = field(default_factory=list)
    first_starts: list[int] = field(default_factory=list)
    last_separator: int = -1
    record_start: int = 0
    fields_before: int = 0
    last_quote: int = -1
    inside: bool = False

    def see(self, block: Separators) -> None:
        stray = self._first_stray(block)
        if stray is not None:
            # An error before it is the earlier, and likelier, cause.
            before = int(np.searchsorted(block.offsets, block.quotes[stray]))
            self._see_separators(block.offsets[:before], block.record_ends[:before])
            raise self._stray(block, stray)
        self._see_separators(block.offsets, block.record_ends)
        self.quoted_line_ends += block.quoted_line_ends
        self.inside = block.inside_after
        if block.quotes.size:
            self.last_quote = int(block.quotes[-1])

    def finish(self) -> Structure:
        if self.inside:
            line = self._line(self.last_quote)
            raise InputError(
                f"The quotation mark that opens an answer on line {line} of {self.name} "
                "is never closed.",
                line=line,
                remedy=_unbalanced(self.quote),
            )
        # The last record has no separator after it.
        self._see_separators(np.array([len(self.text)]), np.array([True]))
        starts = [0, *(end + 1 for end in self.first_ends[:-1])]
        first = tuple(
            self.text[begin:end].tobytes()
            for begin, end in zip(starts, self.first_ends, strict=True)
        )
        return Structure(
            columns=self.columns,
            records=self.records,
            blank_lines=self.blank_lines,
            quoted_line_ends=self.quoted_line_ends,
            longest_record=self.longest_record,
            first_fields=(*first[:-1], first[-1].removesuffix(b"\r")),
            first_starts=(
                *(self.start + begin for begin in self.first_starts),
                self.start + len(self.text),
            ),
        )

    def _first_stray(self, block: Separators) -> int | None:
        """Index of the first quotation mark that does not stand at the edge of a field."""
        quotes, last = block.quotes, len(self.text) - 1
        if not quotes.size:
            return None
        beside = np.where(block.opens, quotes - 1, quotes + 1)
        neighbour = self.text[np.clip(beside, 0, last)]
        allowed = (neighbour == self.delimiter) | (neighbour == LF) | (neighbour == CR)
        allowed |= (neighbour == self.quote) | (beside < 0) | (beside > last)
        wrong = np.flatnonzero(~allowed)
        return int(wrong[0]) if wrong.size else None

    def _stray(self, block: Separators, stray: int) -> InputError:
        line = self._line(int(block.quotes[stray]))
        if block.opens[stray]:
            return InputError(
                f"A quotation mark stands within an answer on line {line} of {self.name}.",
                line=line,
                remedy=_unbalanced(self.quote),
            )
        opened = self._line(int(block.quotes[stray - 1]) if stray else self.last_quote)
        return InputError(
            f"The quotation mark that opens an answer on line {opened} of {self.name} is closed "
            f"by one on line {line} that has text after it.",
            line=opened,
            remedy=_unbalanced(self.quote),
        )

    def _see_separators(self, offsets: Offsets, record_ends: Flags) -> None:
        if not offsets.size:
            return
        self._check_lengths(offsets)
        ends = np.flatnonzero(record_ends)
        if not self.columns:
            self._see_first_record(offsets, ends)
        if not ends.size:
            self.fields_before += offsets.size
        else:
            self._see_records(offsets[ends], np.diff(ends, prepend=-1 - self.fields_before))
            self.fields_before = offsets.size - int(ends[-1]) - 1
        self.last_separator = int(offsets[-1])

    def _check_lengths(self, offsets: Offsets) -> None:
        lengths = np.diff(offsets, prepend=self.last_separator) - 1
        if int(lengths.max()) <= FIELD_LIMIT:
            return
        for index in np.flatnonzero(lengths > FIELD_LIMIT):
            end = int(offsets[index])
            begin = end - int(lengths[index])
            # Bytes bound characters from above: only the characters count.
            if len(self.text[begin:end].tobytes().decode("utf-8", "replace")) > FIELD_LIMIT:
                line = self._line(begin)
                raise InputError(
                    f"An answer that starts on line {line} of {self.name} is longer than "
                    f"{FIELD_LIMIT:,} characters.",
                    line=line,
                    remedy="Look for a lost quotation mark or a wrong delimiter there.",
                )

    def _see_first_record(self, offsets: Offsets, ends: Offsets) -> None:
        seen = offsets[: int(ends[0]) + 1] if ends.size else offsets
        self.first_ends.extend(seen.tolist())
        if len(self.first_ends) > COLUMN_LIMIT:
            raise InputError(
                f"The first line of {self.name} holds more than {COLUMN_LIMIT:,} fields.",
                line=self._line(0),
                remedy="Check that the file is a table with one respondent per line.",
            )
        if ends.size:
            self.columns = len(self.first_ends)

    def _see_records(self, end_offsets: Offsets, widths: Offsets) -> None:
        starts = np.concatenate(([self.record_start], end_offsets[:-1] + 1))
        lengths = end_offsets - starts
        self.longest_record = max(self.longest_record, int(lengths.max()))
        unequal = np.flatnonzero(widths != self.columns)
        is_record = np.ones(end_offsets.size, dtype=np.bool_)
        if unequal.size:
            first_byte = self.text[np.minimum(starts[unequal], len(self.text) - 1)]
            length = lengths[unequal]
            is_blank = (length == 0) | ((length == 1) & (first_byte == CR))
            ragged = unequal[~is_blank]
            if ragged.size:
                raise self._ragged(int(starts[ragged[0]]), int(widths[ragged[0]]))
            is_record[unequal] = False
        wanted = HEADER_ROWS_MAX + 1 - len(self.first_starts)
        if wanted > 0:
            self.first_starts += starts[is_record][:wanted].tolist()
        found = int(np.count_nonzero(is_record))
        self.blank_lines += end_offsets.size - found
        self.records += found
        self.record_start = int(end_offsets[-1]) + 1

    def _ragged(self, begin: int, width: int) -> InputError:
        line = self._line(begin)
        fields = "1 field" if width == 1 else f"{width:,} fields"
        return InputError(
            f"The record on line {line} of {self.name} has {fields}, "
            f"while the first record has {self.columns:,}.",
            line=line,
            remedy=f"Look there for a missing or surplus delimiter. {_unbalanced(self.quote)}",
        )

    def _line(self, offset: int) -> int:
        return line_of(self.whole, self.start + offset)
