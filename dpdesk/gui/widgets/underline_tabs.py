"""Tabs as words with a line under the chosen one."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_PADDING = 7
"""Room on each side of a word: 6 pixels of the style sheet and one for the frame of the focus."""
_TIGHT_PADDING = 3
_SMALLEST, _STEP = 0.7, 0.25
"""How small words may be set so that all fit, beside the base size; and the step, in points."""


class UnderlineTabs(QTabBar):
    """A `QTabBar` in the style of the theme; connect `currentChanged` to a stack of pages.

    Args:
        titles: The words of the tabs.
        shrinks: Whether words are set closer and smaller so that all fit in the width, which the
            tabs are then given with a stretch.
    """

    def __init__(
        self, titles: tuple[str, ...] = (), *, shrinks: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shrinks = shrinks
        self._tight = False
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
        padding = _TIGHT_PADDING if self._tight else _PADDING
        return QSize(
            self._word_width(index, self.font().pointSizeF()) + 2 * padding,
            super().tabSizeHint(index).height(),
        )

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._shrinks:
            self._fit(event.size().width())
        super().resizeEvent(event)

    def _fit(self, width: int) -> None:
        base = QApplication.font().pointSizeF()
        tight = self._width_at(base, _PADDING) > width
        points = base
        # By trial: letters have whole pixels, so that widths do not follow the size evenly.
        while (
            tight and points > _SMALLEST * base and self._width_at(points, _TIGHT_PADDING) > width
        ):
            points -= _STEP
        if self._tight == tight and abs(self.font().pointSizeF() - points) < 0.01:
            return
        self._tight = tight
        self.setProperty("tight", tight)
        self.style().unpolish(self)
        self.style().polish(self)
        # After the style, which sets a font of its own.
        font = self.font()
        font.setPointSizeF(points)
        self.setFont(font)
        self.updateGeometry()

    def _width_at(self, points: float, padding: int) -> int:
        """The width of all tabs at a size of their words."""
        words = sum(self._word_width(index, points) for index in range(self.count()))
        return words + 2 * padding * self.count()

    def _word_width(self, index: int, points: float) -> int:
        bold = self.font()
        bold.setPointSizeF(points)
        bold.setBold(True)
        return QFontMetrics(bold).horizontalAdvance(self.tabText(index).replace("&", ""))
