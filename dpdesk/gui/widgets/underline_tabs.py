"""Tabs as words with a line under the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QTabBar, QWidget

_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_PADDING = 7
"""Room on each side of a word: 6 pixels of the style sheet and one for the frame of the focus."""


class UnderlineTabs(QTabBar):
    """A `QTabBar` in the style of the theme; connect `currentChanged` to a stack of pages."""

    def __init__(self, titles: tuple[str, ...] = (), *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("underlineTabs")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setUsesScrollButtons(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for title in titles:
            self.addTab(title)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Has a frame only if the focus came by a key: who clicks knows where the focus is."""
        super().focusInEvent(event)
        self._frame(event.reason() in _KEYS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Has the frame from the first key on, also after a click."""
        self._frame(True)
        super().keyPressEvent(event)

    def _frame(self, by_key: bool) -> None:
        if self.property("byKey") != by_key:
            self.setProperty("byKey", by_key)
            self.style().unpolish(self)
            self.style().polish(self)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the bold face, so that choosing a tab moves none of its neighbours."""
        bold = self.font()
        bold.setBold(True)
        words = QFontMetrics(bold).horizontalAdvance(self.tabText(index))
        return QSize(words + 2 * _PADDING, super().tabSizeHint(index).height())
