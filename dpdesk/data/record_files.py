"""The formats of a release's records, and writing them in several formats at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import pyarrow as pa

from dpdesk.data.formats.columnar_writer import FeatherRecords, ParquetRecords
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.formats.excel_writer import ExcelRecords
from dpdesk.data.formats.spss_writer import CompressedSpssRecords, SpssRecords
from dpdesk.data.formats.stata_writer import StataRecords
from dpdesk.data.output_fields import Chunk, OutputField, RecordFile, field_names, rows_of
from dpdesk.data.regular_file import refusal
from dpdesk.data.side_thread import SideThread
from dpdesk.data.texts import T
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.i18n import Message

RECORD_FILES: tuple[type[RecordFile], ...] = (
    CsvRecords,
    ParquetRecords,
    SpssRecords,
    CompressedSpssRecords,
    StataRecords,
    ExcelRecords,
    FeatherRecords,
)
"""Every format of released records, in the order of lists. Adding one is a class and a word, and
the name of the class where the format is read (`TableFormat.writers`)."""


def record_files(words: Iterable[str] = ()) -> tuple[type[RecordFile], ...]:
    """Returns the formats of a release: those of every one, and those that are asked for."""
    asked = set(words)
    return tuple(kind for kind in RECORD_FILES if not kind.is_asked or kind.word() in asked)


def known_word(word: str) -> str:
    """Returns the word of a format of records in small letters, without a point in front.

    Raises:
        ParameterError: There is no such format.
    """
    wanted = word.strip().lower().removeprefix(".")
    if wanted not in (known := [kind.word() for kind in RECORD_FILES]):
        raise ParameterError(T.UNKNOWN_RECORDS(known=known))
    return wanted


def deciding_texts(files: Iterable[type[RecordFile]], column: WrittenColumn) -> Iterator[str]:
    """Yields texts of a copied column by which some formats are written as by all, each once."""
    found = {text for kind in files for text in kind.deciding_texts(column)}
    yield from found


def require_fit(
    files: Iterable[type[RecordFile]], columns: Sequence[WrittenColumn], rows: int
) -> None:
    """Refuses records that do not fit a format, before anything is charged.

    Raises:
        ReleaseError: The sentence names the file, and the column where it is one.
    """
    for unfit in unfit_files(files, columns, rows):
        raise ReleaseError(unfit)


def unfit_files(
    files: Iterable[type[RecordFile]], columns: Sequence[WrittenColumn], rows: int
) -> Iterator[Message]:
    """Yields of each format that cannot hold some records why not.

    Args:
        files: The formats.
        columns: What is said of the columns; texts that are not known yet may be left out.
        rows: Number of records; 0 where it is not known yet.
    """
    for kind in files:
        if (refusal := kind.refusal(columns, rows)) is not None:
            yield refusal


def most_bytes(field: OutputField, rows: int, files: Iterable[type[RecordFile]]) -> int:
    """Returns the most bytes that a field can take in all files of a release together."""
    return sum(kind.most_bytes(field, rows) for kind in files)


_CELLS = 1 << 18
"""Cells that are written at once: the slowest format takes a quarter of a second."""

_AHEAD = 8
"""Chunks that wait for a file: Parquet compresses about so many together, a megabyte each."""

_WAITING_BYTES = 1 << 25
"""Bytes of a file that may wait for the disk, so that the last ones take it no time."""


def require_writable(
    files: Sequence[type[RecordFile]],
    fields: Sequence[OutputField],
    columns: Sequence[WrittenColumn],
    rows: int,
) -> None:
    """Refuses records that do not fit a format, and tries the head of each file that is asked for.

    A release does so before it is charged, so that no format stops it afterwards.

    Raises:
        ReleaseError: They do not fit; or nothing can be written to the folder of passing files.
    """
    require_fit(files, columns, rows)
    if asked := [kind for kind in files if kind.is_asked]:
        with tempfile.TemporaryDirectory(prefix="dpdesk-") as folder:
            RecordWriter(Path(folder), fields, columns, asked).abort()


class RecordWriter:
    """Writes the records of a release into a folder in each of some formats, chunk by chunk.

    Each file is written in a thread of its own, while the caller draws the next records; some
    chunks wait for it, so that a format which writes many records at a time holds up no other.

    Used as a context it closes at the end and aborts on an error.

    Args:
        folder: An existing folder that holds none of the files.
        fields: The fields of a record, at least one; names of columns differ.
        columns: What is said of each column of the fields, in their order; formats that are only
            written where they are asked for need it.
        files: The formats; those of every release if None.
        tick: Called several times a second while records are written; may raise to cancel.

    Raises:
        ReleaseError: The files cannot be made.
        ValueError: Names of columns repeat, or there is none.
    """

    def __init__(
        self,
        folder: Path,
        fields: Sequence[OutputField],
        columns: Sequence[WrittenColumn] = (),
        files: Sequence[type[RecordFile]] | None = None,
        *,
        tick: Callable[[], object] = lambda: None,
    ) -> None:
        names = field_names(fields)
        if not names or len(set(names)) != len(names):
            raise ValueError("The columns of a release have names that differ, at least one.")
        self._fields, self._tick = tuple(fields), tick
        self._rows_at_once = max(1, _CELLS // len(names))
        self.rows = 0
        self._files: list[_Written] = []
        try:
            for kind in record_files() if files is None else files:
                path = folder / kind.name
                begun = partial(kind, fields=self._fields, columns=columns)
                self._files.append(_Written(path, begun, tick))
        except BaseException:
            self.abort()
            raise

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where the files are, in the order of the formats."""
        return tuple(written.path for written in self._files)

    def append(self, chunks: Sequence[Chunk]) -> None:
        """Appends records.

        Args:
            chunks: One chunk per field, all with the same number of rows; they must not change
                afterwards.

        Raises:
            ReleaseError: The disk refuses, now or at an earlier chunk; all files are removed.
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
        for start in range(0, rows, self._rows_at_once):
            stop = min(rows, start + self._rows_at_once)
            part = [chunk[start:stop] for chunk in chunks]
            for written in self._files:
                self._tick()
                written.append(part, stop - start)

    def close(self) -> None:
        """Completes all files and waits until they are on the disk.

        Raises:
            ReleaseError: The disk refuses; all files are removed.
        """
        self._guarded(self._finish)

    def _finish(self) -> None:
        # Side by side: each has to be put on the disk.
        for written in self._files:
            written.complete()
        for written in self._files:
            written.close()

    def abort(self) -> None:
        """Removes all files; after it, or after `close`, the writer is of no use."""
        for written in self._files:
            written.abort()

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
            return
        except (OSError, pa.ArrowException) as error:
            reason = refusal(error) if isinstance(error, OSError) else T.SYSTEM_REFUSED()
            self.abort()
        except BaseException:
            # A cancel while the disk is waited for leaves no file, either.
            self.abort()
            raise
        raise ReleaseError(T.NOT_WRITTEN(file=self.paths[0].name, reason=reason))

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


class _Written:
    """A file that is written in a thread of its own, and put on the disk meanwhile.

    Attributes:
        path: Where it is.

    Raises:
        ReleaseError: It cannot be made; what was there stays.
    """

    def __init__(
        self,
        path: Path,
        begun: Callable[[BinaryIO], RecordFile],
        tick: Callable[[], object],
    ) -> None:
        self.path = path
        self._file = _create(path)
        self._on_disk = 0
        try:
            self._records = begun(self._file)
        except BaseException:
            self._remove()
            raise
        self._thread = SideThread(path.name, tick, ahead=_AHEAD)

    def append(self, chunks: Sequence[Chunk], rows: int) -> None:
        """Appends `rows` records, some time later."""
        self._thread.run(self._write, chunks, rows)

    def complete(self) -> None:
        """Lets the content be completed and put on the disk."""
        self._thread.run(self._complete)

    def close(self) -> None:
        """Waits until all is on the disk, and closes the file."""
        self._thread.finish()
        self._thread.stop()
        self._file.close()

    def abort(self) -> None:
        """Removes the file, also after `close`."""
        self._thread.stop()
        self._records.abandon()
        self._remove()

    def _remove(self) -> None:
        # Closing flushes, which fails once more on a full disk.
        with suppress(OSError):
            self._file.close()
        self.path.unlink(missing_ok=True)

    def _write(self, chunks: Sequence[Chunk], rows: int) -> None:
        self._records.write(chunks, rows)
        if self._file.tell() >= self._on_disk + _WAITING_BYTES:
            self._put_on_disk()

    def _complete(self) -> None:
        self._records.close()
        self._put_on_disk()

    def _put_on_disk(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        self._on_disk = self._file.tell()


def _create(path: Path) -> BinaryIO:
    try:
        return path.open("xb")
    except OSError as error:
        reason = refusal(error)
    raise ReleaseError(T.NOT_WRITTEN(file=path.name, reason=reason))
