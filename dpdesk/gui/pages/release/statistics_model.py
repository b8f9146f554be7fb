"""The released statistics of one query as a table for a view."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt

from dpdesk.estimate.released_statistics import QueryResult
from dpdesk.gui.pages.release.estimates_model import PLOT, ROW_ROLE
from dpdesk.gui.pages.release.interval_scale import IntervalScale, scale_for
from dpdesk.gui.pages.release.statistics_rows import StatisticRow, result_rows
from dpdesk.gui.widgets.row_model import Head, Index, RowModel

CELL, _, VALUE, IN_RANGE, NOISE, TOTAL = range(6)


class StatisticsModel(RowModel[StatisticRow]):
    """One row per cell of a query.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scale = scale_for((0.0, 1.0), share=False)
        self.heads = (
            Head(self.tr("Of")),
            Head(
                self.tr("Interval"),
                self.tr("The result with its interval; the thin line holds the sampling too"),
            ),
            Head(
                self.tr("Released"),
                self.tr("As it was drawn: a negative count is noise, and says so"),
                number=True,
            ),
            Head(
                self.tr("In range"),
                self.tr("Moved into the range that the statistic can have"),
                number=True,
            ),
            Head(
                self.tr("In the table"),
                self.tr("Interval for what the table would say without noise"),
                number=True,
            ),
            Head(
                self.tr("Population"),
                self.tr("Interval for the population, from noise and sampling"),
                number=True,
            ),
        )

    @property
    def scale(self) -> IntervalScale:
        """The axis of the intervals."""
        return self._scale

    @property
    def outside(self) -> int:
        """How many numbers lie where the statistic cannot be."""
        return sum(bool(row.in_range) for row in self.rows)

    def has(self, column: int) -> bool:
        """Whether any row has something in a column."""
        if column == PLOT:
            return any(row.is_number for row in self.rows)
        return any(self.text(row, column) for row in self.rows)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of another query."""
        rows = result_rows(result)
        ends = [
            end
            for row in rows
            if row.is_number
            for end in (row.estimate, row.lower, row.upper, row.truncated, *(row.outer or ()))
        ]
        if ends and result.bound.query.kind in ("count", "histogram", "share"):
            ends.append(0.0)
        self._scale = scale_for(ends or (0.0, 1.0), share=False)
        by = getattr(result.bound.query, "by", ())
        of = " · ".join(by) or getattr(result.bound.query, "column", "") or self.tr("Of")
        self.heads = (Head(of), *self.heads[1:])
        self.show_rows(rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has, and its row; the interval is painted, not written."""
        if role == ROW_ROLE:
            row = self.row(index.row())
            return row if row.is_number else None
        if role == Qt.ItemDataRole.DisplayRole and index.column() == PLOT:
            return ""
        return super().data(index, role)

    def text(self, row: StatisticRow, column: int) -> str:
        """The text of a cell."""
        return (row.cell, row.noise, row.value, row.in_range, row.noise, row.total)[column]

    def tooltip(self, row: StatisticRow, column: int) -> str:
        """The interval that is drawn, the cell in full, and what a column means."""
        if column == PLOT:
            return row.noise
        return row.cell if column == CELL else self.heads[column].meaning

    def spoken(self, row: StatisticRow, column: int) -> str:
        """The text of a cell with its head; of the picture the interval."""
        return f"{self.heads[column].text}: {self.text(row, column)}"
