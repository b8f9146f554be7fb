"""One figure that matters: a large value over a muted caption."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip


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
        column = QVBoxLayout(self)
        column.setContentsMargins(11, 9, 11, 9)
        column.setSpacing(3)
        column.addWidget(self._value)
        column.addWidget(self._caption, 1)

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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        self.tiles = tuple(FigureTile(parent=self) for _ in range(count))
        for tile in self.tiles:
            row.addWidget(tile, 1)
