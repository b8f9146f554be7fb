"""Records written for other programs are read by these programs' own readers as they were meant."""

from __future__ import annotations

import datetime
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest

from dpdesk.data.formats.columnar_writer import COLUMNS_KEY
from dpdesk.data.formats.labelled_writer import fitting_names
from dpdesk.data.missing_codes import CodeRange, TypedCodes
from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    IntegersField,
    OutputField,
    PartialChunk,
    SymbolField,
    TextField,
    field_names,
)
from dpdesk.data.read_records import open_records
from dpdesk.data.record_files import (
    RECORD_FILES,
    RecordWriter,
    known_word,
    record_files,
    require_fit,
)
from dpdesk.data.table_format import TABLE_FORMATS
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.releases.folder import possible_files
from tests.patience import HANG
from tests.refusals import refused

ASKED = tuple(kind.word() for kind in RECORD_FILES if kind.is_asked)
LONG = "x" * 300 + "é" * 200
SEX, GRADE = ("1", "2", "(missing)"), ("low", "mid", "high")
INCOME = ("-1.5", "0.25", "3", "")
DAYS, MONTHS = ("2024-03-05", "1987-02-28"), ("2024-03", "1999-12")
QUARTERS, TIMES = ("1987-Q2", "1990-Q1"), ("08:15", "23:59")
MOMENTS = ("2024-03-05T08:15", "2024-03-05T09:00")
SECONDS = ("2024-02-16T03:34:14", "1987-02-16 03:34", "")
PARTS = ("2024-02-16T03:34:14.123", "2024-12-16T23:34:59.007", "2024-02-16T03:34:00")
CLOCKS = ("03:34:14", "23:59:59.5", "00:00")
PARTIES = ("zz", "a party with a long name", "other", "(no answer)")
OPEN = ("zz", "a party with a long name", "")
SCALE = ("1.5", "2", "97", "-0.5")
NOTES = ("", "=1+1", "bé 😀")
KEPT = ("", ".a", "0.5", "98")
FIELDS: tuple[OutputField, ...] = (
    SymbolField("sex", SEX),
    SymbolField("grade", GRADE),
    SymbolField("income", INCOME, "real"),
    SymbolField("day", DAYS),
    SymbolField("month", MONTHS),
    SymbolField("quarter", QUARTERS),
    SymbolField("time", TIMES),
    SymbolField("moment", MOMENTS),
    BitsField(("city=New York", "city=Paris"), optional=True),
    IntegersField(("hash:seed", "hash:bucket"), (1 << 32, 4)),
    TextField("note"),
    TextField("kept"),
    TextField("essay"),
    TextField("seconds"),
    TextField("parts"),
    TextField("clock"),
    SymbolField("party", PARTIES),
    TextField("open"),
    TextField("scale"),
)
COLUMNS = (
    WrittenColumn(
        *("sex", "Sex of the respondent", "nominal", SEX),
        meanings={"1": "male", "2": "female"},
        answers=("1", "2"),
        no_answer="(missing)",
        missing=TypedCodes(("", "-9", ".b"), (), {"-9": "refused"}),
    ),
    WrittenColumn("grade", "", "ordinal", GRADE, answers=GRADE, is_ordered=True),
    WrittenColumn("income", "Income", "scale", INCOME, are_numbers=True),
    WrittenColumn("day", "", "scale", DAYS, unit="day"),
    WrittenColumn("month", "", "scale", MONTHS, unit="month"),
    WrittenColumn("quarter", "", "scale", QUARTERS, unit="quarter"),
    WrittenColumn("time", "", "scale", TIMES, unit="time"),
    WrittenColumn("moment", "", "scale", MOMENTS, unit="minute"),
    WrittenColumn("city=New York", "City: New York", "nominal", limit=2),
    WrittenColumn("city=Paris", "City: Paris", "nominal", limit=2),
    WrittenColumn("hash:seed", limit=1 << 32),
    WrittenColumn("hash:bucket", limit=4),
    WrittenColumn("note", "", "nominal", NOTES, meanings={"=1+1": "a sum"}),
    WrittenColumn(
        *("kept", "", "scale", KEPT),
        missing=TypedCodes(("", ".a"), (CodeRange(lower=97, upper=99),), {".a": "not asked"}),
        are_codes_kept=True,
    ),
    WrittenColumn("essay", "", "nominal", ("", LONG)),
    WrittenColumn("seconds", "", "scale", SECONDS, unit="minute"),
    WrittenColumn("parts", "", "scale", PARTS, unit="minute"),
    WrittenColumn("clock", "", "scale", CLOCKS, unit="time"),
    WrittenColumn(
        *("party", "", "nominal", PARTIES),
        answers=PARTIES[:3],
        no_answer="(no answer)",
        missing=TypedCodes(("", "refused to say", "refused"), (), {"refused": "said no"}),
    ),
    WrittenColumn(
        *("open", "", "nominal", OPEN),
        missing=TypedCodes(("", "zz"), (), {"zz": "refused"}),
        are_codes_kept=True,
    ),
    WrittenColumn("scale", "", "scale", SCALE, meanings={"1.5": "half", "97": "97 or more"}),
)
ROWS = 12


