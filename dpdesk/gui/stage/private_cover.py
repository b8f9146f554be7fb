"""What is private is covered while others look."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.icons import icon
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel


class PrivateCover(QWidget):
    """An opaque cover over a widget, above everything in it, until it is deleted.

    Args:
        covered: What shows true answers.

    Attributes:
        unlockAsked: Emitted when the presenter wants to show it all the same.
    """

    unlockAsked = Signal()

    def __init__(self, covered: QWidget) -> None:
        super().__init__(covered)
        self.covered = covered
        self.setAccessibleName(self.tr("Private, and covered"))
        # Without one of its own, Qt would show the tooltip of what is covered.
        self.setToolTip(self.tr("True answers are covered while others look"))
        self._sign = PlainLabel(parent=self)
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words = PlainLabel(
            self.tr("Private: not shown to a room"), "strong", wrap=True, parent=self
        )
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.unlock = QPushButton(self.tr("Show it anyway"), self)
        self.unlock.clicked.connect(self.unlockAsked)
        row = lay_row(STRETCH, self.unlock, STRETCH)
        lay_column(STRETCH, self._sign, self._words, row, STRETCH, spacing=10, margins=8, on=self)
        focused: QWidget | None = covered.focusWidget()
        if focused is not None:
            focused.clearFocus()
        covered.installEventFilter(self)
        ThemeSwitch.instance().themeChanged.connect(self._draw)
        self._draw(theme_in_force())
        self.setGeometry(covered.rect())
        self.show()
        self.raise_()

    def hides(self, widget: QWidget) -> bool:
        """Whether a widget lies under the cover."""
        is_own = widget is self or self.isAncestorOf(widget)
        return not is_own and (widget is self.covered or self.covered.isAncestorOf(widget))

    def uncover(self) -> None:
        """Shows what was covered."""
        self.covered.removeEventFilter(self)
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stays as large as what it covers, and above what appears in it."""
        kinds = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.ChildAdded)
        if event.type() in (*kinds, QEvent.Type.LayoutRequest):
            self.setGeometry(self.covered.rect())
            self.raise_()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Says as much as there is room for; the foot of the window unlocks as well."""
        super().resizeEvent(event)
        line = self.fontMetrics().height()
        self._sign.setVisible(self.height() > 9 * line)
        self.unlock.setVisible(self.height() > 5 * line)
        self._words.setVisible(self.height() > 1.5 * line)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Takes clicks, that nothing below gets them."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints an even ground."""
        QPainter(self).fillRect(event.rect(), QColor(theme_in_force().surface))

    def _draw(self, theme: Theme) -> None:
        self._sign.setPixmap(icon("lock", theme, "warning").pixmap(40, 40))
