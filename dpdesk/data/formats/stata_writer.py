"""Writes the records of a release as a data set of Stata 14 and later, .dta of version 118 or 119.

Layout by the documentation of Stata, "File formats .dta". It is written here and not by pyreadstat,
whose writer needs pandas, holds the whole table and stamps the file with the time of the day.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from dpdesk.data.column_description import shortened
from dpdesk.data.formats import labelled_writer
from dpdesk.data.formats.package_dates import stata_text
from dpdesk.data.formats.texts import T
from dpdesk.data.output_fields import OutputField
from dpdesk.data.written_column import WrittenColumn
from dpdesk.i18n import N_, Message

NAME_SIGNS, LABEL_SIGNS, TEXT_BYTES, COLUMNS_MOST = 32, 80, 2045, 120_000
_COLUMNS_OF_118 = 32_767
_VALUE_LABEL_BYTES = 32_000
_NOTE_BYTES, _NOTES_MOST = 2_000, 9_999
_REFUSED_SIGN = re.compile(r"[^\w]")
_RESERVED = frozenset(
    (
        *("_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long"),
        *("_n", "_pi", "_pred", "_rc", "_skip", "strl", "using", "with", "_se", "e"),
    )
)
_STRING = re.compile(r"str[0-9]+")
# Number of a type, its form in numpy, the largest number and the first missing value.
_TYPES = {
    "byte": (65530, "<i1", 100, 101),
    "int": (65529, "<i2", 32_740, 32_741),
    "long": (65528, "<i4", 2_147_483_620, 2_147_483_621),
}
_DOUBLE = 65526
_NO_DOUBLE, _NEXT_DOUBLE = 0x7FE0000000000000, 0x0000010000000000
_FIRST_TAG = 0x7FFFFFE6
_DAYS_FROM_1960 = 3653
_DAY = 86_400_000
"""Milliseconds of a day."""
_DISPLAYS = {
    "moment": "%tcCCYY-NN-DD_HH:MM:SS",
    "clock": "%tcHH:MM:SS",
    "minute": "%tcCCYY-NN-DD_HH:MM",
    "hour": "%tcCCYY-NN-DD_HH:MM",
    "time": "%tcHH:MM",
    "day": "%tdCCYY-NN-DD",
    "month": "%tmCCYY-NN",
    "quarter": "%tq",
}


class StataRecords(labelled_writer.LabelledRecords):
    """A data set of Stata."""

    name = "records.dta"
    meaning = N_("the same for Stata, with labels")
    content = "The same records for Stata 14 and later, with labels and missing values."

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        return labelled_writer.bytes_of_a_cell(field, 8)

    @classmethod
    def most_bytes_of_texts(cls, total: int, longest: int, rows: int) -> int:
        return rows * max(longest, 8)

    @classmethod
    def refusal(cls, columns: Sequence[WrittenColumn], rows: int) -> Message | None:
        if (count := len(columns)) > COLUMNS_MOST:
            return T.COLUMNS_DO_NOT_FIT(file=cls.name, most=COLUMNS_MOST, columns=count)
        texts = (column for column in columns if column.kind == "text")
        refusals = (labelled_writer.refuse_texts(cls.name, one, TEXT_BYTES) for one in texts)
        return next(filter(None, refusals), None)

    @classmethod
    def column_names(cls, names: Sequence[str]) -> tuple[str, ...]:
        return labelled_writer.fitting_names(
            names, _plain, most=NAME_SIGNS, size=len, reserved=_RESERVED
        )

    @classmethod
    def display(cls, column: WrittenColumn) -> str:
        return f"{_DISPLAYS.get(column.kind, '')}{'.sss' if column.has_fractions else ''}"

    @classmethod
    def stored(cls, column: WrittenColumn) -> npt.NDArray[np.float64]:
        return _stored_numbers(column)

    number_text = staticmethod(stata_text)

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        read = super().read_texts(column)
        return tuple(
            f".{column.tags[text]}" if text in column.tags else found
            for text, found in zip(column.texts, read, strict=True)
        )

    def _begin(self) -> None:
        super()._begin()
        self._variables = [
            _Variable(column, name) for column, name in zip(self._columns, self._names, strict=True)
        ]
        self._size = sum(variable.size for variable in self._variables)
        self._places_of: list[int] = []
        self._head()

    def close(self) -> None:
        self._file.write(b"</data>")
        self._mark(b"<strls></strls>")
        self._mark(b"<value_labels>")
        for variable in self._variables:
            self._file.write(variable.value_labels())
        self._file.write(b"</value_labels>")
        self._mark(b"</stata_dta>")
        self._places_of.append(self._file.tell())
        self._file.seek(self._counted_at)
        self._file.write(struct.pack("<Q", self.rows))
        self._file.seek(self._map_at)
        self._file.write(struct.pack("<14Q", *self._places_of))
        self._file.seek(0, 2)

    def _mark(self, tag: bytes) -> None:
        """Notes where a part begins, and begins it."""
        self._places_of.append(self._file.tell())
        self._file.write(tag)

    def _head(self) -> None:
        write, many = self._file.write, len(self._variables)
        is_large = many > _COLUMNS_OF_118
        number = "<I" if is_large else "<H"
        self._mark(b"<stata_dta>")
        write(b"<header><release>119" if is_large else b"<header><release>118")
        write(b"</release><byteorder>LSF</byteorder><K>" + struct.pack(number, many))
        write(b"</K><N>")
        self._counted_at = self._file.tell()
        # A time of its own would make equal contents unequal files.
        write(bytes(8) + b"</N><label>\0\0</label><timestamp>\0</timestamp></header>")
        self._mark(b"<map>")
        self._map_at = self._file.tell()
        write(bytes(14 * 8) + b"</map>")
        variables = self._variables
        self._mark(b"<variable_types>")
        write(b"".join(struct.pack("<H", v.number) for v in variables) + b"</variable_types>")
        self._mark(b"<varnames>")
        write(b"".join(v.name.encode().ljust(129, b"\0") for v in variables) + b"</varnames>")
        self._mark(b"<sortlist>")
        write(bytes(struct.calcsize(number) * (many + 1)) + b"</sortlist>")
        self._mark(b"<formats>")
        write(b"".join(v.display.encode().ljust(57, b"\0") for v in variables) + b"</formats>")
        self._mark(b"<value_label_names>")
        names = (v.name.encode() if v.labelled() else b"" for v in variables)
        write(b"".join(name.ljust(129, b"\0") for name in names) + b"</value_label_names>")
        self._mark(b"<variable_labels>")
        write(b"".join(v.label().ljust(321, b"\0") for v in variables) + b"</variable_labels>")
        self._mark(b"<characteristics>")
        write(b"".join(v.notes() for v in variables) + b"</characteristics>")
        self._mark(b"<data>")

    def _write_rows(self, cells: list[labelled_writer.Places], rows: int) -> None:
        block = np.empty((rows, self._size), dtype=np.uint8)
        at = 0
        for variable, places in zip(self._variables, cells, strict=True):
            block[:, at : at + variable.size] = variable.bytes_of(places)
            at += variable.size
        self._file.write(block.tobytes())


class _Variable:
    """A column as the file has it."""

    def __init__(self, column: WrittenColumn, name: str) -> None:
        self.column, self.name = column, name
        if column.kind == "text":
            self.number = self.size = column.text_bytes
            self.display = f"%-{min(column.text_bytes, 40)}s"
            self._table = self._texts()
            return
        self._stored = _stored_numbers(column)
        self.type = self._fitting_type()
        if self.type == "double":
            self.number, self.size = _DOUBLE, 8
        else:
            self.number, form, _, self._no_number = _TYPES[self.type]
            self.size = np.dtype(form).itemsize
        plain = "%12.0g" if self.type == "double" and not column.are_whole else "%9.0g"
        self.display = StataRecords.display(column) or plain
        self._table = np.empty((0, 0), dtype=np.uint8) if column.limit else self._numbers()

    def bytes_of(self, places: labelled_writer.Places) -> npt.NDArray[np.uint8]:
        """Returns the bytes of cells, shape (rows, size)."""
        if self.column.limit:
            if self.type == "double":
                numbers = np.where(places < 0, 0, places).astype("<f8").view("<u8")
                found = np.where(places < 0, np.uint64(_NO_DOUBLE), numbers).astype("<u8")
            else:
                numbers = np.where(places < 0, self._no_number, places)
                found = numbers.astype(_TYPES[self.type][1])
            return found.view(np.uint8).reshape(places.size, self.size)
        return self._table[places]

    def label(self) -> bytes:
        """Returns the label, as long as Stata allows."""
        line = " ".join(labelled_writer.shown_label(self.column, self.name).split())
        return shortened(line, LABEL_SIGNS).replace("\0", " ").encode()

    def labelled(self) -> list[tuple[int, bytes]]:
        """Returns the whole numbers that mean something; Stata labels no others."""
        if self.column.kind != "number":
            return []
        tags = self.column.tags
        # A code that has become a letter is known by itself.
        found = {
            _FIRST_TAG + ord(tag) - ord("a"): _value_label(text)
            for text, tag in tags.items()
            if text != f".{tag}"
        }
        for text, number, meaning in self.column.number_labels:
            tag = tags.get(text)
            if tag is None and not _takes_label(number):
                continue
            value = int(number) if tag is None else _FIRST_TAG + ord(tag) - ord("a")
            found[value] = _value_label(meaning)
        if self.column.are_codes_kept:
            for text, meaning in self.column.missing.labels.items():
                if re.fullmatch(r"\.[a-z]", text):
                    found[_FIRST_TAG + ord(text[1]) - ord("a")] = _value_label(meaning)
        return sorted(found.items())

    def notes(self) -> bytes:
        """Returns what Stata has no label for, as notes of the column: texts and fractions."""
        column = self.column
        if column.kind == "text":
            told = list(column.text_labels)
        elif column.kind == "number":
            known = (
                (t, n, meaning) for t, n, meaning in column.number_labels if t not in column.tags
            )
            told = [(t, meaning) for t, n, meaning in known if not _takes_label(n)]
        else:
            return b""
        notes = [
            labelled_writer.shortened_bytes(f"{text} = {meaning}", _NOTE_BYTES)
            for text, meaning in told
        ]
        notes = notes[:_NOTES_MOST]
        numbered = [(f"note{number}", note) for number, note in enumerate(notes, start=1)]
        return b"".join(
            self._characteristic(key, note)
            for key, note in ([("note0", str(len(notes))), *numbered] if notes else [])
        )

    def _characteristic(self, key: str, text: str) -> bytes:
        body = self.name.encode().ljust(129, b"\0") + key.encode().ljust(129, b"\0")
        body += text.encode() + b"\0"
        return b"<ch>" + struct.pack("<i", len(body)) + body + b"</ch>"

    def value_labels(self) -> bytes:
        """Returns the table of labels, which is named as the column."""
        pairs = self.labelled()
        if not pairs:
            return b""
        texts = [label + b"\0" for _, label in pairs]
        offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])[:-1]])
        body = struct.pack("<ii", len(pairs), sum(map(len, texts)))
        body += offsets.astype("<i4").tobytes()
        body += np.array([value for value, _ in pairs], dtype="<i4").tobytes() + b"".join(texts)
        name = self.name.encode().ljust(129, b"\0")
        return b"<lbl>" + struct.pack("<i", len(body)) + name + bytes(3) + body + b"</lbl>"

    def _fitting_type(self) -> str:
        """Returns the smallest type that holds every number."""
        column = self.column
        if column.limit:
            least, largest = 0.0, float(column.limit - 1)
        else:
            is_tag = np.array([text in column.tags for text in column.texts], dtype=np.bool_)
            known = self._stored[~np.isnan(self._stored) & ~is_tag]
            if np.any(known != np.floor(known)):
                return "double"
            least, largest = (known.min(), known.max()) if known.size else (0.0, 0.0)
        for name, (_, _, most, _) in _TYPES.items():
            if largest <= most and least >= -most:
                return name
        return "double"

    def _numbers(self) -> npt.NDArray[np.uint8]:
        """The bytes of each text's number, and behind them those of an empty cell."""
        numbers = np.append(self._stored, np.nan)
        missing = np.isnan(numbers)
        tags = [self.column.tags.get(text) for text in self.column.texts]
        step = np.array([0 if tag is None else ord(tag) - ord("a") + 1 for tag in [*tags, None]])
        is_none = missing | (step > 0)
        if self.type == "double":
            codes = _NO_DOUBLE + step.astype(np.uint64) * np.uint64(_NEXT_DOUBLE)
            found = np.where(is_none, codes, np.where(is_none, 0, numbers).view("<u8"))
            return found.astype("<u8").view(np.uint8).reshape(numbers.size, 8)
        known = np.where(is_none, 0, numbers).astype(np.int64)
        whole = np.where(is_none, self._no_number + step, known).astype(_TYPES[self.type][1])
        return whole.view(np.uint8).reshape(numbers.size, self.size)

    def _texts(self) -> npt.NDArray[np.uint8]:
        """The bytes of each text, and behind them those of an empty cell."""
        table = np.zeros((len(self.column.texts) + 1, self.size), dtype=np.uint8)
        for row, text in enumerate(self.column.texts):
            raw = text.encode()
            table[row, : len(raw)] = np.frombuffer(raw, dtype=np.uint8)
        return table


