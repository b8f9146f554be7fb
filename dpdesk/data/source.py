"""The bytes of a file of answers: piece by piece where its format allows, else whole.

A file that is read twice is the same: one that changes meanwhile is refused.
"""

from __future__ import annotations

import io
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import BinaryIO, Protocol, TypeVar, cast

from dpdesk.data.regular_file import (
    DATA_MAX,
    TABLE_MAX,
    FileRefusedError,
    read_piece,
    refusal,
    too_large,
)
from dpdesk.data.texts import T
from dpdesk.errors import InputError
from dpdesk.i18n import Text

HEAD = 1 << 17
"""Bytes at the beginning of a file that are looked at first."""

PIECE = 1 << 22
"""Bytes that are read together."""

Tick = Callable[[], None]


def no_tick() -> None:
    """Never cancels."""


_T = TypeVar("_T")


class Tried(Protocol):
    """Returns what reading returns, and tells a refusal as that of every source."""

    def __call__(self, work: Callable[[], _T], /) -> _T:
        """Reads."""


class Source(ABC):
    """The bytes of a file.

    Args:
        name: Name of the file, for messages.
        size: Its bytes on disk; 0 where they are not known.
        tick: Called between pieces; may raise to cancel.

    Attributes:
        done: Bytes on disk that were read since the last beginning.
    """

    whole_most = DATA_MAX
    """Most bytes that are held in memory."""

    def __init__(self, name: str, size: int, tick: Tick) -> None:
        self.name = name
        self.size = size
        self.done = 0
        self.tick = tick

    @abstractmethod
    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        """Begins anew, and yields the bytes in pieces of at most some size; none is empty.

        Raises:
            InputError: The file cannot be read, is damaged, or has changed.
        """

    @cached_property
    def head(self) -> bytes:
        """The first `HEAD` bytes."""
        found = b""
        for piece in self.pieces(HEAD):
            found += piece
            if len(found) >= HEAD:
                break
        return found[:HEAD]

    @cached_property
    def whole(self) -> bytes:
        """All bytes, for formats that are not read piece by piece.

        Raises:
            InputError: They are more than memory may hold.
        """
        pieces: list[bytes] = []
        size = 0
        for piece in self.pieces():
            pieces.append(piece)
            size += len(piece)
            if size > self.whole_most:
                raise unreadable(self.name, too_large(self.whole_most))
        return b"".join(pieces)

    def opened(self) -> BinaryIO:
        """Opens the bytes for reading at any place; who has read them asks `require_unchanged`."""
        return io.BytesIO(self.whole)

    def require_unchanged(self) -> None:  # noqa: B027 - what is in memory does not change
        """Refuses a file that has changed since it was opened; `pieces` does so at its end.

        Raises:
            InputError: It has changed.
        """

    def tried(self, work: Callable[[], _T]) -> _T:
        """Returns what reading returns.

        Raises:
            InputError: The system refused.
        """
        try:
            return work()
        except OSError as error:
            reason = refusal(error)
        # Outside the handler, so that it is told alone.
        raise unreadable(self.name, reason)

    def counted(self, file: BinaryIO) -> BinaryIO:
        """Returns a file whose reading is counted, from the beginning, and stays open by itself."""
        self.done = 0
        return cast(BinaryIO, CountedFile(file, self._count, self.tried))

    def _count(self, read: int) -> None:
        self.done += read


class Memory(Source):
    """Bytes that are in memory already."""

    def __init__(self, raw: bytes, name: str, tick: Tick) -> None:
        super().__init__(name, len(raw), tick)
        self._raw = raw

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        for start in range(0, len(self._raw), size):
            self.tick()
            self.done = min(start + size, len(self._raw))
            yield self._raw[start : start + size]

    @cached_property
    def whole(self) -> bytes:
        return self._raw


class OpenFile(Source):
    """A file that is open."""

    def __init__(self, file: BinaryIO, name: str, tick: Tick) -> None:
        self._state = _state(file)
        super().__init__(name, self._state[0], tick)
        self._file = file

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        done = 0
        while True:
            self.tick()
            try:
                self._file.seek(done)
                piece = read_piece(self._file, size)
            except FileRefusedError as refused:
                reason = refused.reason
            except OSError as error:
                reason = refusal(error)
            else:
                done += len(piece)
                self.done = done
                if piece and done <= TABLE_MAX:
                    yield piece
                    continue
                if not piece:
                    self.require_unchanged()
                    return
                reason = T.CHANGED()
            raise unreadable(self.name, reason)

    def opened(self) -> BinaryIO:
        self.tried(lambda: self._file.seek(0))
        return self.counted(self._file)

    def require_unchanged(self) -> None:
        # That of another computer may not answer any more.
        if self.tried(lambda: _state(self._file)) != self._state:
            raise unreadable(self.name, T.CHANGED())


class CountedFile(io.BufferedIOBase):
    """A file whose reading is told.

    Args:
        file: The file; it stays open when this is closed.
        told: Called with the bytes of each reading.
        tried: Reads, and tells refusals: who reads would take one for a damaged file.
    """

    def __init__(self, file: BinaryIO, told: Callable[[int], None], tried: Tried) -> None:
        self._file, self._told, self._tried = file, told, tried

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> bytes:
        piece = self._tried(lambda: bytes(self._file.read(-1 if size is None else size)))
        self._told(len(piece))
        return piece

    def seek(self, place: int, whence: int = os.SEEK_SET, /) -> int:
        return self._tried(lambda: int(self._file.seek(place, whence)))

    def tell(self) -> int:
        return self._file.tell()


class UnreadableError(InputError):
    """A file whose bytes cannot be had, whatever they are."""


def unreadable(name: str, reason: str, text: Text = T.UNREADABLE) -> InputError:
    """Returns the refusal of a file that cannot be read, for a reason that is a clause."""
    return UnreadableError(text(file=name or "/", reason=reason))


def _state(file: BinaryIO) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    # A file of the system states no size, and any time.
    return (found.st_size, found.st_mtime_ns) if found.st_size else (0, 0)
