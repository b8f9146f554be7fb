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
    useful_ends,
)
from dpdesk.gui.widgets.row_model import Head

BETWEEN = " · "
"""Between the parts of a name."""


@dataclass(frozen=True)
class Line:
    """An estimate with its interval, as a row.

    Attributes:
        names: What is estimated, in parts, such as the answers to several questions.
        texts: What stands in the other columns.
        estimate, truncated, lower, upper: What is drawn.
        note: Why there is nothing to draw, or so wide an interval; empty for nothing to say.
        is_beside: Whether it is of another kind than the other rows, and does not decide about
            their axis.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    estimate: float
    truncated: float
    lower: float
    upper: float
    note: str = ""
    is_beside: bool = False

    @property
    def name(self) -> str:
        """What is estimated."""
        return BETWEEN.join(self.names)


class LinesModel(IntervalModel[Line]):
    """Estimates with their intervals, one below the other."""

    def show_lines(
        self,
        heads: Sequence[tuple[str, str]],
        lines: Sequence[Line],
        *,
        share: bool,
        possible: tuple[float, float] | None = None,
    ) -> None:
        """Shows other estimates.

        Args:
            heads: Text and meaning of each column but that of the drawing; the name's first.
            lines: The rows.
            share: Whether they are shares.
            possible: The least and the largest number that can be the truth, so that a few wide
                intervals do not decide about the axis; None where each row has a scale of its own.
        """
        first, *others = (
            Head(text, meaning, number=n > 0) for n, (text, meaning) in enumerate(heads)
        )
        drawn = Head(self.tr("Interval"), self.tr("The estimate with its 95 % interval"))
        self.heads = (first, drawn, *others)
        all_drawn = [line for line in lines if self.drawn(line) is not None]
        drawn_lines = [line for line in all_drawn if not line.is_beside] or all_drawn
        intervals = [(line.lower, line.upper) for line in drawn_lines]
        marks = [line.truncated for line in drawn_lines]
        ends = [*marks, *(end for interval in intervals for end in interval)]
        if possible is not None:
            ends = useful_ends(intervals, marks, possible)
        self._scale = scale_for(ends or (0.0, 1.0), share=share)
        self.show_rows(tuple(lines))

    @property
    def goes_on(self) -> bool:
        """Whether some interval goes on beyond the axis."""
        drawn = (row for row in self.rows if self.drawn(row) is not None)
        return any(not self._scale.holds(end) for row in drawn for end in (row.lower, row.upper))

    def untold(self, row: Line) -> str:
        return row.note

    def drawn(self, row: Line) -> Line | None:
        return row if all(map(isfinite, (row.estimate, row.lower, row.upper))) else None

    def text(self, row: Line, column: int) -> str:
        return row.name if not column else row.texts[max(column - 2, 0)]

    def tooltip(self, row: Line, column: int) -> str:
        if column > PLOT:
            return self.heads[column].meaning
        heads = (head.text for head in self.heads[2:])
        told = (f"{head}: {text}" for head, text in zip(heads, row.texts, strict=True) if text)
        return "\n".join((row.name, *told, *([row.note] if row.note else ())))

    def spoken(self, row: Line, column: int) -> str:
        if column == PLOT:
            return "; ".join(self.tooltip(row, column).splitlines())
        return super().spoken(row, column)


class LinesTable(IntervalTable):
    """The estimates and their intervals."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self.lines = LinesModel()
        name = self.tr("Estimates with 95 % intervals")
        super().__init__(self.lines, IntervalDelegate, name, parent=parent)
