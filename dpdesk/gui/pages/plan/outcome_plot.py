"""The true distribution of an attribute beside one simulated release of it."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor

from dpdesk.gui.icons import IconButton
from dpdesk.gui.pages.plan.plan_view import PlotView
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import whisker_points
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.steady import SteadyLines
from dpdesk.i18n import N_
from dpdesk.numbers.calendar import date_unit, plain_unit
from dpdesk.numbers.digits import measured_text
from dpdesk.plan.given_answers import GivenAnswers
from dpdesk.preview import PreviewRequest, error_text
from dpdesk.preview.outcome import OutcomeView, outcome_view

_BAR = 0.72
_CAP = 0.1
_DOT = 9.0
_TRUTH = "field_border"
# Where the mean and its interval are drawn, as a part of the height of the axis.
_MEAN_HEIGHT = 0.93


class OutcomePlot(PlotView):
    """Bars of the true answers, and the estimates of one release that is only simulated."""

    title = N_("Outcome")
    is_private = True
    meaning = N_("The true distribution beside one simulated release; nothing is spent")

    def compose(self) -> None:
        self._request: PreviewRequest | None = None
        self._given: GivenAnswers | None = None
        self._weight = ""
        self._seed = 1
        self._form: tuple[object, ...] = ()
        self._shown: tuple[object, ...] = ()
        self.plot = PlotCanvas(self.tr("True answers beside one simulated release"), parent=self)
        self._make_legend()
        self.again = IconButton(
            "dice-multiple",
            self.tr("Simulate again"),
            tip=self.tr("Another simulated release: nothing is spent or written"),
            parent=self,
        )
        self.again.clicked.connect(self._draw_again)
        self._said = SteadyLines(PlainLabel("", "caption", wrap=True), parent=self)
        head = lay_row(self.again, (self.legend, 1), spacing=6)
        lay_column(head, (self.plot, 1), self._said, spacing=4, on=self)
        ThemeSwitch.instance().themeChanged.connect(self._recolour)

    def set_answers(self, given: GivenAnswers | None, weight: str = "") -> None:
        """Takes over what was answered.

        Args:
            given: The true answers of the attribute; None without data.
            weight: Name of the column of weights that the estimates of a release use; "" for none.
        """
        self._given, self._weight = given, weight

    def show_request(self, request: PreviewRequest) -> None:
        shown = (request, self._given, self._seed, self._weight)
        if self._shown and shown[0] == self._shown[0] and shown[1:] == self._shown[1:]:
            return
        self._request, self._shown = request, shown
        view = outcome_view(request, self._given, self._seed)
        form = (
            view.labels, view.unit, view.mean is None, view.released is None, view.is_true
        )  # fmt: skip
        if form != self._form:
            self._form = form
            self._build(view)
        if view.mean is None:
            self._fill_shares(view)
        else:
            self._fill_numbers(view, view.mean)
        sentence = self._sentence(view)
        self._said.set_text(self._who_sees(view))
        told = f"{sentence} {self._unlike_data()}".strip()
        self.legend.setToolTip(plain_tooltip(told))
        self.plot.set_description(told)
        self.plot.set_table_source(lambda: self._table_of(view))

    def _who_sees(self, view: OutcomeView) -> str:
        """What must be said at any size."""
        said = self.tr("Simulated: nothing is spent.")
        truth = self.tr("The true answers are shown to you only.")
        expected = self.tr("No data: these are the expected answers.")
        return " ".join(
            filter(None, (said, self._weighting(), truth if view.is_true else expected))
        )

    def _weighting(self) -> str:
        """By what the answers are weighted, or not weighted; empty without weights."""
        if self._given is not None and self._given.weighted is not None:
            return self.tr("Weighted by {name}.").format(name=self._given.weighted.by)
        if self._weight:
            return self.tr("Without the weights of {name}.").format(name=self._weight)
        return ""

    def _unlike_data(self) -> str:
        """Why shares are others than on the page Data; empty where they are the same."""
        if self._given is None or self._given.weighted is None:
            return ""
        return self.tr("The page Data counts every record once, so that its shares differ.")

    def _draw_again(self) -> None:
        self._seed += 1
        if self._request is not None:
            self.show_request(self._request)

    def _build(self, view: OutcomeView) -> None:
        plot = self.plot
        plot.clear_items()
        plot.set_bottom_unit("" if view.mean is None else view.unit)
        self._truth = plot.bars(_TRUTH)
        if view.mean is None:
            plot.set_axis_titles("", self.tr("Respondents (%)"))
        else:
            unit = f" ({view.unit})" if plain_unit(view.unit) else ""
            bottom = self.tr("Answer{unit}").format(unit=unit)
            plot.set_axis_titles(bottom, self.tr("Respondents (%)"))
            self._reports = plot.line(0, filled=True)
            self._mean = plot.marker(role="text", style="solid")
        self._whiskers = plot.line(0)
        self._dots = plot.line(0)
        self._dots.setSymbol("o")
        self._dots.setSymbolSize(_DOT)
        self._recolour(theme_in_force())
        self.plot.name_bars(view.labels)
        self.legend.set_entries(self._entries(view))

    def _entries(self, view: OutcomeView) -> list[LegendEntry]:
        true, expected = self.tr("true answers"), self.tr("expected answers")
        entries = [LegendEntry(true if view.is_true else expected, _TRUTH, "bars")]
        if view.mean is None:
            estimate = self.tr("simulated estimate, 95 % interval")
            return [*entries, LegendEntry(estimate, 0, "solid", self.tr("estimate, 95 %"))]
        if view.released is not None:
            reports = self.tr("simulated reports")
            entries.append(LegendEntry(reports, 0, "solid", self.tr("reports")))
        mean = self.tr("mean, true and estimated with 95 % interval")
        if not view.is_true:
            mean = self.tr("mean, expected and estimated with 95 % interval")
        return [*entries, LegendEntry(mean, "text", "hairline", self.tr("mean"))]

    def _fill_shares(self, view: OutcomeView) -> None:
        assert view.released is not None  # noqa: S101 - estimates of shares are always there
        self._truth.setOpts(x=view.x, height=view.truth, width=_BAR)
        low, high = view.released - view.error, view.released + view.error
        self._whiskers.setData(*whisker_points(view.x, low, high, _CAP), connect="pairs")
        self._dots.setData(view.x.repeat(2), view.released.repeat(2), connect="pairs")
        # A negative estimate is information: the axis leaves room for it.
        least = min(float(low.min()), 0.0)
        room = view.y_max / 8
        bottom = -room * np.ceil(-least / room)
        self.plot.set_ranges(None, (float(bottom), view.y_max))

    def _fill_numbers(self, view: OutcomeView, mean: tuple[float, float, float]) -> None:
        self._truth.setOpts(x=view.x, height=view.truth, width=0.92 * view.width)
        if view.released is not None:
            edges = np.append(view.x - view.width / 2, view.x[-1] + view.width / 2)
            self._reports.setData(edges.repeat(2)[1:-1], view.released.repeat(2))
        true, estimate, half = mean
        self._mean.setValue(true)
        for mark in (self._mean, self._whiskers, self._dots):
            mark.setVisible(view.answered)
        height = _MEAN_HEIGHT * view.y_max
        ends = np.array([estimate - half, estimate + half])
        cap = 0.02 * view.y_max
        xs = np.concatenate([ends, ends.repeat(2)])
        ys = np.array([height, height, height - cap, height + cap, height - cap, height + cap])
        self._whiskers.setData(xs, ys, connect="pairs")
        self._dots.setData([estimate] * 2, [height] * 2, connect="pairs")
        reach = (view.x[0] - view.width / 2, view.x[-1] + view.width / 2)
        self.plot.set_ranges((float(reach[0]), float(reach[1])), (0.0, view.y_max))

    def _sentence(self, view: OutcomeView) -> str:
        said = self.tr("Simulated: nothing is spent.")
        if not view.answered:
            parts = [said, self.tr("Nobody answered: there is nothing to estimate.")]
        elif view.mean is None:
            words = self.tr("{within} of {count} intervals hold the {true} share.")
            true = self.tr("true") if view.is_true else self.tr("expected")
            parts = [said, words.format(within=view.within, count=view.intervals, true=true)]
            if view.others:
                others = self.tr("{count} rarer answers are not drawn.")
                parts.append(others.format(count=f"{view.others:,}"))
        else:
            words = self.tr("Mean {mean}, estimated {estimate} {error}.")
            mean, estimate, half = view.mean
            told = words.format(
                mean=measured_text(mean, 4, view.unit),
                estimate=measured_text(estimate, 4, view.unit),
                error=error_text(half, view.unit),
            )
            parts = [said, told]
            if view.beyond >= 1:
                away = self.tr("{share} % of the reports lie at the ends of the axis or beyond.")
                parts.append(away.format(share=f"{view.beyond:.0f}"))
        if self._weighting():
            parts.append(self._weighting())
        if view.is_true:
            parts.append(self.tr("The true answers are shown to you only."))
        else:
            parts.append(self.tr("No data: these are the expected answers."))
        return " ".join(parts)

    def _table_of(self, view: OutcomeView) -> PlotTable:
        true = self.tr("True share (%)") if view.is_true else self.tr("Expected share (%)")
        released = np.full(len(view.x), np.nan) if view.released is None else view.released
        texts = [f"{share:.3g}" for share in view.truth]
        drawn = ["" if np.isnan(share) else f"{share:.3g}" for share in released.tolist()]
        if view.mean is None:
            heads = (
                self.tr("Answer"), true, self.tr("Simulated estimate (%)"),
                self.tr("95 % error (pp)"),
            )  # fmt: skip
            errors = [f"{error:.3g}" for error in view.error]
            return PlotTable(heads, tuple(zip(view.labels, texts, drawn, errors, strict=True)))
        around = (self.tr("Around"), true, self.tr("Simulated reports (%)"))
        places = [
            measured_text(x, 4, view.unit if date_unit(view.unit) else "") for x in view.x.tolist()
        ]
        return PlotTable(around, tuple(zip(places, texts, drawn, strict=True)))

    def _recolour(self, theme: Theme) -> None:
        if self._form:
            self._dots.setSymbolBrush(QColor(theme.series(0)))
            self._dots.setSymbolPen(QColor(theme.surface))
