"""Checks that a file is one delimited table of text before any parser reads it.

Files of other formats are recognised by their first bytes or by their control bytes. Parsers lose
or merge records at a stray or unclosed quotation mark without a word. So the bytes themselves are
checked: quotation marks stand only where RFC 4180 allows them, every record has as many fields as
the first, no field is absurdly long. A text that passes has only one reading, and the number of its
records is known independently of the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from dpdesk.data.dialect import CR, LF, Flags, Offsets, separators
from dpdesk.data.encoding import line_of
from dpdesk.data.reading import HEADER_ROWS_MAX
from dpdesk.data.source import Source
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
SAMPLE_BYTES = 1 << 16
"""Bytes by which a binary file is recognised."""
_CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b") + b"\x7f"
# Text has next to no control characters, random bytes about one in ten. A few of them are a
# damaged line, which another message names.
_MOST_CONTROL = 0.02
_FEW_CONTROL = 8


def refuse_foreign_format(source: Source) -> None:
    """Refuses a file that is recognised as another format than delimited text.

    Args:
        source: The file.

    Raises:
        InputError: The file is of another format, which the message names.
    """
    raw, name = source.head, source.name
    if _WEB_PAGE.match(raw):
        raise InputError(f"{name} is a web page (HTML), not a table of text.", remedy=_EXPORT)
    if _XML.match(raw):
        raise InputError(f"{name} is a file of XML, not a table of text.", remedy=_EXPORT)
    if raw[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR and b"\0" in raw[:_TAR_AT]:
        raise InputError(
            f"{name} is a tar archive, not a text file.", remedy="Unpack it, and load the table."
        )
    if name.lower().endswith(_OF_JSON) and _is_json(source.whole):
        raise InputError(
            f"{name} holds something other than objects of JSON.",
            remedy="Write a list of objects, or an object on each line, with one respondent each; "
            'in pandas: to_json(path, orient="records").',
        )
    for signature, what in _SIGNATURES:
        if raw.startswith(signature) and not _reads_like_text(raw, signature):
            raise InputError(f"{name} is {what}, not a text file.", remedy=_EXPORT)


def refuse_binary(text: bytes, name: str) -> None:
    """Refuses what begins with more control characters than a text has.

    Args:
        text: The beginning of the text, encoded as UTF-8.
        name: Name of the file, for the message.

    Raises:
        InputError: More than 2 % of the first 65,536 bytes, and more than 8 of them, are control
            characters.
    """
    sample = text[:SAMPLE_BYTES]
    if _controls(sample) > max(_FEW_CONTROL, _MOST_CONTROL * len(sample)):
        raise InputError(f"{name} is not a text file: it is full of control bytes.", remedy=_EXPORT)


def refuse_nul(text: bytes, name: str) -> None:
    """Refuses a text with a NUL byte, at which some programs stop reading.

    Args:
        text: The text.
        name: Name of the file, for the message.

    Raises:
        InputError: There is one; the message names its line.
    """
    nul = text.find(b"\0")
    if nul >= 0:
        raise _nul_refusal(name, line_of(text, nul))


def _nul_refusal(name: str, line: int) -> InputError:
    return InputError(
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
    sample = raw[:SAMPLE_BYTES]
    return _controls(sample) == 0 and any(line_end in sample for line_end in b"\r\n")


def _controls(sample: bytes) -> int:
    return len(sample) - len(sample.translate(None, _CONTROL))


FIELD_LIMIT = 100_000
"""Most characters of one answer: longer ones come from a lost quotation mark."""

COLUMN_LIMIT = 100_000
"""Most columns: a wide release of indicator columns has some ten thousand."""


def _unbalanced(quote: str) -> str:
    mark = quote or '"'
    return (
        "An answer that holds the delimiter, a quotation mark or a line break stands in "
        f"{mark}…{mark}, with each quotation mark in it doubled ({mark}{mark})."
    )


# A letter takes four bytes at most: a field of more bytes has more characters than it may.
_FIELD_BYTES = 4 * FIELD_LIMIT + 2

_LONGEST_RECORD = 1 << 26
"""Most bytes of a record, which is held in memory as a whole."""


@dataclass(frozen=True)
class RecordBlock:
    """Whole records of a delimited text, one after the other.

    Attributes:
        text: Their bytes, line ends included.
        records: Their number; skipped blank lines excluded.
        has_quoted_line_ends: Whether line ends stand within answers.
    """

    text: bytes
    records: int
    has_quoted_line_ends: bool


class Structure:
    """Checks the records of a delimited text that comes in pieces, and cuts it between records.

    What is found does not depend on where the pieces end: a text of several faults is refused for
    the one that shows first when it is read byte by byte.

    Args:
        delimiter: The character between two fields.
        name: Name of the file, for messages.
        quote: The quotation mark, or empty for none.
        line: The line that the first record starts on.

    Attributes:
        columns: Fields per record.
        records: Number of records so far, the first included, skipped blank lines excluded.
        blank_lines: Blank lines that were skipped between records; 0 with one column, where they
            are answers.
        blank_at_end: Blank lines behind the last record that is not blank.
        quoted_line_ends: Line ends within answers.
        has_commas: Whether commas stand in one column that they do not delimit.
        first_fields: The fields of the first record, with their quotation marks.
        first_starts: Positions in the first block at which its first records start, as many as can
            be a header and one more; where there are fewer, the end of the last one follows.
    """

    def __init__(self, delimiter: str, name: str, quote: str = '"', line: int = 1) -> None:
        self.columns = 0
        self.records = 0
        self.blank_lines = 0
        self.blank_at_end = 0
        self.quoted_line_ends = 0
        self.has_commas = False
        self.first_fields: tuple[bytes, ...] = ()
        self.first_starts: tuple[int, ...] = ()
        self._delimiter = delimiter
        self._quote = quote
        self._name = name
        self._line = line

    def blocks(self, pieces: Iterable[bytes]) -> Iterator[RecordBlock]:
        """Yields the records in blocks; the first holds the header and one record more.

        Args:
            pieces: The text as valid UTF-8, from the beginning of its first record.

        Raises:
            InputError: The text is not one table; the message names line and cause.
        """
        waiting: list[bytes] = []
        size = wanted = 0
        for piece in pieces:
            waiting.append(piece)
            size += len(piece)
            if size > wanted:
                text = b"".join(waiting)
                block = self._seen(text, is_last=False)
                if block is not None:
                    text = text[len(block.text) :]
                    yield block
                # A long record is looked at again when twice as much of it is there.
                waiting, size, wanted = [text], len(text), len(text)
                del text, block
        block = self._seen(b"".join(waiting), is_last=True)
        if block is not None:
            yield block

    def _seen(self, text: bytes, *, is_last: bool) -> RecordBlock | None:
        """Checks a text that begins with a record, and returns the records that end in it."""
        if not text:
            return None
        found = _Look(text, self._delimiter, self._quote, is_last=is_last)
        self._refuse_faults(found)
        ends = np.flatnonzero(found.record_ends)
        if not ends.size:
            return None
        stops = found.offsets[ends]
        starts = np.concatenate(([0], stops[:-1] + 1))
        is_blank = found.are_blank(starts, stops)
        columns = self.columns or int(ends[0]) + 1
        is_record = np.ones(ends.size, dtype=np.bool_) if columns == 1 else ~is_blank
        count = int(np.count_nonzero(is_record))
        if not self.columns:
            if count <= HEADER_ROWS_MAX and not is_last:
                return None
            self.columns = columns
            self.first_fields = found.fields(columns)
            self.first_starts = (
                *starts[is_record][: HEADER_ROWS_MAX + 1].tolist(),
                *([len(text)] if count <= HEADER_ROWS_MAX else []),
            )
        self._count_blank(is_blank)
        end = min(int(stops[-1]) + 1, len(text))
        quoted = int(np.searchsorted(found.quoted_line_ends, end))
        self.records += count
        self.quoted_line_ends += quoted
        self._line += ends.size + quoted
        block = text if end == len(text) else text[:end]
        if columns == 1 and self._delimiter != ",":
            self.has_commas = self.has_commas or b"," in block
        return RecordBlock(block, count, quoted > 0)

    def _count_blank(self, is_blank: Flags) -> None:
        last = np.flatnonzero(~is_blank)
        if not last.size:
            self.blank_at_end += is_blank.size
            return
        if self.columns > 1:
            self.blank_lines += self.blank_at_end + int(np.count_nonzero(is_blank[: last[-1]]))
        self.blank_at_end = is_blank.size - int(last[-1]) - 1

    def _refuse_faults(self, found: _Look) -> None:
        """Raises the fault of a text that shows first.

        Raises:
            InputError: There is one.
        """
        faults = (
            *self._nul(found),
            *self._stray(found),
            *self._too_long(found),
            *self._too_many(found),
            *self._ragged(found),
        )
        if faults:
            _, refusal = min(faults, key=itemgetter(0))
            raise refusal
        if found.ends_inside and found.is_last:
            line = self._line_at(found, int(found.quotes[-1]))
            raise InputError(
                f"The quotation mark that opens an answer on line {line} of {self._name} "
                "is never closed.",
                line=line,
                remedy=_unbalanced(self._quote),
            )
        if len(found.text) > _LONGEST_RECORD and not found.record_ends.any():
            raise InputError(
                f"A record of {self._name} is longer than {_LONGEST_RECORD >> 20} MB.",
                line=self._line,
                remedy="Look for a lost quotation mark or a lost line end there.",
            )

    def _nul(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first NUL byte."""
        nul = found.text.find(b"\0")
        if nul >= 0:
            yield nul, _nul_refusal(self._name, self._line_at(found, nul))

    def _stray(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first quotation mark that does not stand at the edge of a field."""
        stray = found.first_stray()
        if stray is None:
            return
        place = int(found.quotes[stray])
        line = self._line_at(found, place)
        if stray % 2 == 0:
            refusal = InputError(
                f"A quotation mark stands within an answer on line {line} of {self._name}.",
                line=line,
                remedy=_unbalanced(self._quote),
            )
        else:
            opened = self._line_at(found, int(found.quotes[stray - 1]))
            refusal = InputError(
                f"The quotation mark that opens an answer on line {opened} of {self._name} is "
                f"closed by one on line {line} that has text after it.",
                line=opened,
                remedy=_unbalanced(self._quote),
            )
        yield place, refusal

    def _too_long(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first answer that is too long."""
        stops = found.offsets
        under_way = int(stops[-1]) + 1 if stops.size else 0
        if len(found.text) - under_way > FIELD_LIMIT:
            stops = np.append(stops, len(found.text))
        lengths = np.diff(stops, prepend=-1) - 1
        if not lengths.size or int(lengths.max()) <= FIELD_LIMIT:
            return
        for index in np.flatnonzero(lengths > FIELD_LIMIT):
            end = int(stops[index])
            begin = end - int(lengths[index])
            is_open = index >= found.offsets.size
            # Bytes bound characters from above: only the characters count.
            field = found.text[begin : min(end, begin + _FIELD_BYTES)].decode("utf-8", "ignore")
            if len(field) > FIELD_LIMIT and not (is_open and end - begin <= _FIELD_BYTES):
                line = self._line_at(found, begin)
                refusal = InputError(
                    f"An answer that starts on line {line} of {self._name} is longer than "
                    f"{FIELD_LIMIT:,} characters.",
                    line=line,
                    remedy="Look for a lost quotation mark or a wrong delimiter there.",
                )
                yield min(end, begin + _FIELD_BYTES), refusal
                return

    def _too_many(self, found: _Look) -> Iterator[_Fault]:
        """Yields a first record of too many fields."""
        if self.columns or found.offsets.size <= COLUMN_LIMIT:
            return
        if found.record_ends[:COLUMN_LIMIT].any():
            return
        refusal = InputError(
            f"The first line of {self._name} holds more than {COLUMN_LIMIT:,} fields.",
            line=self._line,
            remedy="Check that the file is a table with one respondent per line.",
        )
        yield int(found.offsets[COLUMN_LIMIT]), refusal

    def _ragged(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first record with another number of fields than the first one."""
        ends = np.flatnonzero(found.record_ends)
        if not ends.size:
            return
        widths = np.diff(ends, prepend=-1)
        columns = self.columns or int(widths[0])
        unequal = np.flatnonzero(widths != columns)
        if not unequal.size:
            return
        stops = found.offsets[ends]
        starts = np.concatenate(([0], stops[:-1] + 1))[unequal]
        ragged = np.flatnonzero(~found.are_blank(starts, stops[unequal]))
        if not ragged.size:
            return
        first = int(ragged[0])
        line, width = self._line_at(found, int(starts[first])), int(widths[unequal[first]])
        fields = "1 field" if width == 1 else f"{width:,} fields"
        refusal = InputError(
            f"The record on line {line} of {self._name} has {fields}, "
            f"while the first record has {columns:,}.",
            line=line,
            remedy=f"Look there for a missing or surplus delimiter. {_unbalanced(self._quote)}",
        )
        yield int(stops[unequal[first]]), refusal

    def _line_at(self, found: _Look, offset: int) -> int:
        return self._line + line_of(found.text, offset) - 1


def fields_of(record: bytes, delimiter: str, quote: str = '"') -> tuple[bytes, ...]:
    """Returns the fields of one sound record, with their quotation marks.

    Args:
        record: The record, without its line end.
        delimiter: The character between two fields.
        quote: The quotation mark, or empty for none.
    """
    found = _Look(record, delimiter, quote, is_last=True)
    return found.fields(found.offsets.size)


_Fault = tuple[int, InputError]
"""The position at which a fault shows, and its refusal."""


class _Look:
    """The separators and quotation marks of a text that begins with a record.

    Args:
        text: The text.
        delimiter: The character between two fields.
        quote: The quotation mark, or empty for none.
        is_last: Whether nothing follows, so that the text ends its last record.
    """

    def __init__(self, text: bytes, delimiter: str, quote: str, *, is_last: bool) -> None:
        self.text = text
        self.is_last = is_last
        self.bytes = np.frombuffer(text, dtype=np.uint8)
        found = separators(self.bytes, ord(delimiter), quote=quote)
        self.quotes = found.quotes
        self.quoted_line_ends = found.quoted_line_ends
        self.ends_inside = found.ends_inside
        self.offsets, self.record_ends = found.offsets, found.record_ends
        self._edges = {ord(delimiter), LF, CR, *quote.encode()}
        ends = self.offsets.size > 0 and int(self.offsets[-1]) == len(text) - 1
        if is_last and not (ends and self.record_ends[-1]) and not self.ends_inside:
            self.offsets = np.append(self.offsets, len(text))
            self.record_ends = np.append(self.record_ends, True)
        elif not is_last and ends and text.endswith(b"\r"):
            # An LF may follow, which would end the record.
            self.offsets, self.record_ends = self.offsets[:-1], self.record_ends[:-1]

    def fields(self, count: int) -> tuple[bytes, ...]:
        """Returns the first fields, of which the last one ends a record."""
        stops = self.offsets[:count].tolist()
        starts = [0, *(stop + 1 for stop in stops[:-1])]
        first = [self.text[start:stop] for start, stop in zip(starts, stops, strict=True)]
        return (*first[:-1], first[-1].removesuffix(b"\r"))

    def are_blank(self, starts: Offsets, stops: Offsets) -> Flags:
        """Which of some records hold nothing but a line end."""
        lengths = stops - starts
        blank: Flags = lengths == 0
        single = np.flatnonzero(lengths == 1)
        blank[single] = self.bytes[starts[single]] == CR
        return blank

    def first_stray(self) -> int | None:
        """Which quotation mark is the first that does not stand at the edge of a field."""
        quotes, last = self.quotes, len(self.text) - 1
        if quotes.size and quotes[-1] == last and not self.is_last and not self.ends_inside:
            # What follows it is not known yet.
            quotes = quotes[:-1]
        if not quotes.size:
            return None
        opens = np.arange(quotes.size) & 1 == 0
        beside = np.where(opens, quotes - 1, quotes + 1)
        neighbour = self.bytes[np.clip(beside, 0, last)]
        allowed = (beside < 0) | (beside > last)
        for edge in self._edges:
            allowed |= neighbour == edge
        wrong = np.flatnonzero(~allowed)
        return int(wrong[0]) if wrong.size else None
