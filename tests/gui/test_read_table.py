"""Tables to read: what has no room is scrolled to, broken into lines, or said to be left out."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QFontMetrics, QHelpEvent
from PySide6.QtWidgets import QStyleOptionViewItem, QToolTip
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


def test_that_a_cut_head_keeps_its_first_letter_and_tells_the_whole(qtbot: QtBot) -> None:
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
    event = QHelpEvent(
        QEvent.Type.ToolTip,
        QPoint(heads.sectionViewportPosition(3) + 5, 5),
        heads.mapToGlobal(QPoint(0, 0)),
    )
    heads.viewportEvent(event)
    assert "Against chance" in QToolTip.text()


def test_that_a_table_says_which_columns_it_has_no_room_for(qtbot: QtBot) -> None:
    made = table(qtbot, 500)
    assert not made.left_out.isVisible()
    made.leave_out((2, 3))
    assert made.isColumnHidden(2)
    assert made.left_out.isVisible()
    assert "95 % interval, Against chance" in made.left_out.toolTip()
    # In the padding behind the last head, whose words it does not cover.
    assert made.left_out.width() <= 8
    assert made.left_out.geometry().right() == made.horizontalHeader().geometry().right()
    made.leave_out(())
    assert not made.left_out.isVisible()
    assert made.left_out.toolTip() == ""


def test_that_a_cell_without_room_breaks_into_lines_and_its_row_grows(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    made.break_lines(2)
    made.model().show_rows([("a", "25 %", "from a little to a lot", "0 pp"), ("b", "", "", "")])
    plain = made.rowHeight(1)
    assert made.rowHeight(0) == plain
    heads = made.horizontalHeader()
    heads.setSectionResizeMode(2, heads.ResizeMode.Fixed)
    heads.resizeSection(2, 100)
    assert made.rowHeight(0) == plain + made.fontMetrics().lineSpacing()
    assert made.rowHeight(1) == plain
    shown = made.itemDelegate().shown("from a little to a lot", made.font(), 100 - 16)
    assert "…" not in shown
    heads.resizeSection(2, 300)
    assert made.rowHeight(0) == plain


def test_that_rows_are_as_high_as_the_texts_that_change_in_place(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    made.break_lines(2)
    heads = made.horizontalHeader()
    heads.setSectionResizeMode(2, heads.ResizeMode.Fixed)
    short, long = ("a", "25 %", "low", "0 pp"), ("a", "25 %", "from a little to a lot", "0 pp")
    made.model().show_rows([short, long])
    heads.resizeSection(2, 100)
    plain = made.rowHeight(0)
    high = plain + made.fontMetrics().lineSpacing()
    assert made.rowHeight(1) == high
    for rows, heights in (([long, short], [high, plain]), ([short, long], [plain, high])):
        made.model().show_rows(rows, same=True)
        qtbot.waitUntil(lambda h=heights: [made.rowHeight(0), made.rowHeight(1)] == h)


def test_that_a_cut_cell_tells_the_whole(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    option, index = QStyleOptionViewItem(), made.model().index(0, 2)
    option.font = made.font()
    option.rect.setWidth(60)
    assert "22.8 % to 27.7 %" in made.itemDelegate().tooltip(option, index)
    option.rect.setWidth(400)
    assert made.itemDelegate().tooltip(option, index) == ""


def test_that_a_column_gives_way_where_a_table_has_no_room_and_comes_back(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    made.let_give_way(2, 1)
    heads = made.horizontalHeader()
    assert not any(made.isColumnHidden(column) for column in range(4))
    made.resize(350, 200)
    assert [made.isColumnHidden(column) for column in range(4)] == [False, False, True, False]
    assert heads.length() <= made.viewport().width()
    assert "95 % interval" in made.left_out.toolTip()
    made.resize(240, 200)
    assert [made.isColumnHidden(column) for column in range(4)] == [False, True, True, False]
    made.resize(900, 200)
    assert not any(made.isColumnHidden(column) for column in range(4))
    assert heads.length() == made.viewport().width()


def test_that_several_columns_give_way_at_once(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    made.let_give_way(3, 2, 1)
    for width in (*range(900, 150, -150), 150, 900, 150, 240, 350, 150):
        made.resize(width, 200)
        hidden = [made.isColumnHidden(column) for column in (3, 2, 1)]
        # The first named go first.
        assert hidden == sorted(hidden, reverse=True)
    assert hidden[:2] == [True, True]


def test_that_a_column_whose_head_is_wider_than_its_texts_stays_left_out(qtbot: QtBot) -> None:
    made = table(qtbot, 900)
    made.let_give_way(3)
    hidden = []
    for width in range(620, 240, -4):
        made.resize(width, 200)
        hidden.append(made.isColumnHidden(3))
    assert hidden == sorted(hidden)
    assert True in hidden
    assert False in hidden
