from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.mechanisms import MECHANISMS, kind_of, mechanism_named
from dpdesk.plan import load_plan, save_plan, total_epsilon
from dpdesk.plan.texts import T
from tests.plan.plans import small_plan


@pytest.fixture
def plan_path(tmp_path: Path) -> Path:
    path = tmp_path / "plan.json"
    save_plan(small_plan().with_fields(respondents=4000), path)
    return path


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_that_every_protected_attribute_lists_its_mechanisms_best_first(
    plan_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["choose", str(plan_path), "--json"]) == 0
    content = _json(capsys)
    assert [entry["attribute"] for entry in content["attributes"]] == ["smokes", "mood", "age"]
    assert content["epsilon_total"] == "4"
    for entry in content["attributes"]:
        errors = [candidate["error_95"] for candidate in entry["candidates"]]
        assert errors == pytest.approx(sorted(errors), rel=1e-8)
        chosen = [c["kind"] for c in entry["candidates"] if c["chosen"]]
        assert chosen == [entry["mechanism"]]
    assert main(["choose", str(plan_path), "--json", "--by", "var-star"]) == 0
    for entry in _json(capsys)["attributes"]:
        constants = [candidate["n_var_star"] for candidate in entry["candidates"]]
        assert constants == pytest.approx(sorted(constants), rel=1e-8)


def test_that_the_table_marks_the_mechanism_in_force_and_says_what_is_lost(
    plan_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["choose", str(plan_path)]) == 0
    shown = capsys.readouterr().out
    assert "mood: 3 categories, epsilon 0.5, 4,000 respondents" in shown
    assert "\n  * OUE" in shown
    assert "One column per category; several can be 1." in shown
    assert "at ε = 0.5: ± 8.2 pp (GRR and Subset)" in shown
    assert shown.endswith(f"{Cli.TOTAL_EPSILON(epsilon='4')}\n")


def test_that_targets_are_met_by_the_plan_that_is_written(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new.json"
    words = ["choose", str(plan_path), "--target", "mood=4", "--target", "age=1.5", "-o", str(out)]
    assert main(words) == 0
    plan = load_plan(out)
    total = f"{total_epsilon(plan).normalize():f}"
    assert Cli.TOTAL_EPSILON(epsilon=total) in capsys.readouterr().out
    assert main(["choose", str(out), "--json"]) == 0
    found = {
        entry["attribute"]: next(c for c in entry["candidates"] if c["chosen"])
        for entry in _json(capsys)["attributes"]
    }
    assert found["mood"]["error_95"] <= 4
    assert found["age"]["error_95"] <= 1.5
    assert plan.column("smokes") == small_plan().column("smokes")
    assert load_plan(plan_path).column("mood") == small_plan().column("mood")


def test_that_errors_that_cost_more_than_the_budget_are_told(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tight = tmp_path / "tight.json"
    save_plan(load_plan(plan_path).with_fields(budget=Decimal(1)), tight)
    words = ["--target", "mood=4", "-o", str(tmp_path / "new.json"), "--overwrite"]
    assert main(["choose", str(tight), *words]) == 0
    told = capsys.readouterr().err
    assert told.startswith("note: Epsilon ")
    assert "the budget is 1." in told
    save_plan(load_plan(plan_path).with_fields(budget=Decimal(99)), tight)
    assert main(["choose", str(tight), *words]) == 0
    assert capsys.readouterr().err == ""


def test_that_a_name_with_control_characters_is_printed_as_text(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "a\x1b[31mb.json")
    assert main(["choose", str(plan_path), "-o", out]) == 0
    assert main(["confirm", str(plan_path), "-o", out, "--overwrite"]) == 0
    shown = capsys.readouterr().out
    assert shown.count(Cli.PLAN_WRITTEN(file=out.replace("\x1b", "\\x1b"))) == 2
    assert "\x1b" not in shown


def test_that_the_epsilon_of_a_matrix_is_told_as_in_the_window(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = load_plan(plan_path)
    exact = mechanism_named("grr")(epsilon=Decimal("1.199999997509"))
    told = tmp_path / "told.json"
    save_plan(plan.with_column("mood", mechanism=exact), told)
    assert main(["choose", str(told)]) == 0
    shown = capsys.readouterr().out
    assert "mood: 3 categories, epsilon 1.2000, " in shown
    assert shown.endswith(f"{Cli.TOTAL_EPSILON(epsilon='4.7000')}\n")
    assert main(["choose", str(told), "--json"]) == 0
    assert _json(capsys)["epsilon_total"] == "4.699999997509"


def test_that_writing_makes_the_choice_for_every_attribute(plan_path: Path, tmp_path: Path) -> None:
    out = tmp_path / "new.json"
    assert main(["choose", str(plan_path), "-o", str(out)]) == 0
    kinds = [c.mechanism.kind for c in load_plan(out).protected if c.mechanism]
    assert kinds == ["warner", "grr", "piecewise"]
    assert main(["choose", str(plan_path), "-o", str(out), "--by", "var-star", "--overwrite"]) == 0
    kinds = [c.mechanism.kind for c in load_plan(out).protected if c.mechanism]
    assert kinds == ["warner", "grr", "hybrid"]


@pytest.mark.parametrize(("asked", "most"), [("smokes x mood", 5), ("age by mood", 4)])
def test_that_a_target_of_columns_together_is_met(
    plan_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: str, most: float
) -> None:
    out = tmp_path / "new.json"
    words = ["choose", str(plan_path), "--target", f"{asked}={most}", "-o", str(out)]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "a cell of smokes and mood" in shown or "age in a group of mood" in shown
    assert main(["choose", str(out), "--expect", asked, "--json"]) == 0
    (found,) = _json(capsys)["together"]
    assert found["columns"] == asked.replace(" by ", " x ").split(" x ")
    assert 0 < found["unprotected"] < found["error_95"] <= most
    # The plan as it was misses it.
    assert main(["choose", str(plan_path), "--expect", asked, "--json"]) == 0
    assert _json(capsys)["together"][0]["error_95"] > most


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--target", "mood"], "COLUMN=ERROR"),
        (["--target", "mood=wide"], "COLUMN=ERROR"),
        (["--target", "mood=0"], "must be above 0"),
        (["--target", "id=1"], "“id” is not a protected variable"),
        (["--target", "mood=4", "--target", "smokes x mood=5"], Cli.TWO_TARGETS(name="mood")),
        (["--target", "smokes x mood=0.1"], "Without protection it is"),
        (["--target", "smokes x age=5"], "“age” is not a list of categories"),
        (["--expect", "mood"], T.NO_ANALYSIS(analysis="mood")),
        (["--target", "mood=0.001", "--target", "age=0.001"], "“mood” (≥ ± 1.5 pp), “age”"),
    ],
)
def test_that_a_target_that_means_nothing_ends_with_one_sentence_and_writes_nothing(
    plan_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    says: str,
) -> None:
    assert main(["choose", str(plan_path), *words, "-o", str(tmp_path / "new.json")]) == 2
    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan.json"]


def test_that_the_list_of_mechanisms_has_the_numbers_of_every_kind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["mechanisms", "--domain-size", "2", "--epsilon", "1", "--json"]) == 0
    entries = {entry["kind"]: entry for entry in _json(capsys)}
    assert set(entries) == {kind_of(mechanism) for mechanism in MECHANISMS}
    for entry in entries.values():
        assert entry["fits"], entry["kind"]
        assert {"p", "q", "n_var_star"} <= set(entry)
        assert 0.9 < entry["certified_epsilon"] <= 1
        assert entry["n_var_star"] > 0


