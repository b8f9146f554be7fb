"""Paths of the ledger and of the files beside it."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
from pathlib import Path

from dpdesk.data.regular_file import is_endless
from dpdesk.errors import ParameterError
from dpdesk.ledgers.texts import T

VARIABLE = "DPDESK_LEDGER"
"""Environment variable that names another file for the ledger."""

LEDGER_NAME = "ledger.sqlite"
"""The file of a ledger in its folder."""
_CHOICE = "ledger-folder"
"""File in the data folder that names the folder of the ledger, if another one was chosen."""
# Files of SQLite beside a database in write-ahead mode.
_COMPANIONS = ("-wal", "-shm")

_LONGEST_ENDING = ".abcdefgh.dpdesk-part"
"""Longest suffix of a file beside the ledger."""


def default_path() -> Path:
    """Returns the file of the user's ledger: that of DPDESK_LEDGER, or one in the chosen folder.

    Raises:
        ParameterError: DPDESK_LEDGER is empty or names a folder, or the chosen folder is gone.
    """
    named = os.environ.get(VARIABLE)
    if named is not None:
        return place_named(named, VARIABLE)
    folder = chosen_folder()
    if folder is None:
        return data_folder() / LEDGER_NAME
    if not folder.is_dir():
        # A new ledger in its place would know nothing of what was released.
        raise ParameterError(T.FOLDER_GONE(folder=str(folder)))
    return folder / LEDGER_NAME


def data_folder() -> Path:
    """Returns the user's folder for data of dpdesk, where the ledger is unless one is chosen."""
    import platformdirs

    return Path(platformdirs.user_data_dir("dpdesk", appauthor=False))


def chosen_folder() -> Path | None:
    """Returns the folder that was chosen for the ledger; None for the data folder.

    Window and commands read the same choice: otherwise each would count releases of its own.

    Raises:
        ParameterError: The choice cannot be read.
    """
    try:
        written = (data_folder() / _CHOICE).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        raise ParameterError(T.CHOICE_UNREADABLE(file=str(data_folder() / _CHOICE))) from None
    return Path(os.fsdecode(written)) if written else None


def choose_folder(folder: Path | None) -> None:
    """Has the ledger of another folder used from now on; no ledger is moved, copied or deleted.

    Args:
        folder: The folder; None for the data folder.

    Raises:
        ParameterError: It is not a folder that can be written to, or the choice cannot be kept.
    """
    kept = data_folder() / _CHOICE
    if folder is not None and not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        raise ParameterError(T.FOLDER_REFUSED(folder=str(folder)))
    try:
        if folder is None or folder.resolve() == data_folder().resolve():
            kept.unlink(missing_ok=True)
            return
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_name(f"{_CHOICE}.dpdesk-part")
        part.write_bytes(os.fsencode(folder.resolve()))
        part.replace(kept)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise ParameterError(T.CHOICE_REFUSED(folder=str(kept.parent), reason=reason)) from None


def place_named(text: str, where: str) -> Path:
    """Returns the file of a ledger from the user's text.

    Args:
        text: The text.
        where: Where it was typed, for the message.

    Raises:
        ParameterError: It is empty, or names a folder, a pipe or a device.
    """
    if not text.strip():
        raise ParameterError(T.NO_FILE(option=where))
    path = Path(text).absolute()
    try:
        os.lstat(path.with_name(f"{path.name}{_LONGEST_ENDING}"))
    except (OSError, ValueError) as error:
        if not isinstance(error, OSError) or error.errno == errno.ENAMETOOLONG:
            raise ParameterError(T.BAD_FILE(option=where, example=LEDGER_NAME)) from None
    if path.is_dir():
        folder = path.name or str(path)
        raise ParameterError(T.IS_FOLDER(option=where, folder=folder, example=LEDGER_NAME))
    if is_endless(path):
        # Reading it could wait forever.
        raise ParameterError(T.NO_REGULAR_FILE(option=where, example=LEDGER_NAME))
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
