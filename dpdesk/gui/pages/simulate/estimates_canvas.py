"""Bars of estimates, curves of theory and the truth: one picture of hypothetical surveys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant
from dpdesk.preview.survey import stepped_up

THEORY = 1
"""Colour of the curve of theory; those of other designs follow it."""

_ROOM = 1.1
_HIGHEST = 4.0
"""How many times as high as its own a design leaves the curves of others room."""
_NEAR = np.linspace(-4.5, 4.5, 91)

Floats = NDArray[np.float64]


class Pile(Protocol):
    """A histogram of estimates and the curve of theory, on one axis."""

    @property
    def edges(self) -> Floats:
        """Edges of the bars, shape (bars + 1,)."""

    @property
    def counts(self) -> Floats:
        """Surveys in each bar, shape (bars,)."""

    @property
    def x(self) -> Floats:
        """Where the curve of theory is known."""

    @property
    def y(self) -> Floats:
        """The curve, in surveys for a bar of this width."""

    @property
    def width(self) -> float:
        """Width of a bar."""

    @property
    def truth(self) -> float:
        """The true value."""

    @property
    def x_range(self) -> tuple[float, float]:
        """Ends of the axis."""

    @property
    def y_max(self) -> float:
        """Upper end of the axis of counts."""


class EstimatesCanvas(PlotCanvas):
    """The bars and the curves.

    Args:
        theme: The switch that the colours follow.
        rivals: How many other designs can have a curve.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, rivals: int, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("EstimatesCanvas", "Estimates of hypothetical surveys")
        super().__init__(theme, name, parent=parent)
        # Room for the upper half of the number at the end of the axis.
        self.getPlotItem().setContentsMargins(0, 9, 0, 0)
        self._bars = self.bars(0)
        self._curve = self.line(THEORY)
        self._rivals = [self.line(THEORY + 1 + number) for number in range(rivals)]
        self._truth = self.marker()
        self._ranges: tuple[object, ...] = ()

    def show_bars(self, pile: Pile) -> None:
        """Shows the estimates and the truth; the axes follow with `show_axes`."""
        middles = (pile.edges[:-1] + pile.edges[1:]) / 2
        self._bars.setOpts(x=middles, height=pile.counts, width=0.96 * pile.width)
        self._truth.setValue(pile.truth)

    def show_axes(self, pile: Pile, peak: float, repetitions: int, estimated: str) -> None:
        """Shows axes with room for the curves of others, as long as the bars can be read.

        Args:
            pile: The estimates.
            peak: The highest point of all curves.
            repetitions: Number of surveys.
            estimated: Title of the axis of estimates.
        """
        own = max(float(pile.counts.max()), float(pile.y.max()))
        wanted = max(pile.y_max, stepped_up(_ROOM * min(peak, _HIGHEST * own)))
        ranges = (pile.x_range, (0.0, min(wanted, stepped_up(_ROOM * repetitions))))
        if ranges != self._ranges:
            self._ranges = ranges
            self.set_ranges(*ranges)
        surveys = self.tr("Surveys out of {count}").format(count=f"{repetitions:,}")
        self.set_axis_titles(estimated, surveys)


class EstimatesPanel(QWidget):
    """The picture with its legend.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(theme, parent=self)
        self.rivals = LegendRow(theme, parent=self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.legend)
        self._column.addWidget(self.rivals)

    def place(self, plot: EstimatesCanvas) -> None:
        """Puts the picture below its legend."""
        plot.setMinimumHeight(160)
        self._column.addWidget(plot, 1)

    def show_entries(self, surveys: str, design: str, others: Sequence[LegendEntry]) -> None:
        """Shows the legend.

        Args:
            surveys: What the bars are.
            design: Title of the design in force.
            others: The curves of others.
        """
        theory = self.tr("theory, {design}").format(design=design)
        self.legend.set_entries(
            (
                LegendEntry(surveys, 0, "bars", self.tr("surveys")),
                LegendEntry(theory, THEORY, "solid", self.tr("theory")),
            )
        )
        self.rivals.setVisible(bool(others))
        self.rivals.set_entries(others)


def with_peak(x: Floats, mean: float, error: float) -> Floats:
    """Adds points around a curve's peak: those of the picture would miss a narrow one."""
    near = mean + error * _NEAR
    return np.union1d(x, near[(x[0] <= near) & (near <= x[-1])])


def pile_table(pile: Pile, heads: tuple[str, str, str]) -> PlotTable:
    """Returns the bars as a table: from, to, surveys."""
    rows = tuple(
        (significant(low, 4), significant(high, 4), f"{count:,.4g}")
        for low, high, count in zip(pile.edges[:-1], pile.edges[1:], pile.counts, strict=True)
    )
    return PlotTable(heads, rows)
