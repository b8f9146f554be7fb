"""Tables at an address, which fsspec opens: `https://…`, `s3://…`, `zip://answers.csv::https://…`.

True answers are held as those of a file of this computer are: their codes in memory, and in a file
without a name where memory does not hold them; the workers of a cluster read them, too. What keeps
copies of files on a disk, as `simplecache::` does, is refused. An address can hold a password or a
token: its text appears in no message, nor do the words of the library, which quote it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast
from urllib.parse import unquote

from dpdesk.data.place import LocalPlace, Place, path_named
from dpdesk.data.regular_file import TABLE_MAX
from dpdesk.data.source import CHANGED, PIECE, Source, Tick, unreadable
from dpdesk.errors import (
    DpdeskError,
    MissingPackagesError,
    ParameterError,
    from_extra,
    without_unprintable,
)

_T = TypeVar("_T")

_MISSING = "there is no such file"

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


class Address(Place):
    """What an address names.

    Args:
        url: The address, as fsspec reads it.
        is_folder: Whether it is a folder, where a listing has told.
    """

    def __init__(self, url: str, is_folder: bool | None = None) -> None:
        self._url, self._listed_as_folder = url, is_folder

    def __repr__(self) -> str:
        return f"Address({self.name!r})"

    @property
    def name(self) -> str:
        """The last part of the path, without what may be secret: a password, what follows a ?."""
        return next(filter(None, map(_name_of, self._url.split("::"))), "the address")

    @property
    def files(self) -> tuple[Path, ...]:
        """The file of this computer that is read, such as an archive."""
        _, *others = self._url.split("::")
        path = path_named(others[-1]) if others else None
        return () if path is None else (path,)

    @cached_property
    def is_folder(self) -> bool:
        """Whether it ends with a slash, or the storage says that it is a folder."""
        if self._listed_as_folder is not None:
            return self._listed_as_folder
        storage, path = self._storage()
        if self._url.partition("::")[0].endswith("/"):
            return True
        return bool(_tried(self.name, lambda: storage.info(path)["type"] == "directory"))

    def within(self) -> tuple[Place, ...]:
        """Returns what the folder holds."""
        storage, path = self._storage()
        storage.invalidate_cache()
        found = _tried(self.name, lambda: storage.ls(path, detail=True))
        link, chained, others = self._url.partition("::")
        link = link if link.endswith("/") else f"{link}/"
        inside = f"{str(path).strip('/')}/".lstrip("/")
        places = []
        for one in found:
            whole = str(one["name"]).strip("/")
            own = whole.rpartition("/")[2]
            # Some storages list the folder itself, and the page of a server ways to sort it.
            if f"{whole}/" == inside or own.startswith("?"):
                continue
            is_deeper = whole.startswith(inside) and "/" in whole.removeprefix(inside)
            is_folder = one["type"] == "directory" or is_deeper
            places.append(Address(f"{link}{own}{chained}{others}", is_folder))
        return tuple(places)

    @contextmanager
    def opened(self, tick: Tick) -> Iterator[Source]:
        """Opens the file."""
        places = [self._storage()]
        last = self._url.rpartition("::")[2]
        if last != self._url:
            # An archive changes where it lies.
            places.append(_tried(self.name, lambda: _opens()(last)))
        with closing(RemoteFile(places, self.name, tick)) as file:
            yield file

    def _storage(self) -> tuple[Any, str]:
        """Returns the file system of fsspec, and the path in it.

        Raises:
            MissingPackagesError: fsspec, or what it needs for this address, is not installed.
            ParameterError: There is no such storage, or it keeps copies.
            InputError: The storage cannot be reached.
        """
        opens = _opens()
        for link in self._url.split("::"):
            _require_no_copies(link)
        return _tried(self.name, lambda: opens(self._url))


def table_place(path: str | os.PathLike[str] | Place) -> Place:
    """Returns the place that a path or an address names."""
    if isinstance(path, Place):
        return path
    own = path_named(path) if isinstance(path, str) else Path(path)
    return Address(str(path)) if own is None else LocalPlace(own)


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
        self._versions, self._size = self._asked()
        if (self._size or 0) > TABLE_MAX:
            raise unreadable(name, f"it is larger than {TABLE_MAX >> 30:,} GB")
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
        """Reads the file from its beginning."""
        done, digest = 0, hashlib.blake2b()
        with closing(self.tried(lambda: _FromBeginning(*self._places[0], size))) as file:
            while True:
                self.tick()
                piece = self.tried(lambda: file.read(done, size))  # noqa: B023 - at once
                if not piece:
                    break
                done += len(piece)
                if done > (TABLE_MAX if self._size is None else self._size):
                    raise unreadable(self.name, CHANGED)
                self.done = done
                if not self._versions:
                    digest.update(piece)
                yield piece
        self.require_unchanged()
        known, self._digest = self._digest, digest.digest()
        if (self._size or done) != done or known not in (b"", self._digest):
            raise unreadable(self.name, CHANGED)

    def opened(self) -> BinaryIO:
        """Opens the file for reading at any place, or holds it in memory.

        The latter where it is part of an archive, which is unpacked from the beginning at each step
        back, and where a server hands out no parts of a file.
        """
        if self._size and len(self._places) == 1:
            file = self.tried(self._in_parts)
            if file is not None:
                return self.counted(file)
        self.done = 0
        return super().opened()

    def tried(self, work: Callable[[], _T]) -> _T:
        """Returns what a storage returns; whatever it raises is told without its own words."""
        return _tried(self.name, work)

    def require_unchanged(self) -> None:
        """Compares its size, and what else the storage says of its version, with the beginning."""
        if self._asked() != (self._versions, self._size):
            raise unreadable(self.name, CHANGED)

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
            found = [(key, str(told[key])) for key in sorted(told) if _plain(key) in _VERSIONS]
            versions += found
        return tuple(versions), size


class _FromBeginning:
    """A file in a storage that is read from its beginning to its end, in pieces of some size."""

    def __init__(self, storage: Any, path: str, size: int) -> None:
        self._storage, self._path = storage, path
        ahead = min(_PIECES_AHEAD * size, _AHEAD)
        self._file = storage.open(path, "rb", block_size=ahead, cache_type="readahead")
        self._is_stream = False

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
        self._file = self._storage.open(self._path, "rb", block_size=0)
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


def _opens() -> Callable[..., tuple[Any, str]]:
    with from_extra("cluster", "Tables at an address"):
        from fsspec.core import url_to_fs
    opens: Callable[..., tuple[Any, str]] = url_to_fs
    return opens


def _require_no_copies(link: str) -> None:
    """Refuses a link of an address that nothing opens, or that keeps copies of files on a disk.

    Raises:
        MissingPackagesError: What it needs is not installed.
        ParameterError: As above.
    """
    from fsspec.implementations.cached import CachingFileSystem
    from fsspec.registry import available_protocols, get_filesystem_class

    protocol, mark, _ = link.partition("://")
    if not mark and link not in available_protocols():
        # A path, such as that of an archive.
        return
    try:
        kind = get_filesystem_class(protocol)
    except ImportError as error:
        package = str(getattr(error.__cause__, "name", None) or error.name or "of it")
        refused: ParameterError = MissingPackagesError(
            f"Addresses that begin with {protocol}:// need the package {package.partition('.')[0]},"
            " which is not installed.",
            remedy=f"Install it with: pip install {package.partition('.')[0]}; workers of a cluster"
            " need it, too.",
        )
    except ValueError:
        refused = ParameterError(
            f"Nothing is known that opens addresses which begin with {protocol}://.",
            remedy="Use one that fsspec opens, such as s3://bucket/answers.parquet.",
        )
    else:
        if not issubclass(kind, CachingFileSystem):
            return
        refused = ParameterError(
            f"{protocol}:: keeps copies of what it reads, true answers, in files on the disk.",
            remedy="Leave it out of the address: nothing is read more often than it must be.",
        )
    raise refused


def _tried(name: str, work: Callable[[], _T]) -> _T:
    """Returns what a storage returns; whatever it raises is told without its own words."""
    try:
        return work()
    except (DpdeskError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - of any kind, by the storage
        reason = _reason(error)
    raise unreadable(name, reason)


def _reason(error: BaseException) -> str:
    """Why a storage refused, as the end of a sentence; it holds no word of the address."""
    causes = [error]
    while (cause := causes[-1].__cause__) is not None:
        causes.append(cause)
    for cause in reversed(causes):
        status = getattr(cause, "status", None)
        if isinstance(status, int):
            return _MISSING if status == HTTPStatus.NOT_FOUND else f"the server answered {status}"
        if isinstance(cause, FileNotFoundError):
            return _MISSING
        if isinstance(cause, PermissionError):
            return "access is denied"
        if isinstance(cause, OSError) and (cause.errno or 0) > 0:
            return os.strerror(cast(int, cause.errno)).lower()
    return f"the storage failed with an error of kind {type(error).__name__}"


def _name_of(link: str) -> str:
    """The name of a file in a link of an address; empty where there is none."""
    _, mark, path = link.partition("://")
    path = path if mark else re.sub("^[a-z]+$", "", link)
    *folders, last = re.sub("[?#].*", "", path).rstrip("/").split("/")
    last = unquote(last).rpartition("@")[2].rpartition("/")[2]
    # Alone it is that of a server, with a door or what is left of a password behind it.
    return without_unprintable(last if folders or not mark else last.partition(":")[0])


def _plain(key: Any) -> str:
    return re.sub("[^a-z0-9]", "", str(key).lower())
