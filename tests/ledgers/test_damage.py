from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import numpy as np
import platformdirs
import pytest

from dpdesk.errors import DamagedLedgerError, LedgerError, ParameterError
from dpdesk.ledgers import Cap, Ledger, accept_older, set_aside
from dpdesk.ledgers.chain import BrokenChainError, LedgerKey, Row, sealed, verify
from dpdesk.ledgers.place import witness_path
from tests.ledgers.charges import charge, local, one
from tests.refusals import refused

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
    "cells of other types": lambda p: edit(
        p, "UPDATE entries SET digest = '0123456789abcdef0123456789abcdef' WHERE number = 4"
    ),
    "text that is none": lambda p: edit(
        p, "UPDATE entries SET content = CAST(x'ff' AS TEXT) WHERE number = 4"
    ),
    "an attachment of another type": lambda p: edit(
        p, "UPDATE attachments SET content = 'text'", "UPDATE entries SET attachment = NULL"
    ),
    "everything gone": lambda p: [file.unlink() for file in p.parent.iterdir()],
} | {
    f"a head of {name}": lambda p, text=text: beside(p, ".head").write_bytes(text)
    for name, text in {
        "infinity": b'{"rows": 1e400, "digest": "' + b"0" * 64 + b'"}',
        "NaN": b'{"rows": NaN, "digest": "' + b"0" * 64 + b'"}',
        "a fraction": b'{"rows": 1.0, "digest": "' + b"0" * 64 + b'"}',
        "truth": b'{"rows": true, "digest": "' + b"0" * 64 + b'"}',
        "depth": b"[" * 100_000,
        "a deep object": b'{"rows":' * 400 + b"1",
        "a huge number": b'{"rows": ' + b"9" * 6_000 + b', "digest": ""}',
        "a large number": b'{"rows": 99999999999999999999, "digest": "' + b"0" * 64 + b'"}',
        "lists": b'{"rows": [1], "digest": {}}',
        "a list": b"[]",
        "bytes": b'\xff\xfe{"rows": 1}',
        "zeros": bytes(300),
        "spaces": b'{"rows": 1, "digest": "' + b"0 " * 64 + b'"}',
    }.items()
}

HEADS = [name for name in DAMAGE if name.startswith("a head of")]


@pytest.mark.parametrize("damage", DAMAGE)
def test_that_damage_blocks_and_says_how_to_go_on(path: Path, damage: str):
    opened = Ledger.open()
    DAMAGE[damage](path)
    with pytest.raises(DamagedLedgerError) as caught:
        Ledger.open()
    assert caught.value.with_command.rpartition("(dpdesk ledger ")[2][:-1] in (
        "--set-aside",
        "--accept-older",
    )
    with pytest.raises(LedgerError):
        charge(opened, local("1"))


@pytest.mark.parametrize("head", HEADS)
def test_that_a_damaged_witness_blocks_and_says_which_file_it_is(path: Path, head: str):
    DAMAGE[head](path)
    text = beside(path, ".head").read_bytes()
    beside(path, ".head").write_bytes(witness_path(path).read_bytes())
    witness_path(path).write_bytes(text)
    with pytest.raises(DamagedLedgerError) as caught:
        Ledger.open()
    if head == "a head of a large number":
        assert caught.value.id == "ledgers.older-copy"
        return
    assert caught.value.id == "ledgers.witness-changed"
    assert witness_path(path).name in str(caught.value)
    witness_path(path).unlink()
    assert one().spent("local").releases == 3


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of POSIX")
@pytest.mark.parametrize("ending", [".head", ".key", "witness"])
def test_that_a_pipe_in_the_place_of_a_file_of_the_ledger_is_not_waited_for(
    path: Path, ending: str
):
    place = witness_path(path) if ending == "witness" else beside(path, ending)
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(LedgerError) as caught:
        Ledger.open()
    assert (
        caught.value.id
        == {
            ".head": "ledgers.damaged",
            ".key": "ledgers.key-refused",
            "witness": "ledgers.witness-changed",
        }[ending]
    )


