"""Planned analyses are judged in the report as they were before the release."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.estimate.from_records import released_from_file
from dpdesk.plan import load_plan
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.joint_errors import wanted_analyses
from dpdesk.report.wanted import analyses, judged_plan
from tests.report.scripted import (
    BLANK,
    MISSING,
    WEIGHT,
    plan_of,
    protected,
    release_into,
    table_of,
)

ANALYSES = ("x by second", "y x second")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    x = protected("x", "laplace", epsilon="8", missing=MISSING)
    y = protected("y", "grr", epsilon="8", missing=BLANK)
    second = protected("second", "grr", epsilon="8")
    plan = plan_of(x, y, second, WEIGHT, analyses=ANALYSES)
    return release_into(tmp_path_factory.mktemp("wanted") / "out", plan)


def test_that_report_and_check_have_the_same_errors(found: Path) -> None:
    plan = load_plan(found / "plan.json")
    before = wanted_analyses(with_counts_of(plan, table_of(plan)))
    after = analyses(released_from_file(found, plan))
    assert len(after) == len(ANALYSES)
    for check, report in zip(before, after, strict=True):
        assert check.error is not None
        # The file's missing answers are counted in one, and estimated in the other.
        assert report.error_95 == pytest.approx(check.error.error_95, rel=0.1)
        unprotected = check.error.unprotected
        assert report.error_95_without_protection == pytest.approx(unprotected, rel=0.1)
        assert report.usefulness == check.error.usefulness.verdict


def test_that_weights_and_blanks_count(found: Path) -> None:
    plan = load_plan(found / "plan.json")
    judged = judged_plan(released_from_file(found, plan))
    assert judged.column("second").worth < 0.85
    assert judged.column("y").judged_missing > 0.05
    assert plan.column("second").worth == 1
