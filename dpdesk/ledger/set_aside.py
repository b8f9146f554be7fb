"""Setting a ledger aside: it is kept whole under another name, and a new one is begun."""

from __future__ import annotations

import datetime
import itertools
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from dpdesk.errors import LedgerError
from dpdesk.ledger.people import begin_after
from dpdesk.ledger.place import default_path, files_of
from dpdesk.ledger.store import transaction


def set_aside(path: Path | None = None) -> Path:
    """Moves a ledger with its key into a folder beside it and begins a new one.

    The first row of the new ledger names the folder. The new one knows of no earlier release.

    Args:
        path: The ledger's file; `default_path()` if not given.

    Returns:
        The folder that the ledger was moved to.

    Raises:
        LedgerError: There is no ledger, somebody uses it, or it cannot be moved.
    """
    place = (default_path() if path is None else path).absolute()
    standing = [file for file in files_of(place) if file.exists()]
    if not standing:
        raise LedgerError(f"There is no ledger {place.name} to set aside.")
    _wait_for_others(place)
    try:
        folder = _new_folder(place)
        for file in files_of(place):
            with suppress(FileNotFoundError):
                file.rename(folder / file.name)
    except OSError as error:
        raise LedgerError(
            f"The ledger {place.name} cannot be moved: {error.strerror}.",
            remedy="Give yourself the right to write to its folder.",
        ) from None
    with transaction(place, begin_after(folder.name)):
        return folder


def _new_folder(place: Path) -> Path:
    """Makes a folder beside a ledger, named after the moment."""
    now = datetime.datetime.now(datetime.UTC)
    name = f"{place.stem}-set-aside-{now:%Y-%m-%dT%H%M%S}Z"
    for number in itertools.count(1):
        folder = place.with_name(name if number == 1 else f"{name}-{number}")
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder
    raise AssertionError


def _wait_for_others(place: Path) -> None:
    """Refuses to move a ledger that somebody writes to at this moment."""
    if not place.exists():
        return
    try:
        with closing(sqlite3.connect(place, timeout=10.0, isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise LedgerError(
                f"Another program writes to the ledger {place.name} at this moment.",
                remedy="Wait for it, or end it, and try again.",
            ) from None
    except sqlite3.DatabaseError:
        # Damaged beyond reading: nobody can write to it.
        return
