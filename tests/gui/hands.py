"""What the hands of a user do: they click, type, choose from a list, and wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
Dialog = TypeVar("Dialog", bound=QDialog)


class Hands:
    """Clicks and types as a user does, only where a user can."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot

    def click(self, button: QAbstractButton) -> None:
        """Clicks a button that can be seen and is enabled."""
        assert button.isVisible(), f"{button.text()} cannot be seen"
        assert button.isEnabled(), f"{button.text()} is disabled"
        on_box = QPoint(9, button.height() // 2)
        place = on_box if isinstance(button, QCheckBox) else button.rect().center()
        self.qtbot.mouseClick(button, LEFT, NO_KEY, place)

    def press(self, inside: QWidget, words: str) -> None:
        """Clicks the button of these words."""
        self.click(button_of(inside, words))

    def type(self, line: QLineEdit, text: str, enter: bool = True) -> None:
        """Replaces what stands in a line by typing."""
        assert line.isVisible()
        assert line.isEnabled()
        line.setFocus()
        line.selectAll()
        self.qtbot.keyClicks(line, text)
        if enter:
            self.qtbot.keyClick(line, Qt.Key.Key_Return)

    def choose_row(self, view: QAbstractItemView, words: str) -> None:
        """Clicks the row of a list or table whose first text holds these words."""
        self.click_at(view, index_of(view, words))

    def click_at(self, view: QAbstractItemView, index: QModelIndex) -> None:
        """Clicks a cell, scrolled to."""
        view.scrollTo(index)
        place = view.visualRect(index).center()
        self.qtbot.mouseClick(view.viewport(), LEFT, NO_KEY, place)

    def choose_all(self, view: QAbstractItemView) -> None:
        """Chooses every row that is listed, by Ctrl+A."""
        self.qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)

    def turn_to(self, bar: QTabBar, words: str) -> None:
        """Clicks a tab."""
        place = next(i for i in range(bar.count()) if words in bar.tabText(i).replace("&", ""))
        self.qtbot.mouseClick(bar, LEFT, NO_KEY, bar.tabRect(place).center())

    def pick(self, box: QComboBox, words: str) -> None:
        """Chooses the entry that begins with these words, by End or by the arrow keys."""
        place = next(i for i in range(box.count()) if box.itemText(i).startswith(words))
        box.setFocus()
        if place == box.count() - 1:
            self.qtbot.keyClick(box, Qt.Key.Key_End)
        for _ in range(box.count()):
            if box.currentIndex() == place:
                return
            down = place > box.currentIndex()
            self.qtbot.keyClick(box, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
        raise AssertionError(f"“{words}” cannot be chosen by the keys")


def button_of(inside: QWidget, words: str) -> QAbstractButton:
    """The visible button whose text holds these words."""
    buttons = [b for b in inside.findChildren(QAbstractButton) if b.isVisible()]
    found = [b for b in buttons if words in b.text().replace("&", "")]
    assert found, f"no button says “{words}”: {[b.text() for b in buttons]}"
    return found[0]


def index_of(view: QAbstractItemView, words: str) -> QModelIndex:
    """The first cell of the row whose first text holds these words."""
    for index in first_cells(view.model()):
        if words in str(index.data()):
            return index
    raise AssertionError(f"no row says “{words}”")


def first_cells(model: QAbstractItemModel) -> Iterator[QModelIndex]:
    """The first cell of each row."""
    return (model.index(row, 0) for row in range(model.rowCount()))


def table_texts(
    view: QAbstractItemView, role: Qt.ItemDataRole = Qt.ItemDataRole.DisplayRole
) -> list[list[str]]:
    """What a table shows, row by row; with the role of accessible texts, what is read out of it."""
    model = view.model()
    columns = range(model.columnCount())
    return [
        [str(model.index(row, column).data(role) or "") for column in columns]
        for row in range(model.rowCount())
    ]


def read_out(view: QAbstractItemView) -> list[str]:
    """Each row of a table as it is read out."""
    return [" ".join(row) for row in table_texts(view, Qt.ItemDataRole.AccessibleTextRole)]


def open_dialog(kind: type[Dialog]) -> Dialog:
    """The dialog of a kind that is open."""
    shown = (w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible())
    found = next(shown, None)
    assert found is not None, f"no {kind.__name__} is open"
    return found
