"""A small trusted file, and a plan of statistics with a query of every kind."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.plan import ColumnPlan, Plan, PlanDetails
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import PrivacyUnit
from dpdesk.queries.phrase import parse_query

REGIONS = ("north", "south", "islands")
PHRASES = (
    "count where region is north",
    "count by region, sex",
    "share with sex is f by region",
    "mean of age by region",
    "sum of age",
    "standard deviation of age",
    "median of age",
    "histogram of age",
    "most frequent region",
)
REPORTS = {"annex.html", "registry-entry.yaml", "report.html", "report.json", "report.pdf"}
FILES = {"manifest.json", "plan.json", "statistics.csv", *REPORTS}


def asked_table(rows: int = 60, region: str = "south", marker: str = "ID") -> SurveyTable:
    """Nobody lives on the islands; the last row has a region of its own, and a sickness."""
    regions = [REGIONS[row % 2] for row in range(rows - 1)]
    return table_from_texts(
        {
            "id": [f"{marker}-{row:06d}" for row in range(rows)],
            "region": [*regions, region],
            "sex": ["fm"[row // 3 % 2] for row in range(rows)],
            "age": [str(18 + row * 7 % 60) for row in range(rows)],
            "sickness": [*["none"] * (rows - 1), f"{marker} fever"],
        },
        name="trusted.csv",
    )


def asked_plan(unit: PrivacyUnit | None = None, *phrases: str) -> Plan:
    """Asks something of every kind, each at epsilon 0.5."""
    declared = {
        "region": ("nominal", Categorical(values=REGIONS)),
        "sex": ("binary", Categorical(values=("f", "m"))),
        "age": ("integer", Integer(lower=18, upper=80, unit="years")),
    }
    columns = [
        ColumnPlan.model_validate({"name": name, "kind": kind, "domain": domain, "confirmed": True})
        for name, (kind, domain) in declared.items()
    ]
    identifier = ColumnPlan(name="id", kind="identifier")
    queries = tuple(parse_query(phrase, epsilon=Decimal("0.5")) for phrase in phrases or PHRASES)
    return Plan(
        details=PlanDetails(title="Regions", curator="The office of regions"),
        respondents=60,
        columns=(identifier, *columns),
        statistics=Statistics(unit=unit or PrivacyUnit(), queries=queries),
    )
