"""The commands of the help pages on attacks and learning run as they are written."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from dpdesk.cli.main import main
from dpdesk.domains import Categorical
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, Plan, save_plan
from dpdesk.resources import resource

_COMMAND = re.compile(r"^    dpdesk ((?:attack|learn)\b.*?)(?: {3,}.*)?$", re.MULTILINE)
_PAGES = ("attack", "attacks", "learning")
ANSWERS = {"age": tuple(map(str, range(20, 60))), "sex": ("f", "m"), "zip": ("1", "2", "3")}


def commands() -> list[str]:
    return [
        command
        for page in _PAGES
        for command in _COMMAND.findall(Path(resource(f"docs/{page}.md")).read_text("utf-8"))
    ]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    generator = np.random.default_rng(1)
    drawn = [
        [values[i] for i in generator.integers(0, len(values), 300)] for values in ANSWERS.values()
    ]
    data = tmp_path / "survey.csv"
    rows = [",".join(row) for row in zip(*drawn, strict=True)]
    data.write_text("\n".join([",".join(ANSWERS), *rows]) + "\n", encoding="utf-8")
    columns = tuple(
        ColumnPlan(
            name=name,
            kind="nominal",
            domain=Categorical(values=values),
            role="protect",
            mechanism=mechanism_named("grr")(epsilon=Decimal(2)),
        )
        for name, values in ANSWERS.items()
    )
    plans = {"learn": Plan(columns=columns), "attack": Plan(columns=columns, strategy="rsfd")}
    for command, plan in plans.items():
        save_plan(plan, tmp_path / f"{command}.json")
    return {"DATA": str(data), "PLAN.json": str(tmp_path / "COMMAND.json"), "COLUMN": "sex"}


def test_that_the_pages_have_examples() -> None:
    assert len(commands()) >= 10


@pytest.mark.parametrize("command", commands())
def test_that_an_example_of_a_page_runs_as_it_is_written(
    command: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [files.get(word, word) for word in command.split()]
    # What is attacked by its fakes has a plan of fakes.
    words = [word.replace("COMMAND", words[0]) for word in words]
    if words[0] == "learn":
        words += ["--repetitions", "2", "--epsilons", "2"]
    assert main(words) == 0
    told = capsys.readouterr()
    # On a slow machine lines of progress stand there.
    assert all(line.endswith(" left") for line in told.err.splitlines())
    assert told.out
