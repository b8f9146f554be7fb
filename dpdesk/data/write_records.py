"""Writes the records of a release as CSV and Parquet at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import pyarrow as pa

from dpdesk.data.output_fields import Chunk, OutputField, field_names, rows_of
from dpdesk.data.write_csv import CsvRecords
from dpdesk.data.write_parquet import ParquetRecords
from dpdesk.errors import ReleaseError

CSV_NAME = "records.csv"
PARQUET_NAME = "records.parquet"


class RecordWriter:
    """Writes `records.csv` and `records.parquet` into a folder, chunk by chunk.

    Used as a context it closes at the end and aborts on an error.

    Args:
        folder: An existing folder that holds neither file.
        fields: The fields of a record, at least one; names of columns differ.

    Raises:
        ReleaseError: The files cannot be made.
        ValueError: Names of columns repeat, or there is none.
    """

    def __init__(self, folder: Path, fields: Sequence[OutputField]) -> None:
        names = field_names(fields)
        if not names or len(set(names)) != len(names):
            raise ValueError("The columns of a release have names that differ, at least one.")
        self._fields = tuple(fields)
        self.rows = 0
        self.paths = (folder / CSV_NAME, folder / PARQUET_NAME)
        self._csv_file = _create(self.paths[0])
        try:
            self._parquet_file = _create(self.paths[1])
        except ReleaseError:
            self._csv_file.close()
            self.paths[0].unlink()
            raise
        self._parquet: ParquetRecords | None = None
        try:
            self._csv = CsvRecords(self._csv_file, self._fields)
            self._parquet = ParquetRecords(self._parquet_file, self._fields)
        except BaseException:
            self.abort()
            raise

    def append(self, chunks: Sequence[Chunk]) -> None:
        """Appends records.

        Args:
            chunks: One chunk per field, all with the same number of rows.

        Raises:
            ReleaseError: The disk refuses; both files are removed.
            ValueError: A chunk does not fit its field; nothing is written.
        """
        if len(chunks) != len(self._fields):
            raise ValueError("A release gets one chunk per field.")
        counts = {rows_of(field, chunk) for field, chunk in zip(self._fields, chunks, strict=True)}
        if len(counts) != 1:
            raise ValueError("The chunks of a release have the same number of rows.")
        (rows,) = counts
        self._guarded(lambda: self._write(chunks, rows))
        self.rows += rows

    def _write(self, chunks: Sequence[Chunk], rows: int) -> None:
        assert self._parquet is not None  # noqa: S101 - made in the constructor
        self._csv.write(chunks, rows)
        self._parquet.write(chunks, rows)

    def close(self) -> None:
        """Completes both files and waits until they are on the disk.

        Raises:
            ReleaseError: The disk refuses; both files are removed.
        """
        self._guarded(self._finish)

    def _finish(self) -> None:
        assert self._parquet is not None  # noqa: S101 - made in the constructor
        self._parquet.close()
        for file in (self._csv_file, self._parquet_file):
            file.flush()
            os.fsync(file.fileno())
            file.close()

    def abort(self) -> None:
        """Removes both files; after it, or after `close`, the writer is of no use."""
        if self._parquet is not None:
            self._parquet.abandon()
        for file in (self._csv_file, self._parquet_file):
            # Closing flushes, which fails once more on a full disk.
            with suppress(OSError):
                file.close()
        for path in self.paths:
            path.unlink(missing_ok=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
            return
        except (OSError, pa.ArrowException) as error:
            reason = getattr(error, "strerror", None) or "the file system refused"
            self.abort()
        raise ReleaseError(
            f"The records could not be written: {reason}.",
            remedy="Choose a folder with more space that you may write to.",
        )

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


def _create(path: Path) -> BinaryIO:
    try:
        return path.open("xb")
    except OSError as error:
        reason = error.strerror or "the file system refused"
    raise ReleaseError(
        f"{path.name} cannot be made: {reason}.",
        remedy="Choose an empty folder that you may write to.",
    )
