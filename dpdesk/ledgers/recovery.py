"""Recovery of a ledger that cannot be trusted: set it aside, or continue an older copy."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from dpdesk.errors import DamagedLedgerError, LedgerError
from dpdesk.ledgers.chain import Row
from dpdesk.ledgers.head import missing_rows
from dpdesk.ledgers.people import begin_after, now
from dpdesk.ledgers.place import files_of, ledger_path, witness_path
from dpdesk.ledgers.store import shows_a_ledger, transaction
from dpdesk.ledgers.texts import T


def set_aside(path: Path | None = None) -> Path:
    """Moves a damaged ledger with its key into a folder beside it and begins a new one.

    The first row of the new ledger names the folder. The new ledger has no earlier release, so
    only a damaged ledger can be set aside, and no other file.

    Args:
        path: The ledger's file; `default_path()` if None.

    Returns:
        The folder that the ledger was moved to.

    Raises:
        ParameterError: The path is a folder.
        LedgerError: There is no ledger, it is intact, the file cannot be recognised as one, is in
            use, or cannot be moved.
    """
    place = ledger_path(path)
    if not any(file.exists() for file in (*files_of(place), witness_path(place))):
        raise LedgerError(T.NONE_TO_SET_ASIDE(file=place.name))
    if not shows_a_ledger(place):
        raise LedgerError(T.NOT_A_LEDGER(file=place.name))
    _refuse_whole(place)
    try:
        folder = _new_folder(place)
        for file in files_of(place):
            with suppress(FileNotFoundError):
                file.rename(folder / file.name)
        witness = witness_path(place)
        with suppress(FileNotFoundError):
            (folder / f"{place.name}.witness").write_bytes(witness.read_bytes())
            witness.unlink()
    except OSError as error:
        raise LedgerError(T.NOT_MOVED(file=place.name, reason=str(error.strerror))) from None
    with transaction(place, begin_after(folder.name)):
        return folder


def accept_older(path: Path | None = None) -> int:
    """Continues an older copy of a ledger that was restored; the ledger records the gap.

    Args:
        path: The ledger's file; `default_path()` if None.

    Returns:
        Number of rows missing at its end.

    Raises:
        ParameterError: The path is a folder.
        LedgerError: There is no ledger, nothing is missing, or it is damaged in another way.
    """
    place = ledger_path(path)
    if not place.exists():
        raise LedgerError(T.NONE_TO_CONTINUE(file=place.name))
    missing = 0

    def measure(ledger: Path, rows: Sequence[Row]) -> None:
        nonlocal missing
        missing = missing_rows(ledger, rows)

    with transaction(place, begin_after(""), measure) as store:
        if not missing:
            raise LedgerError(T.NOTHING_MISSING(file=place.name))
        store.append("gap", {"missing": missing, "time": now()})
    return missing


def _refuse_whole(place: Path) -> None:
    """Refuses to set aside a ledger that is intact, in use, or of another program or version."""
    try:
        # Reading verifies the whole ledger.
        with transaction(place, begin_after("")) as store:
            count = sum(row.kind == "charge" for row in store.rows)
    except DamagedLedgerError:
        return
    raise LedgerError(T.INTACT(file=place.name, count=count))


def _new_folder(place: Path) -> Path:
    """Makes a folder beside a ledger, named after the current time."""
    now = datetime.datetime.now(datetime.UTC)
    name = f"{place.stem}-set-aside-{now:%Y-%m-%dT%H%M%S}Z"
    for number in itertools.count(1):
        folder = place.with_name(name if number == 1 else f"{name}-{number}")
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder
    raise AssertionError
