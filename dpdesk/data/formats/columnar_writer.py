"""Writes the records of a release as Parquet and Feather, with types and with what is said of them.

The schema's metadata hold, under `dpdesk.columns`, a JSON list of the columns (`ToldColumn`), with
label, level of measurement, meanings of values and codes of no answer, all from the public plan.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from pydantic import BaseModel, TypeAdapter, ValidationError

from dpdesk.data.column_description import ColumnDescription, Level, codes_of_no_answer
from dpdesk.data.formats.number_cells import texts_of_numbers
from dpdesk.data.missing_codes import read_codes
from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    CodedTexts,
    IntegersField,
    OutputField,
    PartialChunk,
    RecordFile,
    SymbolField,
    TextField,
    joined,
    parquet_type,
    parquet_values,
    split_chunk,
)
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

if TYPE_CHECKING:
    from dpdesk.data.written_column import WrittenColumn

# Bytes of values per row group: a group of ten thousand indicator columns needs a megabyte for
# its own description, so that groups must not be small.
_GROUP = 1 << 26
_MOST_ROWS = 1 << 20
# Texts of a column with more bytes may be more than Parquet makes one list of.
_LISTED_BYTES = 1 << 18
# So many records show the texts of most columns.
_FIRST_LOOK = 1 << 12

_MEANINGS_MOST = 10_000
"""More meanings are left to the codebook: readers take metadata as a whole."""

COLUMNS_KEY = "dpdesk.columns"
"""The entry of the schema's metadata that says what columns mean."""


class ToldColumn(BaseModel):
    """What the metadata say of a column.

    Attributes:
        name: Its name.
        label: The question, or a longer name.
        level: Level of measurement.
        values: What values mean.
        missing: Texts and ranges that mean "no answer".
        missing_labels: What they mean.
        weight: Whether respondents are weighted by it.
        answers: The answers of a list, in its order.
        missing_ranges: Those of `missing` that are ranges of numbers.
    """

    name: str
    label: str = ""
    level: Level = ""
    values: Mapping[str, str] = {}
    missing: tuple[str, ...] = ()
    missing_labels: Mapping[str, str] = {}
    weight: bool = False
    answers: tuple[str, ...] = ()
    missing_ranges: tuple[str, ...] = ()

    def described(self) -> ColumnDescription:
        """Returns it as what a file says of a column.

        Raises:
            ParameterError: A range is none.
        """
        ranges = [one for text in self.missing_ranges for one in read_codes(text).ranges]
        codes = [code for code in self.missing if code and code not in self.missing_ranges]
        listed = {answer: self.values.get(answer, answer) for answer in self.answers}
        values = {**listed, **self.values}
        return ColumnDescription(
            label=self.label,
            values=values,
            missing=codes_of_no_answer(codes, ranges, {**values, **self.missing_labels}),
            level=self.level,
            is_weight=self.weight,
        )


_TOLD = TypeAdapter(tuple[ToldColumn, ...])


def columns_told(metadata: Mapping[bytes, bytes] | None) -> dict[str, ColumnDescription]:
    """Returns what the metadata of a schema say of columns, by their names.

    Nothing where dpdesk did not write them, or something changed them: the records are read alike.
    """
    told = (metadata or {}).get(COLUMNS_KEY.encode())
    with suppress(ValidationError, JsonRefusedError, ParameterError):
        if told is not None:
            columns = _TOLD.validate_python(parse_strict(told))
            return {column.name: column.described() for column in columns}
    return {}


