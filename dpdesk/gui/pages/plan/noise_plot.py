"""The plot of the law of a report under two true answers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.plan_view import ComparedView
from dpdesk.gui.widgets.legend_row import LegendEntry, Sign
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview import NoiseView, PreviewRequest, noise_view, ratio_text

Floats = NDArray[np.float64]

_LEGEND_CHARACTERS = 26
# Room for the number above a bar of full height, also in the smallest window.
_HEADROOM = 1.12
_BAR = 0.36
_PAIR = 0.19
# Right of the middle of a bar, so that the number above the bar stays clear of it.
_WHISKER = _PAIR + _BAR / 2 + 0.055
# Half the distance of the two lines of a spike, in widths of the plot.
_SPIKE_GAP = 0.003
_NEGLIGIBLE = 1e-9


class LawPlot(PlotCanvas):
    """Bars or two filled lines, with the band that epsilon leaves to the second answer.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.setAccessibleName(self.tr("Noise: the law of the report under two true answers"))
        self._view: NoiseView | None = None
        self._labels: tuple[str, ...] = ()

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the laws of a request; items are made anew only where answers or form differ."""
        view, old = noise_view(request), self._view
        self._view = view
        if old is None or _frame_of(old) != _frame_of(view):
            self._build(view)
        if old is None or _ranges_of(old) != _ranges_of(view):
            self.set_ranges(*_ranges_of(view))
        if view.form == "bars":
            self._fill_bars(view)
        else:
            self._first.setData(view.x, view.first)
            self._second.setData(view.x, view.second)
            self._band.setData(*_two_lines(view.x, view.lower, view.upper), connect="finite")
            self._fill_spikes(view)
        self.set_table_source(lambda: self._table_of(view))
        self.set_description(
            self.tr(
                "Under “{first}” and under “{second}” the chance of any report differs by a "
                "factor of {ratio} at the most."
            ).format(
                first=view.answers[0],
                second=view.answers[1],
                ratio=ratio_text(request.mechanism.epsilon),
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the words below the bars to the room that there is."""
        super().resizeEvent(event)
        if getattr(self, "_labels", ()):
            self._write_labels()

    def _build(self, view: NoiseView) -> None:
        self.clear_items()
        if view.form == "bars":
            self._first, self._second = self.bars(0), self.bars(1)
            # Beside the bars: no colour of text has a contrast of 3 to those of both series.
            self._band = self.line("text", style="hairline")
            self._values = [self.label(), self.label(anchor=(1.0, 1.0))]
            self._labels = self._bar_labels(view)
            self.set_axis_titles("", self._height_title(view))
            self._write_labels()
        else:
            self._first = self.line(0, filled=True)
            self._second = self.line(1, filled=True)
            self._band = self.line("muted", style="dotted")
            self._spikes = (self.line(0), self.line(1))
            self._spike_values = [self.label() for _ in view.spikes]
            self._ends = [self.marker(role="muted") for _ in view.answers_range or ()]
            self._labels = ()
            self.set_categories(())
            self.set_axis_titles(self.tr("Report"), self.tr("Probability of the report"))

    def _fill_bars(self, view: NoiseView) -> None:
        self._first.setOpts(x=view.x - _PAIR, height=view.first, width=_BAR)
        self._second.setOpts(x=view.x + _PAIR, height=view.second, width=_BAR)
        whiskers = _whiskers(view.x + _WHISKER, view.lower, view.upper)
        self._band.setData(*whiskers, connect="pairs")
        laws = ((view.first, -_PAIR), (view.second, _PAIR + _BAR / 2))
        for text, (law, shift) in zip(self._values, laws, strict=True):
            top = int(np.argmax(law))
            text.setText(f"{law[top]:.3f}")
            text.setPos(float(view.x[top]) + shift, float(law[top]))

    def _fill_spikes(self, view: NoiseView) -> None:
        """Single likely reports as upright lines, side by side; a number where they are cut off."""
        width = float(view.x[-1] - view.x[0])
        for item, side in zip(self._spikes, (-1, 1), strict=True):
            chances = [s.first if side < 0 else s.second for s in view.spikes]
            places = np.array([s.x + side * _SPIKE_GAP * width for s in view.spikes])
            heights = np.array(chances)
            xs = np.repeat(places, 2)
            ys = np.column_stack([np.zeros(len(heights)), heights]).ravel()
            item.setData(xs, ys, connect="pairs")
        for text, spike in zip(self._spike_values, view.spikes, strict=True):
            top = max(spike.first, spike.second)
            text.setText(f"{spike.first:.3f} | {spike.second:.3f}" if top > view.y_max else "")
            text.setPos(spike.x, 0.93 * view.y_max)
        for marker, end in zip(self._ends, view.answers_range or (), strict=True):
            marker.setValue(end)

    def _height_title(self, view: NoiseView) -> str:
        titles: dict[str, str] = {
            "bit": self.tr("Chance of a set bit"),
            "support": self.tr("Chance of support"),
            "report": self.tr("Probability of the report"),
        }
        return titles[view.reports]

    def _bar_labels(self, view: NoiseView) -> tuple[str, ...]:
        labels = list(view.labels)
        if view.others:
            count = f"{view.others:,}"
            one = self.tr("any one of {count} others")
            mean = self.tr("mean of {count} others")
            labels.append((mean if view.averaged else one).format(count=count))
            if len(view.x) > len(labels):
                labels.append(self.tr("all {count} together").format(count=count))
        return tuple(labels)

    def _write_labels(self) -> None:
        room = int(self.getPlotItem().getViewBox().width() / max(len(self._labels), 1)) - 8
        metrics = QFontMetrics(self.font())
        self.set_categories([_elided(metrics, label, room) for label in self._labels])

    def _table_of(self, view: NoiseView) -> PlotTable:
        heads = {
            "bit": self.tr("Bit of"),
            "support": self.tr("Support of"),
            "report": self.tr("Report"),
        }
        headers = (
            heads[view.reports],
            self.tr("Chance under “{answer}”").format(answer=view.answers[0]),
            self.tr("Chance under “{answer}”").format(answer=view.answers[1]),
            self.tr("Least that ε allows"),
            self.tr("Most that ε allows"),
        )
        names = self._labels or tuple(f"{x:.10g}" for x in view.x)
        columns = zip(view.first, view.second, view.lower, view.upper, strict=True)
        rows = (
            (name, *(f"{chance:.4g}" for chance in chances))
            for name, chances in zip(names, columns, strict=True)
        )
        spikes = (
            (f"{s.x:.10g}", *(f"{c:.4g}" for c in (s.first, s.second, s.lower, s.upper)))
            for s in view.spikes
        )
        beyond = (
            (self.tr("beyond the plot"), *(f"{chance:.4g}" for chance in view.beyond), "", ""),
        )
        outside = beyond if max(view.beyond) > _NEGLIGIBLE else ()
        return PlotTable(headers, (*rows, *spikes, *outside))


