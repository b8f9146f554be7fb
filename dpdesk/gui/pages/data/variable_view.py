"""The variable view: one row per column, what it is and what happens to it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from dpdesk.gui.pages.data.variable_delegate import ROW_HEIGHT, VariableDelegate
from dpdesk.gui.pages.data.variable_model import COLUMN, DOMAIN, KIND, MISSING, ROLE, VariableModel
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.plan import Plan

_FIELDS = {COLUMN: "label", KIND: "kind", DOMAIN: "domain", MISSING: "missing", ROLE: "role"}
_WIDTHS = {KIND: 80, DOMAIN: 206, MISSING: 90, ROLE: 112}
_NARROW = 600


class VariableView(QTableView):
    """Chooses the column that is edited.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        chosen: Emitted with the name of the column that was chosen; "" when there is none.
        editAsked: Emitted with the field to edit, at Enter, F2 or a double click.
    """

    chosen = Signal(str)
    editAsked = Signal(str)

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = VariableModel(self)
        self.setModel(self._model)
        self.setItemDelegate(VariableDelegate(theme, self))
        self.setAccessibleName(self.tr("Columns"))
        self.setAccessibleDescription(self.tr("Enter edits the chosen column."))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns = self.horizontalHeader()
        columns.setHighlightSections(False)
        columns.setMinimumSectionSize(70)
        columns.setSectionResizeMode(COLUMN, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.setColumnWidth(column, width)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self._model.modelReset.connect(self._keep)
        self.doubleClicked.connect(self._ask)
        theme.themeChanged.connect(lambda _theme: self.viewport().update())
        self._name = ""
        self._row = 0

    def variables(self) -> VariableModel:
        """The model, for its own questions."""
        return self._model

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan; the chosen column stays chosen while it is there."""
        self._model.set_plan(plan)

    def name(self) -> str:
        """The chosen column; "" when there is none."""
        return self._name

    def choose(self, name: str) -> bool:
        """Chooses a column; returns whether there is one of this name."""
        row = self._model.row_of(name)
        if row < 0:
            return False
        if row != self.currentIndex().row():
            self.setCurrentIndex(self._model.index(row, max(self.currentIndex().column(), 0)))
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and F2 go to the editor."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self._ask(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: object) -> None:
        """Leaves out what the editor shows as well where there is no room."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        for column in (KIND, MISSING):
            self.setColumnHidden(column, self.width() < _NARROW)

    def _ask(self, index: QModelIndex) -> None:
        if index.isValid():
            self.editAsked.emit(_FIELDS[index.column()])

    def _tell(self, current: QModelIndex) -> None:
        row = current.row()
        name = self._model.column_plan(row).name if current.isValid() else ""
        self._row = max(row, 0)
        if name != self._name:
            self._name = name
            self.chosen.emit(name)

    def _keep(self) -> None:
        row = self._model.row_of(self._name)
        if row < 0:
            # Renamed, or removed: what stands in its place now.
            row = min(self._row, self._model.rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self._model.index(row, COLUMN))
        else:
            self._tell(QModelIndex())
