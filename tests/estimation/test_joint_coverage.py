"""Errors and intervals of joint estimates, against surveys drawn again and again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.domains import Categorical, Integer
from dpdesk.errors import ParameterError
from dpdesk.estimation.independence import independence
from dpdesk.estimation.joint import (
    JointEstimates,
    cross_table,
    means_by_group,
    shares_by_group,
)
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import ScoredRecords
from dpdesk.learning.curve import SeededWords
from dpdesk.mechanisms import BoundMechanism
from dpdesk.plan import ColumnPlan, Plan
from tests.plan.plans import mechanism
from tests.refusals import refused

SURVEYS, PEOPLE = 250, 1500
TRUTH = np.array([[0.30, 0.10], [0.05, 0.25], [0.10, 0.20]])
"""Shares of A (rows) and B (columns)."""
HOURS = np.array([10.0, 20.0, 40.0])
"""Mean hours of the people of each A."""

COLUMNS = (
    ColumnPlan(
        name="A",
        kind="nominal",
        domain=Categorical(values=("a", "b", "c")),
        confirmed=True,
        role="protect",
        mechanism=mechanism("grr", "2"),
    ),
    ColumnPlan(
        name="B",
        kind="nominal",
        domain=Categorical(values=("x", "y")),
        confirmed=True,
        role="protect",
        mechanism=mechanism("grr", "1.5"),
    ),
    ColumnPlan(
        name="hours",
        kind="integer",
        domain=Integer(lower=0, upper=60, unit="hours"),
        confirmed=True,
        role="protect",
        mechanism=mechanism("piecewise", "3"),
    ),
    ColumnPlan(name="region", kind="nominal", role="keep", keep_confirmed=True),
    ColumnPlan(name="w", kind="weight", role="keep", keep_confirmed=True),
)


def people(draw: np.random.Generator, count: int = PEOPLE) -> tuple[NDArray[np.int32], ...]:
    """A, B, hours and region of people; the region goes with A."""
    cell = draw.choice(6, size=count, p=TRUTH.ravel())
    a = (cell // 2).astype(np.int32)
    hours = np.clip(draw.normal(HOURS[a], 5).round(), 0, 60).astype(np.int32)
    region = np.where(draw.random(count) < 0.2 + 0.2 * a, 1, 0).astype(np.int32)
    return a, (cell % 2).astype(np.int32), hours, region


def _texts(bound: BoundMechanism, reports: NDArray[np.int32]) -> list[str]:
    return [bound.outputs[code] for code in reports.tolist()]


class Surveys:
    """Surveys of people, sanitized by a plan and written to a file."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path / "records.csv", plan
        self.bound = {column.name: bound for column, bound in bind_attributes(plan)}
        self.draw, self.words = np.random.default_rng(7), SeededWords(107)

    def next(
        self, answers: tuple[NDArray[np.int32], ...], weights: NDArray[np.float64] | None = None
    ) -> ScoredRecords:
        parts: dict[str, list[str]] = {}
        for name, codes in zip(("A", "B", "hours"), answers, strict=False):
            if name in self.bound:
                reports = self.bound[name].randomize(codes, self.words)
                parts[name] = _texts(self.bound[name], reports)
        if "region" in {column.name for column in self.plan.columns}:
            parts["region"] = ["NS"[code] for code in answers[3].tolist()]
        if weights is not None:
            parts["w"] = [f"{weight:.4f}" for weight in weights.tolist()]
        lines = [",".join(parts), *(",".join(row) for row in zip(*parts.values(), strict=True))]
        self.path.write_text("\n".join(lines) + "\n")
        return ScoredRecords(self.path, self.plan)


def _plan(*names: str, **fields: object) -> Plan:
    return Plan(columns=tuple(c for c in COLUMNS if c.name in names), **fields)  # type: ignore[arg-type]


def _require_honest(found: list[JointEstimates], truth: NDArray[np.float64]) -> None:
    """Estimates are centred on the truth, as wide as they say, and intervals hold it."""
    value = np.stack([one.value for one in found])
    error = value.std(axis=0)
    assert (np.abs(value.mean(axis=0) - truth) < 4.5 * error / np.sqrt(len(found))).all()
    stated = np.stack([one.standard_error for one in found])
    assert np.sqrt((stated**2).mean(axis=0)) == pytest.approx(error, rel=0.2)
    held = np.stack([(one.lower <= truth) & (truth <= one.upper) for one in found])
    assert held.mean() > 0.93
    assert held.mean(axis=0).min() > 0.89


def test_that_a_table_of_two_protected_attributes_is_unbiased_with_its_error(
    tmp_path: Path,
) -> None:
    surveys = Surveys(tmp_path, _plan("A", "B"))
    found = [cross_table(surveys.next(people(surveys.draw)), ("A", "B")) for _ in range(SURVEYS)]
    _require_honest(found, TRUTH)
    possible = found[0].possible
    assert possible is not None
    assert possible.min() >= 0
    assert possible.sum() == pytest.approx(1)


