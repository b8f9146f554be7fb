"""`dpdesk query`: what it tells, what it refuses, and that neither holds an answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from dpdesk.ledgers import Ledger
from dpdesk.plan import load_plan
from dpdesk.queries.texts import T

CANARY = "Zwergensalm"
DECLARED = ["--declare", "sex=f|m", "--declare", "age=18..90", "--declare", "region=north|south"]

Captured = pytest.CaptureFixture[str]
Asks = Callable[..., int]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    rows = [f"{CANARY}-{i // 2},{'fm'[i % 2]},{20 + i},north" for i in range(60)]
    path.write_text("\n".join(["id,sex,age,region", *rows, f"{CANARY}-x,f,33,{CANARY}"]) + "\n")
    return path


@pytest.fixture
def asks(data: Path) -> Asks:
    def ask(*words: str) -> int:
        # Its identifiers repeat.
        whose = [] if any("respondent" in word for word in words) else ["--one-row-each"]
        return main(["query", str(data), *DECLARED, *words, *whose])

    return ask


def charged() -> list[Decimal]:
    return [
        population.spent("central").epsilon for population in Ledger.open().book().populations()
    ]


def told(capsys: Captured) -> Any:
    return json.loads(capsys.readouterr().out)


def test_that_the_interval_with_sampling_of_a_mean_says_what_it_supposes(
    asks: Asks, capsys: Captured
) -> None:
    note = T.SAMPLING_AT_BOUNDS()
    assert asks("--query", "mean of age", "--epsilon", "2") == 0
    shown = capsys.readouterr().out
    assert "with sampling" in shown.splitlines()[2]
    assert shown.count(note) == 1
    # That of a share is what its law says, and a count has none.
    words = ("--query", "share with sex f", "--query", "count", "--epsilon", "2")
    assert asks(*words) == 0
    shown = capsys.readouterr().out
    assert "with sampling" in shown
    assert note not in shown


def test_that_answers_are_told_with_their_intervals_and_charged(
    asks: Asks, capsys: Captured
) -> None:
    assert asks("--query", "count by region", "--query", "mean of age", "--epsilon", "2") == 0
    shown = capsys.readouterr().out
    assert "count of rows by region  (ε = 1; intervals at 95 %)" in shown
    assert "south: " in shown
    assert "noise" in shown
    assert ", 2 with this one" in shown
    assert charged() == [Decimal(2)]


def test_that_what_is_told_before_draws_and_charges_nothing(asks: Asks, capsys: Captured) -> None:
    words = ["--query", "count by region", "--epsilon", "1", "--before"]
    assert asks(*words) == 0
    shown = capsys.readouterr().out
    assert "± 3 rows" in shown
    assert T.SENSITIVITY_OF_PRESENCE(count=1, total=1) in shown
    assert asks(*words, "--json") == 0
    content = told(capsys)
    assert content["queries"][0]["half_width"] == 3
    assert charged() == []


def test_that_the_size_of_groups_that_is_supposed_is_said_and_can_be_given(
    asks: Asks, capsys: Captured
) -> None:
    words = ["--query", "mean of age by sex", "--epsilon", "1", "--before"]
    assert asks(*words) == 0
    shown = capsys.readouterr().out
    assert f"{T.AT_ANY_VALUE(count=30)} (the group of middle size of 61 " in shown
    widths = []
    for more in ((), ("--group-size", "30"), ("--group-size", "60")):
        assert asks(*words, *more, "--json") == 0
        (query,) = told(capsys)["queries"]
        widths.append(query["half_width"])
        assert (query["groups"], query["rows_of_a_group"]) == (2, int(more[1]) if more else 30)
        assert ("as given" in query["basis"]) == bool(more)
    assert widths[0] == widths[1] == pytest.approx(2 * widths[2])
    # Without groups nothing is divided.
    assert asks("--query", "mean of age", "--epsilon", "1", "--before", "--json") == 0
    assert told(capsys)["queries"][0]["rows_of_a_group"] == 61
    for wrong in ("0", "1.5", "1_0", "-3", "9" * 14):
        assert asks(*words, f"--group-size={wrong}") == 2
    assert asks(*words[:-1], "--group-size", "30") == 2
    assert charged() == []


def test_that_a_query_has_fields_of_its_own_and_shares_the_rest(
    asks: Asks, capsys: Captured
) -> None:
    words = ["--query", "count by sex; epsilon=0.5; name=Sexes", "--query", "median of age"]
    words += ["--query", "sum of age; noise=gaussian; delta=0.000001", "--epsilon", "1.5", "--json"]
    assert asks(*words) == 0
    queries = told(capsys)["queries"]
    assert [query["epsilon_asked"] for query in queries] == ["0.5", "0.5", "0.5"]
    assert queries[0]["name"] == "Sexes"
    assert (queries[2]["noise"], queries[2]["delta"]) == ("gaussian", "1e-6")


def test_that_a_plan_of_the_queries_is_saved_and_asks_the_same(
    asks: Asks, data: Path, tmp_path: Path, capsys: Captured
) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "out"
    words = ["--query", "count where sex is f", "--epsilon", "1", "--relation", "replace"]
    words += ["--respondent", "id", "--rows-per-respondent", "2", "--confidence", "0.9"]
    assert asks(*words, "--save-plan", str(plan), "--before") == 0
    statistics = load_plan(plan).statistics
    assert statistics.unit.relation == "replace"
    assert (statistics.unit.respondent_column, statistics.unit.rows_per_respondent) == ("id", 2)
    assert statistics.confidence == Decimal("0.9")
    assert main(["query", str(data), "--plan", str(plan), "--out", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == {
        "manifest.json",
        "plan.json",
        "registry-entry.yaml",
        "annex.html",
        "report.html",
        "report.json",
        "report.pdf",
        "statistics.csv",
    }
    shown = capsys.readouterr()
    for text in (
        shown.out,
        shown.err,
        *(p.read_text("utf-8", errors="replace") for p in out.iterdir()),
    ):
        assert CANARY not in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--query", "mean of agee"],
            "The data have no column “agee”. Check the name: “age”",
        ),
        (["--query", "count by id"], "--declare id=LOWER..UPPER for numbers"),
        (["--query", "mean of region"], T.NOT_NUMBERS(column="region")),
        (["--query", "count by age"], T.HOLDS_NUMBERS(column="age")),
        (["--query", "count by sex, sex"], T.NAMED_TWICE()),
        (["--query", "count where region is south or east"], "north, south"),
        (["--query", ""], "of --query is empty"),
        (["--query", "mean of"], "“mean of”"),
        (["--query", 'mean of "age'], "quotation mark"),
        (["--query", "count where age is at least"], "number"),
        (["--query", "quantile 1.5 of age"], "between 0 and 1"),
        (["--query", "histogram of age at 30, 20"], T.EDGES()),
        (["--query", "histogram of age at 1, 20"], "18 to 90"),
        (["--query", "mean of age between 60 and 20"], T.CROSSED_BOUNDS()),
        (["--query", "9 most frequent of sex"], T.FEW_CATEGORIES.remedy),
        (["--query", "count by sex; noise=loud"], "geometric"),
        (["--query", "count by sex; colour=red"], "not a field"),
        (["--query", "count by sex; noise=staircase"], "single number"),
        (["--query", "sum of age", "--noise", "gaussian"], "delta"),
        (["--query", "count by sex; delta=2; noise=gaussian"], "elta"),
        (["--query", "count", "--relation", "replace"], "public"),
        (["--query", "count", "--rows-per-respondent", "0"], "rows-per-respondent"),
        (["--query", "count", "--respondent", "nobody"], "nobody"),
        (["--query", "count", "--confidence", "1"], "confidence"),
        (["--declare", "age=18..91", "--query", "mean of age"], "declared twice"),
        (["--declare", "pay=90..18", "--query", "mean of pay"], "upper bound"),
        (["--declare", "pay=", "--query", "mean of pay"], "--declare pay= is not of the form"),
        (["--declare", "pay=0..9", "--query", "mean of pay"], "no column “pay”"),
        ([], Reading.NO_QUERY()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_that_wrong_words_are_refused_with_what_to_do(
    words: list[str], says: str, asks: Asks, capsys: Captured
) -> None:
    assert asks(*words, "--epsilon", "1") in (1, 2)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert says in shown.err
    assert "Traceback" not in shown.err
    assert CANARY not in shown.err
    assert len(shown.err.rstrip().split(". ")) >= 2
    assert charged() == []


@pytest.mark.parametrize(
    "epsilon", ["x", "", "-1", "0", "nan", "inf", "1e99", "1e-99", "0.00001", "41", "0." + "3" * 50]
)
def test_that_an_epsilon_that_none_can_be_is_refused(
    epsilon: str, asks: Asks, capsys: Captured
) -> None:
    assert asks("--query", "count by sex", f"--epsilon={epsilon}") in (1, 2)
    assert "psilon" in capsys.readouterr().err
    assert charged() == []


def test_that_an_epsilon_too_small_for_the_parts_says_how_much_they_need(
    asks: Asks, capsys: Captured
) -> None:
    assert asks("--query", "standard deviation of age", "--epsilon", "0.0002") == 1
    assert "at least 0.0003" in capsys.readouterr().err


def test_that_a_file_that_is_not_there_is_named(capsys: Captured) -> None:
    assert main(["query", "nowhere.csv", *DECLARED, "--query", "count", "--epsilon", "1"]) == 3
    assert "nowhere.csv" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forks")
def test_that_of_fourteen_queries_at_once_against_a_cap_for_ten_exactly_ten_pass(
    data: Path, root: Path
) -> None:
    words = ["query", str(data), *DECLARED, "--query", "count by sex", "--epsilon", "0.1"]
    words += ["--one-row-each"]
    words += ["--population", "People", "--cap", "1"]
    program = (
        "import os, sys\n"
        "from dpdesk.cli.main import main\n"
        "gate, opener = os.pipe()\n"
        "children = []\n"
        "for _ in range(14):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        os.close(opener); os.read(gate, 1); os._exit(main(sys.argv[1:]))\n"
        "    children.append(child)\n"
        "os.close(opener)\n"
        "codes = [os.waitstatus_to_exitcode(os.waitpid(c, 0)[1]) for c in children]\n"
        "print(*codes, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, cwd=root
    )
    codes = done.stderr.splitlines()[-1].split()
    assert sorted(codes) == ["0"] * 10 + ["6"] * 4, done.stderr
    assert charged() == [Decimal(1)]
