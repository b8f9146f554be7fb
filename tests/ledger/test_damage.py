from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.errors import LedgerError
from dpdesk.ledger import Cap, Ledger, set_aside
from dpdesk.ledger.chain import BrokenChainError, Row, sealed, verify
from dpdesk.ledger.key import LedgerKey
from tests.ledger.charges import charge, local, one

KEY = LedgerKey(b"k" * 32)


@pytest.fixture
def path(ledger_of_this_test: Path) -> Path:
    """A ledger of three releases."""
    ledger = Ledger.open()
    for _ in range(3):
        charge(ledger, local("1"))
    return ledger_of_this_test


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def edit(path: Path, *statements: str) -> None:
    """Changes the rows as somebody would who knows SQLite."""
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER entries_no_update")
    connection.execute("DROP TRIGGER entries_no_delete")
    connection.execute("DROP TRIGGER attachments_no_update")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def cut(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    place = content.rindex(b'"epsilon":"1"')
    content[place + 11] ^= 1
    path.write_bytes(bytes(content))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a smaller loss": lambda p: edit(
        p, """UPDATE entries SET content = replace(content, '"epsilon":"1"', '"epsilon":"0"')"""
    ),
    "a row less": lambda p: edit(p, "DELETE FROM entries WHERE number = 4"),
    "the last row gone": lambda p: edit(
        p, "DELETE FROM entries WHERE number = (SELECT max(number) FROM entries)"
    ),
    "no rows": lambda p: edit(p, "DELETE FROM entries"),
    "rows exchanged": lambda p: edit(
        p,
        "UPDATE entries SET number = 100 WHERE number = 4",
        "UPDATE entries SET number = 4 WHERE number = 5",
        "UPDATE entries SET number = 5 WHERE number = 100",
    ),
    "another kind": lambda p: edit(p, "UPDATE entries SET kind = 'cap' WHERE number = 5"),
    "another plan": lambda p: edit(p, "UPDATE entries SET attachment = NULL WHERE number = 5"),
    "half a file": lambda p: cut(p, 0.5),
    "an empty file": lambda p: cut(p, 0.0),
    "no database": lambda p: p.write_bytes(b"not a database" * 1000),
    "no file": lambda p: p.unlink(),
    "one bit": flip,
    "no key": lambda p: beside(p, ".key").unlink(),
    "another key": lambda p: beside(p, ".key").write_bytes(b"x" * 32),
    "half a key": lambda p: cut(beside(p, ".key"), 0.5),
    "no head": lambda p: beside(p, ".head").unlink(),
    "half a head": lambda p: cut(beside(p, ".head"), 0.5),
    "a head of nothing": lambda p: beside(p, ".head").write_text('{"rows": 0, "digest": ""}'),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_that_damage_blocks_and_says_how_to_go_on(path: Path, damage: str):
    opened = Ledger.open()
    DAMAGE[damage](path)
    with pytest.raises(LedgerError) as caught:
        Ledger.open()
    assert "--set-aside" in str(caught.value)
    with pytest.raises(LedgerError):
        charge(opened, local("1"))


@pytest.mark.parametrize("damage", DAMAGE)
def test_that_a_damaged_ledger_is_kept_and_a_new_one_says_so(path: Path, damage: str):
    DAMAGE[damage](path)
    before = {p.name: p.read_bytes() for p in path.parent.iterdir()}
    folder = set_aside()
    kept = {p.name: p.read_bytes() for p in folder.iterdir()}
    for name, content in before.items():
        # SQLite may fold what was written ahead into the file while it looks whether it is free.
        if not name.endswith(("-wal", "-shm")) and name != path.name:
            assert kept[name] == content, name
    book = Ledger.open().book()
    assert book.set_aside == folder.name
    assert book.populations() == ()
    charge(Ledger.open(), local("1"))
    assert one().spent("local").epsilon == 1


