from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.mechanisms.pram import Pram
from dpdesk.mechanisms.rappor import Rappor
from tests.reports.cases import (
    COLUMNS,
    SCALE,
    counted,
    plan_of,
    protected,
    released_of,
    report_of,
    whole_html,
)

MATRIX = [["0.7" if y == x else "0.1" for y in range(4)] for x in range(4)]
RAPPOR = protected("visits", "nominal", SCALE, "rappor", "1.5").model_copy(
    update={"mechanism": Rappor(epsilon=Decimal("1.5"), hashes=1, permanent_ratio=Decimal("2.5"))}
)
PRAM = RAPPOR.model_copy(
    update={"name": "faith", "mechanism": Pram.model_validate({"matrix": MATRIX})}
)


def test_that_a_report_says_what_all_repeated_reports_would_lose() -> None:
    report = report_of(released_of(plan_of(RAPPOR, PRAM)))
    rappor, pram = report.parameters.attributes
    assert 3.75 - 1e-9 < rappor.permanent_epsilon <= 3.75
    assert pram.permanent_epsilon is None
    assert whole_html(report).count("of all repeated reports") == 1


def test_that_a_matrix_is_reported_with_the_epsilon_that_follows_from_it() -> None:
    (pram,) = report_of(released_of(plan_of(PRAM))).parameters.attributes
    assert pram.epsilon_asked == Decimal("1.945910149056")
    assert float(pram.epsilon_run) == pytest.approx(1.945910149055, abs=1e-12)
    assert (pram.p, pram.truthful) == (None, pytest.approx(0.7))


def test_that_possible_estimates_stand_in_a_table_of_their_own() -> None:
    # All who answer the second question report one category: more than any true answers give.
    one = counted(plan_of(PRAM), (1000, *(len(MATRIX) - 1) * (0,)))
    drawn = released_of(plan_of(RAPPOR, PRAM))
    both = replace(drawn, attributes=(drawn.attributes[0], *one.attributes))
    page = whole_html(report_of(both))
    assert page.count("Possible estimates, biased") == 2
    assert page.count('<th scope="col" class="n">Lasso</th>') == 1
    assert page.count('<th scope="col" class="n">Iterative Bayes</th>') == 1
    assert page.count("<li>Norm-Sub: negative estimates set to 0") == 1


def test_that_what_is_in_range_is_not_printed_twice() -> None:
    page = whole_html(report_of(counted(plan_of(COLUMNS[0]), (500, 500))))
    assert "Possible estimates, biased" not in page
    assert "In range" not in page
    assert "ring:" not in page
    moved = whole_html(report_of(counted(plan_of(COLUMNS[0]), (200, 800))))
    assert "Possible estimates, biased" in moved
    assert "In range" in moved
