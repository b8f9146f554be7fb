"""Parquet, Feather, JSON, fixed width, gzip and ZIP."""

from __future__ import annotations

import datetime
import decimal
import gzip
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from dpdesk.cli.main import main
from dpdesk.data.formats.texts import T
from dpdesk.data.layout_file import read_layout
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import LayoutField
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T as DataT
from dpdesk.errors import InputError
from dpdesk.plan import load_plan
from tests.refusals import refused

PLANTED = "planted-answer"
REAL = Path(pyarrow.__file__).parent / "tests" / "data"


def texts(table: SurveyTable) -> list[list[str]]:
    return [column.texts() for column in table.columns]


def typed() -> tuple[pd.DataFrame, list[list[str]]]:
    moments = pd.to_datetime(["2024-01-01 05:06:07.25", None, "2024-01-01"], format="mixed")
    columns = {
        "whole": ([1, 2, 3], ["1", "2", "3"]),
        "gaps": ([1.0, None, 3.0], ["1", "", "3"]),
        "single": (np.array([0.1, 2.5, 3], dtype=np.float32), ["0.1", "2.5", "3"]),
        "word": (["a", None, ""], ["a", "", ""]),
        "category": (pd.Categorical(["x", "y", None]), ["x", "y", ""]),
        "flag": ([True, False, None], ["true", "false", ""]),
        "day": (
            [datetime.date(1800, 2, 3), None, datetime.date(2024, 1, 1)],
            ["1800-02-03", "", "2024-01-01"],
        ),
        "moment": (moments, ["2024-01-01T05:06:07.25", "", "2024-01-01T00:00:00"]),
        "price": ([decimal.Decimal("1.50"), None, decimal.Decimal(2)], ["1.50", "", "2.00"]),
        "span": (pd.to_timedelta([1, None, 90_000], unit="s"), ["00:00:01", "", "25:00:00"]),
    }
    table = pd.DataFrame({name: cells for name, (cells, _) in columns.items()})
    return table, [found for _, found in columns.values()]


