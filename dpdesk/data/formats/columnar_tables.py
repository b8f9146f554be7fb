"""Parquet and Feather (Arrow) files: columns of types, each of which has one text."""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.block_columns import BlockColumns
from dpdesk.data.formats.base import (
    CellFormat,
    FileContent,
    FileTable,
    require_columns,
    require_room,
    require_short,
)
from dpdesk.data.formats.columnar_writer import FeatherRecords, ParquetRecords, columns_told
from dpdesk.data.formats.number_cells import (
    duration_text,
    encoded_codes,
    half_text,
    number_text,
    single_text,
    texts_of_numbers,
)
from dpdesk.data.formats.packed import require_sane
from dpdesk.data.formats.texts import T
from dpdesk.data.regular_file import TABLE_MAX
from dpdesk.errors import InputError
from dpdesk.i18n import N_

_ROWS = 1 << 16
"""Most rows that are read together."""

_PIECE = 64 << 20
"""Bytes that are read together, of all columns, about."""

_BUFFER = 1 << 20
"""Bytes of each column that are read together."""

_DESCRIPTION_MAX = 64 << 20
"""Most bytes of what a file says of its columns: one of 100,000 columns has some ten million."""

_COPIES = 4
"""So many times what is unpacked is in memory until its texts are told apart."""

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class ColumnarFile(CellFormat):
    """A file of Arrow's types."""

    @classmethod
    @abstractmethod
    def opened(cls, file: FileContent) -> tuple[pa.Schema, int | None, Iterable[pa.RecordBatch]]:
        """Returns the columns, the number of rows where it is stated, and the rows in pieces."""

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        try:
            return cls._table(file)
        except pa.ArrowMemoryError:
            raise
        except (pa.ArrowException, OSError, ValueError, KeyError):
            pass
        # Outside the handler: Arrow's own words may quote the file.
        file.source.require_unchanged()
        raise InputError(T.DAMAGED(file=file.name))

    @classmethod
    def _table(cls, file: FileContent) -> FileTable:
        schema, rows, batches = cls.opened(file)
        names = list(schema.names)
        require_columns(len(names), file.name)
        for place, field in enumerate(schema, start=1):
            _require_plain(field.type, place, file.name)
        with closing(BlockColumns(len(names), file.name)) as columns:
            require_room(rows or 0, len(names), file.name, file.source.size)
            columns.fill(_in_room(file, batches, rows), partial(_cells, file.name), file.tick)
            file.source.require_unchanged()
            if rows is not None and columns.rows != rows:
                raise ValueError("rows are missing")
            found = columns.finish(names)
        return FileTable(found, columns.rows, described=columns_told(schema.metadata))


