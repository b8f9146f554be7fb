from __future__ import annotations

from PySide6.QtGui import QColor

from dpdesk.data.table import table_from_texts
from dpdesk.gui.pages.data.column_editor import ROWS
from dpdesk.gui.pages.data.rows_view import RowsView


def has_colour(view, colour: str, column: int) -> bool:
    image = view.viewport().grab().toImage()
    x = view.columnViewportPosition(column) + 2
    return image.pixelColor(x, 5) == QColor(colour)


def test_that_the_chosen_column_and_no_other_is_highlighted_in_both_themes(opened, theme):
    opened.variables.view.choose("city")
    opened.editor.tabs.setCurrentIndex(ROWS)
    view = opened.editor.rows
    for choice in ("light", "dark"):
        theme.set_choice(choice)
        assert has_colour(view, theme.theme.selection, 2)
        assert has_colour(view, theme.theme.surface, 1)
    theme.set_choice("light")


def test_that_answers_are_painted_down_to_the_last_row(opened):
    opened.editor.tabs.setCurrentIndex(ROWS)
    view = opened.editor.rows
    view.scrollToBottom()
    image = view.viewport().grab().toImage()
    bottom = view.rowViewportPosition(119)
    cell = {
        image.pixel(x, y)
        for x in range(view.columnViewportPosition(1), view.columnViewportPosition(1) + 60)
        for y in range(bottom, bottom + 20)
    }
    assert len(cell) > 1


def test_that_answers_of_several_lines_and_of_any_length_stay_in_one_line(qtbot):
    view = RowsView()
    qtbot.addWidget(view)
    view.set_table(table_from_texts({"a\nb": ["one\ntwo\tthree", "x" * 100_000]}))
    rows = view.rows()
    assert rows.text(0, 0) == "one two three"
    assert len(rows.text(1, 0)) == 200
    assert rows.headerData(0, rows_horizontal(), 0) == "a b"
    view.show()
    assert view.rowHeight(0) == view.rowHeight(1)
    assert view.columnWidth(0) <= 220


def rows_horizontal():
    from PySide6.QtCore import Qt

    return Qt.Orientation.Horizontal


def test_that_a_click_on_a_cell_or_a_head_chooses_the_column(qtbot, opened):
    view = opened.editor.rows
    view.horizontalHeader().sectionClicked.emit(3)
    assert opened.selection.name == "smokes"
    view.clicked.emit(view.rows().index(4, 1))
    assert opened.selection.name == "age"


def test_that_a_table_that_is_gone_leaves_no_answers_behind(opened, document):
    document.new()
    assert opened.editor.rows.rows().rowCount() == 0
    assert opened.start.isVisible()


def test_that_a_column_that_the_file_lacks_highlights_none(qtbot, theme):
    view = RowsView()
    qtbot.addWidget(view)
    view.resize(500, 200)
    view.set_table(table_from_texts({"a": ["1"], "b": ["2"], "c": ["3"]}))
    view.show()
    view.choose("c")
    assert view.currentIndex().column() == 2
    view.choose("planned")
    assert view.currentIndex().column() == 2
    assert all(has_colour(view, theme.theme.surface, column) for column in range(3))
