"""Steps of a working day in the window, taken by hands only."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.pages.data.confirm_dialog import ConfirmDomains
from dpdesk.gui.pages.plan.purpose_dialog import PurposeDialog
from dpdesk.gui.pages.release.before_view import BeforeView
from dpdesk.gui.pages.release.release_pane import ReleasePane
from dpdesk.gui.widgets.plain_text import ElidedLabel
from tests.gui.hands import Hands, button_of, open_dialog
from tests.gui.windows import document_of


def open_file(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    document = document_of(window)
    with qtbot.waitSignal(document.loading.ended):
        window.files.open(path)
    qtbot.waitUntil(lambda: not document.answers.is_counting)


def confirm_all(window: MainWindow, hands: Hands, person: str) -> list[str]:
    """Confirms every domain; returns those whose tick the user had to set."""
    hands.click(window.pages["data"].variables.confirm_button)
    dialog = open_dialog(ConfirmDomains)
    waiting = [row.column.name for row in dialog.view.waiting.rows if not row.confirm]
    everything = button_of(dialog, "All rows")
    while not everything.isChecked():
        hands.click(everything)
    if not dialog.reading.isHidden():
        hands.click(dialog.reading)
    hands.type(dialog.person, person, enter=False)
    hands.click(dialog.confirm_button)
    return waiting


def choose_purpose(window: MainWindow, hands: Hands, words: str) -> dict[str, tuple[str, ...]]:
    """Answers what people will do with the file; returns what each strategy's card says."""
    hands.click(window.pages["plan"].records.header.strategy.purpose)
    dialog = open_dialog(PurposeDialog)
    hands.press(dialog, words)

    def is_judged() -> bool:
        # By what the file holds, and that may still be counted.
        is_counting = document_of(window).answers.is_counting
        return "Simulated" in dialog.note.text() and not is_counting

    hands.qtbot.waitUntil(is_judged)
    said = {name: card.lines() for name, card in dialog.strategies.items()}
    hands.press(dialog, "OK")
    return said


def let_go(window: MainWindow, hands: Hands) -> Path:
    """Clicks Sanitize or Release and waits; returns the folder that the results name."""
    pane, account = pane_shown(window), window.pages["release"].account
    # A kind of release is shown before it is judged.
    hands.qtbot.waitUntil(lambda: document_of(window).is_judged)
    hands.click(pane.start_button)
    running = lambda: pane.watch.is_running or account.is_running  # noqa: E731
    hands.qtbot.waitUntil(lambda: not running())
    assert pane.view() is pane.results
    result = pane.results.result()
    assert result is not None
    assert result.folder is not None
    return Path(result.folder)


def pane_shown(window: MainWindow) -> ReleasePane:
    """What the Release page shows: records or statistics."""
    pane = window.pages["release"].pane()
    assert isinstance(pane, ReleasePane)
    return pane


def go_to_release(window: MainWindow, hands: Hands, folder: Path) -> None:
    """Goes to the Release page and waits for the ledger's account."""
    window.go_to("release")
    page = window.pages["release"]
    pane_shown(window).before.destination.set_parent_folder(folder)
    hands.qtbot.waitUntil(lambda: page.account.account is not None)


def said_on(widget: QWidget) -> str:
    """Every text that a part of the window shows."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible()]
    full = (one.full_text() if isinstance(one, ElidedLabel) else one.text() for one in labels)
    return "\n".join(full)


def answer_box(words: str, said: list[str]) -> None:
    """Clicks a button of the message box that the next click opens, once it is open."""

    def press(tries: int = 250) -> None:
        box = QApplication.activeModalWidget()
        if not isinstance(box, QMessageBox):
            if tries:
                QTimer.singleShot(20, lambda: press(tries - 1))
            return
        said.append(f"{box.text()} {box.informativeText()}")
        next(b for b in box.buttons() if words in b.text().replace("&", "")).click()

    QTimer.singleShot(0, press)


def name_report(before: BeforeView, hands: Hands) -> None:
    """Types a title and who releases, without which a report is warned of."""
    for field, words in (("title", "A census"), ("curator", "An office")):
        hands.type(before.details.lines[field], words, enter=False)
    hands.qtbot.waitUntil(lambda: before.details._document.is_judged)
