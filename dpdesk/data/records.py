"""The reports in the records of a release, part by part, whichever file they are read from.

A file is read in parts of `rows_of_a_part` records, so that memory does not grow with it. Sums over
parts are then sums on one grid: the same from every file of the same records, whatever the size of
the pieces that a format is read in. `TextRecords` and `CutRecords` are parts that were read as
text; `columnar_records` has those of Arrow's types.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.output_fields import BitsField, IntegersField, OutputField, SymbolField
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.data.unused_memory import release_unused

ReportField = SymbolField | BitsField | IntegersField
Heard = Callable[[float], object]
"""Told again and again which part of a file has been read, from 0 to 1; may raise to stop."""

_ROWS = 1 << 18
"""Records of a part: codes of a column are then a megabyte, which stays in the cache."""
_BITS = 1 << 24
"""Most indicators of a part, of all columns together."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of one field in some consecutive records.

    Attributes:
        reports: Codes, bits or whole numbers, shape (rows, columns); negative where a cell is
            invalid for the field.
        find_empty: Finds which cells are empty, of a shape that broadcasts to that of `reports`.
    """

    reports: npt.NDArray[Any]
    find_empty: Callable[[], npt.NDArray[np.bool_]]

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Which cells are empty, of a shape that broadcasts to that of `reports`."""
        return self.find_empty()


class Records(ABC):
    """Some consecutive records of a release, at least one.

    Attributes:
        first: Number of records before them.
        rows: Their number.
        names: Names of the columns that can be asked for.
    """

    first: int
    rows: int
    names: frozenset[str]

    @abstractmethod
    def line(self, record: int) -> int | None:
        """The line in the text file of a record of the release, both from 1; None elsewhere."""

    @abstractmethod
    def texts(self, name: str) -> TextColumn:
        """The texts of a column that was released unchanged."""

    @abstractmethod
    def cells(self, field: ReportField) -> Cells:
        """The cells of a field whose columns all exist."""


class RecordSource(ABC):
    """The records of a release, which are read as often as they are asked for.

    Attributes:
        names: Names of all columns.
    """

    names: frozenset[str]

    @abstractmethod
    def parts(self, names: Collection[str], heard: Heard = lambda _: None) -> Iterator[Records]:
        """Yields the records from the first to the last, none of them twice.

        Raises:
            InputError: The file cannot be read any further.
        """


