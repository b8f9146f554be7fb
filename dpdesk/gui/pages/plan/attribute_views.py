"""The views of an attribute, and the two of them that are at home here: draws and loss."""

from __future__ import annotations

from dpdesk.gui.pages.plan.accuracy_plots import AccuracyPlot
from dpdesk.gui.pages.plan.belief_plot import BeliefPlot
from dpdesk.gui.pages.plan.choice_view import ChoiceView
from dpdesk.gui.pages.plan.law_plots import NoisePlot
from dpdesk.gui.pages.plan.outcome_plot import OutcomePlot
from dpdesk.gui.pages.plan.plan_view import ComparedView, PlanView, PlotView
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry
from dpdesk.gui.widgets.loss_plots import LossPlots
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.player import Player, Speed
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.steady import SteadyLines
from dpdesk.i18n import N_
from dpdesk.numbers.calendar import date_unit, plain_unit
from dpdesk.numbers.digits import measured_text
from dpdesk.preview import DrawsView, PreviewRequest, draws_view, error_text, loss_view
from dpdesk.preview.draws import DRAWS, PILE_MAX

_INTERVAL = 140


class DrawsPlot(PlotView):
    """Estimates of surveys that were not held pile up around the truth."""

    title = N_("Draws")

    def compose(self) -> None:
        self._request: PreviewRequest | None = None
        self._seed = 1
        self.plot = PlotCanvas(self.tr("Hypothetical outcomes"), parent=self)
        self._past = self.plot.bars(0)
        self._last = self.plot.bars(1)
        self._truth = self.plot.marker(role="text", style="solid")
        self._ends = (self.plot.marker(role="muted"), self.plot.marker(role="muted"))
        self._make_legend()
        self.legend.set_entries(
            (
                LegendEntry(self.tr("hypothetical surveys"), 0, "bars", self.tr("surveys")),
                LegendEntry(self.tr("the last"), 1, "bars"),
                LegendEntry(self.tr("truth"), "text", "hairline"),
                LegendEntry(self.tr("95 % error"), "muted", "dashed"),
            )
        )
        self.player = Player(
            self.tr("Next draw"),
            self.tr("Start again, other draws"),
            (Speed(_INTERVAL),),
            parent=self,
        )
        self.player.step.setWhatsThis(self.tr("Shows one more release that is only simulated."))
        self.player.again.setWhatsThis(self.tr("Begins again with other simulated releases."))
        self.player.begin(DRAWS)
        self._count = PlainLabel("", "caption", wrap=True, parent=self)
        self._lines = SteadyLines(self._count, parent=self)
        self.player.add_widget(self._lines, 1)
        self.player.startedAgain.connect(self._take_other_draws)
        self.player.moved.connect(self._show)
        lay_column(self.legend, (self.plot, 1), self.player, spacing=6, on=self)

    def show_request(self, request: PreviewRequest) -> None:
        self._request = request
        self._show()

    def _take_other_draws(self) -> None:
        self._seed += 1

    def _show(self) -> None:
        if self._request is None:
            return
        view, shown = draws_view(self._request, self._seed), self.player.shown()
        past = shown - 1
        bricks = {"width": view.width * 0.9, "height": 0.9}
        self._past.setOpts(x=view.x[:past], y0=view.y[:past] - 0.95, **bricks)
        last = slice(past, shown)
        self._last.setOpts(x=view.x[last], y0=view.y[last] - 0.95, **bricks)
        self._truth.setValue(view.truth)
        for marker, end in zip(self._ends, (-view.error, view.error), strict=True):
            marker.setValue(view.truth + end)
        unit = f" ({view.unit})" if plain_unit(view.unit) else ""
        bottom = self.tr("estimate{unit}").format(unit=unit)
        self.plot.set_bottom_unit(view.unit)
        self.plot.set_axis_titles(bottom, self.tr("surveys"))
        self.plot.set_ranges(view.x_range, (0.0, float(PILE_MAX)))
        text = self._sentence(view, shown)
        self._lines.set_text(text)
        self.plot.set_description(text)
        self.plot.set_table_source(lambda: self._table_of(view, shown))

    def _sentence(self, view: DrawsView, shown: int) -> str:
        assert self._request is not None  # noqa: S101 - only called with a request
        unit = "pp" if view.unit == "%" else view.unit
        return self.tr(
            "Simulated, seed {seed}: {inside} of {shown} hypothetical surveys lie within {error} "
            "of the truth."
        ).format(
            inside=view.within(shown),
            shown=shown,
            error=error_text(view.error, unit),
            seed=view.seed,
        )

    def _table_of(self, view: DrawsView, shown: int) -> PlotTable:
        unit = f" ({view.unit})" if plain_unit(view.unit) else ""
        told = view.unit if date_unit(view.unit) else ""
        headers = (self.tr("Survey"), self.tr("Estimate{unit}").format(unit=unit))
        rows = enumerate(view.estimates[:shown].tolist(), start=1)
        return PlotTable(headers, tuple((str(i), measured_text(x, 4, told)) for i, x in rows))


_LONG, _SHORT = 18, 9


class LossPlot(ComparedView):
    """Both plots of the privacy loss below their legend."""

    title = N_("Loss")
    meaning = N_("Privacy loss of a report under two true answers")

    def compose(self) -> None:
        self._make_legend()
        self.plots = LossPlots(parent=self)
        self._lay_out(self.plots)

    def show_request(self, request: PreviewRequest) -> None:
        view = loss_view(request)
        allowed, short = self.tr("most that ε allows"), self.tr("allowed")
        answers = (
            self._entry(answer, series, "bars", longest=_LONG, short=_SHORT)
            for series, answer in enumerate(view.answers)
        )
        self.legend.set_entries(
            (
                *answers,
                LegendEntry(self.tr("mean"), "text", "hairline"),
                LegendEntry(allowed, "muted", "dotted", short),
            )
        )
        self.plots.show_view(view)

    def show_table(self) -> None:
        self.plots.show_table()


ATTRIBUTE_VIEWS: tuple[type[PlanView], ...] = (
    OutcomePlot,
    NoisePlot,
    AccuracyPlot,
    BeliefPlot,
    DrawsPlot,
    ChoiceView,
    LossPlot,
)
"""Every view of an attribute, in the order of the tabs. Adding one is a word here."""
