"""What a storage lists of a folder at an address.

A list is written by somebody else. Nothing in it is read as an address: a member is opened by its
path, in the storage that listed it. A list that leads out of its folder, that has no end, or in
which two members have one name, is refused, so that nobody is read twice.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, unquote, unquote_to_bytes, urljoin, urlsplit

from dpdesk.data.place import shown_name
from dpdesk.data.remote_file import is_link, is_served, opened_in_one_go
from dpdesk.data.source import unreadable
from dpdesk.errors import InputError, without_unprintable

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

    Args:
        storage: The file system of fsspec.
        path: Path of the folder in it.
        name: Name of the folder, for messages.

    Raises:
        InputError: The list is too long, leads elsewhere, or names two members alike.
    """
    found: dict[str, Member] = {}
    listed = _linked(storage, path, name) if is_served(storage) else _stored(storage, path, name)
    for member in listed:
        if found.setdefault(member.name, member) != member:
            raise _doubled(name, member.name)
        if len(found) > MEMBERS_MOST:
            raise unreadable(name, f"it holds more than {MEMBERS_MOST:,} files")
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
            raise _elsewhere(name)
        own = _own_name(rest, name)
        if is_link(one):
            raise unreadable(name, f"{own} is a link within an archive")
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
            raise _doubled(name, first.name)
        yield ways.get(_PLAIN, first)


def _page(storage: Any, url: str, name: str) -> str:
    pieces: list[bytes] = []
    size = 0
    with closing(opened_in_one_go(storage, url)) as page:
        while piece := page.read(_READ):
            pieces.append(piece)
            size += len(piece)
            if size > PAGE_MOST:
                raise unreadable(name, f"its list is longer than {PAGE_MOST >> 20} MB")
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
        raise _elsewhere(folder)
    return steps[-1]


def _doubled(folder: str, member: str) -> InputError:
    return unreadable(folder, f"its list names {member} more than once")


def _elsewhere(folder: str) -> InputError:
    return unreadable(
        folder,
        "its list holds a name that leads elsewhere, such as one with .. or :: or signs that "
        "cannot be printed",
    )
