"""`dpdesk estimate` of several attributes together."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.domains import Integer
from dpdesk.estimation.texts import T
from dpdesk.plan import ColumnPlan, Plan, save_plan
from tests.estimation.test_joint import TRUE, example, expected_records, write
from tests.plan.plans import mechanism

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path) -> list[str]:
    """Records as expected of the worked example, and their plan."""
    records = write(tmp_path / "records.csv", expected_records(10))
    plan = tmp_path / "plan.json"
    save_plan(example(), plan)
    return ["estimate", str(records), "--plan", str(plan), "--unverified"]


def test_that_a_cross_table_lists_cells(place: list[str], capsys: Captured) -> None:
    assert main([*place, "--cross", "A,B", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["columns"] == ["A", "B"]
    assert told["records"] == 1800
    assert [tuple(cell["categories"]) for cell in told["cells"]] == list(TRUE)
    for cell, share in zip(told["cells"], TRUE.values(), strict=True):
        assert cell["share"] == pytest.approx(float(share), abs=1e-9)
        assert cell["lower"] < cell["share"] < cell["upper"]
    cell = told["cells"][0]
    # (estimate - t)^2 n = z^2 v(t) with the scores' mean squares: GRR at ln 3 and ln 2.
    (r_a, c_a), (r_b, c_b) = (1.0, 1.5), (2.0, 1.0)
    of_a, of_b = 3 / 12, 5 / 12
    for end in (cell["lower"], cell["upper"]):
        variance = end * c_a * c_b + of_a * c_a * r_b + of_b * r_a * c_b + r_a * r_b - end**2
        apart = (cell["share"] - end) ** 2
        assert apart * 1800 == pytest.approx(1.959963984540054**2 * variance)
    for key in ("possible", "most_likely"):
        assert sum(cell[key] for cell in told["cells"]) == pytest.approx(1)


def test_that_the_same_is_printed_and_written(
    place: list[str], capsys: Captured, tmp_path: Path
) -> None:
    assert main([*place, "--cross", "A,B"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Shares of all respondents by A and B, 1,800 records"
    # An error has two digits, and the numbers beside it as many decimals: value and error are the
    # interval, or the error is left out.
    texts = [line.replace("%", " ").replace("pp", " ").split()[2:] for line in lines[2:8]]
    assert main([*place, "--cross", "A,B", "--json"]) == 0
    for cells, told in zip(texts, json.loads(capsys.readouterr().out)["cells"], strict=True):
        value, *error, lower, upper = [float(text.replace("−", "-")) for text in cells[:-2]]
        assert value == pytest.approx(100 * told["share"], abs=0.06)
        assert lower == pytest.approx(100 * told["lower"], abs=0.06)
        for half in error:
            assert value - lower == pytest.approx(half, abs=0.11)
            assert upper - value == pytest.approx(half, abs=0.11)
    table = tmp_path / "table.csv"
    assert main([*place, "--share", "B", "--by", "A", "--table", str(table)]) == 0
    assert capsys.readouterr().out == ""
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["A"] + row["B"] for row in rows] == ["ax", "ay", "bx", "by", "cx", "cy"]
    assert float(rows[0]["share"]) == pytest.approx(1 / 3, abs=1e-6)
    # Nothing is replaced unasked.
    assert main([*place, "--share", "B", "--by", "A", "--table", str(table)]) != 0


def test_that_a_test_is_told(place: list[str], capsys: Captured) -> None:
    assert main([*place, "--test", "A,B", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"weights", "strata", "clusters"} <= told.keys()
    test = told["test"]
    assert test["freedom"] == 2
    assert 0 < test["p_value"] < 1
    assert main([*place, "--test", "A,B"]) == 0
    assert "chi-square" in capsys.readouterr().out


def test_that_who_cannot_be_tested_and_the_weight_are_told_by_name(
    tmp_path: Path, capsys: Captured
) -> None:
    kept = {"role": "keep", "keep_confirmed": True}
    columns = (
        *example("AB").columns,
        ColumnPlan(name="one", kind="nominal", **kept),
        ColumnPlan(name="a, b", kind="nominal", **kept),
        ColumnPlan(name="lines", kind="nominal", **kept),
        ColumnPlan(name="w", kind="weight", **kept),
        ColumnPlan(
            name="n",
            kind="integer",
            domain=Integer(lower=0, upper=90),
            confirmed=True,
            role="protect",
            mechanism=mechanism("laplace", "1"),
        ),
    )
    rows = [
        ("abc"[row % 3], "xy"[row % 2], "q", "r", '"first\nsecond"', "1.5", str(row))
        for row in range(60)
    ]
    write(tmp_path / "records.csv", rows, 'A,B,one,"a, b",lines,w,n')
    save_plan(Plan(columns=columns), tmp_path / "plan.json")
    place = ["estimate", str(tmp_path / "records.csv"), "--plan", str(tmp_path / "plan.json")]
    place.append("--unverified")
    assert main([*place, "--test", "A,one"]) == 0
    assert "“one” has one category" in capsys.readouterr().out
    assert main([*place, "--cross", "A,w"]) != 0
    assert "“w” is no column of answers" in capsys.readouterr().err
    # A category with a line break stays in its row.
    assert main([*place, "--cross", "A,lines"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert sum("first\\x0asecond" in row and row.split()[0] in "abc" for row in rows) == 3
    # A name may hold a comma, in quotation marks.
    assert main([*place, "--cross", '"a, b",A', "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["columns"] == ["a, b", "A"]
    # What is to be taken as categories is never taken as a number.
    assert main([*place, "--formula", "C(n) ~ B"]) != 0
    assert T.HOLDS_NUMBERS(column="n") in capsys.readouterr().err


def test_that_a_regression_is_told(place: list[str], capsys: Captured, tmp_path: Path) -> None:
    from math import log

    assert main([*place, "--formula", "B ~ A", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["model"], told["method"], told["categories"]) == (
        "logistic",
        "likelihood",
        ["x", "y"],
    )
    rows = {row["name"]: row for row in told["coefficients"]}
    assert list(rows) == ["Intercept", "A[T.b]", "A[T.c]"]
    # b has y one time in four, a two times in three.
    row = rows["A[T.b]"]
    assert row["estimate"] == pytest.approx(log(1 / 3) - log(2), abs=1e-5)
    assert row["lower"] < row["estimate"] < row["upper"]
    assert 0 < row["p_value"] < 1
    assert main([*place, "--formula", "B ~ A"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        f"{Cli.REGRESSION(model='Logistic', outcome='B')}, 1,800 records, by likelihood of the "
        "reports"
    )
    assert lines[1] == Cli.LOG_ODDS(others="y", first="x")
    assert lines[4].split()[:2] == ["A[T.b]", "-1.79176"]
    table = tmp_path / "slopes.csv"
    assert main([*place, "--formula", "B ~ A", "--table", str(table)]) == 0
    written = list(csv.DictReader(table.read_text().splitlines()))
    assert float(written[1]["estimate"]) == pytest.approx(row["estimate"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cross", "A"], "two or three"),
        (["--cross", "A,A"], "twice"),
        (["--cross", "A,C"], "Name one of"),
        (["--cross", "A,B", "--by", "A"], "no effect"),
        (["--share", "B"], "--by"),
        (["--mean", "A", "--by", "B"], T.HOLDS_CATEGORIES(column="A")),
        (["--cross", "A,B", "--test", "A,B"], "one at a time"),
        (["--test", "A"], "two columns"),
        (["--formula", "B"], "a tilde"),
        (["--formula", "B ~ A", "--model", "linear"], "has categories, not numbers"),
        (["--formula", "A ~ B", "--model", "logistic"], "has 3 categories"),
        (["--cross", "A,B", "--model", "linear"], "without --formula"),
        (["--strata", "A"], "without --cross"),
        (["--cross", "A,B", "--lonely-psu", "centred"], "without --strata"),
        (["--cross", "A,B", "--strata", "B"], T.NOT_UNPROTECTED(column="B")),
    ],
)
def test_that_what_cannot_be_asked_is_refused(
    place: list[str], capsys: Captured, words: list[str], told: str
) -> None:
    assert main([*place, *words]) != 0
    shown = capsys.readouterr()
    assert told in shown.err
    assert shown.out == ""


@pytest.mark.parametrize(
    "asked", [["--share", "B", "--by", "A"], ["--cross", "A,B"], ["--mean", "n", "--by", "A"]]
)
def test_that_one_record_has_no_variance_and_no_interval(
    asked: list[str], tmp_path: Path, capsys: Captured
) -> None:
    domain = Integer(lower=0, upper=9)
    number = ColumnPlan(name="n", kind="integer", domain=domain, role="keep", keep_confirmed=True)
    plan = example("AB").with_columns((*example("AB").columns, number))
    save_plan(plan, tmp_path / "plan.json")
    records = write(tmp_path / "records.csv", [("a", "x", "7")], "A,B,n")
    words = ["estimate", str(records), "--plan", str(tmp_path / "plan.json"), *asked]
    words.append("--unverified")
    assert main([*words, "--json"]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    (own,) = (cell for cell in cells if cell["categories"] in (["a"], ["a", "x"]))
    assert own.get("share", own.get("mean")) in (1, 7)
    for cell in cells:
        assert cell["standard_error"] is None
    assert (own["lower"], own["upper"]) == (None, None)
    assert main(words) == 0
    line = next(one for one in capsys.readouterr().out.splitlines() if one.startswith("a"))
    assert line.split().count("-") >= 3
