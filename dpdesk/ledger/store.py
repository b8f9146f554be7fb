"""The file of the ledger: transactions over verified, chained rows.

A connection lives as long as one transaction. So a window that is open for days holds nothing,
and a ledger that was set aside meanwhile is not written to.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpdesk.errors import LedgerError
from dpdesk.ledger.chain import START, BrokenChainError, Row, canonical, sealed, verify
from dpdesk.ledger.key import SET_ASIDE, LedgerKey, make_key, read_key
from dpdesk.ledger.place import head_path, key_path
from dpdesk.ledger.schema import APPLICATION_ID, VERSION, migrate, version_of
from dpdesk.ledger.small_files import write_durably

_PATIENCE = 60.0
"""Seconds to wait for other processes; a charge takes some hundredths of one."""


@dataclass
class Store:
    """A ledger within one transaction.

    Attributes:
        key: The ledger's key.
        rows: Every row, verified; those that this transaction appends are added.
    """

    key: LedgerKey
    rows: list[Row]
    _connection: sqlite3.Connection = field(repr=False)

    def append(self, kind: str, content: dict[str, Any], attachment: bytes = b"") -> None:
        """Appends a row; what hangs on it is stored once under its SHA-256."""
        name = hashlib.sha256(attachment).digest() if attachment else b""
        if attachment:
            self._connection.execute(
                "INSERT INTO attachments SELECT ?, ? "
                "WHERE NOT EXISTS (SELECT 1 FROM attachments WHERE digest = ?)",
                (name, attachment, name),
            )
        before = self.rows[-1].digest if self.rows else START
        row = sealed(len(self.rows) + 1, kind, canonical(content), name, before, self.key)
        self._connection.execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
            (row.number, row.kind, row.content, name or None, row.digest, row.mac),
        )
        self.rows.append(row)

    def attachment(self, name: bytes) -> bytes:
        """Returns what hangs on a row.

        Raises:
            LedgerError: It is not what was written.
        """
        found = self._connection.execute(
            "SELECT content FROM attachments WHERE digest = ?", (name,)
        ).fetchone()
        if found is None or hashlib.sha256(found[0]).digest() != name:
            raise damaged("What hangs on one of its rows is not what was written.")
        content: bytes = found[0]
        return content


def damaged(what: str) -> LedgerError:
    """Returns the error of a ledger that cannot be trusted."""
    return LedgerError(
        f"The ledger is damaged, so that nothing can be released. {what}", remedy=SET_ASIDE
    )


@contextmanager
def transaction(path: Path, begin: Callable[[Store], None]) -> Iterator[Store]:
    """Opens the ledger, verifies all of it, and commits what was appended, durably.

    Nobody else can write meanwhile: what is read here is what the rows are appended to. An error
    within takes everything back.

    Args:
        path: The ledger; made if there is none.
        begin: Appends the first row of a new ledger.

    Raises:
        LedgerError: The ledger cannot be read, written or trusted.
    """
    try:
        _make_file(path)
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise _failure(path, error) from None
    try:
        with _failures(path):
            _prepare(connection)
            connection.execute("BEGIN IMMEDIATE")
            store = _verified(connection, path, begin)
            known = len(store.rows)
        yield store
        with _failures(path):
            connection.execute("COMMIT")
            if len(store.rows) > known or not head_path(path).exists():
                _write_head(path, store)
    finally:
        # An open transaction ends here without effect.
        with suppress(sqlite3.Error):
            connection.close()


def _make_file(path: Path) -> None:
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        if head_path(path).exists():
            raise damaged(f"The file {path.name} is gone.")
        # Made here for its mode; SQLite gives its companions the same one.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def _prepare(connection: sqlite3.Connection) -> None:
    # A file that others are opening as well may be busy for a moment; SQLite does not wait here.
    for _ in range(1_000):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                raise
            connection.execute("PRAGMA busy_timeout").fetchone()
            _pause()
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _pause() -> None:
    import time

    time.sleep(0.01)


def _verified(connection: sqlite3.Connection, path: Path, begin: Callable[[Store], None]) -> Store:
    application, version = version_of(connection)
    if (application, version) == (0, 0):
        return _begun(connection, path, begin)
    if application != APPLICATION_ID:
        raise LedgerError(
            f"{path.name} is a database of another program.", remedy="Name another file."
        )
    if version > VERSION:
        raise LedgerError(
            f"The ledger {path.name} was written by a newer dpdesk (version {version}).",
            remedy="Use that version; nothing was changed.",
        )
    key = read_key(path)
    migrate(connection, version)
    rows = [
        Row(number, kind, content, attachment or b"", digest, mac)
        for number, kind, content, attachment, digest, mac in connection.execute(
            "SELECT number, kind, content, attachment, digest, mac FROM entries ORDER BY number"
        )
    ]
    try:
        verify(rows, key)
    except BrokenChainError as broken:
        raise damaged(
            f"Row {broken.place} of {path.name} is not what was written, or one is missing there."
        ) from None
    _check_head(path, rows, key)
    return Store(key, rows, connection)


def _begun(connection: sqlite3.Connection, path: Path, begin: Callable[[Store], None]) -> Store:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables:
        raise LedgerError(
            f"{path.name} is a database of another program.", remedy="Name another file."
        )
    if head_path(path).exists():
        raise damaged(f"The file {path.name} is empty.")
    # A key without rows is what a crash at the very beginning leaves; nothing was made with it.
    key = read_key(path) if key_path(path).exists() else make_key(path)
    migrate(connection, 0)
    store = Store(key, [], connection)
    begin(store)
    return store


def _write_head(path: Path, store: Store) -> None:
    last = store.rows[-1]
    head = {"rows": last.number, "digest": last.digest.hex()}
    write_durably(head_path(path), json.dumps(head).encode())


def _check_head(path: Path, rows: list[Row], key: LedgerKey) -> None:
    """Refuses a ledger that is shorter than it once was, as after an old copy was put back.

    The head is written after a row is committed. So it may be behind, by rows that were written
    before a crash or by others at this moment; it is never ahead.
    """
    head = head_path(path)
    if not head.exists():
        if len(rows) > 1:
            raise damaged(f"The file {head.name}, which says how far it goes, is missing.")
        return
    try:
        content = json.loads(head.read_bytes())
        number, digest = int(content["rows"]), bytes.fromhex(content["digest"])
    except (ValueError, KeyError, TypeError):
        raise damaged(f"The file {head.name} is not what was written.") from None
    if number > len(rows):
        raise damaged(f"It had {number:,} rows and has {len(rows):,}: the end is missing.")
    if number < 1 or rows[number - 1].digest != digest:
        raise damaged(f"It is not the ledger that {head.name} belongs to.")


@contextmanager
def _failures(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise _failure(path, error) from None


def _failure(path: Path, error: OSError | sqlite3.Error) -> LedgerError:
    if isinstance(error, OSError):
        return LedgerError(
            f"The ledger {path.name} cannot be written: {error.strerror}. Nothing was drawn.",
            remedy="Free space, or give yourself the right to write there.",
        )
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return LedgerError(
            f"Another program holds the ledger {path.name}. Nothing was drawn.",
            remedy="Wait for it, or end it, and try again.",
        )
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}:
        return damaged(f"The file {path.name} cannot be read as a database.")
    reason = getattr(error, "sqlite_errorname", "an error of the database")
    return LedgerError(
        f"The ledger {path.name} cannot be read or written ({reason}). Nothing was drawn.",
        remedy="Free space, or give yourself the right to write there.",
    )
