"""Small releases whose every number can be computed beside them."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.estimation.released import Released, ReleasedAttribute, bind_attributes
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, PlanDetails
from dpdesk.reports.identity import ReleaseIdentity
from dpdesk.reports.public import PublicReport, public_report, report_html
from tests.randomness.word_sources import ShakeWords

ROWS = 1000
HOSTILE = ("<img src=x onerror=alert(1)>", "$", "[x](javascript:alert(1))", "{{ 7 * 7 }}", "a&b\"'")

IDENTITY = ReleaseIdentity(
    release_id="00000000-0000-4000-8000-000000000000",
    date=datetime.date(2024, 2, 29),
    mode="release",
    title="A survey",
    curator="An office",
    intended_use="Teaching",
    product_type="Sanitized survey records",
    region="Jura",
    sector="Research",
    ledger_seal="0" * 32,
)


def protected(name, kind, domain, mechanism, epsilon, **more):
    """A protected column with a confirmed domain."""
    return ColumnPlan(
        name=name,
        kind=kind,
        domain=domain,
        role="protect",
        confirmed=True,
        mechanism=mechanism_named(mechanism)(epsilon=epsilon),
        **more,
    )


YES_NO = Categorical(values=("yes", "no"), labels={"yes": "Yes, ever", "no": "No, never"})
SCALE = Categorical(values=("1", "2", "3", "4"))
AGES = Integer(lower=18, upper=98, unit="years")
INCOMES = Real(lower=Decimal(0), upper=Decimal(200), resolution=Decimal("0.5"), unit="k")

# One column for each mechanism, each way of missing answers, each source of a domain.
COLUMNS = (
    protected("smoker", "binary", YES_NO, "warner", "1", label="Ever smoked", note="Sensitive."),
    protected(
        "faith",
        "ordinal",
        SCALE,
        "grr",
        "2",
        missing=MissingPolicy(policy="category", value="(no answer)"),
        other="(other)",
    ),
    protected("work", "nominal", SCALE, "sue", "0.5", provenance="codebook"),
    protected("food", "nominal", SCALE, "oue", "1.25"),
    protected(
        "age",
        "integer",
        AGES,
        "bounded_laplace",
        "3",
        provenance="suggested",
        missing=MissingPolicy(policy="value", value="50"),
    ),
    protected("income", "real", INCOMES, "duchi", "1"),
)
KEPT = ColumnPlan(name="region", kind="nominal", role="keep", keep_confirmed=True)
WEIGHT = ColumnPlan(name="wt", kind="weight", role="keep", keep_confirmed=True)
DROPPED = ColumnPlan(name="canary_name", kind="identifier", role="drop", label="canary_label")
DETAILS = PlanDetails(title="A survey", curator="An office", confirmed_by="M. Curie")


def plan_of(*columns: ColumnPlan, **more) -> Plan:
    return Plan(**({"details": DETAILS, "columns": columns} | more))


def released_of(
    plan: Plan, rows: int = ROWS, weights: NDArray[np.float64] | None = None
) -> Released:
    """A release of answers that go through each domain in turn."""
    words = ShakeWords("report")
    attributes = []
    for column, bound in bind_attributes(plan):
        codes = (np.arange(rows) % bound.size).astype(np.int32)
        tally = bound.tally(bound.randomize(codes, words), weights)
        attributes.append(ReleasedAttribute(column, bound, tally))
    return Released(plan, rows, tuple(attributes))


def counted(plan: Plan, *counts: tuple[int, ...]) -> Released:
    """A release with prescribed counts of reports, one tuple per attribute of symbols."""
    attributes = []
    for (column, bound), numbers in zip(bind_attributes(plan), counts, strict=True):
        reports = np.repeat(np.arange(len(numbers), dtype=np.int32), numbers)
        attributes.append(ReleasedAttribute(column, bound, bound.tally(reports)))
    return Released(plan, sum(counts[0]), tuple(attributes))


def report_of(released: Released) -> PublicReport:
    return public_report(released, IDENTITY)


def whole_html(report: PublicReport) -> str:
    """The report and its annex."""
    return report_html(report) + report_html(report, annex=True)
