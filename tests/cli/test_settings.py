from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.draft import with_setting
from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from dpdesk.cli.texts import T as Cli
from dpdesk.data.sample import sample_path
from dpdesk.domains import Categorical
from dpdesk.errors import DpdeskError
from dpdesk.plan import ColumnPlan, Plan

THREE = Categorical(values=("a", "b", "c"))
NAMES = ("q", "q=grr:1,b", "a,b=c", "id")
PLAN = Plan(
    columns=(
        *(ColumnPlan(name=name, kind="nominal", domain=THREE) for name in NAMES[:3]),
        ColumnPlan(name="id", kind="identifier"),
    )
)


@pytest.mark.parametrize(
    ("setting", "name", "fields"),
    [
        ("q=grr:1.5", "q", {"kind": "grr", "epsilon": "1.5"}),
        (
            "q=rappor:2,hashes=1,bits=16,permanent_ratio=2.5",
            "q",
            {"kind": "rappor", "hashes": 1, "bits": 16, "permanent_ratio": "2.5"},
        ),
        ("a,b=c=olh:1,buckets=3", "a,b=c", {"kind": "olh", "buckets": 3}),
        ("q=grr:1,b=oue:2", "q=grr:1,b", {"kind": "oue", "epsilon": "2"}),
    ],
)
def test_that_a_setting_names_column_mechanism_and_parameters(
    setting: str, name: str, fields: dict[str, object]
) -> None:
    column = with_setting(PLAN, setting).column(name)
    assert column.role == "protect"
    assert column.locked
    assert column.mechanism is not None
    stored = column.mechanism.model_dump(mode="json")
    assert {key: stored[key] for key in fields} == fields


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_that_a_matrix_is_read_from_a_file(separator: str, tmp_path: Path) -> None:
    rows = [["0.5", "1/4", "0.25"], ["0.2", "0.6", "0.2"], ["1/3", "1/3", "1/3"]]
    rows[2] = ["0.1", "0.2", "0.7"]
    path = tmp_path / "m.csv"
    path.write_text("\ufeff" + "\n".join(separator.join(row) for row in rows) + "\n\n", "utf-8")
    mechanism = with_setting(PLAN, f"q=pram,matrix=@{path}").column("q").mechanism
    assert mechanism is not None
    assert mechanism.model_dump()["matrix"] == tuple(map(tuple, rows))
    assert mechanism.epsilon == Decimal("1.609437912435")
    with pytest.raises(DpdeskError, match="The matrix has epsilon"):
        with_setting(PLAN, f"q=pram:1,matrix=@{path}")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("q", "not of the form"),
        ("q=", "not of the form"),
        ("q=grr", "not of the form"),
        ("q=grr:1,size", "not of the form"),
        ("z=grr:1", Cli.NO_COLUMN(name="z")),
        ("q=grr:1,seed=42", Reading.NO_SUCH_PARAMETER(kind="GRR", name="seed", known="x")),
        ("q=rappor:1,seed=42", "bits, hashes, cohorts and permanent_ratio"),
        ("q=rappor:1,hashes=1,hashes=2", "given twice"),
        ("q=rappor:1,hashes=9", "RAPPOR, parameter hashes: Input should be less than or equal"),
        ("q=rappor:1,hashes=two", "RAPPOR, parameter hashes"),
        ("q=rappor:1,cohorts=3", "power of two"),
        ("q=pram", "PRAM, parameter matrix: Field required"),
        ("q=pram,matrix=0.5", "A matrix is a list of rows"),
        ("q=pram,matrix=@/nowhere/m.csv", "cannot be read"),
        ("id=grr:1", Cli.NOTHING_TO_PROTECT(name="id", kind="identifier")),
        ("q=warner:1", "exactly two"),
    ],
)
def test_that_a_wrong_setting_is_answered_with_what_is_wrong(setting: str, words: str) -> None:
    with pytest.raises(DpdeskError) as caught:
        with_setting(PLAN, setting)
    assert words in str(caught.value)


def test_that_rappor_and_a_matrix_go_from_draft_to_estimates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matrix, plan, out = tmp_path / "m.csv", tmp_path / "plan.json", tmp_path / "release"
    chances = [["0.6" if y == x else "0.08" for y in range(6)] for x in range(6)]
    matrix.write_text("\n".join(",".join(row) for row in chances), "utf-8")
    sample = str(sample_path())
    words = ["--set", "religious=rappor:1,hashes=1", "--set", f"occupation=pram,matrix=@{matrix}"]
    words += ["--confirm-domains", "--epsilon", "12"]
    assert main(["draft", sample, "-o", str(plan), *words]) == 0
    assert main(["release", sample, "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["estimates"]
    religious = [row for row in rows if row["attribute"] == "religious"]
    assert sum(row["simplex"] for row in religious) == pytest.approx(1)
    assert all(row["lasso"] is not None for row in religious)
    occupation = [row for row in rows if row["attribute"] == "occupation"]
    assert len(occupation) == 6
    assert sum(row["estimate"] for row in occupation) == pytest.approx(1)
    assert sum(row["iterative_bayes"] for row in occupation) == pytest.approx(1)
    report = (out / "annex.html").read_text("utf-8")
    assert "Possible estimates, biased" in report
    assert "Lasso" in report


def test_that_shares_of_intervals_are_printed_as_shares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "release"
    sample = str(sample_path())
    words = ["--set", "affairs=square_wave:2", "--confirm-domains"]
    assert main(["draft", sample, "-o", str(plan), *words]) == 0
    assert main(["release", sample, "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("affairs")]
    assert lines[0].split()[1] == "mean"
    assert len(lines) > 10
    # An estimate with its ends, or its error beside them, and two errors of noise, all with units.
    assert all("share of" in x and x.count(" %") + x.count(" pp") in (5, 6) for x in lines[1:])
