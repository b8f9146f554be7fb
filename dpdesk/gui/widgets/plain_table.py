"""A table to read: rows of equal height, no grid, no editing."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.padded_delegate import PaddedDelegate

_ROWS_HINTED = 4


class PlainTable(QTableView):
    """A `QTableView` whose first column takes the width that the others leave.

    Args:
        model: What is shown.
        theme: The switch that the colours follow.
        name: Accessible name.
        row_height: Height of a row in pixels.
        parent: Qt's owner.
    """

    def __init__(
        self,
        model: QAbstractItemModel,
        theme: ThemeSwitch,
        name: str,
        *,
        row_height: int = 30,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(PaddedDelegate(theme, self))
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(row_height)
        heads.setSectionsClickable(False)
        heads.setHighlightSections(False)
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
