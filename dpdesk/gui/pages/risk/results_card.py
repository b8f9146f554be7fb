"""The results of the attack: plot and table of its accuracies, or its progress, or a reason."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import (
    QPushButton,
    QStackedWidget,
    QWidget,
)

from dpdesk.engine import Progress
from dpdesk.engine.simulate.attack import AttackOutcome, AttackResult
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_marks import whisker_points
from dpdesk.gui.widgets.progress_line import ProgressLine
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.i18n import first_names
from dpdesk.numbers.digits import fixed_percent
from dpdesk.preview import at_most, significant

_NAMED = 3
VARIANT, NOMINAL, RECORD, RIGHT, INTERVAL, AGAINST = range(6)


class AttackModel(RowModel[AttackOutcome]):
    """One row per variant and epsilon."""

    _baseline = 1.0

    def set_result(self, result: AttackResult | None) -> None:
        """Shows the outcomes of another attack, or nothing for None."""
        self._baseline = 1.0 if result is None else result.baseline
        self.show_rows(() if result is None else result.outcomes)

    def text(self, row: AttackOutcome, column: int) -> str:
        if column == VARIANT:
            return row.title
        if column == NOMINAL:
            return significant(row.nominal_epsilon, 3)
        if column == RECORD:
            return at_most(row.record_epsilon)
        if column == RIGHT:
            return fixed_percent(row.accuracy, 1)
        if column == INTERVAL:
            template = self.tr("{lower} to {upper}")
            return template.format(
                lower=fixed_percent(row.lower, 1).split()[0], upper=fixed_percent(row.upper, 1)
            )
        if row.lower <= self._baseline <= row.upper:
            return self.tr("no better")
        ratio = significant(row.accuracy / self._baseline, 2)
        return self.tr("{ratio} ×").format(ratio=ratio)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Variant")),
            Head(self.tr("ε paper"), self.tr("ε as the papers state it"), number=True),
            Head(self.tr("ε record"), self.tr("ε of a whole record"), number=True),
            Head(self.tr("Right"), number=True),
            Head(self.tr("95 % interval"), number=True),
            Head(
                self.tr("vs guess"),
                self.tr("How many times as often as a blind guess"),
                number=True,
            ),
        )


_ALL_BARS = 0.78
_BAR_MAX = 0.25
_CAP = 0.03


class AttackPlot(QWidget):
    """Bars with 95 % intervals, one group per variant and one colour per epsilon."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.legend = LegendRow(parent=self)
        self.plot = _Bars(self.tr("How often the attack was right"), parent=self)
        self.plot.setMinimumHeight(140)
        lay_column(self.legend, (self.plot, 1), spacing=6, on=self)

    def show_result(self, result: AttackResult) -> None:
        """Shows the outcomes of an attack."""
        self.plot.show_result(result)
        epsilons = list(dict.fromkeys(o.nominal_epsilon for o in result.outcomes))
        template = self.tr("ε = {epsilon} of the papers")
        entries = [
            LegendEntry(template.format(epsilon=significant(e, 3)), series, "bars", f"ε = {e:.3g}")
            for series, e in enumerate(epsilons)
        ]
        blind = self.tr("blind guess, {share}").format(share=fixed_percent(result.baseline, 1))
        self.legend.set_entries([*entries, LegendEntry(blind, "text", "dashed", self.tr("blind"))])


class _Bars(PlotCanvas):
    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(name, parent=parent)
        self.set_axis_titles("", self.tr("Right guesses (%)"))

    def show_result(self, result: AttackResult) -> None:
        """Shows bars for a result."""
        self.clear_items()
        outcomes = result.outcomes
        variants = list(dict.fromkeys(o.variant for o in outcomes))
        epsilons = list(dict.fromkeys(o.nominal_epsilon for o in outcomes))
        width = min(_ALL_BARS / len(epsilons), _BAR_MAX * len(variants))
        titles = tuple(next(o.title for o in outcomes if o.variant == v) for v in variants)
        for series, epsilon in enumerate(epsilons):
            shown = [o for o in outcomes if o.nominal_epsilon == epsilon]
            x = np.array([float(variants.index(o.variant)) for o in shown])
            x += (series - (len(epsilons) - 1) / 2) * width
            bars = self.bars(series)
            bars.setOpts(
                x=x, height=np.array([100 * o.accuracy for o in shown]), width=0.92 * width
            )
            lower = np.array([100 * o.lower for o in shown])
            upper = np.array([100 * o.upper for o in shown])
            whiskers = self.line("text", style="hairline")
            whiskers.setData(*whisker_points(x, lower, upper, _CAP), connect="pairs")
        baseline = self.marker(angle=0, role="text")
        baseline.setValue(100 * result.baseline)
        top = max(o.upper for o in outcomes)
        self.set_ranges((-0.5, len(variants) - 0.5), (0.0, min(112.0 * top, 105.0)))
        # The short name below the bars; the table has the full one.
        self.name_bars(tuple(map(_short, titles)))
        heads = ("Variant", "ε", "%")
        rows = [
            (o.title, significant(o.nominal_epsilon, 3), f"{100 * o.accuracy:.2f}")
            for o in outcomes
        ]
        self.set_table(heads, rows)
        best = max(outcomes, key=lambda o: o.accuracy)
        self.set_description(
            self.tr("At most {share} right, with {variant}; a blind guess {blind}.").format(
                share=fixed_percent(best.accuracy, 1),
                variant=best.title,
                blind=fixed_percent(result.baseline, 1),
            )
        )


