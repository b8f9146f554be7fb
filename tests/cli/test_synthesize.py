"""`dpdesk synthesize`: from a file and a plan to rows that are nobody's."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.reading_texts import ReadingTexts as Reading
from dpdesk.cli.texts import T as Cli
from dpdesk.ledgers import Ledger
from dpdesk.plan import load_plan
from dpdesk.plan.checks.synthesis import check_synthesis
from dpdesk.plan.verdicts import RATINGS, verdict_of_all
from dpdesk.queries.texts import T
from dpdesk.releases.texts import T as ReleasesT
from dpdesk.releases.verify import verify_release
from dpdesk.reports.texts import T as Report
from tests.cli.sentences import told_by_label

ROWS = 2_000


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with answers and a plan of them."""
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{'ab'[i % 2]},{'xyz'[i % 2 + i // 7 % 2]},{20 + i % 2 * 30 + i % 9}" for i in range(ROWS)
    ]
    (tmp_path / "people.csv").write_text("\n".join(["kind,sort,age", *lines]) + "\n", "utf-8")
    words = ["draft", "people.csv", "-o", "plan.json", "--epsilon", "3", "--confirm-domains"]
    assert main([*words, "--declare", "age=18..70"]) == 0
    return tmp_path


def rows_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "records.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def synthesize(*words: str) -> int:
    return main(["synthesize", "people.csv", "--plan", "plan.json", *words])


def test_that_rows_are_written_charged_and_told(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert synthesize("--epsilon", "2", "--out", "made", "--population", "People") == 0
    told = capsys.readouterr().out
    rows = rows_of(place / "made")
    assert Reading.MADE(count=len(rows), epsilon="2") in told
    assert Reading.FROM_TABLES(count=6) in told
    assert Reading.INVENTED() in told
    assert f"{Cli.SPENT_WITH(name='People', count=0, before='0', now='2')}\n" in told
    assert not verify_release(place / "made").faults
    (entry,) = Ledger.open().book().populations()[0].releases
    assert (entry.kind, str(entry.costs[0].epsilon)) == ("synthetic", "2")
    # Who is of kind a is young.
    young = [row for row in rows if int(row["age"]) < 40]
    assert sum(row["kind"] == "a" for row in young) > 0.9 * len(young)
    assert main(["ledger", "--verify", "made"]) == 0
    assert "is in the ledger" in capsys.readouterr().out


def test_that_the_options_say_how_many_rows_and_which_loss(place: Path) -> None:
    words = ("--epsilon", "1.5", "--delta", "0.00001", "--rows", "17", "--classes", "5")
    assert synthesize(*words, "--out", "made") == 0
    assert len(rows_of(place / "made")) == 17
    plan = json.loads((place / "made" / "plan.json").read_text(encoding="utf-8"))
    wanted = {"epsilon": "1.5", "delta": "0.00001", "rows": 17, "classes": 5}
    assert plan["synthesis"] == wanted
    report = json.loads((place / "made" / "report.json").read_text(encoding="utf-8"))
    assert report["guarantee"]["delta"] == "1e-5"
    (age,) = [column for column in report["columns"] if column["column"] == "age"]
    assert age["classes"] == ["18 to 19", "20 to 39", "40 to 59", "60 to 70"]


def test_that_unconfirmed_domains_name_the_command_that_confirms(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draft", "people.csv", "-o", "open.json", "--epsilon", "3"]) == 0
    capsys.readouterr()
    assert main(["synthesize", "people.csv", "--plan", "open.json", "--out", "made"]) == 1
    assert "dpdesk confirm PLAN" in capsys.readouterr().err
    (problem,) = (p for p in check_synthesis(load_plan(Path("open.json"))) if "kind" in p.path)
    assert "dpdesk" not in problem.in_window


def test_that_a_row_may_equal_a_respondents_is_told_and_beliefs_are_rounded_alike(
    place: Path,
) -> None:
    assert synthesize("--epsilon", "1", "--out", "made") == 0
    page = (place / "made" / "report.html").read_text(encoding="utf-8")
    assert Report.NO_ONES() in page
    assert "50 % → 73.2" in page


def test_that_one_row_is_told_as_one(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert synthesize("--rows", "1", "--out", "made") == 0
    assert Reading.MADE(count=1, epsilon="1") in capsys.readouterr().out


def test_that_looking_ahead_draws_and_charges_nothing(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert synthesize("--before") == 0
    told = capsys.readouterr().out
    lines = told_by_label(told)
    assert "age" in lines
    assert (lines[Reading.TABLES_MEASURED()], lines[Reading.PAIRS()]) == ("3", "3")
    assert lines[Reading.ROWS_DRAWN()].startswith("about 2,000 ± ")
    assert synthesize("--before", "--json", "--epsilon", "10") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["pairs"] == content["tables_measured"] == 3
    assert set(content["distance_of_columns"]) == {"kind", "sort", "age"}
    assert Ledger.open().book().populations() == ()


def test_that_true_distances_go_into_a_private_file_alone(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert synthesize("--out", "made", "--private-diagnostics", "private.json") == 0
    assert "PRIVATE" in capsys.readouterr().out
    content = json.loads((place / "private.json").read_text(encoding="utf-8"))
    assert content["marking"].startswith("PRIVATE")
    assert (place / "private.json").stat().st_mode & 0o077 == 0
    assert len(content["pairs"]) == 3
    assert content["mean_of_pairs"] < 0.2
    for path in (place / "made").iterdir():
        assert b"input_digest" not in path.read_bytes()
    assert synthesize("--out", "more", "--private-diagnostics", "more/private.html") != 0
    assert not (place / "more").exists()
    assert synthesize("--out", "third", "--private-diagnostics", "private.html") == 0
    assert "True distances" in (place / "private.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name it with --out"),
        (("--out", "made", "--epsilon", "0"), "Epsilon must lie between"),
        (("--out", "made", "--epsilon", "nan"), "not a number that epsilon can be"),
        (("--out", "made", "--delta", "0.5"), "--delta"),
        (("--out", "made", "--delta", "x"), Cli.BAD_DELTA()),
        (("--out", "made", "--rows", "0"), "--rows"),
        (("--out", "made", "--classes", "1"), "--classes"),
        (("--out", "made", "--epsilon", "0.0009"), "at least"),
    ],
)
def test_that_what_cannot_be_is_refused_in_a_sentence_and_charges_nothing(
    place: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    capsys.readouterr()
    assert synthesize(*words) != 0
    said = capsys.readouterr()
    assert told in said.err
    assert said.err.count("\n") == 1
    assert not (place / "made").exists()
    assert Ledger.open().book().populations() == ()


def test_that_synthetic_rows_are_not_taken_for_reports(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert synthesize("--out", "made", "--rows", "50") == 0
    capsys.readouterr()
    for name in ("made", "made/records.csv"):
        assert main(["estimate", name]) != 0
        assert ReleasesT.OF_SYNTHETIC() in capsys.readouterr().err


def test_that_a_check_looks_at_synthetic_rows_where_a_plan_has_them(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert synthesize("--out", "made", "--epsilon", "2") == 0
    capsys.readouterr()
    assert main(["check", "made/plan.json", "people.csv"]) == 0
    assert "0 errors" in capsys.readouterr().out
    plan = json.loads((place / "made" / "plan.json").read_text(encoding="utf-8"))
    plan["synthesis"]["epsilon"] = "0.0009"
    (place / "small.json").write_text(json.dumps(plan), encoding="utf-8")
    assert main(["check", "small.json"]) != 0
    assert "error: synthesis.epsilon: " in capsys.readouterr().out


def test_that_what_cannot_be_is_said_on_the_command_line_and_kept_in_the_plan(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (
        "--impossible",
        "age is at most 36 and kind is b",
        "--impossible",
        "sort is z and kind is a",
    )
    assert synthesize("--epsilon", "0.2", "--rows", "3000", "--out", "made", *words) == 0
    rows = rows_of(place / "made")
    assert not any(int(row["age"]) <= 36 and row["kind"] == "b" for row in rows)
    assert not any(row["sort"] == "z" and row["kind"] == "a" for row in rows)
    plan = load_plan(place / "made" / "plan.json")
    assert [one.description for one in plan.synthesis.impossible] == [words[1], words[3]]
    report = json.loads((place / "made" / "report.json").read_text(encoding="utf-8"))
    assert report["impossible"] == [f"{words[1]}.", f"{words[3]}."]
    capsys.readouterr()
    # The plan in the folder has them already: they are not repeated.
    again = ["synthesize", "people.csv", "--plan", "made/plan.json", "--out", "again", *words[:2]]
    assert main(again) == 0
    assert len(load_plan(place / "again" / "plan.json").synthesis.impossible) == 2


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("age is at most 36", "two to six"),
        ("income is 3 and kind is a", "income"),
        ("kind is q and age is 30", "kind"),
        ("age is at least 18 and kind is a or b", "exclude every record"),
        ("age is between 60 and 20 and kind is a", T.CROSSED_CONDITION(column="age")),
        ("age is from 60 to 20 and kind is a", T.CROSSED_CONDITION.remedy),
        ("kind is a and kind is b", "No record can have this in any case"),
        ("age is at least 500 and kind is a", "No record can have this in any case"),
        ("age is at most 30 and age is at least 31 and kind is a", "No record can have this"),
        ("kind is not a and kind is not b", "No record can have this in any case"),
    ],
)
def test_that_an_impossible_declaration_is_refused_and_charges_nothing(
    place: Path, capsys: pytest.CaptureFixture[str], typed: str, told: str
) -> None:
    capsys.readouterr()
    assert synthesize("--out", "made", "--impossible", typed) != 0
    assert told in capsys.readouterr().err
    assert not (place / "made").exists()
    assert Ledger.open().book().populations() == ()


def test_that_every_table_has_its_prediction_and_its_verdict_before(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert synthesize("--before", "--epsilon", "3") == 0
    told = told_by_label(capsys.readouterr().out)
    assert "kind × age" in told
    assert synthesize("--before", "--json", "--epsilon", "40") == 0
    assert json.loads(capsys.readouterr().out)["verdict_of_columns"]["kind"] == "useful"
    assert synthesize("--before", "--json", "--epsilon", "0.01") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["verdict"] == "useless"
    assert set(content["verdict_of_columns"]) == {"kind", "sort", "age"}
    assert [table["columns"] for table in content["tables"]] == [
        ["kind", "sort"],
        ["kind", "age"],
        ["sort", "age"],
    ]
    for table in content["tables"]:
        assert 0 < table["distance_if_independent"] <= table["distance_if_dependent"] <= 1


def test_that_the_verdict_is_the_same_in_output_and_report_and_by_released_cells(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert synthesize("--epsilon", "3", "--out", "made") == 0
    said = capsys.readouterr().out
    report = json.loads((place / "made" / "report.json").read_text(encoding="utf-8"))
    # Published is what the released cells are worth, of which some are rare.
    own = [table["usefulness"] for table in report["tables"]]
    assert report["usefulness"] == verdict_of_all(own)
    rating = RATINGS[report["usefulness"]]()
    assert Reading.ROWS_ARE(verdict=rating) in said
    assert f"the rows are <strong>{rating}</strong>" in (
        (place / "made" / "report.html").read_text(encoding="utf-8")
    )
    assert main(["check", "made/plan.json", "people.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["usefulness"]["synthetic"]
    # Before the release they are judged by the file: some answers are rare there, too.
    assert "useful" not in {found["verdict"], report["usefulness"]}
    assert all(one["goes_by_the_file"] for one in found["numbers"])
    assert [one["of"] for one in found["numbers"]][3:] == [
        "kind × sort",
        "kind × age",
        "sort × age",
    ]
