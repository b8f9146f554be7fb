from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.errors import InputError, ParameterError
from tests.refusals import refused

HEADER = ["id", "answer", "note, free", 'the "quoted"']
ROWS = [
    ["0012", "NA", "plain", ""],
    ["0013", "", "two\nlines", 'say "yes"'],
    [" x ", "naïve €", "a;b|c\td,e", "-9"],
    ["", "", "", "0"],
]


def texts(table: SurveyTable) -> list[list[str]]:
    return [list(row) for row in zip(*(column.texts() for column in table.columns), strict=True)]


def written(rows: list[list[str]], delimiter: str, line_end: str, quoting: int) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=delimiter, lineterminator=line_end, quoting=quoting).writerows(
        rows
    )
    return buffer.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_that_every_common_dialect_is_recognised_and_read_exactly(
    tmp_path: Path, delimiter: str, line_end: str, encoding: str, quoting: int
):
    rows = [HEADER, *ROWS]
    if quoting == csv.QUOTE_MINIMAL:
        # Some versions of csv.writer leave a foreign line end without quotation marks.
        rows = [[cell.replace("\n", line_end) for cell in row] for row in rows]
    path = tmp_path / "table.csv"
    path.write_bytes(written(rows, delimiter, line_end, quoting).encode(encoding))
    table = load(path)
    assert table.reading.delimiter == delimiter
    assert list(table.names) == HEADER
    assert texts(table) == rows[1:]


def test_that_the_encoding_that_was_found_is_named(tmp_path: Path):
    path = tmp_path / "t.csv"
    for encoding, found in [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-16-le", "utf-16-le"),
        ("utf-32", "utf-32-le"),
        ("cp1252", "cp1252"),
    ]:
        path.write_bytes("größe,n\nklein – €,2\n".encode(encoding))
        table = load(path)
        assert table.reading.encoding == found
        assert table.names == ("größe", "n")
        assert texts(table) == [["klein – €", "2"]]


def test_that_a_guessed_encoding_is_told(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_bytes("größe\nklein\n".encode("latin-1"))
    assert "Windows-1252" in load(path).notices[0]
    path.write_bytes(b"gr\xf6\xdfe\n\x81\n")
    assert "Latin-1" in load(path).notices[0]
    path.write_bytes("größe\nklein\n".encode())
    assert load(path).notices == ()


def test_that_a_chosen_encoding_is_used_and_refused_where_bytes_do_not_belong_to_it(
    tmp_path: Path,
):
    path = tmp_path / "t.csv"
    path.write_bytes("a\nкот\n".encode("koi8-r"))
    assert load(path, encoding="koi8-r").column("a").texts() == ["кот"]
    with refused("data.invalid-byte", line=2, encoding="UTF-8") as caught:
        load(path, encoding="utf-8")
    assert caught.value.line == 2
    with refused("data.unknown-encoding"):
        load(path, encoding="klingon")
    with refused("data.unknown-encoding"):
        load(path, encoding="base64")


def test_that_one_wrong_byte_in_a_utf8_file_is_located_not_guessed_away(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n" + "größe\n".encode() * 50 + b"\xff\n")
    with refused("data.invalid-byte", encoding="UTF-8") as caught:
        load(path)
    assert caught.value.line == 52


def test_that_letters_split_between_pieces_of_a_large_file_are_decoded_whole(tmp_path: Path):
    path = tmp_path / "t.csv"
    line = "€" * 1000 + "\n"
    rows = (1 << 22) // len(line.encode()) + 10
    for pad in ("", "x", "xx"):
        path.write_text("a" + pad + "\n" + line * rows, encoding="utf-8")
        table = load(path)
        assert table.reading.encoding == "utf-8"
        assert table.columns[0].distinct == ["€" * 1000]
        assert table.rows == rows


@pytest.mark.parametrize(
    ("content", "decimal"),
    [
        ("a;b\n1,5;x\n2;y\n", ","),
        ("a;b\n1.5;x\n2;y\n", "."),
        ("a;b\n1;x\n2;y\n", "."),
        ("a;b\n1,5;1.5\n2,5;2.5\n", "."),
        ("a;b\n1,5;x, y\n2,5;z\n", ","),
        ('a,b\n"1,500",2\n"2,500",3\n', "."),
        # Groups of three digits everywhere may be thousands: the column is asked about.
        ("a;b\n1,500;x\n2,500;y\n", "."),
        ("a;b\n0,500;x\n2,500;y\n", ","),
        ("a;b\n1,500;x\n2,5;y\n", ","),
    ],
)
def test_that_the_decimal_mark_follows_from_the_numbers(tmp_path: Path, content: str, decimal: str):
    path = tmp_path / "t.csv"
    path.write_text(content)
    assert load(path).reading.decimal == decimal
    assert load(path, decimal=",").reading.decimal == ","


def test_that_a_decimal_comma_without_header_is_no_delimiter(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_text("1,5;2,5\n3,5;4,0\n")
    table = load(path, header_rows=0)
    assert table.names == ("column 1", "column 2")
    assert texts(table) == [["1,5", "2,5"], ["3,5", "4,0"]]
    assert table.reading.header_rows == 0


def test_that_a_sep_line_of_a_spreadsheet_names_the_delimiter(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"sep=^\r\na^b\r\n1^2\r\n")
    table = load(path)
    assert table.reading.delimiter == "^"
    assert texts(table) == [["1", "2"]]
    path.write_bytes(b"sep=^\r\na^b\r\n1^2^3\r\n")
    with pytest.raises(InputError) as caught:
        load(path)
    assert caught.value.line == 3


def test_that_one_column_with_commas_is_read_whole_and_told(tmp_path: Path):
    path = tmp_path / "t.csv"
    path.write_text("comment\nI like it, very much\nnot at all\n")
    table = load(path)
    assert table.column("comment").texts() == ["I like it, very much", "not at all"]
    assert "choose the delimiter" in table.notices[0]


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "€"])
def test_that_an_impossible_delimiter_is_refused(tmp_path: Path, delimiter: str):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ParameterError, match="one ASCII character"):
        load(path, delimiter=delimiter)
    with pytest.raises(ParameterError, match="decimal mark"):
        load(path, decimal=";")
