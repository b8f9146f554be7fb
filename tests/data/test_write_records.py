from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.formats import columnar_writer, csv_writer
from dpdesk.data.output_fields import (
    BitsField,
    IntegersField,
    PartialChunk,
    SymbolField,
    TextField,
)
from dpdesk.data.read_records import read_records
from dpdesk.data.record_files import RecordWriter
from dpdesk.data.side_thread import SideThread
from dpdesk.data.write_csv import write_table_csv
from dpdesk.errors import Cancelled
from tests.refusals import refused

FORMULA = "=cmd|' /C calc'!A0"
FIELDS = (
    SymbolField("@colour", ("red", FORMULA, 'a "b", c', "", "'=x", "line\nbreak")),
    SymbolField("age", ("-1", "0", "17"), "integer"),
    SymbolField("score", ("-0.5", "0.25", ""), "real"),
    BitsField(("colour = red", "colour = blue")),
    TextField("kept"),
)


def chunks(rows: int, seed: int = 3):
    generator = np.random.default_rng(seed)
    return [
        generator.integers(0, 6, rows).astype(np.int32),
        generator.integers(0, 3, rows).astype(np.uint16),
        generator.integers(0, 3, rows),
        generator.integers(0, 2, (rows, 2)).astype(np.uint8),
        [["-5", "plain", "ä,ö", "+x"][row % 4] for row in range(rows)],
    ]


def expected(parts) -> list[list[str]]:
    columns = []
    for field, part in zip(FIELDS, parts, strict=True):
        if isinstance(field, SymbolField):
            columns.append([field.texts[code] for code in part])
        elif isinstance(field, BitsField):
            columns += [[str(bit) for bit in part[:, k]] for k in range(2)]
        else:
            columns.append(list(part))
    return columns


def test_that_records_are_read_back_as_they_were(tmp_path: Path):
    first, second, none = chunks(5), chunks(1000, 4), chunks(0)
    with RecordWriter(tmp_path, FIELDS) as writer:
        for part in (first, none, second):
            writer.append(part)
    assert writer.rows == 1005
    table = read_records(tmp_path)
    assert table.names == ("@colour", "age", "score", "colour = red", "colour = blue", "kept")
    both = [a + b for a, b in zip(expected(first), expected(second), strict=True)]
    assert [column.texts() for column in table.columns] == both
    assert read_records(tmp_path / "records.csv").rows == 1005


def test_that_the_csv_file_is_plain_rfc_4180_without_formulas(tmp_path: Path):
    with RecordWriter(tmp_path, FIELDS) as writer:
        none = np.zeros(6, int)
        kept = ["-5", "-2.25", "-5-5", "＝x", " =x", "'-5"]
        writer.append([np.arange(6), none, none, np.ones((6, 2), np.uint8), kept])
    content = (tmp_path / "records.csv").read_bytes()
    assert b"\r" not in content
    assert content.endswith(b"\n")
    assert content.splitlines()[0] == b"'@colour,age,score,colour = red,colour = blue,kept"
    rows = list(csv.reader(content.decode().splitlines(keepends=True), strict=True))
    assert [row[0] for row in rows[1:]] == [
        "red", "'" + FORMULA, 'a "b", c', "", "''=x", "line\nbreak"
    ]  # fmt: skip
    # Numbers are numbers, however they start and whatever the field is.
    assert rows[1][1:] == ["-1", "-0.5", "1", "1", "-5"]
    assert [row[5] for row in rows[1:]] == ["-5", "-2.25", "'-5-5", "'＝x", "' =x", "''-5"]
    assert read_records(tmp_path).column("kept").texts() == kept


def test_that_the_parquet_file_has_plain_types_and_no_metadata(tmp_path: Path):
    with RecordWriter(tmp_path, FIELDS) as writer:
        writer.append(chunks(100))
    path = tmp_path / "records.parquet"
    footer = pq.read_metadata(path)
    assert footer.metadata is None
    schema = pq.read_schema(path)
    assert schema.metadata is None
    assert schema.types == [
        pa.string(),
        pa.int64(),
        pa.float64(),
        pa.int8(),
        pa.int8(),
        pa.string(),
    ]
    assert all(field.metadata is None or set(field.metadata) == {b"PARQUET:field_id"}
               for field in schema)  # fmt: skip
    content = path.read_bytes()
    for word in (b"pandas", b"ARROW:schema", b"author", str(tmp_path).encode()):
        assert word not in content


def test_that_a_text_that_no_record_has_is_in_neither_file(tmp_path: Path):
    with RecordWriter(tmp_path, [SymbolField("q", ("a", "b", "UNUSEDcategory"))]) as writer:
        writer.append([np.array([0, 1, 0])])
    assert len(writer.paths) == 2
    for path in writer.paths:
        assert b"UNUSEDcategory" not in path.read_bytes()


