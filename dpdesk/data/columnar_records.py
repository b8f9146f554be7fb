"""Records of a release read from Parquet: the columns as `ParquetRecords` wrote them.

A file of some megabytes can describe a table of any size: repeated values are stored with a count,
and pages are compressed. So the file's metadata is read first, and a table that does not fit is
refused before anything else is read. Then only the columns of the plan are read, batch by batch,
and kept as numbers whose memory is known beforehand, however long their texts are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpdesk.data.formats.columnar_tables import encoded
from dpdesk.data.output_fields import (
    BitsField,
    IntegersField,
    OutputField,
    SymbolField,
    TextField,
    parquet_values,
)
from dpdesk.data.records import Cells, Records, ReportField, rows_of_a_block
from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, open_regular
from dpdesk.data.table import TextColumn
from dpdesk.errors import InputError

MEMORY_MAX = 1 << 30
"""Most bytes that the reports of a file may take: 10,000 indicators of 100,000 records."""

_REMEDY = "Open the records as the release wrote them."
# The metadata of 10,000 columns in some groups of rows takes a few megabytes.
_DESCRIPTION_MAX = 32 << 20
_CELLS_AT_ONCE = 1 << 24
# A record's weight, its number, and the arrays computed from them while reports are counted.
_BYTES_OF_A_RECORD = 48

_ABSENT = -2
"""Marks an empty cell among whole numbers and bits; -1 marks a value that the field cannot hold."""


class ColumnarRecords(Records):
    """The records of a Parquet file.

    Args:
        path: The file.
        fields: The fields that the release wrote. Only their columns are read; one that is missing
            or of another type is refused when it is used.

    Raises:
        InputError: The file cannot be read, is not a table, repeats the name of a column, or holds
            more than `MEMORY_MAX`.
    """

    def __init__(self, path: Path, fields: Sequence[OutputField]) -> None:
        self._path = path
        with _opened(path) as file:
            schema, self.rows = file.schema_arrow, file.metadata.num_rows
        self.names = frozenset(schema.names)
        if len(self.names) != len(schema.names):
            raise InputError(f"{path.name} has two columns of one name.", remedy=_REMEDY)
        self._types = dict(zip(schema.names, schema.types, strict=True))
        reports = [field for field in fields if not isinstance(field, TextField)]
        self._read = {field: self._reader(field) for field in reports if self._fits(field)}
        record = sum(reader.bytes_of_a_row for reader in self._read.values())
        if self.rows * (record + _BYTES_OF_A_RECORD) > MEMORY_MAX:
            raise InputError(
                f"{path.name} says that it holds {self.rows:,} records, for which "
                f"{MEMORY_MAX >> 30} GB of memory is not enough.",
                remedy=_REMEDY,
            )
        self._fill()

    def line(self, record: int) -> int | None:
        """None: the file has no lines."""
        return None

    def texts(self, name: str) -> TextColumn:
        """The texts of a column without empty cells."""
        self._require(name, _is_copied, "texts")
        codes = np.empty(self.rows, dtype=np.int32)
        known: dict[str, int] = {}
        for _, start, column in self._columns([name]):
            if not isinstance(column, pa.DictionaryArray):
                # Numbers and days, of which an empty cell is null.
                column = encoded(column)  # noqa: PLW2901
            if column.null_count:
                missing = start + int(np.flatnonzero(np.asarray(pc.is_null(column)))[0])
                raise InputError(
                    f"Record {missing + 1} of column {name} is empty.", column=name, remedy=_REMEDY
                )
            own = [known.setdefault(t, len(known)) for t in column.dictionary.to_pylist()]
            indices = np.asarray(column.indices)
            codes[start : start + len(indices)] = np.array(own, dtype=np.int32)[indices]
        return TextColumn(name, codes, pa.array(list(known), type=pa.string()))

    def blocks(self, field: ReportField) -> Iterator[Cells]:
        """The cells of a field."""
        for name, fits, what in _columns_of(field):
            self._require(name, fits, what)
        reader = self._read[field]
        step = rows_of_a_block(field) if isinstance(field, BitsField) else max(self.rows, 1)
        for start in range(0, self.rows, step):
            yield reader.cells(slice(start, start + step))

    def _require(self, name: str, fits: Callable[[pa.DataType], bool], what: str) -> None:
        if not fits(self._types[name]):
            raise InputError(
                f"The column {name} does not hold {what}, as the release does.",
                column=name,
                remedy=_REMEDY,
            )

    def _fits(self, field: ReportField) -> bool:
        return all(
            name in self._types and fits(self._types[name]) for name, fits, _ in _columns_of(field)
        )

    def _reader(self, field: ReportField) -> _Symbols | _Integers | _Bits:
        if isinstance(field, SymbolField):
            return _Symbols(field, self.rows)
        if isinstance(field, IntegersField):
            return _Integers(field, self.rows)
        return _Bits(field, self.rows)

    def _fill(self) -> None:
        owners = [
            (reader, place, name)
            for field, reader in self._read.items()
            for place, (name, _, _) in enumerate(_columns_of(field))
        ]
        for reader in self._read.values():
            reader.allocate()
        if not owners:
            return
        for position, start, column in self._columns([name for _, _, name in owners]):
            reader, place, _ = owners[position]
            reader.take(place, start, column)

    def _columns(self, names: list[str]) -> Iterator[tuple[int, int, pa.Array]]:
        """Yields pieces of columns: position of the name, first record, values.

        Texts come as codes with a dictionary.
        """
        texts = [name for name in names if _is_text(self._types[name])]
        with _opened(self._path, texts) as file:
            if _bytes_described(file.metadata, set(names)) > MEMORY_MAX:
                raise InputError(
                    f"{self._path.name} says that it takes more than {MEMORY_MAX >> 30} GB of "
                    "memory.",
                    remedy=_REMEDY,
                )
            start = 0
            for group in range(file.metadata.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                if start + rows > self.rows:
                    break
                at_once = max(1, _CELLS_AT_ONCE // max(rows, 1))
                for first in range(0, len(names), at_once):
                    some = names[first : first + at_once]
                    table = file.read_row_group(group, columns=some)
                    for position, name in enumerate(some, first):
                        at = start
                        for piece in table.column(name).chunks:
                            yield position, at, piece
                            at += len(piece)
                        if at != start + rows:
                            raise _unreadable(self._path.name, None)
                start += rows
            else:
                if start == self.rows:
                    return
        raise _unreadable(self._path.name, None)


class _Reports:
    """The cells of a field's columns, collected piece by piece.

    Attributes:
        bytes_of_a_row: Memory of one record.
    """

    bytes_of_a_row: int

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def allocate(self) -> None:
        """Allocates memory for every record, after a check that there is enough."""
        raise NotImplementedError

    def take(self, place: int, start: int, column: pa.Array) -> None:
        """Stores some consecutive records of one of the columns."""
        raise NotImplementedError

    def cells(self, rows: slice) -> Cells:
        """The cells of some records."""
        raise NotImplementedError


class _Symbols(_Reports):
    """A column of codes; a null counts as an empty cell even if it has a code."""

    bytes_of_a_row = 5

    def __init__(self, field: SymbolField, rows: int) -> None:
        super().__init__(rows)
        self._values = parquet_values(field)

    def allocate(self) -> None:
        self._codes = np.empty(self._rows, dtype=np.int32)
        self._empty = np.zeros(self._rows, dtype=np.bool_)

    def take(self, place: int, start: int, column: pa.Array) -> None:
        rows = slice(start, start + len(column))
        self._empty[rows] = np.asarray(pc.is_null(column))
        if not isinstance(column, pa.DictionaryArray):
            self._codes[rows] = self._codes_of(column)
            return
        own = self._codes_of(column.dictionary)
        indices = np.asarray(pc.fill_null(column.indices, -1))
        if indices.size and not -1 <= indices.min() <= indices.max() < own.size:
            raise pa.ArrowInvalid("an index beyond its dictionary")
        # The entry behind the last one is the code of an empty cell.
        own = np.append(own, self._codes_of(pa.array([None], self._values.type)))
        self._codes[rows] = own[indices]

    def cells(self, rows: slice) -> Cells:
        return Cells(self._codes[rows, None], self._empty[rows, None])

    def _codes_of(self, values: pa.Array) -> npt.NDArray[np.int32]:
        # A value that is not among the texts has no position, nor has null unless a text is empty.
        positions = pc.index_in(values.cast(self._values.type), value_set=self._values)
        return np.asarray(pc.fill_null(positions, -1), dtype=np.int32)


class _Integers(_Reports):
    """Columns of whole numbers from 0 to below a limit each."""

    def __init__(self, field: IntegersField, rows: int) -> None:
        super().__init__(rows)
        self.bytes_of_a_row = 8 * len(field.names)
        self._blanks = field.blanks
        self._limits = [limit - self._blanks for limit in field.limits]

    def allocate(self) -> None:
        self._numbers = np.empty((len(self._limits), self._rows), dtype=np.int64)

    def take(self, place: int, start: int, column: pa.Array) -> None:
        # A number beyond signed 64 bits becomes negative, and so an invalid report.
        numbers = np.asarray(pc.fill_null(pc.cast(column, pa.int64(), safe=False), -1))
        numbers = np.where((numbers < 0) | (numbers >= self._limits[place]), -1, numbers)
        if column.null_count:
            numbers[np.asarray(pc.is_null(column))] = _ABSENT
        self._numbers[place, start : start + len(column)] = numbers

    def cells(self, rows: slice) -> Cells:
        numbers = self._numbers[:, rows].T
        empty = numbers == _ABSENT
        if self._blanks:
            numbers = np.where(empty, self._limits, numbers)
        return Cells(numbers, empty)


class _Bits(_Reports):
    """Columns of 0 and 1."""

    def __init__(self, field: BitsField, rows: int) -> None:
        super().__init__(rows)
        self.bytes_of_a_row = len(field.names)
        self._any_absent = False

    def allocate(self) -> None:
        # Kept by columns and turned block by block: writing rows one cell at a time misses the
        # cache at every cell.
        self._bits = np.empty((self.bytes_of_a_row, self._rows), dtype=np.int8)

    def take(self, place: int, start: int, column: pa.Array) -> None:
        numbers = np.asarray(pc.fill_null(column, 0) if column.null_count else column)
        bits = self._bits[place, start : start + len(column)]
        bits[:] = np.where((numbers == 0) | (numbers == 1), numbers, -1)
        if column.null_count:
            self._any_absent = True
            bits[np.asarray(pc.is_null(column))] = _ABSENT

    def cells(self, rows: slice) -> Cells:
        bits = np.ascontiguousarray(self._bits[:, rows].T)
        absent = bits == _ABSENT if self._any_absent else np.zeros((len(bits), 1), dtype=np.bool_)
        return Cells(bits, absent)


def _columns_of(
    field: ReportField,
) -> Iterator[tuple[str, Callable[[pa.DataType], bool], str]]:
    """The columns of a field: name, what type it may have, what it should hold."""
    if isinstance(field, SymbolField):
        fits, what = {
            "no": (_is_text_or_day, "texts"),
            "integer": (pa.types.is_integer, "whole numbers"),
            "real": (pa.types.is_floating, "numbers"),
        }[field.numeric]
        yield field.name, fits, what
        return
    what = "0 and 1" if isinstance(field, BitsField) else "whole numbers"
    for name in field.names:
        yield name, pa.types.is_integer, what


@contextmanager
def _opened(path: Path, texts: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
    """Opens a file and reads its metadata; `texts` are columns to read as dictionaries.

    Raises:
        InputError: The file cannot be opened, or Arrow fails within the context.
    """
    try:
        with open_regular(path, DATA_MAX) as file:
            _require_short_description(file, path.name)
            yield pq.ParquetFile(file, read_dictionary=list(texts))
        return
    except FileRefusedError as refused:
        failed = InputError(f"{path.name} cannot be read: {refused}.", remedy=_REMEDY)
    except (OSError, pa.ArrowException) as error:
        failed = _unreadable(path.name, error)
    # Raised outside the handler: the library's message may quote the file.
    raise failed


def _require_short_description(file: BinaryIO, name: str) -> None:
    """Refuses metadata that is too long; the last bytes of the file state its length."""
    end = file.seek(0, 2)
    file.seek(max(end - 8, 0))
    length = int.from_bytes(file.read(4), "little")
    file.seek(0)
    if length > min(end, _DESCRIPTION_MAX):
        raise InputError(f"{name} cannot be read as a Parquet file.", remedy=_REMEDY)


def _bytes_described(description: pq.FileMetaData, names: set[str]) -> int:
    """Bytes of the uncompressed pages of some columns, as the file itself states."""
    places = [
        place
        for place in range(description.num_columns)
        if description.schema.column(place).path in names
    ]
    groups = (description.row_group(group) for group in range(description.num_row_groups))
    return sum(group.column(place).total_uncompressed_size for group in groups for place in places)


def _unreadable(name: str, error: Exception | None) -> InputError:
    if isinstance(error, MemoryError):
        return InputError(
            f"{name} does not fit into the memory of this computer.",
            remedy="Close other programs, or open the records as the release wrote them.",
        )
    return InputError(f"{name} cannot be read as a Parquet file.", remedy=_REMEDY)


def _is_copied(kind: pa.DataType) -> bool:
    """Whether a column can be one that was released as it is."""
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return is_number or _is_text_or_day(kind)


def _is_text_or_day(kind: pa.DataType) -> bool:
    return _is_text(kind) or bool(pa.types.is_date32(kind))


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))
