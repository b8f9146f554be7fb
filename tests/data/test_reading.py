"""A file is read by a declared reading: nothing is found out, and a wrong cell spoils itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pydantic import ValidationError

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import ENCODINGS, Reading, encoding_name, known_encoding
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T
from dpdesk.errors import InputError, ParameterError
from tests.refusals import refused


def read(tmp_path: Path, content: str | bytes, **parts: object) -> SurveyTable:
    path = tmp_path / "t.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_declared(path, Reading(**parts))  # type: ignore[arg-type]


def cells(table: SurveyTable) -> list[list[str]]:
    return [column.texts() for column in table.columns]


@pytest.mark.parametrize(
    ("parts", "cause"),
    [
        ({"delimiter": '"'}, str(T.BAD_DELIMITER())),
        ({"delimiter": "'", "quote": "'"}, str(T.SAME_MARKS())),
        ({"delimiter": "ab"}, str(T.BAD_DELIMITER())),
        ({"encoding": "klingon"}, str(T.UNKNOWN_ENCODING(name="klingon"))),
        ({"encoding": "unicode_escape"}, "unicode-escape"),
        ({"encoding": "utf-7"}, "utf-7"),
        ({"decimal": ";"}, "decimal"),
        ({"quote": "`"}, "quote"),
        ({"header_rows": -1}, "header_rows"),
        ({"header_rows": "1"}, "header_rows"),
        ({"missing": ("",)}, "missing"),
        ({"columns": 3}, "columns"),
    ],
)
def test_that_a_reading_that_is_not_possible_is_refused(parts: dict, cause: str) -> None:
    with pytest.raises(ValidationError, match=cause):
        Reading(**parts)


def test_that_an_encoding_has_one_name() -> None:
    assert Reading(encoding="UTF8") == Reading(encoding="utf-8-sig") == Reading()
    assert Reading(encoding="latin-1").encoding == "iso8859-1"
    assert encoding_name(Reading(encoding="windows-1252").encoding) == "Windows-1252"


def test_that_the_words_and_the_options_say_every_part() -> None:
    assert Reading().words == "comma-separated, UTF-8, decimal point"
    odd = Reading(
        encoding="cp1252",
        delimiter="|",
        quote="",
        decimal=",",
        header_rows=3,
        missing=("-9", "a b", "c,d"),
    )
    assert odd.words == (
        "vertical bar-separated, Windows-1252, decimal comma, without quotation "
        "marks, 3 header rows, 3 codes for no answer"
    )
    assert odd.options == (
        "--encoding cp1252 --delimiter bar --decimal , --quote none --header-rows 3 "
        "--missing-code=-9 '--missing-code=a b' '--missing-code=\"c,d\"'"
    )
    assert Reading(header_rows=0, quote="'").words.endswith("quoted by ', no header")


def test_that_a_declared_reading_is_used_whatever_the_file_looks_like(tmp_path: Path) -> None:
    content = "a;b,c\n1;2,5\n3;4,5\n"
    assert load(write(tmp_path, content)).reading.delimiter == ";"
    table = read(tmp_path, content)
    assert table.names == ("a;b", "c")
    assert not table.is_reading_found
    assert load(write(tmp_path, content)).is_reading_found


def write(tmp_path: Path, content: str) -> Path:
    path = tmp_path / "seen.csv"
    path.write_text(content, encoding="utf-8")
    return path


def test_that_a_wrong_byte_spoils_its_own_cell_and_no_other(tmp_path: Path) -> None:
    table = read(tmp_path, b"city,n\n\xd6sterreich,1\nM\xc3\xbcnchen,2\n\xe2\x82,3\n\xf0\x9f,4\n")
    assert cells(table)[0] == [f"{UNREADABLE}sterreich", "München", UNREADABLE, UNREADABLE]
    assert cells(table)[1] == ["1", "2", "3", "4"]
    assert table.notices == (T.INVALID_BYTES(file="t.csv", encoding="UTF-8", line=2),)
    western = read(tmp_path, b"a\n\x81\n\xe9\n", encoding="cp1252")
    assert cells(western) == [[UNREADABLE, "é"]]
    plain = read(tmp_path, b"a\n\xe9\nx\n", encoding="ascii")
    assert cells(plain) == [[UNREADABLE, "x"]]


@pytest.mark.parametrize("encoding", ["utf-16-le", "shift_jis", "gb18030"])
def test_that_where_letters_hang_on_their_neighbours_a_wrong_byte_refuses_the_file(
    tmp_path: Path, encoding: str
) -> None:
    broken = "a\nкот\n".encode(encoding) + b"\x81"
    with refused("data.invalid-byte"):
        read(tmp_path, broken, encoding=encoding)


def test_that_a_name_of_wrong_bytes_refuses_the_file(tmp_path: Path) -> None:
    with refused("data.invalid-name"):
        read(tmp_path, b"gr\xf6\xdfe\n1\n")
    assert read(tmp_path, b"gr\xf6\xdfe\n1\n", encoding="cp1252").names == ("größe",)


def test_that_header_rows_are_no_answers_and_the_first_names_the_columns(tmp_path: Path) -> None:
    content = 'Q1,Q2\n"How old\nare you?",Sex\n\n{ImportId},{x}\n20,f\n30,m\n'
    table = read(tmp_path, content, header_rows=3)
    assert table.names == ("Q1", "Q2")
    assert cells(table) == [["20", "30"], ["f", "m"]]
    assert read(tmp_path, content).rows == 4
    numbered = read(tmp_path, "1,2\n3,4\n", header_rows=0)
    assert (numbered.names, numbered.rows) == (("column 1", "column 2"), 2)
    with pytest.raises(InputError, match="no answers"):
        read(tmp_path, "a,b\n1,2\n", header_rows=2)


def test_that_quotation_marks_are_those_that_are_declared(tmp_path: Path) -> None:
    single = read(tmp_path, "a,b\n'x, ''y''',\"z\n", quote="'")
    assert cells(single) == [["x, 'y'"], ['"z']]
    none = read(tmp_path, 'a,b\n"x,y"\n', quote="")
    assert cells(none) == [['"x'], ['y"']]
    with pytest.raises(InputError, match="never closed") as caught:
        read(tmp_path, "a,b\n'x,2\n", quote="'")
    assert "'…'" in caught.value.remedy


def test_that_a_sep_line_must_say_what_is_declared(tmp_path: Path) -> None:
    assert cells(read(tmp_path, "sep=;\na;b\n1;2\n", delimiter=";")) == [["1"], ["2"]]
    with pytest.raises(InputError, match="another delimiter") as caught:
        read(tmp_path, "sep=;\na;b\n1;2\n")
    assert caught.value.line == 1


@pytest.mark.parametrize("header_rows", [0, 1])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_that_in_one_column_every_blank_line_is_an_answer_wherever_it_stands(
    tmp_path: Path, header_rows: int, end: str
) -> None:
    # Else the last answer would decide whether the blank ones before it count.
    names = ["age"] * header_rows
    for answers in (
        *(["1", "", "", "2"], ["1", "", ""], ["", "", "1"], ["", "1", "", ""], ["1"]),
        *([["", ""], ["", "", ""]] if header_rows else []),
    ):
        text = "".join(line + end for line in [*names, *answers])
        assert cells(read(tmp_path, text, header_rows=header_rows)) == [answers]
        without = text.removesuffix(end)
        if answers[-1]:
            assert cells(read(tmp_path, without, header_rows=header_rows)) == [answers]


def test_that_marks_of_byte_order_are_no_part_of_the_first_name(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeff\ufeffa,b\n1,2\n").names == ("a", "b")
    assert read(tmp_path, "\ufeffa\n1\n".encode("utf-16-le"), encoding="utf-16").names == ("a",)


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_that_in_no_encoding_a_line_changes_what_another_one_says(encoding: str) -> None:
    assert known_encoding(encoding) == encoding
    draw = random.Random(20_260_701)
    end, pools = "\n".encode(encoding), (range(256), range(128, 256), range(0x1B, 0x80))
    mark = "".encode(encoding)
    end, wide = end.removeprefix(mark), len(end.removeprefix(mark))
    kept = 0
    for _ in range(3_000):
        pool = draw.choice(pools)
        line = bytes(draw.choice(pool) for _ in range(draw.randrange(1, 6) * wide))
        other = "other".encode(encoding).removeprefix(mark)
        try:
            whole = (mark + line + end + other).decode(encoding)
        except UnicodeDecodeError:
            # The whole file is refused.
            continue
        kept += 1
        assert whole == (mark + line).decode(encoding) + "\n" + "other"
    # Bytes at random are hardly ever letters of UTF-32, where each has four.
    assert kept > 50 or wide == 4


ESCAPES = "iso2022_jp iso2022_kr iso2022_jp_2004 hz utf-7 unicode_escape idna cp037"


@pytest.mark.parametrize("encoding", ESCAPES.split())
def test_that_encodings_whose_escapes_hold_beyond_a_line_are_refused(encoding: str) -> None:
    with refused("data.unsafe-encoding"):
        known_encoding(encoding)
    with pytest.raises((ParameterError, ValidationError)):
        Reading(encoding=encoding)
