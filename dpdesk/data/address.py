"""Tables at an address, which fsspec opens: `https://…`, `s3://…`, `zip://answers.csv::https://…`.

True answers are held as those of a file of this computer are: their codes in memory, and in a file
without a name where memory does not hold them; the workers of a cluster read them, too. What keeps
copies of files on a disk, as `simplecache::` does, is refused. An address can hold a password or a
token: its text appears in no message, nor do the words of the library, which quote it.

The list of a folder is written by somebody else: a member is opened by its path, in the storage
that listed it. A list that leads out of its folder, that has no end, or in which two members have
one name, is refused, so that nobody is read twice.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, unquote_to_bytes, urljoin, urlsplit

from dpdesk.data.place import LocalPlace, Place, path_named, shown_name
from dpdesk.data.remote_file import RemoteFile, is_link, is_served, opened_in_one_go, tried
from dpdesk.data.source import Source, Tick, unreadable
from dpdesk.data.texts import T
from dpdesk.errors import (
    MissingPackagesError,
    ParameterError,
    from_extra,
    without_unprintable,
)

PAGE_MOST = 16 << 20
"""Most bytes of a web page that lists files."""

MEMBERS_MOST = 100_000
"""Most files that a folder may hold."""

_READ = 1 << 16
_PLAIN = (b"", "")
_PORTS = {"http": 80, "https": 443}

# Without the signs < and > in between, each byte of a page is looked at a few times at most.
_LINK = re.compile(
    r"""<a\s[^<>]*?\bhref\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.IGNORECASE
)


@dataclass(frozen=True)
class Member:
    """What a folder at an address holds.

    Attributes:
        name: Its name, for messages; it holds nothing secret.
        path: Its path in the storage that listed it.
        is_folder: Whether it is a folder, or lies in a folder of this folder.
    """

    name: str
    path: str
    is_folder: bool


def members(storage: Any, path: str, name: str) -> tuple[Member, ...]:
    """Returns what a folder holds, in any order.

    Raises:
        InputError: The list is too long, leads elsewhere, or names two members alike.
    """
    found: dict[str, Member] = {}
    listed = _linked(storage, path, name) if is_served(storage) else _stored(storage, path, name)
    for member in listed:
        if found.setdefault(member.name, member) != member:
            raise unreadable(name, T.LISTED_TWICE(name=member.name))
        if len(found) > MEMBERS_MOST:
            raise unreadable(name, T.TOO_MANY_FILES(most=MEMBERS_MOST))
    return tuple(found.values())


def _stored(storage: Any, path: str, name: str) -> Iterator[Member]:
    """Yields what a storage lists, without the folder itself."""
    storage.invalidate_cache()
    inside = f"{path.strip('/')}/".lstrip("/")
    has_no_root = not path.startswith("/") and not storage.root_marker
    for one in storage.ls(path, detail=True):
        whole = str(one["name"])
        # Some storages list the folder itself.
        if whole and f"{whole.strip('/')}/".lstrip("/") == inside:
            continue
        rest = whole.strip("/").removeprefix(inside)
        if not whole.strip("/").startswith(inside) or (has_no_root and whole.startswith("/")):
            raise unreadable(name, T.LEADS_ELSEWHERE())
        own = _own_name(rest, name)
        if is_link(one):
            raise unreadable(name, T.LINK_IN_ARCHIVE(file=own))
        yield Member(own, whole, one["type"] == "directory" or "/" in rest)


def _linked(storage: Any, url: str, name: str) -> Iterator[Member]:
    """Yields what the page of a server links to in its folder.

    Links to elsewhere are those of every page: to the folder above, to ways to sort. Of a file with
    several links, such as `a.csv`, `%61.csv` and `a.csv?download=1`, the plain one is taken.
    """
    folder = urlsplit(url)
    folder = folder._replace(path=f"{folder.path.rstrip('/')}/", fragment="")
    found: dict[bytes, dict[tuple[bytes, str], Member]] = {}
    for link in _links(_page(storage, url, name)):
        try:
            one = urlsplit(urljoin(folder.geturl(), link))
            is_here = _host(one) == _host(folder)
        except ValueError:
            continue
        path, inside = unquote(one.path), unquote(folder.path)
        rest = path.removeprefix(inside).rstrip("/")
        if not is_here or not path.startswith(inside) or not rest:
            continue
        own = _own_name(rest, name)
        # What the address of the folder needs, such as a token, its files need, too.
        query = "&".join(dict.fromkeys(filter(None, (folder.query, one.query))))
        whole = folder._replace(path=one.path, query=query).geturl()
        member = Member(shown_name(own), whole, one.path.endswith("/") or "/" in rest)
        # Bytes, since those of two names may both be no text.
        plain, *further = re.split(b"(?=[?#;])", unquote_to_bytes(one.path.rstrip("/")), maxsplit=1)
        way = (b"".join(further), one.query)
        found.setdefault(plain, {}).setdefault(way, member)
        if len(found) > MEMBERS_MOST:
            break
    for ways in found.values():
        first = next(iter(ways.values()))
        if len(ways) > 1 and _PLAIN not in ways:
            raise unreadable(name, T.LISTED_TWICE(name=first.name))
        yield ways.get(_PLAIN, first)


