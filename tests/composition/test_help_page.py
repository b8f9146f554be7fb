"""The help page states numbers; they are those that dpdesk computes."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal

import pytest

from dpdesk.composition import Loss, account
from dpdesk.queries.noise.calibrate import calibrate
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.resources import resource

ROWS = re.findall(
    r"^\| (\d+) counts at ε = 0\.1(, discrete.*?)? \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$",
    resource("docs/composition.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def test_that_the_page_has_the_table() -> None:
    assert [(row[0], bool(row[1])) for row in ROWS] == [
        ("10", False),
        ("100", False),
        ("1000", False),
        ("100", True),
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}{row[1]}")
def test_that_the_totals_of_the_page_are_computed_ones(row: tuple[str, ...]) -> None:
    count, gaussian, *written = row
    loss = Loss("count", Decimal("0.1"))
    if gaussian:
        one = Sensitivity.of_number(1)
        noise = calibrate("discrete_gaussian", one, Decimal("0.1"), Decimal("1e-9"))
        loss = noise.loss("count", unit="a respondent", relation="add or remove")
    total = account([loss] * int(count), Decimal("1e-6"))
    computed = (total.basic, total.advanced, total.zcdp, total.numerical)
    for text, route in zip(written, computed, strict=True):
        assert route is not None
        digit = Decimal(1).scaleb(Decimal(text).as_tuple().exponent)
        assert route.epsilon.quantize(digit, rounding=ROUND_CEILING) == Decimal(text)