def test_that_both_files_hold_the_same_records(tmp_path: Path):
    part = chunks(500)
    with RecordWriter(tmp_path, FIELDS) as writer:
        writer.append(part)
    columns = pq.read_table(tmp_path / "records.parquet").to_pydict()
    assert columns["@colour"] == expected(part)[0]
    assert columns["age"] == [int(text) for text in expected(part)[1]]
    assert columns["score"] == [float(text) if text else None for text in expected(part)[2]]
    assert columns["colour = blue"] == part[3][:, 1].tolist()
    assert columns["kept"] == part[4]


def test_that_chunks_are_cut_without_a_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    part = chunks(1000)
    (tmp_path / "whole").mkdir()
    with RecordWriter(tmp_path / "whole", FIELDS) as writer:
        writer.append(part)
    monkeypatch.setattr(csv_writer, "_PIECE", 500)
    monkeypatch.setattr(columnar_writer, "_GROUP", 700)
    (tmp_path / "cut").mkdir()
    with RecordWriter(tmp_path / "cut", FIELDS) as writer:
        for start in range(0, 1000, 300):
            writer.append([piece[start : start + 300] for piece in part])
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert (whole / "records.csv").read_bytes() == (cut / "records.csv").read_bytes()
    assert pq.read_metadata(cut / "records.parquet").num_row_groups > 5
    assert pq.read_table(whole / "records.parquet") == pq.read_table(cut / "records.parquet")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
                min_size=1, max_size=8))  # fmt: skip
def test_that_any_text_survives_the_file(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
):
    # Text is what comes from a file: many control characters would be no text file.
    texts = [
        "".join(letter for letter in text if letter in "\t\r\n" or letter.isprintable())
        for text in texts
    ]
    folder = tmp_path_factory.mktemp("release")
    with RecordWriter(folder, [TextField("q"), SymbolField("r", tuple(texts))]) as writer:
        writer.append([texts, np.arange(len(texts))])
    table = read_records(folder)
    assert table.column("q").texts() == texts
    assert table.column("r").texts() == texts


def test_that_one_column_with_empty_answers_keeps_every_record(tmp_path: Path):
    with RecordWriter(tmp_path, [TextField("q")]) as writer:
        writer.append([["", "x", "", ""]])
    assert (tmp_path / "records.csv").read_text() == 'q\n""\nx\n""\n""\n'
    assert read_records(tmp_path).column("q").texts() == ["", "x", "", ""]


def test_that_ten_thousand_indicators_are_written_and_read(tmp_path: Path):
    names = tuple(f"word {k}" for k in range(10_000))
    bits = np.random.default_rng(1).integers(0, 2, (50, 10_000)).astype(np.uint8)
    with RecordWriter(tmp_path, [BitsField(names)]) as writer:
        writer.append([bits])
    table = read_records(tmp_path)
    assert table.names == names
    for k in (0, 4_321, 9_999):
        assert table.columns[k].texts() == [str(bit) for bit in bits[:, k]]
    assert pq.read_metadata(tmp_path / "records.parquet").num_columns == 10_000


@pytest.mark.parametrize(
    "bad",
    [
        [np.array([0, 3])],
        [np.array([-1, 0])],
        [np.array([0.0, 1.0])],
        [np.zeros((2, 2), int)],
        [np.array([0]), np.array([0])],
        [],
    ],
)
def test_that_a_chunk_that_does_not_fit_is_refused_before_anything_is_written(
    tmp_path: Path, bad: list[np.ndarray]
):
    writer = RecordWriter(tmp_path, [SymbolField("q", ("a", "b", "c"))])
    with pytest.raises(ValueError, match=r"chunk|code|rows"):
        writer.append(bad)
    writer.append([np.array([2])])
    writer.close()
    assert read_records(tmp_path).column("q").texts() == ["c"]


def test_that_indicators_are_checked(tmp_path: Path):
    with RecordWriter(tmp_path, [BitsField(("a", "b"))]) as writer:
        for bad in (np.array([[0, 2]]), np.array([[0, 1, 1]]), np.array([0, 1])):
            with pytest.raises(ValueError, match=r"[Ii]ndicators"):
                writer.append([bad])
        with pytest.raises(ValueError, match="one chunk per field"):
            writer.append([])