def _page(storage: Any, url: str, name: str) -> str:
    pieces: list[bytes] = []
    size = 0
    with closing(opened_in_one_go(storage, url)) as page:
        while piece := page.read(_READ):
            pieces.append(piece)
            size += len(piece)
            if size > PAGE_MOST:
                raise unreadable(name, T.LONG_LIST(size=PAGE_MOST >> 20))
    return b"".join(pieces).decode(errors="replace")


def _links(page: str) -> Iterable[str]:
    return (
        html.unescape(next(filter(None, found.groups()), "")).strip()
        for found in _LINK.finditer(page)
    )


def _host(url: SplitResult) -> tuple[str | None, int | None]:
    """The computer and its door; that of the scheme is None, since both schemes have their own."""
    usual = _PORTS.get(url.scheme)
    if usual is None:
        raise ValueError("Not an address of a server.")
    return url.hostname, None if url.port == usual else url.port


def _own_name(path: str, folder: str) -> str:
    """Returns the last part of a path within a folder.

    Raises:
        InputError: The path leads elsewhere, or could be taken for another address.
    """
    steps = path.split("/")
    is_plain = without_unprintable(path) == path and "::" not in path and "://" not in path
    if not is_plain or not {"", ".", ".."}.isdisjoint(steps):
        raise unreadable(folder, T.LEADS_ELSEWHERE())
    return steps[-1]


_CONNECTED_WITHIN, _ANSWERED_WITHIN = 30, 60
"""Seconds until a server takes a connection, and until it sends the next bytes. A file that is read
in one go may take hours."""

_SERVED = ("http", "https")


class Address(Place):
    """What an address names.

    Args:
        url: The address, as fsspec reads it.
        member: What the folder at the address lists, if it is meant: it is opened by its path.
    """

    def __init__(self, url: str, member: Member | None = None) -> None:
        self._url, self._member = _as_opened(url), member

    def __repr__(self) -> str:
        return f"Address({self.name!r})"

    @property
    def name(self) -> str:
        if self._member is not None:
            return self._member.name
        return next(filter(None, map(_name_of, self._url.split("::"))), "the address")

    @property
    def files(self) -> tuple[Path, ...]:
        _, *others = self._url.split("::")
        path = path_named(others[-1]) if others else None
        return () if path is None else (path,)

    @cached_property
    def is_folder(self) -> bool:
        if self._member is not None:
            return self._member.is_folder
        storage, path = self._storage()
        if is_served(storage):
            return urlsplit(path).path.endswith("/")
        if self._url.partition("::")[0].endswith("/"):
            return True
        return bool(tried(self.name, lambda: storage.info(path)["type"] == "directory"))

    def within(self) -> tuple[Place, ...]:
        storage, path = self._storage()
        found = tried(self.name, lambda: members(storage, path, self.name))
        return tuple(Address(self._url, one) for one in found)

    @contextmanager
    def opened(self, tick: Tick) -> Iterator[Source]:
        places = [self._storage()]
        last = self._url.rpartition("::")[2]
        if last != self._url:
            # An archive changes where it lies.
            places.append(tried(self.name, lambda: _opened(last)))
        with closing(RemoteFile(places, self.name, tick)) as file:
            file.require_no_page()
            yield file

    def _storage(self) -> tuple[Any, str]:
        """Returns the file system of fsspec, and the path in it.

        Raises:
            MissingPackagesError: fsspec, or what it needs for this address, is not installed.
            ParameterError: There is no such storage, or what it reads is not what is named.
            InputError: The storage cannot be reached.
        """
        with from_extra("cluster", "Tables at an address"):
            import fsspec.core  # noqa: F401 - tells what is missing
        if re.search(r"https?://[^/\]]*\[[^\]]*$", self._url):
            raise ParameterError(T.OPEN_BRACKET())
        *links, last = self._url.split("::")
        for link in links:
            _require_plain(link)
        _require_plain(last, is_last=True)
        storage, path = tried(self.name, lambda: _opened(self._url))
        return storage, path if self._member is None else self._member.path


