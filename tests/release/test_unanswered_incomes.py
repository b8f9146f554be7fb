"""A quarter of incomes is not answered, and more often by the rich: what a release can tell.

The mean of everybody is in no data. The interval of a release is for the mean among those who
answer, here 24,882, and no statement on the others.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.cli.main import main
from dpdesk.domains import Integer
from dpdesk.mechanisms import Tally
from dpdesk.mechanisms.missing_answer import BoundMissing, MissingForecast
from dpdesk.plan import MissingPolicy
from dpdesk.plan.file import load_plan
from tests.report.cases import protected

ROWS, ANSWERED, MEAN = 6_000, 4_500, 24_882
STEP, MOST = 100, 100_000


def _incomes() -> NDArray[np.int64]:
    """Incomes of everybody, then who is silent; those who answer have a mean of exactly 24,882."""
    generator = np.random.default_rng(25)
    drawn = generator.lognormal(10.1, 0.55, ROWS)
    # Above 30,000 nearly every second is silent, below every sixth.
    silent = generator.random(ROWS) < np.where(drawn > 30_000, 0.45, 0.16)
    order = np.concatenate((drawn[~silent], drawn[silent]))
    codes = np.clip(np.rint(order / STEP), 1, MOST // STEP - 1).astype(np.int64)
    given = codes[:ANSWERED]
    while (away := MEAN * ANSWERED // STEP - int(given.sum())) != 0:
        # One step each, for as many as are needed.
        some = np.flatnonzero((given > 1) & (given < MOST // STEP - 1))[: abs(away)]
        given[some] += np.sign(away)
    return STEP * codes


@pytest.fixture(scope="module")
def incomes() -> NDArray[np.int64]:
    return _incomes()


def test_that_the_file_is_the_one_that_is_told_of(incomes: NDArray[np.int64]) -> None:
    assert incomes.size == ROWS
    assert incomes[:ANSWERED].mean() == MEAN
    # Whoever takes the interval for one of everybody is off by a tenth.
    assert incomes.mean() > 1.05 * MEAN


def test_that_a_release_with_the_default_policy_holds_the_mean_of_who_answered(
    incomes: NDArray[np.int64], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Widened to 6 standard errors: chance fails this once in a thousand million runs."""
    path, plan, folder = (tmp_path / name for name in ("s.csv", "plan.json", "release"))
    cells = [*map(str, incomes[:ANSWERED].tolist()), *[""] * (ROWS - ANSWERED)]
    order = np.random.default_rng(1).permutation(ROWS).tolist()
    rows = [f"{i},{cells[place]}" for i, place in enumerate(order)]
    path.write_text("\n".join(["id,income", *rows]) + "\n", encoding="utf-8")
    drafted = ["draft", str(path), "-o", str(plan), "--declare", f"income=0..{MOST}/{STEP}"]
    drafted += ["--confirm-domains"]
    assert not main(drafted)
    (income,) = load_plan(plan).protected
    assert income.missing.policy == "protect"
    assert not main(["release", str(path), "--plan", str(plan), "--out", str(folder)])
    capsys.readouterr()
    assert not main(["estimate", str(folder), "--json"])
    mean, answered = json.loads(capsys.readouterr().out)["estimates"][:2]
    assert (mean["quantity"], answered["quantity"]) == ("mean", "share answered")
    wide = 6 / 1.96
    for row, truth in ((mean, MEAN), (answered, ANSWERED / ROWS)):
        assert row["estimate"] - wide * (row["estimate"] - row["lower"]) < truth
        assert truth < row["estimate"] + wide * (row["upper"] - row["estimate"])
    # The value in place of what is missing gave 19,370 to 22,116, which held nothing that is.
    assert mean["error_95"] < 1_500
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert "Means of income are those of the respondents who answered" in report
    assert "they are not the means of everybody" in report


@pytest.mark.parametrize("kind", ["duchi", "piecewise", "hybrid", "square_wave"])
def test_that_the_interval_covers_the_mean_of_who_answer_in_95_of_100_surveys(
    kind: str, incomes: NDArray[np.int64]
) -> None:
    """Of 2,000 surveys of 6,000 respondents: counts of reports, all drawn from one mixture."""
    domain, epsilon = Integer(lower=0, upper=MOST, step=STEP), "2"
    column = protected(
        "income", "integer", domain, kind, epsilon, missing=MissingPolicy(policy="protect")
    )
    grid = column.effective_domain
    assert grid is not None
    assert column.mechanism is not None
    bound, forecast = column.mechanism.bind(grid), column.mechanism.forecast(grid)
    assert isinstance(bound, BoundMissing)
    assert isinstance(forecast, MissingForecast)
    shares = np.bincount(incomes[:ANSWERED] // STEP, minlength=domain.size) / ANSWERED
    answers = sum(shares[code] * forecast.probabilities(code) for code in np.flatnonzero(shares))
    scores, given = forecast.scores, ANSWERED / ROWS
    silent = (1 - scores.p) * scores.reference
    law = np.append(given * answers + (1 - given) * silent, 0.0)
    law[-1] = 1 - law.sum()
    assert law[-1] == pytest.approx(given * scores.q + (1 - given) * scores.p)
    covered, rounds = 0, 2_000
    for counts in np.random.default_rng(9).multinomial(ROWS, law, rounds):
        estimate = bound.estimate(Tally(ROWS, ROWS, ROWS, counts.astype(np.float64)))
        covered += bool(estimate.lower[0] <= MEAN <= estimate.upper[0])
        assert abs(float(estimate.value[0]) - MEAN) < 7 * float(estimate.total_error[0])
    # 95 % within four standard errors of the simulation, and no wider than need be.
    assert 0.93 < covered / rounds < 0.97, covered
