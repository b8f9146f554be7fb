from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel

ROLE = Qt.ItemDataRole


class Fruit(RowModel[tuple[str, int]]):
    def __init__(self) -> None:
        super().__init__()
        self.heads = (Head("Fruit"), Head("Count", "How <many>", number=True))

    def text(self, row: tuple[str, int], column: int) -> str:
        return str(row[column])

    def tooltip(self, row: tuple[str, int], column: int) -> str:
        return "" if column else f"<b>{row[0]}</b>"


def filled() -> Fruit:
    model = Fruit()
    model.show_rows((("apple", 3), ("pear", 5)))
    return model


def cell(model: QAbstractTableModel, column: int, role: int) -> object:
    return model.data(model.index(0, column), role)


def test_that_a_row_model_keeps_the_rules_of_qt(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(filled(), force_py=True)  # type: ignore[no-untyped-call]


def test_that_a_cell_is_aligned_as_its_head_and_spoken_with_it() -> None:
    model = filled()
    for column, side in enumerate((Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)):
        head = model.headerData(column, Qt.Orientation.Horizontal, ROLE.TextAlignmentRole)
        assert head == cell(model, column, ROLE.TextAlignmentRole)
        assert head & side
    spoken = [cell(model, column, ROLE.AccessibleTextRole) for column in (0, 1)]
    assert spoken == ["apple", "Count: 3"]


def test_that_markup_in_a_tooltip_is_shown_as_it_is() -> None:
    model = filled()
    assert cell(model, 0, ROLE.ToolTipRole) == "<qt>&lt;b&gt;apple&lt;/b&gt;</qt>"
    assert not cell(model, 1, ROLE.ToolTipRole)
    meaning = model.headerData(1, Qt.Orientation.Horizontal, ROLE.ToolTipRole)
    assert meaning == "<qt>How &lt;many&gt;</qt>"


def test_that_rows_of_the_same_things_are_told_without_a_reset(qtbot: QtBot) -> None:
    model = filled()
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged) as told:
        model.show_rows((("apple", 4), ("pear", 6)), same=True)
    assert (told.args[0].row(), told.args[1].row(), told.args[1].column()) == (0, 1, 1)
    with qtbot.waitSignal(model.modelReset):
        model.show_rows((("apple", 4),), same=True)
    assert model.rowCount() == 1


def test_that_a_table_is_copied_with_its_heads(qtbot: QtBot) -> None:
    table = PlainTable(filled(), "Fruits")
    qtbot.addWidget(table)
    assert table.actions() == [table.copy_table]
    table.copy_table.trigger()
    assert QGuiApplication.clipboard().text() == "Fruit\tCount\napple\t3\npear\t5"


class Countries(Fruit):
    read = 0

    def text(self, row: tuple[str, int], column: int) -> str:
        self.read += 1
        return super().text(row, column)


def test_that_a_long_table_tells_its_changes_at_once_and_measures_no_hidden_row(
    qtbot: QtBot,
) -> None:
    model = Countries()
    table = PlainTable(model, "Countries")
    qtbot.addWidget(table)
    told: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: told.append((first.row(), last.row())))
    model.show_rows([(f"{number}", number) for number in range(10_000)])
    model.show_rows([(f"{number}", number + 1) for number in range(10_000)], same=True)
    assert told == [(0, 9_999)]
    assert table.sizeHintForColumn(0) > 0
    assert model.read < 10_000
