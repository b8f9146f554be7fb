"""A survey with dates from its file to estimates, statistics and coarser answers."""

from __future__ import annotations

import csv
import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.data.texts import T
from dpdesk.domains import Date, Real
from dpdesk.numbers.calendar import per_unit
from dpdesk.plan import load_plan
from dpdesk.queries.texts import T as QueriesT

MONTHS = [date(1935 + i % 70, 1 + i % 12, 1 + i % 28) for i in range(4000)]
DECLARED = (
    *("--declare", "born=1930-01..2009-12 by month"),
    *("--declare", "seen=2020-01-01..2024-12-31 by day as DD.MM.YYYY"),
    *("--declare", "up=04:00..12:00 by 15 minutes"),
    *("--declare", "weight=30..150/0.5 kg as 1.234,5 kg"),
)


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    rows = [
        f"{day.isoformat()};{date(2021, 1, 1) + timedelta(days=i % 900):%d.%m.%Y};"
        f"{5 + i % 6:02}:{i % 60:02};{50 + i % 60},{i % 10} kg;{'ab'[i % 2]}"
        for i, day in enumerate(MONTHS)
    ]
    path.write_text("\n".join(["born;seen;up;weight;group", *rows]) + "\n", encoding="utf-8")
    return path


def run(*words: str) -> None:
    assert main(list(words)) == 0


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    run(*words, "--json")
    return json.loads(capsys.readouterr().out)


def planned(survey: Path, *options: str) -> Path:
    plan = survey.with_name("plan.json")
    titled = ("--title", "T", "--curator", "C", "--confirm-domains", "--overwrite")
    run("draft", "--strategy", "spl", str(survey), "-o", str(plan), *DECLARED, *titled, *options)
    return plan


def released(survey: Path, *options: str) -> Path:
    plan, folder = planned(survey, *options), survey.with_name("release")
    ledger = survey.with_name("ledger.json")
    run(
        *("release", str(survey), "--plan", str(plan), "--out", str(folder)),
        *("--ledger", str(ledger), "--population", "people"),
    )
    return folder


def test_that_what_is_declared_is_in_the_plan(survey: Path) -> None:
    plan = load_plan(planned(survey))
    assert plan.column("born").domain == Date.of("1930", "2009", "month")
    assert plan.column("seen").domain == Date.of("2020", "2024", "day", "DD.MM.YYYY")
    assert plan.column("up").domain == Date.of("04:00", "12:00", "15 minutes")
    weight = plan.column("weight").domain
    assert isinstance(weight, Real)
    assert (weight.unit, weight.written, weight.texts[1]) == ("kg", "1.234,5 kg", "30.5")
    assert {plan.column(name).kind for name in ("born", "seen", "up")} == {"date"}


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("2024-01-{:02}T10:00:00+01:00", T.TIME_ZONES()),
        ("{:02} Mar 2024", T.MONTH_NAMES()),
        ("13/{:02}/99", T.SHORT_YEARS()),
        ("", ""),
    ],
)
def test_that_a_draft_says_why_a_column_has_no_domain(
    cell: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"{cell.format(1 + i % 12)},{i % 2}" for i in range(60)]
    (tmp_path / "s.csv").write_text("\n".join(["x,y", *rows]), encoding="utf-8")
    assert main(["draft", str(tmp_path / "s.csv"), "-o", str(tmp_path / "p.json")]) == 0
    (told,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("x: "))
    assert told.removeprefix("x: ").startswith(why)
    assert told.endswith(".")


@pytest.mark.parametrize("mechanism", ["square_wave", "duchi", "bounded_laplace", "laplace"])
def test_that_a_release_of_dates_is_estimated_in_dates(
    survey: Path, capsys: pytest.CaptureFixture[str], mechanism: str
) -> None:
    chosen = ("--set", f"born={mechanism}:8", "--drop", "seen", "--drop", "up", "--drop", "weight")
    folder = released(survey, *chosen, "--epsilon", "10")
    with (folder / "records.csv").open(encoding="utf-8") as file:
        cells = [row["born"] for row in csv.DictReader(file)]
    are_dates = mechanism in {"square_wave", "bounded_laplace"}
    assert all(len(cell) == 7 and cell[4] == "-" for cell in cells) == are_dates
    found = told(capsys, "estimate", str(folder))["estimates"]
    mean = next(row for row in found if row["quantity"] == "mean")
    true = sum(12 * (day.year - 1970) + day.month - 1 for day in MONTHS) / len(MONTHS)
    assert mean["unit"] == "months since 1970-01"
    assert abs(mean["estimate"] - true) < 4 * mean["total_standard_error"]
    assert mean["lower_date"] <= mean["estimate_date"] <= mean["upper_date"]
    whole = round(mean["estimate"])
    assert mean["estimate_date"] == f"{1970 + whole // 12}-{whole % 12 + 1:02}"
    run("estimate", str(folder))
    printed = capsys.readouterr().out
    assert mean["estimate_date"] in printed
    assert "months" in printed
    assert "since" not in printed
    report = (folder / "report.html").read_text(encoding="utf-8")
    assert mean["estimate_date"] in report
    codebook = (folder / "codebook.csv").read_text(encoding="utf-8")
    assert "1930-01" in codebook


