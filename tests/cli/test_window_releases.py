"""Releases by the three window mechanisms, read back from their files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.sample import sample_path

_COLUMNS = "rate_marriage age yrs_married children religious educ occupation occupation_husb"
# Normal tails beyond 6.8 have a chance of 1e-11.
_FARTHEST = 6.8


@pytest.mark.parametrize("kind", ["piecewise", "hybrid", "square_wave"])
def test_that_a_release_is_estimated_again_from_its_records_alone(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "release"
    codebook = sample_path().with_name("codebook.json")
    words = ["draft", str(sample_path()), "-o", str(plan), "--codebook", str(codebook)]
    words += [word for name in _COLUMNS.split() for word in ("--drop", name)]
    assert main([*words, "--confirm-domains", "--set", f"affairs={kind}:2"]) == 0
    assert main(["release", str(sample_path()), "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out / "records.csv"), "--plan", str(plan), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["estimates"]
    with (out / "estimates.csv").open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    assert len(found) == len(published)
    for again, row in zip(found, published, strict=True):
        assert again["quantity"] == row["quantity"]
        assert again["estimate"] == pytest.approx(float(row["estimate"]), abs=1e-9)
        assert again["total_standard_error"] == pytest.approx(
            float(row["total_standard_error"]), abs=1e-9
        )
    with sample_path().open(encoding="utf-8", newline="") as file:
        truth = [float(row["affairs"]) for row in csv.DictReader(file)]
    # Answers are rounded to the grid of 0.1 before they are randomized.
    mean, error = sum(truth) / len(truth), found[0]["noise_standard_error"]
    assert abs(found[0]["estimate"] - mean) < _FARTHEST * error + 0.05
    assert (len(found) > 1) is (kind == "square_wave")
    for row in found[1:]:
        lower, upper = map(float, row["category"].split(" to "))
        share = sum(lower <= x < upper for x in truth) / len(truth)
        assert abs(row["estimate"] - share) < _FARTHEST * row["total_standard_error"] + 0.01
        assert 0 <= row["smoothed_bayes"] <= 1