def table_place(path: str | os.PathLike[str] | Place) -> Place:
    """Returns the place that a path or an address names."""
    if isinstance(path, Place):
        return path
    own = path_named(path) if isinstance(path, str) else Path(path)
    return Address(str(path)) if own is None else LocalPlace(own)


def _as_opened(url: str) -> str:
    """Returns an address as fsspec reads it: of its kinds in small letters, of numbers in full."""
    url = re.sub(
        r"(?:^|(?<=::))[A-Za-z][A-Za-z0-9+.\-]+(?=://|::)", lambda kind: kind[0].lower(), url
    )
    url = re.sub("(?i)(?<=::file://)localhost(?=/)", "", url)
    # Its :: would part the address.
    return re.sub(r"(?<=[/@]\[)[0-9A-Fa-f:.]*::[0-9A-Fa-f:.]*(?=\])", _in_full, url)


def _in_full(number: re.Match[str]) -> str:
    try:
        return IPv6Address(number[0]).exploded
    except ValueError:
        return number[0]


def _opened(url: str) -> tuple[Any, str]:
    """Returns the file system of fsspec for an address, and the path in it."""
    from fsspec.config import conf
    from fsspec.core import url_to_fs

    options = {}
    kinds = {link.partition("://")[0] for link in url.split("::")}
    for kind in kinds.intersection(_SERVED):
        from aiohttp import ClientTimeout

        # Else an answer ends after five minutes, however much of it has come.
        patient = ClientTimeout(
            total=None, sock_connect=_CONNECTED_WITHIN, sock_read=_ANSWERED_WITHIN
        )
        own = [conf.get(one, {}).get("client_kwargs", {}) for one in _SERVED]
        options[kind] = {"client_kwargs": {"timeout": patient, **own[0], **own[1]}}
    found: tuple[Any, str] = url_to_fs(url, **options)
    return found


def _require_plain(link: str, *, is_last: bool = False) -> None:
    """Refuses a link of an address that nothing opens, or that reads other than what it names.

    Raises:
        MissingPackagesError: What it needs is not installed.
        ParameterError: It is not known, keeps copies of files on a disk, reads what a file names,
            is an archive that lies nowhere, or no archive and stands before another link: file::
            would list the folder in which the program runs.
    """
    from fsspec.archive import AbstractArchiveFileSystem
    from fsspec.implementations.cached import CachingFileSystem
    from fsspec.registry import available_protocols, get_filesystem_class

    protocol, mark, _ = link.partition("://")
    if not mark and link not in available_protocols():
        # A path, such as that of an archive.
        return
    try:
        kind = get_filesystem_class(protocol)
    except ImportError as error:
        package = str(getattr(error.__cause__, "name", None) or error.name or protocol).partition(
            "."
        )[0]
        refused: ParameterError = MissingPackagesError(
            T.PACKAGE_FOR_ADDRESS(kind=protocol, package=package)
        )
    except ValueError:
        refused = ParameterError(T.UNKNOWN_ADDRESS(kind=protocol))
    else:
        if issubclass(kind, CachingFileSystem):
            refused = ParameterError(T.KEEPS_COPIES(kind=protocol))
        elif "reference" in kind.protocol:
            refused = ParameterError(T.NAMES_FILES(kind=protocol))
        elif not is_last and not issubclass(kind, AbstractArchiveFileSystem):
            refused = ParameterError(T.NO_ARCHIVE(kind=protocol))
        elif is_last and issubclass(kind, AbstractArchiveFileSystem):
            refused = ParameterError(T.ARCHIVE_NOWHERE(kind=protocol))
        else:
            return
    raise refused


def _name_of(link: str) -> str:
    """The name of a file in a link of an address; empty where there is none."""
    _, mark, path = link.partition("://")
    path = path if mark else re.sub("^[a-z]+$", "", link)
    # A password may hold any sign, once it is unquoted.
    path = re.sub("^[^/?#]*@", "", path)
    while (plain := unquote(path)) != path:
        path = plain
    *folders, last = re.split("[?#;]", path, maxsplit=1)[0].rstrip("/").split("/")
    last = last.rpartition("@")[2]
    # Alone it is that of a server, with a door or what is left of a password behind it.
    host = re.match(r"\[[^]]*\]|[^:]*", last)
    return without_unprintable(last if folders or not mark or host is None else host[0])
