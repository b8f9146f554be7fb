"""A table that is typed, with the picture of its supposed shares and their intervals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, nan

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from dpdesk.designs.planning import require_share
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.planning.cell import Read, read_any_share
from dpdesk.gui.pages.simulate.planning.words import margin_words
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.typed_table import TypedColumn, TypedModel, TypedRows
from dpdesk.preview import significant

MOST = 12
"""More intervals than this would have no room for their names."""
LEAST_HEIGHT = 130
_STEP = 10
_SPACING = 8
_ANY_HEIGHT = 16_777_215
"""Qt's own bound of a height that is not bounded."""
_AXIS = 70
_CAP, _DOT = 0.06, 0.12


@dataclass(frozen=True)
class Interval:
    """A supposed share with its margin, both between 0 and 1."""

    name: str
    share: float
    margin: float


class IntervalPlot(PlotCanvas):
    """Upright lines from the lower to the upper end, a bar at the share.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("IntervalPlot", "Supposed shares with their intervals")
        super().__init__(name, parent=parent)
        self._intervals: tuple[Interval, ...] = ()
        self._lines = self.line(0)
        self._lines.opts["connect"] = "finite"
        self.set_axis_titles("", self.tr("share (%)"))
        self.setMinimumHeight(LEAST_HEIGHT)

    def show_intervals(self, intervals: Sequence[Interval]) -> None:
        """Shows these intervals, from left to right."""
        self._intervals = tuple(intervals)
        x: list[float] = []
        y: list[float] = []
        for place, interval in enumerate(intervals):
            share, margin = 100 * interval.share, 100 * interval.margin
            for width, height in ((_CAP, share - margin), (_DOT, share), (_CAP, share + margin)):
                x += [place - width, place + width, nan]
                y += [height, height, nan]
            x += [place, place, nan]
            y += [share - margin, share + margin, nan]
        self._lines.setData(np.array(x), np.array(y), connect="finite")
        known = [height for height in y if height == height]
        lowest = min(0, _STEP * floor(min(known, default=0) / _STEP))
        highest = _STEP * ceil(max(known, default=_STEP) / _STEP)
        self.set_ranges((-0.6, len(self._intervals) - 0.4), (lowest, max(highest, _STEP)))
        self._name()
        rows = tuple(
            (i.name, f"{significant(100 * i.share, 3)} %", margin_words(i.margin))
            for i in self._intervals
        )
        heads = (self.tr("Name"), self.tr("Supposed share"), self.tr("Margin"))
        self.set_table(heads, rows)
        self.set_description("; ".join(" ".join(row) for row in rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides the names anew."""
        super().resizeEvent(event)
        # pyqtgraph resizes once before the plot is made.
        if hasattr(self, "_intervals"):
            self._name()

    def _name(self) -> None:
        if not self._intervals:
            return
        room = (self.width() - _AXIS) // len(self._intervals) - 8
        metrics = QFontMetrics(self.font())
        self.set_categories(
            [metrics.elidedText(i.name, Qt.TextElideMode.ElideRight, room) for i in self._intervals]
        )


def share_reader(what: str) -> Read:
    """Returns what reads a share between 0 and 1 in per cent; the refusal says what it is."""
    return lambda text: require_share(read_any_share(text), what)


class TablePane(QWidget):
    """Fields, the table below, and the picture below that; the table comes first.

    Args:
        parent: Qt's owner.

    Attributes:
        changed: Emitted when something else is wanted.
        model: What is typed, and what is found.
        table: Its view.
    """

    changed = Signal()

    model: TypedModel
    table: TypedRows

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: IntervalPlot | None = None
        self._intervals: tuple[Interval, ...] = ()
        self._drawn: tuple[Interval, ...] = ()
        self._fields = QWidget(self)
        self._column = lay_column(spacing=_SPACING, on=self)

    @abstractmethod
    def _new_row(self) -> tuple[str, ...]:
        """The texts of a row that is added."""

    @abstractmethod
    def _arrange(self) -> None:
        """Shows the fields and columns that the choices need."""

    @property
    def picture(self) -> IntervalPlot:
        """The intervals; made when they are first looked at, so that the page opens sooner."""
        if self._picture is None:
            self._picture = IntervalPlot(parent=self)
            self._picture.hide()
            self._column.insertWidget(self._column.count() - 1, self._picture, 1)
        return self._picture

    def stack(
        self,
        cells: Sequence[QWidget],
        name: str,
        columns: Sequence[TypedColumn],
        rows: Sequence[Sequence[str]],
        add_words: str,
    ) -> None:
        """Puts fields and a table above the picture.

        Args:
            cells: The fields, three abreast.
            name: Accessible name of the table.
            columns: Its columns.
            rows: The texts of its rows at first.
            add_words: The words of the button that adds a row.
        """
        self.model = TypedModel(columns, rows, self)
        self.table = TypedRows(name, self.model, self._new_row, add_words, parent=self)
        self.table.edited.connect(self.changed)
        grid = QGridLayout(self._fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        for place, cell in enumerate(cells):
            grid.addWidget(cell, 0, place)
        for place in range(3):
            grid.setColumnStretch(place, 1)
        self._fields.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column.addWidget(self._fields)
        # As high as its rows, if there is room; the rest belongs to the picture.
        self._column.addWidget(self.table, 100)
        self._column.addStretch(1)
        self._arrange()

    def read(self, readers: Mapping[int, Read]) -> list[dict[int, float]] | None:
        """Reads columns of the table and marks what is wrong.

        Args:
            readers: What reads a column, by its number.

        Returns:
            The numbers of each row by their columns; None where something is wrong.
        """
        refusals: dict[tuple[int, int], str] = {}
        numbers: list[dict[int, float]] = []
        for row, texts in enumerate(self.model.texts()):
            numbers.append({})
            for column, read in readers.items():
                try:
                    numbers[row][column] = read(texts[column])
                except ParameterError as error:
                    refusals[row, column] = str(error)
        self.table.show_refusals(refusals)
        return None if refusals else numbers

    def clear(self, *columns: int) -> None:
        """Empties columns of what was found, and the picture."""
        self.show_intervals(())
        for row in range(self.model.rowCount()):
            for column in columns:
                self.model.set_text(row, column, "")

    def choose(self) -> None:
        """Follows a choice."""
        self._arrange()
        self.changed.emit()

    def show_intervals(self, intervals: Sequence[Interval]) -> None:
        """Shows these intervals, or none."""
        self._intervals = tuple(intervals)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows the picture where there is room for it."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        full = self.table.full_height()
        used = self._fields.sizeHint().height() + full + 2 * _SPACING
        fits = self.height() - used >= LEAST_HEIGHT
        shown = fits and 0 < len(self._intervals) <= MOST
        if shown and self._drawn != self._intervals:
            self._drawn = self._intervals
            self.picture.show_intervals(self._intervals)
        if self._picture is not None:
            self._picture.setVisible(shown)
        # The room below belongs to the picture, or to nobody.
        self.table.setMaximumHeight(full if shown else _ANY_HEIGHT)
        self._column.setStretch(self._column.count() - 1, 0 if shown else 1)
