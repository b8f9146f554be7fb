"""Planned analyses are judged in the report as they were before the release."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.table import table_from_texts
from dpdesk.estimation.from_records import released_from_file
from dpdesk.estimation.released import bind_attributes, released_from_tallies
from dpdesk.learning.curve import SeededWords
from dpdesk.plan import load_plan
from dpdesk.plan.given_answers import with_counts_of
from dpdesk.plan.joint_errors import wanted_analyses
from dpdesk.reports.wanted import analyses, judged_plan
from tests.randomness.word_sources import ShakeWords
from tests.reports.scripted import (
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
    with pytest.MonkeyPatch.context() as monkeypatch:
        # One draw in fifty has an error that is off by more than a tenth.
        sanitizing = import_module("dpdesk.engine.sanitize")
        monkeypatch.setattr(sanitizing, "SystemWords", lambda: ShakeWords("wanted"))
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


def test_that_the_mean_of_a_group_is_judged_by_the_released_spread() -> None:
    x, group = protected("x", "piecewise", epsilon="8"), protected("second", "grr", epsilon="8")
    plan = plan_of(x, group, analyses=("x by second",))
    draw, words, rows, bound = np.random.default_rng(4), SeededWords(4), 20_000, []
    given = {}
    for column, own in bind_attributes(plan):
        size = own.domain.size
        # Numbers lie much closer together than over the whole range, and not in its middle.
        codes = (
            draw.binomial(size - 1, 0.2, rows)
            if column.name == "x"
            else draw.integers(size, size=rows)
        )
        given[column.name] = [own.domain.texts[code] for code in codes.tolist()]
        bound.append((column, own, own.tally(own.randomize(codes.astype(np.int32), words))))
    (report,) = analyses(released_from_tallies(plan, rows, bound))
    counted = with_counts_of(plan, table_from_texts(given))
    (check,), (even,) = wanted_analyses(counted), wanted_analyses(plan.with_rows(rows))
    assert check.error is not None
    assert even.error is not None
    assert report.error_95 == pytest.approx(check.error.error_95, rel=0.05)
    assert report.error_95_without_protection == pytest.approx(check.error.unprotected, rel=0.05)
    assert report.usefulness == check.error.usefulness.verdict
    # What answers spread evenly would give is another number.
    assert even.error.unprotected > 2 * check.error.unprotected


def test_that_weights_and_blanks_count(found: Path) -> None:
    plan = load_plan(found / "plan.json")
    judged = judged_plan(released_from_file(found, plan))
    assert judged.column("second").worth < 0.85
    assert judged.column("y").judged_missing > 0.05
    assert plan.column("second").worth == 1


def test_that_kept_groups_have_their_released_shares_in_report_and_check(tmp_path: Path) -> None:
    kept = protected("g", "grr").changed(role="keep", mechanism=None, keep_confirmed=True)
    plan = plan_of(protected("y", "grr", epsilon="8"), kept, analyses=("y by g",))
    folder = release_into(tmp_path / "out", plan)
    table = table_of(plan)
    (before,) = wanted_analyses(with_counts_of(plan, table))
    (after,) = analyses(released_from_file(folder, load_plan(folder / "plan.json")))
    (even,) = wanted_analyses(plan.with_rows(table.rows))
    assert before.error is not None
    assert even.error is not None
    assert before.error.error_95 > 1.08 * even.error.error_95
    assert after.error_95 == pytest.approx(before.error.error_95, rel=0.02)
    stated = json.loads((folder / "report.json").read_text())["analyses"][0]["error_95"]
    assert stated == pytest.approx(after.error_95)
