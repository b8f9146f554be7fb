"""Truth beside release for one attribute: for the holder of the data alone."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.mechanisms import normal_quantile
from dpdesk.report.comparison import AttributeDiagnostics, Comparison
from dpdesk.report.number_text import MINUS, decimals_for, error_text, number_text, quantity_text

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()

ANSWER, TRUTH, ESTIMATE, DIFFERENCE, NOISE, STANDARDISED = range(6)

_Z = normal_quantile(0.95)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ComparisonModel(QAbstractTableModel):
    """One row per share, or one for a mean.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._attribute: AttributeDiagnostics | None = None

    def set_attribute(self, attribute: AttributeDiagnostics | None) -> None:
        """Shows another attribute, or none."""
        self.beginResetModel()
        self._attribute = attribute
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Number of comparisons."""
        if parent.isValid() or self._attribute is None:
            return 0
        return len(self._attribute.comparisons)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else STANDARDISED + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Heads of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        heads = (
            self.tr("Answer"),
            self.tr("Truth"),
            self.tr("Released"),
            self.tr("Difference"),
            self.tr("95 % noise error"),
            self.tr("In noise errors"),
        )
        if role == Qt.ItemDataRole.DisplayRole:
            return heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section == ANSWER else _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole and section == STANDARDISED:
            return plain_tooltip(
                self.tr("Difference by standard error of the noise: beyond ±2 in 1 of 20 cases")
            )
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts of the cells."""
        if self._attribute is None:
            return None
        row = self._attribute.comparisons[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if index.column() == ANSWER else _RIGHT
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = self.headerData(index.column(), Qt.Orientation.Horizontal)
            return f"{head}: {self._text(row, index.column())}"
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == ANSWER:
            return plain_tooltip(row.label)
        return None

    def _text(self, row: Comparison, column: int) -> str:
        assert self._attribute is not None  # noqa: S101 - only rows of an attribute are asked for
        share, unit = self._attribute.quantity == "share", self._attribute.unit
        error = _Z * row.noise_error
        if column == ANSWER:
            return row.label if share else self.tr("Mean")
        if column == TRUTH:
            return quantity_text(row.truth, error, unit, share=share)
        if column == ESTIMATE:
            return quantity_text(row.estimate, error, unit, share=share)
        if column == NOISE:
            sign = "≤" if self._attribute.noise_is_upper_bound else "±"
            return f"{sign} {error_text(error, unit, share=share)}"
        if column == STANDARDISED:
            return "—" if row.standardised is None else _signed(row.standardised, 1)
        scale, sign = (100, "pp") if share else (1, unit)
        text = _signed(scale * row.difference, decimals_for(scale * error))
        return f"{text}\u00a0{sign}" if sign else text


def _signed(value: float, decimals: int) -> str:
    text = number_text(value, decimals)
    return text if text.startswith(MINUS) or not text.strip("0.,") else f"+{text}"