def test_that_a_ledger_that_cannot_be_read_is_let_go_at_once(path: Path):
    # What holds the error holds the rows that were being read; it must not hold the ledger.
    DAMAGE["text that is none"](path)
    with pytest.raises(DamagedLedgerError) as caught:
        Ledger.open()
    connection = sqlite3.connect(path, timeout=0)
    connection.execute("BEGIN IMMEDIATE")
    connection.close()
    assert caught.value


def test_that_a_byte_that_is_changed_anywhere_never_ends_in_a_traceback(path: Path):
    whole = {file: file.read_bytes() for file in path.parent.iterdir()}
    draw = np.random.default_rng(7)
    outcomes = set()
    for _ in range(150):
        name = list(whole)[draw.integers(len(whole))]
        content = bytearray(whole[name])
        if not content:
            continue
        for place in draw.integers(0, len(content), 4):
            content[place] = draw.integers(256)
        name.write_bytes(bytes(content))
        try:
            Ledger.open().book()
            outcomes.add("whole")
        except LedgerError:
            outcomes.add("told")
        for file in path.parent.iterdir():
            file.unlink()
        for file, saved in whole.items():
            file.write_bytes(saved)
    assert outcomes == {"whole", "told"}


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


def test_that_a_ledger_that_was_set_aside_can_still_be_read_once_it_is_mended(path: Path):
    head = beside(path, ".head")
    saved = head.read_bytes()
    head.unlink()
    folder = set_aside()
    (folder / head.name).write_bytes(saved)
    assert one(folder / path.name).spent("local").epsilon == 3
    assert Ledger.open().book().populations() == ()


def test_that_two_ledgers_can_be_set_aside(path: Path):
    beside(path, ".key").unlink()
    first = set_aside()
    beside(path, ".key").unlink()
    second = set_aside()
    assert first != second
    assert Ledger.open().book().set_aside == second.name


def test_that_a_whole_ledger_is_not_set_aside(path: Path):
    before = sorted(file.name for file in path.parent.iterdir())
    with refused("ledgers.intact", count=3):
        set_aside()
    assert sorted(file.name for file in path.parent.iterdir()) == before
    assert one().spent("local").epsilon == 3


def foreign(path: Path, *, mark: int = 0) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photos (name TEXT)")
    connection.execute(f"PRAGMA application_id = {mark}")
    connection.commit()
    connection.close()


OTHERS: dict[str, Callable[[Path], object]] = {
    "text": lambda p: p.write_text("notes of mine"),
    "nothing": lambda p: p.touch(),
    "another database": foreign,
    "a marked database": lambda p: foreign(p, mark=77),
    "a folder": lambda p: p.mkdir(),
}


@pytest.mark.parametrize("other", OTHERS)
def test_that_nothing_but_a_ledger_is_set_aside(tmp_path: Path, other: str):
    folder = tmp_path / "place"
    folder.mkdir()
    OTHERS[other](folder / "file")
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}
    with pytest.raises((LedgerError, ParameterError)):
        set_aside(folder / "file")
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before
    if other != "nothing":
        with pytest.raises((LedgerError, ParameterError)) as caught:
            Ledger.open(folder / "file")
        assert "--set-aside" not in str(caught.value)
        assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before


def test_that_a_folder_is_never_taken_for_a_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.csv").write_text("a")
    for place in (Path(), tmp_path):
        for act in (set_aside, accept_older, Ledger.open):
            with pytest.raises(ParameterError, match="folder"):
                act(place)
    assert [p.name for p in tmp_path.iterdir()] == ["survey.csv"]


def test_that_there_must_be_something_to_set_aside(tmp_path: Path):
    with pytest.raises(LedgerError, match="no ledger"):
        set_aside(tmp_path / "none.sqlite")


def test_that_an_old_copy_in_the_place_of_the_ledger_is_noticed(path: Path, tmp_path: Path):
    shutil.copy(path, tmp_path / "copy")
    charge(Ledger.open(), local("1"))
    shutil.copy(tmp_path / "copy", path)
    with refused("ledgers.older-copy", before=7, now=6):
        Ledger.open()


