"""Two working days at the command line, from a file to its report.

A health survey with codes of no answer, a skipped question, one with several answers, and weights;
and a census extract of 200 columns. A third day, with two kinds of release, is in `test_two_days`.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.estimation.texts import T
from dpdesk.reports.texts import T as ReportT
from tests.survey_files import REGIONS, HealthSurvey, Key, write_census, write_health

FAR = 1.5
"""Widths of its interval that the truth is never away from it, in any sound release."""
Captured = pytest.CaptureFixture[str]


@dataclass(frozen=True)
class Day:
    """A directory of work, and what the last command said."""

    place: Path
    capsys: Captured

    def run(self, *words: str | Path, code: int = 0) -> str:
        """Runs a command and returns what it printed and warned of."""
        self.capsys.readouterr()
        assert main([str(word) for word in words]) == code, self.capsys.readouterr()
        said = self.capsys.readouterr()
        return said.out + said.err

    def json(self, *words: str | Path, code: int = 0) -> Any:
        """Runs a command and returns the JSON that it printed."""
        self.capsys.readouterr()
        assert main([*map(str, words), "--json"]) == code
        return json.loads(self.capsys.readouterr().out)


@pytest.fixture
def day(tmp_path: Path, capsys: Captured) -> Day:
    return Day(tmp_path, capsys)


def is_near(row: dict[str, Any], truth: float) -> bool:
    """Whether the truth is in the interval of an estimate, or not far from it."""
    beyond = FAR * (row["upper"] - row["lower"])
    return bool(row["lower"] - beyond <= truth <= row["upper"] + beyond)


def assert_holds_the_truth(rows: list[dict[str, Any]], truth: dict[Key, float]) -> None:
    """Every estimate is near the truth, and most intervals hold it."""
    found = {(row["attribute"], row["quantity"], row["category"]): row for row in rows}
    assert set(found) == set(truth)
    for key, row in found.items():
        assert is_near(row, truth[key]), key
    held = [row["lower"] <= truth[key] <= row["upper"] for key, row in found.items()]
    # One in twenty misses, and those of one question miss together; never half of all.
    assert 2 * sum(held) > len(held)


def reports_of(rows: list[dict[str, Any]]) -> Counter[str]:
    return Counter({row["attribute"]: row["reports"] for row in rows if row["quantity"] != "mean"})


def asked_at_first(day: Day, survey: HealthSurvey) -> list[str]:
    """Drafts a plan, and answers with the words that the first draft proposes."""
    said = day.run("draft", survey.path, "-o", day.place / "first.json")
    assert "3 columns look like one question with several answers, “cond”" in said
    words = re.findall(r"(--(?:missing|together)) '?([^\s']+=[^\s']*[^\s.,;'])", said)
    assert {word.partition("=")[0] for _, word in words} == {"cond", "*"}
    return [part for pair in words if pair[1] != "*=CODE" for part in pair]


def test_a_day_with_a_health_survey(day: Day) -> None:
    survey = write_health(day.place / "health.csv")
    plan, folder = day.place / "plan.json", day.place / "release"
    answers = asked_at_first(day, survey)
    own = ["--keep", "region", "--weights", "weight", "--epsilon", "8", "--purpose", "shares"]
    said = day.run("draft", survey.path, "-o", plan, *answers, *own)
    assert Cli.TOTAL_EPSILON(epsilon="8") in said
    assert "may mean no answer" not in said
    assert re.search(r"The possible answers of \d+ variables are unconfirmed", said)
    # Nothing is released on domains that nobody confirmed.
    refused = day.run("release", survey.path, "--plan", plan, "--out", folder, code=1)
    assert "unconfirmed" in refused
    assert not folder.exists()
    told = day.run("confirm", plan, "--data", survey.path)
    assert "(no answer)" not in told
    confirmed = day.place / "confirmed.json"
    day.run("confirm", plan, "--by", "A. Statistician", "-o", confirmed)
    plan = confirmed
    found = day.json("check", plan, survey.path)
    worth = found["usefulness"]["records"]
    # Bad health is rare.
    poor = {one["of"]: one["verdict"] for one in worth["numbers"] if one["verdict"] != "useful"}
    assert (poor, worth["verdict"]) == ({"health": "coarse"}, "coarse")
    assert worth["estimates_all"] - worth["estimates_useful"] == 1
    assert {p["severity"] for p in found["problems"]} == {"warning"}
    remedies = {p["path"]: p["remedy"] for p in found["problems"]}
    assert "computed from" in remedies["columns.weight.role"]
    assert "Merge its 6 categories into 5" in remedies["usefulness"]
    compared = day.run("choose", plan)
    assert "GRR" in compared
    assert "No release is recorded." in day.run("ledger")
    people = ["--population", "Health survey 2031"]
    said = day.run("release", survey.path, "--plan", plan, "--out", folder, *people)
    assert "6,000 records released with a total epsilon of 8" in said
    assert "“Health survey 2031”: ε = 0 spent by 0 earlier releases" in said
    content = day.json("estimate", folder)
    assert content["verified"] is True
    assert_holds_the_truth(content["estimates"], survey.truth())
    # The respondents of each region, from the folder alone.
    groups = day.json("estimate", folder, "--by", "region")["groups"]
    assert [group["group"] for group in groups] == list(REGIONS)
    for group in groups:
        assert group["records"] == survey.rows["region"].count(group["group"])
        assert_holds_the_truth(group["estimates"], survey.truth(group["group"]))
    parts = (reports_of(group["estimates"]) for group in groups)
    assert sum(parts, Counter()) == reports_of(content["estimates"])
    said = day.run("estimate", folder, "--by", "region")
    assert re.findall(r"^region: (\w+), [\d,]+ records$", said, re.MULTILINE) == list(REGIONS)
    refused = day.run("estimate", folder, "--by", "sex", code=3)
    assert T.NOT_UNPROTECTED(column="sex") in refused
    html = (folder / "report.html").read_text("utf-8")
    assert ReportT.WEIGHTED(name="weight") in html
    assert re.search(r"1[567] of 16 estimates are useful", html)
    with (folder / "records.csv").open(newline="", encoding="utf-8") as file:
        smokers = {row["smoker"] for row in csv.DictReader(file)}
    assert smokers == {"", "no", "yes", "(no answer)"}


def test_a_day_with_a_census_extract(day: Day) -> None:
    path, plan, folder = (day.place / name for name in ("census.csv", "plan.json", "release"))
    rows = write_census(path, respondents=20_000)
    own = ["--overwrite", "--confirm-domains", "--confirmed-by", "Census office"]
    day.run("draft", "--strategy=spl", path, "-o", plan, *own)
    said = day.run("check", plan, path)
    assert "199 of 199 would be too noisy" in said
    assert "Report one answer per respondent and protect " in said
    # Fewer attributes: two of eight blocks. The draft splits the budget over what is left.
    dropped = [word for name in rows if not name.startswith(("household_", "health_"))
               for word in ("--drop", name)]  # fmt: skip
    own += ["--title", "Census", "--curator", "Census office"]
    day.run("draft", "--strategy=spl", path, "-o", plan, *own, *dropped)
    left = 50
    assert sum(name.startswith(("household_", "health_")) for name in rows) == left
    said = day.run("check", plan, path)
    stated = re.search(r"Report one answer per respondent at epsilon \S+ to make (\d+) of", said)
    assert stated is not None, said
    # The remedy keeps its word.
    day.run("draft", path, "-o", plan, *own, *dropped, "--purpose", "shares")
    found = day.json("check", plan, path)["usefulness"]["records"]
    useful = [one["of"] for one in found["numbers"] if one["verdict"] == "useful"]
    assert len(found["numbers"]) == left
    assert sum(one["estimates_useful"] for one in found["numbers"]) == int(stated[1])
    for name in rows:
        if name not in useful and "_" in name and name not in dropped:
            dropped += ["--drop", name]
    day.run("draft", path, "-o", plan, *own, *dropped, "--purpose", "shares")
    assert "0 errors, 0 warnings" in day.run("check", plan, path)
    said = day.run("release", path, "--plan", plan, "--out", folder, "--population", "Census")
    assert "20,000 records released with a total epsilon of 4" in said
    assert "warning" not in said
    truth: dict[Key, float] = {}
    content = day.json("estimate", folder)["estimates"]
    for row in content:
        cells = rows[row["attribute"]]
        key = (row["attribute"], row["quantity"], row["category"])
        truth[key] = (
            sum(map(int, cells)) / len(cells)
            if row["quantity"] == "mean"
            else cells.count(row["category"]) / len(cells)
        )
        assert is_near(row, truth[key]), key
    assert {row["attribute"] for row in content} == set(useful)
    held = [r["lower"] <= t <= r["upper"] for r, t in zip(content, truth.values(), strict=True)]
    assert 2 * sum(held) > len(held)
