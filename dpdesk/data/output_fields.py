"""The fields of a release's records, and the interface of the file formats that hold them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Literal, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.write_csv import neutralise
from dpdesk.i18n import Message

if TYPE_CHECKING:
    from dpdesk.data.written_column import WrittenColumn

Numeric = Literal["no", "integer", "real"]

_NUMBER = {
    "integer": re.compile(r"[+-]?[0-9]{1,18}"),
    "real": re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?"),
}
# A file whose first cell begins with a byte order mark would lose it to its reader.
_SPECIAL = re.compile(r'[",\r\n]|^\ufeff')


@dataclass(frozen=True)
class SymbolField:
    """A column of codes that is written as the text of each code.

    A chunk of it is an integer array, shape (rows,), of positions in `texts`.

    Attributes:
        name: Name of the column.
        texts: Text of each code.
        numeric: Whether all texts are numbers with a decimal point; an empty text means no answer.
        optional: Whether chunks may be `PartialChunk`.
    """

    name: str
    texts: tuple[str, ...]
    numeric: Numeric = "no"
    optional: bool = False

    def __post_init__(self) -> None:
        if self.numeric == "no":
            return
        number = _NUMBER[self.numeric]
        if not all(text == "" or number.fullmatch(text) for text in self.texts):
            raise ValueError("A text of a field of numbers is no such number.")


@dataclass(frozen=True)
class BitsField:
    """A report of several indicators, one column of 0 and 1 each.

    A chunk of it is a uint8 array, shape (rows, k).

    Attributes:
        names: Names of the k columns.
        optional: Whether chunks may be `PartialChunk`.
    """

    names: tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True)
class IntegersField:
    """A report of several whole numbers, one column each.

    A chunk of it is an integer array, shape (rows, parts).

    Attributes:
        names: Names of the columns.
        limits: How many values each column can have: 0 up to one less.
        optional: Whether chunks may be `PartialChunk`.
        blanks: Whether the last value of each column is written as an empty cell.
    """

    names: tuple[str, ...]
    limits: tuple[int, ...]
    optional: bool = False
    blanks: bool = False


@dataclass(frozen=True)
class TextField:
    """A column of texts that are copied; a chunk is a sequence of texts, such as `CodedTexts`.

    Attributes:
        name: Name of the column.
    """

    name: str


@dataclass(frozen=True, eq=False)
class PartialChunk:
    """A chunk of an optional field, in which some records have no report: their cells are empty.

    Attributes:
        reports: A report for every record, including those that are not written.
        present: Which of them are written, shape (rows,).
    """

    reports: npt.NDArray[Any]
    present: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.present)

    def __getitem__(self, rows: slice) -> PartialChunk:
        return PartialChunk(self.reports[rows], self.present[rows])


class CodedTexts(Sequence[str]):
    """A chunk of a field of texts, as positions in the list of all of them.

    Attributes:
        texts: The texts, a pyarrow array of text.
        codes: Position of each record's text, any type of integer, shape (rows,).
    """

    def __init__(self, texts: pa.Array, codes: npt.NDArray[np.integer[Any]]) -> None:
        self.texts, self.codes = texts, codes

    def array(self) -> pa.Array:
        """Returns the text of each record, as pyarrow holds texts."""
        return self.texts.take(pa.array(self.codes)).cast(pa.string())

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.array().to_pylist())

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> CodedTexts: ...
    def __getitem__(self, at: int | slice) -> str | CodedTexts:
        if isinstance(at, slice):
            return CodedTexts(self.texts, self.codes[at])
        text: str = self.texts[int(self.codes[at])].as_py()
        return text


OutputField = SymbolField | BitsField | IntegersField | TextField
Chunk = npt.NDArray[Any] | Sequence[str] | PartialChunk


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Returns the chunks of one field as one, in their order; at least one."""
    if len(chunks) == 1:
        return chunks[0]
    partial = [chunk for chunk in chunks if isinstance(chunk, PartialChunk)]
    arrays = [chunk for chunk in chunks if isinstance(chunk, np.ndarray)]
    coded = [chunk for chunk in chunks if isinstance(chunk, CodedTexts)]
    if len(arrays) == len(chunks):
        return np.concatenate(arrays)
    if len(coded) == len(chunks) and all(chunk.texts is coded[0].texts for chunk in coded):
        return CodedTexts(coded[0].texts, np.concatenate([chunk.codes for chunk in coded]))
    if not partial:
        return [text for chunk in chunks if not isinstance(chunk, PartialChunk) for text in chunk]
    parts = [split_chunk(chunk) for chunk in chunks]
    present = [np.full(len(r), True) if absent is None else ~absent for r, absent in parts]
    return PartialChunk(np.concatenate([r for r, _ in parts]), np.concatenate(present))


def field_names(fields: Sequence[OutputField]) -> tuple[str, ...]:
    """Names of the columns of all fields, in order."""
    names: list[str] = []
    for field in fields:
        if isinstance(field, BitsField | IntegersField):
            names.extend(field.names)
        else:
            names.append(field.name)
    return tuple(names)


