"""The numbers of a plot as a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialogButtonBox,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from dpdesk.gui.icons import IconButton
from dpdesk.gui.widgets.boxes import SideDialog, lay_column
from dpdesk.gui.widgets.plain_text import literal


@dataclass(frozen=True)
class PlotTable:
    """What a plot shows, as texts.

    Attributes:
        headers: The heads of the columns.
        rows: One tuple of as many texts for each row.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def tab_separated(self) -> str:
        """The table as text that a spreadsheet takes from the clipboard."""
        return "\n".join("\t".join(line) for line in (self.headers, *self.rows))


_BESIDE = 48
"""What stands beside the columns: margins, frame and scroll bar, in pixels."""
_MOST_WIDE = 900


class PlotTableDialog(SideDialog):
    """A window with the table of a plot, beside the plot and never in its way.

    Args:
        title: What the plot shows.
    """

    def __init__(self, title: str, *, parent: QWidget | None = None) -> None:
        super().__init__(title, parent=parent)
        self._table = PlotTable((), ())
        self.resize(520, 420)
        self._view = QTableWidget(self)
        self._view.setAccessibleName(title)
        self._view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._view.setTabKeyNavigation(False)
        self._view.verticalHeader().hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        copy = buttons.addButton(self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self.copy)
        buttons.rejected.connect(self.close)
        lay_column(self._view, buttons, on=self)

    def set_table(self, table: PlotTable) -> None:
        """Shows a table in place of the one before."""
        self._table = table
        self._view.setColumnCount(len(table.headers))
        self._view.setRowCount(len(table.rows))
        self._view.setHorizontalHeaderLabels([literal(head) for head in table.headers])
        for row, texts in enumerate(table.rows):
            for column, text in enumerate(texts):
                self._view.setItem(row, column, QTableWidgetItem(literal(text)))
        self._view.resizeColumnsToContents()
        wanted = self._view.horizontalHeader().length() + _BESIDE
        if not self.isVisible() and wanted > self.width():
            self.resize(min(wanted, _MOST_WIDE), self.height())

    def copy(self) -> None:
        """Puts the table on the clipboard."""
        QGuiApplication.clipboard().setText(self._table.tab_separated())


class TableWindow:
    """The window with the numbers of a widget, which is made when it is first asked for.

    Args:
        owner: The widget.

    Attributes:
        dialog: The window; None while nobody asked for it.
    """

    def __init__(self, owner: QWidget) -> None:
        self._owner = owner
        self.dialog: PlotTableDialog | None = None

    def show(self, title: str, table: PlotTable) -> None:
        """Shows a table, from where it can be copied.

        Args:
            title: What it is a table of.
            table: The numbers.
        """
        if self.dialog is None:
            self.dialog = PlotTableDialog(title, parent=self._owner.window())
        self.dialog.set_table(table)
        self.dialog.show_beside()

    def follow(self, make: Callable[[], PlotTable]) -> None:
        """Shows what the widget shows now, if the window is open; else nothing is computed."""
        if self.dialog is not None and self.dialog.isVisible():
            self.dialog.set_table(make())


class NumbersButton(IconButton):
    """The button that shows the numbers of a plot or of a view as a table.

    Args:
        name: What it does; the tooltip adds its key.
    """

    def __init__(self, name: str, *, parent: QWidget) -> None:
        super().__init__("table-large", name, tip=f"{name} (Ctrl+T)", size=18, parent=parent)
