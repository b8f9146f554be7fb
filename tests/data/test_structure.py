from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dpdesk.data import read_delimited
from dpdesk.data.read_file import load
from dpdesk.data.structure import FIELD_LIMIT, Structure
from dpdesk.data.texts import T
from dpdesk.errors import Cancelled
from tests.refusals import refused


def loaded(tmp_path: Path, content: str | bytes, **choices):
    path = tmp_path / "survey.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load(path, **choices)


LOCATED = [
    ("a,b\n1,2\n3\n4,5\n", 3, "ragged-at-top"),
    ("a,b\n1,2\n3,4,5\n", 3, "ragged-at-top"),
    ("a,b\n1,2\n \n3,4\n", 3, "ragged-at-top"),
    ("a,b\n1,2,\n", 2, "ragged-at-top"),
    ('a,b\n1,"2\n3,4\n', 2, "never-closed"),
    ('a,b\n1,"2\n3,"4"\n', 2, "text-after-mark"),
    ('a,b\n1,2"\n', 2, "stray-mark"),
    ('a,b\n1,x"y"z\n', 2, "stray-mark"),
    ('a,b\n1,"x"y\n', 2, "text-after-mark"),
    ('a,b\n1, "x"\n', 2, "stray-mark"),
    ('a,b\n1,"x" \n', 2, "text-after-mark"),
    ('a,b\n1,"x\\"y"\n', 2, "text-after-mark"),
    ('a,b\n1,""x\n', 2, "text-after-mark"),
    ('a,b\n1,x""\n', 2, "stray-mark"),
    ('"a,b\n1,2\n', 1, "never-closed"),
    ('"', 1, "never-closed"),
    ('a,b\n"1\n2","3\n"\n4\n', 5, "ragged-at-top"),
    ("a,b\r1,2\r3\r", 3, "ragged-at-top"),
    ("a,b\r\n1,2\r\n3\r\n", 3, "ragged-at-top"),
    ("\n\na,b\n1,2\n3\n", 5, "ragged-at-top"),
    ("a,b\n1,2\n3,\0\n", 3, "nul-byte"),
    ("a,b\n1,2\n" + "3," + "x" * (FIELD_LIMIT + 1) + "\n", 3, "long-answer"),
    ("a,b\n", 1, "names-alone"),
    ("a,b", 1, "names-alone"),
]


@pytest.mark.parametrize(("content", "line", "cause"), LOCATED)
@pytest.mark.parametrize("block", [1, 3, 1 << 21])
def test_that_a_broken_record_is_located_with_cause_and_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, line: int, cause: str, block: int
):
    if len(content) > 1000 and block < 1000:
        block = 4096
    monkeypatch.setattr(read_delimited, "PIECE", block)
    with refused(f"data.{cause}", file="survey.csv") as caught:
        loaded(tmp_path, content, delimiter=",")
    assert caught.value.line == line
    assert caught.value.remedy


EXACT = [
    ('a,b\n"x ""y""","1\n2"\n', [['x "y"'], ["1\n2"]]),
    ('a,b\n"""",""\n', [['"'], [""]]),
    ('a,b\r\n"",""\r\n"","1"\r\n', [[""], ["1"]]),
    ("a,b\n,\n1,\n ,\n,2\n,\n", [["1", ""], ["", "2"]]),
    ("a,b\n\n1,2\n\r\n3,4\n\n\n", [["1", "3"], ["2", "4"]]),
    ("a\n\n1\n\n2\n\n\n", [["", "1", "", "2", "", ""]]),
    ('a\n""\n1', [["", "1"]]),
    ("a\r\n\r\n1\r\n", [["", "1"]]),
    ("a,b\n1,2\r3,4\r\n5,6", [["1", "3", "5"], ["2", "4", "6"]]),
    ("a,b\n NA,007 \n", [[" NA"], ["007 "]]),
    ('a,b\n"1\r\n2\r3",x\n', [["1\r\n2\r3"], ["x"]]),
    ("a,b\n1," + "x" * FIELD_LIMIT + "\n", [["1"], ["x" * FIELD_LIMIT]]),
    ("a,b\n1," + "€" * FIELD_LIMIT + "\n", [["1"], ["€" * FIELD_LIMIT]]),
]


