"""Reads the records of a release back, from CSV or Parquet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dpdesk.data.columnar_records import ColumnarRecords
from dpdesk.data.header import unique_names
from dpdesk.data.indicator_runs import cut_indicators
from dpdesk.data.neutralise import restore
from dpdesk.data.output_fields import BitsField, OutputField
from dpdesk.data.read_delimited import load_bytes, read_bytes
from dpdesk.data.records import Records
from dpdesk.data.regular_file import (
    DATA_MAX,
    FileRefusedError,
    is_file,
    is_folder,
    open_regular,
)
from dpdesk.data.table import SurveyTable
from dpdesk.data.text_records import CutRecords, TextRecords
from dpdesk.data.write_csv import CsvRecords
from dpdesk.data.write_records import ParquetRecords

# The first bytes of every Parquet file. A text may begin with them, but seldom ends with them too.
_PARQUET = b"PAR1"
# Below it, parsing each cell takes no longer than looking for the runs of each record.
_FEWEST_INDICATORS = 32


def read_records(place: str | os.PathLike[str]) -> SurveyTable:
    """Reads the records of a release back, with their texts as they were before `neutralise`.

    Args:
        place: The CSV file, or the folder that holds `records.csv`.

    Raises:
        InputError: The file is missing or no table.
    """
    path = Path(place)
    path = path / CsvRecords.name if is_folder(path) else path
    return _restored(load_bytes(read_bytes(path), path.name))


def open_records(place: str | os.PathLike[str], fields: Sequence[OutputField]) -> Records:
    """Opens the records of a release for counting its reports.

    Args:
        place: The CSV or Parquet file, or the folder that holds one of them; of both, the CSV
            file is read, which takes less time.
        fields: What the release wrote, from `record_fields`. They tell where to look; whether the
            columns are there is not checked.

    Raises:
        InputError: The file is missing or no table.
    """
    path = records_path(place)
    if _is_parquet(path):
        return ColumnarRecords(path, fields)
    raw = read_bytes(path)
    return _cut(raw, path.name, fields) or TextRecords(_restored(load_bytes(raw, path.name)))


def records_path(place: str | os.PathLike[str]) -> Path:
    """Returns the file that `open_records` reads: of a folder the CSV file, if it is there."""
    path = Path(place)
    if not is_folder(path):
        return path
    csv, parquet = path / CsvRecords.name, path / ParquetRecords.name
    return parquet if is_file(parquet) and not is_file(csv) else csv


def _is_parquet(path: Path) -> bool:
    try:
        with open_regular(path, DATA_MAX) as file:
            if file.read(len(_PARQUET)) != _PARQUET:
                return False
            file.seek(-len(_PARQUET), os.SEEK_END)
            return file.read() == _PARQUET
    except (OSError, FileRefusedError):
        # Reading the file as text tells what is the matter.
        return False


def _cut(raw: bytes, name: str, fields: Sequence[OutputField]) -> Records | None:
    """The records without parsing their indicators; None where that is not worth it or fails."""
    bits = [field for field in fields if isinstance(field, BitsField)]
    if sum(len(field.names) for field in bits) < _FEWEST_INDICATORS:
        return None
    cut = cut_indicators(raw, bits)
    if cut is None:
        return None
    rest = _restored(load_bytes(cut.rest, name)) if cut.rest else None
    if rest is not None and rest.rows != cut.rows:
        return None
    return CutRecords(cut.rows, cut.indicators, rest)


def _restored(table: SurveyTable) -> SurveyTable:
    names, _ = unique_names(tuple(restore(name) for name in table.names))
    columns = tuple(
        column.mapped(restore).renamed(name)
        for column, name in zip(table.columns, names, strict=True)
    )
    return replace(table, columns=columns)
