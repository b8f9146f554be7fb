"""The condition that a release must meet: a plan without errors, by itself and on its data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpdesk.data.table import SurveyTable
from dpdesk.errors import PlanError
from dpdesk.i18n import in_a_row
from dpdesk.plan.checks.texts import T
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem, errors_of, grouped

_LISTED = 5
"""Most problems that an error lists."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """Both checks of a kind of release, as a condition that a release must meet.

    What the plan would be worth is that of the data, as in `dpdesk check` and in the window.

    Attributes:
        of_plan: Checks a plan by itself.
        of_table: Checks it on data; the third argument is called before each column.
    """

    of_plan: Callable[[Plan], tuple[Problem, ...]]
    of_table: Callable[..., tuple[Problem, ...]]

    def __call__(
        self, plan: Plan, table: SurveyTable, tick: Callable[[], None] | None = None
    ) -> tuple[Problem, ...]:
        """Checks plan and data, and returns the warnings for the data's holder.

        Raises:
            PlanError: There are errors; it lists the first five, and the number of others.
        """
        problems = (
            *self.of_plan(with_counts_of(plan, table)),
            *self.of_table(plan, table, tick),
        )
        errors = errors_of(problems)
        if not errors:
            return problems
        messages = list(dict.fromkeys(str(problem) for problem in grouped(errors)))
        more, first = len(messages) - _LISTED, in_a_row(messages[:_LISTED])
        refusal = T.REFUSED(problems=first)
        if more > 0:
            refusal = T.REFUSED__MORE(problems=first, count=more)
        raise PlanError(refusal, problems=errors)
