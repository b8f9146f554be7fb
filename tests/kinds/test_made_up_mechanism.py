"""A mechanism that no other file names works wherever mechanisms do."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from decimal import Decimal
from math import exp
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.domains import Categorical
from dpdesk.mechanisms import MECHANISMS, fitting, mechanism_named
from dpdesk.plan import load_plan
from dpdesk.plan.file import plan_schema
from tests.kinds.registered import registered
from tests.kinds.timid_response import TimidResponse

MOODS = ("calm", "glad", "sad")
ANSWERS = [
    mood for mood, count in zip(MOODS, (6000, 3000, 1000), strict=True) for _ in range(count)
]


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered(MECHANISMS, TimidResponse):
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Ten thousand answers to two questions."""
    path = tmp_path / "moods.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["mood", "evening"], *zip(ANSWERS, ANSWERS[::-1], strict=True)])
    return path


@pytest.fixture
def plan_path(data: Path, tmp_path: Path) -> Path:
    """Their plan: the one answered with the mechanism, the other as drafted."""
    path = tmp_path / "plan.json"
    words = ["draft", str(data), "-o", str(path), "--epsilon", "5", "--confirm-domains"]
    assert main([*words, "--set", "mood=timid_response:4,parts=2"]) == 0
    return path


def _json(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_that_it_is_found_by_its_name_and_offered_where_it_fits() -> None:
    assert mechanism_named("timid_response") is TimidResponse
    assert TimidResponse in fitting(Categorical(values=MOODS))


def test_that_the_list_of_mechanisms_has_it_with_its_parameter_and_its_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["mechanisms", "--domain-size", "3", "--epsilon", "1", "--json"]) == 0
    listed = {entry["kind"]: entry for entry in _json(capsys)}["timid_response"]
    assert [one["name"] for one in listed["parameters"]] == ["epsilon", "parts"]
    assert listed["p"] == pytest.approx(exp(0.5) / (exp(0.5) + 2))
    assert listed["certified_epsilon"] == pytest.approx(0.5)
    assert main(["mechanisms"]) == 0
    assert TimidResponse.summary in capsys.readouterr().out


def test_that_a_plan_file_holds_it_and_its_schema_says_so(plan_path: Path) -> None:
    stored = json.loads(plan_path.read_text(encoding="utf-8"))["columns"][0]["mechanism"]
    assert stored == {"kind": "timid_response", "epsilon": "4", "parts": 2}
    chosen = load_plan(plan_path).column("mood").mechanism
    assert chosen == TimidResponse(epsilon=Decimal(4))
    schema = plan_schema()
    assert "parts" in schema["$defs"]["TimidResponse"]["properties"]
    offered = schema["$defs"]["ColumnPlan"]["properties"]["mechanism"]["anyOf"][0]
    assert "timid_response" in offered["discriminator"]["mapping"]


def test_that_a_parameter_out_of_its_range_is_refused_by_its_name(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["draft", str(data), "-o", str(tmp_path / "plan.json")]
    assert main([*words, "--set", "mood=timid_response:4,parts=21"]) == 2
    assert "Timid, parameter parts" in capsys.readouterr().err


def test_that_it_is_compared_with_the_others(
    plan_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["choose", str(plan_path), "--json"]) == 0
    (first, _) = _json(capsys)["attributes"]
    assert first["mechanism"] == "timid_response"
    errors = {one["kind"]: one["error_95"] for one in first["candidates"]}
    assert errors["timid_response"] > errors["grr"]


@pytest.mark.parametrize("strategy", ["spl", "smp", "rsfd"])
def test_that_it_is_released_reported_and_estimated_from_the_released_folder(
    strategy: str, plan_path: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = load_plan(plan_path)
    if strategy != "spl":
        same = plan.column("mood").mechanism
        plan = plan.with_column("evening", mechanism=same).with_fields(strategy=strategy)
        plan_path.write_text(json.dumps(plan.model_dump(mode="json")), encoding="utf-8")
    out = tmp_path / "release"
    assert main(["check", str(plan_path), str(data)]) == 0
    assert main(["release", str(data), "--plan", str(plan_path), "--out", str(out)]) == 0
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    (mood, _) = report["parameters"]["attributes"]
    assert (mood["mechanism"], mood["mechanism_title"]) == ("timid_response", TimidResponse.title)
    assert float(mood["epsilon_run"]) == pytest.approx(2)
    assert TimidResponse.summary in (out / "report.html").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    moods = [one for one in _json(capsys)["estimates"] if one["attribute"] == "mood"]
    for found, true in zip(moods, (0.6, 0.3, 0.1), strict=True):
        assert 0 < abs(found["estimate"] - true) < 6 * found["total_standard_error"]
