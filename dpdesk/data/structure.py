"""Checks that a file is one delimited table of text before any parser reads it.

Parsers lose or merge records at a stray or unclosed quotation mark without a word. So the bytes
themselves are checked: quotation marks stand only where RFC 4180 allows them, every record has as
many fields as the first, no field is absurdly long. A text that passes has only one reading, and
the number of its records is known independently of the parser.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from dpdesk.data.dialect import CR, LF, Flags, Offsets, separators
from dpdesk.data.encoding import line_of
from dpdesk.data.foreign_format import nul_refusal
from dpdesk.data.reading import HEADER_ROWS_MAX
from dpdesk.data.texts import T
from dpdesk.errors import InputError

FIELD_LIMIT = 100_000
"""Most characters of one answer: longer ones come from a lost quotation mark."""

COLUMN_LIMIT = 100_000
"""Most columns: a wide release of indicator columns has some ten thousand."""

# A letter takes four bytes at most: a field of more bytes has more characters than it may.
_FIELD_BYTES = 4 * FIELD_LIMIT + 2

LONGEST_RECORD = 1 << 26
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
        titles: Records above the one that names the columns, of any number of fields.

    Attributes:
        titles: How many of them there are, where some have another number of fields; else 0.
        columns: Fields per record below them.
        records: Number of records so far, the first included, skipped blank lines excluded.
        blank_lines: Blank lines that were skipped between records; 0 with one column, where they
            are answers.
        blank_at_end: Blank lines behind the last record that is not blank.
        quoted_line_ends: Line ends within answers.
        has_commas: Whether commas stand in one column that they do not delimit.
        first_starts: Positions in the first block at which its first records start, as many as can
            be a header and one more; where there are fewer, the end of the last one follows.
    """

    def __init__(
        self, delimiter: str, name: str, quote: str = '"', line: int = 1, titles: int = 0
    ) -> None:
        self.titles = 0
        self.columns = 0
        self.records = 0
        self.blank_lines = 0
        self.blank_at_end = 0
        self.quoted_line_ends = 0
        self.has_commas = False
        self.first_starts: tuple[int, ...] = ()
        self._delimiter = delimiter
        self._quote = quote
        self._name = name
        self._line = line
        self._above = titles

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
        widths = np.diff(ends, prepend=-1)
        titles = 0 if self.columns else self._titles_of(widths, is_blank)
        columns = self.columns or int(widths[titles])
        is_record = np.ones(ends.size, dtype=np.bool_) if columns == 1 else ~is_blank
        count = int(np.count_nonzero(is_record))
        if not self.columns:
            if count <= HEADER_ROWS_MAX and not is_last:
                return None
            self.columns, self.titles = columns, int(np.count_nonzero(~is_blank[:titles]))
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

    def _titles_of(self, widths: Offsets, is_blank: Flags) -> int:
        """The place of the record below the titles, if one of these has other fields; else 0."""
        filled = np.flatnonzero(~is_blank)[: self._above + 1]
        if filled.size <= self._above:
            return 0
        columns = widths[filled[-1]]
        return int(filled[-1]) if columns > 1 and np.any(widths[filled] != columns) else 0

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
            message = T.NEVER_CLOSED(line=line, file=self._name, mark=self._quote)
            raise InputError(message, line=line)
        if len(found.text) > LONGEST_RECORD and not found.record_ends.any():
            message = T.LONG_RECORD(file=self._name, size=LONGEST_RECORD >> 20)
            raise InputError(message, line=self._line)

    def _nul(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first NUL byte."""
        nul = found.text.find(b"\0")
        if nul >= 0:
            yield nul, nul_refusal(self._name, self._line_at(found, nul))

    def _stray(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first quotation mark that does not stand at the edge of a field."""
        stray = found.first_stray()
        if stray is None:
            return
        place = int(found.quotes[stray])
        line = self._line_at(found, place)
        message = T.STRAY_MARK(line=line, file=self._name, mark=self._quote)
        if stray % 2:
            end, line = line, self._line_at(found, int(found.quotes[stray - 1]))
            message = T.TEXT_AFTER_MARK(line=line, end=end, file=self._name, mark=self._quote)
        yield place, InputError(message, line=line)

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
                message = T.LONG_ANSWER(line=line, file=self._name, most=FIELD_LIMIT)
                yield min(end, begin + _FIELD_BYTES), InputError(message, line=line)
                return

    def _too_many(self, found: _Look) -> Iterator[_Fault]:
        """Yields a first record of too many fields."""
        if self.columns or found.offsets.size <= COLUMN_LIMIT:
            return
        if found.record_ends[:COLUMN_LIMIT].any():
            return
        message = T.MANY_FIELDS(file=self._name, most=COLUMN_LIMIT)
        yield int(found.offsets[COLUMN_LIMIT]), InputError(message, line=self._line)

    def _ragged(self, found: _Look) -> Iterator[_Fault]:
        """Yields the first record with another number of fields than the first one."""
        ends = np.flatnonzero(found.record_ends)
        if not ends.size:
            return
        widths = np.diff(ends, prepend=-1)
        stops = found.offsets[ends]
        starts = np.concatenate(([0], stops[:-1] + 1))
        above = 0
        if not self.columns and self._above:
            is_blank = found.are_blank(starts, stops)
            if not found.is_last and np.count_nonzero(~is_blank) <= self._above:
                return
            above = self._titles_of(widths, is_blank)
        columns = self.columns or int(widths[above])
        unequal = above + np.flatnonzero(widths[above:] != columns)
        if not unequal.size:
            return
        ragged = unequal[~found.are_blank(starts[unequal], stops[unequal])]
        if not ragged.size:
            return
        first = int(ragged[0])
        line, width = self._line_at(found, int(starts[first])), int(widths[first])
        text = T.RAGGED if self.columns or first > HEADER_ROWS_MAX else T.RAGGED_AT_TOP
        message = text(line=line, file=self._name, count=width, columns=columns)
        yield int(stops[first]), InputError(message, line=line)

    def _line_at(self, found: _Look, offset: int) -> int:
        return self._line + line_of(found.text, offset) - 1


def fields_of(record: bytes, delimiter: str, quote: str = '"') -> tuple[bytes, ...]:
    """Returns the fields of one sound record, with their quotation marks."""
    found = _Look(record, delimiter, quote, is_last=True)
    return found.fields(found.offsets.size)


_Fault = tuple[int, InputError]
"""The position at which a fault shows, and its refusal."""


class _Look:
    """The separators and quotation marks of a text that begins with a record."""

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
