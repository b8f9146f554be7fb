from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.about import AboutDialog
from dpdesk.gui.document import Document
from dpdesk.gui.help import HelpWindow
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.rail import Rail
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.budget_bar import BudgetBar
from dpdesk.gui.widgets.epsilon_edit import EpsilonEdit
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTableDialog
from tests.gui.shell_pages import PAGES


def nameless(root: QWidget) -> list[str]:
    """Widgets that Tab stops at and that a screen reader has no name for."""
    found = []
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.focusPolicy() & Qt.FocusPolicy.TabFocus or widget.focusProxy() is not None:
            continue
        # The editor inside a spin box and the tabs of a dialog are named by their frame; the list
        # of a combo box by the box.
        if widget.objectName() in ("qt_spinbox_lineedit", "qt_tabwidget_tabbar"):
            continue
        if not widget.isVisibleTo(root) or widget.window().windowType() == Qt.WindowType.Popup:
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        name = interface.text(QAccessible.Text.Name) if interface is not None else ""
        if not name:
            owner = type(widget.parent()).__name__
            found.append(f"{type(widget).__name__} {widget.objectName()} in {owner}")
    return found


def rich_labels(root: QWidget) -> list[str]:
    """Labels that would render markup; those with a buddy are words of ours with a mnemonic."""
    return [
        label.text()
        for label in root.findChildren(QLabel)
        if label.textFormat() != Qt.TextFormat.PlainText and label.text() and label.buddy() is None
    ]


def make_rail() -> QWidget:
    rail = Rail()
    rail.add_place("data", "Data", "table")
    return rail


def make_tiles() -> QWidget:
    row = FigureRow(2)
    for tile in row.tiles:
        tile.set_figure("± 1.4 pp", "95 % error", "noise ± 1.2")
    return row


def make_notice() -> QWidget:
    bar = NoticeBar()
    bar.show_notice("error", "It failed.", "Try again")
    return bar


@pytest.mark.parametrize(
    "make",
    [
        make_rail,
        make_tiles,
        make_notice,
        BudgetBar,
        EpsilonEdit,
        lambda: PlotCanvas("Noise"),
        lambda: PlotTableDialog("Noise"),
        HelpWindow,
        AboutDialog,
    ],
)
def test_that_every_stop_of_a_widget_has_a_name(make, qtbot: QtBot) -> None:
    widget = make()
    qtbot.addWidget(widget)
    assert nameless(widget) == []
    assert rich_labels(widget) == []


def test_that_every_stop_of_the_shell_has_a_name(settings: Settings, qtbot: QtBot) -> None:
    window = MainWindow(settings, PAGES)
    qtbot.addWidget(window)
    window.furnish(Document(window))
    window.show()
    assert nameless(window) == []
    assert rich_labels(window) == []