@pytest.mark.parametrize(("content", "columns"), EXACT)
@pytest.mark.parametrize("block", [1, 3, 1 << 21])
def test_that_unusual_but_sound_records_are_read_exactly(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: str,
    columns: list[list[str]],
    block: int,
):
    monkeypatch.setattr(read_delimited, "PIECE", block if len(content) < 1000 else 4096)
    table = loaded(tmp_path, content, delimiter=",")
    assert [column.texts() for column in table.columns] == columns


def test_that_skipped_blank_lines_and_quoted_line_breaks_are_counted(tmp_path: Path):
    table = loaded(tmp_path, 'a,b\n\n1,2\n\n"3\n\n",4\n\n')
    assert table.rows == 2
    assert table.notices == (T.BLANK_LINES(count=2), T.LINE_BREAKS(count=2))


def test_that_blank_lines_at_the_end_of_one_column_are_told(tmp_path: Path):
    assert loaded(tmp_path, "a\n1\n").notices == ()
    assert loaded(tmp_path, "a\n1\n\n\n").notices == (T.BLANK_AT_END(count=2),)


def test_that_names_are_made_unique_and_the_change_is_told(tmp_path: Path):
    table = loaded(tmp_path, "q,,q,q (2), ,q\n1,2,3,4,5,6\n")
    assert table.names == ("q", "column 2", "q (3)", "q (2)", "column 5", "q (4)")
    assert table.notices == (T.NAMELESS(count=2), T.REPEATED_NAMES(count=2))
    assert [column.text(0) for column in table.columns] == list("123456")


def test_that_a_header_of_numbers_is_remarked(tmp_path: Path):
    assert loaded(tmp_path, "6,148,0.627\n1,85,0.351\n").notices == (T.NUMBERS_AS_NAMES(),)
    assert loaded(tmp_path, "6,148\n1,85\n", header_rows=0).rows == 2


def test_that_the_records_read_are_those_counted_in_the_bytes(tmp_path: Path):
    generator = np.random.default_rng(5)
    cells = np.array(["1", "", '"x\ny"', '"a,b"', '"say ""no"""', "text"])
    answers = ["1", "", "x\ny", "a,b", 'say "no"', "text"]
    drawn = generator.integers(0, len(cells), (5_000, 4))
    content = ("a,b,c,d\n" + "".join(",".join(row) + "\n" for row in cells[drawn])).encode()
    structure = Structure(",", "t")
    blocks = structure.blocks(content[start : start + 999] for start in range(0, len(content), 999))
    assert b"".join(block.text for block in blocks) == content
    table = loaded(tmp_path, content)
    assert structure.records == 5_001
    drawn = drawn[(drawn != 1).any(axis=1)]
    assert table.rows == len(drawn) < 5_000
    assert structure.quoted_line_ends == int((drawn == 2).sum())
    assert table.column("c").texts() == [answers[code] for code in drawn[:, 2]]


def test_that_a_large_table_keeps_every_row_over_many_blocks(tmp_path: Path):
    rows = 400_000
    lines = "".join(f'{i},"{i % 7}\n",{i % 100}\n' for i in range(rows))
    table = loaded(tmp_path, "id,q,n\n" + lines)
    assert table.rows == rows
    assert table.column("id").texts() == [str(i) for i in range(rows)]
    assert table.column("q").counts.sum() == rows
    assert sorted(table.column("q").distinct) == [f"{i}\n" for i in range(7)]


def test_that_tick_is_called_and_can_cancel(tmp_path: Path):
    calls = []
    loaded(tmp_path, "a,b\n1,2\n", tick=lambda: calls.append(1))
    assert len(calls) >= 4

    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        loaded(tmp_path, "a,b\n1,2\n", tick=cancel)
