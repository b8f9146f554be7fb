"""The tables of the ledger's file, and how an older file becomes a newer one."""

from __future__ import annotations

import sqlite3

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
"""What leads from each version to the next one."""

VERSION = len(_STEPS)
"""Version of the tables, as `PRAGMA user_version` holds it."""


def version_of(connection: sqlite3.Connection) -> tuple[int, int]:
    """Returns the application id and the version of a file; zeros for an empty one."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    return int(application), int(version)


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Brings a file from a version to the present one, within the transaction that is open."""
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
