"""A frame around a label whose text changes many times a second.

Every change of a label's text makes Qt lay the whole window out anew, even where nothing moves.
A parent without a layout ends that at once: while a slider is dragged, that is most of the work.
"""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class Steady(QWidget):
    """Holds one label at its own size and keeps its changes from the layouts around it.

    Args:
        label: Shown over the whole of this widget.
        sample: The longest text to reserve room for; with word wrap it also sets the height.
    """

    def __init__(self, label: QLabel, sample: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label
        self._sample = sample
        label.setParent(self)
        label.move(0, 0)
        # Not fixed in height: Qt would then take the hint of one line for the limit.
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(label.wordWrap())
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        probe = self._probe()
        return QSize(probe.horizontalAdvance(self._sample) + 2, probe.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._probe().height() + 3)

    def hasHeightForWidth(self) -> bool:
        return self._label.wordWrap()

    def heightForWidth(self, width: int) -> int:
        probe = self._probe()
        lines = -(-int(1.05 * probe.horizontalAdvance(self._sample)) // max(width, 1))
        # Raised letters need a little more than the font says.
        return max(lines, 1) * (probe.height() + 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label.resize(self.size())

    def _probe(self) -> QFontMetrics:
        self._label.ensurePolished()
        return self._label.fontMetrics()


class SteadyLines(QWidget):
    """Holds a label of any number of lines: only another height moves what is around it.

    So does a text that has no room on one line; a shorter one keeps the room.

    Args:
        label: Shown over the whole of this widget.
    """

    def __init__(self, label: QLabel, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = label
        self._text = label.text()
        label.setParent(self)
        label.move(0, 0)
        self.setSizePolicy(label.sizePolicy())

    def set_text(self, text: str) -> None:
        """Shows another text."""
        if text == self._text:
            return
        self._text = text
        before = self._label.heightForWidth(self.width())
        self._label.setText(text)
        grown = self._label.minimumSizeHint().width() > self.width()
        if grown or self._label.heightForWidth(self.width()) != before:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._label.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._label.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._label.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label.resize(self.size())
