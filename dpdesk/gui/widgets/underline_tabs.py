"""Tabs as words with a line under the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QTabBar, QWidget

from dpdesk.gui.widgets.plain_text import bold_font

_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_PADDING = 7
"""Room on each side of a word: 6 pixels of the style sheet and one for the frame of the focus."""


class UnderlineTabs(QTabBar):
    """A `QTabBar` in the style of the theme; connect `currentChanged` to a stack of pages.

    Args:
        titles: The words of the tabs.
    """

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
        super().focusInEvent(event)
        self._frame(event.reason() in _KEYS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._frame(True)
        super().keyPressEvent(event)

    def _frame(self, by_key: bool) -> None:
        if self.property("byKey") != by_key:
            self.setProperty("byKey", by_key)
            self.style().unpolish(self)
            self.style().polish(self)

    def tabSizeHint(self, index: int) -> QSize:
        words = QFontMetrics(bold_font(self.font())).horizontalAdvance(
            self.tabText(index).replace("&", "")
        )
        return QSize(words + 2 * _PADDING, super().tabSizeHint(index).height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)
