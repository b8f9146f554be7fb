"""The plots of a law: of a report under two true answers, and of what a statistic releases."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.plan_view import ComparedView, PlotView
from dpdesk.gui.pages.plan.words import amount_text, level_text
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, Sign
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import bracket_points
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.calendar import plain_unit
from dpdesk.preview import NoiseView, PreviewRequest, noise_view, ratio_text
from dpdesk.preview.central import LawView, QueryRequest, law_view

_LEGEND_CHARACTERS = 26
# Room for the number above a bar of full height, also in the smallest window.
_HEADROOM = 1.12
_BAR = 0.36
_PAIR = 0.19
# Right of the second bar, its arms clear of it and of the number above it.
_ARM = 0.04
_BRACKET = _PAIR + _BAR / 2 + 0.02 + _ARM
# Half the distance of the two lines of a spike, in widths of the plot.
_SPIKE_GAP = 0.003
_NEGLIGIBLE = 1e-9


class LawPlot(PlotCanvas):
    """Bars or two filled lines, with the band that epsilon leaves to the second answer."""

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
            self._say_factor(view, ratio_text(request.mechanism.epsilon))
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

    def _build(self, view: NoiseView) -> None:
        self.clear_items()
        if view.form == "bars":
            self._first, self._second = self.bars(0), self.bars(1)
            # Beside the bars: no colour of text has a contrast of 3 to those of both series.
            self._band = self.line("text", style="hairline")
            self._values = [self.label(), self.label(anchor=(1.0, 1.0))]
            self._factor = self.label(role="text")
            self._labels = self._bar_labels(view)
            self.set_axis_titles("", self._height_title(view))
            self.name_bars(self._labels)
        else:
            self._first = self.line(0, filled=True)
            self._second = self.line(1, filled=True)
            self._band = self.line("muted", style="dotted")
            self._spikes = (self.line(0), self.line(1))
            self._spike_values = [self.label() for _ in view.spikes]
            self._ends = [self.marker(role="muted") for _ in view.answers_range or ()]
            self._labels = ()
            self.name_bars(())
            self.set_bottom_unit(view.unit)
            self.set_axis_titles(self.tr("Report"), self.tr("Probability of the report"))

    def _fill_bars(self, view: NoiseView) -> None:
        self._first.setOpts(x=view.x - _PAIR, height=view.first, width=_BAR)
        self._second.setOpts(x=view.x + _PAIR, height=view.second, width=_BAR)
        brackets = bracket_points(view.x + _BRACKET, view.lower, view.upper, _ARM)
        self._band.setData(*brackets, connect="pairs")
        laws = ((view.first, -_PAIR), (view.second, _PAIR + _BAR / 2))
        for text, (law, shift) in zip(self._values, laws, strict=True):
            top = int(np.argmax(law))
            text.setText(f"{law[top]:.3f}")
            text.setPos(float(view.x[top]) + shift, float(law[top]))

    def _say_factor(self, view: NoiseView, ratio: str) -> None:
        """Says at a highest bracket how far its ends are from the first law at the most.

        Of those about as high it takes the one farthest from the bars that have a number.
        """
        highest = np.flatnonzero(view.upper >= 0.9 * view.upper.max())
        named = np.array([int(np.argmax(law)) for law in (view.first, view.second)])
        # The last one has no room at its right.
        inner = highest[highest < len(view.x) - 1]
        open_to = inner if len(inner) else highest
        distances = np.abs(open_to[:, None] - named[None, :]).min(axis=1)
        top = int(open_to[np.argmax(distances)])
        self._factor.setText(self.tr("at most {ratio} ×").format(ratio=ratio))
        self._factor.setPos(float(view.x[top]) + _BRACKET, float(view.upper[top]))

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


def _ranges_of(view: NoiseView) -> tuple[tuple[float, float] | None, tuple[float, float]]:
    if view.form == "bars":
        return None, (0.0, view.y_max * _HEADROOM)
    return (float(view.x[0]), float(view.x[-1])), (0.0, view.y_max)


def _two_lines(x: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Both ends of a band as one line with a gap."""
    gap = np.array([np.nan])
    return np.concatenate([x, gap, x]), np.concatenate([lower, gap, upper])


class NoisePlot(ComparedView):
    """The plot of the laws below its legend."""

    title = N_("Noise")

    def compose(self) -> None:
        self._make_legend()
        self.plot: LawPlot = LawPlot(parent=self)
        self._lay_out(self.plot)

    def show_request(self, request: PreviewRequest) -> None:
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


_RELEASE_BAR = 0.4
_RELEASE_PAIR = 0.2


