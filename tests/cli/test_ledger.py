from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.data.sample import sample_path
from dpdesk.ledger import Ledger

SAMPLE = str(sample_path())


@pytest.fixture
def plan(tmp_path: Path) -> str:
    """A plan of the sample at a total epsilon of 9."""
    path = tmp_path / "plan.json"
    assert main(["draft", SAMPLE, "-o", str(path), "--epsilon", "9", "--confirm-domains"]) == 0
    return str(path)


def release(plan: str, out: Path, *more: str) -> int:
    return main(["release", SAMPLE, "--plan", plan, "--out", str(out), *more])


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert main(["ledger", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out)


def test_that_asking_again_costs_what_it_costs(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = ["--population", "Redbook 1974"]
    assert release(plan, tmp_path / "one", *people, "--cap", "20") == 0
    assert "0 earlier releases at ε = 0, in all ε = 9 (local); ε = 11 is left" in (
        capsys.readouterr().out
    )
    assert release(plan, tmp_path / "two", *people) == 0
    assert "1 earlier release at ε = 9, in all ε = 18 (local); ε = 2 is left" in (
        capsys.readouterr().out
    )
    assert release(plan, tmp_path / "three") == 6
    said = capsys.readouterr().err
    assert "of 20, 2 is left after 2 releases" in said
    assert not (tmp_path / "three").exists()
    report = json.loads((tmp_path / "two" / "report.json").read_text())["budget"]
    assert report["earlier_releases"]["left"] == "2"
    (population,) = shown(capsys)["populations"]
    assert population["name"] == "Redbook 1974"
    assert population["local"]["epsilon"] == "18"
    assert population["central"]["releases"] == 0
    assert [r["where"] for r in population["releases"]] == [
        str(tmp_path / "one"),
        str(tmp_path / "two"),
    ]
    assert "percentage points" in population["local"]["still_buys"]


def test_that_what_is_refused_before_the_draw_is_not_charged(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").touch()
    assert release(plan, tmp_path / "out") == 4
    content = json.loads(Path(plan).read_text())
    for column in content["columns"]:
        column["confirmed"] = False
    Path(plan).write_text(json.dumps(content))
    assert release(plan, tmp_path / "other") == 1
    assert shown(capsys)["populations"] == []


def test_that_a_known_file_is_recognised_and_a_part_of_it_pointed_out(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one", "--population", "Redbook 1974") == 0
    lines = Path(SAMPLE).read_text().splitlines()
    other = tmp_path / "shuffled.tsv"
    shuffled = [lines[0], *reversed(lines[1:])]
    other.write_text("\n".join(line.replace(",", "\t") for line in shuffled) + "\n")
    assert shown(capsys, str(other))["data"] == {"population": "Redbook 1974", "resembles": []}
    part = tmp_path / "part.csv"
    part.write_text("\n".join(lines[:5000]) + "\n")
    data = shown(capsys, str(part))["data"]
    assert data["population"] is None
    (likeness,) = data["resembles"]
    assert (likeness["population"], likeness["basis"]) == ("Redbook 1974", "rows")
    assert likeness["share"] > 0.9
    assert main(["ledger", str(part)]) == 0
    assert "--population 'Redbook 1974'" in capsys.readouterr().out
    words = ["release", str(part), "--plan", plan, "--out", str(tmp_path / "two")]
    assert main(words) == 0
    assert "of its rows are those of" in capsys.readouterr().err


def test_that_the_ledger_is_changed_by_its_options(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one") == 0
    named = ["--population", "affairs.csv"]
    assert main(["ledger", *named, "--rename", "Redbook"]) == 0
    of = ["ledger", "--population", "redbook"]
    assert main([*of, "--model", "central", "--cap", "1", "--cap-delta", "1e-6"]) == 0
    (population,) = shown(capsys)["populations"]
    assert (population["name"], population["central"]["cap"]) == ("Redbook", "1")
    assert population["central"]["still_buys"] == "6 more counts at ± 20"
    assert main([*of, "--model", "central", "--cap", "none"]) == 0
    assert "cap" in capsys.readouterr().out
    for wrong in (
        [*of, "--cap", "1"],
        ["ledger", "--cap", "1", "--model", "local"],
        [*of, "--model", "local", "--cap", "nan"],
        [*of, "--model", "local", "--cap", "1", "--cap-delta", "2"],
        ["ledger", "--population", "Nobody"],
        ["ledger", "--same-people", "Redbook", "Redbook"],
        ["ledger", "--plan", "none"],
    ):
        assert main(wrong) == 2, wrong


def test_that_a_plan_can_be_had_again(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release(plan, tmp_path / "one") == 0
    (population,) = shown(capsys)["populations"]
    assert main(["ledger", "--plan", population["releases"][0]["id"]]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(Path(plan).read_text())


def test_that_a_damaged_ledger_blocks_until_it_is_set_aside(
    plan: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], ledger_of_this_test: Path
) -> None:
    Ledger.open()
    Path(f"{ledger_of_this_test}.key").write_bytes(b"x" * 32)
    assert release(plan, tmp_path / "one") == 6
    assert "dpdesk ledger --set-aside" in capsys.readouterr().err
    assert main(["ledger"]) == 6
    assert main(["ledger", "--set-aside"]) == 0
    assert release(plan, tmp_path / "one") == 0
    assert shown(capsys)["set_aside"]


def test_that_another_ledger_can_be_named(
    plan: str, tmp_path: Path, ledger_of_this_test: Path
) -> None:
    other = tmp_path / "other.sqlite"
    assert release(plan, tmp_path / "one", "--ledger", str(other)) == 0
    assert other.exists()
    assert not ledger_of_this_test.exists()