def test_that_unequal_chunks_names_and_numbers_are_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="names that differ"):
        RecordWriter(tmp_path, [TextField("q"), BitsField(("q",))])
    with pytest.raises(ValueError, match="no such number"):
        SymbolField("q", ("1", "two"), "integer")
    with pytest.raises(ValueError, match="no such number"):
        SymbolField("q", ("1.5",), "integer")
    assert list(tmp_path.iterdir()) == []
    writer = RecordWriter(tmp_path, [TextField("q"), TextField("r")])
    with pytest.raises(ValueError, match="same number of rows"):
        writer.append([["a"], ["a", "b"]])
    writer.abort()


def test_that_an_aborted_release_leaves_nothing(tmp_path: Path):
    writer = RecordWriter(tmp_path, FIELDS)
    writer.append(chunks(10))
    writer.abort()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RuntimeError), RecordWriter(tmp_path, FIELDS):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_that_existing_records_are_never_overwritten(tmp_path: Path):
    (tmp_path / "records.parquet").write_bytes(b"earlier")
    with refused("data.not-written", file="records.parquet"):
        RecordWriter(tmp_path, FIELDS)
    assert [path.name for path in tmp_path.iterdir()] == ["records.parquet"]
    with refused("data.not-written", file="records.csv"):
        RecordWriter(tmp_path / "missing", FIELDS)


FULL_DISK_CHILD = """
import gc, resource, sys
from pathlib import Path
from dpdesk.data.output_fields import TextField
from dpdesk.data.record_files import RecordWriter
from dpdesk.errors import ReleaseError

resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
writer = RecordWriter(Path(sys.argv[1]), [TextField("q")])
rows = int(sys.argv[2])
try:
    for turn in range(200):
        writer.append([[f"SECRET{turn * rows + row}" for row in range(rows)]])
    writer.close()
except ReleaseError as error:
    del writer
    gc.collect()
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process need POSIX")
@pytest.mark.parametrize("rows", [5, 5000])
def test_that_a_disk_that_refuses_is_told_and_leaves_nothing(tmp_path: Path, root: Path, rows: int):
    child = subprocess.run(
        [sys.executable, "-c", FULL_DISK_CHILD, str(tmp_path), str(rows)],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert child.returncode == 0, child.stderr
    if rows == 5:
        # Small enough for the disk: the limit is what stops the other.
        assert child.stdout == ""
        assert len(list(tmp_path.iterdir())) == 2
    else:
        assert "cannot be written: file too large" in child.stdout
        assert "SECRET" not in child.stdout + child.stderr
        assert list(tmp_path.iterdir()) == []


MEMORY_CHILD = """
import resource, sys
import numpy as np
from pathlib import Path
from dpdesk.data.output_fields import BitsField, SymbolField
from dpdesk.data.record_files import RecordWriter

bits = np.zeros((2_000, 50), np.uint8)
codes = np.zeros(2_000, np.int32)
fields = [BitsField(tuple(map(str, range(50)))), SymbolField("q", ("a" * 1000, "b"))]
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
with RecordWriter(Path(sys.argv[1]), fields) as writer:
    for turn in range(150):
        writer.append([bits, codes])
        if turn == 40:
            early = peak()