def _chunks() -> list[Chunk]:
    place = np.arange(ROWS)
    bits = np.stack([place % 2, place // 2 % 2], axis=1).astype(np.uint8)
    symbols: list[Chunk] = [place % len(f.texts) for f in FIELDS[:8] if isinstance(f, SymbolField)]
    return [
        *symbols,
        PartialChunk(bits, place != 3),
        np.stack([place * 300_000_000, place % 4], axis=1),
        [NOTES[i % 3] for i in place],
        [KEPT[i % 4] for i in place],
        [LONG if i % 2 else "" for i in place],
        [SECONDS[i % 3] for i in place],
        [PARTS[i % 3] for i in place],
        [CLOCKS[i % 3] for i in place],
        place % len(PARTIES),
        [OPEN[i % 3] for i in place],
        [SCALE[i % 4] for i in place],
    ]


def _write(folder: Path) -> Path:
    folder.mkdir()
    files = record_files(ASKED)
    require_fit(files, COLUMNS, 2 * ROWS)
    with RecordWriter(folder, FIELDS, COLUMNS, files) as writer:
        writer.append(_chunks())
        writer.append(_chunks())
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the records in every format."""
    return _write(tmp_path_factory.mktemp("records") / "out")


@pytest.mark.parametrize(
    ("texts", "shown"),
    [
        (("12.345", "-7.1", ""), "F7.3"),
        (("12.50", "7.00"), "F6.2"),
        (("0.5", "1e-05", ""), "F8.5"),
        (("1.234567890123456789", "1234.5"), "F18.12"),
        (("12", "-3.0"), "F3.0"),
    ],
)
def test_that_spss_shows_numbers_with_the_digits_of_the_file(
    texts: tuple[str, ...], shown: str, tmp_path: Path
) -> None:
    column = WrittenColumn("x", "", "scale", texts, are_numbers=True)
    folder = tmp_path / "out"
    folder.mkdir()
    with RecordWriter(folder, (TextField("x"),), (column,), record_files(("sav",))) as writer:
        writer.append([list(texts)])
    _, meta = pyreadstat.read_sav(folder / "records.sav")
    assert meta.original_variable_types["x"] == shown


def test_that_every_writer_belongs_to_a_format_that_is_read() -> None:
    listed = {writer for kind in TABLE_FORMATS for writer in kind.writers}
    assert listed == set(RECORD_FILES)
    for kind in TABLE_FORMATS:
        for writer in kind.writers:
            assert f".{writer.word()}" in kind.endings


def test_that_equal_contents_make_equal_files(folder: Path, tmp_path: Path) -> None:
    again = _write(tmp_path / "again")
    names = sorted(path.name for path in folder.iterdir())
    assert names
    assert names == sorted(path.name for path in again.iterdir())
    for path in sorted(folder.iterdir()):
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name


@pytest.mark.parametrize("word", ["sav", "zsav"])
def test_that_pyreadstat_finds_what_is_said_in_a_file_of_spss(folder: Path, word: str) -> None:
    table, meta = pyreadstat.read_sav(folder / f"records.{word}", user_missing=True)
    assert meta.number_rows == len(table) == 2 * ROWS
    assert meta.column_names[8:12] == ["city_New_York", "city_Paris", "hash_seed", "hash_bucket"]
    assert meta.column_names_to_labels["sex"] == "Sex of the respondent"
    # A name that had to change is the label of a column without one.
    assert meta.column_names_to_labels["hash_seed"] == "hash:seed"
    assert meta.column_names_to_labels["note"] is None
    assert meta.variable_value_labels["sex"] == {1.0: "male", 2.0: "female", -9.0: "(missing)"}
    assert meta.variable_value_labels["grade"] == {1.0: "low", 2.0: "mid", 3.0: "high"}
    assert meta.variable_value_labels["note"] == {"=1+1": "a sum"}
    assert meta.missing_ranges["sex"] == [{"lo": -9.0, "hi": -9.0}]
    codes = [{"lo": 97.0, "hi": 99.0}, {"lo": 100.0, "hi": 100.0}]
    assert meta.missing_ranges["kept"] == codes
    assert meta.variable_value_labels["kept"] == {100.0: "not asked"}
    assert meta.variable_measure["grade"] == "ordinal"
    assert meta.original_variable_types["day"] == "DATE11"
    assert table["sex"].tolist()[:3] == [1.0, 2.0, -9.0]
    assert table["income"].tolist()[:3] == [-1.5, 0.25, 3.0]
    assert np.isnan(table["income"][3])
    assert np.isnan(table["city_Paris"][3])
    assert table["day"][0].isoformat() == "2024-03-05"
    assert table["moment"][1].isoformat() == "2024-03-05T09:00:00"
    assert table["note"].tolist()[:3] == list(NOTES)
    assert table["essay"].tolist()[:2] == ["", LONG]
    assert table["hash_seed"][11] == 3_300_000_000
    displays = [meta.original_variable_types[name] for name in ("seconds", "parts", "clock")]
    assert displays == ["DATETIME20", "DATETIME24.3", "TIME12.3"]
    assert table["seconds"][0].isoformat() == "2024-02-16T03:34:14"
    assert table["clock"][0] == datetime.time(3, 34, 14)
    # The survey's own code that is short enough, with what it stands for.
    assert table["party"].tolist()[:4] == [*PARTIES[:3], "refused"]
    assert meta.missing_ranges["party"] == [{"lo": "refused", "hi": "refused"}]
    assert meta.variable_value_labels["party"] == {"refused": "(no answer)"}
    assert meta.missing_ranges["open"] == [{"lo": "zz", "hi": "zz"}]
    assert meta.variable_value_labels["open"] == {"zz": "refused"}
    assert meta.variable_value_labels["scale"] == {1.5: "half", 97.0: "97 or more"}


def test_that_pyreadstat_and_pandas_find_what_is_said_in_a_file_of_stata(folder: Path) -> None:
    table, meta = pyreadstat.read_dta(folder / "records.dta", user_missing=True)
    assert meta.variable_value_labels["sex"] == {1: "male", 2: "female", "b": "(missing)"}
    assert meta.variable_value_labels["kept"] == {"a": "not asked", "b": "98"}
    assert table["sex"].tolist()[:3] == [1, 2, "b"]
    assert table["kept"].tolist()[1:4] == ["a", 0.5, "b"]
    assert meta.readstat_variable_types["city_Paris"] == "int8"
    assert meta.original_variable_types["month"].startswith("%tm")
    stata: Any = pd.read_stata(folder / "records.dta")
    assert stata["month"][0] == pd.Timestamp("2024-03-01")
    assert stata["quarter"][0] == pd.Timestamp("1987-04-01")
    assert stata["moment"][0] == pd.Timestamp("2024-03-05T08:15")
    assert stata["grade"].cat.categories.tolist() == list(GRADE)
    assert stata["hash_seed"][11] == 3_300_000_000
    assert stata["essay"][1] == LONG
    assert stata["seconds"][0] == pd.Timestamp("2024-02-16T03:34:14")
    assert stata["parts"][0] == pd.Timestamp("2024-02-16T03:34:14.123")
    assert meta.variable_value_labels["scale"] == {97: "97 or more"}
    # What Stata has no label for is a note of the column.
    raw = (folder / "records.dta").read_bytes().replace(b"\0", b"")
    assert b"scalenote11.5 = half" in raw
    assert b"opennote1zz = refused" in raw


def test_that_labels_of_no_answer_stand_in_one_line_in_a_file_of_stata(tmp_path: Path) -> None:
    labels = {".a": "not\nasked\0yet", ".b": "refused"}
    column = WrittenColumn(
        *("a", "", "scale", (".a", ".b", "1")),
        missing=TypedCodes((".a", ".b"), (), labels),
        are_codes_kept=True,
    )
    files = record_files(["dta"])
    with RecordWriter(tmp_path, (TextField("a"),), (column,), files) as writer:
        writer.append([[".a", ".b", "1"]])
    _, meta = pyreadstat.read_dta(tmp_path / "records.dta", user_missing=True)
    assert meta.variable_value_labels["a"] == {"a": "not asked yet", "b": "refused"}


def test_that_openpyxl_finds_texts_numbers_dates_and_labels(folder: Path) -> None:
    book = openpyxl.load_workbook(folder / "records.xlsx")
    assert book.sheetnames == ["records", "labels"]
    rows = list(book["records"].iter_rows())
    head = [cell.value for cell in rows[0]]
    assert head[8] == "city=New York"
    note = rows[2][head.index("note")]
    assert (note.value, note.data_type) == ("=1+1", "s")
    assert rows[1][head.index("day")].value.isoformat() == "2024-03-05T00:00:00"
    seconds = rows[1][head.index("seconds")]
    assert seconds.value.isoformat() == "2024-02-16T03:34:14"
    assert seconds.number_format.endswith("hh:mm:ss")
    assert rows[1][head.index("sex")].value == 1
    assert rows[4][head.index("income")].value is None
    said = [row for row in book["labels"].iter_rows(values_only=True) if row[0] == "sex"]
    assert said[1:] == [
        ("sex", None, None, 1, "male", None),
        ("sex", None, None, 2, "female", None),
        ("sex", None, None, -9, "(missing)", "yes"),
    ]


def test_that_arrow_files_say_what_their_columns_mean(folder: Path) -> None:
    feather = pyarrow.feather.read_table(folder / "records.feather")
    parquet = pyarrow.parquet.read_table(folder / "records.parquet")
    for table in (feather, parquet):
        told = json.loads(table.schema.metadata[COLUMNS_KEY.encode()])
        assert told[0]["label"] == "Sex of the respondent"
        assert told[0]["values"] == {"1": "male", "2": "female"}
        assert str(table.schema.field("day").type) == "date32[day]"
    assert feather.select(feather.column_names).equals(parquet)


@pytest.mark.skipif(shutil.which("pspp") is None, reason="PSPP is not installed")
@pytest.mark.parametrize("word", ["sav", "zsav"])
def test_that_pspp_reads_a_file_of_spss(folder: Path, word: str, tmp_path: Path) -> None:
    script = tmp_path / "read.sps"
    script.write_text(
        f"GET FILE='{folder / f'records.{word}'}'.\nDISPLAY DICTIONARY.\n"
        "LIST sex day quarter kept.\n"
    )
    done = subprocess.run(
        ["pspp", script], capture_output=True, text=True, timeout=HANG, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "warning" not in done.stdout + done.stderr
    assert "97 THRU" in done.stdout
    assert "1 Q 1990" in done.stdout


@pytest.mark.parametrize("word", ["parquet", *ASKED])
def test_that_records_read_back_are_those_of_csv(folder: Path, word: str) -> None:
    names = field_names(FIELDS)
    (csv,) = open_records(folder / "records.csv", FIELDS, lambda: COLUMNS).parts(names)
    (own,) = open_records(folder / f"records.{word}", FIELDS, lambda: COLUMNS).parts(names)
    for field in FIELDS:
        if isinstance(field, TextField):
            assert own.texts(field.name).texts() == csv.texts(field.name).texts(), field.name
            continue
        cells, other = csv.cells(field), own.cells(field)
        kept = ~np.broadcast_to(cells.empty, cells.reports.shape)
        np.testing.assert_array_equal(cells.reports[kept], other.reports[kept])
        np.testing.assert_array_equal(
            kept, ~np.broadcast_to(other.empty, other.reports.shape), field
        )


def test_that_names_are_made_to_fit_and_stay_apart() -> None:
    names = ("a b", "a_b", "A_B", "1st", "if", "ALL", "x" * 70, "x" * 69 + "y", "é=ü", "")
    for kind in RECORD_FILES:
        found = kind.column_names(names)
        folded = [name.casefold() for name in found]
        if kind.word() in ("sav", "zsav", "dta"):
            assert len(set(folded)) == len(names)
    sav = dict(zip(names, _kind("sav").column_names(names), strict=True))
    assert (sav["a_b"], sav["a b"], sav["A_B"]) == ("a_b", "a_b_3", "A_B_2")
    assert (sav["1st"], sav["ALL"], sav["é=ü"], sav["if"]) == ("v_1st", "ALL_2", "é_ü", "if")
    assert all(len(name.encode()) <= 64 for name in sav.values())
    dta = dict(zip(names, _kind("dta").column_names(names), strict=True))
    assert dta["if"] == "if_2"
    assert all(len(name) <= 32 for name in dta.values())


def test_that_names_cut_to_the_same_beginning_are_made_to_fit_in_steps_of_their_number() -> None:
    def steps(count: int) -> int:
        sizes: list[str] = []

        def size(name: str) -> int:
            sizes.append(name)
            return len(name)

        names = [f"{'q' * 40}{number}" for number in range(count)]
        found = fitting_names(names, lambda name: name, most=32, size=size)
        assert found[-1] == f"{'q' * 28}_{count}"
        return len(sizes)

    assert steps(900) - steps(600) == steps(600) - steps(300)


def _kind(word: str) -> Any:
    return next(kind for kind in RECORD_FILES if kind.word() == word)


@pytest.mark.parametrize(
    ("word", "columns", "rows", "message", "values"),
    [
        ("dta", (WrittenColumn("a", texts=("y" * 2046,)),), 1, "long-text", {"most": 2045}),
        ("dta", (WrittenColumn("a", texts=("y\0y",)),), 1, "zero-byte", {"column": "a"}),
        ("dta", (WrittenColumn("a", limit=2),) * 120_001, 1, "columns-do-not-fit", {}),
        ("sav", (WrittenColumn("a", texts=("y" * 32_768,)),), 1, "long-text", {"most": 32_767}),
        ("sav", (WrittenColumn("a", texts=("y", "y ")),), 1, "blanks-at-end", {"column": "a"}),
        ("sav", (WrittenColumn("a", texts=("y\0y",)),), 1, "zero-byte", {"column": "a"}),
        ("xlsx", (WrittenColumn("a", limit=2),) * 16_385, 1, "columns-do-not-fit", {}),
        ("xlsx", (WrittenColumn("a", limit=2),), 1_048_576, "records-do-not-fit", {}),
        ("xlsx", (WrittenColumn("a", texts=("😀" * 16_384,)),), 1, "long-excel-text", {}),
    ],
)
def test_that_what_a_format_cannot_hold_is_refused_with_a_sentence(
    word: str,
    columns: tuple[WrittenColumn, ...],
    rows: int,
    message: str,
    values: dict[str, object],
) -> None:
    with refused(f"data.formats.{message}", file=f"records.{word}", **values) as caught:
        require_fit(record_files([word]), columns, rows)
    assert isinstance(caught.value, ReleaseError)
    assert "yy" not in str(caught.value)


def test_that_nothing_is_left_of_files_that_are_given_up(tmp_path: Path) -> None:
    writer = RecordWriter(tmp_path, FIELDS, COLUMNS, record_files(ASKED))
    writer.append(_chunks())
    assert {path.name for path in tmp_path.iterdir()} <= possible_files()
    writer.abort()
    writer.abort()
    assert not list(tmp_path.iterdir())


def test_that_a_format_of_no_name_is_refused() -> None:
    assert known_word(" .SAV") == "sav"
    with pytest.raises(ParameterError, match="not written in a format"):
        known_word("doc")


def test_that_no_records_make_files_that_can_be_read(tmp_path: Path) -> None:
    with RecordWriter(tmp_path, FIELDS, COLUMNS, record_files(ASKED)):
        pass
    for word in ("sav", "zsav"):
        assert len(pyreadstat.read_sav(tmp_path / f"records.{word}")[0]) == 0
    assert len(pd.read_stata(tmp_path / "records.dta")) == 0
    assert openpyxl.load_workbook(tmp_path / "records.xlsx")["records"].max_row == 1


@pytest.mark.parametrize(
    "text", ["2024-02-16T03:34:14.0001", "1500-01-01T00:00:01", "2024-02-16T03:34:14Z"]
)
def test_that_a_moment_that_programs_cannot_hold_stays_a_text(text: str) -> None:
    assert WrittenColumn("a", texts=(text, "2024-02-16T03:34"), unit="minute").kind == "text"


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "-0", "007", "1_000", "9" * 20])
def test_that_what_is_no_plain_number_stays_a_text(text: str) -> None:
    assert WrittenColumn("a", texts=(text, "1")).kind == "text"


@pytest.mark.parametrize("names", ["a", "ab"])
@pytest.mark.parametrize("answers", [(1, 0, 2, 0), (0, 0)])
def test_that_a_record_of_empty_cells_alone_is_read_from_every_format(
    names: str, answers: tuple[int, ...], tmp_path: Path
) -> None:
    texts = ("", "x", "y")
    fields = tuple(SymbolField(name, texts) for name in names)
    columns = tuple(WrittenColumn(name, texts=texts) for name in names)
    files = record_files(ASKED)
    with RecordWriter(tmp_path, fields, columns, files) as writer:
        writer.append([np.array(answers)] * len(names))
    for kind in files:
        (records,) = open_records(tmp_path / kind.name, fields, lambda: columns).parts(names)
        for field in fields:
            assert records.cells(field).reports.ravel().tolist() == list(answers), kind.name