def test_that_a_mean_by_protected_groups_is_unbiased_with_its_error(tmp_path: Path) -> None:
    surveys = Surveys(tmp_path, _plan("A", "hours"))
    found = [
        means_by_group(surveys.next(people(surveys.draw)), "hours", ("A",)) for _ in range(SURVEYS)
    ]
    a, _, hours, _ = people(np.random.default_rng(1), 400_000)
    truth = np.array([[hours[a == group].mean()] for group in range(3)])
    _require_honest(found, truth)


@pytest.mark.parametrize("strategy", ["smp", "rsfd"])
def test_that_one_attribute_by_a_kept_one_is_told_where_one_is_real(
    tmp_path: Path, strategy: str
) -> None:
    surveys = Surveys(tmp_path, _plan("A", "B", "region", strategy=strategy))
    name = "region"
    rest = (1 - TRUTH.sum(axis=1) * (0.2 + 0.2 * np.arange(3))).sum() - 2
    assert 0 < rest < 1
    found = []
    for _ in range(SURVEYS):
        answers = people(surveys.draw)
        records = _of_strategy(surveys, answers, strategy)
        found.append(shares_by_group(records, "A", (name,)))
    chance = 0.2 + 0.2 * np.arange(3)
    joint = TRUTH.sum(axis=1) * np.stack((1 - chance, chance))
    _require_honest(found, joint / joint.sum(axis=1, keepdims=True))
    with pytest.raises(ParameterError, match="“A” and “B”"):
        cross_table(_of_strategy(surveys, people(surveys.draw), strategy), ("A", "B"))


def _of_strategy(
    surveys: Surveys, answers: tuple[NDArray[np.int32], ...], strategy: str
) -> ScoredRecords:
    count = answers[0].size
    drawn = surveys.draw.integers(2, size=count)
    columns = []
    for place, name in enumerate("AB"):
        bound = surveys.bound[name]
        if strategy == "smp":
            texts = _texts(bound, bound.randomize(answers[place], surveys.words))
            columns.append([t if d == place else "" for t, d in zip(texts, drawn, strict=True)])
        else:
            reports = bound.randomize_drawn(  # type: ignore[attr-defined]
                answers[place], drawn == place, surveys.words
            )
            columns.append(_texts(bound, reports))
    columns.append(["NS"[code] for code in answers[3].tolist()])
    header = "A,B,region"
    if strategy == "smp":
        from dpdesk.plan.model import sampled_attribute_name

        header += f",{sampled_attribute_name(surveys.plan)}"
        columns.append(["AB"[place] for place in drawn.tolist()])
    lines = [header, *(",".join(row) for row in zip(*columns, strict=True))]
    surveys.path.write_text("\n".join(lines) + "\n")
    return ScoredRecords(surveys.path, surveys.plan)


def test_that_weights_undo_that_one_region_was_drawn_more_often(tmp_path: Path) -> None:
    surveys = Surveys(tmp_path, _plan("A", "B", "w"))
    found = []
    for _ in range(SURVEYS):
        a, b, hours, region = people(surveys.draw, 2 * PEOPLE)
        kept = surveys.draw.random(a.size) < np.where(b == 1, 0.9, 0.3)
        weights = np.where(b == 1, 1 / 0.9, 1 / 0.3)[kept]
        answers = (a[kept], b[kept], hours[kept], region[kept])
        found.append(cross_table(surveys.next(answers, weights), ("A", "B")))
    _require_honest(found, TRUTH)


def test_that_clusters_widen_the_errors(tmp_path: Path) -> None:
    plan = _plan("A", "B", "region")
    surveys = Surveys(tmp_path, plan)
    a, b, hours, _ = people(surveys.draw, 600)
    order = np.argsort(a, kind="stable")
    answers = (a[order], b[order], hours[order], np.zeros(600, np.int32))
    surveys.next(answers)
    lines = surveys.path.read_text().splitlines()
    # Thirty clusters of twenty people alike.
    lines[1:] = [f"{line[:-1]}c{row // 20}" for row, line in enumerate(lines[1:])]
    surveys.path.write_text("\n".join(lines) + "\n")
    plain = cross_table(ScoredRecords(surveys.path, plan), ("A", "B"))
    designed = cross_table(ScoredRecords(surveys.path, plan, clusters="region"), ("A", "B"))
    assert (designed.value == plain.value).all()
    assert (designed.standard_error > 1.3 * plain.standard_error).any()
    with refused("estimation.not-unprotected", column="A"):
        ScoredRecords(surveys.path, plan, clusters="A")


@pytest.mark.parametrize("dependent", [False, True])
def test_that_the_test_of_independence_errs_as_often_as_it_says(
    tmp_path: Path, dependent: bool
) -> None:
    surveys = Surveys(tmp_path, _plan("A", "B"))
    chances = []
    for _ in range(SURVEYS):
        a, b, hours, region = people(surveys.draw)
        if not dependent:
            surveys.draw.shuffle(b)
        found = independence(surveys.next((a, b, hours, region)), "A", "B").test
        assert found is not None
        assert found.freedom == 2
        chances.append(found.p_value)
    rejected = np.mean(np.array(chances) < 0.05)
    if dependent:
        assert rejected > 0.95
    else:
        # 250 surveys: 0.05 with five standard errors of 0.0138.
        assert 0.0 < rejected < 0.12
        assert np.mean(chances) == pytest.approx(0.5, abs=5 * 0.29 / SURVEYS**0.5)
