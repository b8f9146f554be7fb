"""The estimates of one attribute as a table for a view."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt

from dpdesk.estimate import EstimateRow
from dpdesk.gui.pages.release.attribute_facts import is_share
from dpdesk.gui.pages.release.interval_scale import IntervalScale, scale_for
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.mechanisms import normal_quantile
from dpdesk.mechanisms.further import FURTHER_KINDS
from dpdesk.report.number_text import error_text, interval_text, quantity_text

ANSWER, PLOT, ESTIMATE, IN_RANGE, INTERVAL, NOISE, SAMPLING, BOTH = range(8)
FURTHER = range(BOTH + 1, BOTH + 1 + len(FURTHER_KINDS))
"""One column for each further kind of estimate."""

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
"""The `EstimateRow` of a row of the table."""

_Z = normal_quantile(0.95)


class EstimatesModel(RowModel[EstimateRow]):
    """One row per share, or one for a mean.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scale = scale_for((0.0, 1.0), share=True)
        self.heads = tuple(
            Head(text, meaning, number=column not in (ANSWER, PLOT))
            for column, (text, meaning) in enumerate((*self._own_heads(), *_further_heads()))
        )

    @property
    def scale(self) -> IntervalScale:
        """The axis of the intervals."""
        return self._scale

    @property
    def has_moved(self) -> bool:
        """Whether an estimate lies outside the range that the quantity can have."""
        return any(row.estimate != row.truncated for row in self.rows)

    def set_rows(self, rows: tuple[EstimateRow, ...]) -> None:
        """Shows the estimates of another attribute."""
        ends = [end for row in rows for end in (row.lower, row.upper, row.truncated)]
        share = bool(rows) and is_share(rows[0])
        self._scale = scale_for(ends or (0.0, 1.0), share=share or not rows)
        self.show_rows(rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has, and its row; the interval is painted, not written."""
        if role == ROW_ROLE:
            return self.row(index.row())
        if role == Qt.ItemDataRole.DisplayRole and index.column() == PLOT:
            return ""
        return super().data(index, role)

    def text(self, row: EstimateRow, column: int) -> str:
        """The text of a cell."""
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
        return any(self.further(row, column) is not None for row in self.rows)

    def tooltip(self, row: EstimateRow, column: int) -> str:
        """What a cell means, or what it has no room for."""
        if column == PLOT:
            return self.text(row, INTERVAL)
        if column == ANSWER:
            differs = row.category and row.category != row.label
            return f"{row.label} ({row.category})" if differs else row.label
        if column == NOISE and row.sampling_error is None:
            return self.tr("An upper bound: these reports do not tell noise and sampling apart.")
        if column == SAMPLING and row.sampling_error is None:
            return self.tr("These reports do not tell noise and sampling apart; see Both.")
        return self.heads[column].meaning

    def spoken(self, row: EstimateRow, column: int) -> str:
        """The text of a cell with its head; of the picture the interval."""
        shown = INTERVAL if column == PLOT else column
        return f"{self.heads[shown].text}: {self.text(row, shown)}"

    def _own_heads(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.tr("Answer"), self.tr("The answer, or the mean of a number")),
            (
                self.tr("Interval"),
                self.tr("The estimate with its 95 % interval, from noise and sampling"),
            ),
            (
                self.tr("Estimate"),
                self.tr("The unbiased estimate as it is; a negative share is information"),
            ),
            (
                self.tr("In range"),
                self.tr("The estimate moved into the range that it can have"),
            ),
            (self.tr("95 % interval"), self.tr("95 % interval from noise and sampling")),
            (
                self.tr("Noise"),
                self.tr(
                    "95 % error from the noise only: how far from the share of these respondents"
                ),
            ),
            (self.tr("Sampling"), self.tr("95 % error from drawing the respondents only")),
            (
                self.tr("Both"),
                self.tr(
                    "95 % error from noise and sampling: how far from the share of the population"
                ),
            ),
        )


def _further_heads() -> tuple[tuple[str, str], ...]:
    meaning = QCoreApplication.translate("EstimatesModel", "Biased, without an error: {meaning}")
    return tuple(
        (
            QCoreApplication.translate("Estimates", kind.title),
            meaning.format(meaning=QCoreApplication.translate("Estimates", kind.meaning)),
        )
        for kind in FURTHER_KINDS
    )
