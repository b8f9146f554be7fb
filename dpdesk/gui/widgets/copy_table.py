"""Copying a table that is read: Ctrl+C or its context menu."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView

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