def test_that_another_ledger_in_the_place_of_the_open_one_is_noticed(path: Path):
    opened = Ledger.open()
    beside(path, ".key").unlink()
    set_aside()
    with pytest.raises(LedgerError, match="Another ledger"):
        charge(opened, local("1"))


def test_that_a_newer_ledger_is_refused_and_left_alone(path: Path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(LedgerError, match="newer dpdesk"):
        Ledger.open()


def copied(path: Path, folder: Path) -> dict[Path, bytes]:
    """The files of a ledger, all of one moment."""
    return {file: file.read_bytes() for file in path.parent.iterdir()}


def put_back(path: Path, files: dict[Path, bytes]) -> None:
    for file in path.parent.iterdir():
        file.unlink()
    for file, content in files.items():
        file.write_bytes(content)


def test_that_an_older_ledger_that_is_put_back_whole_is_noticed(path: Path, tmp_path: Path):
    older = copied(path, tmp_path)
    charge(Ledger.open(), local("1"))
    put_back(path, older)
    with refused("ledgers.older-copy", before=7, now=6) as caught:
        Ledger.open()
    assert "--accept-older" in caught.value.with_command


def test_that_a_ledger_that_is_removed_whole_is_not_begun_anew_in_silence(path: Path):
    put_back(path, {})
    with refused("ledgers.damaged", reason="ledgers.file-gone"):
        Ledger.open()
    assert list(path.parent.iterdir()) == []
    folder = set_aside()
    assert [file.name for file in folder.iterdir()] == [f"{path.name}.witness"]
    assert Ledger.open().book().set_aside == folder.name


def test_that_an_older_copy_is_gone_on_with_and_the_ledger_says_so(path: Path, tmp_path: Path):
    older = copied(path, tmp_path)
    for _ in range(2):
        charge(Ledger.open(), local("1"))
    put_back(path, older)
    assert accept_older() == 2
    book = Ledger.open().book()
    ((time, missing),) = book.gaps
    assert missing == 2
    assert book.whole_since == time
    assert charge(Ledger.open(), local("1")).begun == time
    assert one().spent("local").releases == 4
    with refused("ledgers.nothing-missing"):
        accept_older()


@pytest.mark.parametrize("damage", ["a smaller loss", "no key", "no head", "no file", "one bit"])
def test_that_other_damage_is_not_accepted_as_an_older_copy(path: Path, damage: str):
    DAMAGE[damage](path)
    with pytest.raises(LedgerError):
        accept_older()


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_that_the_witness_is_durable_private_and_elsewhere(path: Path):
    witness = witness_path(path)
    assert not witness.is_relative_to(path.parent)
    assert stat.S_IMODE(witness.stat().st_mode) == 0o600
    assert witness.read_bytes() == beside(path, ".head").read_bytes()
    assert witness_path(path.with_name("other.sqlite")) != witness


@pytest.mark.parametrize(
    ("system", "function"),
    [("Windows", "user_data_dir"), ("Darwin", "user_log_dir"), ("Linux", "user_state_dir")],
)
def test_that_each_system_has_a_folder_for_the_witness(
    system: str, function: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr("platform.system", lambda: system)
    monkeypatch.setattr(platformdirs, function, lambda *_, **__: str(tmp_path / function))
    assert witness_path(tmp_path / "ledger.sqlite").is_relative_to(tmp_path / function)


def test_that_a_profile_that_cannot_be_written_stops_nobody(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    charge(Ledger.open(), local("1"))
    assert one().spent("local").releases == 4


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
    with refused("ledgers.damaged", reason="ledgers.content-changed"):
        Ledger.open().plan_of(identifier)


def test_that_a_cap_survives_what_happens_to_the_head(path: Path):
    # The head of an earlier moment is what a crash right after a commit leaves.
    ledger, head = Ledger.open(), beside(path, ".head")
    earlier = head.read_bytes()
    ledger.set_cap("Survey", Cap(Decimal(3)))
    head.write_bytes(earlier)
    assert one().cap == Cap(Decimal(3))


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