class ArrowRecords(RecordFile):
    """Writes the records of a release to an open file, one group of rows after the other."""

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        if isinstance(field, BitsField):
            return len(field.names)
        return 8 * len(field.names) if isinstance(field, IntegersField) else 8

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        if column.kind != "number" or column.codes:
            return column.texts
        return tuple(texts_of_numbers(column.numbers))

    def _begin(self) -> None:
        self._described = {column.name: column for column in self._columns}
        written: list[pa.Field] = []
        for field in self._fields:
            if isinstance(field, BitsField):
                written += [
                    pa.field(name, pa.int8(), nullable=field.optional) for name in field.names
                ]
            elif isinstance(field, IntegersField):
                written += [
                    pa.field(name, pa.int64(), nullable=field.optional or field.blanks)
                    for name in field.names
                ]
            else:
                written.append(self._column_type(field))
        told = {COLUMNS_KEY: _told(self._columns)} if self._columns else None
        self._schema = pa.schema(written, metadata=told)
        self._values = {
            index: self._values_of(field)
            for index, field in enumerate(self._fields)
            if isinstance(field, SymbolField)
        }
        record = sum(_width(field) for field in self._fields)
        self._rows_per_group = min(_MOST_ROWS, max(1, _GROUP // record))
        self._waiting: list[list[Chunk]] = []
        self._rows_waiting = 0
        self._open(self._file)

    @abstractmethod
    def _open(self, file: BinaryIO) -> None:
        """Begins the file."""

    @abstractmethod
    def _put(self, group: pa.Table) -> None:
        """Writes a group of rows."""

    @abstractmethod
    def _end(self) -> None:
        """Writes the footer."""

    def write(self, chunks: Sequence[Chunk], rows: int) -> None:
        start = 0
        while start < rows:
            stop = min(rows, start + self._rows_per_group - self._rows_waiting)
            self._waiting.append([chunk[start:stop] for chunk in chunks])
            self._rows_waiting += stop - start
            start = stop
            if self._rows_waiting >= self._rows_per_group:
                self._flush()

    def close(self) -> None:
        self._flush()
        self._end()

    def abandon(self) -> None:
        # The garbage collector would write the footer into a closed file, which ends the process.
        self._waiting, self._rows_waiting = [], 0
        with suppress(OSError, ValueError, pa.ArrowException):
            self._end()

    def _flush(self) -> None:
        if self._rows_waiting:
            # Together, so that a group has one list of the texts of each column.
            chunks = [joined(parts) for parts in zip(*self._waiting, strict=True)]
            self._waiting, self._rows_waiting = [], 0
            self._put(self._table(chunks))

    def _table(self, chunks: Sequence[Chunk]) -> pa.Table:
        arrays: list[pa.Array] = []
        for index, (field, chunk) in enumerate(zip(self._fields, chunks, strict=True)):
            if isinstance(field, TextField):
                assert not isinstance(chunk, PartialChunk)  # noqa: S101 - refused by `rows_of`
                arrays.append(self._copied(field.name, chunk))
                continue
            reports, absent = split_chunk(chunk)
            if isinstance(field, SymbolField):
                arrays.append(self._symbols(index, reports, absent))
                continue
            # Copied by columns, since each becomes an array of its own.
            kind = np.int8 if isinstance(field, BitsField) else np.int64
            columns = np.ascontiguousarray(reports.T, dtype=kind)
            for part, column in enumerate(columns):
                arrays.append(pa.array(column, mask=_unwritten(field, part, column, absent)))
        return pa.Table.from_arrays(arrays, schema=self._schema)

    def _symbols(
        self, index: int, codes: npt.NDArray[Any], absent: npt.NDArray[np.bool_] | None
    ) -> pa.Array:
        """Returns the values of a field of symbols."""
        return self._values[index].take(pa.array(codes, mask=absent))

    def _is_number(self, name: str) -> bool:
        """Whether a copied column holds numbers that are written in no other way."""
        column = self._described.get(name)
        if column is None or column.kind != "number" or column.codes:
            return False
        return self.read_texts(column) == column.texts

    def _is_day(self, name: str) -> bool:
        column = self._described.get(name)
        return column is not None and column.kind == "day"

    def _column_type(self, field: SymbolField | TextField) -> pa.Field:
        nullable = isinstance(field, SymbolField) and (
            field.optional or (field.numeric != "no" and "" in field.texts)
        )
        if self._is_day(field.name):
            return pa.field(field.name, pa.date32())
        if isinstance(field, TextField) and self._is_number(field.name):
            whole = self._described[field.name].are_whole
            return pa.field(field.name, pa.int64() if whole else pa.float64())
        return pa.field(field.name, parquet_type(field), nullable=nullable)

    def _values_of(self, field: SymbolField) -> pa.Array:
        values = parquet_values(field)
        return _read(values, pa.date32()) if self._is_day(field.name) else values

    def _copied(self, name: str, chunk: Chunk) -> pa.Array:
        kind = self._schema.field(name).type
        found = chunk.array() if isinstance(chunk, CodedTexts) else pa.array(chunk, pa.string())
        return found if kind == pa.string() else _read(found, kind)


def _read(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Texts as numbers, or days of ISO 8601 as dates; an empty one is null."""
    return pc.if_else(pc.equal(texts, ""), pa.scalar(None, texts.type), texts).cast(kind)


def _told(columns: Sequence[WrittenColumn]) -> str:
    """What is said of the columns, as JSON."""
    return json.dumps([_told_of(column) for column in columns], ensure_ascii=False)


def _told_of(column: WrittenColumn) -> dict[str, Any]:
    """The fields of `ToldColumn`."""
    ranges = [one.text for one in column.missing.ranges] if column.are_codes_kept else []
    return {
        "name": column.name,
        "label": column.label,
        "level": column.level,
        "values": dict(column.meanings) if len(column.meanings) <= _MEANINGS_MOST else {},
        "missing": [*column.missing_texts, *ranges],
        "missing_labels": dict(column.missing.labels) if column.are_codes_kept else {},
        "weight": column.is_weight,
        "answers": list(column.answers) if len(column.answers) <= _MEANINGS_MOST else [],
        "missing_ranges": ranges,
    }


class ParquetRecords(ArrowRecords):
    """Parquet, one row group after the other."""

    name = "records.parquet"
    meaning = N_("the same for statistics software")
    content = "The same records with types."

    @classmethod
    def deciding_texts(cls, column: WrittenColumn) -> Collection[str]:
        if shown := tuple(islice(filter(column.shows_text, column.texts), 1)):
            return shown
        codes = [text for text in column.texts if column.is_code(text)]
        if column.kind != "number":
            return codes
        given = (text for text in column.texts if text and not column.is_code(text))
        read = zip(column.texts, texts_of_numbers(column.numbers), strict=True)
        otherwise = (text for text, number in read if text != number)
        parts = (column.texts[place] for place in np.flatnonzero(~column.whole))
        return [*codes, *islice(given, 1), *islice(otherwise, 1), *islice(parts, 1)]

    def _open(self, file: BinaryIO) -> None:
        import pyarrow.parquet as pq

        self._coded: set[int] = set()
        for index, field in enumerate(self._fields):
            if not isinstance(field, SymbolField):
                continue
            values, place = self._values[index], self._schema.get_field_index(field.name)
            if values.type == pa.string() and values.nbytes <= _LISTED_BYTES:
                coded = self._schema.field(place).with_type(pa.dictionary(pa.int32(), pa.string()))
                self._schema = self._schema.set(place, coded)
                self._coded.add(index)
        self._writer = pq.ParquetWriter(
            file,
            self._schema,
            # The schema of Arrow would travel along as metadata.
            store_schema=False,
            compression="zstd",
            # Indicators are smaller without a dictionary of their two values.
            use_dictionary=[c.name for c in self._schema if c.type != pa.int8()] or False,
            # The first and last text of a group take half of the time, and tell readers nothing
            # where the order is random.
            write_statistics=[c.name for c in self._schema if not _is_text(c.type)] or False,
        )
        if self._schema.metadata:
            self._writer.add_key_value_metadata(self._schema.metadata)

    def _symbols(
        self, index: int, codes: npt.NDArray[Any], absent: npt.NDArray[np.bool_] | None
    ) -> pa.Array:
        # Places in the list that Parquet would make of the texts, text by text.
        if index not in self._coded:
            return super()._symbols(index, codes, absent)
        used = _first_seen(codes if absent is None else codes[~absent], len(self._values[index]))
        place = np.zeros(len(self._values[index]), dtype=np.int32)
        place[used] = np.arange(len(used), dtype=np.int32)
        places = pa.array(place.take(codes), mask=absent)
        listed = self._values[index].take(pa.array(used))
        # `place` holds no others, so that none has to be looked at once more.
        return pa.DictionaryArray.from_arrays(places, listed, safe=False)

    def _put(self, group: pa.Table) -> None:
        self._writer.write_table(group, row_group_size=self._rows_per_group)

    def _end(self) -> None:
        self._writer.close()


class FeatherRecords(ArrowRecords):
    """Feather of version 2, which is a file of Arrow."""

    name = "records.feather"
    meaning = N_("the same as Feather (Arrow)")
    content = "The same records as an Arrow file, with what its columns mean."
    is_asked = True

    def _open(self, file: BinaryIO) -> None:
        import pyarrow.ipc

        options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
        self._writer = pyarrow.ipc.new_file(file, self._schema, options=options)

    def _put(self, group: pa.Table) -> None:
        self._writer.write_table(group.combine_chunks())

    def _end(self) -> None:
        self._writer.close()


def _unwritten(
    field: BitsField | IntegersField,
    part: int,
    column: npt.NDArray[Any],
    absent: npt.NDArray[np.bool_] | None,
) -> npt.NDArray[np.bool_] | None:
    """Which cells of a column are null; None if none is."""
    if isinstance(field, BitsField) or not field.blanks:
        return absent
    blank = np.asarray(column == field.limits[part] - 1)
    return blank if absent is None else blank | absent


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_dictionary(kind) or pa.types.is_string(kind))


def _first_seen(codes: npt.NDArray[Any], count: int) -> npt.NDArray[np.int64]:
    """Returns which of `count` codes occur, in the order in which they are first seen."""
    for looked_at in (codes[:_FIRST_LOOK], codes):
        first = np.full(count, len(codes))
        # Backwards: of equal codes, the last one that is set stays.
        first[looked_at[::-1]] = np.arange(len(looked_at) - 1, -1, -1)
        seen = np.flatnonzero(first < len(codes))
        if len(seen) == count or len(looked_at) == len(codes):
            break
    return seen[np.argsort(first[seen])]


def _width(field: OutputField) -> int:
    """Most bytes of one record in memory; of texts that are not known, a guess."""
    if isinstance(field, BitsField):
        return len(field.names)
    if isinstance(field, IntegersField):
        return 8 * len(field.names)
    if isinstance(field, TextField):
        return 32
    longest = max((len(text) for text in field.texts), default=0)
    return 8 + (4 * longest if field.numeric == "no" else 0)
