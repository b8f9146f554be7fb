"""Columns of numbers that are appended block by block: in memory, on disk where they are many.

They are codes of answers, and what is made of these: counts of classes, scores, bits of rows.

What is on disk are true answers, in a file without a name (`NamelessFile`).
"""

from __future__ import annotations

import errno
import mmap
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from dpdesk.data.nameless_file import NamelessFile
from dpdesk.data.regular_file import refusal
from dpdesk.data.texts import T
from dpdesk.errors import InputError
from dpdesk.numbers.arrays import pieces_of

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")

Values: TypeAlias = npt.NDArray[Any]
"""Numbers of one type, one after the other: codes, counts, scores, or bits of rows in bytes."""

Codes: TypeAlias = npt.NDArray[Any]
"""uint8, uint16 or int32: as few bytes as the number of distinct answers needs."""

TABLE = "The table"
"""What messages call what is made of several columns of a table."""

MEMORY_MOST = 16 << 20
"""Bytes that are held in memory; what is larger is on disk."""

VARIABLE = "DPDESK_SPOOL"
"""Environment variable that names the folder for what does not stay in memory."""

_ONE_COLUMN = 1 << 20
"""Bytes that are held in memory of a column that is made from another."""

_PAIRED_LEAST = 1 << 18
"""Codes of a byte that are counted two at a time; of fewer, the table of pairs is not worth it."""

_ALIGNED = 1 << 12
_COPIED = 1 << 22


def chunked_values(chunks: Iterable[Values], kind: np.dtype[Any], name: str = TABLE) -> Values:
    """Returns numbers that are made chunk by chunk, on disk where they take much room."""
    with closing(Spool(1, name, _ONE_COLUMN)) as spool:
        for chunk in chunks:
            spool.append(0, chunk.astype(kind, copy=False))
        return spool.finish([kind])[0]


def scratch(count: int, kind: np.dtype[Any], name: str = TABLE) -> Values:
    """Returns zeros that can be written, on disk where they take much room.

    Args:
        count: How many.
        kind: Their type.
        name: What they are of, for messages.

    Raises:
        InputError: They are too many for memory, and cannot be written to the disk.
    """
    if count * kind.itemsize <= _ONE_COLUMN:
        return np.zeros(count, dtype=kind)
    with closing(_tried(name, NamelessFile, spool_folder())) as file:
        # Written, and not left out: where the disk is full a mapped page would end the program.
        for done in range(0, count, _COPIED):
            _tried(name, file.append, np.zeros(min(_COPIED, count - done), dtype=kind))
        mapped = _tried(name, _mapped, file, mmap.ACCESS_WRITE)
    return np.frombuffer(mapped, dtype=kind, count=count)


def counted_codes(chunks: Iterable[Codes], codes: int, name: str = TABLE) -> Values:
    """Returns how often each code occurs, on disk where they take much room.

    Codes of a byte are counted as pairs where a chunk has many: a pair is one of 65,536 numbers of
    16 bits, so that half as many are widened and counted, and no two neighbours wait for the same
    count; it takes about half the time.
    """
    total = scratch(codes, np.dtype(np.int64), name)
    for chunk in chunks:
        if chunk.dtype == np.uint8 and len(chunk) >= _PAIRED_LEAST:
            total[: 1 << 8] += _counted_pairs(chunk)[:codes]
        elif codes <= len(chunk):
            total += np.bincount(chunk, minlength=codes)
        else:
            found, times = np.unique(chunk, return_counts=True)
            total[found] += times
    return total


def _counted_pairs(chunk: Codes) -> npt.NDArray[np.int64]:
    """Returns how often each number of a byte occurs; shape (256,)."""
    paired = len(chunk) // 2 * 2
    pairs = np.ascontiguousarray(chunk[:paired]).view(np.uint16)
    table = np.bincount(pairs, minlength=1 << 16).reshape(1 << 8, 1 << 8)
    last = np.bincount(chunk[paired:], minlength=1 << 8)
    # Which byte of a pair comes first depends on the machine: the sum does not.
    return np.asarray(table.sum(axis=0) + table.sum(axis=1) + last)


def sorted_distinct(values: Values, name: str = TABLE) -> Values:
    """Returns the distinct ones of some numbers in order, on disk where they take much room."""
    room = scratch(len(values), values.dtype, name)
    for some in pieces_of(len(values)):
        room[some] = values[some]
    room.sort()
    count = 0
    for some in pieces_of(len(values)):
        own = room[some]
        # What was kept until now ends with the largest one before these.
        is_new = np.concatenate([[not count or own[0] != room[count - 1]], own[1:] != own[:-1]])
        kept = own[is_new]
        room[count : count + len(kept)] = kept
        count += len(kept)
    return room[:count]


def code_type(distinct: int) -> np.dtype[Any]:
    """Returns the smallest type of the codes of so many distinct answers."""
    if distinct <= 1 << 8:
        return np.dtype(np.uint8)
    return np.dtype(np.uint16) if distinct <= 1 << 16 else np.dtype(np.int32)