def test_that_a_target_in_points_may_say_so_and_other_units_not(
    plan_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for written in ("mood=4", "mood=4pp", "mood=4 pp"):
        assert main(["choose", str(plan_path), "--json", "--target", written]) == 0
        told.append(_json(capsys))
    assert told[0] == told[1] == told[2]
    for written in ("smokes x mood=6", "smokes x mood=6pp"):
        assert main(["choose", str(plan_path), "--json", "--target", written]) == 0
        told.append(_json(capsys))
    assert told[3]["attributes"] == told[4]["attributes"]
    for written in ("age=1.5pp", "age by smokes=2pp"):
        assert main(["choose", str(plan_path), "--target", written]) == 2
        assert Cli.NOT_IN_POINTS(name=written.rpartition("=")[0]) in capsys.readouterr().err
    assert main(["choose", str(plan_path), "--target", "smokes x mood=3 people"]) == 2
    assert "region x work=3pp" in capsys.readouterr().err


def test_that_a_draft_takes_what_serves_its_purpose_and_choose_names_it_where_another_is_taken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "s.csv"
    rows = [f"{'abcdefgh'[n % 8]},{'xyz'[n % 3]},{n % 2}" for n in range(3_000)]
    data.write_text("\n".join(["one,two,three", *rows]) + "\n", encoding="utf-8")
    found = {}
    for words in ("", "--strategy=spl", "--purpose=tables", "--analysis=one x two"):
        plan = tmp_path / "plan.json"
        draft = ["draft", str(data), "-o", str(plan), "--overwrite", "--confirm-domains"]
        assert main([*draft, *filter(None, [words])]) == 0
        capsys.readouterr()
        assert main(["choose", str(plan), "--json"]) == 0
        told = _json(capsys)
        found[words] = (told["strategy"], told["better_strategy"])
        assert main(["choose", str(plan)]) == 0
        said = T.NO_TWO_ANSWERS() in capsys.readouterr().out
        assert said == (told["better_strategy"] is not None)
    assert found == {
        "": ("smp", None),
        "--strategy=spl": ("spl", "smp"),
        "--purpose=tables": ("spl", None),
        "--analysis=one x two": ("spl", None),
    }