class RecordFile(ABC):
    """One format of released records, written chunk by chunk to an open file."""

    name: ClassVar[str]
    """Name of the file."""
    meaning: ClassVar[str]
    """Its purpose, as a line beside its name."""
    content: ClassVar[str]
    """Its content, as a sentence of the report."""
    is_asked: ClassVar[bool] = False
    """Whether it is written only where it is asked for; the others are in every release."""

    def __init__(
        self,
        file: BinaryIO,
        fields: Sequence[OutputField],
        columns: Sequence[WrittenColumn] = (),
    ) -> None:
        self._file, self._fields, self._columns = file, tuple(fields), tuple(columns)
        self._begin()

    def _begin(self) -> None:
        """Makes ready what records need, and writes what stands before the first."""
        return

    @classmethod
    def word(cls) -> str:
        """Returns what users call the format: the ending of its files."""
        return cls.name.rpartition(".")[2]

    @classmethod
    def refusal(cls, columns: Sequence[WrittenColumn], rows: int) -> Message | None:
        """Returns why such records do not fit the format; None where they do."""
        return None

    @classmethod
    def column_names(cls, names: Sequence[str]) -> tuple[str, ...]:
        """Returns what released columns of these names are called in a file of this format."""
        return tuple(names)

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        """Returns what a file of this format, read again, holds for each text of a column."""
        return column.texts

    @classmethod
    def deciding_texts(cls, column: WrittenColumn) -> Collection[str]:
        """Returns texts of a copied column by which a file is written as it is by all of them.

        They are all, unless a format says what it needs: so many texts may differ that it takes
        much memory to hold them. What decides of a column is then among what decides of parts of
        its texts.
        """
        return column.texts

    @abstractmethod
    def write(self, chunks: Sequence[Chunk], rows: int) -> None:
        """Appends `rows` records, one chunk per field."""

    def close(self) -> None:
        """Completes the content; the file itself stays open."""
        return

    def abandon(self) -> None:
        """Gives up; the content is worthless."""
        return

    @classmethod
    @abstractmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        """Returns the most bytes that a field can take in one record.

        Of texts that are copied only the marks around them count; the table that they come from
        knows their letters.
        """

    @classmethod
    def most_bytes_of_texts(cls, total: int, longest: int, rows: int) -> int:
        """Returns the most bytes that the texts of a copied column take."""
        return total

    @classmethod
    def most_bytes(cls, field: OutputField, rows: int) -> int:
        """Returns the most bytes that a field can take in so many records, with its names."""
        names = sum(len(name.encode("utf-8")) for name in field_names((field,)))
        return rows * cls.most_bytes_of_one(field) + names


def csv_cell(text: str, *, number: bool = False) -> str:
    """Returns a text as a cell of a CSV file (RFC 4180), neutralised unless it is a number."""
    cell = text if number else neutralise(text)
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


def rows_of(field: OutputField, chunk: Chunk) -> int:
    """Checks that a chunk fits its field.

    Returns:
        Its number of rows.

    Raises:
        ValueError: The chunk has another shape, or a code without a text.
    """
    if isinstance(chunk, PartialChunk):
        if isinstance(field, TextField) or not field.optional:
            raise ValueError("A field that is not optional has a report in every record.")
        if rows_of(field, chunk.reports) != len(chunk):
            raise ValueError("A partial chunk says of each record whether it has a report.")
        return len(chunk)
    if isinstance(field, TextField):
        return len(chunk)
    array = np.asarray(chunk)
    if isinstance(field, BitsField):
        if array.ndim != 2 or array.shape[1] != len(field.names):
            raise ValueError("A chunk of indicators has one column per name.")
        if array.size and (array.min() < 0 or array.max() > 1):
            raise ValueError("Indicators are 0 or 1.")
        return int(array.shape[0])
    if isinstance(field, IntegersField):
        if array.ndim != 2 or array.shape[1] != len(field.names):
            raise ValueError("A chunk of whole numbers has one column per name.")
        if array.size and (array.min() < 0 or (array.max(axis=0) >= field.limits).any()):
            raise ValueError("A chunk holds a number beyond its column's limit.")
        return int(array.shape[0])
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError("A chunk of codes is a one-dimensional array of integers.")
    if array.size and (array.min() < 0 or array.max() >= len(field.texts)):
        raise ValueError("A chunk holds a code that has no text.")
    return len(array)


def split_chunk(chunk: Chunk) -> tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]:
    """Returns the reports of a chunk, and which of them are missing; None if none is."""
    if isinstance(chunk, PartialChunk):
        return chunk.reports, ~chunk.present
    return np.asarray(chunk), None


def parquet_type(field: SymbolField | TextField) -> pa.DataType:
    """The plain type of the column in Parquet."""
    if isinstance(field, SymbolField):
        return {"no": pa.string(), "integer": pa.int64(), "real": pa.float64()}[field.numeric]
    return pa.string()


def parquet_values(field: SymbolField) -> pa.Array:
    """The value of each code in Parquet; an empty text of a numeric field is null."""
    if field.numeric == "no":
        return pa.array(field.texts, type=pa.string())
    convert = int if field.numeric == "integer" else float
    values = [convert(text) if text else None for text in field.texts]
    return pa.array(values, type=parquet_type(field))
