"""The problems of a plan, found again only where they can have changed."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from dpdesk.data.table import SurveyTable
from dpdesk.plan import Plan, Problem, check, check_table
from dpdesk.plan.check_statistics import check_statistics, check_statistics_table
from dpdesk.plan.check_table import AnswerChecks

ReleaseKind = Literal["records", "statistics"]
"""The two kinds of release of one plan: sanitized records, or noisy statistics of the file."""

# What the data have nothing to say to: a slider moves without a look at them.
_NO_MATTER = {"epsilon": Decimal(1), "locked": False, "name": ""}


class PlanProblems:
    """Remembers what the data had to say, since no mechanism and no epsilon changes that.

    The check of the plan by itself remembers its columns on its own. The check against the data
    reads every answer and would not keep up with a slider: it is asked only where it may say
    something else, and an edit of one column reads the answers of that column alone.
    """

    def __init__(self) -> None:
        self._asked: tuple[object, ...] = ()
        self._table: SurveyTable | None = None
        self._of_table: tuple[Problem, ...] = ()
        self._answers = AnswerChecks()
        self._queries_asked: tuple[object, ...] = ()
        self._queried: SurveyTable | None = None
        self._of_queries: tuple[Problem, ...] = ()

    def find(
        self, plan: Plan, table: SurveyTable | None, kind: ReleaseKind = "records"
    ) -> tuple[Problem, ...]:
        """Every problem of a plan and, where there are data, of the two together; errors first."""
        records = kind == "records"
        found = check(plan) if records else check_statistics(plan)
        if table is not None:
            found += self._find_in_table(plan, table) if records else self._find_asked(plan, table)
        return tuple(sorted(found, key=lambda problem: problem.severity != "error"))

    def _find_asked(self, plan: Plan, table: SurveyTable) -> tuple[Problem, ...]:
        """What the data say to the queries; their epsilons play no part."""
        asked = (
            tuple(query.model_copy(update=_NO_MATTER) for query in plan.statistics.queries),
            plan.statistics.unit,
            plan.reading,
            plan.allowed_unfit,
            tuple((c.name, c.kind, c.domain, c.missing, c.other) for c in plan.columns),
        )
        if table is not self._queried or asked != self._queries_asked:
            self._of_queries = check_statistics_table(plan, table)
            self._queries_asked, self._queried = asked, table
        return self._of_queries

    def _find_in_table(self, plan: Plan, table: SurveyTable) -> tuple[Problem, ...]:
        asked = (
            tuple((c.name, c.kind, c.domain, c.role, c.missing, c.other) for c in plan.columns),
            plan.strategy,
            plan.reading,
            plan.allowed_unfit,
        )
        if table is not self._table or asked != self._asked:
            if table is not self._table:
                self._answers = AnswerChecks()
            self._of_table = check_table(plan, table, answers=self._answers)
            self._asked, self._table = asked, table
        return self._of_table
