"""Margin or power against n: of the design, and of a direct question, answered or denied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.designs.planning import TESTS, Sample, Wanted, denied_error, power
from dpdesk.gui.pages.simulate.scales import Quantity
from dpdesk.gui.pages.simulate.scenario import PERCENT
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_axis import set_log_ticks
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import significant

Floats = NDArray[np.float64]

LEAST, MOST = 100, 10**6
_POINTS = 61
_MARGINS = (0.1, 100.0)
"""The axis of margins in percentage points."""
LEAST_HEIGHT = 100
"""The least height of a picture, in pixels."""

_TITLED_FROM = 165
_NOTHING = 1e-9


@dataclass(frozen=True)
class Curves:
    """Heights in per cent, or in the unit of a margin, at numbers of respondents.

    Attributes:
        respondents: Where the curves are known; no more than the population.
        design: Margin or power of the design.
        direct: The same of a direct question that is answered truthfully.
        denied: z times the typical error of a direct question that carriers deny; empty without.
        of_power: Whether the curves are of power, and not of margins.
        people: Respondents of the plan.
        height: What the design has there.
        least: Left end of the axis, at most the respondents of the plan.
        most: Right end of the axis.
        quantity: How margins are written.
    """

    respondents: Floats
    design: Floats
    direct: Floats
    denied: Floats
    of_power: bool
    people: int
    height: float
    least: float
    most: float
    quantity: Quantity

    @property
    def margin_words(self) -> str:
        """The margin of the plan with its unit."""
        return self.quantity.margin_words(self.height / self.quantity.scale)

    @property
    def margins(self) -> tuple[float, float]:
        """Ends of the axis of margins, powers of ten with the margin of the plan between them."""
        known = _MARGINS + (self.height,) * (self.height > 0)
        if self.quantity.report_unit is not None:
            known = tuple(h for h in (*self.design, *self.direct, *self.denied) if h > 0)
        lowest, highest = floor(log10(min(known))), ceil(log10(max(known)))
        return 10.0**lowest, 10.0 ** max(highest, lowest + 1)


def curves_of(wanted: Wanted, sample: Sample, quantity: Quantity = PERCENT) -> Curves:
    """Returns the curves of a plan that was found, through its point."""
    of_power = wanted.goal in TESTS
    most = float(max(MOST, 10 ** ceil(log10(sample.respondents))))
    least = float(min(LEAST, 10 ** floor(log10(sample.respondents))))
    last = most if sample.population is None else min(most, float(sample.population))
    # Of one respondent no error is known.
    places = np.unique(np.round(np.geomspace(max(min(least, last), 2.0), last, _POINTS)))
    scale = quantity.scale

    def height(*, direct: bool) -> Callable[[int], float]:
        if of_power:
            return lambda n: 100 * power(sample.of(n), wanted.contrast, direct=direct)
        return lambda n: scale * (sample.of(n).direct_margin if direct else sample.of(n).margin)

    own, plain = height(direct=False), height(direct=True)
    denied = np.zeros(0)
    if wanted.denial is not None and not of_power:
        errors = [denied_error(sample.of(int(n)), wanted.denial) for n in places]
        denied = scale * sample.quantile * np.array(errors)
    return Curves(
        respondents=places,
        design=np.array([own(int(n)) for n in places]),
        direct=np.array([plain(int(n)) for n in places]),
        denied=denied,
        of_power=of_power,
        people=sample.respondents,
        height=own(sample.respondents),
        least=least,
        most=most,
        quantity=quantity,
    )


class CurvePlot(PlotCanvas):
    """The curves with logarithmic respondents; margins are logarithmic too."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("CurvePlot", "Margin or power against respondents")
        super().__init__(name, parent=parent)
        self._direct = self.line("muted", style="dotted")
        self._denied = self.line(1, style="dashed")
        self._design = self.line(0)
        self._upright = self.marker(angle=90)
        self._level = self.marker(angle=0)
        self._frame: tuple[object, ...] = ()
        self.setMinimumHeight(LEAST_HEIGHT)

    def show_curves(self, curves: Curves) -> None:
        """Shows the curves of a plan."""
        logs = np.log10(curves.respondents)
        known = len(curves.denied) > 0
        heights = (curves.direct, curves.denied, curves.design)
        for line, height in zip((self._direct, self._denied, self._design), heights, strict=True):
            line.setData(logs if len(height) else [], _placed(height, curves))
        self._upright.setValue(np.log10(curves.people))
        self._level.setValue(float(_placed(np.array([curves.height]), curves)[0]))
        self._frame_for(curves)
        self.set_table_source(lambda: self._table_of(curves, known=known))
        people = f"{curves.people:,}"
        if curves.of_power:
            words = self.tr("{people} respondents: power {height} %").format(
                people=people, height=significant(curves.height, 3)
            )
        else:
            words = self.tr("{people} respondents: margin {height}").format(
                people=people,
                height=curves.margin_words,
            )
        self.set_description(words)

    def _frame_for(self, curves: Curves) -> None:
        margins, unit = curves.margins, curves.quantity.unit
        frame = (curves.of_power, curves.least, curves.most, margins, unit)
        if frame == self._frame:
            return
        self._frame = frame
        plot = self.getPlotItem()
        margin = self.tr("margin (± {unit})").format(unit=unit) if unit else self.tr("margin (±)")
        left = self.tr("power (%)") if curves.of_power else margin
        self.set_axis_titles(self.tr("respondents"), left)
        ends = (np.log10(curves.least), np.log10(curves.most))
        if curves.of_power:
            self.set_ranges(ends, (0.0, 100.0))
            plot.getAxis("left").setTicks(None)
        else:
            self.set_ranges(ends, (np.log10(margins[0]), np.log10(margins[1])))
            set_log_ticks(plot.getAxis("left"), *margins)
        set_log_ticks(plot.getAxis("bottom"), curves.least, curves.most)
        plot.showGrid(x=True, y=True, alpha=1.0)

    def _table_of(self, curves: Curves, *, known: bool) -> PlotTable:
        heads = (
            self.tr("Respondents"),
            self.tr("The design"),
            self.tr("Direct question"),
            self.tr("Direct question, denied"),
        )
        columns = [curves.design, curves.direct, *([curves.denied] if known else [])]
        rows = tuple(
            (f"{int(n):,}", *(significant(height, 3) for height in heights))
            for n, *heights in zip(curves.respondents, *columns, strict=True)
        )
        return PlotTable(heads[: 1 + len(columns)], rows)


class CurvePanel(QWidget):
    """The plot below its legend."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(parent=self)
        self.plot = CurvePlot(parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        lay_column(self.legend, (self.plot, 1), spacing=4, on=self)

    def show_curves(self, curves: Curves, design: str) -> None:
        """Shows the curves of a plan with what they are.

        Args:
            curves: The curves.
            design: What the design is called.
        """
        entries = [
            LegendEntry(design, 0),
            LegendEntry(self.tr("direct question"), "muted", "dotted", self.tr("direct")),
        ]
        if len(curves.denied):
            words = self.tr("direct, denied: bias included")
            entries.append(LegendEntry(words, 1, "dashed", self.tr("direct, denied")))
        self.legend.set_entries(entries)
        self.plot.show_curves(curves)


def _placed(heights: Floats, curves: Curves) -> Floats:
    """Heights on the axis: power as it is, margins as logarithms."""
    # Who asks everybody a direct question has no error, which is below every axis.
    return heights if curves.of_power else np.log10(np.maximum(heights, _NOTHING))
