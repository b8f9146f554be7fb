"""The estimates of one attribute as a table for a view."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from dpdesk.estimate import EstimateRow
from dpdesk.gui.pages.release.attribute_facts import is_share
from dpdesk.gui.pages.release.interval_scale import IntervalScale, scale_for
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.mechanisms import normal_quantile
from dpdesk.mechanisms.further import FURTHER_KINDS
from dpdesk.report.number_text import error_text, interval_text, quantity_text

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()

ANSWER, PLOT, ESTIMATE, IN_RANGE, INTERVAL, NOISE, SAMPLING, BOTH = range(8)
FURTHER = range(BOTH + 1, BOTH + 1 + len(FURTHER_KINDS))
"""One column for each further kind of estimate."""

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The `EstimateRow` of a row of the table."""

_Z = normal_quantile(0.95)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class EstimatesModel(QAbstractTableModel):
    """One row per share, or one for a mean.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[EstimateRow, ...] = ()
        self._scale = scale_for((0.0, 1.0), share=True)

    @property
    def rows(self) -> tuple[EstimateRow, ...]:
        """What is shown."""
        return self._rows

    @property
    def scale(self) -> IntervalScale:
        """The axis of the intervals."""
        return self._scale

    @property
    def has_moved(self) -> bool:
        """Whether an estimate lies outside the range that the quantity can have."""
        return any(row.estimate != row.truncated for row in self._rows)

    def set_rows(self, rows: tuple[EstimateRow, ...]) -> None:
        """Shows the estimates of another attribute."""
        self.beginResetModel()
        self._rows = rows
        ends = [end for row in rows for end in (row.lower, row.upper, row.truncated)]
        share = bool(rows) and is_share(rows[0])
        self._scale = scale_for(ends or (0.0, 1.0), share=share or not rows)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Number of estimates."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else FURTHER.stop

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Heads of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads()[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if section in (ANSWER, PLOT) else _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._head_tips()[section])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts of the cells, and their rows."""
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _LEFT if index.column() in (ANSWER, PLOT) else _RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return "" if index.column() == PLOT else self.text(row, index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            column = INTERVAL if index.column() == PLOT else index.column()
            return f"{self._heads()[column]}: {self.text(row, column)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._tip(row, index.column()))
        return None

    def text(self, row: EstimateRow, column: int) -> str:
        """Returns the text of a cell."""
        share, unit = is_share(row), row.unit
        error = _Z * row.total_error
        if column == ANSWER:
            return row.label if share else self.tr("Mean")
        if column == ESTIMATE:
            return quantity_text(row.estimate, error, unit, share=share)
        if column == IN_RANGE:
            return quantity_text(row.truncated, error, unit, share=share)
        if column in (PLOT, INTERVAL):
            return interval_text(row.lower, row.upper, error, unit, share=share)
        if column == SAMPLING and row.sampling_error is None:
            return self.tr("not known")
        if column in FURTHER:
            value = self.further(row, column)
            return "—" if value is None else quantity_text(value, error, unit, share=share)
        standard = {NOISE: row.noise_error, SAMPLING: row.sampling_error, BOTH: row.total_error}
        at_most = "≤" if row.sampling_error is None and column == NOISE else "±"
        return f"{at_most} {error_text(_Z * (standard[column] or 0.0), unit, share=share)}"

    def further(self, row: EstimateRow, column: int) -> float | None:
        """Returns the further estimate of a column; None where a row has none."""
        value: float | None = getattr(row, FURTHER_KINDS[column - FURTHER.start].name)
        return value

    def has_further(self, column: int) -> bool:
        """Whether any row has the further estimate of a column."""
        return any(self.further(row, column) is not None for row in self._rows)

    def _heads(self) -> tuple[str, ...]:
        return (
            self.tr("Answer"),
            self.tr("Interval"),
            self.tr("Estimate"),
            self.tr("In range"),
            self.tr("95 % interval"),
            self.tr("Noise"),
            self.tr("Sampling"),
            self.tr("Both"),
            *(QCoreApplication.translate("Estimates", kind.title) for kind in FURTHER_KINDS),
        )

    def _head_tips(self) -> tuple[str, ...]:
        return (
            self.tr("The answer, or the mean of a number"),
            self.tr("The estimate with its 95 % interval, from noise and sampling"),
            self.tr("The unbiased estimate as it is; a negative share is information"),
            self.tr("The estimate moved into the range that it can have"),
            self.tr("95 % interval from noise and sampling"),
            self.tr("95 % error from the noise only: how far from the share of these respondents"),
            self.tr("95 % error from drawing the respondents only"),
            self.tr("95 % error from noise and sampling: how far from the share of the population"),
            *(
                self.tr("Biased, without an error: {meaning}").format(
                    meaning=QCoreApplication.translate("Estimates", kind.meaning)
                )
                for kind in FURTHER_KINDS
            ),
        )

    def _tip(self, row: EstimateRow, column: int) -> str:
        if column == PLOT:
            return self.text(row, INTERVAL)
        if column == ANSWER:
            differs = row.category and row.category != row.label
            return f"{row.label} ({row.category})" if differs else row.label
        if column == NOISE and row.sampling_error is None:
            return self.tr("An upper bound: these reports do not tell noise and sampling apart.")
        if column == SAMPLING and row.sampling_error is None:
            return self.tr("These reports do not tell noise and sampling apart; see Both.")
        return self._head_tips()[column]
