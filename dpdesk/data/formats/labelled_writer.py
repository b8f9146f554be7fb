"""What writers of statistics programs share: cells as places of texts, and names that fit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from dpdesk.data import output_fields
from dpdesk.data.formats.number_cells import NumberText, number_text, texts_of_numbers
from dpdesk.data.formats.texts import T
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import without_unprintable
from dpdesk.i18n import Message

Places = npt.NDArray[np.int64]
"""Places of texts in `WrittenColumn.texts`, or whole numbers; negative for an empty cell."""


class LabelledRecords(output_fields.RecordFile):
    """A file that says what its columns mean; it is written where it is asked for.

    Args:
        file: A file open for binary writing, in which one can go back.
        fields: The fields of a record.
        columns: What is said of each column of the fields, in their order; of a field of symbols,
            the texts are those of the field.
    """

    is_asked = True

    def _begin(self) -> None:
        self._names = self.column_names([column.name for column in self._columns])
        self._places = [
            {text: place for place, text in enumerate(column.texts)}
            if isinstance(field, output_fields.TextField)
            else {}
            for field, column in self._owners()
        ]
        self.rows = 0

    def write(self, chunks: Sequence[output_fields.Chunk], rows: int) -> None:
        self._write_rows(list(self._cells(chunks)), rows)
        self.rows += rows

    @classmethod
    def display(cls, column: WrittenColumn) -> str:
        """Returns the display format of a column of dates; empty for others."""
        return ""

    @classmethod
    def stored(cls, column: WrittenColumn) -> npt.NDArray[np.float64]:
        """Returns the number of each text as the program counts."""
        return column.numbers

    @classmethod
    def number_text(cls, display: str) -> NumberText | None:
        """Returns what a reader makes of the numbers of a display format; None for digits."""
        return None

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        if column.kind == "text":
            return column.texts
        text = cls.number_text(cls.display(column)) or number_text
        return tuple(texts_of_numbers(cls.stored(column), text))

    def _write_rows(self, cells: list[Places], rows: int) -> None:
        """Appends some records, of which it gets each column's cells."""
        raise NotImplementedError

    def _owners(self) -> Iterator[tuple[output_fields.OutputField, WrittenColumn]]:
        """Yields each column with its field."""
        columns = iter(self._columns)
        for field in self._fields:
            is_single = isinstance(field, output_fields.SymbolField | output_fields.TextField)
            for _ in range(1 if is_single else len(field.names)):  # type: ignore[union-attr]
                yield field, next(columns)

    def _cells(self, chunks: Sequence[output_fields.Chunk]) -> Iterator[Places]:
        """Yields the cells of each column."""
        place = 0
        for field, chunk in zip(self._fields, chunks, strict=True):
            if isinstance(field, output_fields.TextField):
                assert not isinstance(chunk, output_fields.PartialChunk)  # noqa: S101 - refused by `rows_of`
                known = self._places[place]
                yield np.array([known[text] for text in chunk], dtype=np.int64)
                place += 1
                continue
            reports, absent = output_fields.split_chunk(chunk)
            parts = reports[:, None] if reports.ndim == 1 else reports
            for part in range(parts.shape[1]):
                cells = parts[:, part].astype(np.int64)
                if isinstance(field, output_fields.IntegersField) and field.blanks:
                    cells[cells == field.limits[part] - 1] = -1
                if absent is not None:
                    cells[absent] = -1
                yield cells
                place += 1


def shown_label(column: WrittenColumn, name: str) -> str:
    """Returns the label of a column; its own name where it has none and had to change it.

    Args:
        column: The column.
        name: Its name in the file.
    """
    return column.label or (column.name if name != column.name else "")


def refuse_texts(file: str, column: WrittenColumn, most: int) -> Message | None:
    """Returns why a format cannot hold the texts of a column; None where it can.

    Args:
        file: Name of the file, for the message.
        column: A column of texts.
        most: Most bytes that a text of the format has.
    """
    if column.text_bytes > most:
        return T.LONG_TEXT(column=column.name, most=most, file=file)
    if any("\0" in text for text in column.texts):
        return T.ZERO_BYTE(column=column.name, file=file)
    return None


def bytes_of_a_cell(field: output_fields.OutputField, number: int) -> int:
    """Returns the most bytes of a field's cells in a record of fixed length, its texts padded.

    Args:
        field: The field.
        number: Bytes of a number.
    """
    if isinstance(field, output_fields.BitsField | output_fields.IntegersField):
        return number * len(field.names)
    if isinstance(field, output_fields.SymbolField):
        longest = max((len(text.encode()) for text in field.texts), default=0)
        return max(number, longest + 8)
    return number


def fitting_names(
    names: Sequence[str],
    plain: Callable[[str], str],
    *,
    most: int,
    size: Callable[[str], int],
    reserved: Collection[str] = (),
) -> tuple[str, ...]:
    """Returns names that a program takes: without other signs, short enough, all different.

    A name that fits stays. In any other, each sign that the program refuses becomes an underscore
    and the end is cut off; where it is not the only one of its kind, _2, _3 ... follow. The result
    depends on nothing but the names, and upper and lower case do not tell two of them apart.

    Args:
        names: The names, in their order.
        plain: Puts other signs in the place of those that the program refuses.
        most: The largest size of a name.
        size: Returns the size of a name.
        reserved: Names that the program uses itself, in small letters.
    """
    fits = [plain(name) == name and size(name) <= most for name in names]
    taken = set(reserved)
    # Names that are cut to the same beginning go on counting: what was taken stays taken.
    reached: dict[str, int] = {}
    found: list[str] = [""] * len(names)
    # Names that fit come first, so that no other takes theirs.
    for place in sorted(range(len(names)), key=lambda place: not fits[place]):
        begin = own = _cut(plain(names[place]), "", most, size)
        number = reached.get(begin, 1)
        if number > 1:
            own = _cut(begin, f"_{number}", most, size)
        while own.casefold() in taken:
            number += 1
            own = _cut(begin, f"_{number}", most, size)
        reached[begin] = number
        found[place] = own
        taken.add(own.casefold())
    return tuple(found)


def _cut(name: str, end: str, most: int, size: Callable[[str], int]) -> str:
    """Returns a name with its end, cut off before the end until it fits."""
    while size(name + end) > most:
        # A point at the end would end a command of SPSS.
        name = name[:-1].rstrip(".")
    return name + end


def shortened_bytes(text: str, most: int) -> str:
    """Returns a text of at most so many bytes of UTF-8 in one line; a longer one ends in …."""
    line = without_unprintable(text)
    raw = line.encode()
    if len(raw) <= most:
        return line
    return raw[: most - 3].decode(errors="ignore") + "…"
