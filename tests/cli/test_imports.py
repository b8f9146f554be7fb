"""What the command line imports: as little as its words need, and never Qt."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk import __version__
from dpdesk.cli.run import COMMANDS, Command, runnable
from dpdesk.data.sample import sample_path

_PROBE = """
import sys
from dpdesk.cli.main import main
code = main(sys.argv[2:])
loaded = [m for m in sys.argv[1].split(",") if m in sys.modules]
sys.exit(f"imported {loaded}" if loaded else code)
"""


def _run(forbidden: str, words: list[str], root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _PROBE, forbidden, *words],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )


_LOADED = """
import json, sys
from dpdesk.cli.main import main
main(sys.argv[1:])
print("LOADED", json.dumps(sorted(sys.modules)))
"""


def _loaded(words: list[str], root: Path) -> set[str]:
    """The modules that are there after some words were answered."""
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, *words], capture_output=True, text=True, cwd=root
    )
    return set(json.loads(done.stdout.rpartition("LOADED")[2]))


def _parts(loaded: set[str]) -> set[str]:
    return {name.split(".")[1] for name in loaded if name.startswith("dpdesk.")}


HEAVY = {
    *("numpy", "pydantic", "scipy", "sklearn", "pyarrow", "opendp", "dp_accounting", "jinja2"),
    *("PySide6", "shiboken6", "pyqtgraph", "tqdm", "platformdirs", "tempfile"),
}
"""What takes long to import, or brings what does."""


@pytest.mark.parametrize(
    "words",
    [[], *([command.name] for command in COMMANDS if command.tasks)]
    + [list(command.words) for command in runnable()],
    ids=" ".join,
)
@pytest.mark.parametrize("ending", ["--help", "--no-such-option"])
def test_that_a_help_and_a_refusal_import_the_words_of_their_command_alone(
    words: list[str], ending: str, root: Path
) -> None:
    loaded = _loaded([*words, ending], root)
    assert not loaded & HEAVY
    assert _parts(loaded) - {"requests"} == {"cli", "errors", "i18n", "version"}
    assert {
        other.words for other in runnable() if ".".join(("dpdesk", "cli", *other.words)) in loaded
    } <= {tuple(words)}


def test_that_an_estimate_from_counts_imports_designs_and_no_other_part(root: Path) -> None:
    words = ["survey", "estimate", "--design", "warner", "--set", "p=3/4", "--counts", "831/2435"]
    loaded = _loaded(words, root)
    rest = {
        "cli",
        "errors",
        "facts",
        "designs",
        "composition",
        "numbers",
        "cost",
        "i18n",
        "version",
    }
    assert _parts(loaded) - {"requests"} == rest
    assert not loaded & (HEAVY - {"numpy", "pydantic", "scipy", "tempfile"})
    assert not loaded & {"scipy.stats", "scipy.optimize", "scipy.linalg"}


@pytest.mark.parametrize("command", [*COMMANDS, *runnable()], ids=lambda command: command.prog)
def test_that_every_command_of_the_table_is_there(command: Command) -> None:
    assert command.parser().prog == command.prog
    assert bool(command.tasks) != callable(getattr(command.module, "run", None))


def test_that_the_version_is_told_without_any_heavy_import(root: Path) -> None:
    heavy = "numpy,pydantic,pyarrow,argparse,PySide6,dpdesk.cli.run"
    done = _run(heavy, ["--version"], root)
    assert (done.returncode, done.stdout) == (0, f"dpdesk {__version__}\n"), done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "mechanisms",
        "draft",
        "release",
        "estimate",
        "check",
        "risk",
        "attack",
        "experiment",
        "learn",
    ],
)
def test_that_no_command_imports_qt(command: str, root: Path, tmp_path: Path) -> None:
    plan, out, data = str(tmp_path / "plan.json"), str(tmp_path / "out"), str(sample_path())
    words = {
        "mechanisms": [["mechanisms", "--domain-size", "4", "--epsilon", "1"]],
        "draft": [["draft", data, "-o", plan]],
        "check": [["draft", data, "-o", plan, "--confirm-domains"], ["check", plan, data]],
    }
    release = [
        ["draft", data, "-o", plan, "--confirm-domains"],
        ["release", data, "--plan", plan, "--out", out],
    ]
    words |= {
        "risk": [["risk", data]],
        "attack": [["attack", data, "--epsilons", "1"]],
        "experiment": [["experiment", data, "--repetitions", "2"]],
        "learn": [["learn", "--example", "pima", "--epsilons", "1", "--repetitions", "2"]],
    }
    words |= {"release": release, "estimate": [*release, ["estimate", out]]}
    for step in words[command]:
        done = _run("PySide6,pyqtgraph,shiboken6", step, root)
        assert done.returncode == 0, done.stderr
