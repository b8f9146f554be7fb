"""The problems of a plan on its data, cached so that an edit checks only what it can change."""

from __future__ import annotations

from typing import Any

from dpdesk.data.table import SurveyTable
from dpdesk.plan import Plan, Problem
from dpdesk.plan.checks.details import where_no_report_is_written
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.problem import errors_first
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.records import RECORDS


class PlanProblems:
    """Caches the problems of the data for each kind of release; they do not depend on epsilon.

    The check of the plan without data has a cache of its own. The check against the data reads
    every answer and would not keep up with a slider: it runs only if its result may change, and an
    edit of one column reads only that column's answers.
    """

    def __init__(self) -> None:
        self._of_table: dict[ReleaseKind[Any, Any], _OfTable] = {}
        self._table: SurveyTable | None = None
        self._answers = AnswerChecks()

    def find(
        self, plan: Plan, table: SurveyTable | None, kind: ReleaseKind[Any, Any] = RECORDS
    ) -> tuple[Problem, ...]:
        """Every problem of a plan and, with data, of the plan on the data; errors first."""
        problems = kind.check(plan)
        if table is None:
            # No report can be made yet, and the page on which its head is typed is empty.
            problems = where_no_report_is_written(problems)
        else:
            if table is not self._table:
                self._table, self._answers = table, AnswerChecks()
            of_kind = self._of_table.setdefault(kind, _OfTable())
            problems += of_kind.find(plan, table, kind, self._answers)
        return errors_first(problems)


class _OfTable:
    """The cached problems of a table for one kind of release."""

    def __init__(self) -> None:
        self._asked: object = None
        self._table: SurveyTable | None = None
        self._found: tuple[Problem, ...] = ()

    def find(
        self,
        plan: Plan,
        table: SurveyTable,
        kind: ReleaseKind[Any, Any],
        answers: AnswerChecks,
    ) -> tuple[Problem, ...]:
        """The problems of a plan on a table; what all kinds have in common is in `answers`."""
        asked = kind.asked_of_table(plan)
        if table is not self._table or asked != self._asked:
            self._found = kind.check_table(plan, table, answers)
            self._asked, self._table = asked, table
        return self._found
