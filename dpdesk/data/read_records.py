"""Opens the records of a release, whichever of its files they are."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from dpdesk.data.columnar_records import FeatherSource, ParquetSource
from dpdesk.data.csv_records import CsvSource, comes_in_pieces, restored
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.output_fields import OutputField, RecordFile
from dpdesk.data.read_file import is_in_parts, load_bytes, load_written, read_bytes
from dpdesk.data.record_files import RECORD_FILES
from dpdesk.data.records import RecordSource, TableSource, rows_of_a_part
from dpdesk.data.regular_file import (
    RELEASED_MAX,
    FileRefusedError,
    is_file,
    is_folder,
    open_regular,
    refusal,
)
from dpdesk.data.source import unreadable
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import format_of
from dpdesk.data.texts import T
from dpdesk.data.written_column import WrittenColumn

_PARQUET, _FEATHER, _GZIP = b"PAR1", b"ARROW1", b"\x1f\x8b"
"""How files begin. A text may begin with the first two, but seldom ends with them too."""
_START = 1 << 16
"""Bytes of a file that are looked at first."""


def read_records(place: str | os.PathLike[str]) -> SurveyTable:
    """Reads the records of a release back, with their texts as before `neutralise`.

    Raises:
        InputError: The file is missing or not a table.
    """
    path = Path(place)
    path = path / CsvRecords.name if is_folder(path) else path
    return restored(load_bytes(read_bytes(path), path.name))


def open_records(
    place: str | os.PathLike[str],
    fields: Sequence[OutputField],
    columns: Callable[[], Sequence[WrittenColumn]] = tuple,
) -> RecordSource:
    """Opens the records of a release for counting its reports.

    CSV, also packed by gzip, Parquet and Feather are read in parts, whatever their size; files of
    other programs, which hold fewer records, at once.

    Args:
        place: A file of records in any of their formats, or the folder that holds one of them;
            of several, the CSV file is read, which takes the least time.
        fields: The fields that the release wrote, from `record_fields`; whether their columns
            exist is not checked.
        columns: Returns what was said of their columns, for files of statistics programs.

    Raises:
        InputError: The file is missing or not a table.
    """
    path = records_path(place)
    if _is_framed(path, _PARQUET):
        return ParquetSource(path, fields)
    if _is_framed(path, _FEATHER):
        return FeatherSource(path, fields)
    with _text(path) as file:
        start = file.read(_START)
    if _is_text(start) and comes_in_pieces(start):
        size = path.stat().st_size if not _begins(path, _GZIP) else 0
        return CsvSource(path.name, partial(_text, path), size, fields)
    raw = read_bytes(path)
    kind = format_of(raw)
    rows = rows_of_a_part(fields)
    if kind.writers and CsvRecords not in kind.writers:
        table = load_written(raw, path.name, kind)
        return TableSource(_as_released(table, kind.writers[0], columns()), rows)
    return TableSource(restored(load_bytes(raw, path.name)), rows)


@contextmanager
def _text(path: Path) -> Iterator[BinaryIO]:
    """Opens a file, unpacked if it is packed.

    Raises:
        InputError: It cannot be opened, or is damaged where it is read.
    """
    try:
        with open_regular(path, RELEASED_MAX) as file:
            if file.read(len(_GZIP)) == _GZIP:
                file.seek(0)
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield io.BufferedReader(unpacked, _START)
                return
            file.seek(0)
            yield file
    except FileRefusedError as refused:
        reason = refused.reason
    except (gzip.BadGzipFile, zlib.error, EOFError):
        reason = T.DAMAGED()
    except OSError as error:
        reason = refusal(error)
    else:
        return
    raise unreadable(path.name, reason)


def _is_text(start: bytes) -> bool:
    """Whether a file that begins with these bytes is CSV and no other format."""
    if b"\0" in start or start.lstrip()[:1] in (b"[", b"{"):
        return False
    kind = format_of(start)
    return not kind.writers or CsvRecords in kind.writers


def records_path(place: str | os.PathLike[str]) -> Path:
    """Returns the file that `open_records` reads: of a folder, the first that exists."""
    path = Path(place)
    if not is_folder(path):
        return path
    order = sorted(RECORD_FILES, key=lambda kind: kind.is_asked)
    found = (path / kind.name for kind in order if is_file(path / kind.name))
    return next(found, path / CsvRecords.name)


def is_release(folder: Path) -> bool:
    """Whether a folder is opened as that of a release, and not as the parts of a table.

    It is one where records lie in it, also alone: taken for answers, their noise would be no noise.
    """
    return is_folder(folder) and (is_file(records_path(folder)) or not is_in_parts(folder))


def _as_released(
    table: SurveyTable, writer: type[RecordFile], columns: Sequence[WrittenColumn]
) -> SurveyTable:
    """Undoes in the table of a file of another program what its format asked for."""
    names = writer.column_names([column.name for column in columns])
    told = dict(zip(names, columns, strict=True))
    found = []
    for texts in table.columns:
        column = told.get(texts.name)
        if column is None:
            found.append(texts)
            continue
        known = dict(zip(writer.read_texts(column), column.texts, strict=True))
        found.append(texts.mapped(partial(_known, known)).renamed(column.name))
    return replace(table, columns=tuple(found))


def _known(texts: Mapping[str, str], text: str) -> str:
    return texts.get(text, text)


def _is_framed(path: Path, mark: bytes) -> bool:
    """Whether a file begins and ends with a mark."""
    try:
        with open_regular(path, RELEASED_MAX) as file:
            if file.read(len(mark)) != mark:
                return False
            file.seek(-len(mark), os.SEEK_END)
            return file.read() == mark
    except (OSError, FileRefusedError):
        # Reading the file as text reports the cause.
        return False


def _begins(path: Path, mark: bytes) -> bool:
    with open_regular(path, RELEASED_MAX) as file:
        return file.read(len(mark)) == mark