@pytest.mark.parametrize("name", ["analysis.py", "a.R", "note.md", "job.SPS", "book.ipynb"])
@pytest.mark.parametrize("text", [b"import os\nprint(1)\n", b"a,b\n1,2\n"])
def test_that_a_script_or_a_document_is_no_table(name: str, text: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    with refused("data.no-table-by-name"):
        load(path)
    path.rename(tmp_path / "a.txt")
    assert load(tmp_path / "a.txt").names


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
def test_that_every_type_has_its_text(name: str, tmp_path: Path) -> None:
    table, found = typed()
    path = tmp_path / name
    (table.to_parquet if path.suffix == ".parquet" else table.to_feather)(path)
    read = load(path)
    assert texts(read) == found
    assert not read.is_reading_found
    assert texts(load_declared(path, read.reading)) == found
    raw = path.read_bytes()
    for end in range(60, len(raw), len(raw) // 9):
        path.write_bytes(raw[:end])
        with pytest.raises(InputError, match=r"damaged or incomplete|Parquet file"):
            load(path)


@pytest.mark.parametrize(
    ("bits", "numbers", "found"),
    [
        ("float16", (0.1, 1e-5, 2, 65504), ["0.1", "1e-05", "2", "65504"]),
        ("float32", (0.1, 3.4e38, 2**24, -1e20), ["0.1", "3.4e+38", "16777216", "-1e+20"]),
        ("float64", (0.1, 3.4e38, 2**53, np.inf), ["0.1", "3.4e+38", "9007199254740992", "inf"]),
        (
            "float64",
            (1e17, -(2.0**63), 2.0**64),
            [f"{10**17}", f"{-(2**63)}", "1.8446744073709552e+19"],
        ),
    ],
)
def test_that_a_number_has_the_digits_of_its_precision(
    bits: str, numbers: tuple[float, ...], found: list[str], tmp_path: Path
) -> None:
    column = pyarrow.array(np.array(numbers, dtype=bits))
    pyarrow.parquet.write_table(pyarrow.table({"a": column}), tmp_path / "t.parquet")
    assert texts(load(tmp_path / "t.parquet")) == [found]


@pytest.mark.parametrize("name", ["t.parquet", "t.feather"])
def test_that_what_no_cell_holds_is_no_answer(name: str, tmp_path: Path) -> None:
    chosen = pd.Categorical(["x", "y"] * 20, categories=["never", "x", "y"])
    table = pd.DataFrame({"w": [0.5, 1.25] * 20, "sex": chosen, "age": [20, 30] * 20})
    path = tmp_path / name
    (table.to_parquet if path.suffix == ".parquet" else table.to_feather)(path)
    assert [sorted(c.distinct) for c in load(path).columns] == [
        ["0.5", "1.25"],
        ["x", "y"],
        ["20", "30"],
    ]
    plan = tmp_path / "plan.json"
    words = ["draft", str(path), "-o", str(plan), "--set", "sex=grr:1", "--confirm-domains"]
    assert main([*words, "--weights", "w", "--drop", "age", "--title", "T", "--curator", "C"]) == 0
    assert main(["check", str(plan), str(path)]) == 0


def test_that_lists_in_a_cell_are_refused(tmp_path: Path) -> None:
    pd.DataFrame({"a": [[1], [2]]}).to_parquet(tmp_path / "t.parquet")
    with refused("data.formats.no-plain-cells", column=1, file="t.parquet"):
        load(tmp_path / "t.parquet")


@pytest.mark.skipif(not REAL.is_dir(), reason="this build of pyarrow brings no files of its own")
@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("parquet/v0.7.1.parquet", 10, 11),
        ("parquet/v0.7.1.all-named-index.parquet", 10, 10),
        ("feather/v0.17.0.version.2-compression.lz4.feather", 5, 1),
    ],
)
def test_that_files_of_earlier_years_are_read(name: str, rows: int, columns: int) -> None:
    table = load(REAL / name)
    assert (table.rows, len(table.columns)) == (rows, columns)


