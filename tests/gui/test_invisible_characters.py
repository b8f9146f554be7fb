"""Bidirectional controls and other invisible characters show as escapes, wherever they are."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.errors import printable
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import (
    ElidedLabel,
    PlainLabel,
    elided,
    literal,
    plain_tooltip,
    whole_tooltip,
)
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import Label
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.plan import confirm_domains, protect_unassigned
from dpdesk.queries.phrase import parse_query
from tests.gui.cut_text import settle
from tests.gui.windows import document_of, open_window

TURNED, HIDDEN = "\N{RIGHT-TO-LEFT OVERRIDE}live", "a\N{ZERO WIDTH SPACE}b"
ISOLATED = "no\N{RIGHT-TO-LEFT ISOLATE}t"
MARKS = set("\N{RIGHT-TO-LEFT OVERRIDE}\N{ZERO WIDTH SPACE}\N{RIGHT-TO-LEFT ISOLATE}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TURNED, r"\x202elive"),
        (HIDDEN, r"a\x200bb"),
        ("a\x07\x1b[31m\r", r"a\x07\x1b[31m\x0d"),
        ("\N{SOFT HYPHEN}\N{LINE SEPARATOR}\N{ARABIC LETTER MARK}", r"\xad\x2028\x61c"),
        ("two\nlines\t2\N{NO-BREAK SPACE}%", "two\nlines\t2\N{NO-BREAK SPACE}%"),
        ("תל אביב, תהראן, Åbo, 𝒜", "תל אביב, תהראן, Åbo, 𝒜"),
    ],
)
def test_that_invisible_characters_are_escaped_and_all_others_stay(text: str, shown: str) -> None:
    assert literal(text) == shown
    assert literal(shown) == shown


def test_that_the_window_and_the_command_line_have_one_rule() -> None:
    for text in (TURNED, HIDDEN, ISOLATED):
        assert literal(text) == printable(text)


def test_that_every_way_to_shorten_a_text_shows_it_literally(qtbot: QtBot) -> None:
    font, shown = QFont(), literal(TURNED)
    assert elided(TURNED, font, 500) == shown
    assert shown in plain_tooltip(TURNED)
    assert whole_tooltip(TURNED, shown) == ""


def test_that_labels_and_lists_show_it_literally(qtbot: QtBot) -> None:
    plain, short, box = PlainLabel(TURNED), ElidedLabel(TURNED), ChoiceBox("x")
    for widget in (plain, short, box):
        qtbot.addWidget(widget)
    short.resize(300, 20)
    box.addItem(TURNED, TURNED)
    box.addItems([HIDDEN])
    box.setItemText(1, ISOLATED)
    assert plain.text() == short.full_text() == box.itemText(0) == literal(TURNED)
    assert box.itemText(1) == literal(ISOLATED)
    assert box.itemData(0) == TURNED


_ROOT = QModelIndex()


class Names(RowModel[str]):
    def text(self, row: str, column: int) -> str:
        return row

    def _make_heads(self) -> tuple[Head, ...]:
        return (Head(ISOLATED),)


def test_that_cells_and_heads_show_it_literally_and_are_copied_as_they_are(qtbot: QtBot) -> None:
    model = Names()
    model.show_rows([TURNED])
    spoken = model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert model.index(0, 0).data() == spoken == literal(TURNED)
    assert model.headerData(0, Qt.Orientation.Horizontal) == literal(ISOLATED)
    assert model.table().rows == ((TURNED,),)


def test_that_plots_show_it_literally(qtbot: QtBot) -> None:
    plot = PlotCanvas("x")
    qtbot.addWidget(plot)
    plot.name_bars([TURNED])
    label, line = plot.label(), plot.line(0, name=HIDDEN)
    label.setText(ISOLATED)
    plot.set_axis_titles(TURNED, "")
    assert label.text() == literal(ISOLATED)
    assert list(shown_in_plot(plot)) == [literal(TURNED), literal(HIDDEN), literal(ISOLATED)]
    assert literal(TURNED) in plot.getPlotItem().getAxis("bottom").labelText
    plot.remove(line)


def shown_in_plot(plot: PlotCanvas) -> Iterator[str]:
    """Words at the axes, names of series, and texts on the plot."""
    for side in ("bottom", "left"):
        for level in plot.getPlotItem().getAxis(side)._tickLevels or ():
            yield from (str(text).strip() for _, text in level)
    yield from (text.text for _, text in plot._legend.items)
    yield from (item.text() for item, _, _ in plot._items if isinstance(item, Label))


def shown_in_model(model: QAbstractItemModel) -> Iterator[str]:
    """What the cells and the heads show, say and tell."""
    roles = (
        Qt.ItemDataRole.DisplayRole,
        Qt.ItemDataRole.ToolTipRole,
        Qt.ItemDataRole.AccessibleTextRole,
    )
    # A list has one column, and no count of it that Python may ask for.
    columns = model.columnCount(_ROOT) if isinstance(model, QAbstractTableModel) else 1
    for column in range(columns):
        yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
        for row in range(min(model.rowCount(_ROOT), 30)):
            yield from (str(model.index(row, column).data(role) or "") for role in roles)


def shown_in(widget: QWidget) -> Iterator[str]:
    """What a widget shows; a field that is typed in keeps what was typed."""
    yield widget.toolTip()
    yield widget.windowTitle()
    if isinstance(widget, (QLabel, QAbstractButton)):
        yield widget.text()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(place) for place in range(widget.count()))
    elif isinstance(widget, PlotCanvas):
        yield from shown_in_plot(widget)
    elif isinstance(widget, QTableView) or (
        isinstance(widget, QAbstractItemView) and widget.model() is not None
    ):
        yield from shown_in_model(widget.model())


@pytest.fixture
def window(settings: Settings, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A window on data whose file, columns and answers hold such marks, all of them protected."""
    path = tmp_path / f"{ISOLATED}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["age", TURNED, HIDDEN, "sex"])
        for i in range(60):
            rows.writerow(
                [18 + i % 5, ("x", TURNED, "z")[i % 3], (ISOLATED, "no")[i % 2], "fm"[i % 2]]
            )
    shown = open_window(settings, qtbot, path, size=(1360, 850))
    document = document_of(shown)
    plan = protect_unassigned(confirm_domains(document.plan), Decimal(6))
    query = parse_query(f'count by "{TURNED}"', epsilon=Decimal("0.5"))
    document.edit("x", plan.with_fields(statistics=plan.statistics.with_queries([query])))
    settle(shown, qtbot)
    return shown


def test_that_no_place_of_the_window_lets_a_mark_of_the_data_take_effect(
    window: MainWindow, qtbot: QtBot
) -> None:
    found, seen = set[str](), 0
    for place in ("data", "plan", "release", "risk"):
        window.go_to(place)
        # What a tab shows stays in it: it is looked at when all of the place were shown.
        for bar in [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]:
            for tab in range(bar.count()):
                bar.setCurrentIndex(tab)
                QApplication.processEvents()
        settle(window, qtbot)
        for widget in (window, *window.findChildren(QWidget)):
            for text in shown_in(widget):
                seen += r"\x202e" in text
                if MARKS & set(text):
                    found.add(
                        f"{place}, {type(widget).__name__} {widget.accessibleName()}: {text!r}"
                    )
    assert not found, "\n".join(sorted(found))
    assert seen > 50
