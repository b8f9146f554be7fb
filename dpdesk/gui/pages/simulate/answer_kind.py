"""The kind of answer that a question has, chosen at the head of the card."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.gui.widgets.underline_tabs import UnderlineTabs

BINARY, SEVERAL, NUMBER = "binary", "several", "number"
ANSWER_KINDS = (BINARY, SEVERAL, NUMBER)


class AnswerKindTabs(UnderlineTabs):
    """Yes or no, one of several, a number; each card has its own, which stays at its kind.

    Args:
        kind: The kind of the card.
        parent: Qt's owner.

    Attributes:
        kindChosen: Emitted with another kind that was chosen.
        row: The layout to add to a card.
    """

    kindChosen = Signal(str)

    def __init__(self, kind: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        for title in (self.tr("Yes or no"), self.tr("One of several"), self.tr("A number")):
            self.addTab(title)
        self._own = ANSWER_KINDS.index(kind)
        self.setCurrentIndex(self._own)
        self.setAccessibleName(self.tr("Kind of answer"))
        self.setToolTip(self.tr("What kind of answer the question has"))
        self.row = QHBoxLayout()
        self.row.setContentsMargins(8, 4, 8, 0)
        self.row.addWidget(self)
        self.row.addStretch(1)
        self.currentChanged.connect(self._choose)

    def _choose(self, index: int) -> None:
        if index == self._own:
            return
        blocker = QSignalBlocker(self)
        self.setCurrentIndex(self._own)
        blocker.unblock()
        self.kindChosen.emit(ANSWER_KINDS[index])
