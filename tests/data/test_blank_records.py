"""Records whose cells are all empty are no respondents, in whatever file they stand."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

from dpdesk.cli.main import main
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T
from tests.data.formats.test_spreadsheets import cell, opendocument, row

ROWS = [("1", "a"), ("", ""), ("2", ""), ("", "b"), ("", ""), ("", "")]
ANSWERED = [["1", "2", ""], ["a", "", "b"]]


def cells(table: SurveyTable) -> list[list[str]]:
    return [column.texts() for column in table.columns]


def delimited(mark: str, quote: str = "") -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        lines = [mark.join(f"{quote}{text}{quote}" for text in line) for line in ROWS]
        path = folder / "t.csv"
        path.write_text("\n".join([f"x{mark}y", *lines]) + "\n")
        return path

    return write


def _excel(folder: Path) -> Path:
    book = openpyxl.Workbook()
    for line in (("x", "y"), *ROWS):
        # A formula can leave a text without letters.
        book.active.append([text or " " for text in line] if not any(line) else line)
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def _opendocument(folder: Path) -> Path:
    rows = (row(*(cell(text) for text in line)) for line in (("x", "y"), *ROWS))
    return opendocument(folder / "t.ods", "".join(rows))


def _note_in_csv(folder: Path, note: str) -> Path:
    lines = ["x,y,z", *("1,a,b" for _ in range(30)), ",,", f"{note},,", ",,"]
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    return folder / "t.csv"


def _note_in_excel(folder: Path, note: str) -> Path:
    book = openpyxl.Workbook()
    for line in ("x", "y", "z"), *[(1, "a", "b")] * 30, (), (note or None,):
        book.active.append(line)
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


def _json(folder: Path) -> Path:
    records = [{"x": x or None, "y": y or None} for x, y in ROWS]
    (folder / "t.json").write_text(json.dumps([*records, {}]))
    return folder / "t.json"


def _parquet(folder: Path) -> Path:
    columns = zip(*([text or None for text in line] for line in ROWS), strict=True)
    pq.write_table(pa.table(dict(zip("xy", columns, strict=True))), folder / "t.parquet")
    return folder / "t.parquet"


def _spss(folder: Path) -> Path:
    x = [float(text) if text else None for text, _ in ROWS]
    frame = pd.DataFrame({"x": x, "y": [text for _, text in ROWS]})
    pyreadstat.write_sav(frame, folder / "t.sav")
    return folder / "t.sav"


def _stata(folder: Path) -> Path:
    x = [float(text) if text else None for text, _ in ROWS]
    frame = pd.DataFrame({"x": x, "y": [text for _, text in ROWS]})
    pyreadstat.write_dta(frame, folder / "t.dta")
    return folder / "t.dta"


@pytest.mark.parametrize(
    "write",
    [
        *(delimited(","), delimited(";"), delimited("\t"), delimited(",", '"')),
        *(_excel, _opendocument, _json, _parquet, _spss, _stata),
    ],
)
def test_that_a_record_without_any_answer_is_no_respondent(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = write(tmp_path)
    table = load(path)
    assert cells(table) == ANSWERED
    assert any("left out" in notice or "skipped" in notice for notice in table.notices)
    assert cells(load_declared(path, table.reading)) == ANSWERED


def test_that_lines_of_fixed_width_without_answers_are_no_respondents(tmp_path: Path) -> None:
    (tmp_path / "layout.csv").write_text("name,start,width\nx,3,1\ny,4,1\n")
    path = tmp_path / "t.asc"
    path.write_text("".join(f"0 {x:1}{y:1}\n" for x, y in ROWS))
    plan = tmp_path / "p.json"
    words = ["draft", str(path), "--layout", str(tmp_path / "layout.csv"), "-o", str(plan)]
    assert main(words) == 0
    assert json.loads(plan.read_text())["respondents"] == 3


def test_that_parts_and_a_column_alone_count_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number in range(3):
        (folder / f"part-{number}.csv").write_text("x,y\n1,\n,\n ,\n,2\n")
    assert load(folder).rows == 6
    # In one column an empty cell is an answer that was not given.
    (tmp_path / "one.csv").write_text("x\n1\n\n2\n")
    assert load(tmp_path / "one.csv").rows == 3


@pytest.mark.parametrize("write", [_note_in_csv, _note_in_excel])
def test_that_a_note_below_a_table_is_told(write: Callable[..., Path], tmp_path: Path) -> None:
    for note, is_told in (("Source: the municipality", True), ("Kenya", False), ("", False)):
        table = load(write(tmp_path, note))
        assert (T.NOTE_BELOW() in table.notices) == is_told
        assert table.rows == 30 + bool(note)


def test_that_every_count_is_of_those_who_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, plan = tmp_path / "t.csv", tmp_path / "p.json"
    lines = ["sex,vote", *(f"{'mf'[i % 2]},{'yn'[i % 3 == 0]}" for i in range(120)), *[","] * 80]
    path.write_text("\n".join(lines))
    words = ["draft", str(path), "-o", str(plan), "--confirm-domains"]
    assert main([*words, "--confirmed-by", "A"]) == 0
    assert json.loads(plan.read_text())["respondents"] == 120
    capsys.readouterr()
    declared = ["--delimiter", "comma", "--encoding", "utf-8", "--decimal", "."]
    out = ["--out", str(tmp_path / "out"), "--ledger", str(tmp_path / "l.json")]
    assert main(["release", str(path), "--plan", str(plan), *out, *declared]) == 0
    released = (tmp_path / "out" / "records.csv").read_text().splitlines()
    assert len(released) == 121
    capsys.readouterr()
    assert main(["risk", str(path), "--quasi", "sex", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 120


def test_that_blank_records_of_a_large_file_are_left_out_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpdesk.data import spool

    monkeypatch.setattr(spool, "_ONE_COLUMN", 1 << 8)
    monkeypatch.setattr(spool, "MEMORY_MOST", 1 << 8)
    text = io.StringIO()
    text.write("x,y\n")
    for number in range(20_000):
        text.write("," if number % 4 == 0 else f"{number},{number % 7}")
        text.write("\n")
    (tmp_path / "t.csv").write_text(text.getvalue())
    table = load(tmp_path / "t.csv")
    assert table.rows == 15_000
    assert table.column("x").text(0) == "1"
    assert table.column("x").text(14_999) == "19999"
