"""Ten statistics of the bundled survey on two days, and a third day on which the cap holds."""

from __future__ import annotations

import csv
import datetime
import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from dpdesk.cli.texts import T as Cli
from dpdesk.data.sample import sample_path
from dpdesk.ledgers import ledger as ledger_module
from dpdesk.ledgers import people
from dpdesk.ledgers.texts import T
from dpdesk.plan.checks.texts import T as Checks
from dpdesk.queries.texts import T as Q
from dpdesk.releases.texts import T as Releases
from dpdesk.reports.texts import T as ReportT
from tests.survey_files import write_census

SAMPLE = str(sample_path())
PHRASES = (
    "count by religious; name=Religion",
    "count where age is at least 30 and religious is 3 or 4",
    "share with affairs at least 1 by rate_marriage",
    "mean of age",
    "sum of children",
    "standard deviation of yrs_married",
    "median of age",
    "quantiles 0.25, 0.75 of affairs",
    "most frequent occupation",
    "mean of affairs by religious; noise=laplace; epsilon=0.25",
)
PEOPLE = "Redbook 1974"
DECLARED = (
    "religious=1|2|3|4",
    "rate_marriage=1|2|3|4|5",
    "age=17.5|22|27|32|37|42",
    "children=0|1|2|3|4|5.5",
    "yrs_married=0.5|2.5|6|9|13|16.5|23",
    "occupation=1|2|3|4|5|6",
    "affairs=0..60/0.1",
)


def ask(*more: str, epsilon: str = "2.5") -> int:
    words = ["query", SAMPLE, "--epsilon", epsilon]
    for declaration in DECLARED:
        words += ["--declare", declaration]
    for phrase in PHRASES:
        words += ["--query", phrase]
    return main([*words, *more])


def ledger_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["ledger", "--json", "--population", PEOPLE]) == 0
    content = json.loads(capsys.readouterr().out)
    (population,) = content["populations"]
    assert isinstance(population, dict)
    return population


