"""`dpdesk coarsen` as it is typed: what it prints, writes, refuses, and does not tell."""

from __future__ import annotations

import csv
import errno
import json
import re
from collections import Counter
from pathlib import Path

import pyreadstat
import pytest

from dpdesk.cli.column_settings import WIDTHS
from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.disclosure.coarsening import NODES_MOST
from dpdesk.disclosure.information_loss import LOSSES
from dpdesk.disclosure.level_choice import read_hierarchy
from dpdesk.disclosure.methods import METHODS
from dpdesk.disclosure.texts import T
from dpdesk.releases.verify import verify_release
from dpdesk.requests.coarsen import CoarsenRequest
from dpdesk.resources import resource
from tests.reports.json_schema import faults

CITIES = ("Bonn", "Jena", "Kiel")
DECLARED = ["--declare", "age=20..59", "--declare", "city=Bonn|Jena|Kiel"]


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Ninety people; one age is only once there, and an illness is rare."""
    rows = [
        (20 + i * 7 % 30, CITIES[i % 3], "flu" if i % 4 else "gout", f"p{i}") for i in range(89)
    ]
    rows.append((59, "Kiel", "zoster", "p89"))
    path = tmp_path / "people.csv"
    lines = ["id,age,city,illness", *(f"{d},{a},{c},{b}" for a, c, b, d in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = main(["coarsen", *words])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_that_a_written_file_fulfils_what_was_asked_and_holds_nothing_else(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    words = [str(survey), "--quasi", "age,city", "--sensitive", "illness", "--k", "5", "--l", "2"]
    words += ["--suppress", "5%", *DECLARED, "--out", str(folder), "--json"]
    code, out, error = told(words, capsys)
    assert code == 0, error
    found = json.loads(out)
    with (folder / "records.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    assert head == ["age", "city", "illness"]
    classes = Counter(tuple(row[:2]) for row in rows)
    assert min(classes.values()) == found["after"]["k"] >= 5
    assert all(len({row[2] for row in rows if tuple(row[:2]) == key}) >= 2 for key in classes)
    assert len(rows) == 90 - found["records_left_out"]
    # The order says nothing of the order before.
    assert rows == sorted(rows)
    assert set(found["files"]) == {path.name for path in folder.iterdir()}
    assert not verify_release(folder).faults
    ages = read_hierarchy(folder / "levels-1.csv", "age")
    assert (ages.keys[0], ages.keys[-1]) == ("20", "59")


def test_that_the_report_begins_with_what_the_file_is_not_and_tells_nothing_of_the_file_before(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    words = [str(survey), "--quasi", "age,city", "--k", "5", "--suppress", "5%", *DECLARED]
    assert told([*words, "--out", str(folder)], capsys)[0] == 0
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert next(iter(report)) == "statement"
    assert report["statement"].startswith("This file is not differentially private")
    assert report["differentially_private"] is False
    html = (folder / "report.html").read_text(encoding="utf-8")
    body = html[html.index("<main>") :]
    assert body.index("This file is not differentially private") < body.index("<h1>")
    # How many were left out, and how the file was before, cannot be found in the folder.
    assert not {"before", "records_left_out", "entropy_lost", "tables"} & set(report)
    assert report["suppressed_at_most"] == "5%"
    assert report["rows"] == len((folder / "records.csv").read_text("utf-8").splitlines()) - 1


def test_that_nothing_is_written_without_a_folder_and_no_ledger_is_touched(
    survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in survey.parent.iterdir())
    code, out, error = told([str(survey), "--quasi", "age,city", "--table", "age,city"], capsys)
    assert code == 0
    assert out.startswith("PRIVATE:")
    assert "Not differentially private" in out
    assert "age × city" in out
    assert "levels follow from the records" in error
    assert sorted(path.name for path in survey.parent.iterdir()) == before


def test_that_a_file_whose_levels_follow_from_its_records_is_written_only_if_said(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(survey), "--quasi", "age,city", "--out", str(tmp_path / "out")]
    code, _, error = told(words, capsys)
    assert code == 2
    assert Cli.UNDECLARED(names="“age” and “city”") in error
    assert not (tmp_path / "out").exists()
    assert told([*words, "--levels-from-data"], capsys)[0] == 0
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert {column["levels_from"] for column in report["columns"]} == {"the records"}


def test_that_no_folder_is_written_over(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(survey), "--quasi", "city", *DECLARED[2:], "--out", str(tmp_path / "out")]
    assert told(words, capsys)[0] == 0
    first = (tmp_path / "out" / "manifest.json").read_bytes()
    code, _, error = told(words, capsys)
    assert code != 0
    assert "is not empty" in error
    assert (tmp_path / "out" / "manifest.json").read_bytes() == first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--k", "91"], T.LARGE_K(k=91, rows=90)),
        (["--sensitive", "illness", "--l", "4"], T.LARGE_L(column="illness", values=3, least=4)),
        (["--t", "0.3"], T.NO_SENSITIVE_COLUMN()),
        (["--suppress", "60%"], T.BAD_LIMIT()),
        (["--suppress", "x"], T.BAD_LIMIT()),
        (["--level", "age=9"], "“age” has the levels 0 to"),
        (["--level", "age=two"], "--level COLUMN=NUMBER"),
        (["--level", "illness=1"], Cli.NOT_QUASI(name="illness")),
        (["--widths", "age=5,7"], T.BAD_WIDTHS(column="age")),
        (["--widths", "age=a"], WIDTHS.form),
        (["--widths", "city=5"], T.NO_NUMBERS(column="city")),
        (["--hierarchy", "age"], "--hierarchy COLUMN=FILE"),
        (["--hierarchy", "age=nothing.csv"], "nothing.csv"),
        (["--sensitive", "age"], T.KNOWN_AND_SENSITIVE(column="age")),
        (
            ["--level", "age=0", "--level", "city=0"],
            T.UNREACHABLE(symbol="k", wanted="5", reached="1"),
        ),
        (["--method", "mondrian"], T.NO_ORDER(column="city")),
        (["--method", "cells", "--t", "0.2"], "--t has no effect beside --method cells"),
        (["--table", "age,nobody"], "no column “nobody”"),
        (["--out", "OUT", "--keep", "age"], "age is named twice"),
        (["--method", "cells", "--importance", "age=0"], "0.001"),
    ],
)
def test_that_what_cannot_be_done_is_one_sentence(
    words: list[str], said: str, survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    placed = [str(tmp_path / "out") if word == "OUT" else word for word in words]
    code, _, error = told([str(survey), "--quasi", "age,city", *DECLARED, *placed], capsys)
    assert code != 0
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_that_a_value_without_a_level_is_counted_and_not_named(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    levels = tmp_path / "levels.csv"
    levels.write_text("Bonn,west,*\nJena,east,*\n", encoding="utf-8")
    words = [str(survey), "--quasi", "city", "--hierarchy", f"city={levels}"]
    code, out, error = told(words, capsys)
    assert code == 2
    assert T.UNLISTED(count=30, column="city") in error
    assert "Kiel" not in out + error


def test_that_columns_that_nobody_named_are_left_out_and_named_ones_kept(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(survey), "--quasi", "age,city", "--ordered", "city", "--method", "mondrian"]
    words += [*DECLARED, "--keep", "id", "--out", str(tmp_path / "out")]
    assert told(words, capsys)[0] == 0
    with (tmp_path / "out" / "records.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == ["id", "age", "city"]
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assert report["unchanged"] == ["id"]
    assert not (tmp_path / "out" / "levels-1.csv").exists()


def test_that_every_loss_and_method_has_its_word() -> None:
    # The help is shown without importing them.
    for field, kinds in (("method", METHODS), ("loss", LOSSES)):
        meaning = CoarsenRequest.declared_field(field).declared.meaning
        assert all(kind.word in meaning for kind in kinds)


def test_that_the_order_of_the_file_before_does_not_show(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, *rows = survey.read_text(encoding="utf-8").splitlines()
    turned = tmp_path / "turned.csv"
    turned.write_text("\n".join([head, *reversed(rows)]) + "\n", encoding="utf-8")
    words = ["--quasi", "age,city", "--sensitive", "illness", "--l", "2", "--suppress", "5%"]
    written = []
    for place, file in enumerate((survey, turned)):
        folder = tmp_path / f"out{place}"
        assert told([str(file), *words, *DECLARED, "--out", str(folder)], capsys)[0] == 0
        written.append((folder / "records.csv").read_bytes())
    assert written[0] == written[1]


def test_that_a_file_is_written_whole_or_not_at_all(
    survey: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    # What a killed run left: with files of levels it is still known as ours.
    left = place / ".out.abcdefgh.part"
    left.mkdir()
    (left / "levels-2.csv").write_text("Bonn,*\n", encoding="utf-8")

    def full(template: str, **content: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    words = [str(survey), "--quasi", "city", *DECLARED[2:], "--out", str(place / "out")]
    with monkeypatch.context() as patched:
        patched.setattr("dpdesk.releases.coarsened.page", full)
        code, _, error = told(words, capsys)
    assert code != 0
    assert "cannot be written" in error
    assert not list(place.iterdir())
    assert told(words, capsys)[0] == 0


def test_that_ordered_answers_are_as_far_from_the_whole_as_risk_says(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.json"
    declared = ["--declare", "illness=flu|gout|zoster", "--kind", "illness=ordinal", *DECLARED]
    assert main(["draft", str(survey), "-o", str(plan), *declared]) == 0
    capsys.readouterr()
    words = ["--plan", str(plan), "--quasi", "age,city", "--sensitive", "illness", "--json"]
    assert main(["risk", str(survey), *words]) == 0
    of_risk = json.loads(capsys.readouterr().out)["sensitive"]["illness"]
    assert of_risk["t_closeness_distance"] == "ordered"
    code, out, error = told([str(survey), *words, "--k", "2", "--suppress", "20%"], capsys)
    assert code == 0, error
    before = json.loads(out)["before"]["sensitive"]["illness"]
    assert before["t_closeness"] == pytest.approx(of_risk["t_closeness"])


@pytest.mark.parametrize(
    ("most", "records"), [("2%", 1), ("0.02", 1), ("2", 2), ("5.5 %", 4), ("0%", 0)]
)
def test_that_a_share_may_be_left_out_in_per_cent_or_as_a_decimal(
    most: str, records: int, survey: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(survey), "--quasi", "age,city", "--suppress", most]
    code, out, error = told(words, capsys)
    assert code == 0, error
    assert re.search(rf"may be left out +{records}\n", out)


def test_that_a_code_of_no_answer_is_told_as_one_and_not_as_a_value_without_a_level(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "codes.csv"
    ages = [20 + i % 30 for i in range(87)] + [999] * 3
    path.write_text("age\n" + "".join(f"{age}\n" for age in ages), encoding="utf-8")
    words = [str(path), "--quasi", "age", "--suppress", "2"]
    code, _, error = told(words, capsys)
    assert code != 0
    assert T.SUSPECTED_CODES(count=3, column="age", declaration="age=LOWEST..HIGHEST") in error
    assert "--missing-code=CODE" in error
    assert "999" not in error
    assert told([*words, "--missing-code=999"], capsys)[0] == 0
    assert told([*words, "--declare", "age=20..999"], capsys)[0] == 0


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        ("age,sex\n30,f\n", [], T.FEW_RECORDS()),
        ("age,sex\n,f\n,m\n,f\n", [], T.NO_ANSWERS(column="age")),
        ("age,sex\n,f\n,m\n,f\n", ["--declare", "age=0..99"], T.NO_ANSWERS(column="age")),
        (
            "age,sex\n3,f\n3,m\n4,f\n",
            ["--hierarchy", "age=LEVELS"],
            T.UNLISTED(count=1, column="age"),
        ),
    ],
)
def test_that_files_on_which_nothing_can_be_coarsened_have_a_clear_answer(
    content: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, levels = tmp_path / "few.csv", tmp_path / "levels.csv"
    path.write_text(content, encoding="utf-8")
    levels.write_text("3,low,*\n5,high,*\n", encoding="utf-8")
    placed = [word.replace("LEVELS", str(levels)) for word in words]
    declared = ["--declare", "sex=f|m", *placed]
    for method in METHODS:
        quasi = ["--quasi", "age,sex", "--k", "2", "--method", method.word, *declared]
        code, _, error = told([str(path), *quasi], capsys)
        assert (code, error.count("dpdesk: ")) == (2, 1)
        assert said in error
        assert "Traceback" not in error


def test_that_two_hundred_columns_have_a_short_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"q{place}" for place in range(200)]
    rows = [
        ",".join(str((row * (place % 2 + 1) + place) % 3) for place in range(200))
        for row in range(30)
    ]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([",".join(names), *rows]) + "\n", encoding="utf-8")
    words = [str(path), "--quasi", ",".join(names), "--k", "2"]
    code, _, error = told(words, capsys)
    assert code == 2
    assert T.MANY_COMBINATIONS(most=NODES_MOST) in error
    assert "“q7” and 192 more" in error
    assert len(error) < 600
    assert told([*words, "--method", "cells"], capsys)[0] == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "“age” cannot be used. levels.csv is empty"),
        ("20,a,*\n30,b\n", "“age” cannot be used. The record on line 2"),
        ("20\n30\n", T.NOT_ALL_LABELLED(column="age")),
        ("20,a,*\n20,b,*\n", T.VALUE_TWICE(column="age")),
        ("20,,*\n30,b,*\n", T.NO_LABEL(count=1, column="age", level=1)),
        ("20,a,x\n30,a,y\n", T.LEVEL_SEPARATES(level=2, column="age", row=2)),
    ],
)
def test_that_a_file_that_holds_no_levels_is_refused_with_what_it_should_hold(
    content: str, said: str, survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    levels = tmp_path / "levels.csv"
    levels.write_text(content, encoding="utf-8")
    words = [str(survey), "--quasi", "age", "--hierarchy", f"age={levels}"]
    code, _, error = told(words, capsys)
    assert code != 0
    assert said in error


def test_that_a_report_keeps_to_the_published_schema(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = json.loads(resource("schema/coarsened-report.schema.json").read_text("utf-8"))
    for place, method in enumerate(each.word for each in METHODS):
        folder = tmp_path / f"out{place}"
        words = ["--quasi", "age,city", "--sensitive", "illness", "--method", method, "--k", "3"]
        words += ["--ordered", "city"] * (method != "cells") + ["--out", str(folder)]
        assert told([str(survey), *words, *DECLARED], capsys)[0] == 0
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        assert list(faults(report, schema, schema)) == []
        assert list(faults(report | {"rows": "many"}, schema, schema))


def test_that_a_coarsened_file_comes_in_further_formats_which_show_no_text_that_was_left_out(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    longest = "a very long name of an illness that one respondent has"
    lines = survey.read_text().splitlines()
    head = lines[0].split(",")
    rare = dict.fromkeys(head, "") | {"age": "20", "city": "Elsewhere", "illness": longest}
    lines.append(",".join(rare[name] for name in head))
    survey.write_text("\n".join(lines) + "\n")
    words = [str(survey), "--quasi", "city", "--sensitive", "illness", "--level", "city=0"]
    words += ["--declare", "city=Bonn|Jena|Kiel|Elsewhere", "--suppress", "5%", "--k", "3"]
    code, _, error = told([*words, "--out", str(tmp_path / "out"), "--write", "sav"], capsys)
    assert code == 0, error
    table, meta = pyreadstat.read_sav(tmp_path / "out" / "records.sav")
    with (tmp_path / "out" / "records.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["illness"] for row in rows] == table["illness"].tolist()
    assert longest not in table["illness"].tolist()
    assert int(meta.original_variable_types["illness"][1:]) < len(longest)