def _frame_of(view: NoiseView) -> tuple[object, ...]:
    """What stays while epsilon moves."""
    counts = (view.others, len(view.x), len(view.spikes), view.answers_range is None)
    return (view.form, view.reports, view.answers, view.labels, view.averaged, counts)


def _ranges_of(view: NoiseView) -> tuple[tuple[float, float], tuple[float, float]]:
    if view.form == "bars":
        return (-0.5, len(view.x) - 0.5), (0.0, view.y_max * _HEADROOM)
    return (float(view.x[0]), float(view.x[-1])), (0.0, view.y_max)


def _whiskers(x: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Upright strokes with caps, as pairs of points."""
    cap = _BAR / 10
    left, right = x - cap, x + cap
    xs = np.column_stack([x, x, left, right, left, right])
    ys = np.column_stack([lower, upper, lower, lower, upper, upper])
    return xs.ravel(), ys.ravel()


def _two_lines(x: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Both ends of a band as one line with a gap."""
    gap = np.array([np.nan])
    return np.concatenate([x, gap, x]), np.concatenate([lower, gap, upper])


def _elided(metrics: QFontMetrics, text: str, room: int) -> str:
    one_line = " ".join(text.split())
    return metrics.elidedText(one_line, Qt.TextElideMode.ElideRight, max(room, 12))


class NoisePlot(ComparedView):
    """The plot of the laws below its legend.

    Args:
        parent: Qt's owner.
    """

    title = N_("Noise")

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.plot = LawPlot(parent=self)
        self._lay_out(self.plot)

    def show_request(self, request: PreviewRequest) -> None:
        """Shows the laws of a request."""
        view = noise_view(request)
        sign: Sign = "bars" if view.form == "bars" else "solid"
        band: Sign = "hairline" if view.form == "bars" else "dotted"
        answers = (
            self._entry(answer, series, sign, longest=_LEGEND_CHARACTERS)
            for series, answer in enumerate(view.answers)
        )
        band_words, short = self.tr("what ε allows for it"), self.tr("allowed")
        entries = [
            *answers,
            LegendEntry(band_words, "text" if view.form == "bars" else "muted", band, short),
        ]
        if view.answers_range is not None:
            ends, end = self.tr("ends of the range"), self.tr("range")
            entries.append(LegendEntry(ends, "muted", "dashed", end))
        self.legend.set_entries(entries)
        self.plot.show_request(request)

    def show_table(self) -> None:
        """Shows the numbers of the plot as a table."""
        self.plot.show_table()