def _short(title: str) -> str:
    """The part of a title in brackets, such as "SUE-z" of "RS+FD[SUE-z]"."""
    inner = title.partition("[")[2].rstrip("]")
    return inner or title


class ResultsCard(Card):
    """A sentence, then either a reason with buttons, or progress, or the outcomes.

    Args:
        watch: Runs the attack.

    Attributes:
        open, plan: The buttons that open data and go to the strategy.
        progress: The progress with the button that cancels.
    """

    def __init__(self, watch: JobWatch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._title = PlainLabel("", "heading", wrap=True, parent=self)
        self._reason = PlainLabel("", "muted", wrap=True, parent=self)
        self.open = QPushButton(self.tr("&Open data…"), self)
        self.open.setWhatsThis(self.tr("Asks for a file of answers."))
        self.plan = QPushButton(self.tr("Change the s&trategy"), self)
        self.progress = ProgressLine(self.tr("Progress of the attack"), watch, parent=self)
        watch.progressed.connect(self._show_stage)
        self.model = AttackModel(self)
        name = self.tr("How often each attack was right")
        self.table = PlainTable(self.model, name, parent=self)
        self.chart = AttackPlot(parent=self)
        self._stack = QStackedWidget(self)
        self._words, self._running, self._outcomes = self._parts()
        self.body.addWidget(self._title)
        self.body.addWidget(self._reason)
        self.body.addWidget(self._stack, 1)

    def title(self) -> str:
        """The sentence at the top."""
        return self._title.text()

    def reason(self) -> str:
        """The text below it."""
        return self._reason.text()

    def show_words(
        self, title: str, reason: str, *, data: bool = False, plan: bool = False
    ) -> None:
        """Shows why there is nothing to see yet, and what to do."""
        self._title.setText(title)
        self._reason.setText(reason)
        self.open.setVisible(data)
        self.plan.setVisible(plan)
        self._stack.setCurrentWidget(self._words)

    def show_start(self) -> None:
        """Shows the start of an attack."""
        self._title.setText(self.tr("Attacking"))
        self._reason.setText(self.tr("Starting"))
        self.progress.stop.setEnabled(True)
        self._stack.setCurrentWidget(self._running)
        self.progress.stop.setFocus()

    def show_cancelling(self) -> None:
        """Shows at once that the cancel was received."""
        self.progress.stop.setEnabled(False)
        self._reason.setText(self.tr("Cancelling …"))

    def show_result(self, result: AttackResult, protected: Sequence[str]) -> None:
        """Shows the outcomes.

        Args:
            result: The outcomes.
            protected: The columns that the plan protects; those of numbers are not attacked.
        """
        best = max(result.outcomes, key=lambda outcome: outcome.accuracy)
        self._title.setText(
            self.tr(
                "At most {share} of the guesses were right; by chance it would be {blind}."
            ).format(
                share=fixed_percent(best.accuracy, 1),
                blind=fixed_percent(result.baseline, 1),
            )
        )
        self._reason.setText(
            self.tr(
                "Which of {attributes} attributes of each of {people} respondents was real? "
                "Simulated from the true answers: for your eyes only. Nothing was released."
            ).format(attributes=len(result.attributes), people=f"{best.attacked:,}")
            + self._words_of_numbers([one for one in protected if one not in result.attributes])
        )
        self.model.set_result(result)
        self.chart.show_result(result)
        self._stack.setCurrentWidget(self._outcomes)

    def _words_of_numbers(self, names: Sequence[str]) -> str:
        """Why columns that the plan protects are not among the attributes."""
        if not names:
            return ""
        one = self.tr("Fakes are made for categories alone: {names} is not among them.")
        more = self.tr("Fakes are made for categories alone: {names} are not among them.")
        words = one if len(names) == 1 else more
        return " " + words.format(names=first_names(names, _NAMED))

    def _show_stage(self, progress: Progress) -> None:
        if self.progress.stop.isEnabled():
            self._reason.setText(progress.stage)

    def _parts(self) -> tuple[QWidget, QWidget, QWidget]:
        parts = [QWidget(self) for _ in range(3)]
        for part in parts:
            self._stack.addWidget(part)
        words, running, outcomes = parts
        buttons = lay_row(self.open, self.plan, STRETCH)
        for part, row in ((words, buttons), (running, self.progress)):
            lay_column(row, STRETCH, margins=(0, 6, 0, 0), on=part)
        lay_column((self.chart, 3), (self.table, 2), on=outcomes)
        return words, running, outcomes
