"""A table to read whose first column takes the width that the others leave."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.gui.widgets.read_table import ReadTable
from dpdesk.gui.widgets.row_model import RowModel

_ROWS_HINTED = 4


class PlainTable(ReadTable):
    """The other columns are as wide as their texts.

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
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        # Of a thousand rows the visible ones set the width.
        heads.setResizeContentsPrecision(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def sizeHint(self) -> QSize:
        """Some rows: a table scrolls before it pushes its neighbours out of the window."""
        rows = self.verticalHeader().defaultSectionSize() * _ROWS_HINTED
        height = self.horizontalHeader().sizeHint().height() + rows
        return QSize(super().sizeHint().width(), height)
