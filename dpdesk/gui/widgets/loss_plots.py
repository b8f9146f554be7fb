"""Two plots beside each other: the law of the privacy loss, and the delta of every epsilon."""

from __future__ import annotations

from math import tanh

import numpy as np
from PySide6.QtWidgets import QWidget

from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import LossView, significant

_SIDE = 0.45
# Every third of the points of the curve tells in the table where it runs.
_TABLE_STEP = 3
# Room for the names of the markers above bars of full height.
_TOP = 1.12


class LossPlots(QWidget):
    """The privacy loss of a report, drawn and in numbers."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ranges: tuple[float, float] = (0.0, 0.0)
        self.law = PlotCanvas(self.tr("Law of the privacy loss"), parent=self)
        self.law.set_axis_titles(self.tr("loss of a report (nats)"), self.tr("chance"))
        self._first, self._second = self.law.bars(0), self.law.bars(1)
        self._epsilon = (self.law.marker(), self.law.marker())
        self._names = [self.law.label(anchor=anchor) for anchor in ((0.0, 0.0), (1.0, 0.0))]
        self._bound = self.law.marker(role="muted", style="dotted")
        self._mean = self.law.marker(role="text", style="hairline")
        self.curve = PlotCanvas(self.tr("Delta of every epsilon"), parent=self)
        self.curve.set_axis_titles(self.tr("ε in (ε, δ)"), self.tr("least δ"))
        self._allowed = self.curve.line("muted", style="dotted")
        self._delta = self.curve.line(0, filled=True)
        self._nominal = self.curve.marker()
        self._names.append(self.curve.label(anchor=(0.0, 0.0)))
        lay_row((self.law, 3), (self.curve, 2), spacing=6, on=self)

    def show_view(self, view: LossView) -> None:
        """Shows the privacy loss under two answers; the axes stay while epsilon moves a little."""
        ranges = (view.x_max, view.delta_max)
        if ranges != self._ranges:
            self.law.set_ranges((-view.x_max, view.x_max), (0.0, _TOP))
            self.curve.set_ranges((0.0, view.x_max), (0.0, view.delta_max))
            self._ranges = ranges
        side = _SIDE * view.width
        self._first.setOpts(x=view.x - side / 2, height=view.first, width=side)
        self._second.setOpts(x=view.x + side / 2, height=view.second, width=side)
        for marker, place in zip(self._epsilon, (view.epsilon, -view.epsilon), strict=True):
            marker.setValue(place)
        tops = ((view.epsilon, _TOP), (-view.epsilon, _TOP), (view.epsilon, view.delta_max))
        for name, text, top in zip(self._names, ("ε", "−ε", "ε"), tops, strict=True):
            name.setText(text)
            name.setPos(*top)
        self._bound.setValue(view.epsilon * tanh(view.epsilon / 2))
        self._mean.setValue(view.apart.kl[0])
        self._delta.setData(view.epsilons, view.delta)
        self._allowed.setData(view.epsilons, view.allowed)
        self._nominal.setValue(view.epsilon)
        words = self._in_words(view)
        for plot in (self.law, self.curve):
            plot.set_description(words)
            plot.set_table_source(lambda: self._table_of(view))

    def show_table(self) -> None:
        """Shows the numbers of both plots."""
        self.law.show_table()

    def _in_words(self, view: LossView) -> str:
        apart, epsilon = view.apart, view.epsilon
        text = self.tr(
            "Largest loss {largest}; mean (Kullback-Leibler) {mean}, at most ε tanh(ε/2) = {bound} "
            "(and 2ε² = {loose}). Chances of any event differ by at most {variation}."
        ).format(
            largest=significant(apart.epsilon, 3),
            mean=significant(apart.kl[0], 3),
            bound=significant(epsilon * tanh(epsilon / 2), 3),
            loose=significant(2 * epsilon * epsilon, 3),
            variation=significant(apart.total_variation, 3),
        )
        if view.of_real_reports:
            text += " " + self.tr("Of a real report; made-up ones hide it further.")
        return text

    def _table_of(self, view: LossView) -> PlotTable:
        first, second = view.answers
        headers = (
            self.tr("Number"),
            self.tr("Under “{answer}”").format(answer=first),
            self.tr("Under “{answer}”").format(answer=second),
            self.tr("At most"),
        )
        return PlotTable(headers, (*self._measures(view), *self._losses(view), *self._deltas(view)))

    def _measures(self, view: LossView) -> list[tuple[str, ...]]:
        apart, epsilon = view.apart, view.epsilon
        largest = [f"{x:.6g}" for x in apart.maximum]
        means = [f"{x:.6g}" for x in apart.kl]
        variation = f"{apart.total_variation:.6g}"
        tight, loose = epsilon * tanh(epsilon / 2), 2 * epsilon * epsilon
        return [
            (self.tr("largest loss (maximum divergence)"), *largest, f"ε = {epsilon:.6g}"),
            (self.tr("mean loss (Kullback-Leibler)"), *means, f"ε tanh(ε/2) = {tight:.6g}"),
            (self.tr("the same, bound of the textbooks"), *means, f"2ε² = {loose:.6g}"),
            (
                self.tr("total variation"),
                variation,
                variation,
                f"tanh(ε/2) = {tanh(epsilon / 2):.6g}",
            ),
        ]

    def _losses(self, view: LossView) -> list[tuple[str, ...]]:
        of_bin, of_one = self.tr("chance of a loss near {x}"), self.tr("chance of the loss {x}")
        name = of_bin if view.binned else of_one
        below = self.tr("chance of a loss of at most {x}")
        rows: list[tuple[str, ...]] = []
        cumulated = np.cumsum(view.first), np.cumsum(view.second)
        for i, x in enumerate(view.x):
            here = f"{x:.4g}"
            chances = (f"{view.first[i]:.6g}", f"{view.second[i]:.6g}", "")
            rows.append((name.format(x=here), *chances))
            sums = (f"{cumulated[0][i]:.6g}", f"{cumulated[1][i]:.6g}", "")
            end = f"{x + view.width / 2:.4g}" if view.binned else here
            rows.append((below.format(x=end), *sums))
        return rows

    def _deltas(self, view: LossView) -> list[tuple[str, ...]]:
        name = self.tr("δ at ε = {epsilon}")
        places = view.epsilons[::_TABLE_STEP]
        forward, backward = view.apart.forward.delta(places), view.apart.backward.delta(places)
        return [
            (
                name.format(epsilon=f"{place:.4g}"),
                f"{forward[i]:.6g}",
                f"{backward[i]:.6g}",
                f"{view.allowed[i * _TABLE_STEP]:.6g}",
            )
            for i, place in enumerate(places)
        ]