def _stored_numbers(column: WrittenColumn) -> npt.NDArray[np.float64]:
    """Returns the number of each text as Stata counts: dates begin with 1960."""
    numbers = column.numbers
    if column.kind == "day":
        return numbers + _DAYS_FROM_1960
    if column.kind in ("moment", "clock"):
        return numbers + (_DAYS_FROM_1960 * _DAY if column.kind == "moment" else 0)
    if column.kind in ("minute", "hour"):
        minutes = numbers * (1 if column.kind == "minute" else 60)
        return (minutes + _DAYS_FROM_1960 * 1440) * 60_000
    if column.kind == "time":
        return numbers * 60_000
    if column.kind in ("month", "quarter"):
        return numbers + 10 * (12 if column.kind == "month" else 4)
    return numbers


def _takes_label(number: float) -> bool:
    """Whether Stata has a label for a number."""
    return number.is_integer() and abs(number) <= _TYPES["long"][2]


def _value_label(meaning: str) -> bytes:
    # In one line, because a zero byte would end it.
    return labelled_writer.shortened_bytes(meaning, _VALUE_LABEL_BYTES).encode()


def _plain(name: str) -> str:
    found = _REFUSED_SIGN.sub("_", name)
    is_name = bool(found) and (found[0].isalpha() or found[0] == "_")
    return found if is_name and not _STRING.fullmatch(found.casefold()) else f"v_{found}"
