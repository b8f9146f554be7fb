"""Estimates of a survey that was held: its parameters are given, and its answers must fit."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.designs.registry import DESIGNS

@pytest.mark.parametrize("kind", DESIGNS, ids=lambda kind: kind.tag())
@pytest.mark.parametrize("given", ["", "answers.csv --answer q"])
def test_that_no_parameter_of_an_estimate_is_a_default(
    kind, given: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.csv").write_text("q\n1\n0\n")
    names = [parameter.name for parameter in kind.parameters()]
    for missing in names:
        words = ["survey", "estimate", *given.split(), "--design", kind.tag()]
        words += [word for name in names if name != missing for word in ("--set", f"{name}=1")]
        assert main(words) == 2
        said = capsys.readouterr().err
        assert f"not given: {missing}." in said
        assert f"Add --set {missing}=VALUE " in said


def test_that_plan_and_estimate_of_the_read_me_are_of_one_survey(root: Path, capsys) -> None:
    lines = (root / "README.md").read_text(encoding="utf-8").splitlines()
    tasks = ("plan", "sheet", "estimate")
    plan, sheet, estimate = (
        next(shlex.split(line)[1:] for line in lines if line.startswith(f"dpdesk survey {task} "))
        for task in tasks
    )
    designs = []
    for words in (plan, estimate):
        assert main([*words, "--json"]) == 0
        designs.append(json.loads(capsys.readouterr().out)["design"])
    assert designs[0] == designs[1]
    # The sheet is asked for by the same device and epsilon as the plan.
    for option in ("--epsilon", "--device"):
        assert sheet[sheet.index(option) + 1] == plan[plan.index(option) + 1]
