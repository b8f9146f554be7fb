"""The view of a table to read: rows of equal height, no grid, no editing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from dpdesk.gui.widgets.padded_delegate import PaddedDelegate
from dpdesk.gui.widgets.row_model import RowModel


class CopyTable(QAction):
    """Puts the whole table, with its heads, on the clipboard as a spreadsheet takes it.

    Args:
        model: What is copied.
        view: The view that shows it; the action is in its context menu.
    """

    def __init__(self, model: RowModel[Any], view: QAbstractItemView) -> None:
        super().__init__(view)
        self._model = model
        self.setText(self.tr("&Copy table"))
        self.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.triggered.connect(lambda _checked=False: self.copy())
        view.addAction(self)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def copy(self) -> None:
        """Puts the table on the clipboard."""
        QGuiApplication.clipboard().setText(self._model.table().tab_separated())


class ReadTable(QTableView):
    """A `QTableView` of which one row can be selected and the whole be copied.

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
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(PaddedDelegate(self))
        self.setAccessibleName(name)
        self.copy_table = CopyTable(model, self)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Tab leaves the table; the arrows move inside.
        self.setTabKeyNavigation(False)
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        # Fixed: to measure the rows of a wide survey would cost more than to paint them.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(row_height)
        heads.setSectionsClickable(False)
        heads.setHighlightSections(False)
