"""Answers planted in data are searched for in every byte that the commands write."""

from __future__ import annotations

import io
import json
import sqlite3
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dpdesk.cli.main import main
from dpdesk.ledgers import Ledger, default_path

DROPPED, RARE, BEYOND, NUMBER = "Zwergensalm", "Quittenmus", "Holunderrose", "83746551"
CANARIES = (DROPPED, RARE, BEYOND, NUMBER)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every folder of a user that a program may write to."""
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / "home" / kind.lower()))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "home"))
    monkeypatch.delenv("DPDESK_LEDGER")
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A survey with an answer of one person alone in each column."""
    path = tmp_path / "survey.csv"
    lines = [f"a{i}@x.org,{'yes' if i % 3 else 'no'},fever,{20 + i % 50}" for i in range(80)]
    lines += [f"{DROPPED}@x.org,{BEYOND},{RARE},{NUMBER}"]
    path.write_text("mail,smoker,illness,age\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def plan(data: Path, tmp_path: Path) -> Path:
    """The curator's plan: its draft lists every answer of a column that is dropped."""
    path = tmp_path / "plan.json"
    words = ["draft", str(data), "-o", str(path), "--drop", "illness", "--confirm-domains"]
    assert main(words) == 0
    content = json.loads(path.read_text(encoding="utf-8"))
    columns = {column["name"]: column for column in content["columns"]}
    columns["mail"]["role"] = "drop"
    assert RARE in json.dumps(columns["illness"])
    smoker = {"type": "categorical", "values": ["no", "yes"]}
    columns["smoker"] |= {"domain": smoker, "other": "other", "provenance": "declared"}
    columns["smoker"] |= {"kind": "nominal"}
    columns["age"] |= {"domain": {"type": "integer", "lower": 18, "upper": 90, "unit": ""}}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def held_by(folder: Path) -> dict[str, bytes]:
    """The bytes of every file of a folder, with what is packed in it unpacked."""
    found = {}
    for path in folder.rglob("*"):
        if not path.is_file():
            continue
        content = path.read_bytes()
        if path.suffix == ".parquet":
            content += str(pq.read_table(io.BytesIO(content)).to_pydict()).encode()
        if content.startswith(b"SQLite format 3"):
            connection = sqlite3.connect(path)
            for every in ("SELECT * FROM entries", "SELECT * FROM attachments"):
                rows = connection.execute(every).fetchall()
                content += repr(rows).encode() + b"".join(
                    cell for row in rows for cell in row if isinstance(cell, bytes)
                )
            connection.close()
        found[str(path.relative_to(folder))] = content + path.name.encode()
    return found


def test_that_no_answer_is_in_any_file_that_a_command_writes(
    home: Path, data: Path, plan: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    capfd.readouterr()
    asked = ["query", str(data), "--plan", str(plan), "--declare", "smoker=no|yes"]
    asked += ["--query", "count by smoker", "--epsilon", "1"]
    out.mkdir()
    # The connection keeps what is written ahead in its own file until the end.
    Ledger.open()
    holder = sqlite3.connect(default_path())
    holder.execute("SELECT count(*) FROM entries").fetchone()
    for words, status in (
        (["check", str(plan), str(data)], 0),
        (["release", str(data), "--plan", str(plan), "--out", str(out / "records")], 0),
        ([*asked, "--out", str(out / "statistics")], 0),
        (asked, 0),
        ([*asked, "--json"], 0),
        ([*asked, "--cap", "0"], 6),
        (["estimate", str(out / "records")], 0),
        (["ledger"], 0),
        (["ledger", str(data)], 0),
        (["ledger", "--json"], 0),
    ):
        assert main(words) == status, words
    release = Ledger.open().book().populations()[0].releases[0].id
    assert main(["ledger", "--plan", release]) == 0
    shown = capfd.readouterr()
    held = held_by(home) | held_by(out)
    assert {"ledger.sqlite", "ledger.sqlite-wal"} <= {Path(name).name for name in held}
    assert len(held) > 12
    for canary in CANARIES:
        in_files = [name for name, content in held.items() if canary.encode() in content]
        assert not in_files, canary
        assert canary not in shown.out + shown.err
    holder.close()


def test_that_the_search_finds_what_is_planted(home: Path) -> None:
    # Without this the test above would pass if it looked nowhere.
    Ledger.open()
    holder = sqlite3.connect(default_path())
    holder.execute("CREATE TABLE planted (answer TEXT)")
    holder.execute("INSERT INTO planted VALUES (?)", (RARE,))
    holder.commit()
    (home / "note").write_text(DROPPED)
    held = held_by(home)
    assert [Path(name).name for name in held if RARE.encode() in held[name]] == [
        "ledger.sqlite-wal"
    ]
    assert any(DROPPED.encode() in content for content in held.values())
    holder.close()
