"""Where a table of answers lies: a file, or a folder of files that are its parts.

A place knows its name for messages, what is in it, and how to open itself. Those of this computer
are here; what fsspec opens is in `address`.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from dpdesk.data.regular_file import (
    TABLE_MAX,
    FileRefusedError,
    is_folder,
    open_regular,
    refusal,
)
from dpdesk.data.source import OpenFile, Source, Tick, unreadable
from dpdesk.errors import without_unprintable

_LINK = r"[A-Za-z][A-Za-z0-9+.\-]+"
# Two letters at least: C:// is a drive of Windows.
_ADDRESS = re.compile(rf"(?:{_LINK}::)*({_LINK})://")
_OWN = ("file", "local")


class Place(ABC):
    """A file or a folder."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name, for messages and reports; it holds nothing secret."""

    @property
    @abstractmethod
    def files(self) -> tuple[Path, ...]:
        """The files of this computer that it stands for: one, or none of an address elsewhere."""

    @property
    @abstractmethod
    def is_folder(self) -> bool:
        """Whether it is a folder.

        Raises:
            InputError: Where it lies does not tell.
        """

    @abstractmethod
    def within(self) -> tuple[Place, ...]:
        """Returns what a folder holds, in any order; wherever this runs, it means the same.

        Raises:
            InputError: It cannot be listed.
        """

    @abstractmethod
    def opened(self, tick: Tick) -> AbstractContextManager[Source]:
        """Opens a file for as long as it is read.

        Args:
            tick: Called between pieces; may raise to cancel.

        Raises:
            InputError: It cannot be opened.
        """


class LocalPlace(Place):
    """A file or a folder of this computer."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    @cached_property
    def name(self) -> str:
        return (self._path.resolve() if self.is_folder else self._path).name

    @property
    def files(self) -> tuple[Path, ...]:
        return (self._path,)

    @property
    def is_folder(self) -> bool:
        return is_folder(self._path)

    def within(self) -> tuple[Place, ...]:
        try:
            return tuple(map(LocalPlace, self._path.absolute().iterdir()))
        except OSError as error:
            reason = refusal(error)
        raise unreadable(self.name, reason)

    @contextmanager
    def opened(self, tick: Tick) -> Iterator[Source]:
        try:
            file = open_regular(self._path, TABLE_MAX)
        except FileRefusedError as refused:
            reason = refused.reason
        else:
            with file:
                yield OpenFile(file, self._path.name, tick)
            return
        raise unreadable(self._path.name, reason)


def address_in(text: str) -> str:
    """Returns an address from its beginning in a text to the end; empty where there is none."""
    found = _ADDRESS.search(text)
    return "" if found is None else text[found.start() :]


def path_named(text: str) -> Path | None:
    """Returns the path that a text names, also as `file:///answers.csv`; None for an address."""
    found = _ADDRESS.match(text)
    if found is None:
        return Path(text)
    if found.start(1) or found[1].lower() not in _OWN:
        return None
    path = text[found.end() :]
    if found[1].lower() == _OWN[0]:
        path = re.sub("^localhost(?=/)", "", path, flags=re.IGNORECASE)
    # The drive of Windows stands behind a third slash.
    return Path(re.sub(r"^/(?=[A-Za-z]:)", "", path))


def shown_name(text: str) -> str:
    """Returns a name without what may be secret behind it, such as `?token=…`, however written."""
    while (plain := unquote(text)) != text:
        text = plain
    return without_unprintable(re.split("[?#;]", text, maxsplit=1)[0])
