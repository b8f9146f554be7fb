"""A folder of parts is read as the one table that its files are."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as pf
import pyarrow.parquet as pq
import pytest

from dpdesk.data import spool
from dpdesk.data.read_file import load, load_declared, tables_in
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T
from dpdesk.errors import InputError
from tests.refusals import refused

ROWS = [(f"{i}", "no" if i % 3 else "yes", f"{i / 2}") for i in range(300)]
NAMES = ("id", "smokes", "income")


def cells(table: SurveyTable) -> list[tuple[str, ...]]:
    return list(zip(*(column.texts() for column in table.columns), strict=True))


def text(rows: list[tuple[str, ...]]) -> str:
    return "\n".join(",".join(row) for row in [NAMES, *rows]) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "survey").mkdir()
    return tmp_path / "survey"


def filled(folder: Path, ending: str) -> Path:
    """Ten parts, whose order by letters is another one than by numbers, and what lies beside."""
    for part in range(10):
        rows = ROWS[part * 30 : part * 30 + 30]
        path = folder / f"part-{part + 5}{ending}"
        columns = dict(zip(NAMES, zip(*rows, strict=True), strict=True))
        if ending == ".parquet":
            pq.write_table(pa.table(columns), path, row_group_size=7)
        elif ending == ".feather":
            pf.write_feather(pa.table(columns), path, chunksize=7)
        elif ending == ".csv.gz":
            path.write_bytes(gzip.compress(text(rows).encode()))
        else:
            path.write_text(text(rows))
    (folder / "_SUCCESS").touch()
    (folder / ".part-5.crc").write_bytes(b"\0crc")
    return folder


@pytest.mark.parametrize("memory", [0, 1 << 20])
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".feather"])
def test_that_the_parts_are_one_table_in_their_order(
    folder: Path, ending: str, memory: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "MEMORY_MOST", memory)
    table = load(filled(folder, ending))
    (folder.parent / "one.csv").write_text(text(ROWS))
    whole = load(folder.parent / "one.csv")
    assert (table.name, table.rows, table.names) == ("survey", 300, NAMES)
    assert cells(table) == ROWS == cells(whole)
    assert [column.distinct for column in table.columns] == [c.distinct for c in whole.columns]
    if ending.startswith(".csv"):
        assert table.reading == whole.reading
    declared = load_declared(folder, table.reading)
    assert cells(declared) == ROWS
    assert not declared.is_reading_found
    assert tables_in(folder) == ()


def test_that_the_decimal_mark_is_that_of_all_parts(folder: Path) -> None:
    (folder / "1.csv").write_text("a;b\n1;x\n")
    (folder / "2.csv").write_text("a;b\n1,5;x\n")
    assert load(folder).reading.decimal == ","
    assert load(folder).is_reading_found
    (folder / "3.csv").write_text("a;b\n1.5;x\n")
    assert load(folder).reading.decimal == "."


def test_that_a_part_without_answers_is_a_part(folder: Path) -> None:
    (folder / "1.csv").write_text("a,b\n")
    (folder / "2.csv").write_text("a,b\n1,2\n")
    assert cells(load(folder)) == [("1", "2")]
    (folder / "2.csv").unlink()
    with refused("data.formats.no-answers", file="survey"):
        load(folder)
    assert load(folder, names_alone=True).rows == 0


def test_that_notices_are_told_once(folder: Path) -> None:
    for name in "123":
        (folder / f"{name}.csv").write_text("a,b\n1,2\n\n3,4\n")
    assert load(folder).notices == (T.IN_PARTS(notice=T.BLANK_LINES(count=1), parts=3),)


def test_that_a_notice_of_invalid_bytes_names_the_part_and_its_line(folder: Path) -> None:
    (folder / "1.csv").write_bytes(b"a,b\n1,2\n")
    (folder / "2.csv").write_bytes(b"a,b\n1,2\nx\xff,4\n")
    (notice,) = load_declared(folder, Reading()).notices
    assert notice == T.INVALID_BYTES(file="2.csv", encoding="UTF-8", line=3)


@pytest.mark.parametrize("ending", [".parquet", ".feather"])
@pytest.mark.parametrize("number", [3, 2**53 + 2, 10**17, 2**62, -(10**17)])
@pytest.mark.parametrize("kinds", [("int64", "float64"), ("int64", "float32")])
def test_that_equal_numbers_are_one_answer_whatever_types_the_parts_have(
    ending: str, number: int, kinds: tuple[str, str], folder: Path
) -> None:
    """A part with an empty cell holds floating numbers where another one holds whole ones."""
    narrowed = int(np.dtype(kinds[1]).type(number))
    for part, kind in enumerate(kinds):
        table = pa.table({"a": pa.array(np.array([narrowed, narrowed], dtype=kind))})
        path = folder / f"{part}{ending}"
        pq.write_table(table, path) if ending == ".parquet" else pf.write_feather(table, path)
    assert load(folder).columns[0].distinct == [str(narrowed)]


def test_that_an_error_names_the_part_and_its_line(folder: Path) -> None:
    (folder / "1.csv").write_text("a,b\n1,2\n")
    (folder / "2.csv").write_text("a,b\n1,2\n3\n")
    with refused("data.ragged-at-top", line=3, file="2.csv", count=1) as caught:
        load(folder)
    assert caught.value.line == 3


UNLIKE = [
    ({"1.csv": b"a,b\n1,2\n", "2.csv": b"a,c\n1,2\n"}, "data.other-columns"),
    ({"1.csv": b"a,b\n1,2\n", "2.csv": b"b,a\n1,2\n"}, "data.other-columns"),
    ({"1.csv": b"a,b\n1,2\n", "2.csv": b"a;b\n1;2\n"}, "data.other-reading"),
    (
        {"1.csv": "ä,b\n1,2\n".encode(), "2.csv": "ä,b\n1,2\n".encode("cp1252")},
        "data.other-reading",
    ),
    ({"1.csv": b"a,b\n1,2\n", "2.parquet": b"PAR1"}, "data.no-parts"),
    ({"1.csv": b"a,b\n1,2\n", "report.html": b"<p>"}, "data.no-parts"),
    ({"a.html": b"<p>"}, "data.no-parts"),
    ({}, "data.empty-folder"),
    ({"_SUCCESS": b""}, "data.empty-folder"),
]


@pytest.mark.parametrize(("files", "message"), UNLIKE)
def test_that_files_that_are_no_parts_of_one_table_are_refused(
    folder: Path, files: dict[str, bytes], message: str
) -> None:
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    with refused(message) as caught:
        load(folder)
    assert caught.value.remedy


def test_that_folders_within_are_refused(folder: Path) -> None:
    (folder / "year=2024").mkdir()
    (folder / "1.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="year=2024"):
        load(folder)


def test_that_what_was_written_differently_is_read_as_declared(folder: Path) -> None:
    (folder / "1.csv").write_bytes("ä,b\nö,2\n".encode("cp1252"))
    (folder / "2.csv").write_bytes("ä,b\n1,2\n".encode("cp1252"))
    assert cells(load_declared(folder, Reading(encoding="cp1252"))) == [("ö", "2"), ("1", "2")]


def test_that_the_beginning_is_that_of_the_first_part(folder: Path) -> None:
    (folder / "1.csv").write_text("a,b\n1,2\n")
    (folder / "2.csv").write_text("a,b\n3\n")
    assert cells(load(folder, beginning=True)) == [("1", "2")]


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_that_progress_rises_over_all_parts(folder: Path, ending: str) -> None:
    shares: list[float] = []
    load(filled(folder, ending), progress=shares.append)
    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1
    assert len(set(shares)) >= 10
    assert shares[-1] > 0.9
