"""A file in a storage of fsspec, and what its refusals are called.

What a library raises can quote an address, with a password or a token in it: no word of it is
repeated.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import socket
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from http import HTTPStatus
from typing import Any, BinaryIO, TypeVar, cast
from urllib.parse import urlsplit

from dpdesk.data.foreign_format import is_web_page
from dpdesk.data.regular_file import TABLE_MAX, too_large
from dpdesk.data.source import PIECE, Source, Tick, unreadable
from dpdesk.data.texts import T
from dpdesk.errors import DpdeskError

_T = TypeVar("_T")

_KINDS = {
    "ClientConnectorError": T.NO_SERVER,
    "HttpProcessingError": T.BAD_ANSWER,
    "InvalidURL": T.BAD_ADDRESS,
    "TooManyRedirects": T.REDIRECTED,
}
"""What errors of the library for servers say, by the names of their kinds."""

_AHEAD = 1 << 23
"""Most bytes that are asked for ahead where a file is read from its beginning to its end."""

_PIECES_AHEAD = 8
"""So many pieces are asked for ahead, since each question takes its time."""

_VERSIONS = frozenset(
    {
        "checksum",
        "contentmd5",
        "crc",
        "crc32c",
        "created",
        "digest",
        "etag",
        "generation",
        "ino",
        "lastmodified",
        "md5hash",
        "modificationtime",
        "modified",
        "modify",
        "mtime",
        "sha",
        "updated",
        "versionid",
    }
)
"""What storages call what changes with a file, in small letters and without marks; what changes
when it is read, such as the time of that, is not among it."""


class RemoteFile(Source):
    """A file in a storage.

    Args:
        places: The storage and the path in it; where the file is part of an archive, behind it
            those of the archive.
        name: Its name, for messages.
        tick: Called between pieces; may raise to cancel.

    Raises:
        InputError: It is not there, is a folder, or is too large.
    """

    def __init__(self, places: Sequence[tuple[Any, str]], name: str, tick: Tick) -> None:
        self._places = places
        self.name = name
        self._is_served, self._is_html = is_served(places[0][0]), False
        self._versions, self._size = self._asked()
        if (self._size or 0) > TABLE_MAX:
            raise unreadable(name, too_large(TABLE_MAX))
        super().__init__(name, self._size or 0, tick)
        self._digest = b""
        self._open: list[Any] = []

    def close(self) -> None:
        """Closes what was opened for reading at any place."""
        for file in self._open:
            # It was read alone: nothing is lost.
            with suppress(Exception):
                file.close()

    def pieces(self, size: int = PIECE) -> Iterator[bytes]:
        done, digest = 0, hashlib.blake2b()
        with closing(self.tried(lambda: self._from_beginning(size))) as file:
            while True:
                self.tick()
                piece = self.tried(lambda: file.read(done, size))  # noqa: B023 - at once
                if not piece:
                    break
                done += len(piece)
                if done > (TABLE_MAX if self._size is None else self._size):
                    raise unreadable(self.name, T.CHANGED())
                self.done = done
                if not self._versions:
                    digest.update(piece)
                yield piece
        self.require_unchanged()
        known, self._digest = self._digest, digest.digest()
        if (self._size or done) != done or known not in (b"", self._digest):
            raise unreadable(self.name, T.CHANGED())
        if not (known or self._versions or self._is_served):
            # Its parts were asked for one by one, and could be those of two files.
            for _ in self.pieces(size):
                pass

    def opened(self) -> BinaryIO:
        """Opens the file for reading at any place, or holds it in memory.

        The latter where it is part of an archive, which is unpacked from the beginning at each step
        back, where a server hands out no parts of a file, and where nothing tells versions of it
        apart: parts of two could be mixed.
        """
        if self._size and self._versions and len(self._places) == 1:
            file = self.tried(self._in_parts)
            if file is not None:
                return self.counted(file)
        self.done = 0
        return super().opened()

    def tried(self, work: Callable[[], _T]) -> _T:
        return tried(self.name, work, is_served=self._is_served)

    def require_unchanged(self) -> None:
        if self._asked() != (self._versions, self._size):
            raise unreadable(self.name, T.CHANGED())

    def require_no_page(self) -> None:
        """Refuses a web page, as a server sends it for a folder without a slash.

        Raises:
            InputError: It is one; the remedy says how a folder is written.
        """
        if self._is_served and self._is_html and is_web_page(self.head):
            raise unreadable(self.name, T.IS_WEB_PAGE(), T.UNREADABLE_ADDRESS)

    def _from_beginning(self, size: int) -> _FromBeginning:
        # Without a version one answer is read to its end: several could be of different files.
        is_stream = self._is_served and not self._versions
        return _FromBeginning(*self._places[0], size, is_stream=is_stream)

    def _in_parts(self) -> BinaryIO | None:
        storage, path = self._places[0]
        # What is read is asked for, and no more: the columns of a file lie apart.
        file: BinaryIO = storage.open(path, "rb", block_size=_AHEAD, cache_type="none")
        self._open.append(file)
        try:
            file.seek(cast(int, self._size) - 1)
            file.read(1)
        except ValueError:
            return None
        file.seek(0)
        return file

    def _asked(self) -> tuple[tuple[tuple[str, str], ...], int | None]:
        """Returns what tells versions of the file apart, and its bytes where they are known."""
        return self.tried(self._told)

    def _told(self) -> tuple[tuple[tuple[str, str], ...], int | None]:
        versions: list[tuple[str, str]] = []
        size: int | None = None
        for place, (storage, path) in enumerate(self._places):
            # Not what was known before.
            storage.invalidate_cache()
            told = storage.info(path)
            if not place:
                size = told["size"]
                if told["type"] == "directory":
                    raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
                self._is_html = told.get("mimetype") == "text/html"
                if self._is_served and _is_sent_to_folder(path, told.get("url")):
                    raise unreadable(self.name, T.IS_FOLDER(), T.UNREADABLE_ADDRESS)
                if is_link(told):
                    raise unreadable(self.name, T.LINK_IN_ARCHIVE(file=self.name))
                if (size or 0) < 0:
                    raise unreadable(self.name, T.BAD_LENGTH())
            found = [(key, str(told[key])) for key in sorted(told) if _plain(key) in _VERSIONS]
            versions += found
        return tuple(versions), size


class _FromBeginning:
    """A file in a storage that is read from its beginning to its end, in pieces of some size."""

    def __init__(self, storage: Any, path: str, size: int, *, is_stream: bool) -> None:
        self._storage, self._path, self._is_stream = storage, path, is_stream
        if is_stream:
            self._file = opened_in_one_go(storage, path)
            return
        ahead = min(_PIECES_AHEAD * size, _AHEAD)
        self._file = storage.open(path, "rb", block_size=ahead, cache_type="readahead")

    def read(self, done: int, size: int) -> bytes:
        """Reads at most so many bytes behind those that were read."""
        try:
            return self._read(done, size)
        except ValueError:
            if self._is_stream:
                raise
        # What fsspec raises of a server that hands out no parts of a file: it is read in one go.
        self._is_stream = True
        self.close()
        self._file = opened_in_one_go(self._storage, self._path)
        left = done
        while left and (piece := self._file.read(min(left, PIECE))):
            left -= len(piece)
        return self._read(done, size)

    def _read(self, done: int, size: int) -> bytes:
        # Of some storages every file of a name is one and the same, with one place for all.
        self._file.seek(done)
        return bytes(self._file.read(size))

    def close(self) -> None:
        """Closes the file."""
        # It was read alone: nothing is lost.
        with suppress(Exception):
            self._file.close()


def is_served(storage: Any) -> bool:
    """Whether a storage is a server whose folders are web pages."""
    return "http" in storage.protocol


def _is_sent_to_folder(asked: str, found: str | None) -> bool:
    """Whether a server that is asked for a file sends to the page of a folder."""
    to_folder = [urlsplit(url).path.endswith("/") for url in (asked, found or asked)]
    return to_folder == [False, True]


def is_link(told: Mapping[str, Any]) -> bool:
    """Whether what an archive tells of a member is that of a link, which stands for another one."""
    return bool(told.get("linkname")) or stat.S_ISLNK((told.get("external_attr") or 0) >> 16)


def opened_in_one_go(storage: Any, path: str) -> Any:
    """Opens what a server sends, to be read once from its beginning to its end."""
    return storage.open(path, "rb", block_size=0)


def tried(name: str, work: Callable[[], _T], *, is_served: bool = False) -> _T:
    """Returns what a storage returns; whatever it raises is told without its own words.

    Args:
        name: Name of the file or folder, for messages.
        work: Asks the storage.
        is_served: Whether it is a server’s, where the address of a folder ends with a slash.

    Raises:
        InputError: The storage refused.
    """
    try:
        return work()
    except (DpdeskError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - of any kind, by the storage
        reason = _reason(error)
    is_other = is_served and reason == T.NO_SUCH_FILE()
    raise unreadable(name, reason, T.UNREADABLE_ADDRESS if is_other else T.UNREADABLE)


def _reason(error: BaseException) -> str:
    """Why a storage refused, as a clause; it holds no word of the address."""
    causes = [error]
    while (cause := causes[-1].__cause__) is not None:
        causes.append(cause)
    for cause in reversed(causes):
        status = getattr(cause, "status", None)
        named = {kind.__name__ for kind in type(cause).__mro__} & _KINDS.keys()
        if isinstance(status, int) and status > 0:
            is_missing = status == HTTPStatus.NOT_FOUND
            return T.NO_SUCH_FILE() if is_missing else T.ANSWERED(status=str(status))
        if isinstance(cause, FileNotFoundError):
            return T.NO_SUCH_FILE()
        if isinstance(cause, PermissionError):
            return T.DENIED()
        if isinstance(cause, socket.gaierror):
            return T.UNKNOWN_SERVER()
        if isinstance(cause, ConnectionRefusedError):
            return T.NO_SERVER()
        if isinstance(cause, OSError) and (cause.errno or 0) > 0:
            return os.strerror(cast(int, cause.errno)).lower()
        if isinstance(cause, TimeoutError):
            return T.NO_SERVER_IN_TIME()
        if named:
            return _KINDS[named.pop()]()
    return T.STORAGE_FAILED(kind=type(error).__name__)


def _plain(key: Any) -> str:
    return re.sub("[^a-z0-9]", "", str(key).lower())
