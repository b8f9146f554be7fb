"""After a release of statistics: every result with its intervals, a query at a time."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesk.cost import format_epsilon
from dpdesk.estimate.released_statistics import QueryResult
from dpdesk.gui.pages.plan.statistics.query_words import noise_text
from dpdesk.gui.pages.release.results_view import ListEntry, ResultsView
from dpdesk.gui.pages.release.statistics_table import StatisticsTable
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.preview import error_text
from dpdesk.queries import MeasuredQuery
from dpdesk.release.release import Release
from dpdesk.report.number_text import epsilon_text
from dpdesk.report.statistics.facts import unit_of

_LIST_WIDTH = 236


class StatisticsResults(ResultsView):
    """The results of a query at a time.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(theme, self.tr("Released statistics"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        """The list and the table."""
        return [self.entries, self.table]

    def _fill(self, shown: Card, theme: ThemeSwitch) -> None:
        self.table = StatisticsTable(theme, parent=self)
        for part, stretch in ((self._title, 0), (self.table, 1), (self._note, 0)):
            shown.body.addWidget(part, stretch)
        shown.body.addWidget(self.figures)

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        released = result.released
        count = len(released.results)
        one, many = self.tr("1 statistic released"), self.tr("{count} statistics released")
        facts = self.tr("ε = {epsilon} per respondent, charged once")
        cost = released.plan.statistics.cost
        return (
            one if count == 1 else many.format(count=f"{count:,}"),
            facts.format(epsilon=epsilon_text(cost.epsilon)),
        )

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{noise} · ε = {epsilon}")
        entries = []
        for found in result.released.results:
            query = found.bound.query
            said = caption.format(noise=noise_text(query), epsilon=format_epsilon(query.epsilon))
            entries.append(ListEntry(query.heading, said, query.description))
        return tuple(entries)

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        found = result.released.results[row]
        query = found.bound.query
        self._title.set_text(query.name or query.description)
        self.table.show_result(found)
        self._note.setText(self._meaning(found))
        figures = (self._cost, self._error, self._numbers, self._outside)
        self._show_figures([figure(found) for figure in figures])

    def _meaning(self, result: QueryResult) -> str:
        query = result.bound.query
        if query.kind == "most_common":
            return self.tr("Chosen by noisy counts; the counts themselves are not released.")
        if query.kind == "quantile":
            return self.tr(
                "A number of the declared grid, likelier the nearer its rank is to the share."
            )
        said = self.tr("Results are shown as they were drawn.")
        if self.table.statistics.outside:
            said += " " + self.tr(
                "Those outside their possible range are noise; the open ring and “In range” show "
                "them moved to where they can be."
            )
        if any(statistic.total_lower is not None for statistic in result.statistics):
            said += " " + self.tr(
                "Thick: what the table says, noise alone. Thin: the population, sampling too."
            )
        return said

    def _cost(self, result: QueryResult) -> tuple[str, str, str]:
        query, run = result.bound.query, result.bound.cost.epsilon
        detail = self.tr("Run: {run}, at most what was asked and charged.")
        return (
            f"ε = {epsilon_text(query.epsilon)}",
            self.tr("what this statistic costs a respondent"),
            detail.format(run=epsilon_text(run)),
        )

    def _error(self, result: QueryResult) -> tuple[str, str, str]:
        widths = [
            (statistic.upper - statistic.lower) / 2
            for statistic in result.statistics
            if statistic.upper is not None and statistic.lower is not None
        ]
        if not widths:
            return noise_text(result.bound.query), self.tr("how it was protected"), ""
        unit = unit_of(result.bound).replace("%", "pp")
        caption = (
            self.tr("largest half-width, noise only")
            if len(widths) > 1
            else self.tr("half-width, noise only")
        )
        return error_text(max(widths), unit), caption, ""

    def _numbers(self, result: QueryResult) -> tuple[str, str, str]:
        count = len(result.statistics)
        bound: object = result.bound
        if not isinstance(bound, MeasuredQuery):
            return f"{count:,}", self.tr("chosen, not counted"), ""
        one, many = self.tr("number released"), self.tr("numbers released")
        return f"{count:,}", one if count == 1 else many, ""

    def _outside(self, result: QueryResult) -> tuple[str, str, str]:
        outside = self.table.statistics.outside
        return f"{outside:,}", self.tr("outside the possible range, from noise"), ""
