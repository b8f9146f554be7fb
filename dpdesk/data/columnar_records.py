"""Records of a release read from Parquet and Feather: the columns as `ArrowRecords` wrote them.

A file of some megabytes can describe a table of any size: repeated values are stored with a count,
and pages are compressed. So the file's metadata is read first, and one of whose groups of rows does
not fit is refused before anything else is read. Then only the columns of the plan are read, group
by group, and become numbers whose memory is known beforehand, however long their texts are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc
import pyarrow.parquet as pq

from dpdesk.data.formats.columnar_tables import encoded, is_text
from dpdesk.data.output_fields import (
    BitsField,
    IntegersField,
    OutputField,
    SymbolField,
    TextField,
    parquet_values,
)
from dpdesk.data.records import (
    ABSENT,
    Cells,
    Heard,
    Records,
    RecordSource,
    ReportField,
    in_parts,
    rows_of_a_part,
)
from dpdesk.data.regular_file import RELEASED_MAX, FileRefusedError, open_regular
from dpdesk.data.table import TextColumn
from dpdesk.data.texts import T
from dpdesk.errors import InputError

MEMORY_MAX = 1 << 30
"""Most bytes that a group of rows of a file may take: 10,000 indicators of 100,000 records."""

# The metadata of 10,000 columns in some groups of rows takes a few megabytes.
_DESCRIPTION_MAX = 32 << 20
_CELLS_AT_ONCE = 1 << 24
# A record's weight, its number, and the arrays computed from them while reports are counted.
_BYTES_OF_A_RECORD = 48


class ColumnarSource(RecordSource):
    """The records of a file of Arrow's types.

    Args:
        path: The file.
        fields: The fields that the release wrote. Only their columns are read; one that is missing
            or of another type is refused when it is used.

    Raises:
        InputError: The file cannot be read, is not a table, repeats the name of a column, or holds
            pieces of more than `MEMORY_MAX`.
    """

    kind: ClassVar[str]
    """What the format is called."""

    def __init__(self, path: Path, fields: Sequence[OutputField]) -> None:
        self._path, self._fields = path, tuple(fields)
        schema, sizes = self._described()
        self._rows = sum(sizes)
        self.names = frozenset(schema.names)
        if len(self.names) != len(schema.names):
            raise InputError(T.TWO_COLUMNS(file=path.name))
        self._types = dict(zip(schema.names, schema.types, strict=True))
        reports = [field for field in fields if not isinstance(field, TextField)]
        read = [_reader(field, 1) for field in reports if _fits(field, self._types)]
        record = sum(reader.bytes_of_a_row for reader in read)
        if max(sizes, default=0) * (record + _BYTES_OF_A_RECORD) > MEMORY_MAX:
            raise InputError(T.LARGE_GROUP(file=path.name, size=MEMORY_MAX >> 30))

    @abstractmethod
    def _described(self) -> tuple[pa.Schema, tuple[int, ...]]:
        """Returns the columns, and the number of records of each group of them."""

    @abstractmethod
    def _groups(self, names: list[str]) -> Generator[pa.Table, None, None]:
        """Yields some columns of each group; texts may come as codes with a dictionary."""

    def parts(self, names: Collection[str], heard: Heard = lambda _: None) -> Iterator[Records]:
        wanted = sorted(set(names) & self._read())
        if not self._rows:
            return
        if not wanted:
            # A column of another type is refused when it is used.
            yield ColumnarRecords(None, self._types, self._fields, 0, self._rows)
            return
        first = 0
        for part in in_parts(self._ahead(wanted, heard), rows_of_a_part(self._fields)):
            yield ColumnarRecords(part, self._types, self._fields, first, part.num_rows)
            first += part.num_rows
        if first != self._rows:
            raise self._unreadable(None)

    def _read(self) -> set[str]:
        """The columns whose types fit what the release wrote."""
        fields = [field for field in self._fields if not isinstance(field, TextField)]
        of_reports = {name for field in fields for name, *_ in _columns_of(field)}
        fit = {n for f in fields if _fits(f, self._types) for n, *_ in _columns_of(f)}
        copied = {name for name, kind in self._types.items() if _is_copied(kind)}
        return fit | (copied - of_reports)

    def _ahead(self, wanted: list[str], heard: Heard) -> Iterator[pa.Table]:
        groups, read = self._groups(wanted), 0
        with ThreadPoolExecutor(1) as pool:
            following = pool.submit(next, groups, None)
            try:
                while (table := following.result()) is not None:
                    following = pool.submit(next, groups, None)
                    yield table
                    read += table.num_rows
                    heard(read / self._rows)
            finally:
                following.cancel()
                wait([following])
                pool.submit(groups.close).result()

    def _unreadable(self, error: Exception | None) -> InputError:
        if isinstance(error, MemoryError):
            return InputError(T.NO_MEMORY(file=self._path.name))
        return InputError(T.BAD_RECORDS(file=self._path.name, kind=self.kind))

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        """Opens the file.

        Raises:
            InputError: The file cannot be opened, or Arrow fails within the context.
        """
        try:
            with open_regular(self._path, RELEASED_MAX) as file:
                yield file
            return
        except FileRefusedError as refused:
            failed = InputError(T.UNREADABLE(file=self._path.name, reason=refused.reason))
        except (OSError, pa.ArrowException) as error:
            failed = self._unreadable(error)
        # Raised outside the handler: the library's message may quote the file.
        raise failed


class ParquetSource(ColumnarSource):
    """The records of a Parquet file, one group of rows after the other."""

    kind = "Parquet"

    def _described(self) -> tuple[pa.Schema, tuple[int, ...]]:
        with self._parquet() as file:
            told = file.metadata
            groups = range(told.num_row_groups)
            return file.schema_arrow, tuple(told.row_group(group).num_rows for group in groups)

    def _groups(self, names: list[str]) -> Generator[pa.Table, None, None]:
        texts = [name for name in names if is_text(self._types[name])]
        with self._parquet(texts) as file:
            if _most_bytes_described(file.metadata, set(names)) > MEMORY_MAX:
                size = MEMORY_MAX >> 30
                raise InputError(T.LARGE_GROUP(file=self._path.name, size=size))
            for group in range(file.metadata.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                at_once = max(1, _CELLS_AT_ONCE // max(rows, 1))
                columns: list[pa.ChunkedArray] = []
                for first in range(0, len(names), at_once):
                    some = names[first : first + at_once]
                    table = file.read_row_group(group, columns=some)
                    columns += [table.column(name) for name in some]
                if any(len(column) != rows for column in columns):
                    raise self._unreadable(None)
                yield pa.Table.from_arrays(columns, names=names)

    @contextmanager
    def _parquet(self, texts: Sequence[str] = ()) -> Iterator[pq.ParquetFile]:
        """Opens the file and reads its metadata; `texts` are columns to read as dictionaries."""
        with self._opened() as file:
            self._require_short_description(file)
            yield pq.ParquetFile(file, read_dictionary=list(texts))

    def _require_short_description(self, file: BinaryIO) -> None:
        """Refuses metadata that is too long; the last bytes of the file state its length."""
        end = file.seek(0, 2)
        file.seek(max(end - 8, 0))
        length = int.from_bytes(file.read(4), "little")
        file.seek(0)
        if length > min(end, _DESCRIPTION_MAX):
            raise self._unreadable(None)


class FeatherSource(ColumnarSource):
    """The records of a Feather file, which is a file of Arrow, one batch after the other."""

    kind = "Feather"

    def _described(self) -> tuple[pa.Schema, tuple[int, ...]]:
        with self._opened() as file:
            schema = pyarrow.ipc.open_file(file).schema
            # One column tells how long a batch is.
            options = pyarrow.ipc.IpcReadOptions(included_fields=[0])
            found = pyarrow.ipc.open_file(file, options=options)
            places = range(found.num_record_batches)
            return schema, tuple(found.get_batch(place).num_rows for place in places)

    def _groups(self, names: list[str]) -> Generator[pa.Table, None, None]:
        with self._opened() as file:
            options = pyarrow.ipc.IpcReadOptions(
                included_fields=[self._order.index(name) for name in names]
            )
            found = pyarrow.ipc.open_file(file, options=options)
            for place in range(found.num_record_batches):
                yield pa.Table.from_batches([found.get_batch(place)]).select(names)

    @cached_property
    def _order(self) -> list[str]:
        return list(self._types)


class ColumnarRecords(Records):
    """Some consecutive records of a file of Arrow's types.

    Args:
        table: The columns that were read; None if none was.
        types: The types of all columns of the file.
        fields: The fields that the release wrote.
        first: Number of records before them.
        rows: Their number.
    """

    def __init__(
        self,
        table: pa.Table | None,
        types: Mapping[str, pa.DataType],
        fields: Sequence[OutputField],
        first: int,
        rows: int,
    ) -> None:
        self._table, self._types, self._fields = table, types, fields
        self.first, self.rows = first, rows
        self.names = frozenset(types)

    def line(self, record: int) -> int | None:
        return None

    def texts(self, name: str) -> TextColumn:
        self._require(name, _is_copied)
        codes = np.empty(self.rows, dtype=np.int32)
        known: dict[str, int] = {}
        start = 0
        for piece in self._column(name):
            # Numbers and days, of which an empty cell is null.
            column = piece if isinstance(piece, pa.DictionaryArray) else encoded(piece)
            if column.null_count:
                missing = start + int(np.flatnonzero(np.asarray(pc.is_null(column)))[0])
                message = T.EMPTY_RECORD(record=self.first + missing + 1, name=name)
                raise InputError(message, column=name)
            own = [known.setdefault(t, len(known)) for t in column.dictionary.to_pylist()]
            indices = np.asarray(column.indices)
            codes[start : start + len(indices)] = np.array(own, dtype=np.int32)[indices]
            start += len(indices)
        return TextColumn(name, codes, pa.array(list(known), type=pa.string()))

    def cells(self, field: ReportField) -> Cells:
        for name, fits in _columns_of(field):
            self._require(name, fits)
        reader = _reader(field, self.rows)
        reader.allocate()
        for place, (name, _) in enumerate(_columns_of(field)):
            start = 0
            for piece in self._column(name):
                reader.take(place, start, piece)
                start += len(piece)
        return reader.cells()

    def _column(self, name: str) -> Iterator[pa.Array]:
        assert self._table is not None  # noqa: S101 - a column that fits was read
        return iter(self._table.column(name).chunks)

    def _require(self, name: str, fits: Callable[[pa.DataType], bool]) -> None:
        if not fits(self._types[name]):
            raise InputError(T.OTHER_TYPE(name=name), column=name)


def _fits(field: ReportField, types: Mapping[str, pa.DataType]) -> bool:
    return all(name in types and fits(types[name]) for name, fits in _columns_of(field))


def _reader(field: ReportField, rows: int) -> _Symbols | _Integers | _Bits:
    if isinstance(field, SymbolField):
        return _Symbols(field, rows)
    if isinstance(field, IntegersField):
        return _Integers(field, rows)
    return _Bits(field, rows)


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

    def cells(self) -> Cells:
        """The cells of all records."""
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
        if column.null_count:
            self._empty[rows] = np.asarray(pc.is_null(column))
        if not isinstance(column, pa.DictionaryArray):
            self._codes[rows] = self._codes_of(column)
            return
        own = self._codes_of(column.dictionary)
        indices = np.asarray(pc.fill_null(column.indices, -1))
        if indices.size and not -1 <= indices.min() <= indices.max() < own.size:
            raise pa.ArrowInvalid("index")
        # The entry behind the last one is the code of an empty cell.
        own = np.append(own, self._codes_of(pa.array([None], self._values.type)))
        self._codes[rows] = own[indices]

    def cells(self) -> Cells:
        return Cells(self._codes[:, None], lambda: self._empty[:, None])

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
            numbers[np.asarray(pc.is_null(column))] = ABSENT
        self._numbers[place, start : start + len(column)] = numbers

    def cells(self) -> Cells:
        numbers = self._numbers.T
        empty = numbers == ABSENT
        if self._blanks:
            numbers = np.where(empty, self._limits, numbers)
        return Cells(numbers, lambda: empty)


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
            bits[np.asarray(pc.is_null(column))] = ABSENT

    def cells(self) -> Cells:
        bits = np.ascontiguousarray(self._bits.T)
        if not self._any_absent:
            return Cells(bits, lambda: np.zeros((len(bits), 1), dtype=np.bool_))
        return Cells(bits, lambda: bits == ABSENT)


def _columns_of(field: ReportField) -> Iterator[tuple[str, Callable[[pa.DataType], bool]]]:
    """The columns of a field: name, and what type it may have."""
    if isinstance(field, SymbolField):
        integer, real = pa.types.is_integer, pa.types.is_floating
        yield field.name, {"no": _is_text_or_day, "integer": integer, "real": real}[field.numeric]
        return
    for name in field.names:
        yield name, pa.types.is_integer


def _most_bytes_described(description: pq.FileMetaData, names: set[str]) -> int:
    """Most bytes of the uncompressed pages of some columns in a group, as the file states."""
    places = [
        place
        for place in range(description.num_columns)
        if description.schema.column(place).path in names
    ]
    groups = (description.row_group(group) for group in range(description.num_row_groups))
    return max(
        (sum(g.column(place).total_uncompressed_size for place in places) for g in groups),
        default=0,
    )


def _is_copied(kind: pa.DataType) -> bool:
    """Whether a column can be one that was released as it is."""
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    return is_number or _is_text_or_day(kind)


def _is_text_or_day(kind: pa.DataType) -> bool:
    return is_text(kind) or bool(pa.types.is_date32(kind))
