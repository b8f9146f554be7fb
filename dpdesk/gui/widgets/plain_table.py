"""A table to read whose first column takes the width that the others leave."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.gui.widgets.read_table import ReadTable
from dpdesk.gui.widgets.row_model import RowModel

_ROWS_HINTED = 4
_LEAST_FIRST = 0.22
"""Part of the table up to which the first column is as wide as its texts, with or without room."""
_MOST = 0.45
"""Part of the table that one column may take: what is longer is elided."""


class PlainTable(ReadTable):
    """The other columns take the width of their texts; a table wider than its view scrolls.

    Args:
        model: What is shown.
        name: Accessible name.
        row_height: Height of a row in pixels.
        parent: Qt's owner.
    """

    def __init__(
        self,
        model: RowModel[Any],
        name: str,
        *,
        row_height: int = 30,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(model, name, row_height=row_height, parent=parent)
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        # Of a thousand rows the visible ones set the width.
        heads.setResizeContentsPrecision(0)
        # Qt's own stretched section keeps the width it has when the others leave it none.
        heads.geometriesChanged.connect(self._fit_first)
        heads.sectionResized.connect(self._follow)
        model.modelReset.connect(self._fit_first)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the width anew."""
        super().resizeEvent(event)
        self._fit_first()

    def sizeHintForColumn(self, column: int) -> int:
        """Room for the texts of a column, up to a part of the table."""
        return min(super().sizeHintForColumn(column), int(_MOST * self.viewport().width()))

    def sizeHint(self) -> QSize:
        """Some rows: a table scrolls before it pushes its neighbours out of the window."""
        rows = self.verticalHeader().defaultSectionSize() * _ROWS_HINTED
        height = self.horizontalHeader().sizeHint().height() + rows
        return QSize(super().sizeHint().width(), height)

    def _follow(self, section: int) -> None:
        if section:
            self._fit_first()

    def _fit_first(self) -> None:
        heads = self.horizontalHeader()
        if not heads.count():
            return
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        others = heads.length() - heads.sectionSize(0)
        room = self.viewport().width()
        texts = min(self.sizeHintForColumn(0), int(_LEAST_FIRST * room))
        width = max(room - others, texts, heads.sectionSizeHint(0))
        if width != heads.sectionSize(0):
            heads.resizeSection(0, width)
