"""Kept columns on coarser levels: what is released is what `dpdesk coarsen` writes, and is said."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.releases.verify import verify_release
from dpdesk.reports.texts import T
from tests.texts import values_in

CITIES = ("Bonn", "Jena", "Kiel")
DECLARED = ["--declare", "age=18..60", "--declare", "city=Bonn|Jena|Kiel"]


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Ninety people, each with a number of their own that the release keeps."""
    path = tmp_path / "people.csv"
    rows = (
        f"p{i:02},{18 + i * 7 % 43},{CITIES[i % 3]},{'yes' if i % 4 else 'no'},{i % 5 == 0:d}"
        for i in range(90)
    )
    path.write_text("\n".join(["id,age,city,vote,smokes", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def plan(survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Votes and smoking protected, numbers kept, ages and cities undecided."""
    draft, path = tmp_path / "draft.json", tmp_path / "plan.json"
    words = [*DECLARED, "--declare", "vote=yes|no", "--declare", "smokes=0|1", "--keep", "id"]
    words += ["--drop", "age", "--drop", "city", "--epsilon", "2"]
    assert main(["draft", str(survey), "-o", str(draft), *words]) == 0, capsys.readouterr().err
    assert main(["confirm", str(draft), "-o", str(path)]) == 0
    capsys.readouterr()
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def kept(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[Path, Path]:
    """Returns the plan with ages and cities coarser, and the folder of the coarsened file."""
    new, folder = tmp_path / "new.json", tmp_path / "coarse"
    words = ["--plan", str(plan), "--quasi", "age,city", "--keep", "id", "--out", str(folder)]
    code = main(["coarsen", str(survey), *words, "-o", str(new), *more])
    assert code == 0, capsys.readouterr().err
    return new, folder


def released(survey: Path, plan: Path, tmp_path: Path, *more: str) -> Path:
    folder = tmp_path / "release"
    ledger = ["--ledger", str(tmp_path / "ledger.json"), "--population", "people"]
    assert main(["release", str(survey), "--plan", str(plan), "--out", str(folder), *ledger]) == 0
    return folder


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd"])
def test_that_each_record_has_the_values_that_coarsen_writes(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], strategy: str
) -> None:
    levels = ["--k", "2", "--level", "age=2", "--level", "city=1", "--widths", "age=5,10"]
    new, coarse = kept(survey, plan, tmp_path, capsys, *levels)
    content = json.loads(new.read_text(encoding="utf-8"))
    if strategy != "spl":
        content["strategy"] = strategy
        for column in content["columns"]:
            if column["role"] == "protect" and strategy == "rsfd":
                column["mechanism"] = {"kind": "grr", "epsilon": "1"}
        new.write_text(json.dumps(content), encoding="utf-8")
    folder = released(survey, new, tmp_path)
    own = {row["id"]: (row["age"], row["city"]) for row in rows_of(folder / "records.csv")}
    assert own == {row["id"]: (row["age"], row["city"]) for row in rows_of(coarse / "records.csv")}
    # By the definition: bands of ten from multiples of ten, within what is declared.
    for row in rows_of(survey):
        start = int(row["age"]) // 10 * 10
        low, high = max(start, 18), min(start + 9, 60)
        band = f"{low}" if low == high else f"{low} to {high}"
        assert own[row["id"]] == (band, "*")


def test_that_report_codebook_and_risk_of_the_folder_say_it(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, _ = kept(survey, plan, tmp_path, capsys, "--k", "5", "--widths", "age=10,20")
    folder = released(survey, new, tmp_path)
    assert not verify_release(folder).faults
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    told = report["risk"]["kept"]
    (age,) = (column for column in told["coarser"] if column["column"] == "age")
    assert age["levels_from"] == "declared"
    assert age["level_from"] == "the records"
    (recoded,) = (v for s in report["unit"]["not_protected"] for v in values_in(T.RECODED_FROM, s))
    assert f"{recoded['name']} {recoded['words']}" == f"age {age['words']}"
    book = rows_of(folder / "codebook.csv")
    listed = [row for row in book if row["column"] == "age"]
    (said,) = values_in(T.RECODED_VALUES_FROM, listed[0]["meaning"])
    assert said["words"] == age["words"]
    assert {row["age"] for row in rows_of(folder / "records.csv")} <= {r["value"] for r in listed}
    # Whoever holds the folder alone counts the same, and estimates from it.
    capsys.readouterr()
    assert main(["risk", str(folder), "--quasi", "age,city", "--json"]) == 0
    of_folder = json.loads(capsys.readouterr().out)
    assert main(["risk", str(survey), "--plan", str(new), "--quasi", "age,city", "--json"]) == 0
    of_plan = json.loads(capsys.readouterr().out)
    assert of_folder["k"] == of_plan["k"] >= 5
    assert of_folder["classes"] == of_plan["classes"]
    assert main(["estimate", str(folder), "--by", "city"]) == 0
    again = tmp_path / "again.json"
    assert main(["check", str(folder / "plan.json"), "--json"]) == 0
    assert not again.exists()


def test_that_levels_from_the_records_are_kept_only_if_said(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draft, new = tmp_path / "draft.json", tmp_path / "new.json"
    protected = ["--declare", "vote=yes|no", "--epsilon", "1", "--drop", "id"]
    assert main(["draft", str(survey), "-o", str(draft), *protected]) == 0
    words = [str(survey), "--plan", str(draft), "--quasi", "age", "-o", str(new), "--k", "3"]
    assert main(["coarsen", *words]) == 2
    assert Cli.UNDECLARED(names="“age”") in capsys.readouterr().err
    assert not new.exists()
    assert main(["coarsen", *words, "--levels-from-data"]) == 0
    columns = {c["name"]: c for c in json.loads(new.read_text(encoding="utf-8"))["columns"]}
    told = columns["age"]["coarsening"]
    assert (told["levels_from_records"], told["level_from_records"]) == (True, True)
    assert told["confirmed"] is True
    assert (columns["age"]["role"], columns["age"]["keep_confirmed"]) == ("keep", True)


def test_that_a_plan_leaves_out_no_record_and_that_is_said(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new.json"
    words = ["--plan", str(plan), "--quasi", "age", "--k", "3", "--suppress", "20%"]
    words += ["--widths", "age=4", "--level", "age=1", "-o", str(new), "--json"]
    assert main(["coarsen", str(survey), *words]) == 0
    out = capsys.readouterr()
    left = json.loads(out.out)["records_left_out"]
    assert left > 0
    assert Cli.KEPT_BY_PLAN(count=left) in out.err
    # A level that is set without a search follows from no record.
    (age,) = (c for c in json.loads(new.read_text("utf-8"))["columns"] if c["name"] == "age")
    assert age["coarsening"]["level_from_records"] is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "mondrian", "--ordered", "city"], "has no effect without --method lattice"),
        (["--quasi", "age", "--level", "age=9"], "“age” has the levels 0 to"),
        (["--quasi", "nobody"], "no column “nobody”"),
    ],
)
def test_that_what_no_plan_can_hold_is_refused(
    words: list[str],
    said: str,
    survey: Path,
    plan: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    new = tmp_path / "new.json"
    placed = ["--plan", str(plan), "--quasi", "age,city", *words, "-o", str(new)]
    assert main(["coarsen", str(survey), *placed]) != 0
    assert said in capsys.readouterr().err
    assert not new.exists()


def test_that_a_plan_without_its_column_and_a_command_without_its_plan_are_refused(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new.json"
    words = ["coarsen", str(survey), "--quasi", "city", *DECLARED[2:], "-o", str(new)]
    assert main(words) == 2
    assert "--plan-out has no effect without --plan" in capsys.readouterr().err
    content = json.loads(plan.read_text(encoding="utf-8"))
    content["columns"] = [c for c in content["columns"] if c["name"] != "city"]
    plan.write_text(json.dumps(content), encoding="utf-8")
    assert main([*words, "--plan", str(plan)]) != 0
    assert "The plan has no column “city”" in capsys.readouterr().err
    assert not new.exists()


def test_that_statistics_of_the_same_plan_count_the_answers_as_they_are(
    survey: Path, plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, _ = kept(survey, plan, tmp_path, capsys, "--k", "5", "--widths", "age=10,20")
    content = json.loads(new.read_text(encoding="utf-8"))
    age = next(column for column in content["columns"] if column["name"] == "age")
    assert age["coarsening"]["level"] > 0
    folder = tmp_path / "numbers"
    ledger = ["--ledger", str(tmp_path / "ledger.json"), "--population", "people"]
    words = ["query", str(survey), "--plan", str(new), "--out", str(folder), *ledger]
    code = main([*words, "--query", "mean of age; epsilon=30"])
    out = capsys.readouterr()
    if code != 0:
        pytest.fail(out.err)
    public = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    assert all("coarsening" not in column for column in public["columns"])