@pytest.mark.parametrize(
    "text",
    [
        '[{"a":1,"b":0.10,"c":["x","y"]},\n {"a":3.0,"d":true,"c":[],"b":null}]',
        '{"a":1,"b":0.10,"c":["x","y"]}\n\n{"a":3.0,"d":true,"c":[]}\n',
    ],
)
def test_that_records_of_json_keep_the_digits_of_their_numbers(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    found = [["1", "3"], ["0.10", ""], ["x;y", "(none)"], ["", "true"]]
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_text(text, encoding=encoding)
        table = load(path)
        assert (table.names, texts(table)) == (("a", "b", "c", "d"), found)
        assert table.reading.words == "JSON file"


@pytest.mark.parametrize(
    ("text", "message", "values"),
    [
        ('[{"a":1},{"a":{"b":"%s"}}]', "nested", {"record": 2}),
        ('[{"a":["%s;"]}]', "no-options", {"record": 1}),
        ('[{"a":"%s"},{"a":2}', "not-json", {"record": 2}),
        ('[{"a":"%s"} {"a":2}]', "not-json", {"record": 1}),
        ('{"a":"%s"}{"a":2}', "not-json", {"record": 1}),
        ('[{"a":"%s"}] x', "not-json", {"record": 2}),
        ('[{"a":NaN,"b":"%s"}]', "not-json", {"record": 1}),
        ('[{"a":1,"a":"%s"}]', "not-json", {"record": 1}),
        ('[{"a":1},"%s"]', "no-object", {"record": 2}),
        ('[{"a":"%s}]', "not-json", {"record": 1}),
        ('[{"a":' + "[" * 100_000 + "%s", "nested", {"record": 1}),
        ('[{"a":1},{"a":"\\ud83d%s"}]', "not-json", {"record": 2}),
        ('[{"a":["\\ud83d"]}]', "not-json", {"record": 1}),
        ('{"a\\uDE00":"%s"}', "not-json", {"record": 1}),
        ("[]", "empty", {"file": "t.json"}),
        ('{"a":{"0":"%s","1":2},"b":{"0":3,"1":4}}', "not-records", {}),
        ('{"a":["%s",2],"b":[3,4]}', "not-records", {}),
        ('{"next":"x","results":[{"a":"%s"}]}', "values-beside-list", {"name": "results"}),
        ('{"columns":["a","b"],"data":[[1,2],["%s"]]}', "wrong-row", {"row": 2, "columns": 2}),
        ('{"columns":["a","b"],"data":"%s"}', "not-records", {}),
        ('{"columns":["a","a"],"data":[[1,"%s"]]}', "bad-names", {}),
    ],
)
def test_that_other_json_is_refused_by_its_record(
    text: str, message: str, values: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "t.json"
    path.write_text(text.replace("%s", PLANTED), encoding="utf-8")
    with refused(f"data.formats.{message}", **values) as caught:
        load(path)
    assert PLANTED not in str(caught.value)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("text", ['[[1,"%s"]]', '"%s"'])
def test_that_json_without_objects_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(text.replace("%s", PLANTED), encoding="utf-8")
    with pytest.raises(InputError, match="does not hold objects") as caught:
        load(path)
    assert PLANTED not in str(caught.value)


@pytest.mark.parametrize("orient", ["split", "tight", "table", "records"])
def test_that_one_object_with_the_records_within_it_is_read_with_a_word(
    orient: str, tmp_path: Path
) -> None:
    rows: dict[str, object] = {"columns": ["a", "b"], "data": [["x", 0.1], [None, ["y", "z"]]]}
    records = [{"a": "x", "b": 0.1}, {"a": None, "b": ["y", "z"]}]
    whole = {
        "split": rows | {"index": [0, 1]},
        "tight": rows | {"index": [0, 1], "index_names": [None], "column_names": [None]},
        "table": {"schema": {"fields": []}, "data": records},
        "records": {"records": records},
    }
    path = tmp_path / "t.json"
    path.write_text(json.dumps(whole[orient]), encoding="utf-8")
    table = load(path)
    assert (table.names, texts(table)) == (("a", "b"), [["x", ""], ["0.1", "y;z"]])
    rows_read, list_read = T.ROWS_READ(), T.LIST_READ(name=list(whole[orient])[-1])
    assert table.notices[0] == (rows_read if "columns" in whole[orient] else list_read)
    # A list of one record, and a line of one, are what they are.
    for text in ('[{"records":["x","y"]}]', '{"records":["x","y"]}'):
        path.write_text(text, encoding="utf-8")
        assert (load(path).rows, load(path).notices) == (1, ())


def test_that_pages_and_pictures_are_named(tmp_path: Path) -> None:
    page = tmp_path / "t.xls"
    page.write_text("<html><table><tr><td>a</td></tr></table>", encoding="utf-8")
    with refused("data.foreign-format", format="web page"):
        load(page)
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("x.png", b"\x89PNG\r\n\x1a\n" + bytes(99))
    with pytest.raises(InputError, match="is not read: picture"):
        load(tmp_path / "t.zip")
    # What a file holds decides, whatever its name ends with.
    (tmp_path / "csv.json").write_text("a,b\n1,2\n", encoding="utf-8")
    assert load(tmp_path / "csv.json").names == ("a", "b")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (
            b"**COMPRESSED** **COMPRESSED** **COMPRESSED** **COMPRESSED**\n",
            "SAS file of proc cport",
        ),
        (b'\xef\xbb\xbf<?xml version="1.0"?>\n<codeBook/>\n', "XML"),
        (gzip.compress(b"X\n\0\0\0\3\0\4\2\2" + bytes(99), mtime=0), "R object (rds)"),
        (gzip.compress(b"t.csv" + bytes(252) + b"ustar" + bytes(300), mtime=0), "tar archive"),
        (b"\0\1\0\0Standard Jet DB" + bytes(99), "Access database"),
        (b"\x80\x04\x95" + bytes(99), "Python object (pickle)"),
        (b"\xff\xff\xff\xff" + bytes(99), "Arrow stream"),
    ],
)
def test_that_files_of_other_programs_are_named(raw: bytes, told: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(raw)
    with refused("data.foreign-format", file="t", format=told) as caught:
        load(tmp_path / "t")
    assert caught.value.remedy


def test_that_a_pair_of_surrogates_is_a_letter(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text('[{"a":"\\ud83d\\ude00"}]', encoding="utf-8")
    assert texts(load(tmp_path / "t.json")) == [["\U0001f600"]]


LAYOUT = "name,start,width,label\nid,1,3,\nage,4,2,Age in years\nincome,7,5,\n"
FIXED = "00123 12,50\r\n00245 1,0\n\n00399 100,2xx\n"


def test_that_a_layout_cuts_lines_and_stands_in_the_plan(tmp_path: Path) -> None:
    path, layout, plan = (tmp_path / name for name in ("t.dat", "layout.csv", "plan.json"))
    path.write_bytes(FIXED.encode())
    layout.write_text(LAYOUT, encoding="utf-8")
    words = ["--layout", str(layout), "--decimal", ","]
    assert main(["draft", str(path), "-o", str(plan), *words]) == 0
    drafted = load_plan(plan)
    assert drafted.column("age").label == "Age in years"
    reading = drafted.reading
    assert reading is not None
    assert reading.layout[1] == LayoutField(name="age", start=4, width=2, label="Age in years")
    assert reading.words == "fixed width file, 3 columns by their positions, decimal comma"
    table = load_declared(path, reading)
    assert texts(table) == [["001", "002", "003"], ["23", "45", "99"], ["12,50", "1,0", "100,2"]]
    assert T.LONG_LINES(count=1) in table.notices


def test_that_a_sign_within_an_answer_ends_no_line(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text("1a\u2028b\n2c\x0bd\n", encoding="utf-8")
    fields = (LayoutField(name="n", start=1, width=1), LayoutField(name="t", start=2, width=3))
    table = load(path, layout=fields, format="fixed width")
    assert texts(table) == [["1", "2"], ["a\u2028b", "c\x0bd"]]
    # Encoding and decimal mark were found in the answers.
    assert table.is_reading_found


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ("name,start\na,1\n", str(DataT.NO_LAYOUT())),
        ("name,start,width\na,x,1\n", f"Row 2 is not valid. {DataT.NO_WHOLE_NUMBERS()}"),
        ("name,start,width\na,1,1\nb,0,1\n", "Row 3 is not valid"),
        ("name,start,end\na,5,3\n", "Row 2 is not valid"),
        ("name,start,end\na,1,3\na,4,5\n", str(DataT.LAYOUT_REPEATS())),
        ("", "layout.csv is empty"),
    ],
)
def test_that_a_layout_that_is_none_is_refused(layout: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "layout.csv").write_text(layout, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        read_layout(tmp_path / "layout.csv")


def zipped(**files: bytes) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return raw.getvalue()


TABLE = b"a,b\n1,2\n"


@pytest.mark.parametrize(
    "raw",
    [
        gzip.compress(TABLE),
        zipped(**{"in/a.csv": TABLE, "about.pdf": b"x", "__MACOSX/._a.csv": b"x"}),
        zipped(answers=TABLE),
        zipped(**{"a.csv": TABLE, "README.TXT": b"hello", "terms.txt": b"x"}),
        zipped(**{"a.txt": TABLE, "about.pdf": b"x"}),
    ],
    # Archives hold the time: an id of their bytes would differ between processes.
    ids=["gzip", "zip with a page", "zip", "zip with texts", "zip of a text"],
)
def test_that_one_table_is_unpacked(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(raw)
    table = load(path)
    assert (table.name, texts(table)) == ("t.csv.gz", [["1"], ["2"]])
    assert texts(load_declared(path, table.reading)) == [["1"], ["2"]]


@pytest.mark.parametrize(
    ("raw", "message", "values"),
    [
        (zipped(**{"a.csv": TABLE, "b.sav": b"x"}), "several-tables", {"tables": "a.csv, b.sav"}),
        (zipped(**{"a.txt": TABLE, "b.txt": b"x"}), "several-tables", {"tables": "a.txt, b.txt"}),
        (zipped(**{"a.pdf": b"x", "b.pdf": b"x"}), "no-table", {}),
        (zipped(), "no-table", {}),
        (zipped(**{"a.csv": zipped(b=TABLE)}), "archive-in-archive", {}),
        (gzip.compress(zipped(b=TABLE)), "archive-in-archive", {}),
        (gzip.compress(TABLE * 1000)[:-12], "damaged", {}),
        (zipped(**{"a.csv": TABLE})[:-20], "damaged", {}),
        (gzip.compress((b"x" * 999 + b"\n") * (300 << 10), 9), "unpacks-to-more", {}),
        (zipped(**{"a.csv": bytes(300 << 20)}), "unpacks-to-more", {}),
    ],
    ids=[
        "two",
        "two texts",
        "none",
        "empty",
        "nested",
        "nested gz",
        "cut gz",
        "cut",
        "bomb gz",
        "bomb",
    ],
)
def test_that_other_archives_are_refused(
    raw: bytes, message: str, values: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "t.zip"
    path.write_bytes(raw)
    with refused(f"data.formats.{message}", file="t.zip", **values):
        load(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, 97])
def test_that_damaged_data_of_every_compression_are_refused(method: int, tmp_path: Path) -> None:
    raw = io.BytesIO()
    rng = np.random.default_rng(1)
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED if method == 97 else method) as archive:
        archive.writestr("a.csv", "".join(f"{n}\n" for n in rng.integers(0, 99, 2000)))
    content = bytearray(raw.getvalue())
    if method == 97:
        # A method that nobody here reads.
        content[8], content[content.index(b"PK\x01\x02") + 10] = 97, 97
    else:
        content[60:100] = b"\xff" * 40
    (tmp_path / "t.zip").write_bytes(content)
    with refused("data.formats.damaged", file="t.zip"):
        load(tmp_path / "t.zip")


def test_that_names_in_an_archive_take_no_effect_in_a_message(tmp_path: Path) -> None:
    (tmp_path / "t.zip").write_bytes(zipped(**{"\x1b[31mevil\n.csv": TABLE, "b.csv": TABLE}))
    tables = r"\x1b[31mevil\x0a.csv, b.csv"
    with refused("data.formats.several-tables", number=2, tables=tables) as caught:
        load(tmp_path / "t.zip")
    assert str(caught.value).isprintable()


def test_that_an_encrypted_archive_is_named(tmp_path: Path) -> None:
    raw = bytearray(zipped(**{"a.csv": TABLE}))
    place = raw.index(b"PK\x01\x02")
    raw[place + 8] |= 1
    path = tmp_path / "t.zip"
    path.write_bytes(raw)
    with refused("data.formats.locked", file="t.zip"):
        load(path)


def test_that_a_parquet_file_of_some_kilobytes_takes_no_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    # Texts that are not too long are held several times until they are told apart.
    for letters, texts in ((900_000, 300), (900_000, 90), (9_000, 9_000)):
        long = pyarrow.table({"a": [f"{'x' * letters}{number}" for number in range(texts)]})
        pyarrow.parquet.write_table(long, path, compression="zstd", use_dictionary=False)
        assert path.stat().st_size < 100_000
        with refused("data.formats.unpacks-to-more", size=64):
            load(path)


def test_that_a_feather_file_of_some_kilobytes_takes_no_gigabyte(tmp_path: Path) -> None:
    path = tmp_path / "t.feather"
    long = pyarrow.table({"a": [f"{'x' * 9_000}{number}" for number in range(9_000)]})
    pyarrow.feather.write_feather(long, path, compression="zstd", chunksize=1_000)
    assert path.stat().st_size < 500_000
    with refused("data.formats.unpacks-to-more", size=64):
        load(path)
