"""The problems of a plan, found again only where they can have changed."""

from __future__ import annotations

from typing import Any

from dpdesk.data.table import SurveyTable
from dpdesk.plan import Plan, Problem
from dpdesk.plan.check_table import AnswerChecks
from dpdesk.plan.problem import errors_first
from dpdesk.release.kind import ReleaseKind
from dpdesk.release.records import RECORDS


class PlanProblems:
    """Caches what the data had to say of each kind of release: no epsilon changes that.

    The check of the plan by itself caches its columns on its own. The check against the data
    reads every answer and would not keep up with a slider: it is asked only where it may say
    something else, and an edit of one column reads the answers of that column alone.
    """

    def __init__(self) -> None:
        self._of_table: dict[ReleaseKind[Any, Any], _OfTable] = {}

    def find(
        self, plan: Plan, table: SurveyTable | None, kind: ReleaseKind[Any, Any] = RECORDS
    ) -> tuple[Problem, ...]:
        """Every problem of a plan and, where there are data, of the two together; errors first."""
        found = kind.check(plan)
        if table is not None:
            found += self._of_table.setdefault(kind, _OfTable()).find(plan, table, kind)
        return errors_first(found)


class _OfTable:
    """What a table said last to one kind of release."""

    def __init__(self) -> None:
        self._asked: object = None
        self._table: SurveyTable | None = None
        self._found: tuple[Problem, ...] = ()
        self._answers = AnswerChecks()

    def find(
        self, plan: Plan, table: SurveyTable, kind: ReleaseKind[Any, Any]
    ) -> tuple[Problem, ...]:
        """The problems that a table adds to those of a plan."""
        asked = kind.asked_of_table(plan)
        if table is not self._table or asked != self._asked:
            if table is not self._table:
                self._answers = AnswerChecks()
            self._found = kind.check_table(plan, table, self._answers)
            self._asked, self._table = asked, table
        return self._found
