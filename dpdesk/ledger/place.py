"""Paths of the ledger and of the files beside it."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
from pathlib import Path

from dpdesk.data.regular_file import is_endless
from dpdesk.errors import ParameterError

VARIABLE = "DPDESK_LEDGER"
"""Environment variable that names another file for the ledger."""

_NAME = "ledger.sqlite"
# Files of SQLite beside a database in write-ahead mode.
_COMPANIONS = ("-wal", "-shm")

_LONGEST_ENDING = ".abcdefgh.dpdesk-part"
"""Longest suffix of a file beside the ledger."""


def default_path() -> Path:
    """Returns the file of the user's ledger: that of DPDESK_LEDGER, or one in the data folder.

    Raises:
        ParameterError: DPDESK_LEDGER is empty or names a folder.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return place_named(chosen, VARIABLE)
    import platformdirs

    return Path(platformdirs.user_data_dir("dpdesk", appauthor=False)) / _NAME


def place_named(text: str, where: str) -> Path:
    """Returns the file of a ledger from the user's text.

    Args:
        text: The text.
        where: Where it was typed, for the message.

    Raises:
        ParameterError: It is empty, or names a folder, a pipe or a device.
    """
    if not text.strip():
        raise ParameterError(
            f"{where} names no file.", remedy="Name the ledger's file, or leave it out."
        )
    path = Path(text).absolute()
    try:
        os.lstat(path.with_name(f"{path.name}{_LONGEST_ENDING}"))
    except (OSError, ValueError) as error:
        if not isinstance(error, OSError) or error.errno == errno.ENAMETOOLONG:
            raise ParameterError(
                f"{where} is too long or not valid.", remedy=f"Name a file, such as {_NAME}."
            ) from None
    if path.is_dir():
        raise ParameterError(
            f"{where} names a folder, {path.name or path}, and not the file of a ledger.",
            remedy=f"Name a file in it, such as {_NAME}.",
        )
    if is_endless(path):
        # Reading it could wait forever.
        raise ParameterError(
            f"{where} names something that is not a file.", remedy=f"Name a file, such as {_NAME}."
        )
    return path


def ledger_path(path: Path | None) -> Path:
    """Returns the file of a ledger; the user's own if the path is None.

    Raises:
        ParameterError: The path is a folder.
    """
    return default_path() if path is None else place_named(str(path), "The ledger's path")


def key_path(ledger: Path) -> Path:
    """Returns the file of the secret key of a ledger."""
    return ledger.with_name(ledger.name + ".key")


def head_path(ledger: Path) -> Path:
    """Returns the file of a ledger's head, by which a shorter ledger is noticed."""
    return ledger.with_name(ledger.name + ".head")


def witness_path(ledger: Path) -> Path:
    """Returns the file of a ledger's witness, in another folder of the user.

    Restoring an earlier state of the ledger's folder leaves it unchanged.
    """
    place = os.path.realpath(ledger).encode("utf-8", "surrogateescape")
    name = hashlib.sha256(place).hexdigest()[:32]
    return _state_folder() / "ledgers" / f"{name}.json"


def _state_folder() -> Path:
    """Returns the user's folder for state, which is not the one for data."""
    import platformdirs

    system = platform.system()
    if system == "Windows":
        return Path(platformdirs.user_data_dir("dpdesk", appauthor=False, roaming=True))
    if system == "Darwin":
        return Path(platformdirs.user_log_dir("dpdesk", appauthor=False))
    return Path(platformdirs.user_state_dir("dpdesk", appauthor=False))


def files_of(ledger: Path) -> tuple[Path, ...]:
    """Returns every file that a ledger can consist of, whether it exists or not."""
    companions = (ledger.with_name(ledger.name + suffix) for suffix in _COMPANIONS)
    return (ledger, *companions, key_path(ledger), head_path(ledger))
