"""A field for an expected number of respondents."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSpinBox, QWidget

_MOST = 2_000_000_000
_DEFAULT = 1_000


class RespondentsField(QSpinBox):
    """A number with separators of thousands, stepped by hundreds.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(1, _MOST)
        self.setValue(_DEFAULT)
        self.setSingleStep(100)
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Expected respondents"))
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("2,000,000,000") + 34)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Steps only where the focus is, so that scrolling changes no number."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
