from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSlider,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from tests.gui.cut_text import settle

CONTROLS = (
    QAbstractButton,
    QLineEdit,
    QComboBox,
    QAbstractSpinBox,
    QSlider,
    QAbstractItemView,
    QTabBar,
)
INNER = (QAbstractSpinBox, QComboBox, QTabBar)


def controls(window: QWidget) -> list[QWidget]:
    """The visible controls, without the parts that Qt makes inside of them."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if (isinstance(widget, CONTROLS) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        # A part that only hands the focus on to what it holds is no control.
        and type(widget) is not QWidget
        and widget.isVisible()
        and not isinstance(widget, QHeaderView)
        and not isinstance(widget.parent(), INNER)
        and not widget.objectName().startswith("qt_")
    ]


_MARKUP = re.compile(r"<[^>]+>")
_KEYS = re.compile(r"\s*\((?:Ctrl|Alt|Shift|F\d|Enter|Esc)[^)]*\)\s*$")


def bare(text: str) -> str:
    """A text without mnemonics, dots and keys behind it."""
    return _KEYS.sub("", text.replace("&", "").strip()).rstrip("….").strip()


def name_of(widget: QWidget) -> str:
    """The name of a control as screen readers say it, without its keys."""
    name = widget.accessibleName()
    if not name:
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return bare(name)


def own_words(widget: QWidget) -> list[str]:
    """What is said of this very control, beyond its name."""
    said = (widget.whatsThis(), widget.toolTip(), widget.accessibleDescription())
    words = (_MARKUP.sub(" ", text).strip() for text in said)
    return [each for each in words if each and bare(each).casefold() != name_of(widget).casefold()]


def unexplained(window: QWidget) -> list[str]:
    """Controls that say nothing of their own: what is said of the page around does not count."""
    return [
        f"{type(widget).__name__} {name_of(widget)!r}"
        for widget in controls(window)
        if not own_words(widget)
    ]


def test_that_every_control_of_every_page_says_what_it_is(
    started: MainWindow, qtbot: QtBot
) -> None:
    for key in started.pages:
        started.go_to(key)
        assert unexplained(started) == [], key
    with qtbot.waitSignal(started._document.loading.ended):
        started.files.open_sample()
    for key in started.pages:
        started.go_to(key)
        settle(started, qtbot)
        assert unexplained(started) == [], key
    # A control without words of its own is found, whatever page it stands on.
    page = started.pages[started.rail.current()]
    silent = QPushButton("Frobnicate", page)
    silent.show()
    assert unexplained(started) == ["QPushButton 'Frobnicate'"]
    silent.deleteLater()