@pytest.fixture
def day(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the clock of the ledger to a day of March 2031."""

    def set_day(number: int) -> None:
        time = datetime.datetime(2031, 3, number, 9, 30, tzinfo=datetime.UTC).isoformat()
        for module in (people, ledger_module):
            monkeypatch.setattr(module, "now", lambda: time)

    return set_day


def test_that_the_budget_is_smaller_on_the_next_day_and_blocks_on_the_third(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], day: Callable[[int], None]
) -> None:
    people_named = ["--population", PEOPLE]
    day(1)
    first = tmp_path / "first"
    assert ask(*people_named, "--cap", "6", "--out", str(first)) == 0
    said = capsys.readouterr().out
    # Each statistic is read with its interval, or with what is assured of a choice.
    assert said.count("   noise ") == 4 + 1 + 5 + 1 + 1 + 1 + 4
    assert said.count("With 95 % confidence") == 3
    assert Cli.SPENT_WITH(name=PEOPLE, count=0, before="0", now="2.5") in said
    assert Cli.REMAINS(epsilon="3.5") in said
    with (first / "statistics.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    by_query = {line["query"]: Decimal(line["epsilon"]) for line in lines}
    assert len(by_query) == 10
    assert sum(by_query.values()) == Decimal("2.5")
    assert by_query["10"] == Decimal("0.25")
    for line in lines:
        assert bool(line["lower"]) == bool(line["upper"]) == (line["noise"] != "permute_and_flip")
    before = ledger_of(capsys)["total"]
    assert (before["epsilon"], before["left"]) == ("2.5", "3.5")

    day(2)
    # The plan of the folder asks the same again, and costs the same again.
    second = tmp_path / "second"
    again = ["query", SAMPLE, "--plan", str(first / "plan.json"), "--out", str(second)]
    assert main([*again, *people_named]) == 0
    told = capsys.readouterr().out
    assert Cli.SPENT_WITH(name=PEOPLE, count=1, before="2.5", now="5") in told
    assert Cli.REMAINS(epsilon="1") in told
    after = ledger_of(capsys)
    assert (after["central"]["epsilon"], after["total"]["left"]) == ("5", "1")
    assert [release["time"][:10] for release in after["releases"]] == ["2031-03-01", "2031-03-02"]
    assert after["local"]["releases"] == 0
    budget = json.loads((second / "report.json").read_text(encoding="utf-8"))
    earlier = budget["earlier_releases"]
    assert [(one["date"], one["epsilon"]) for one in earlier["releases"]] == [("2031-03-01", "2.5")]
    assert (earlier["central"], earlier["left"]) == ("5", "1")
    assert "2031-03-01" in (second / "annex.html").read_text(encoding="utf-8")

    day(3)
    third = tmp_path / "third"
    assert ask("--out", str(third)) == 6
    refused = capsys.readouterr().err
    assert T.OVER_CAP(name=PEOPLE, left="1", cap="6", needed="2") in refused
    assert not third.exists()
    assert ledger_of(capsys)["total"] == after["total"]


def test_that_saying_how_far_off_answers_will_be_costs_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ask("--before") == 0
    said = capsys.readouterr().out
    assert len(re.findall(r"^  (?:±|at most) ", said, re.MULTILINE)) == 10
    assert "in total ε = 2.5; nothing was drawn or charged" in said
    assert main(["ledger"]) == 0
    assert "No release is recorded." in capsys.readouterr().out


def test_that_a_name_that_is_given_later_keeps_what_was_spent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    count = ["query", SAMPLE, "--query", "count", "--epsilon", "0.5"]
    assert main(count) == 0
    assert main([*count, "--population", PEOPLE]) == 0
    said = capsys.readouterr()
    assert Cli.IS_CALLED(old="affairs.csv", new=PEOPLE) in said.err
    assert Cli.SPENT_WITH(name=PEOPLE, count=1, before="0.5", now="1") in said.out
    assert main([*count, "--population", "Others"]) == 2
    assert T.WRONG_POPULATION(name=PEOPLE) in capsys.readouterr().err
    releases = ledger_of(capsys)["releases"]
    assert [release["outcome"] for release in releases] == ["shown", "shown"]


def test_that_a_file_that_lost_rows_is_pointed_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(["query", SAMPLE, "--query", "count", "--epsilon", "1", "--population", PEOPLE]) == 0
    )
    lines = sample_path().read_text(encoding="utf-8").splitlines(keepends=True)
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("".join(lines[:1] + lines[200:]), encoding="utf-8")
    capsys.readouterr()
    count = ["query", str(fewer), "--query", "count", "--epsilon", "1"]
    assert main([*count, "--population", PEOPLE]) == 0
    said = capsys.readouterr()
    assert f"are in a file of “{PEOPLE}” (6,366 rows" in said.err
    assert ", 2 with this one" in said.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--query", "mean of age", "--epsilon", "1"], "--declare age=LOWER..UPPER"),
        (
            ["--query", "count", "--epsilon", "100"],
            Reading.BAD_SPLIT(part="100", least="0.0001", most="40"),
        ),
        (["--query", "count", "--epsilon", "0"], Reading.EPSILON_ABOVE_0()),
        (["--query", "count; epsilon=1", "--epsilon", "2"], "Leave --epsilon out"),
        (["--query", "count; noise=loud", "--epsilon", "1"], "Choose geometric"),
        (["--query", "count", "--epsilon", "1", "--delta", "0.5"], "below 0.01"),
        (["--query", "count", "--epsilon", "1", "--delta", "1e-6"], "Leave --delta out"),
        (["--query", "count", "--epsilon", "1", "--confidence", "95"], Reading.BAD_CONFIDENCE()),
        (["--query", "count", "--epsilon", "1", "--rows-per-respondent", "0"], "from 1 to"),
        (["--query", "count", "--declare", "age=1", "--epsilon", "1"], "at least two categories"),
        (["--query", "count where pay is <=50K", "--epsilon", "1"], '"quotation marks"'),
        (["--query", "middling of age", "--epsilon", "1"], Q.A_STATISTIC()),
        (["--query", "percentage of age", "--epsilon", "1"], Q.A_DECLARED_CATEGORY()),
    ],
)
def test_that_words_that_cannot_be_meant_say_what_to_give(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", SAMPLE, *words]) == 2
    assert said in capsys.readouterr().err


def test_that_delta_is_charged_to_gaussian_noise_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    queries = ["count; noise=gaussian", "count", "median of age", "mean of age; noise=laplace"]
    words = [word for phrase in queries for word in ("--query", phrase)]
    more = ["--declare", DECLARED[2], "--delta", "1e-6", "--epsilon", "2", "--population", PEOPLE]
    assert main(["query", SAMPLE, *words, *more]) == 0
    assert Decimal(ledger_of(capsys)["central"]["delta"]) == Decimal("0.000001")


def test_that_commands_for_records_know_statistics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    words = ["--declare", DECLARED[0], "--query", "count by religious", "--epsilon", "1"]
    assert main(["query", SAMPLE, *words, "--out", str(folder)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(folder)]) == 3
    assert Releases.OF_STATISTICS(file="statistics.csv") in capsys.readouterr().err
    plan = str(folder / "plan.json")
    assert main(["check", plan, SAMPLE]) == 0
    assert "0 errors" in capsys.readouterr().out
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("faith\n1\n2\n", encoding="utf-8")
    assert main(["check", plan, str(wrong)]) == 1
    assert "The data have no column “religious”." in capsys.readouterr().out


def test_that_records_for_tables_and_statistics_of_the_same_people_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two models, one population, one cap, and a corrected file."""

    def run(*words: str | Path, code: int = 0) -> str:
        capsys.readouterr()
        assert main([str(word) for word in words]) == code, capsys.readouterr()
        said = capsys.readouterr()
        return said.out + said.err

    data, plan, folder = (tmp_path / name for name in ("adults.csv", "plan.json", "records"))
    rows = write_census(data, respondents=20_000, columns=11)
    own = ["--confirm-domains", "--purpose", "tables", "--overwrite"]
    own += ["--title", "Adults", "--curator", "An office"]
    run("draft", data, "-o", plan, *own)
    said = run("check", plan, data)
    assert Checks.TABLES_OF_TWO() in said
    assert re.search(r"Set epsilon \S+ for each variable, \S+ in total to make", said)
    assert Checks.TRUSTED_TABLES() in said
    # Of two whose answers are common every cell is useful, with nothing left to know.
    kept = ("household_earnings", "household_sex")
    dropped = [f"--drop={name}" for name in rows if name not in kept]
    run("draft", data, "-o", plan, *own, *dropped)
    assert "0 errors, 0 warnings" in run("check", plan, data)
    adults = ["--population", "Adults 2031"]
    said = run("release", data, "--plan", plan, "--out", folder, *adults)
    assert Cli.SPENT_WITH(name="Adults 2031", count=0, before="0", now="4") in said

    count = ["query", "--query", "count by household_sex and household_earnings"]
    domains = [f"{name}={'|'.join(sorted(set(rows[name])))}" for name in kept]
    count += [word for domain in domains for word in ("--declare", domain)]
    statistics = [*count, "--epsilon", "1", *adults, "--cap", "7.5"]
    said = run(*statistics, data)
    assert Cli.SPENT_WITH(name="Adults 2031", count=1, before="4", now="6") in said
    assert f"{Cli.REMAINS(epsilon='1.5')} {T.DOUBLED()}" in said
    refused = run(*count, "--epsilon", "1", *adults, data, code=6)
    assert "is ε = 1.5 of 7.5. This release needs ε = 2: losses" in refused

    corrected = tmp_path / "adults corrected.csv"
    lines = data.read_text("utf-8").splitlines(keepends=True)
    corrected.write_text("".join(lines[:1] + lines[300:]), encoding="utf-8")
    again = ["release", corrected, "--plan", plan, "--out", tmp_path / "again"]
    asked = run(*again, code=6)
    assert "Adults 2031" in asked
    assert "are in a file of" in asked
    assert not (tmp_path / "again").exists()
    said = run(*again, *adults, "--cap", "10")
    assert Cli.SPENT_WITH(name="Adults 2031", count=2, before="6", now="10") in said
    assert Cli.REMAINS(epsilon="0") in said
    budget = json.loads((tmp_path / "again" / "report.json").read_text("utf-8"))["budget"]
    earlier = budget["earlier_releases"]
    assert (earlier["local"], earlier["central"], earlier["total"]) == ("8", "1", "10")
    together = f"{ReportT.TOGETHER(total='10')} {T.DOUBLED()} {ReportT.CAP(cap='10', left='0')}"
    assert together in budget["statement"]
    assert [one["model"] for one in earlier["releases"]] == ["local", "central"]
