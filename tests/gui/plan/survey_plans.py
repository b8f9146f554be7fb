from __future__ import annotations

from decimal import Decimal

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.mechanisms import Mechanism, mechanism_named
from dpdesk.plan import ColumnPlan, Plan, PlanDetails


def mechanism(kind: str, epsilon: str) -> Mechanism:
    return mechanism_named(kind)(epsilon=Decimal(epsilon))  # type: ignore[call-arg]


def categories(*values: str) -> Categorical:
    return Categorical(values=values)


def survey_plan() -> Plan:
    """The seven attributes of the drawing of the page."""

    def protected(name: str, label: str, kind: str, domain: object, how: Mechanism) -> ColumnPlan:
        return ColumnPlan(
            name=name,
            label=label,
            kind=kind,  # type: ignore[arg-type]
            domain=domain,  # type: ignore[arg-type]
            confirmed=True,
            role="protect",
            mechanism=how,
        )

    income = Real(lower=Decimal(0), upper=Decimal(250), resolution=Decimal("0.5"), unit="k")
    jobs = categories(*(f"occupation {i}" for i in range(1, 17)))
    regions = categories(*(f"region {i}" for i in range(1, 10)))
    happy = categories("very happy", "pretty happy", "not too happy")
    return Plan(
        details=PlanDetails(title="social_survey.sav"),
        respondents=10_000,
        budget=Decimal(8),
        columns=(
            protected("happy", "General happiness", "ordinal", happy, mechanism("grr", "2")),
            protected(
                "affairs", "Ever", "binary", categories("yes", "no"), mechanism("warner", "1")
            ),
            protected(
                "age",
                "Age of respondent",
                "integer",
                Integer(lower=18, upper=99, unit="years"),
                mechanism("bounded_laplace", "2"),
            ),
            protected("income", "Household income", "real", income, mechanism("duchi", "1")),
            protected("occupation", "Occupation", "nominal", jobs, mechanism("oue", "1")),
            ColumnPlan(
                name="region",
                label="Census region",
                kind="nominal",
                domain=regions,
                confirmed=True,
                role="keep",
                keep_confirmed=True,
            ),
            ColumnPlan(name="respid", label="Respondent number", kind="identifier", role="drop"),
        ),
    )


def undecided_plan() -> Plan:
    """Two attributes that nothing is decided for."""
    return Plan(
        respondents=500,
        columns=(
            ColumnPlan(
                name="party",
                kind="nominal",
                domain=categories("red", "green", "blue"),
                confirmed=True,
            ),
            ColumnPlan(name="vote", kind="binary", domain=categories("yes", "no"), confirmed=True),
        ),
    )
