"""The file of the ledger: transactions over verified, chained rows.

A connection lives as long as one transaction. So a window that is open for days holds no lock,
and never writes to a ledger that was set aside meanwhile.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpdesk.data.regular_file import DATA_MAX, FileRefusedError, open_regular
from dpdesk.errors import LedgerError
from dpdesk.ledgers.chain import (
    START,
    BrokenChainError,
    LedgerKey,
    Row,
    canonical,
    damaged,
    make_key,
    read_key,
    sealed,
    verify,
)
from dpdesk.ledgers.head import are_written, check_heads, was_begun, write_heads
from dpdesk.ledgers.place import head_path, key_path, witness_path
from dpdesk.ledgers.texts import T

APPLICATION_ID = 0x44504C31
"""Marks the file as a ledger of dpdesk."""

_APPEND_ONLY = """
CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'the ledger is append only'); END;
CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'the ledger is append only'); END;
"""

_FIRST = """
CREATE TABLE attachments (
    digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
    content BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE entries (
    number INTEGER PRIMARY KEY NOT NULL CHECK (number > 0),
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    attachment BLOB REFERENCES attachments (digest),
    digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
    mac BLOB NOT NULL CHECK (length(mac) = 32)
);
""" + "".join(_APPEND_ONLY.format(table=table) for table in ("attachments", "entries"))

_STEPS = (_FIRST,)
"""The scripts that migrate each version to the next."""

VERSION = len(_STEPS)
"""Version of the tables, as `PRAGMA user_version` holds it."""


def version_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Returns the application id and the version of a file; zeros for an empty one."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    return int(application), int(version)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Migrates a file from a version to the current one, within the open transaction."""
    for step in _STEPS[version:]:
        for statement in _statements(step):
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _statements(script: str) -> list[str]:
    # `executescript` would commit the transaction; a trigger holds a semicolon of its own.
    found, open_part = [], ""
    for piece in script.split(";"):
        open_part += piece + ";"
        if sqlite3.complete_statement(open_part):
            found.append(open_part)
            open_part = ""
    return [statement for statement in found if statement.strip(" \n;")]


_ROWS = "SELECT number, kind, content, attachment, digest, mac FROM entries ORDER BY number"

_PATIENCE = 60.0
"""Seconds to wait for other processes; a charge takes some hundredths of a second."""


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
        """Appends a row; its attachment is stored once under its SHA-256."""
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
        """Returns the attachment of a row.

        Raises:
            LedgerError: It was changed.
        """
        row = self._connection.execute(
            "SELECT content FROM attachments WHERE digest = ?", (name,)
        ).fetchone()
        if row is None or hashlib.sha256(row[0]).digest() != name:
            raise damaged(T.CONTENT_CHANGED())
        content: bytes = row[0]
        return content


@contextmanager
def transaction(
    path: Path,
    begin: Callable[[Store], None],
    check: Callable[[Path, Sequence[Row]], None] = check_heads,
) -> Iterator[Store]:
    """Opens the ledger, verifies all of it, and commits the appended rows, durably.

    No other process can write meanwhile: rows are appended to exactly what was read. An error
    within rolls everything back.

    Args:
        path: The ledger; created if it does not exist.
        begin: Appends the first row of a new ledger.
        check: Refuses rows whose end is missing.

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
            # Before anything in the file changes, even its journal mode; one transaction for both.
            connection.execute("BEGIN")
            _refuse_foreign(connection, path)
            connection.execute("COMMIT")
            _prepare(connection)
            connection.execute("BEGIN IMMEDIATE")
            store = _verified(connection, path, begin, check)
            known = len(store.rows)
            yield store
            connection.execute("COMMIT")
            if len(store.rows) > known or not are_written(path):
                write_heads(path, store.rows[-1])
    finally:
        # An open transaction is rolled back here. Closing is not enough: as long as an error holds
        # a row that was being read, the connection would hold the lock.
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        with suppress(sqlite3.Error):
            connection.close()


def _make_file(path: Path) -> None:
    if not path.parent.is_dir():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # In this order: a ledger that another process begins now has its file before its head.
    is_expected = was_begun(path)
    if not path.exists():
        if is_expected:
            raise damaged(T.FILE_GONE(file=path.name))
        # Created here for its mode; SQLite gives its companion files the same mode.
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    application, version = version_of(connection)
    if application == APPLICATION_ID:
        return
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables or (application, version) != (0, 0):
        raise LedgerError(T.FOREIGN(file=path.name))


def _prepare(connection: sqlite3.Connection) -> None:
    # A file that others are opening too may be busy for a moment; SQLite does not wait here.
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


def _verified(
    connection: sqlite3.Connection,
    path: Path,
    begin: Callable[[Store], None],
    check: Callable[[Path, Sequence[Row]], None],
) -> Store:
    _refuse_foreign(connection, path)
    application, version = version_of(connection)
    if application != APPLICATION_ID:
        return _begun(connection, path, begin)
    if version > VERSION:
        raise LedgerError(T.NEWER(file=path.name, version=version))
    key = read_key(path)
    migrate(connection, version)
    rows = [
        Row(number, kind, content, attachment or b"", digest, mac)
        for number, kind, content, attachment, digest, mac in connection.execute(_ROWS)
    ]
    try:
        verify(rows, key)
    except BrokenChainError as broken:
        raise damaged(T.ROW_CHANGED(row=broken.place, file=path.name)) from None
    check(path, rows)
    return Store(key, rows, connection)


def _begun(connection: sqlite3.Connection, path: Path, begin: Callable[[Store], None]) -> Store:
    if was_begun(path):
        raise damaged(T.FILE_EMPTY(file=path.name))
    # A crash at the very beginning leaves a key without rows; nothing was made with it.
    key = read_key(path) if key_path(path).exists() else make_key(path)
    migrate(connection, 0)
    store = Store(key, [], connection)
    begin(store)
    return store


def shows_a_ledger(path: Path) -> bool:
    """Whether a file is, or was, recognisably a ledger of dpdesk."""
    if not path.name:
        return False
    # os.path, because the functions of Path raise for a name that is too long.
    if any(os.path.exists(place(path)) for place in (key_path, head_path, witness_path)):  # noqa: PTH110
        return True
    try:
        with open_regular(path, DATA_MAX) as file:
            header = file.read(72)
    except (FileRefusedError, OSError):
        return False
    # The mark of a program stands at byte 68 of a database (sqlite.org/fileformat.html).
    return header.startswith(b"SQLite format 3") and header[68:] == APPLICATION_ID.to_bytes(
        4, "big"
    )


@contextmanager
def _failures(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
        raise _failure(path, error) from None


def _failure(path: Path, error: OSError | sqlite3.Error | UnicodeDecodeError) -> LedgerError:
    if isinstance(error, OSError):
        return LedgerError(T.NOT_WRITABLE(file=path.name, reason=str(error.strerror)))
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return LedgerError(T.LOCKED(file=path.name))
    # Text that is not UTF-8 has no code, and SQLite's own message about it may not be UTF-8 either.
    if code in {0, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}:
        if not shows_a_ledger(path):
            return LedgerError(T.NOT_A_LEDGER(file=path.name))
        return damaged(T.FILE_UNREADABLE(file=path.name))
    reason = getattr(error, "sqlite_errorname", "SQLite")
    return LedgerError(T.FAILED(file=path.name, reason=reason))