def rows_of_a_part(fields: Iterable[OutputField]) -> int:
    """Returns how many records of a release are looked at together: its columns alone decide."""
    bits = sum(len(field.names) for field in fields if isinstance(field, BitsField))
    return max(1, min(_ROWS, _BITS // max(bits, 1)))


def in_parts(pieces: Iterable[pa.Table], rows: int) -> Iterator[pa.Table]:
    """Cuts a table that comes in pieces of any size into parts of one size, without a copy.

    When a part has been looked at, the memory that nothing is held in any longer is given back.
    """
    waiting: list[pa.Table] = []
    count = 0
    for piece in pieces:
        start = 0
        while piece.num_rows - start >= rows - count:
            waiting.append(piece.slice(start, rows - count))
            start += rows - count
            yield pa.concat_tables(waiting)
            waiting, count = [], 0
            release_unused()
        if start < piece.num_rows:
            waiting.append(piece.slice(start))
            count += piece.num_rows - start
    if waiting:
        yield pa.concat_tables(waiting)


def joined_texts(pieces: Sequence[TextColumn]) -> TextColumn:
    """Returns a column whose records come in pieces, at least one."""
    if len(pieces) == 1:
        return pieces[0]
    return TextColumn.from_chunks(
        pieces[0].name, pa.chunked_array([encoded_texts(piece) for piece in pieces])
    )


def encoded_texts(column: TextColumn) -> pa.DictionaryArray:
    """Returns a column as Arrow has it, its codes of one type however many answers differ."""
    codes = pa.array(column.codes.astype(np.int32, copy=False))
    return pa.DictionaryArray.from_arrays(codes, column.dictionary.cast(pa.string()))


class TextRecords(Records):
    """The records of a table of texts."""

    def __init__(self, table: SurveyTable, first: int = 0) -> None:
        self._table = table
        self.first, self.rows = first, table.rows
        self.names = frozenset(table.names)

    def line(self, record: int) -> int | None:
        return record + self._table.reading.header_rows

    def texts(self, name: str) -> TextColumn:
        return self._table.column(name)

    def cells(self, field: ReportField) -> Cells:
        code_of: Mapping[str, int]
        if isinstance(field, IntegersField):
            return _beside(
                [
                    self._cells(name, partial(_whole, limit=limit, blanks=field.blanks), np.int64)
                    for name, limit in zip(field.names, field.limits, strict=True)
                ]
            )
        if isinstance(field, SymbolField):
            code_of = {text: code for code, text in enumerate(field.texts)}
            found = self._cells(field.name, lambda text: code_of.get(text, -1), np.int32)
            return Cells(found.reports[:, None], lambda: found.empty[:, None])
        code_of = {"0": 0, "1": 1}
        return _beside(
            [self._cells(name, lambda text: code_of.get(text, -1), np.int8) for name in field.names]
        )

    def _cells(
        self, name: str, read: Callable[[str], int], kind: type[np.signedinteger[Any]]
    ) -> Cells:
        texts = self._table.column(name)
        reports = np.array([read(text) for text in texts.distinct], dtype=kind)
        empty = np.array([text == "" for text in texts.distinct], dtype=np.bool_)
        return Cells(reports[texts.codes], lambda: empty[texts.codes])


class TableSource(RecordSource):
    """Records of a table that is held in memory."""

    def __init__(self, table: SurveyTable, rows: int) -> None:
        self._table, self._rows = table, rows
        self.names = frozenset(table.names)

    def parts(self, names: Collection[str], heard: Heard = lambda _: None) -> Iterator[Records]:
        table = self._table
        for first in range(0, table.rows, self._rows):
            rows = slice(first, min(first + self._rows, table.rows))
            heard(rows.stop / table.rows)
            columns = tuple(
                TextColumn(column.name, column.codes[rows], column.dictionary)
                for column in table.columns
                if column.name in names
            )
            if columns:
                part = SurveyTable(columns, rows.stop - rows.start, table.reading)
                yield TextRecords(part, first)


ABSENT = -2
"""Marks an empty cell among indicators and whole numbers; -1 marks an invalid one."""


class CutRecords(Records):
    """Records of a text file whose indicators were read separately.

    Args:
        rows: Number of records.
        indicators: The bits of each field, int8, shape (rows, k), by the names of its columns.
        rest: The other columns that are needed, if there are any.
        first: Number of records before them.
    """

    def __init__(
        self,
        rows: int,
        indicators: Mapping[tuple[str, ...], npt.NDArray[np.int8]],
        rest: TextRecords | None,
        first: int = 0,
    ) -> None:
        self.first, self.rows = first, rows
        self._indicators, self._rest = indicators, rest
        names = frozenset(name for names in indicators for name in names)
        self.names = names if rest is None else names | rest.names

    def line(self, record: int) -> int | None:
        return record + 1

    def texts(self, name: str) -> TextColumn:
        assert self._rest is not None  # noqa: S101 - `names` has no text without it
        return self._rest.texts(name)

    def cells(self, field: ReportField) -> Cells:
        if not isinstance(field, BitsField):
            assert self._rest is not None  # noqa: S101 - `names` has no such column without it
            return self._rest.cells(field)
        bits = self._indicators[field.names]
        return Cells(bits, lambda: bits == ABSENT)


def _beside(columns: Sequence[Cells]) -> Cells:
    # Stacked as rows, then transposed: writing columns one by one misses the cache at every cell.
    return Cells(
        np.ascontiguousarray(np.stack([column.reports for column in columns]).T),
        lambda: np.stack([column.empty for column in columns]).T,
    )


def _whole(text: str, limit: int, *, blanks: bool) -> int:
    """Reads a whole number from 0 up to one below the limit; -1 for anything else.

    Where there are blanks, an empty cell is the last of the numbers, and written in no other way.
    """
    if blanks:
        limit -= 1
        if text == "":
            return limit
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(limit))
    return int(text) if plain and int(text) < limit else -1
