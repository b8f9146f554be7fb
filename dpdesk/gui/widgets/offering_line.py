"""A line of text that offers how what is typed can go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QWidget

from dpdesk.gui.widgets.commit_line import CommitLine


class OfferingLine(CommitLine):
    """A line for a text in a small language, which offers words that can follow while one types.

    Enter takes an offered text that was chosen by the arrow keys, else what is typed.

    Args:
        name: Accessible name.
        offered: Returns whole texts that what is typed can become.
    """

    def __init__(
        self, name: str, offered: Callable[[str], Sequence[str]], *, parent: QWidget | None = None
    ) -> None:
        super().__init__(name, parent=parent)
        self._offered = offered
        self.offers = QStringListModel(self)
        completer = QCompleter(self.offers, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._popup: QAbstractItemView = completer.popup()  # type: ignore[assignment]
        self._popup.setObjectName("offers")
        self._popup.setAccessibleName(self.tr("Words that can follow"))
        self.setCompleter(completer)
        self.textEdited.connect(self._offer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self._popup
        if not popup.isVisible():
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            popup.hide()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif popup.selectionModel().hasSelection():
            event.ignore()
        else:
            popup.hide()
            super().keyPressEvent(event)

    def _offer(self, text: str) -> None:
        at_end = self.cursorPosition() == len(text)
        self.offers.setStringList(list(self._offered(text)) if at_end and text else [])
