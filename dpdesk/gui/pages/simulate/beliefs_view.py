"""What each report makes of the belief in every answer: prior to posterior, as a table."""

from __future__ import annotations

from math import exp, isfinite

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from dpdesk.composition.strength import strength_of
from dpdesk.gui.pages.simulate.design_words import belief_words
from dpdesk.gui.pages.simulate.scenario_kinds import SharesScenario
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.legend_row import LegendEntry, LegendRow
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.gui.widgets.plot_table import PlotTable, TableWindow
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.preview import at_most, share_text
from dpdesk.preview.survey import BeliefTable, ReportBelief, belief_table

_BAR = 0.62
_NAME_PART = 0.24
"""Part of the width that the names of the reports may take."""


class BeliefBars(QWidget):
    """One bar for each report and one above them for the belief before any."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = QCoreApplication.translate("BeliefBars", "Beliefs in the true answers, by report")
        self.legend = LegendRow(parent=self)
        self.plot = PlotCanvas(name, parent=self)
        self.plot.setMinimumHeight(110)
        self.plot.getPlotItem().setContentsMargins(0, 6, 9, 0)
        self.plot.getPlotItem().showGrid(x=True, y=False, alpha=1.0)
        self._bars = [self.plot.bars(0)]
        self._texts: tuple[str, ...] = ()
        lay_column(self.legend, (self.plot, 1), spacing=4, on=self)

    def show_beliefs(
        self, answers: tuple[str, ...], reports: tuple[str, ...], beliefs: np.ndarray
    ) -> None:
        """Shows beliefs.

        Args:
            answers: Names of the true answers.
            reports: Names of the bars, from above.
            beliefs: Shares between 0 and 1, shape (reports, answers).
        """
        while len(self._bars) < len(answers):
            self._bars.append(self.plot.bars(len(self._bars)))
        shares = 100 * beliefs
        starts = np.cumsum(shares, axis=1) - shares
        places = np.arange(len(reports), dtype=np.float64)[::-1]
        for number, bar in enumerate(self._bars):
            if number < len(answers):
                bar.setOpts(x0=starts[:, number], width=shares[:, number], y=places, height=_BAR)
            else:
                bar.setOpts(x0=np.zeros(0), width=np.zeros(0), y=np.zeros(0), height=_BAR)
        self.plot.set_ranges((0.0, 100.0), (-0.6, len(reports) - 0.4))
        title = QCoreApplication.translate("BeliefBars", "Who gives it, by their true answer (%)")
        self.plot.set_axis_titles(title, "")
        self._write_names(reports)
        self.legend.set_entries(
            tuple(LegendEntry(name, number, "bars") for number, name in enumerate(answers))
        )
        self.plot.set_table_source(
            lambda: PlotTable(
                ("", *answers),
                tuple(
                    (name, *(f"{share:.3g}" for share in row))
                    for name, row in zip(reports, shares.tolist(), strict=True)
                ),
            )
        )

    def _write_names(self, reports: tuple[str, ...]) -> None:
        metrics, room = QFontMetrics(self.plot.font()), int(_NAME_PART * max(self.width(), 400))
        shown = tuple(
            metrics.elidedText(name, Qt.TextElideMode.ElideRight, room) for name in reports
        )[::-1]
        if shown != self._texts:
            self._texts = shown
            self.plot.set_categories(shown, side="left")


_LEAST_COLUMN = 66
_HEAD_MAX = 14
_ROWS, _FEW_ROWS = 6, 3
_TALL = 480
"""Height from which on the table may have more rows."""


class BeliefsModel(RowModel[ReportBelief | None]):
    """The belief before any report, and after each."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scenario = SharesScenario()
        self._table = belief_table(self._scenario.design, self._scenario.survey.shares)

    def show_beliefs(self, scenario: SharesScenario, table: BeliefTable) -> None:
        """Shows the beliefs of a scenario; the first row is the one before any report."""
        self.beginResetModel()
        self._scenario, self._table = scenario, table
        self.heads = (
            Head(self.tr("Report")),
            *(Head(_short(name), name, number=True) for name in scenario.names),
            *((Head(self.tr("Given by"), number=True),) if table.alone else ()),
            Head(
                self.tr("Likelier"),
                self.tr("How many times likelier, at most, of one true answer than of another"),
                number=True,
            ),
        )
        self.rows = (None, *table.reports)
        self.endResetModel()

    def answers(self) -> tuple[str, ...]:
        """The names of the true answers."""
        return self._scenario.names

    def text(self, row: ReportBelief | None, column: int) -> str:
        answers = len(self._scenario.names)
        if column == 0:
            return self.report_name(row)
        if column <= answers:
            beliefs = self._table.prior if row is None else row.beliefs
            return belief_words(beliefs[column - 1])
        if row is None:
            return ""
        if column == answers + 1 and row.chance is not None:
            return share_text(row.chance)
        if row.ratio is None:
            return self.tr("∞: a proof")
        return f"{at_most(row.ratio)} ×"

    def report_name(self, row: ReportBelief | None) -> str:
        """A report in words."""
        if row is None:
            return self.tr("before any report")
        name = self._scenario.names[row.answer]
        if self._table.alone:
            return f"“{name}”"
        return self.tr("for “{answer}” alone").format(answer=name)


