"""The line below the head of the Release page: records or statistics, and what that means."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.release_kind_switch import ReleaseKindSwitch
from dpdesk.gui.widgets.plain_text import ElidedLabel


class KindRow(QWidget):
    """The switch with a sentence.

    Args:
        document: What remembers the choice.
        sentence: What the kind of release that is shown gives.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, sentence: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = ReleaseKindSwitch(document, parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(14)
        row.addWidget(self.switch)
        row.addWidget(ElidedLabel(sentence, "muted", parent=self), 1)
