from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QSlider,
    QTabBar,
    QVBoxLayout,
    QWhatsThis,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.what_is_this import ask_what_it_is, name_of, own_words, what_is
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
    assert what_is(silent) != ""
    assert unexplained(started) == ["QPushButton 'Frobnicate'"]
    silent.deleteLater()


def test_that_a_name_once_more_is_no_explanation(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    around.setWhatsThis("What stands around.")
    button = QPushButton("&Twirl…", around)
    QVBoxLayout(around).addWidget(button)
    button.setToolTip("<qt>Twirl (Ctrl+T)</qt>")
    assert own_words(button) == ""
    assert what_is(button) == "What stands around."
    button.setToolTip("<qt>Turns it around (Ctrl+T)</qt>")
    assert what_is(button) == "Turns it around (Ctrl+T)"
    button.setWhatsThis("Turns all of it around once.")
    assert what_is(button) == "Turns all of it around once."


def test_that_a_click_says_it_and_the_mode_ends(qtbot: QtBot, monkeypatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(QWhatsThis, "showText", lambda place, text, widget: said.append(text))
    button = QPushButton("Data")
    button.setWhatsThis("Opens answers.")
    qtbot.addWidget(button)
    button.show()
    ask_what_it_is()
    assert QWhatsThis.inWhatsThisMode()
    for kind in (QEvent.Type.QueryWhatsThis, QEvent.Type.WhatsThis):
        event = QHelpEvent(kind, QPoint(4, 4), button.mapToGlobal(QPoint(4, 4)))
        QApplication.sendEvent(button, event)
        assert event.isAccepted()
    assert said == ["<qt>Opens answers.</qt>"]
    QWhatsThis.leaveWhatsThisMode()
    # Outside of the mode nothing listens.
    event = QHelpEvent(QEvent.Type.WhatsThis, QPoint(4, 4), QPoint(4, 4))
    QApplication.sendEvent(button, event)
    assert len(said) == 1
