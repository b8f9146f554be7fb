"""Tables to read: what has no room is scrolled to, or broken into lines."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel


class _Rows(RowModel[tuple[str, ...]]):
    def __init__(self, heads: tuple[str, ...]) -> None:
        super().__init__()
        self.heads = tuple(Head(text, number=bool(i)) for i, text in enumerate(heads))

    def text(self, row: tuple[str, ...], column: int) -> str:
        return row[column]


def table(qtbot: QtBot, width: int) -> PlainTable:
    model = _Rows(("Variant", "Right", "95 % interval", "Against chance"))
    made = PlainTable(model, "table")
    model.setParent(made)
    qtbot.addWidget(made)
    made.resize(width, 200)
    made.show()
    model.show_rows([("RS+FD[GRR]", "25.2 %", "22.8 % to 27.7 %", "0.2 pp")] * 3)
    qtbot.wait(20)
    return made


def test_that_a_table_wider_than_its_view_can_be_scrolled(qtbot: QtBot) -> None:
    made = table(qtbot, 300)
    bar, heads = made.horizontalScrollBar(), made.horizontalHeader()
    assert bar.maximum() == heads.length() - made.viewport().width() > 0
    assert bar.isVisible()
    assert heads.sectionSize(0) >= heads.sectionSizeHint(0)


def test_that_the_first_column_gives_back_the_room_that_it_took(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    heads = made.horizontalHeader()
    assert heads.length() == made.viewport().width()
    wide = heads.sectionSize(0)
    made.resize(460, 200)
    assert heads.sectionSize(0) < wide
    assert heads.length() <= max(made.viewport().width(), 460)


def test_that_a_cut_head_keeps_its_first_letter(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    heads = made.horizontalHeader()
    heads.setSectionResizeMode(3, heads.ResizeMode.Fixed)
    heads.resizeSection(3, 80)
    shown = heads.shown(3)
    assert shown.startswith("Ag")
    assert shown.endswith("…")
    bold = heads.font()
    bold.setBold(True)
    assert QFontMetrics(bold).horizontalAdvance(shown) <= 80 - 16


def test_that_rows_are_as_high_as_the_lines_of_their_texts(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    made.wrap()
    heads = made.horizontalHeader()
    heads.setSectionResizeMode(2, heads.ResizeMode.Fixed)
    short, long = ("a", "25 %", "low", "0 pp"), ("a", "25 %", "from a little to a lot", "0 pp")
    made.model().show_rows([short, long])
    heads.resizeSection(2, 100)
    qtbot.waitUntil(lambda: made.rowHeight(1) > made.rowHeight(0))
    made.model().show_rows([long, short], same=True)
    qtbot.waitUntil(lambda: made.rowHeight(0) > made.rowHeight(1))
    heads.resizeSection(2, 300)
    qtbot.waitUntil(lambda: made.rowHeight(0) == made.rowHeight(1))


def test_that_a_cut_cell_tells_the_whole(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    option, index = QStyleOptionViewItem(), made.model().index(0, 2)
    option.font = made.font()
    option.rect.setWidth(60)
    assert "22.8 % to 27.7 %" in made.itemDelegate().tooltip(option, index)
    option.rect.setWidth(400)
    assert made.itemDelegate().tooltip(option, index) == ""
