"""Several answers and numbers, one row for each respondent."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.scrambling import Additive
from dpdesk.estimation.answer_sample import SampleColumns
from dpdesk.estimation.scored_answers import category_answers, number_answers
from tests.refusals import refused

FORCED = ForcedCategories(orders=("1/12", "1/6", "1/4"))
ADDITIVE = Additive(lower=0, upper=40, scale=10, center=2)
NAMES = ("daily", "monthly", "never")
COUNTS = (50, 31, 19)
SAID = [name for name, count in zip(NAMES, COUNTS, strict=True) for _ in range(count)]
HOURS = [(7 * i) % 61 - 10 for i in range(100)]


@pytest.fixture
def table(tmp_path: Path) -> SurveyTable:
    rows = [
        f"{said},{hours},{('a', 'b')[i % 2]},{1 + i % 3}"
        for i, (said, hours) in enumerate(zip(SAID, HOURS, strict=True))
    ]
    path = tmp_path / "answers.csv"
    text = "\n".join(["said,hours,part,weight", *rows, ",,a,1", "NA,NA,b,1"])
    path.write_text(text + "\n", encoding="utf-8")
    return load(path)


def test_that_records_of_several_answers_give_the_estimate_of_their_counts(
    table: SurveyTable,
) -> None:
    answers = category_answers(table, FORCED, "said")
    counted = FORCED.estimate(COUNTS)
    assert answers.names == NAMES
    assert answers.missing == 2
    found = answers.overall()
    assert [mean.estimate for mean in found] == pytest.approx(counted.shares)
    assert [mean.standard_error for mean in found] == pytest.approx(counted.standard_errors)
    assert np.isnan(answers.scores[-1]).all()
    assert answers.scores[:-2].sum(axis=1) == pytest.approx(1)


def test_that_groups_and_weights_are_those_of_the_respondents(table: SurveyTable) -> None:
    groups = dict(category_answers(table, FORCED, "said").by("part"))
    odd = [SAID[1::2].count(name) for name in NAMES]
    expected = FORCED.estimate(odd)
    assert [m.estimate for m in groups["b"]] == pytest.approx(expected.shares)
    weighted = category_answers(table, FORCED, "said", sample=SampleColumns(weights="weight"))
    weights = 1 + np.arange(100) % 3
    heavy = [int(weights[np.array(SAID) == name].sum()) for name in NAMES]
    found = [mean.estimate for mean in weighted.overall()]
    assert found == pytest.approx(FORCED.estimate(heavy).shares)


def test_that_the_order_of_the_answers_can_be_named(table: SurveyTable) -> None:
    answers = category_answers(table, FORCED, "said", ("never", "daily", "monthly"))
    expected = FORCED.estimate((19, 50, 31))
    assert [mean.estimate for mean in answers.overall()] == pytest.approx(expected.shares)
    for wrong in (("daily", "monthly"), ("daily", "monthly", "x"), ("daily", "daily", "monthly")):
        with refused("estimation.other-answers", column="said", answers=3):
            category_answers(table, FORCED, "said", wrong)


def test_that_records_of_numbers_give_the_estimate_of_their_moments(table: SurveyTable) -> None:
    (found,) = number_answers(table, ADDITIVE, "hours").overall()
    counted = ADDITIVE.estimate(np.mean(HOURS), np.var(HOURS, ddof=1), 100)
    assert found.estimate == pytest.approx(counted.estimate)
    assert found.standard_error == pytest.approx(counted.standard_error)
    groups = dict(number_answers(table, ADDITIVE, "hours").by("part"))
    (mean,) = groups["a"]
    assert mean.estimate == pytest.approx(np.mean(HOURS[::2]) - 2)
    with refused("estimation.not-numbers", column="said"):
        number_answers(table, ADDITIVE, "said")
    with refused("estimation.no-correction"):
        number_answers(table, ADDITIVE, "hours", SampleColumns(population=500))


def test_that_the_command_line_takes_both(
    table: SurveyTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, scores = str(tmp_path / "answers.csv"), tmp_path / "scores.csv"
    forced = ["survey", "estimate", file, "--design", "forced_categories"]
    forced += ["--set", "orders=1/12,1/6,1/4", "--answer", "said"]
    assert main([*forced, "--by", "part", "--scores", str(scores), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["answer"] for entry in found["shares"]] == list(NAMES)
    assert [entry["estimate"] for entry in found["shares"]] == pytest.approx(
        FORCED.estimate(COUNTS).shares
    )
    assert [group["group"] for group in found["groups"]] == ["a", "b"]
    with scores.open(encoding="utf-8", newline="") as written:
        rows = list(csv.reader(written))
    assert rows[0] == ["row", "score of daily", "score of monthly", "score of never"]
    assert rows[-1] == ["102", "", "", ""]
    assert main([*forced, "--categories", "never,daily,monthly"]) == 0
    assert re.search(r"^  never +-?\d", capsys.readouterr().out, re.MULTILINE)
    additive = ["survey", "estimate", file, "--design", "additive", "--answer", "hours"]
    additive += ["--set", "lower=0", "--set", "upper=40", "--set", "scale=10"]
    additive += ["--set", "noise=laplace", "--set", "center=2"]
    assert main([*additive, "--scores", str(scores), "--overwrite", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["estimate"] == pytest.approx(np.mean(HOURS) - 2)
    assert (found["epsilon"], found["missing"]) == (4, 2)
    assert main([*additive, "--by", "part"]) == 0
    assert re.search(r"^Group b\n  estimate +\d", capsys.readouterr().out, re.MULTILINE)
    for wrong in ([*forced[:-2]], [*forced, "--formula", "hours"], [*additive, "--group", "part"]):
        assert main(wrong) != 0
        assert capsys.readouterr().err.startswith("dpdesk: ")
