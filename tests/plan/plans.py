"""Plans and tables that the tests of plan, estimate and command line share."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import AnyMechanism, mechanism_named
from dpdesk.plan import ColumnPlan, Plan, PlanDetails, Problem, check

ANSWERS = Categorical(values=("yes", "no"))
MOODS = Categorical(values=("low", "middle", "high"), labels={"low": "in low spirits"})
AGES = Integer(lower=18, upper=99, unit="years")
DETAILS = PlanDetails(title="A survey", curator="An office")


def mechanism(kind: str, epsilon: str) -> AnyMechanism:
    """A mechanism of a kind at an epsilon."""
    return mechanism_named(kind)(kind=kind, epsilon=epsilon)  # type: ignore[return-value]


def small_plan() -> Plan:
    """Three protected columns and a dropped identifier; no problems."""
    return Plan(
        details=DETAILS,
        respondents=6,
        budget=Decimal(4),
        columns=(
            ColumnPlan(name="id", kind="identifier", role="drop"),
            ColumnPlan(
                name="smokes",
                kind="binary",
                domain=ANSWERS,
                confirmed=True,
                role="protect",
                mechanism=mechanism("warner", "1"),
                expected=(Decimal(1), Decimal(1)),
            ),
            ColumnPlan(
                name="mood",
                kind="ordinal",
                domain=MOODS,
                confirmed=True,
                role="protect",
                mechanism=mechanism("oue", "0.5"),
            ),
            ColumnPlan(
                name="age",
                kind="integer",
                domain=AGES,
                confirmed=True,
                role="protect",
                mechanism=mechanism("duchi", "2.5"),
            ),
        ),
    )


def check_of_many(plan: Plan) -> tuple[Problem, ...]:
    """The problems of a plan for so many respondents that every estimate is useful."""
    return check(plan.with_fields(respondents=10_000_000))


def small_table(**changes: list[str]) -> SurveyTable:
    """Six respondents that fit `small_plan`; columns may be replaced."""
    columns = {
        "id": ["a", "b", "c", "d", "e", "f"],
        "smokes": ["yes", "no", "no", "yes", "no", "no"],
        "mood": ["low", "low", "middle", "high", "high", "high"],
        "age": ["18", "25", "33", "47", "61", "99"],
    }
    return table_from_texts(columns | changes)
