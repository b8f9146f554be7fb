"""One figure that matters: a large value over a muted caption."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip

_ROOMY = (11, 9, 11, 9)
_COMPACT = (7, 7, 6, 7)
_COMPACT_BELOW = 130
"""Width per tile below which the figures of a row are set smaller."""


class FigureTile(QFrame):
    """A value with its caption; a figure that can be split says so when hovered or focused.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figureTile")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._value = PlainLabel("", "figure", parent=self)
        self._caption = PlainLabel("", "caption", wrap=True, parent=self)
        self._caption.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(*_ROOMY)
        column.setSpacing(3)
        column.addWidget(self._value)
        column.addWidget(self._caption, 1)

    def set_compact(self, compact: bool) -> None:
        """Takes less room: a smaller figure and narrower margins."""
        self._value.set_tone("heading" if compact else "figure")
        self._column.setContentsMargins(*(_COMPACT if compact else _ROOMY))

    def value(self) -> str:
        """The value as it is shown."""
        return self._value.text()

    def caption(self) -> str:
        """The caption as it is shown."""
        return self._caption.text()

    def set_figure(self, value: str, caption: str, detail: str = "") -> None:
        """Shows a figure.

        Args:
            value: The number with its unit.
            caption: What it is.
            detail: What it is made of, for the tooltip and for screen readers; may be empty.
        """
        self._value.setText(value)
        self._caption.setText(caption)
        self.setToolTip(plain_tooltip(detail))
        self.setAccessibleName(f"{caption}: {value}")
        self.setAccessibleDescription(detail)
        # A tile without detail has nothing to say that its labels do not: Tab passes it by.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if detail else Qt.FocusPolicy.NoFocus)


class FigureRow(QWidget):
    """Tiles of equal width and height beside each other.

    Args:
        count: How many tiles.
        parent: Qt's owner.
    """

    def __init__(self, count: int = 4, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        self.tiles = tuple(FigureTile(parent=self) for _ in range(count))
        self._compact = False
        for tile in self.tiles:
            row.addWidget(tile, 1)

    def minimumSizeHint(self) -> QSize:
        """Room for small figures: large ones must not keep the row from becoming narrow."""
        return QSize(len(self.tiles) * 60, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sets the figures smaller where they have little room."""
        super().resizeEvent(event)
        compact = self.width() < len(self.tiles) * _COMPACT_BELOW
        if compact != self._compact:
            self._compact = compact
            self._row.setSpacing(6 if compact else 10)
            for tile in self.tiles:
                tile.set_compact(compact)
