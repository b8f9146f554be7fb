"""Where the ledger is, and the files that stand beside it."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "DPDESK_LEDGER"
"""Environment variable that names another file for the ledger."""

_NAME = "ledger.sqlite"
# What SQLite keeps beside a database in write-ahead mode.
_COMPANIONS = ("-wal", "-shm")


def default_path() -> Path:
    """Returns the file of the user's ledger: that of DPDESK_LEDGER, or one in the data folder."""
    chosen = os.environ.get(VARIABLE, "")
    if chosen:
        return Path(chosen).absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir("dpdesk", appauthor=False)) / _NAME


def key_path(ledger: Path) -> Path:
    """Returns the file of the secret key of a ledger."""
    return ledger.with_name(ledger.name + ".key")


def head_path(ledger: Path) -> Path:
    """Returns the file that says how far a ledger goes, so that a shorter one is noticed."""
    return ledger.with_name(ledger.name + ".head")


def files_of(ledger: Path) -> tuple[Path, ...]:
    """Returns every file that a ledger consists of, whether it is there or not."""
    companions = (ledger.with_name(ledger.name + suffix) for suffix in _COMPANIONS)
    return (ledger, *companions, key_path(ledger), head_path(ledger))
