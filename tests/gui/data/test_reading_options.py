"""The dialog on how a file is read, with a look at its first rows."""

from __future__ import annotations

from pathlib import Path

import pytest
import xlsxwriter
from PySide6.QtWidgets import QApplication

from dpdesk.data.read_file import load
from dpdesk.data.reading import Reading
from dpdesk.data.table_format import TABLE_FORMATS
from dpdesk.engine.jobs import untracked
from dpdesk.gui.file_commands import endings_of_data, kinds_of_data
from dpdesk.gui.open_table import opened_as
from dpdesk.gui.pages.data.reading_options import ReadingOptions, look_at


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    """A workbook of two sheets with answers."""
    path = tmp_path / "survey.xlsx"
    book = xlsxwriter.Workbook(path)
    for name, answers in (("First", ("a", 1, 2)), ("Second", ("b", 3, 4, 5))):
        book.add_worksheet(name).write_column(0, 0, answers)
    book.close()
    return path


@pytest.fixture
def fixed(tmp_path: Path) -> tuple[Path, Path]:
    """A file of fixed width, and its layout."""
    path, layout = tmp_path / "survey.asc", tmp_path / "layout.csv"
    path.write_text("1a\n2b\n1c\n", encoding="utf-8")
    layout.write_text("name,start,width\nq,1,1\nletter,2,1\n", encoding="utf-8")
    return path, layout


def shown(qtbot, path, reading=None):
    dialog = ReadingOptions(path.name, reading, path=path)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def rows_of(dialog):
    model = dialog.rows.rows()
    return [
        [model.text(row, column) for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_that_a_sheet_is_chosen_with_a_look_at_its_rows(qtbot, workbook):
    dialog = shown(qtbot, workbook, load(workbook).reading)
    qtbot.waitUntil(lambda: rows_of(dialog) == [["1"], ["2"]])
    assert [dialog.sheet.itemText(n) for n in range(dialog.sheet.count())][1:] == [
        "First",
        "Second",
    ]
    assert dialog.sheet.isVisible()
    assert not dialog.delimiter.isVisible()
    dialog.sheet.setCurrentIndex(dialog.sheet.findData("Second"))
    qtbot.waitUntil(lambda: rows_of(dialog) == [["3"], ["4"], ["5"]])
    assert dialog.parts()["sheet"] == "Second"
    assert "Second" in dialog.first_look.text()


def test_that_a_delimiter_is_tried_on_the_first_rows(qtbot, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n1;2\n3;4\n", encoding="utf-8")
    dialog = shown(qtbot, path, load(path).reading)
    qtbot.waitUntil(lambda: rows_of(dialog) == [["1", "2"], ["3", "4"]])
    assert not dialog.sheet.isVisible()
    dialog.delimiter.setCurrentIndex(dialog.delimiter.findData(","))
    qtbot.waitUntil(lambda: rows_of(dialog) == [["1;2"], ["3;4"]])


def test_that_a_layout_reads_fixed_width_and_one_that_is_none_is_told(qtbot, fixed):
    path, layout = fixed
    dialog = shown(qtbot, path)
    dialog.take_layout(path)
    assert dialog.refusal.isVisible()
    assert "survey.asc" in dialog.refusal.text()
    dialog.take_layout(layout)
    wanted = [["1", "a"], ["2", "b"], ["1", "c"]]
    qtbot.waitUntil(lambda: rows_of(dialog) == wanted)
    assert dialog.parts()["format"] == "fixed width"
    assert not dialog.header_rows.isVisible()


def test_that_a_file_that_cannot_be_read_says_why_in_place_of_rows(qtbot, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\nplanted\n", encoding="utf-8")
    dialog = shown(qtbot, path)
    qtbot.waitUntil(lambda: "line 3" in dialog.first_look.text())
    assert "planted" not in dialog.first_look.text()
    assert rows_of(dialog) == []


def test_that_the_first_lines_of_a_long_text_are_enough(tmp_path):
    path = tmp_path / "t.csv"
    lines = "\n".join(f"{n},{n % 7},words" for n in range(200_000))
    for encoding in ("utf-8", "utf-16"):
        path.write_text(f"a,b,c\n{lines}\n", encoding=encoding)
        found = look_at(path, {}, untracked())
        assert found.table is not None
        assert 0 < found.table.rows < 20_000
        assert found.table.names == ("a", "b", "c")


def test_that_dialogs_offer_the_endings_of_every_format():
    together = kinds_of_data().split(";;")[0]
    for kind in TABLE_FORMATS:
        for ending in kind.endings:
            assert f"*{ending}" in endings_of_data()
            assert f"*{ending}" in together


def test_that_a_list_of_records_is_data_and_other_json_a_plan(tmp_path):
    records, plan = tmp_path / "records.json", tmp_path / "plan.json"
    records.write_text('\n [{"a": 1}]', encoding="utf-8")
    plan.write_text('{"format": "dpdesk-plan"}', encoding="utf-8")
    assert opened_as(records) == "data"
    for text in ('{"a": 1}\n{"a": 2}\n', '{"columns": ["a"], "data": [[1]]}'):
        (tmp_path / "lines.json").write_text(text, encoding="utf-8")
        assert opened_as(tmp_path / "lines.json") == "data"
    assert opened_as(plan) == "plan"
    assert opened_as(tmp_path / "missing.json") == "plan"
    assert opened_as(tmp_path / "table.csv") == "data"


def test_that_a_workbook_opens_in_the_window_with_its_reading_confirmed(
    page, document, wait, workbook
):
    page.open_file(workbook)
    wait()
    assert document.table.names == ("a",)
    assert document.plan.reading == Reading(format="Excel", sheet="First")
    assert document.plan.reading_confirmed
    assert "The file also has “Second”." in page.notice.message()
    page.notice.actionTriggered.emit()
    dialog = next(
        w for w in QApplication.topLevelWidgets() if isinstance(w, ReadingOptions) and w.isVisible()
    )
    dialog.sheet.addItem("Second", "Second")
    dialog.sheet.setCurrentIndex(dialog.sheet.findData("Second"))
    dialog.accept()
    wait()
    assert document.table.names == ("b",)
    assert document.plan.reading.sheet == "Second"