class Parquet(ColumnarFile):
    """Parquet files."""

    key = "Parquet"
    title = N_("Parquet")
    endings = (".parquet", ".pq")
    marks = (b"PAR1",)
    writers = (ParquetRecords,)

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        return super().recognises(raw) and b"\0" in raw[:4096]

    @classmethod
    def opened(cls, file: FileContent) -> tuple[pa.Schema, int, Iterable[pa.RecordBatch]]:
        import pyarrow.parquet as pq

        whole = file.source.opened()
        size = whole.seek(0, os.SEEK_END)
        whole.seek(max(0, size - 8))
        if int.from_bytes(whole.read(4), "little") > min(size, _DESCRIPTION_MAX):
            raise ValueError("the description is longer than the file")
        whole.seek(0)
        schema = pq.read_schema(whole)
        texts = [field.name for field in schema if is_text(field.type)]
        # Not read ahead, which would keep the whole file in memory; and buffered, so that not all
        # of a column's pages in a group of rows are there.
        found = pq.ParquetFile(whole, read_dictionary=texts, buffer_size=_BUFFER, pre_buffer=False)
        told = found.metadata
        groups = [told.row_group(place) for place in range(told.num_row_groups)]
        room = sum(
            group.column(place).total_uncompressed_size
            for group in groups
            for place in range(told.num_columns)
        )
        require_sane(room, size, file.name, TABLE_MAX, copies=_COPIES)
        rows = min(_ROWS, max(1, _PIECE * told.num_rows // max(room, 1)))
        return schema, told.num_rows, found.iter_batches(batch_size=rows)


class Feather(ColumnarFile):
    """Feather files of version 2, which are Arrow files."""

    key = "Feather"
    title = N_("Feather (Arrow)")
    endings = (".feather", ".arrow")
    marks = (b"ARROW1\0\0",)
    writers = (FeatherRecords,)

    @classmethod
    def opened(cls, file: FileContent) -> tuple[pa.Schema, int | None, Iterable[pa.RecordBatch]]:
        import pyarrow.ipc

        found = pyarrow.ipc.open_file(file.source.opened())
        batches = (found.get_batch(place) for place in range(found.num_record_batches))
        return found.schema, None, batches


def _in_room(
    file: FileContent, batches: Iterable[pa.RecordBatch], rows: int | None
) -> Iterator[pa.RecordBatch]:
    """Yields the pieces of a table as long as it is not far larger than its file."""
    size, count, room = file.source.size, 0, 0
    for batch in batches:
        file.tick()
        # What states its rows stated its bytes; its pieces repeat their dictionaries.
        room += batch.nbytes if rows is None else 0
        require_sane(room, size, file.name, TABLE_MAX, copies=_COPIES)
        count += batch.num_rows
        require_room(count, batch.num_columns, file.name, size)
        yield batch


def _cells(name: str, batch: pa.RecordBatch) -> list[pa.DictionaryArray]:
    found = []
    for place, column in enumerate(batch.columns, start=1):
        found.append(encoded(column))
        require_short(found[-1].dictionary, name, place)
    return found


def encoded(column: pa.Array) -> pa.DictionaryArray:
    """Returns the cells of a column as texts; null is an empty cell."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    texts = pa.concat_arrays([_texts(column.dictionary), pa.array([""], type=pa.string())])
    # What is null has the last place.
    codes = pc.fill_null(column.indices.cast(pa.int32()), len(texts) - 1)
    return encoded_codes(texts, codes.to_numpy(zero_copy_only=False))


def _texts(values: pa.Array) -> pa.Array:
    """The texts of distinct values."""
    plain = pa.types.is_integer(values.type) or is_text(values.type)
    if plain:
        return pc.fill_null(values.cast(pa.string()), "")
    return pa.array(_written(values), type=pa.string())


def _written(values: pa.Array) -> list[str]:
    kind = values.type
    if pa.types.is_floating(kind):
        text = _TEXT_OF_BITS[kind.bit_width]
        return texts_of_numbers(values.cast(pa.float64()).to_numpy(zero_copy_only=False), text)
    if pa.types.is_duration(kind):
        duration = duration_text(_PER_SECOND[kind.unit])
        numbers = values.cast(pa.int64()).to_pylist()
        return ["" if number is None else duration(number) for number in numbers]
    texts = [text or "" for text in values.cast(pa.string()).to_pylist()]
    if pa.types.is_timestamp(kind):
        return [_short(text.replace(" ", "T")) for text in texts]
    return [_short(text) for text in texts] if pa.types.is_time(kind) else texts


_TEXT_OF_BITS = {16: half_text, 32: single_text, 64: number_text}


def _short(moment: str) -> str:
    """A moment without zeros at the end of a fraction of a second, before its zone."""
    return _ZEROS.sub(r"\1\2", moment)


_ZEROS = re.compile(r"(?:(\.[0-9]*[1-9])0+|\.0+)(Z|[+-][0-9:]+)?$")


def is_text(kind: Any) -> bool:
    """Returns whether cells of a type of Arrow are texts."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _require_plain(kind: Any, place: int, name: str) -> None:
    """Refuses columns whose cells hold more than one value, or bytes."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        raise InputError(T.NO_PLAIN_CELLS(column=place, file=name))
