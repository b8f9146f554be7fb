"""A small survey with every role of column, and the plan of its release."""

from __future__ import annotations

import hashlib
from decimal import Decimal

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms.bounded_noise import BoundedLaplace
from dpdesk.mechanisms.direct_encoding import Grr
from dpdesk.mechanisms.unary_encoding import Oue
from dpdesk.plan import ColumnPlan, Plan, PlanDetails

COLOURS = ("red", "green", "blue")


def survey(rows: int = 500, marker: str = "ID") -> SurveyTable:
    """A table whose answers follow from the row's number; `marker` begins the identifiers."""
    return table_from_texts(
        {
            "id": [f"{marker}-{row:06d}" for row in range(rows)],
            "colour": [COLOURS[row * row % 3] for row in range(rows)],
            "fruit": ["apple" if row % 5 else "pear" for row in range(rows)],
            "age": [str(18 + row * 7 % 60) for row in range(rows)],
            "region": [f"r{row // 10:05d}" for row in range(rows)],
        },
        name="fruit survey.csv",
    )


def lively_survey(rows: int = 500, first: int = 0) -> SurveyTable:
    """The same questions with answers as people give them, each of their own."""
    numbers = range(first, first + rows)
    return table_from_texts(
        {
            "id": [f"ID-{n:06d}" for n in numbers],
            "colour": [COLOURS[answer(n, 0, 3)] for n in numbers],
            "fruit": [("apple", "pear")[answer(n, 1, 2)] for n in numbers],
            "age": [str(18 + answer(n, 2, 60)) for n in numbers],
            "region": [f"r{min(answer(n, 3, 40), answer(n, 4, 40)):05d}" for n in numbers],
        },
        name="fruit survey.csv",
    )


def answer(person: int, question: int, choices: int) -> int:
    """What a person answers to a question: as good as independent of everybody else."""
    digest = hashlib.blake2b(f"{person} {question}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") % choices


def column(name: str, **fields: object) -> ColumnPlan:
    """A column with a confirmed domain."""
    return ColumnPlan.model_validate({"name": name, "confirmed": True, **fields})


def survey_plan(*, shuffle: bool = True) -> Plan:
    """Drops the identifiers, protects three columns and passes one through."""
    return Plan(
        details=PlanDetails(title="Fruit survey", curator="The fruit office"),
        respondents=500,
        budget=Decimal(5),
        shuffle=shuffle,
        columns=(
            column("id", kind="identifier", role="drop"),
            column(
                "colour",
                label="Favourite colour",
                kind="nominal",
                domain=Categorical(values=COLOURS),
                role="protect",
                mechanism=Grr(epsilon=Decimal(1)),
            ),
            column(
                "fruit",
                kind="binary",
                domain=Categorical(values=("apple", "pear")),
                role="protect",
                mechanism=Oue(epsilon=Decimal("1.5")),
            ),
            column(
                "age",
                kind="integer",
                domain=Integer(lower=18, upper=80, unit="years"),
                role="protect",
                mechanism=BoundedLaplace(epsilon=Decimal(2)),
            ),
            column("region", kind="nominal", role="keep", keep_confirmed=True),
        ),
    )
