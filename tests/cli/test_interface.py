"""The Python interface: its docs' examples run, and it says what the commands say."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dpdesk
from dpdesk import interface
from dpdesk.cli.main import main
from dpdesk.errors import DpdeskError, LedgerError, ParameterError, PlanError
from dpdesk.plan import plan_to_json, save_plan
from dpdesk.resources import resource
from tests.refusals import refused


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample survey under the name that examples have for it, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "answers.csv"
    shutil.copy(resource("samples/affairs/affairs.csv"), path)
    return path


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.usefixtures("answers")
def test_that_the_examples_of_the_page_run_one_after_another(capsys) -> None:
    found = blocks(resource("docs/python.md"))
    assert len(found) == 7
    names: dict[str, object] = {}
    for block in found:
        exec(block, names)  # noqa: S102 - our own page
    assert "not empty" in capsys.readouterr().out


@pytest.mark.usefixtures("answers")
def test_that_the_example_of_the_readme_runs_in_ten_lines(root: Path, capsys) -> None:
    (block,) = blocks(root / "README.md")
    assert len(block.splitlines()) <= 10
    exec(block, {})  # noqa: S102 - our own page
    assert capsys.readouterr().out


def test_that_a_draft_is_that_of_the_command(answers: Path, capsys) -> None:
    words = ["--keep", "occupation", "--purpose", "tables", "--epsilon", "3", "--confirm-domains"]
    assert main(["draft", str(answers), "-o", "plan.json", *words]) == 0
    plan = dpdesk.draft(
        answers, keep=["occupation"], purpose="tables", epsilon=3, confirm_domains=True
    )
    assert plan_to_json(plan) == Path("plan.json").read_text(encoding="utf-8")
    assert sorted(path.name for path in answers.parent.iterdir()) == ["answers.csv", "plan.json"]


def test_that_a_check_finds_what_the_command_finds(answers: Path, capsys) -> None:
    plan = dpdesk.draft(answers)
    save_plan(plan, Path("plan.json"))
    main(["check", "plan.json", str(answers), "--json"])
    told = json.loads(capsys.readouterr().out)
    found = dpdesk.check(plan, answers)
    assert [p.code for p in found.problems] == [p["code"] for p in told["problems"]]
    assert found.errors
    assert found.usefulness["records"].verdict == told["usefulness"]["records"]["verdict"]


def test_that_estimates_are_those_of_the_command(answers: Path, capsys) -> None:
    plan = dpdesk.draft(answers, confirm_domains=True, purpose="tables", epsilon=20)
    done = dpdesk.release(answers, plan, "out")
    assert done.folder is not None
    assert done.folder.name == "out"
    capsys.readouterr()
    main(["estimate", "out", "--json"])
    told = json.loads(capsys.readouterr().out)
    found = dpdesk.estimate("out")
    assert found.verified
    assert [row.as_dict() for row in found.rows] == told["estimates"]
    main(["estimate", "out", "--cross", "religious,rate_marriage", "--json"])
    told = json.loads(capsys.readouterr().out)
    cells = tuple(dpdesk.estimate("out", cross=["religious", "rate_marriage"]).cells())
    assert [cell.value for cell in cells] == [cell["share"] for cell in told["cells"]]
    # Columns are a list or a text as it is typed, and a plan may be one that is in no file.
    alike = dpdesk.estimate("out", cross="religious,rate_marriage", plan=plan, unverified=True)
    assert [cell.value for cell in alike.cells()] == [cell.value for cell in cells]
    groups = [dpdesk.estimate("out", share="age", by=by).records for by in ("educ", ["educ"])]
    assert groups[0] == groups[1]


def test_that_refusals_are_exceptions_with_the_sentences_of_the_command(
    answers: Path, capsys
) -> None:
    with pytest.raises(ParameterError, match="There is no option --colour"):
        dpdesk.check(dpdesk.draft(answers), answers, colour=3)
    with pytest.raises(PlanError, match="can be released"):
        dpdesk.release(answers, dpdesk.draft(answers), "out")
    assert not Path("out").exists()
    with pytest.raises(ParameterError, match="by= needs"):
        dpdesk.estimate("out", by="age")  # type: ignore[call-overload]
    with refused("cli.name-no-text"):
        dpdesk.estimate("out", cross=["age", 3])  # type: ignore[list-item]
    with refused("cli.help-no-option"):
        dpdesk.draft(answers, help=True)
    with pytest.raises(ParameterError, match="must be above 0"):
        dpdesk.draft(answers, epsilon=-1)
    with pytest.raises(DpdeskError, match="neither a folder nor a file"):
        dpdesk.estimate("out")
    dpdesk.query(answers, "count", epsilon=1)
    more = answers.read_text().splitlines()
    Path("more.csv").write_text("\n".join(more[:-20]) + "\n")
    with pytest.raises(LedgerError):
        dpdesk.query("more.csv", "count", epsilon=1)
    assert capsys.readouterr().out == ""


def test_that_importing_it_loads_neither_the_window_nor_numpy() -> None:
    script = (
        "import dpdesk, sys; assert not {'numpy', 'PySide6', 'dpdesk.interface'} & {*sys.modules}; "
        "assert {'read', 'release', 'risk'} <= {*dir(dpdesk)}; "
        "dpdesk.survey('warner', respondents=10, prevalence=0.5); "
        "import dpdesk.releases, dpdesk.estimation; assert callable(dpdesk.release); "
        "assert 'PySide6' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_that_every_function_is_named_by_the_package_and_documented() -> None:
    page = resource("docs/python.md").read_text(encoding="utf-8")
    for name in dpdesk.__all__:
        function = getattr(interface, name)
        if inspect.isfunction(function):
            assert callable(getattr(dpdesk, name))
            assert f"| `{name}(" in page
            assert "Raises:" in (function.__doc__ or "")
            told = [p.annotation for p in inspect.signature(function).parameters.values()]
            assert inspect.Parameter.empty not in told


def test_that_a_star_import_gives_what_type_checkers_know() -> None:
    stub = Path(str(dpdesk.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
    known = set(re.findall(r"^    (\w+) as \1,$", stub, re.MULTILINE))
    names: dict[str, object] = {}
    exec("from dpdesk import *", names)  # noqa: S102 - what somebody types
    assert set(names) - {"__builtins__"} == known == set(dpdesk.__all__)
    assert known <= set(dir(dpdesk))
