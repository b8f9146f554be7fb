"""The table of attributes: one is selected, and the panel beside it shows that one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.gui.pages.plan.attribute_delegate import ROW_HEIGHT, AttributeDelegate
from dpdesk.gui.pages.plan.attribute_model import (
    ATTRIBUTE,
    EPSILON,
    ERROR,
    MECHANISM,
    TYPE,
)
from dpdesk.gui.pages.plan.attribute_rows import AttributeRow
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.read_table import ReadTable
from dpdesk.gui.widgets.row_model import Index, RowModel

# Widths at 10 pt, measured with "Nominal · 16", "Bounded Laplace", a lock before "20.00" and
# "± 1,200 pp"; the first column takes the rest.
_WIDTHS = {TYPE: 112, MECHANISM: 134, EPSILON: 74, ERROR: 96}
_NARROW = {TYPE: 80, MECHANISM: 101, EPSILON: 64, ERROR: 95}
_NARROW_BELOW = 540


class AttributeTable(ReadTable):
    """Rows of equal height without a grid; Enter goes on to the panel.

    Args:
        model: What is shown.
        theme: The switch that the colours follow.
        name: Accessible name; that of the attributes when empty.
        parent: Qt's owner.

    Attributes:
        attributeSelected: Emitted with the row that was selected, -1 for none.
        attributeActivated: Emitted with the row on which Enter was pressed or that was double
            clicked.
        lockClicked: Emitted with the row whose lock was clicked.
    """

    attributeSelected = Signal(int)
    attributeActivated = Signal(int)
    lockClicked = Signal(int)

    def __init__(
        self,
        model: RowModel[AttributeRow],
        theme: ThemeSwitch,
        *,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        name = name or self.tr("Attributes")
        super().__init__(model, theme, name, row_height=ROW_HEIGHT, parent=parent)
        delegate = AttributeDelegate(theme, self)
        delegate.lockClicked.connect(self.lockClicked)
        self.setItemDelegate(delegate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        heads = self.horizontalHeader()
        heads.setMinimumSectionSize(40)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setSectionResizeMode(ATTRIBUTE, QHeaderView.ResizeMode.Stretch)
        self._share_width()
        self.doubleClicked.connect(lambda index: self.attributeActivated.emit(index.row()))

    def select(self, row: int) -> None:
        """Selects a row and brings it into view; -1 clears the selection."""
        if row < 0:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        elif self.currentIndex().row() != row:
            self.selectRow(row)
            self.scrollTo(self.model().index(row, 0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Announces the row that the arrows or a click went to."""
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.attributeSelected.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on to the panel; Home and End go to the first and the last attribute."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.attributeActivated.emit(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_Home and self.model().rowCount():
            self.select(0)
        elif event.key() == Qt.Key.Key_End:
            self.select(self.model().rowCount() - 1)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow table gives names of mechanisms two lines rather than cut those of columns."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        widths = _NARROW if self.viewport().width() < _NARROW_BELOW else _WIDTHS
        for column, width in widths.items():
            if self.columnWidth(column) != width:
                self.setColumnWidth(column, width)
