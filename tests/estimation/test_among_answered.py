"""Shares among those who answered, from a release as an analyst has it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical
from dpdesk.estimation import estimate_rows
from dpdesk.plan import MissingPolicy
from dpdesk.releases.private import private_diagnostics
from dpdesk.reports.results import results
from dpdesk.reports.texts import T
from tests.reports.cases import plan_of, protected, released_of

ROWS = 6_000
QUANTITY = "share among those who answered"
PARTIES = Categorical(values=("left", "right", "centre"))
CATEGORY = MissingPolicy(policy="category", value="(no answer)")
# Whom "left" is right for is silent most often: among those who answered it is 30 %, not 40 %.
WOULD, SILENT = np.array([0.4, 0.35, 0.25]), np.array([0.4375, 0.125, 0.125])
GIVEN = WOULD * (1 - SILENT)
TRUTH = GIVEN / GIVEN.sum()


def _survey(path: Path, columns: int) -> dict[str, list[str]]:
    """Writes columns of parties, a quarter of the answers missing, and weights of 1 to 3."""
    generator = np.random.default_rng(6)
    table = {}
    for number in range(columns):
        code = generator.choice(4, ROWS, p=[*GIVEN, 1 - GIVEN.sum()])
        table[f"party{number}"] = [(*PARTIES.values, "")[one] for one in code]
    table["weight"] = [str(1 + row % 3) for row in range(ROWS)]
    lines = [",".join(table), *map(",".join, zip(*table.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return table


def test_that_no_share_is_told_where_the_reports_do_not_show_that_anybody_answered() -> None:
    attribute = protected("party", "nominal", PARTIES, "grr", "0.1", missing=CATEGORY)
    (few,) = released_of(plan_of(attribute), rows=8).attributes
    assert few.among_answered is None
    assert {row.quantity for row in estimate_rows(few)} == {"share"}


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd"])
@pytest.mark.parametrize("weighted", [False, True])
def test_that_a_release_tells_shares_among_those_who_answered(
    strategy: str, weighted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, plan, folder = tmp_path / "s.csv", tmp_path / "plan.json", tmp_path / "release"
    _survey(path, 2)
    role = ["--weights", "weight"] if weighted else ["--keep", "weight"]
    drafted = ["draft", str(path), "-o", str(plan), "--strategy", strategy, "--confirm-domains"]
    drafted += ["--set", "party0=grr:2", "--set", "party1=oue:2", *role]
    assert not main(drafted)
    assert not main(["release", str(path), "--plan", str(plan), "--out", str(folder)])
    capsys.readouterr()
    assert not main(["estimate", str(folder), "--json"])
    estimated = json.loads(capsys.readouterr().out)["estimates"]
    with (folder / "estimates.csv").open(encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    assert [row["quantity"] for row in written] == [row["quantity"] for row in estimated]
    for name in ("party0", "party1"):
        rows = [r for r in estimated if r["attribute"] == name and r["quantity"] == QUANTITY]
        # Of the answers alone, whose unbiased estimates sum to 1 where each report is one answer.
        assert {row["category"] for row in rows} == set(PARTIES.values)
        for row in rows:
            truth = TRUTH[PARTIES.values.index(row["category"])]
            assert abs(row["estimate"] - truth) < 6 * row["total_standard_error"]
            assert row["lower"] < row["estimate"] < row["upper"]
            half = (row["upper"] - row["lower"]) / 2
            if row["error_95"] is not None:
                assert half == pytest.approx(row["error_95"], rel=0.1)
            shares = {
                r["category"]: r["estimate"]
                for r in estimated
                if r["attribute"] == name and r["quantity"] == "share"
            }
            among = shares[row["category"]] / (1 - shares["(no answer)"])
            assert row["estimate"] == pytest.approx(among)
            parts = row["noise_standard_error"] ** 2 + row["sampling_standard_error"] ** 2
            assert parts == pytest.approx(row["total_standard_error"] ** 2)
    assert not main(["estimate", str(folder)])
    assert "share of left among those who answered" in capsys.readouterr().out
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert report.count("Shares among those who answered") == 2
    codebook = (folder / "codebook.csv").read_text(encoding="utf-8")
    assert T.SHARE_OF_ANSWERED(name="(no answer)") in codebook


def test_that_other_policies_have_no_shares_among_those_who_answered() -> None:
    for missing in (MissingPolicy(), MissingPolicy(policy="value", value="left")):
        column = protected("a", "nominal", PARTIES, "grr", "1", missing=missing)
        released = released_of(plan_of(column))
        assert {row.quantity for row in estimate_rows(released.attributes[0])} == {"share"}
        assert results(released).attributes[0].among_answered == ()


def test_that_the_report_says_what_the_shares_are_of() -> None:
    column = protected("a", "nominal", PARTIES, "grr", "1", missing=CATEGORY)
    found = results(released_of(plan_of(column)))
    (result,) = found.attributes
    assert [e.category for e in result.among_answered] == list(PARTIES.values)
    assert len(result.estimates) == 4
    assert T.SHARES_AMONG_ANSWERED(names="“a”") in found.post_processing


def test_that_the_private_comparison_has_the_true_shares_among_those_who_answered() -> None:
    answers = {"a": [["left", "right", "", "right"][row % 4] for row in range(400)]}
    column = protected("a", "nominal", PARTIES, "grr", "2", missing=CATEGORY)
    table = table_from_texts(answers)
    (compared,) = private_diagnostics(table, released_of(plan_of(column))).attributes
    found = {one.category: one.truth for one in compared.among_answered}
    assert found == pytest.approx({"left": 1 / 3, "right": 2 / 3, "centre": 0})
    assert [one.category for one in compared.comparisons] == [*PARTIES.values, "(no answer)"]


@pytest.mark.parametrize("strategy", ["spl", "smp"])
@pytest.mark.parametrize("weighted", [False, True])
def test_that_a_number_has_its_mean_among_those_who_answered(
    strategy: str, weighted: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside another attribute; the greater the number, the likelier is silence, and the weight."""
    generator = np.random.default_rng(12)
    ages = generator.integers(18, 91, ROWS)
    silent = generator.random(ROWS) < np.where(ages > 60, 0.45, 0.1)
    weights = np.where(ages > 60, 3, 1)
    path, plan, folder = tmp_path / "s.csv", tmp_path / "plan.json", tmp_path / "release"
    rows = zip(ages, silent, generator.permutation(ROWS), weights, strict=True)
    lines = (f"{'' if gone else age},{'yn'[i % 2]},{w}" for age, gone, i, w in rows)
    path.write_text("\n".join(["age,sex,w", *lines]) + "\n", encoding="utf-8")
    role = ["--weights", "w"] if weighted else ["--keep", "w"]
    drafted = ["draft", str(path), "-o", str(plan), "--strategy", strategy, "--confirm-domains"]
    assert not main([*drafted, "--set", "age=duchi:2", "--set", "sex=warner:2", *role])
    assert not main(["release", str(path), "--plan", str(plan), "--out", str(folder)])
    capsys.readouterr()
    assert not main(["estimate", str(folder), "--json"])
    mean, answered = json.loads(capsys.readouterr().out)["estimates"][:2]
    each = weights if weighted else np.ones(ROWS)
    truths = np.average(ages[~silent], weights=each[~silent]), np.average(~silent, weights=each)
    assert abs(np.average(ages, weights=each) - truths[0]) > 1.5
    for row, truth in zip((mean, answered), truths, strict=True):
        assert abs(row["estimate"] - truth) < 6 * row["total_standard_error"]
        assert row["lower"] < row["estimate"] < row["upper"]