def spool_folder() -> Path:
    """Returns the folder for what does not stay in memory.

    It is that of DPDESK_SPOOL, else that of TMPDIR, else one on a disk: on many systems /tmp is
    memory itself.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    on_disk = Path("/var/tmp")  # noqa: S108 - the file has no name there
    if sys.platform != "win32" and "TMPDIR" not in os.environ and os.access(on_disk, os.W_OK):
        return on_disk
    return Path(tempfile.gettempdir())


@dataclass(frozen=True, slots=True)
class _Unloaded:
    """Where the numbers are that were moved to the disk at one time.

    Attributes:
        starts: Where those of each column begin, in bytes.
        counts: How many those of each column are.
        kinds: The type of those of each column, as numpy's character.
    """

    starts: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    kinds: str


class Spool:
    """The numbers of several columns, appended piece by piece.

    Args:
        columns: Number of columns.
        name: Name of the file that is read, for messages.
        memory: Bytes that are held in memory; `MEMORY_MOST` if None.
    """

    def __init__(self, columns: int, name: str = TABLE, memory: int | None = None) -> None:
        self._name = name
        self._memory = MEMORY_MOST if memory is None else memory
        self._held: list[list[Values]] = [[] for _ in range(columns)]
        self._unloaded: list[_Unloaded] = []
        self._bytes = 0
        self._file: NamelessFile | None = None

    def append(self, column: int, values: Values) -> None:
        """Appends numbers to a column.

        Raises:
            InputError: They are too many for memory, and cannot be written to the disk.
        """
        self._held[column].append(values)
        self._bytes += values.nbytes
        if self._bytes > self._memory:
            self._unload()

    def finish(
        self, kinds: Sequence[np.dtype[Any]], code_of: Mapping[int, Values] | None = None
    ) -> list[Values]:
        """Returns the numbers of each column, read-only; nothing is appended afterwards.

        Args:
            kinds: The type of each column's numbers, which holds all of them.
            code_of: By column, where its numbers are codes that change: what each becomes.

        Raises:
            InputError: They cannot be written to the disk.
        """
        if self._file is not None or code_of:
            self._unload()
            return self._laid_out(kinds, code_of or {})
        return [self._joined(column, kind) for column, kind in enumerate(kinds)]

    def close(self) -> None:
        """Gives up what is on disk and was not returned."""
        if self._file is not None:
            self._file.close()

    def _joined(self, column: int, kind: np.dtype[Any]) -> Values:
        # Taken out, so that no more than one column is there twice.
        pieces, self._held[column] = self._held[column], []
        if len(pieces) == 1 and pieces[0].dtype == kind:
            return pieces[0]
        whole: Values = np.empty(sum(map(len, pieces)), dtype=kind)
        if pieces:
            np.concatenate(pieces, out=whole)
        return whole

    def _unload(self) -> None:
        """Moves what is in memory to the disk, the numbers of a column together."""
        file = self._file = self._file or self._tried(NamelessFile, spool_folder())
        starts, counts = (np.zeros(len(self._held), dtype=np.int64) for _ in range(2))
        kinds = ""
        for column, pieces in enumerate(self._held):
            every = (piece.dtype for piece in pieces)
            kind = max(every, key=lambda kind: kind.itemsize, default=np.dtype(np.uint8))
            kinds += kind.char
            if pieces:
                whole = self._joined(column, kind)
                starts[column], counts[column] = self._tried(file.append, whole), len(whole)
        # One object for all columns: one for each of many would take more memory than its numbers.
        self._unloaded.append(_Unloaded(starts, counts, kinds))
        self._bytes = 0

    def _laid_out(
        self, kinds: Sequence[np.dtype[Any]], code_of: Mapping[int, Values]
    ) -> list[Values]:
        """Brings the pieces of each column together, in a file of their own that is mapped."""
        starts: list[tuple[int, int]] = []
        with closing(self._tried(NamelessFile, spool_folder())) as file:
            for column, kind in enumerate(kinds):
                start, count = file.align(_ALIGNED), 0
                for numbers in self._pieces(column):
                    values = code_of[column].take(numbers) if column in code_of else numbers
                    self._tried(file.append, values.astype(kind, copy=False))
                    count += len(values)
                starts.append((start, count))
            self.close()
            mapped = self._tried(_mapped, file)
        # Where the last columns are empty they would begin behind the end of the file.
        return [
            np.frombuffer(mapped, dtype=kind, count=count, offset=start if count else 0)
            for (start, count), kind in zip(starts, kinds, strict=True)
        ]

    def _pieces(self, column: int) -> Iterator[Values]:
        """Yields what is on disk of a column."""
        for one in self._unloaded:
            start, count = int(one.starts[column]), int(one.counts[column])
            for done in range(0, count, _COPIED):
                values: Values = np.empty(min(_COPIED, count - done), dtype=one.kinds[column])
                self._tried(self._read, values, start + done * values.itemsize)
                yield values

    def _read(self, room: Values, start: int) -> None:
        assert self._file is not None  # noqa: S101 - there are pieces
        if self._file.read_into(room, start) != room.nbytes:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def _tried(
        self, task: Callable[_Given, _Made], *given: _Given.args, **named: _Given.kwargs
    ) -> _Made:
        return _tried(self._name, task, *given, **named)


def _tried(
    name: str, task: Callable[_Given, _Made], *given: _Given.args, **named: _Given.kwargs
) -> _Made:
    """Returns what a task made that the disk may refuse."""
    try:
        return task(*given, **named)
    except OSError as error:
        refused = _refused(error, name, spool_folder())
    # Outside the handler, so that it is told alone.
    raise refused


def _mapped(file: NamelessFile, access: int = mmap.ACCESS_READ) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=access)


def _refused(error: OSError, name: str, folder: Path) -> InputError:
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return InputError(T.MANY_OPEN_FILES(file=name, folder=str(folder)))
    reason, place = refusal(error), str(folder)
    return InputError(T.SPOOL_REFUSED(file=name, folder=place, reason=reason, variable=VARIABLE))
