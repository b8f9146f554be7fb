"""The view of a table to read: rows of equal height, no grid, no editing."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QFont, QGuiApplication, QHelpEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionHeader,
    QTableView,
    QToolTip,
    QWidget,
)

from dpdesk.gui.widgets.padded_delegate import PADDING, PaddedDelegate
from dpdesk.gui.widgets.plain_text import elided, whole_tooltip
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


class PlainHeader(QHeaderView):
    """Heads of columns that end in "…" where they have no room, and then tell the whole.

    Qt's own elision leaves the padding of the style sheet out: it cuts a letter, and of a head
    that stands at the right the first one.

    Args:
        view: The table.
    """

    def __init__(self, view: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    def shown(self, section: int) -> str:
        """As much of a head as there is room for."""
        text = str(self.model().headerData(section, self.orientation()) or "")
        font = QFont(self.font())
        font.setBold(True)
        return elided(text, font, self.sectionSize(section) - 2 * PADDING)

    def tooltip(self, section: int) -> str:
        """The whole head where it is cut, then what it means."""
        told = self.model().headerData(
            section, self.orientation(), int(Qt.ItemDataRole.ToolTipRole)
        )
        text = str(self.model().headerData(section, self.orientation()) or "")
        return whole_tooltip(text, self.shown(section), str(told or ""))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """Shows what there is room for."""
        super().initStyleOptionForIndex(option, section)
        option.text = self.shown(section)

    def viewportEvent(self, event: QEvent) -> bool:
        """Shows the tooltip."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        section = self.logicalIndexAt(event.pos())
        QToolTip.showText(event.globalPos(), self.tooltip(section) if section >= 0 else "", self)
        return True


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
        self.setHorizontalHeader(PlainHeader(self))
        # The style draws a frame where both scroll bars meet; an empty widget draws nothing.
        self.setCornerWidget(QWidget(self))
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
        rows = self.verticalHeader()
        rows.hide()
        # Fixed: to measure the rows of a wide survey would cost more than to paint them.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(row_height)
