"""The matrix of a mechanism whose chances are given one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QTableView, QWidget

from dpdesk.data.matrix_file import read_matrix
from dpdesk.errors import InputError
from dpdesk.gui.pages.plan.plan_dialog import PlanDialog
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.read_table import PlainHeader

Index = QModelIndex | QPersistentModelIndex
Rows = Sequence[Sequence[str]]

_NOWHERE = QModelIndex()
_WIDTH = 96
# To measure the cells of a large matrix would cost more than to show it.
_FITTED_MAX = 20


class MatrixModel(QAbstractTableModel):
    """Chances as typed, one row for each true category and one column for each reported one.

    Args:
        labels: The categories.
        rows: The chances at first.
        parent: Qt's owner.
    """

    def __init__(self, labels: Sequence[str], rows: Rows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._labels = tuple(labels)
        self._rows = self._fitted(rows)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The chances as they stand."""
        return tuple(tuple(row) for row in self._rows)

    def set_rows(self, rows: Rows) -> None:
        """Puts other chances in place; cells that are missing stay empty."""
        self.beginResetModel()
        self._rows = self._fitted(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per true category."""
        return 0 if parent.isValid() else len(self._labels)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """One column per reported category."""
        return 0 if parent.isValid() else len(self._labels)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every chance can be typed."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A chance as typed."""
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Takes what was typed as it is; the dialog tries the matrix as a whole."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        self._rows[index.row()][index.column()] = str(value).strip()
        self.dataChanged.emit(index, index)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The category."""
        if not 0 <= section < len(self._labels):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._labels[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            true = orientation == Qt.Orientation.Vertical
            kind = self.tr("True: {answer}") if true else self.tr("Reported: {answer}")
            return plain_tooltip(kind.format(answer=self._labels[section]))
        return None

    def _fitted(self, rows: Rows) -> list[list[str]]:
        size = len(self._labels)
        padded = [[*row, *([""] * size)][:size] for row in rows][:size]
        return padded + [[""] * size for _ in range(size - len(padded))]


class MatrixDialog(PlanDialog):
    """Edits a matrix and shows the epsilon that follows from it, as long as it has one.

    Args:
        title: The attribute.
        labels: The categories of its effective domain.
        rows: The matrix in force.
        epsilon_of: Returns the epsilon of a matrix as text.
        replace: Tries another matrix and returns why it was refused, or "".
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        labels: Sequence[str],
        rows: Rows,
        epsilon_of: Callable[[Rows], str],
        replace: Callable[[tuple[tuple[str, ...], ...]], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("Matrix of chances"), (620, 480), parent)
        self._epsilon_of = epsilon_of
        self._replace = replace
        self.model = MatrixModel(labels, rows, self)
        self.table = QTableView(self)
        self.table.setHorizontalHeader(PlainHeader(self.table))
        self.table.setModel(self.model)
        self.table.setAccessibleName(self.tr("Chances: rows are true, columns reported answers"))
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setDefaultSectionSize(_WIDTH)
        self.table.verticalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.verticalHeader().setMaximumWidth(2 * _WIDTH)
        meaning = self.tr(
            "Chance of each report (columns) for each true answer (rows), as exact decimals or "
            "fractions such as 0.25 or 1/3. Every row sums to 1."
        )
        self._epsilon = PlainLabel("", "strong", parent=self)
        self._lay_out(title, meaning, (self.table, 1), self._epsilon)
        self.load = self.buttons.addButton(
            self.tr("&Load a CSV file…"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.load.clicked.connect(self._choose_file)
        self.model.dataChanged.connect(lambda *_: self._try())
        self.model.modelReset.connect(self._try)
        if len(labels) <= _FITTED_MAX:
            self.table.resizeColumnsToContents()
        self._try()

    def epsilon(self) -> str:
        """The epsilon of the matrix as it is said; empty while it has none."""
        return self._epsilon.text()

    def load_file(self, path: Path) -> None:
        """Reads chances from a CSV file without heads, one line per row."""
        try:
            rows = read_matrix(path)
        except InputError as error:
            self._refusal.show_sentence(str(error))
            return
        size = self.model.rowCount()
        if len(rows) != size or any(len(row) != size for row in rows):
            sentence = self.tr("The file must have {count} rows of {count} chances, without heads.")
            self._refusal.show_sentence(sentence.format(count=f"{size:,}"))
            return
        self.model.set_rows(rows)

    def attempt(self) -> str:
        """Puts the matrix in force."""
        return self._replace(self.model.rows())

    def _choose_file(self) -> None:
        kinds = self.tr("Tables (*.csv *.txt);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Load a matrix"), "", kinds)
        if name:
            self.load_file(Path(name))

    def _try(self) -> None:
        try:
            epsilon = self._epsilon_of(self.model.rows())
        except Refused as error:
            self._epsilon.setText("")
            self._refusal.show_sentence(refusal_of(error))
            return
        self._withdraw_refusal()
        text = self.tr("ε = {epsilon} follows from this matrix.")
        self._epsilon.setText(text.format(epsilon=epsilon))
