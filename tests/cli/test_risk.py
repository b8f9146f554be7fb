from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.data.read_file import load
from dpdesk.data.sample import sample_path
from dpdesk.disclosure.texts import T
from dpdesk.plan import draft_table
from dpdesk.preview.recognisable import RiskWish, chosen
from dpdesk.releases.texts import T as ReleasesT

ROWS = 40


@pytest.fixture
def people(tmp_path: Path) -> str:
    """Pairs by age; one pair is told apart by sex; two cells of job are missing."""
    rows = [
        f"{20 + row // 2},{'f' if row == 7 else 'm'},{'a' * (row > 1)},{row % 2},{1 + row % 3}"
        for row in range(ROWS)
    ]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["age,sex,job,income,w", *rows]) + "\n", encoding="utf-8")
    return str(path)


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["risk", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_that_json_has_the_figures_of_groups_and_of_each_sensitive_column(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--quasi", "age,sex", "--sensitive", "income", "--sensitive", "job"]
    content = told([people, *words], capsys)
    assert content["private"] is True
    assert content["quasi_identifiers_suggested"] is False
    assert (content["rows"], content["classes"], content["k"]) == (40, 21, 1)
    assert (content["unique_rows"], content["rows_below_5"]) == (2, 40)
    assert content["prosecutor_average_risk"] == 21 / 40
    income = content["sensitive"]["income"]
    assert (income["l_distinct"], income["l_entropy"], income["alpha"]) == (1, 1.0, 1.0)
    assert income["t_closeness"] == 0.5
    assert income["rows_disclosed"] == 2
    assert content["sensitive"]["job"]["rows_disclosed"] == 40
    assert [one["record"] for one in content["riskiest_records"]] == [8, 7]
    assert content["population"] is None


def test_that_it_is_told_in_sentences_that_it_is_private(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["risk", people, "--quasi", "age,sex", "--sensitive", "income"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("PRIVATE: computed from the survey's true answers")
    for part in ("2 (5.0 %)", T.L_DISTINCT(), "  8  ", T.BANDS(column="age", width="2")):
        assert part in out


def test_that_without_names_a_suggestion_is_shown_as_one(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["risk", people, "--json"]) == 0
    said = capsys.readouterr()
    assert "Suggested by the names of the columns" in said.err
    assert "--sensitive income" in said.err
    content = json.loads(said.out)
    assert content["quasi_identifiers_suggested"] is True
    assert set(content["quasi_identifiers"]) == {"age", "sex", "job"}


def test_that_the_command_and_the_window_suggest_the_same_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither what names each respondent nor survey weights are known to outsiders by a name."""
    rows = [f"T{i:03d},{20 + i % 9},{'mf'[i % 2]},{i % 4},{1 + i / 7:.3f}" for i in range(60)]
    path = tmp_path / "villages.csv"
    path.write_text(
        "\n".join(["village,age,sex,income,region weight", *rows]) + "\n", encoding="utf-8"
    )
    content = told([str(path)], capsys)
    table = load(path, names_alone=True)
    plan = draft_table(table)
    assert [column.kind for column in plan.columns[::4]] == ["identifier", "weight"]
    _, known, sensitive = chosen(table, plan, RiskWish())
    assert content["quasi_identifiers"] == list(known) == ["age", "sex"]
    assert list(content["sensitive"]) == list(sensitive) == ["income"]
    # The same where one column is named as what an outsider wants to learn.
    wish = RiskWish(sensitive=("sex",))
    _, known, _ = chosen(table, plan, wish)
    content = told([str(path), "--sensitive", "sex"], capsys)
    assert set(content["quasi_identifiers"]) == set(known)
    assert "sex" not in known


def test_that_a_suggestion_suits_missing_cells_that_match_any_value(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["risk", people, "--missing", "any", "--json"]) == 0
    said = capsys.readouterr()
    assert "--quasi age,sex,job" in said.err
    # It needs groups, which there are none of.
    assert "sensitive" not in said.err
    content = json.loads(said.out)
    assert content["missing_cells_are"] == "any value"
    assert content["sensitive"] == {}
    assert "special_uniques" not in content


def test_that_weights_tell_the_risk_in_the_population(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    population = told([people, "--quasi", "age,sex", "--weights", "w"], capsys)["population"]
    assert population["size"] == 79
    assert 0 < population["individual_average_risk"] < population["individual_highest_risk"] <= 1
    expected = population["expected_reidentifications"]
    assert expected == pytest.approx(ROWS * population["individual_average_risk"])


def test_that_fewer_records_and_a_larger_threshold_are_obeyed(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    content = told([people, "--quasi", "age,sex", "--records", "1", "--k", "2"], capsys)
    assert len(content["riskiest_records"]) == 1
    assert (content["threshold"], content["rows_below_threshold"]) == (2, 2)


def test_that_a_missing_cell_matches_any_value_where_it_is_said(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    own = told([people, "--quasi", "job"], capsys)
    any_value = told([people, "--quasi", "job", "--missing", "any"], capsys)
    assert (own["k"], own["missing_cells"], own["classes"]) == (2, 2, 2)
    # Those with a job match each other and both without; these match everybody.
    assert (any_value["k"], any_value["classes"]) == (40, None)


def test_that_the_kept_columns_of_a_plan_and_of_its_release_are_judged_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out, data = tmp_path / "plan.json", tmp_path / "out", str(sample_path())
    draft = ["draft", data, "-o", str(plan), "--keep", "children", "--keep", "age"]
    assert main([*draft, "--confirm-domains"]) == 0
    assert main(["check", str(plan), data]) == 0
    assert "Kept variables single people out" in capsys.readouterr().out
    assert main(["release", data, "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    of_plan = told(["--plan", str(plan), data], capsys)
    of_release = told([str(out)], capsys)
    assert (of_plan["private"], of_release["private"]) == (True, False)
    assert set(of_plan["quasi_identifiers"]) == {"children", "age"}
    for figure in ("rows", "classes", "k", "unique_rows", "rows_below_5"):
        assert of_plan[figure] == of_release[figure]
    report = json.loads((out / "report.json").read_text("utf-8"))
    assert report["risk"]["kept"]["unique_records"] == of_release["unique_rows"]
    assert report["risk"]["kept"]["sentence"] in (out / "report.html").read_text("utf-8")
    assert main(["risk", str(out)]) == 0
    assert capsys.readouterr().out.startswith("Computed from released columns alone")
    assert main(["risk", str(out), "--quasi", "religious"]) == 2
    assert "does not keep religious" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--quasi", "agee"], "“age” is similar"),
        (["--quasi", ","], T.NO_KNOWN()),
        (["--quasi", "age", "--sensitive", "age"], T.KNOWN_AND_SENSITIVE(column="age")),
        (["--quasi", "age", "--weights", "job"], T.BAD_WEIGHTS.remedy),
        (["--quasi", "age", "--k", "1"], "at least 2"),
        (["--quasi", "age", "--missing", "any", "--sensitive", "sex"], "--sensitive"),
    ],
)
def test_that_a_wrong_question_is_refused_in_one_sentence(
    people: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["risk", people, *words]) != 0
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_that_one_row_and_a_plan_that_keeps_nothing_are_refused(
    people: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = tmp_path / "one.csv"
    alone.write_text("age,sex\n20,m\n", encoding="utf-8")
    assert main(["risk", str(alone), "--quasi", "age"]) != 0
    assert T.FEW_RECORDS() in capsys.readouterr().err
    plan = tmp_path / "plan.json"
    assert main(["draft", people, "-o", str(plan)]) == 0
    capsys.readouterr()
    assert main(["risk", people, "--plan", str(plan)]) != 0
    assert "leaves no variable unprotected" in capsys.readouterr().err
    said = told([people, "--plan", str(plan), "--quasi", "age,sex"], capsys)["changes"]
    assert "drop" in {one["change"] for one in said}
    assert "protect" not in {one["change"] for one in said}
    assert main(["risk", people, "--plan", str(plan), "--quasi", "age,sex"]) == 0
    assert "Of the file itself" in capsys.readouterr().out


def test_that_what_leaves_out_and_protects_a_column_alike_is_told_once(
    people: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["risk", people, "--quasi", "age,sex"]) == 0
    said = capsys.readouterr().out.partition(T.CHANGES())[2].splitlines()
    for name in ("age", "sex"):
        changes = [line.strip().split("  ")[0] for line in said if f"protect {name}" in line]
        assert changes == [T.DROP(column=name)]


def test_that_a_folder_of_parts_is_a_table_and_one_with_records_a_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = tmp_path / "parts"
    parts.mkdir()
    for name in ("1.csv", "2.csv"):
        (parts / name).write_text("town,age\n" + "".join(f"t{i},{i}\n" for i in range(5)))
    assert main(["risk", str(parts), "--quasi", "town,age"]) == 0
    assert "10" in capsys.readouterr().out
    (parts / "1.csv").rename(parts / "records.csv")
    assert main(["risk", str(parts), "--quasi", "town,age"]) != 0
    assert ReleasesT.NO_PLAN() in capsys.readouterr().err