def test_that_the_codebook_of_a_release_drafts_the_next_plan(survey: Path) -> None:
    folder = released(survey, "--epsilon", "8")
    plan = survey.with_name("next.json")
    run("draft", "--codebook", str(folder / "codebook.csv"), "-o", str(plan))
    for name in ("born", "seen", "up"):
        assert (
            load_plan(plan).column(name).domain
            == load_plan(folder / "plan.json").column(name).domain
        )


def test_that_statistics_of_dates_are_dates(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("median of born", "mean of born between 1940 and 1999", "count where born >= 1980")
    asked = (*asked, "histogram of born at 1930, 1960, 1990-07", "standard deviation of born")
    questions = [word for one in asked for word in ("--query", one)]
    declared = ("--declare", "born=1930-01..2009-12 by month", "--epsilon", "150")
    declared = (*declared, "--delimiter", "semicolon", "--encoding", "utf-8", "--decimal", ".")
    ledger = ("--ledger", str(survey.with_name("l.json")), "--population", "x")
    out = survey.with_name("statistics")
    run("query", str(survey), *declared, *questions, *ledger, "--out", str(out))
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    by_query = {one["asked"]: one for one in report["queries"]}
    median = by_query["median of born"]["results"][0]["value"]
    numbers = sorted(12 * (day.year - 1970) + day.month - 1 for day in MONTHS)
    assert abs(median - numbers[2000]) <= 3
    counted = by_query["count of rows where born is at least 1980"]["results"][0]["value"]
    assert abs(counted - sum(day.year >= 1980 for day in MONTHS)) < 5
    html = (out / "report.html").read_text(encoding="utf-8")
    assert f"{1970 + median // 12:.0f}-{median % 12 + 1:02.0f}" in html
    declared = tuple("30" if one == "150" else one for one in declared)
    refused = main(["query", str(survey), *declared, "--query", "sum of born", *ledger])
    assert refused == 1
    assert QueriesT.DATES(column="born") in capsys.readouterr().err


def test_that_an_end_that_is_nothing_is_refused_with_the_name_of_its_column(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("draft", str(survey), "-o", str(survey.with_name("plan.json")), "--declare")
    assert main([*words, "weight=18..9O"]) == 2
    said = capsys.readouterr().err
    assert "The declaration of “weight” is not possible. An end is not a date" in said
    assert "Write a number or a date for each end" in said
    assert main([*words, "born=1930..20O9 by month"]) == 2
    said = capsys.readouterr().err
    assert "The declaration of “born” is not possible. An end is not a date" in said
    assert "number" not in said


def test_that_coarser_dates_follow_the_calendar(survey: Path) -> None:
    folder = survey.with_name("coarse")
    declared = ("--declare", "born=1930-01..2009-12 by month", "--quasi", "born,group")
    declared = (*declared, "--declare", "group=a|b")
    run("coarsen", str(survey), *declared, "--k", "20", "--out", str(folder))
    with (folder / "records.csv").open(encoding="utf-8") as file:
        cells = {row["born"] for row in csv.DictReader(file)}
    assert cells <= {f"{year}" for year in range(1930, 2010)} | {
        f"{decade} to {decade + 9}" for decade in range(1930, 2010, 10)
    }
    assert len(cells) > 5


def test_that_a_kept_date_predicts_as_a_number_of_months(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = released(survey, "--keep", "born", "--drop", "seen", "--drop", "up", "--epsilon", "8")
    fitted = told(capsys, "estimate", str(folder), "--formula", "weight ~ born")
    assert '"born"' in json.dumps(fitted)
    assert "born[" not in json.dumps(fitted)


def test_that_a_slope_is_per_one_of_its_unit() -> None:
    units = {"months since 1970-01": "month", "minutes since 00:00": "minute", "kg": "kg"}
    assert {unit: per_unit(unit) for unit in units} == units
    assert per_unit("years") == "year"