print(early, peak())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in kilobytes on Linux")
def test_that_memory_does_not_grow_with_the_records(tmp_path: Path, root: Path):
    child = subprocess.run(
        [sys.executable, "-c", MEMORY_CHILD, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert child.returncode == 0, child.stderr
    early, late = map(float, child.stdout.split())
    # 240 MB of records come after the first row groups are written: none of them may stay.
    assert (tmp_path / "records.csv").stat().st_size > 300e6
    assert late < early + 60


def test_that_small_tables_neutralise_text_and_keep_numbers(tmp_path: Path):
    path = tmp_path / "estimates.csv"
    write_table_csv(path, ["=name", "share"], [["+a", -0.5], ["b, c", 3], ["d", None]])
    assert path.read_bytes() == b"'=name,share\n'+a,-0.5\n\"b, c\",3\nd,\n"
    with pytest.raises(ValueError, match="one cell per column"):
        write_table_csv(path, ["a"], [["b", "c"]])


PARTIAL = (
    SymbolField("colour", ("red", FORMULA, ""), optional=True),
    SymbolField("age", ("-1", "17"), "integer", optional=True),
    BitsField(("a", "b"), optional=True),
    IntegersField(("hash", "symbol"), (1 << 40, 4), optional=True),
    TextField("kept"),
)


def partial(rows: int):
    generator = np.random.default_rng(5)
    present = np.arange(rows) % 3 != 1
    reports = (
        generator.integers(0, 3, rows),
        generator.integers(0, 2, rows),
        generator.integers(0, 2, (rows, 2)).astype(np.uint8),
        np.stack([generator.integers(0, 1 << 40, rows), generator.integers(0, 4, rows)], axis=1),
    )
    return [*(PartialChunk(r, present) for r in reports), ["x"] * rows], present


def test_that_cells_of_absent_reports_are_empty_in_csv_and_null_in_parquet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # Small pieces, so that chunks are cut in both files.
    monkeypatch.setattr(csv_writer, "_PIECE", 1 << 10)
    monkeypatch.setattr(columnar_writer, "_GROUP", 1 << 10)
    chunk, present = partial(1000)
    with RecordWriter(tmp_path, PARTIAL) as writer:
        writer.append(chunk)
    records, table = read_records(tmp_path), pq.read_table(tmp_path / "records.parquet")
    columns = {
        "colour": [PARTIAL[0].texts[code] for code in chunk[0].reports],
        "age": [PARTIAL[1].texts[code] for code in chunk[1].reports],
        "b": [str(bit) for bit in chunk[2].reports[:, 1]],
        "hash": [str(number) for number in chunk[3].reports[:, 0]],
    }
    for name, texts in columns.items():
        shown = [text if there else "" for text, there in zip(texts, present, strict=True)]
        assert list(records.column(name).texts()) == shown
        values = table.column(name).to_pylist()
        assert [value is not None for value in values] == present.tolist()
        assert [str(value) for value in values if value is not None] == [
            text for text, there in zip(texts, present, strict=True) if there
        ]
    assert set(records.column("kept").texts()) == {"x"}


def test_that_only_an_optional_field_takes_a_partial_chunk(tmp_path: Path):
    chunk, present = partial(6)
    for number, fields in enumerate(
        (
            (SymbolField("colour", ("red", "blue", "")), *PARTIAL[1:]),
            (*PARTIAL[:4], TextField("kept")),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        wrong = chunk if number == 0 else [*chunk[:4], PartialChunk(np.zeros(6, int), present)]
        with RecordWriter(folder, fields) as writer, pytest.raises(ValueError, match="optional"):
            writer.append(wrong)
    folder = tmp_path / "length"
    folder.mkdir()
    short = [PartialChunk(chunk[0].reports[:5], present), *chunk[1:]]
    with RecordWriter(folder, PARTIAL) as writer, pytest.raises(ValueError, match="each record"):
        writer.append(short)


def test_that_a_first_name_which_begins_with_a_byte_order_mark_is_read_back(tmp_path: Path):
    names = ("\ufeffage", "\ufeff=1")
    with RecordWriter(tmp_path, [TextField(name) for name in names]) as writer:
        writer.append([["1", "2"], ["\ufeff=3", "\ufeffx"]])
    table = read_records(tmp_path)
    assert table.names == names
    assert table.column("\ufeff=1").texts() == ["\ufeff=3", "\ufeffx"]


def test_that_parquet_holds_the_bytes_of_texts_that_it_lists_itself(tmp_path: Path, monkeypatch):
    """Records are handed over with their lists of texts, in the order that Parquet would find."""
    rows = 9_000
    generator = np.random.default_rng(5)
    fields = (
        SymbolField("few", tuple("abc")),
        # The last of these comes late, and the first two never.
        SymbolField("rare", tuple(f"text {i}" for i in range(60))),
        SymbolField("partly", ("x", "", "y"), "no", True),
        SymbolField("never", ("x", "y"), "no", True),
        SymbolField("number", ("1", "2", ""), "integer"),
    )
    rare = generator.integers(2, 59, rows)
    rare[-1] = 59
    part = [
        generator.integers(0, 3, rows),
        rare,
        PartialChunk(generator.integers(0, 3, rows), generator.random(rows) < 0.1),
        PartialChunk(np.zeros(rows, int), np.zeros(rows, np.bool_)),
        generator.integers(0, 3, rows),
    ]
    contents = []
    for most in (columnar_writer._LISTED_BYTES, 0):
        monkeypatch.setattr(columnar_writer, "_LISTED_BYTES", most)
        folder = tmp_path / str(most)
        folder.mkdir()
        with RecordWriter(folder, fields) as writer:
            writer.append(part)
        contents.append((folder / "records.parquet").read_bytes())
        assert pq.read_schema(folder / "records.parquet").types[:2] == [pa.string()] * 2
    assert contents[0] == contents[1]
    assert b"text 0" not in contents[0]


def test_that_a_cancel_while_the_disk_is_waited_for_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: SideThread) -> None:
        raise Cancelled

    monkeypatch.setattr(SideThread, "finish", stop)
    with pytest.raises(Cancelled), RecordWriter(tmp_path, FIELDS):
        pass
    assert not list(tmp_path.iterdir())
