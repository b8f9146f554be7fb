"""Releases of every mechanism and strategy, small enough for scripts to go through."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import numpy as np

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import AnyDomain, Categorical, Date, Integer, OptionSet, Real
from dpdesk.engine import untracked
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, PlanDetails
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release

ROWS = 240
LISTED = Categorical(
    values=("north", "süd", '=EU, "west"'), labels={"north": "The North's 1st 😀", "süd": "é"}
)
TWO = Categorical(values=("no", "yes"))
GRID = Integer(lower=-4, upper=20, step=2, unit="h")
OPTIONS = OptionSet(values=("tv", "net", "paper", "radio"))
KINDS = [kind_of(mechanism) for mechanism in MECHANISMS]
NONE = MissingPolicy(tokens=("", "-9"), policy="category", value="(none)")
BLANK = MissingPolicy(tokens=("", "-9"), policy="blank")
MISSING = MissingPolicy(tokens=("", "-9"), policy="protect")


def domain_of(kind: str) -> AnyDomain:
    """The first of the domains that the mechanism fits."""
    return next(d for d in (LISTED, TWO, GRID, OPTIONS) if mechanism_named(kind).misfit(d) is None)


def protected(name: str, kind: str, epsilon: str = "1.5", **more: object) -> ColumnPlan:
    """A protected column of a mechanism."""
    domain = more.pop("domain", None) or domain_of(kind)
    mechanism = mechanism_named(kind)
    column = ColumnPlan(
        name=name,
        kind=domain.kinds[0],
        domain=domain,
        role="protect",
        confirmed=True,
        **more,
    )
    effective = column.effective_domain
    return column.changed(mechanism=mechanism.starting(effective, Decimal(epsilon)))


KEPT = ColumnPlan(
    name="region, kept",
    kind="nominal",
    role="keep",
    keep_confirmed=True,
    confirmed=True,
    domain=Categorical(values=("b", "a")),
    missing=MissingPolicy(tokens=("", "?")),
)
GAPS = KEPT.changed(name="gaps", missing=MissingPolicy(tokens=("", "?", "-9")))
"""A kept column with empty cells, and with answers that its domain does not name."""
AGE = ColumnPlan(
    name="age",
    kind="real",
    role="keep",
    keep_confirmed=True,
    missing=MissingPolicy(tokens=("", "-9")),
)


def kept_number(example: str) -> ColumnPlan:
    """A column of incomes that is released as it is, with 1234.5 written so."""
    domain = Real(lower="-1000", upper="5000", resolution="0.5", written=example)
    return ColumnPlan(
        name="inc", kind="real", role="keep", keep_confirmed=True, confirmed=True, domain=domain
    )


def written(number: float, example: str) -> str:
    """A number as an example of 1234.5 has it."""
    grouping = "," if "1,234" in example else "." if "1.234" in example else ""
    decimal = "," if "4,5" in example else "."
    whole, rest = f"{abs(number):,.1f}".split(".")
    digits = f"{whole.replace(',', grouping)}{decimal}{rest}"
    before, after = re.split("1.?234.5", example)
    return f"{'-' if number < 0 else ''}{before}{digits}{after}"


CODED = ColumnPlan(
    name="coded",
    kind="integer",
    role="keep",
    keep_confirmed=True,
    confirmed=True,
    domain=Integer(lower=-20, upper=20),
    missing=MissingPolicy(tokens=("", "-9")),
)
"""A kept number whose code of no answer is written as -9.0."""
BORN = ColumnPlan(
    name="born",
    kind="date",
    role="keep",
    keep_confirmed=True,
    confirmed=True,
    domain=Date.of("1960-01", "1999-12", "month"),
)
WEIGHT = ColumnPlan(name="wt", kind="weight", role="keep", keep_confirmed=True)


def plan_of(*columns: ColumnPlan, **more: object) -> Plan:
    """A plan for tables, with so many respondents that nothing is refused."""
    return Plan(
        details=PlanDetails(title="A \"survey\"\n'''", curator="x"),
        respondents=ROWS,
        columns=columns,
        **{"allowed_unfit": Decimal("0.9")} | more,
    )


def table_of(plan: Plan, rows: int = ROWS) -> SurveyTable:
    """Answers that go with each other, some of them missing where that is provided for."""
    drawn = np.random.default_rng(1996)
    leaning = drawn.random(rows)
    cells: dict[str, list[str]] = {}
    for column in plan.columns:
        noisy = np.clip(leaning + 0.5 * (drawn.random(rows) - 0.5), 0, 0.999)
        domain = column.domain
        if column is WEIGHT or column.kind == "weight":
            found = [f"{weight:.3f}" for weight in drawn.uniform(0.2, 3.0, rows)]
        elif column.name == "age":
            found = [f"{number:.1f}" for number in 90 * noisy]
        elif column.name == "inc":
            found = [written(6000 * x - 1000, domain.written) for x in noisy]
        elif domain is OPTIONS:
            found = [
                ";".join(
                    o for o, u in zip(OPTIONS.values, drawn.random((4,)), strict=True) if u < x
                )
                or "tv"
                for x in noisy
            ]
        else:
            texts = domain.texts
            found = [texts[int(x * len(texts))] for x in noisy]
        if "-9" in column.missing.tokens or "?" in column.missing.tokens:
            found = [
                "" if u < 0.15 else text for u, text in zip(drawn.random(rows), found, strict=True)
            ]
        if column is GAPS:
            beside = dict(enumerate(("c", "=c", " c ", "?", "-9", " ")))
            found = [beside.get(n % 20, text) for n, text in enumerate(found)]
        if column is CODED:
            found = ["-9.0" if n % 20 == 0 else text for n, text in enumerate(found)]
        cells[column.name] = found
    return table_from_texts(cells)


def release_into(folder: Path, plan: Plan) -> Path:
    """Releases records by a plan."""
    release(RECORDS, table_of(plan), plan, folder, untracked())
    return folder