class BeliefsView(QWidget):
    """A sentence, the proofs if there are any, the table of beliefs."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table_window = TableWindow(self)
        self.sentence = PlainLabel("", "heading", wrap=True, parent=self)
        self.proofs = PlainLabel("", "strong-danger", wrap=True, parent=self)
        self.model = BeliefsModel(self)
        name = self.tr("What one may believe after each report")
        self.table = PlainTable(self.model, name, parent=self)
        self.table.horizontalHeader().setMinimumSectionSize(_LEAST_COLUMN)
        self.bars = BeliefBars(parent=self)
        self.foot = PlainLabel("", "muted", wrap=True, parent=self)
        column = lay_column(spacing=10, margins=(4, 4, 4, 0), on=self)
        for label in (self.sentence, self.proofs):
            column.addWidget(label)
        column.addWidget(self.bars, 3)
        column.addWidget(self.table, 2)
        column.addWidget(self.foot)

    def show_scenario(self, scenario: SharesScenario) -> None:
        """Shows what the reports of a scenario's design disclose at its true shares."""
        table = belief_table(scenario.design, scenario.survey.shares)
        self.model.show_beliefs(scenario, table)
        names = tuple(self.model.report_name(row) for row in self.model.rows)
        beliefs = np.array([table.prior, *(report.beliefs for report in table.reports)])
        self.bars.show_beliefs(scenario.names, names, beliefs)
        self.sentence.setText(self._sentence(table))
        self.proofs.setText(self._proofs(scenario, table))
        self.proofs.setVisible(bool(table.proofs))
        self.foot.setText(self._foot(scenario, table))
        self.table_window.follow(self.model.table)

    def show_table(self) -> None:
        """Shows the numbers in a window of their own."""
        self.table_window.show(self.table.accessibleName(), self.model.table())

    def _sentence(self, table: BeliefTable) -> str:
        if not isfinite(table.epsilon):
            return self.tr("ε is infinite: there is a report that rules true answers out.")
        return self.tr(
            "Protection: {strength}. A report is at most eᵋ = {ratio} times as likely with one "
            "true answer as with another."
        ).format(strength=strength_of(table.epsilon), ratio=at_most(exp(table.epsilon)))

    def _proofs(self, scenario: SharesScenario, table: BeliefTable) -> str:
        words = self.tr("{report} is a proof: whoever says it is not {answers}.")
        return "\n".join(
            words.format(
                report=self.model.report_name(report),
                answers=", ".join(f"“{scenario.names[index]}”" for index in report.ruled_out),
            )
            for report in table.proofs
        )

    def _foot(self, scenario: SharesScenario, table: BeliefTable) -> str:
        looked = scenario.survey.looked
        name, highest = scenario.names[looked], table.raising(looked)
        words = self.tr(
            "Each row: the share of every true answer among those who give this report. The "
            "highest belief in “{answer}” is {belief}, after {report}."
        ).format(
            answer=name,
            belief=belief_words(highest.beliefs[looked]),
            report=self.model.report_name(highest)
            if table.alone
            else self.tr("a report {name}").format(name=self.model.report_name(highest)),
        )
        # A share and its sign stand in one line.
        words = words.replace(" %", "\N{NO-BREAK SPACE}%")
        if table.alone:
            return words
        return words + self.tr(
            " A report may be for several answers or for none; one that is for an answer alone "
            "says most, and no report says more."
        )


def _short(name: str) -> str:
    """A head that fits its column; its tooltip has the whole name."""
    return name if len(name) <= _HEAD_MAX else f"{name[: _HEAD_MAX - 1].rstrip()}…"
