"""Statistics on the Release page: every query with its cost and expected error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QLineF, QRect
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.data.table import SurveyTable
from dpdesk.estimation.released import QueryResult
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.plan_models import TYPE, QueryModel
from dpdesk.gui.pages.plan.words import noise_text
from dpdesk.gui.pages.release.cross_table import CrossTable, is_cross
from dpdesk.gui.pages.release.interval_table import (
    PLOT,
    IntervalDelegate,
    IntervalModel,
    IntervalRow,
    IntervalScale,
    IntervalTable,
    place,
    scale_for,
)
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.pages.release.release_pane import PaneWords, ReleasePane
from dpdesk.gui.pages.release.results_view import ListEntry, ResultsView
from dpdesk.gui.pages.release.statistics_rows import StatisticRow, result_rows
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.verdict_words import smaller_than_errors
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.gui.widgets.plain_text import counted
from dpdesk.gui.widgets.row_model import Head
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.i18n import N_
from dpdesk.numbers.intervals import is_even
from dpdesk.plan import Plan
from dpdesk.plan.verdicts import PartVerdicts, Verdict, lowered
from dpdesk.preview import error_text
from dpdesk.releases.release import Release
from dpdesk.releases.statistics import STATISTICS
from dpdesk.reports.statistics.facts import unit_of

CELL, _, VALUE, IN_RANGE, NOISE, TOTAL = range(6)


class StatisticsModel(IntervalModel[StatisticRow]):
    """One row per cell of a query."""

    @property
    def outside(self) -> int:
        """Number of results outside their possible range."""
        return sum(bool(row.in_range) for row in self.rows)

    def has(self, column: int) -> bool:
        """Whether any row has a text in a column."""
        if column == PLOT:
            return any(row.is_number for row in self.rows)
        return any(self.text(row, column) for row in self.rows)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of another query."""
        rows = result_rows(result)
        ends = [
            end
            for row in rows
            if row.is_number
            for end in (row.estimate, row.lower, row.upper, row.truncated, *(row.outer or ()))
        ]
        if ends and result.bound.query.counts_rows:
            ends.append(0.0)
        self._scale = scale_for(ends or (0.0, 1.0), share=False)
        by = getattr(result.bound.query, "by", ())
        of = " · ".join(by) or getattr(result.bound.query, "column", "") or self.tr("Of")
        self.heads = (Head(of), *self.heads[1:])
        self.show_rows(rows)

    def drawn(self, row: StatisticRow) -> StatisticRow | None:
        return row if row.is_number else None

    def text(self, row: StatisticRow, column: int) -> str:
        return (row.cell, row.noise, row.value, row.in_range, row.noise, row.total)[column]

    def tooltip(self, row: StatisticRow, column: int) -> str:
        if column == PLOT:
            return row.noise
        return row.cell if column == CELL else self.heads[column].meaning

    def spoken(self, row: StatisticRow, column: int) -> str:
        return f"{self.heads[column].text}: {self.text(row, column)}"

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Of")),
            Head(
                self.tr("Interval"),
                self.tr("The result with its interval; the thin line holds the sampling too"),
            ),
            Head(
                self.tr("Released"),
                self.tr("As it was drawn: a negative count is noise, and says so"),
                number=True,
            ),
            Head(
                self.tr("In range"),
                self.tr("Moved into the range that the statistic can have"),
                number=True,
            ),
            Head(
                self.tr("In the table"),
                self.tr("Interval for what the table would say without noise"),
                number=True,
            ),
            Head(
                self.tr("Population"),
                self.tr("Interval for the population, from noise and sampling"),
                number=True,
            ),
        )


class _BothIntervals(IntervalDelegate):
    """Paints a thin line for noise and sampling below the thick one for the noise."""

    def paint_interval(
        self, painter: QPainter, rect: QRect, row: IntervalRow, scale: IntervalScale
    ) -> None:
        outer = getattr(row, "outer", None)
        if outer is not None:
            middle = rect.center().y() + 0.5
            left, right = (place(scale, rect, end) for end in outer)
            painter.setPen(QPen(QColor(theme_in_force().muted), 1.0))
            painter.drawLine(QLineF(left, middle, right, middle))
            for x in (left, right):
                painter.drawLine(QLineF(x, middle - 3, x, middle + 3))
        super().paint_interval(painter, rect, row, scale)