def test_that_a_whole_ledger_that_was_set_aside_can_still_be_read(path: Path):
    folder = set_aside()
    assert one(folder / path.name).spent("local").epsilon == 3
    assert Ledger.open().book().populations() == ()


def test_that_two_ledgers_can_be_set_aside(path: Path):
    first = set_aside()
    second = set_aside()
    assert first != second
    assert Ledger.open().book().set_aside == second.name


def test_that_there_must_be_something_to_set_aside(tmp_path: Path):
    with pytest.raises(LedgerError, match="no ledger"):
        set_aside(tmp_path / "none.sqlite")


def test_that_an_old_copy_in_the_place_of_the_ledger_is_noticed(path: Path, tmp_path: Path):
    shutil.copy(path, tmp_path / "copy")
    charge(Ledger.open(), local("1"))
    shutil.copy(tmp_path / "copy", path)
    with pytest.raises(LedgerError, match="the end is missing"):
        Ledger.open()


def test_that_another_ledger_in_the_place_of_the_open_one_is_noticed(path: Path):
    opened = Ledger.open()
    set_aside()
    with pytest.raises(LedgerError, match="Another ledger"):
        charge(opened, local("1"))


def test_that_a_newer_ledger_is_refused_and_left_alone(path: Path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LedgerError, match="newer dpdesk"):
        Ledger.open()


def test_that_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path):
    path = tmp_path / "photos.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photos (name TEXT)")
    connection.commit()
    connection.close()
    with pytest.raises(LedgerError, match="another program"):
        Ledger.open(path)
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("photos",)]
    connection.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_that_a_folder_without_the_right_to_write_is_told(tmp_path: Path):
    tmp_path.chmod(0o500)
    with pytest.raises(LedgerError, match="cannot be written"):
        Ledger.open(tmp_path / "ledger.sqlite")


def test_that_a_place_below_a_file_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(LedgerError, match="cannot be written") as caught:
        Ledger.open(tmp_path / "file" / "ledger.sqlite")
    assert caught.value.remedy


def test_that_a_changed_plan_is_not_given_out(path: Path):
    identifier = one().releases[0].id
    edit(path, "UPDATE attachments SET content = CAST('{}' AS BLOB)")
    with pytest.raises(LedgerError, match="What hangs on one of its rows"):
        Ledger.open().plan_of(identifier)


def test_that_a_cap_survives_what_happens_to_the_head(path: Path):
    # The head of an earlier moment is what a crash right after a commit leaves.
    ledger, head = Ledger.open(), beside(path, ".head")
    earlier = head.read_bytes()
    ledger.set_cap("Survey", "local", Cap(Decimal(3)))
    head.write_bytes(earlier)
    assert one().caps["local"] == Cap(Decimal(3))


def chain_of(count: int) -> list[Row]:
    rows: list[Row] = []
    for number in range(1, count + 1):
        before = rows[-1].digest if rows else bytes(32)
        rows.append(sealed(number, "kind", f'{{"n":{number}}}', b"", before, KEY))
    return rows


def test_that_a_chain_is_followed_to_its_end():
    rows = chain_of(5)
    assert verify(rows, KEY) == verify(rows, None) == rows[-1].digest
    assert verify([], KEY) == bytes(32)


def test_that_a_gap_in_a_chain_is_found_where_it_is():
    rows = chain_of(5)
    for gap in range(4):
        with pytest.raises(BrokenChainError) as caught:
            verify(rows[:gap] + rows[gap + 1 :], KEY)
        assert caught.value.place == gap + 1


def test_that_nobody_without_the_key_can_make_a_chain():
    forged = [sealed(1, "kind", "{}", b"", bytes(32), LedgerKey(b"g" * 32))]
    assert verify(forged, None) == forged[0].digest
    with pytest.raises(BrokenChainError):
        verify(forged, KEY)


def test_that_the_secret_is_never_printed():
    assert "kkk" not in repr(KEY)