class ReleaseLawPlot(PlotView):
    """The law of what is released, beside that of a table with one respondent more or other."""

    title = N_("Noise")

    def compose(self) -> None:
        self._make_legend()
        self.plot = PlotCanvas(self.tr("Noise: the law of the released number"), parent=self)
        self._frame: tuple[object, ...] = ()
        lay_column(self.legend, (self.plot, 1), spacing=4, on=self)

    def show_request(self, request: QueryRequest, *_: object) -> None:
        view = law_view(request)
        frame = (view.shown, view.form, len(view.lines), view.band is None)
        if frame != self._frame:
            self._frame = frame
            self._build(view)
        self.legend.set_entries(self._entries(view, request))
        self.plot.set_bottom_unit(view.unit)
        self.plot.set_axis_titles(*self._titles(view))
        # A little more than the last mark, so that its number is not cut.
        self.plot.set_ranges(view.x_range, (0.0, 1.03 * view.y_max))
        self._fill(view)
        if view.band is not None:
            for marker, end in zip(self._ends, view.band, strict=False):
                marker.setValue(end)
        self._say(view, request)
        self.plot.set_table_source(lambda: self._table_of(view))

    def _build(self, view: LawView) -> None:
        plot = self.plot
        plot.clear_items()
        if view.form == "bars":
            self._items = [plot.bars(series) for series in range(len(view.lines))]
        else:
            self._items = [
                plot.line(series, filled=series == 0 and view.shown == "error")
                for series in range(len(view.lines))
            ]
        count = 0 if view.band is None else 1 if view.shown == "lead" else 2
        self._ends = [plot.marker(role="muted") for _ in range(count)]

    def _fill(self, view: LawView) -> None:
        step = float(view.x[1] - view.x[0]) if len(view.x) > 1 else 1.0
        for series, (item, heights) in enumerate(zip(self._items, view.lines, strict=True)):
            if view.form == "bars":
                alone = len(view.lines) == 1
                shift = 0.0 if alone else (2 * series - 1) * _RELEASE_PAIR * step
                width = (2 * _RELEASE_BAR if alone else _RELEASE_BAR) * step
                item.setOpts(x=view.x + shift, height=heights, width=width)
            else:
                item.setData(view.x, heights)

    def _entries(self, view: LawView, request: QueryRequest) -> tuple[LegendEntry, ...]:
        sign = "bars" if view.form == "bars" else "solid"
        if view.shown == "lead":
            level = level_text(request.confidence)
            reached = self.tr("lead from which it is {level}").format(level=level)
            return (
                LegendEntry(self.tr("chance that the most frequent is chosen"), 0, "solid"),
                LegendEntry(reached, "muted", "dashed", level),
            )
        if view.shown == "number":
            words = self.tr("share {share}")
            return tuple(
                LegendEntry(words.format(share=share), series, sign)  # type: ignore[arg-type]
                for series, share in enumerate(view.shares)
            )
        other = (
            self.tr("with one respondent other")
            if request.unit.relation == "replace"
            else self.tr("with one respondent more")
        )
        band = self.tr("{level} of the noise").format(level=level_text(request.confidence))
        return (
            LegendEntry(self.tr("this table"), 0, sign),  # type: ignore[arg-type]
            LegendEntry(other, 1, sign, self.tr("one more")),  # type: ignore[arg-type]
            LegendEntry(band, "muted", "dashed", level_text(request.confidence)),
        )

    def _titles(self, view: LawView) -> tuple[str, str]:
        unit = f" ({view.unit})" if plain_unit(view.unit) else ""
        if view.shown == "lead":
            return self.tr("lead over every other category (rows)"), self.tr("chance")
        if view.shown == "number":
            return self.tr("number that is released") + unit, self.tr("chance")
        height = self.tr("chance") if view.form == "bars" else self.tr("density")
        return self.tr("released minus true") + unit, height

    def _say(self, view: LawView, request: QueryRequest) -> None:
        basis = request.error.basis
        if view.shown == "number":
            basis = self.tr(
                "If the answers of {rows} rows were spread evenly between the bounds: {error}."
            ).format(
                rows=f"{request.rows_of_cell:,}",
                error=request.bound.error_if_even(request.rows_of_cell, request.confidence),
            )
        elif view.shown == "error":
            half = f"± {amount_text(request.error.half_width, view.unit)}"
            level = level_text(request.confidence)
            said = self.tr("{level} of results lie within {error} of the truth")
            basis = ", ".join(p for p in (said.format(level=level, error=half), basis) if p) + "."
        elif basis:
            basis = self.tr("If all others are equally frequent, the worst case.")
        self.plot.set_description(basis)
        self.plot.setToolTip(plain_tooltip(basis))

    def _table_of(self, view: LawView) -> PlotTable:
        bottom, height = self._titles(view)
        names = [height] if len(view.lines) == 1 else [f"{height} {i + 1}" for i in range(9)]
        if view.shown == "error":
            names = [
                self.tr("{what}, this table").format(what=height),
                self.tr("{what}, one respondent more or other").format(what=height),
            ]
        elif view.shares:
            names = [self.tr("share {share}").format(share=share) for share in view.shares]
        rows = zip(view.x, *view.lines, strict=True)
        return PlotTable(
            (bottom, *names[: len(view.lines)]),
            tuple((f"{x:.6g}", *(f"{y:.4g}" for y in ys)) for x, *ys in rows),
        )