class StatisticsTable(IntervalTable):
    """A cell of the query in each row; empty columns are hidden."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self.statistics = StatisticsModel()
        name = self.tr("Released statistics with intervals")
        super().__init__(self.statistics, _BothIntervals, name, parent=parent)

    def choose_columns(self) -> None:
        for column in (PLOT, VALUE, IN_RANGE, NOISE, TOTAL):
            self.setColumnHidden(column, not self.statistics.has(column))


_LIST_WIDTH = 236
TABLE, INTERVALS = range(2)


class StatisticsResults(ResultsView):
    """The results of one query at a time."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Released statistics"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        return [self.entries, self.tabs, self.cross, self.table]

    def _fill(self, shown: Card) -> None:
        self.table = StatisticsTable(parent=self)
        self.cross = CrossTable(parent=self)
        self.tabs = UnderlineTabs((self.tr("Table"), self.tr("Intervals")), parent=self)
        self.tabs.setAccessibleName(self.tr("Table or intervals"))
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.cross)
        self._stack.addWidget(self.table)
        self.tabs.currentChanged.connect(self._stack.setCurrentIndex)
        shown.body.addLayout(lay_row((self._title, 1), self.tabs))
        for part, stretch in ((self._stack, 1), (self._note, 0)):
            shown.body.addWidget(part, stretch)
        shown.body.addWidget(self.figures)

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        released = result.released
        count = len(released.results)
        one, many = self.tr("1 statistic released"), self.tr("{count} statistics released")
        facts = self.tr("ε = {epsilon} per respondent, charged once")
        cost = released.plan.statistics.cost
        return (
            counted(count, one, many),
            facts.format(epsilon=format_epsilon(cost.epsilon)),
        )

    def _verdicts_of(
        self, result: Release[Any, Any], of_file: Mapping[Any, Verdict]
    ) -> PartVerdicts:
        queries = zip(result.released.results, result.report.queries, strict=True)
        found = (
            (ran.bound.query.heading, lowered(told.usefulness, of_file.get(place)))
            for place, (ran, told) in enumerate(queries)
        )
        return PartVerdicts(tuple(found))

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{noise} · ε = {epsilon}")
        entries = []
        for found in result.released.results:
            query = found.bound.query
            said = caption.format(noise=noise_text(query), epsilon=format_epsilon(query.epsilon))
            entries.append(ListEntry(query.heading, said, query.description))
        return tuple(entries)

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        chosen = result.released.results[row]
        query = chosen.bound.query
        self._title.set_text(query.name or query.description)
        self.table.statistics.show_result(chosen)
        crossed = is_cross(chosen)
        self.tabs.setVisible(crossed)
        if crossed:
            self.cross.show_result(chosen)
        self._stack.setCurrentIndex(self.tabs.currentIndex() if crossed else INTERVALS)
        self._note.setText(self._meaning(chosen, result.report.confidence))
        figures = (self._cost, self._error, self._numbers, self._outside)
        self._show_figures([figure(chosen) for figure in figures])

    def _meaning(self, result: QueryResult, confidence: float) -> str:
        query = result.bound.query
        if query.chooses:
            chosen = QCoreApplication.translate("Query", query.how_chosen)
            return f"{chosen} {result.bound.assurance(confidence)}"
        sentence = self.tr("Results are shown as they were drawn.")
        if self.table.statistics.outside:
            sentence += " " + self.tr(
                "Those outside their possible range are noise; the open ring and “In range” show "
                "them moved to where they can be."
            )
        if any(statistic.total_lower is not None for statistic in result.statistics):
            sentence += " " + self.tr(
                "Thick: what the table says, noise alone. Thin: the population, sampling too."
            )
            note = result.bound.sampling_note(result.statistics)
            sentence += f" {QCoreApplication.translate('Query', note)}" if note else ""
        if unit_of(result.bound) not in ("rows", "%"):
            return sentence
        useless = smaller_than_errors(
            (statistic.value, (statistic.upper - statistic.lower) / 2)
            for statistic in result.statistics
            if statistic.value is not None
            and statistic.upper is not None
            and statistic.lower is not None
        )
        return f"{sentence} {useless}".strip()

    def _cost(self, result: QueryResult) -> Figure:
        query, run = result.bound.query, result.bound.cost.epsilon
        detail = self.tr("Run: {run}, at most what was asked and charged.")
        return Figure(
            f"ε = {format_epsilon(query.epsilon)}",
            self.tr("what this statistic costs a respondent"),
            detail.format(run=format_epsilon(run)),
        )

    def _error(self, result: QueryResult) -> Figure:
        known = [
            (statistic.value, statistic.lower, statistic.upper)
            for statistic in result.statistics
            if statistic.value is not None
            and statistic.upper is not None
            and statistic.lower is not None
        ]
        if not known:
            return Figure(noise_text(result.bound.query), self.tr("how it was protected"))
        unit = unit_of(result.bound).replace("%", "pp")
        # Of an uneven interval the longer side.
        widths = [max(value - lower, upper - value) for value, lower, upper in known]
        error = error_text(max(widths), unit)
        if not is_even(*known[widths.index(max(widths))]):
            error = error.replace("±", "≤")
        one, many = self.tr("error, noise only"), self.tr("largest error, noise only")
        return Figure(error, many if len(known) > 1 else one)

    def _numbers(self, result: QueryResult) -> Figure:
        count = len(result.statistics)
        if result.bound.query.chooses:
            return Figure(f"{count:,}", self.tr("chosen, not counted"))
        one, many = self.tr("number released"), self.tr("numbers released")
        return Figure(f"{count:,}", one if count == 1 else many)

    def _outside(self, result: QueryResult) -> Figure:
        outside = self.table.statistics.outside
        return Figure(f"{outside:,}", self.tr("outside the possible range, from noise"))


