"""The problems of a plan, found again only where they can have changed."""

from __future__ import annotations

from dpdesk.data.table import SurveyTable
from dpdesk.plan import Plan, Problem, check, check_table


class PlanProblems:
    """Remembers what the data had to say, since no mechanism and no epsilon changes that.

    The check of the plan by itself remembers its columns on its own; the check against the data
    reads every answer and would not keep up with a slider.
    """

    def __init__(self) -> None:
        self._asked: tuple[object, ...] = ()
        self._table: SurveyTable | None = None
        self._of_table: tuple[Problem, ...] = ()

    def find(self, plan: Plan, table: SurveyTable | None) -> tuple[Problem, ...]:
        """Every problem of a plan and, where there are data, of the two together; errors first."""
        found = check(plan)
        if table is not None:
            found += self._find_in_table(plan, table)
        return tuple(sorted(found, key=lambda problem: problem.severity != "error"))

    def _find_in_table(self, plan: Plan, table: SurveyTable) -> tuple[Problem, ...]:
        asked = tuple(
            (column.name, column.kind, column.domain, column.role, column.missing, column.other)
            for column in plan.columns
        )
        if table is not self._table or asked != self._asked:
            self._of_table = check_table(plan, table)
            self._asked, self._table = asked, table
        return self._of_table
