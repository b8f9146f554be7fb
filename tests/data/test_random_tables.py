from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.dialect import separators
from dpdesk.data.read_file import load
from dpdesk.data.structure import Structure
from dpdesk.errors import InputError

LETTERS = st.one_of(
    st.sampled_from(list(" ,;|\t\"\n\r'=-0123.NAéß€")),
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufeff"),
)
CELLS = st.text(LETTERS, max_size=8)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    width = draw(st.integers(1, 5))
    name = CELLS.map(str.strip).filter(bool)
    names = st.lists(name, min_size=width, max_size=width, unique=True)
    row = st.lists(CELLS, min_size=width, max_size=width)
    if width > 1:
        row = row.filter(lambda cells: "".join(cells).strip() != "")
    return draw(names), draw(st.lists(row, min_size=1, max_size=12))


@given(
    tables(),
    st.sampled_from([",", ";", "\t", "|", ":", " "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.booleans(),
)
def test_that_what_a_csv_writer_writes_is_read_back_exactly(
    table: tuple[list[str], list[list[str]]],
    delimiter: str,
    line_end: str,
    encoding: str,
    quote_all: bool,
):
    names, rows = table
    broken = any(mark in cell for row in [names, *rows] for cell in row for mark in "\r\n")
    # Python before 3.13 leaves a line end that is not its own without quotation marks.
    quoting = csv.QUOTE_ALL if quote_all or broken else csv.QUOTE_MINIMAL
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, lineterminator=line_end, quoting=quoting).writerows(
        [names, *rows]
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_bytes(buffer.getvalue().encode(encoding))
        read = load(path, delimiter=delimiter)
    assert list(read.names) == names
    assert [column.texts() for column in read.columns] == [list(c) for c in zip(*rows, strict=True)]


@given(st.binary(max_size=60).map(lambda raw: bytes(b'a1,;"\n\r\xc3\xa9 '[b % 10] for b in raw)))
def test_that_any_bytes_become_a_table_of_all_records_or_a_refusal(raw: bytes):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_bytes(raw)
        try:
            table = load(path, header_rows=0)
        except InputError:
            return
    assert table.rows == slow_count(raw, len(table.columns), table.reading.delimiter)


def slow_count(raw: bytes, width: int, delimiter: str) -> int:
    """Records of a sound text that hold an answer, one byte after the other."""
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    # In one column a blank line is an answer wherever it stands; the last line end ends a line.
    text = text.removesuffix("\n") if width == 1 else text.strip("\n")
    records, record, inside = 0, "", False
    for letter in text + "\n":
        if letter == '"':
            inside = not inside
        if letter == "\n" and not inside:
            cells = next(csv.reader([record], delimiter=delimiter), [])
            records += width == 1 or "".join(cells).strip() != ""
            record = ""
        else:
            record += letter
    return records


@given(st.text(alphabet=st.sampled_from('a,"\n\r'), max_size=40))
def test_that_the_vectorised_separators_are_those_found_byte_by_byte(text: str):
    raw = np.frombuffer(text.encode(), dtype=np.uint8)
    seen = separators(raw, ord(","))
    found = list(zip(seen.offsets.tolist(), seen.record_ends.tolist(), strict=True))
    expected, inside = [], False
    for offset, letter in enumerate(text):
        inside ^= letter == '"'
        before_lf = letter == "\r" and text[offset + 1 : offset + 2] == "\n"
        if not inside and letter in ",\n\r" and not before_lf:
            expected.append((offset, letter != ","))
    assert found == expected


def test_that_the_structure_of_a_text_is_counted():
    text = b'"a ""b""",c\n1,"2\n3"\n\n4,5'
    structure = Structure(",", "t")
    assert [block.text for block in structure.blocks([text])] == [text]
    assert (structure.columns, structure.records, structure.blank_lines) == (2, 3, 1)
    assert structure.quoted_line_ends == 1
    assert text[structure.first_starts[1] :].startswith(b"1,")
