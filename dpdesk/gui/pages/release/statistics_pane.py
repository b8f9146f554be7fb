"""Statistics on the Release page: every query with its cost and expected error."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.data.table import SurveyTable
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.plan_models import TYPE, QueryModel
from dpdesk.gui.pages.release.population_field import AccountWatch
from dpdesk.gui.pages.release.promise_card import PromiseCard
from dpdesk.gui.pages.release.release_pane import PaneWords, ReleasePane
from dpdesk.gui.pages.release.statistics_results import StatisticsResults
from dpdesk.i18n import N_
from dpdesk.plan import Plan
from dpdesk.releases.statistics import STATISTICS


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
