"""Writes the records of a release as system files of SPSS, .sav and .zsav.

Layout by the documentation of PSPP, "System File Format". It is written here and not by pyreadstat,
whose writer needs pandas, holds the whole table and stamps the file with the time of the day: here
records go out as they come, and equal contents make equal files.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dpdesk.data.formats.labelled_writer import (
    LabelledRecords,
    Places,
    bytes_of_a_cell,
    fitting_names,
    refuse_texts,
    shortened_bytes,
    shown_label,
)
from dpdesk.data.formats.package_dates import SpssDisplay, spss_numbers, spss_text
from dpdesk.data.formats.texts import T
from dpdesk.data.output_fields import OutputField
from dpdesk.data.written_column import WrittenColumn
from dpdesk.i18n import N_, Message

NAME_BYTES, LABEL_BYTES, VALUE_LABEL_BYTES, TEXT_BYTES = 64, 256, 120, 32_767
_RESERVED = frozenset(
    ["all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"]
)
_REFUSED_SIGN = re.compile(r"[^\w.$#@]")
_MOST_MISSING, _SHORT = 3, 8
_WIDEST, _DIGITS = 40, 17
"""Widest number on the screen, and the digits that a number has with its decimal mark."""
_SYSMIS = -np.finfo(np.float64).max
_HIGHEST = float(np.finfo(np.float64).max)
_LOWEST = float(np.nextafter(-_HIGHEST, 0))
_BIAS, _RAW, _BLANK, _NO_NUMBER = 100, 253, 254, 255
_SEGMENT, _SEGMENT_COUNTED = 255, 252
_LEVELS = {"nominal": 1, "ordinal": 2, "scale": 3}


class SpssRecords(LabelledRecords):
    """A system file of SPSS, in which small whole numbers take a byte."""

    name = "records.sav"
    meaning = N_("the same for SPSS and PSPP, with labels")
    content = "The same records for SPSS and PSPP, with labels and codes of no answer."
    mark, compression = b"$FL2", 1

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        return bytes_of_a_cell(field, 9) * 9 // 8 + 1

    @classmethod
    def most_bytes_of_texts(cls, total: int, longest: int, rows: int) -> int:
        return rows * (longest + 16) * 9 // 8

    @classmethod
    def refusal(cls, columns: Sequence[WrittenColumn], rows: int) -> Message | None:
        for column in columns:
            if column.kind != "text":
                continue
            if (refusal := refuse_texts(cls.name, column, TEXT_BYTES)) is not None:
                return refusal
            if len({text.rstrip(" ") for text in column.texts}) < len(column.texts):
                return T.BLANKS_AT_END(column=column.name, file=cls.name)
        return None

    @classmethod
    def column_names(cls, names: Sequence[str]) -> tuple[str, ...]:
        return fitting_names(
            names, _plain, most=NAME_BYTES, size=lambda name: len(name.encode()), reserved=_RESERVED
        )

    @classmethod
    def display(cls, column: WrittenColumn) -> str:
        display = SpssDisplay.of(column)
        return "" if display is None else display.name

    stored = staticmethod(spss_numbers)
    number_text = staticmethod(spss_text)

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        return super().read_texts(column.with_short_code)

    def _begin(self) -> None:
        super()._begin()
        self._columns = tuple(column.with_short_code for column in self._columns)
        self._variables = _variables(self._columns, self._names)
        self._commands = np.empty(0, dtype=np.uint8)
        self._words = np.empty(0, dtype=np.uint64)
        self._counted_at = 0
        self._file.write(self._head())
        self._begin_data()

    def close(self) -> None:
        rest = -self._commands.size % 8
        # 0 is a command that says nothing.
        self._pack(np.zeros(rest, dtype=np.uint8), np.zeros(rest, dtype=np.uint64))
        self._end_data()
        self._file.seek(80)
        self._file.write(struct.pack("<i", self.rows if self.rows < 1 << 31 else -1))
        self._file.seek(self._counted_at)
        self._file.write(struct.pack("<q", self.rows))
        self._file.seek(0, 2)

    def _head(self) -> bytes:
        weight = [v.place for v in self._variables if v.column.is_weight and not v.width]
        size = sum(variable.words for variable in self._variables)
        head = bytearray(self.mark)
        head += b"@(#) SPSS DATA FILE dpdesk".ljust(60)
        head += struct.pack(
            "<iiiiid", 2, size, self.compression, weight[0] if weight else 0, -1, _BIAS
        )
        # A time of its own would make equal contents unequal files.
        head += b"01 Jan 80" + b"00:00:00" + b" " * 64 + b"\0" * 3
        for variable in self._variables:
            head += variable.records()
        for variable in self._variables:
            head += variable.value_labels()
        head += _extension(3, 4, struct.pack("<8i", 1, 0, 0, -1, 1, 1, 2, 65001))
        head += _extension(4, 8, struct.pack("<3d", _SYSMIS, _HIGHEST, _LOWEST))
        shown = [v.shown() for v in self._variables for _ in v.segments]
        head += _extension(11, 4, b"".join(shown))
        names = "\t".join(f"{v.shorts[0]}={v.name}" for v in self._variables)
        head += _extension(13, 1, names.encode())
        long = [v for v in self._variables if len(v.segments) > 1]
        if long:
            told = b"".join(f"{v.shorts[0]}={v.width:05}".encode() + b"\0\t" for v in long)
            head += _extension(14, 1, told)
        head += struct.pack("<iiii", 7, 16, 8, 2) + struct.pack("<q", 1)
        self._counted_at = len(head)
        head += struct.pack("<q", -1)
        head += _extension(20, 1, b"UTF-8")
        if told := b"".join(v.long_value_labels() for v in self._variables):
            head += _extension(21, 1, told)
        if told := b"".join(v.long_missing_texts() for v in self._variables):
            head += _extension(22, 1, told)
        return bytes(head + struct.pack("<ii", 999, 0))

    def _write_rows(self, cells: list[Places], rows: int) -> None:
        size = sum(variable.words for variable in self._variables)
        commands = np.empty((rows, size), dtype=np.uint8)
        words = np.empty((rows, size), dtype=np.uint64)
        at = 0
        for variable, places in zip(self._variables, cells, strict=True):
            stop = at + variable.words
            variable.put(places, commands[:, at:stop], words[:, at:stop])
            at = stop
        self._pack(commands.ravel(), words.ravel())

    def _pack(self, commands: npt.NDArray[np.uint8], words: npt.NDArray[np.uint64]) -> None:
        """Writes eight commands and the words that they announce, again and again."""
        commands = np.concatenate([self._commands, commands])
        words = np.concatenate([self._words, words])
        whole = commands.size // 8 * 8
        self._commands, self._words = commands[whole:].copy(), words[whole:].copy()
        if not whole:
            return
        blocks = commands[:whole].reshape(-1, 8)
        is_raw = blocks == _RAW
        lengths = 1 + is_raw.sum(axis=1)
        ends = np.cumsum(lengths)
        packed = np.empty(int(ends[-1]), dtype="<u8")
        starts = ends - lengths
        packed[starts] = np.ascontiguousarray(blocks).view("<u8").ravel()
        is_word = np.ones(packed.size, dtype=np.bool_)
        is_word[starts] = False
        packed[is_word] = words[:whole][is_raw.ravel()]
        self._put(packed.tobytes())

    def _begin_data(self) -> None:
        """Begins the data."""

    def _put(self, raw: bytes) -> None:
        """Writes a piece of the data."""
        self._file.write(raw)

    def _end_data(self) -> None:
        """Ends the data."""


class CompressedSpssRecords(SpssRecords):
    """A system file of SPSS 21 and later, packed by zlib."""

    name = "records.zsav"
    meaning = N_("the same for SPSS and PSPP, packed")
    content = "The same records for SPSS 21 and later and PSPP, packed."
    mark, compression = b"$FL3", 2

    _BLOCK = 0x3FF000

    def _begin_data(self) -> None:
        self._start = self._file.tell()
        self._file.write(bytes(24))
        self._waiting = bytearray()
        self._blocks: list[tuple[int, int]] = []

    def _put(self, raw: bytes) -> None:
        self._waiting += raw
        while len(self._waiting) >= self._BLOCK:
            self._flush(self._BLOCK)

    def _flush(self, size: int) -> None:
        packed = zlib.compress(bytes(self._waiting[:size]), 6)
        del self._waiting[:size]
        self._blocks.append((size, len(packed)))
        self._file.write(packed)

    def _end_data(self) -> None:
        if self._waiting:
            self._flush(len(self._waiting))
        trailer = self._file.tell()
        told = struct.pack("<qqii", -_BIAS, 0, self._BLOCK, len(self._blocks))
        plain, packed = self._start, self._start + 24
        for size, length in self._blocks:
            told += struct.pack("<qqii", plain, packed, size, length)
            plain, packed = plain + size, packed + length
        self._file.write(told)
        self._file.seek(self._start)
        self._file.write(struct.pack("<qqq", self._start, trailer, len(told)))


@dataclass(frozen=True)
class _Variable:
    """A column as the file has it.

    Attributes:
        column: What is said of it.
        name: Its name in the file.
        place: Place of its first word among those of a record, from 1.
        width: Bytes of its texts; 0 for numbers.
        shorts: Short names, one for each segment.
    """

    column: WrittenColumn
    name: str
    place: int
    width: int
    shorts: tuple[str, ...]

    @property
    def segments(self) -> tuple[int, ...]:
        """Widths of the variables that it is stored as: texts of more than 255 bytes are cut."""
        return _segments(self.width)

    @property
    def words(self) -> int:
        """Words of eight bytes in a record."""
        return sum(max(1, -(-width // 8)) for width in self.segments)

    def records(self) -> bytes:
        """Returns the records that declare it."""
        decimals = 0 if self.width else self._decimals
        kind, width = (1, self.width) if self.width else (5, self._whole_digits + decimals + 1)
        if (display := SpssDisplay.of(self.column)) is not None:
            kind, width, decimals = display.number, display.width, display.decimals
        found = bytearray()
        for segment, short in zip(self.segments, self.shorts, strict=True):
            shown = min(segment or width, 255)
            form = kind << 16 | shown << 8 | decimals
            label = shortened_bytes(shown_label(self.column, self.name), LABEL_BYTES).encode()
            missing, values = self._missing() if short == self.shorts[0] else (0, b"")
            found += struct.pack("<iiiiii", 2, segment, bool(label), missing, form, form)
            found += short.encode().ljust(8)
            if label:
                found += struct.pack("<i", len(label)) + label.ljust(-(-len(label) // 4) * 4)
            found += values
            for _ in range(max(1, -(-segment // 8)) - 1):
                found += struct.pack("<iiiiii", 2, -1, 0, 0, 0, 0) + b" " * 8
        return bytes(found)

    @property
    def _is_whole(self) -> bool:
        return bool(self.column.limit) or self.column.are_whole

    @property
    def _decimals(self) -> int:
        """Digits behind the decimal mark on the screen: those of the file, as far as they count."""
        if self._is_whole:
            return 0
        return max(1, min(self.column.decimals, _DIGITS - self._whole_digits))

    @cached_property
    def _whole_digits(self) -> int:
        """Width of numbers on the screen before the decimal mark, with a minus and the mark."""
        if self.column.limit:
            return max(1, len(str(self.column.limit)) - 1)
        known = self.column.numbers[~np.isnan(self.column.numbers)]
        ends = (known.min(), known.max()) if known.size else (0.0, 0.0)
        largest = max(len(f"{number:.0f}") for number in ends)
        return min(_WIDEST - 1, largest) + (not self._is_whole)

    def _missing(self) -> tuple[int, bytes]:
        """Returns the number of codes of no answer as the file counts them, and the codes."""
        if self.width:
            fit = self._missing_texts()
            # Codes of longer texts have a record of their own.
            return (0, b"") if self.width > _SHORT else (len(fit), b"".join(fit))
        single, ranges = list(self.column.missing_numbers), self.column.missing_ranges
        if ranges:
            lower, upper = ranges[0].lower, ranges[0].upper
            ends = (
                _LOWEST if lower is None else float(lower),
                _HIGHEST if upper is None else float(upper),
            )
            rest = [n for n in single if not ends[0] <= n <= ends[1]][:1]
            return -2 - len(rest), struct.pack(f"<{2 + len(rest)}d", *ends, *rest)
        if len(single) > _MOST_MISSING and not self._has_answer(min(single), max(single)):
            return -2, struct.pack("<2d", min(single), max(single))
        single = single[:_MOST_MISSING]
        return len(single), struct.pack(f"<{len(single)}d", *single)

    def _missing_texts(self) -> list[bytes]:
        """The first codes of no answer that SPSS can declare: of up to eight bytes, padded."""
        most = min(self.width, _SHORT)
        texts = (text.encode() for text in self.column.missing_texts)
        return [text.ljust(_SHORT) for text in texts if len(text) <= most][:_MOST_MISSING]

    def long_missing_texts(self) -> bytes:
        """Returns the codes of no answer of longer texts, as their record has them."""
        fit = self._missing_texts() if self.width > _SHORT else []
        if not fit:
            return b""
        name = self.name.encode()
        head = struct.pack("<i", len(name)) + name + bytes([len(fit)]) + struct.pack("<i", _SHORT)
        return head + b"".join(fit)

    def _has_answer(self, lower: float, upper: float) -> bool:
        """Whether a number between two codes is an answer."""
        known = set(self.column.numbers.tolist()) - set(self.column.missing_numbers)
        return any(lower <= number <= upper for number in known)

    def value_labels(self) -> bytes:
        """Returns the records of labels of numbers, or of texts of up to eight bytes."""
        pairs = self._labelled()
        if not pairs or self.width > _SHORT:
            return b""
        found = bytearray(struct.pack("<ii", 3, len(pairs)))
        for value, label in pairs:
            told = bytes([len(label)]) + label
            found += value + told.ljust(-(-len(told) // 8) * 8)
        return bytes(found + struct.pack("<iii", 4, 1, self.place))

    def long_value_labels(self) -> bytes:
        """Returns the labels of longer texts, as their record has them."""
        pairs = self._labelled()
        if not pairs or self.width <= _SHORT:
            return b""
        name = self.name.encode()
        found = bytearray(struct.pack("<i", len(name)) + name)
        found += struct.pack("<ii", self.width, len(pairs))
        for value, label in pairs:
            found += struct.pack("<i", len(value)) + value
            found += struct.pack("<i", len(label)) + label
        return bytes(found)

    def _labelled(self) -> list[tuple[bytes, bytes]]:
        """Values with their labels, both as bytes."""
        if self.width:
            length = max(self.width, _SHORT)
            return [
                (text.encode().ljust(length), _label(meaning))
                for text, meaning in self.column.text_labels
                # A code that no cell has may be longer than all of them.
                if len(text.encode()) <= self.width
            ]
        found = {number: meaning for _, number, meaning in self.column.number_labels}
        return [(struct.pack("<d", number), _label(told)) for number, told in found.items()]

    def shown(self) -> bytes:
        """Returns level of measurement, width on the screen and alignment."""
        level = _LEVELS.get(self.column.level, 0)
        return struct.pack("<3i", level, min(max(self.width, 8), 40), 0 if self.width else 1)

    def put(
        self, places: Places, commands: npt.NDArray[np.uint8], words: npt.NDArray[np.uint64]
    ) -> None:
        """Writes cells as commands and words, both of the shape (rows, words)."""
        if self.width:
            own, of_cell = np.unique(places, return_inverse=True)
            words[:] = self._text_words(own)[of_cell]
            commands[:] = np.where(words == _BLANKS, _BLANK, _RAW)
            return
        if self.column.limit:
            numbers = np.where(places < 0, np.nan, places.astype(np.float64))
        else:
            numbers = self._numbers[places]
        words[:, 0] = numbers.view("<u8")
        is_small = (
            (numbers >= 1 - _BIAS) & (numbers <= 251 - _BIAS) & (numbers == np.floor(numbers))
        )
        small = np.where(is_small, numbers, 0.0).astype(np.int64) + _BIAS
        found = np.where(is_small, small, _RAW)
        commands[:, 0] = np.where(np.isnan(numbers), _NO_NUMBER, found).astype(np.uint8)

    @cached_property
    def _numbers(self) -> npt.NDArray[np.float64]:
        """The number of each text, and behind them that of an empty cell."""
        return np.append(spss_numbers(self.column), np.nan)

    def _text_words(self, places: Places) -> npt.NDArray[np.uint64]:
        """The words of some texts, shape (places, words): of all at once they may be gigabytes."""
        table = np.full((places.size, 8 * self.words), ord(" "), dtype=np.uint8)
        for row, place in enumerate(places.tolist()):
            raw = self.column.texts[place].encode() if place >= 0 else b""
            # Each segment holds 255 bytes in 256 of the record.
            for part in range(len(self.segments)):
                piece = raw[part * _SEGMENT : (part + 1) * _SEGMENT]
                start = part * (_SEGMENT + 1)
                table[row, start : start + len(piece)] = np.frombuffer(piece, dtype=np.uint8)
        found: npt.NDArray[np.uint64] = table.view("<u8")
        return found


_BLANKS = np.frombuffer(b" " * 8, dtype="<u8")[0]


def _variables(columns: Sequence[WrittenColumn], names: Sequence[str]) -> list[_Variable]:
    found: list[_Variable] = []
    place, number = 1, 0
    for column, name in zip(columns, names, strict=True):
        width = column.text_bytes if column.kind == "text" else 0
        shorts = tuple(f"V{number + part:X}" for part in range(1, len(_segments(width)) + 1))
        number += len(shorts)
        variable = _Variable(column, name, place, width, shorts)
        place += variable.words
        found.append(variable)
    return found


def _segments(width: int) -> tuple[int, ...]:
    if width <= _SEGMENT:
        return (width,)
    many = -(-width // _SEGMENT_COUNTED)
    return (_SEGMENT,) * (many - 1) + (width - (many - 1) * _SEGMENT_COUNTED,)


def _extension(subtype: int, size: int, content: bytes) -> bytes:
    return struct.pack("<iiii", 7, subtype, size, len(content) // size) + content


def _label(text: str) -> bytes:
    return shortened_bytes(text, VALUE_LABEL_BYTES).encode()


def _plain(name: str) -> str:
    found = _REFUSED_SIGN.sub("_", name).rstrip(".")
    return found if found[:1].isalpha() else f"v_{found.lstrip('_')}"
