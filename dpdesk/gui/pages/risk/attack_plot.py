"""How often each attack was right, beside a blind guess."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.engine.simulate.attack import AttackResult
from dpdesk.gui.pages.risk.attack_model import percent_text
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.preview import significant

_ALL_BARS = 0.78
_BAR_MAX = 0.25
_CAP = 0.03


class AttackPlot(QWidget):
    """Bars with their 95 % intervals, one group per variant and one colour per epsilon.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(theme, parent=self)
        self.plot = _Bars(theme, self.tr("How often the attack was right"), parent=self)
        self.plot.setMinimumHeight(140)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)

    def show_result(self, result: AttackResult) -> None:
        """Shows the outcomes of an attack."""
        self.plot.show_result(result)
        epsilons = list(dict.fromkeys(o.nominal_epsilon for o in result.outcomes))
        template = self.tr("ε = {epsilon} of the papers")
        entries = [
            LegendEntry(template.format(epsilon=significant(e, 3)), series, "bars", f"{e:.3g}")
            for series, e in enumerate(epsilons)
        ]
        blind = self.tr("blind guess, {share}").format(share=percent_text(result.baseline))
        self.legend.set_entries([*entries, LegendEntry(blind, "text", "dashed", self.tr("blind"))])


class _Bars(PlotCanvas):
    def __init__(self, theme: ThemeSwitch, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent=parent)
        self._titles: tuple[str, ...] = ()
        self.set_axis_titles("", self.tr("Right guesses (%)"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the words below the bars to the room that there is."""
        super().resizeEvent(event)
        if getattr(self, "_titles", ()):
            self._write_titles()

    def show_result(self, result: AttackResult) -> None:
        """Shows bars for a result."""
        self.clear_items()
        outcomes = result.outcomes
        variants = list(dict.fromkeys(o.variant for o in outcomes))
        epsilons = list(dict.fromkeys(o.nominal_epsilon for o in outcomes))
        width = min(_ALL_BARS / len(epsilons), _BAR_MAX * len(variants))
        self._titles = tuple(next(o.title for o in outcomes if o.variant == v) for v in variants)
        for series, epsilon in enumerate(epsilons):
            shown = [o for o in outcomes if o.nominal_epsilon == epsilon]
            x = np.array([float(variants.index(o.variant)) for o in shown])
            x += (series - (len(epsilons) - 1) / 2) * width
            bars = self.bars(series)
            bars.setOpts(
                x=x, height=np.array([100 * o.accuracy for o in shown]), width=0.92 * width
            )
            ends = [(100 * o.lower, 100 * o.upper) for o in shown]
            whiskers = self.line("text", style="hairline")
            whiskers.setData(*_whiskers(x, np.array(ends)), connect="pairs")
        baseline = self.marker(angle=0, role="text")
        baseline.setValue(100 * result.baseline)
        top = max(o.upper for o in outcomes)
        self.set_ranges((-0.5, len(variants) - 0.5), (0.0, min(112.0 * top, 105.0)))
        self._write_titles()
        heads = ("Variant", "ε", "%")
        rows = [
            (o.title, significant(o.nominal_epsilon, 3), f"{100 * o.accuracy:.2f}")
            for o in outcomes
        ]
        self.set_table(heads, rows)
        best = max(outcomes, key=lambda o: o.accuracy)
        self.set_description(
            self.tr("At most {share} right, with {variant}; a blind guess {blind}.").format(
                share=percent_text(best.accuracy),
                variant=best.title,
                blind=percent_text(result.baseline),
            )
        )

    def _write_titles(self) -> None:
        room = int(self.getPlotItem().getViewBox().width() / max(len(self._titles), 1)) - 6
        metrics, right = QFontMetrics(self.font()), Qt.TextElideMode.ElideRight
        # The group is named below the bars; its family is in the table in full.
        shown = [
            title if metrics.horizontalAdvance(title) <= room else _short(title)
            for title in self._titles
        ]
        self.set_categories([metrics.elidedText(text, right, max(room, 12)) for text in shown])


def _short(title: str) -> str:
    """The part of a title in brackets, such as "SUE-z" of "RS+FD[SUE-z]"."""
    inner = title.partition("[")[2].rstrip("]")
    return inner or title


def _whiskers(
    x: np.ndarray[tuple[int], np.dtype[np.float64]], ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Upright strokes with caps, as pairs of points."""
    lower, upper = ends[:, 0], ends[:, 1]
    left, right = x - _CAP, x + _CAP
    xs = np.column_stack([x, x, left, right, left, right])
    ys = np.column_stack([lower, upper, lower, lower, upper, upper])
    return xs.ravel(), ys.ravel()
