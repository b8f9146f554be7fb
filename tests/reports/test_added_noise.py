from __future__ import annotations

from math import exp, log

import pytest

from tests.reports.cases import AGES, plan_of, protected, released_of, report_of, whole_html

COLUMNS = tuple(
    protected(kind, "integer", AGES, kind, "3")
    for kind in ("laplace", "staircase", "bounded_staircase")
)


def test_that_a_report_says_how_a_staircase_was_calibrated_and_what_else_it_would_lose() -> None:
    report = report_of(released_of(plan_of(*COLUMNS)))
    laplace, staircase, bounded = report.parameters.attributes
    assert (laplace.scale, laplace.gamma) == (pytest.approx(80 / 3), None)
    assert (staircase.gamma, staircase.own_epsilon) == (pytest.approx(21 / 80), None)
    # On 81 points with g = 14 the loss is e0 + ln((81 + u 27) / (81 + u 14)), u = e^e0 - 1.
    assert bounded.gamma == pytest.approx(14 / 80)
    growth = exp(bounded.own_epsilon) - 1
    loss = bounded.own_epsilon + log((81 + growth * 27) / (81 + growth * 14))
    assert loss == pytest.approx(3)
    growth = exp(3) - 1
    loss = 3 + log((81 + growth * 27) / (81 + growth * 14))
    assert bounded.uncalibrated_loss == pytest.approx(loss)
    page = whole_html(report)
    assert page.count("Calibrated ε₀") == page.count("Loss if ε₀ were ε") == 1
    assert page.count("Upper step γ") == 2
