"""Estimates of any kind as rows of texts with their intervals drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.release.interval_table import (
    PLOT,
    IntervalDelegate,
    IntervalModel,
    IntervalTable,
    scale_for,
)
from dpdesk.gui.widgets.row_model import Head

_LEAST_PLOT, _LEAST_NAME = 150, 90


@dataclass(frozen=True)
class Line:
    """An estimate with its interval, as a row.

    Attributes:
        name: What is estimated.
        texts: What stands in the other columns.
        estimate, truncated, lower, upper: What is drawn.
    """

    name: str
    texts: tuple[str, ...]
    estimate: float
    truncated: float
    lower: float
    upper: float


class LinesModel(IntervalModel[Line]):
    """Estimates with their intervals, one below the other."""

    def show_lines(
        self, heads: Sequence[tuple[str, str]], lines: Sequence[Line], *, share: bool
    ) -> None:
        """Shows other estimates.

        Args:
            heads: Text and meaning of each column but that of the drawing; the name's first.
            lines: The rows.
            share: Whether they are shares.
        """
        first, *others = (
            Head(text, meaning, number=n > 0) for n, (text, meaning) in enumerate(heads)
        )
        drawn = Head(self.tr("Interval"), self.tr("The estimate with its 95 % interval"))
        self.heads = (first, drawn, *others)
        ends = [end for line in lines for end in (line.lower, line.upper, line.truncated)]
        self._scale = scale_for([end for end in ends if isfinite(end)] or (0.0, 1.0), share=share)
        self.show_rows(tuple(lines))

    def drawn(self, row: Line) -> Line | None:
        """The row, unless the reports do not tell it."""
        return row if all(map(isfinite, (row.estimate, row.lower, row.upper))) else None

    def text(self, row: Line, column: int) -> str:
        """The text of a cell."""
        return row.name if not column else row.texts[max(column - 2, 0)]

    def tooltip(self, row: Line, column: int) -> str:
        """All numbers of the drawing; what a column means elsewhere."""
        if column > PLOT:
            return self.heads[column].meaning
        heads = (head.text for head in self.heads[2:])
        told = (f"{head}: {text}" for head, text in zip(heads, row.texts, strict=True) if text)
        return "\n".join((row.name, *told))

    def spoken(self, row: Line, column: int) -> str:
        """The text of a cell with its head; for the drawing all of it."""
        if column == PLOT:
            return "; ".join(self.tooltip(row, column).splitlines())
        return super().spoken(row, column)


class LinesTable(IntervalTable):
    """The estimates; numbers have the room of their texts."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self.lines = LinesModel()
        name = self.tr("Estimates with 95 % intervals")
        super().__init__(self.lines, IntervalDelegate, name, parent=parent)

    def show_lines(
        self, heads: Sequence[tuple[str, str]], lines: Sequence[Line], *, share: bool
    ) -> None:
        """Shows other estimates; see `LinesModel.show_lines`."""
        self.lines.show_lines(heads, lines, share=share)
        self._share_width()
        self.scrollToTop()

    def _share_width(self) -> None:
        if not self.lines.heads:
            return
        columns = range(PLOT + 1, self.lines.columnCount())
        for column in columns:
            self.setColumnHidden(column, False)
            self.setColumnWidth(column, self._needed(column))
        # Where there is no room for all, the last ones give way; the tooltip has all numbers.
        left_out = []
        for column in reversed(columns):
            if self._spare() >= _LEAST_NAME + _LEAST_PLOT:
                break
            if column > PLOT + 1:
                left_out.append(column)
                self.setColumnHidden(column, True)
        self.leave_out(reversed(left_out))
        spare = self._spare()
        name = min(self._needed(0), max(_LEAST_NAME, round(0.45 * spare)))
        self.setColumnWidth(0, name)
        self.setColumnWidth(PLOT, max(_LEAST_PLOT, spare - name))