class StatisticsPromise(PromiseCard):
    """The guarantee, over every query with its expected error."""

    heading = N_("What these statistics promise")
    content = N_("What will be released")

    def __init__(
        self, document: Document, account: AccountWatch, *, parent: QWidget | None = None
    ) -> None:
        self._queries = QueryModel(document, in_full=True)
        super().__init__(self._queries, account, parent=parent)
        self.table.setWhatsThis(self.tr("Each statistic with its noise and its epsilon."))
        self.table.setColumnHidden(TYPE, True)

    def show_plan(self, plan: Plan) -> None:
        self._queries.follow()
        statistics = plan.statistics
        if not statistics.queries:
            self._show_promise("", self.tr("Nothing yet: the plan asks for no statistic."))
            return
        cost = statistics.cost
        said = self._loss_in_words(self.tr("All results"), cost, statistics.unit)
        public = (
            self.tr("The number of respondents is public.")
            if statistics.unit.rows_are_public
            else self.tr("Who took part is protected as well.")
        )
        trust = self.tr("Whoever holds the file is trusted with the answers.")
        self._show_promise(STATISTICS.protection(plan), f"{said} {public} {trust}")
        self.people.show_cost(cost)

    def path_of(self, row: int) -> str:
        return f"statistics.queries.{row}"


class StatisticsPane(ReleasePane):
    """Answers the queries of the plan."""

    kind = STATISTICS
    words = PaneWords(
        start=N_("Rele&ase"),
        tip=N_("Draw the noise and write the folder (Ctrl+Return)"),
        sentence=N_("The file is trusted; every statistic of it gets noise once."),
        job=N_("Releasing statistics"),
    )
    promise_type = StatisticsPromise
    results_type = StatisticsResults
    results: StatisticsResults

    def _facts_of(self, plan: Plan, table: SurveyTable) -> str:
        words = self.tr("{rows} rows · {count} statistics · central model")
        return words.format(rows=f"{table.rows:,}", count=f"{len(plan.statistics.queries):,}")

    def _running_title(self, plan: Plan, table: SurveyTable) -> str:
        words = self.tr("Releasing {count} statistics of {rows} rows")
        return words.format(count=f"{len(plan.statistics.queries):,}", rows=f"{table.rows:,}")

    def _show_budget(self, plan: Plan) -> None:
        self.budget.show_statistics(plan)
