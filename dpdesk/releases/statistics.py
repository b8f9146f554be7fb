"""The release of statistics: a trusted file answers queries with noise, in the central model."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import ClassVar

from dpdesk.cost import PrivacyCost
from dpdesk.data.table import SurveyTable
from dpdesk.data.write_csv import write_table_csv
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.statistics import release_statistics
from dpdesk.estimation.released import ReleasedStatistics
from dpdesk.i18n import N_
from dpdesk.ledgers import KindName
from dpdesk.plan import Plan, Problem
from dpdesk.plan.checks.statistics import (
    bind_queries,
    check_statistics,
    check_statistics_table,
)
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.model import statistics_plan
from dpdesk.plan.release_usefulness import ReleaseUsefulness, usefulness_of_statistics
from dpdesk.releases.folder import PLAN_NAME, bytes_of_documents, write_text
from dpdesk.releases.kind import Drawing, ReleaseKind
from dpdesk.reports.registry import entry_of_statistics
from dpdesk.reports.statistics.facts import QueryFacts
from dpdesk.reports.statistics.public import (
    StatisticsReport,
    statistics_report,
    statistics_report_html,
)

STATISTICS_NAME = "statistics.csv"
_KEYS = 4
_HEADER = (
    "query",
    "name",
    "asked",
    *(f"key_{place}" for place in range(1, _KEYS + 1)),
    "value",
    "chosen",
    "lower",
    "upper",
    "total_lower",
    "total_upper",
    "in_range",
    "unit",
    "epsilon",
    "delta",
    "noise",
    "assurance",
)
# Fields that no check of the data depends on: a slider can move without reading them again.
_NO_MATTER = {"epsilon": Decimal(1), "locked": False, "name": ""}
_REPORT_BYTES, _CELL_BYTES = 200_000, 2_000
"""The most bytes of a report, and of each number in it with its key and its intervals."""


class StatisticsKind(ReleaseKind[ReleasedStatistics, StatisticsReport]):
    """Noisy answers to the queries of a plan; the ledger stores them."""

    name: ClassVar[KindName] = "statistics"
    command: ClassVar[str] = "query"
    title: ClassVar[str] = N_("Statistics")
    meaning: ClassVar[str] = N_("Release statistics of the trusted file with noise: central model")
    report_type: ClassVar[type[StatisticsReport]] = StatisticsReport
    report_format: ClassVar[str] = "dpdesk-statistics-report"
    plan_meaning: ClassVar[str] = N_("what was asked, to repeat or to audit")
    plan_part: ClassVar[str] = "statistics"
    product: ClassVar[str] = "Statistics of a survey"

    @property
    def tables(self) -> tuple[tuple[str, str], ...]:
        return ((STATISTICS_NAME, N_("every released number with its intervals")),)

    def check(self, plan: Plan) -> tuple[Problem, ...]:
        return check_statistics(plan)

    def usefulness(self, plan: Plan) -> ReleaseUsefulness[int]:
        return usefulness_of_statistics(plan)

    def asked_of_table(self, plan: Plan) -> object:
        return (
            tuple(query.model_copy(update=_NO_MATTER) for query in plan.statistics.queries),
            plan.statistics.unit,
            plan.respondents,
            plan.reading,
            plan.allowed_unfit,
            tuple((c.name, c.kind, c.domain, c.missing, c.other) for c in plan.columns),
        )

    def check_table(
        self, plan: Plan, table: SurveyTable, answers: AnswerChecks
    ) -> tuple[Problem, ...]:
        return check_statistics_table(plan, table)

    def cost(self, plan: Plan) -> PrivacyCost:
        return plan.statistics.cost

    def public_plan(self, plan: Plan) -> Plan:
        return statistics_plan(plan)

    def bytes_of_documents(self, plan: Plan) -> int:
        return bytes_of_documents(len(plan.statistics.queries), _cells(plan))

    def bytes_of_answers(self, plan: Plan) -> int:
        return _REPORT_BYTES + _CELL_BYTES * _cells(plan)

    report = staticmethod(statistics_report)
    registry_entry = staticmethod(entry_of_statistics)
    html = staticmethod(statistics_report_html)

    def draw(self, drawing: Drawing) -> ReleasedStatistics:
        return release_statistics(
            drawing.table,
            drawing.plan,
            drawing.tracker,
            lambda: drawing.charge(0),
            has_report=drawing.folder is not None,
        )

    def write_tables(
        self, drawn: ReleasedStatistics, report: StatisticsReport, folder: Path, tracker: Tracker
    ) -> None:
        write_statistics(report, folder)
        write_text(folder / PLAN_NAME, plan_to_json(drawn.plan))


STATISTICS = StatisticsKind()


def _cells(plan: Plan) -> int:
    return sum(len(bound.keys) for bound in bind_queries(plan))


def write_statistics(report: StatisticsReport, folder: Path) -> None:
    """Writes `statistics.csv`: one row per released number or category.

    `lower` and `upper` are the interval of the noise, `total_lower` and `total_upper` that of noise
    and sampling; a cell is empty where the number does not exist.
    """
    write_table_csv(folder / STATISTICS_NAME, _HEADER, _rows(report))


def _rows(report: StatisticsReport) -> Iterator[tuple[str | int | float | None, ...]]:
    for number, query in enumerate(report.queries, 1):
        yield from _rows_of(number, query)


def _rows_of(number: int, query: QueryFacts) -> Iterator[tuple[str | int | float | None, ...]]:
    for result in query.results:
        keys = (*result.key, *[""] * (_KEYS - len(result.key)))
        yield (
            number,
            query.name,
            query.asked,
            *keys,
            result.value,
            result.chosen,
            result.lower,
            result.upper,
            result.total_lower,
            result.total_upper,
            result.in_range,
            query.unit,
            str(query.epsilon_asked),
            query.delta,
            query.noise,
            query.assurance,
        )
