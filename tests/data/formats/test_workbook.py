"""Workbooks hold every text and number as it is, and are equal where their contents are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from dpdesk.data.output_fields import SymbolField
from dpdesk.data.read_records import open_records
from dpdesk.data.record_files import RECORD_FILES, RecordWriter, record_files
from dpdesk.data.written_column import WrittenColumn
from dpdesk.engine.jobs import Cancelled

TEXTS = (
    *("a", "=1+1", " a", "a ", "\ta", "a\nb", "<&>\"'", "_x0041_", "_x0041", "_xFFFF_", "\x01b"),
    *(
        "bé 😀",
        "\u2028",
        "\xa0a",
        "_X0041_",
        "<r>",
        "<r>a</r>",
        "<r><t>&</r>",
        "http://a.b",
        "#N/A",
    ),
)
NUMBERS = ("0", "1", "-7", "0.1", "-0.25", "123456789", "45000.375", "0.30000000000000004")


def _written(folder: Path, texts: Sequence[str]) -> Path:
    """A workbook of a column that holds each text once."""
    folder.mkdir(parents=True)
    field, column = SymbolField("a", tuple(texts)), WrittenColumn("a", texts=tuple(texts))
    with RecordWriter(folder, [field], [column], record_files(["xlsx"])) as writer:
        writer.append([np.arange(len(texts))])
    return folder / "records.xlsx"


@pytest.mark.parametrize("texts", [TEXTS, NUMBERS], ids=["texts", "numbers"])
def test_that_every_text_and_number_is_read_back(texts: tuple[str, ...], tmp_path: Path) -> None:
    path = _written(tmp_path / "out", texts)
    field, column = SymbolField("a", texts), WrittenColumn("a", texts=texts)
    (part,) = open_records(path, [field], lambda: (column,)).parts(["a"])
    assert part.cells(field).reports.ravel().tolist() == list(range(len(texts)))


def test_that_excel_gets_texts_as_texts_and_numbers_as_numbers(tmp_path: Path) -> None:
    for texts, kinds in ((TEXTS, {"s", "inlineStr"}), (NUMBERS[:-1], {"n"})):
        book = openpyxl.load_workbook(_written(tmp_path / kinds.copy().pop(), texts))
        assert {row[0].data_type for row in book["records"].iter_rows(min_row=2)} <= kinds


def test_that_equal_records_make_equal_workbooks(tmp_path: Path) -> None:
    first, second = (_written(tmp_path / name, TEXTS).read_bytes() for name in ("a", "b"))
    assert first == second


@pytest.mark.parametrize("word", [kind.word() for kind in RECORD_FILES])
def test_that_a_cancel_waits_for_some_cells_alone_and_leaves_nothing(
    word: str, tmp_path: Path
) -> None:
    rows, ticks = 300_000, []

    def tick() -> None:
        ticks.append(None)
        if len(ticks) == 2:
            raise Cancelled

    files = [kind for kind in record_files([word]) if kind.word() == word]
    field, column = SymbolField("a", ("x", "y")), WrittenColumn("a", texts=("x", "y"))
    writer = RecordWriter(tmp_path, [field], [column], files, tick=tick)
    with pytest.raises(Cancelled), writer:
        writer.append([np.zeros(rows, dtype=np.int64)])
    assert len(ticks) == 2
    assert not list(tmp_path.iterdir())
