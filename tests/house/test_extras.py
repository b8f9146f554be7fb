"""Without the extras: records are planned, released and estimated, and the rest says what it lacks.

Each child process cannot import what the extras bring, as if it were not installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ABSENT = ("opendp", "dp_accounting", "sklearn", "threadpoolctl", "joblib")
ABSENT += ("distributed", "dask", "cryptography", "fsspec", "aiohttp")

_CHILD = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""
_COMMANDS = """
import contextlib, io, json
from dpdesk.cli.main import main

for words in json.load(sys.stdin):
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        status = main(words)
    sys.stdout.write(json.dumps([status, told.getvalue()]) + chr(10))
"""


def child(code: str, absent: str, given: str, root: Path, **more: str) -> str:
    """What a program printed that ran without some packages."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD + code, absent],
        input=given,
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, **more},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_all(
    commands: list[list[str]], absent: tuple[str, ...], root: Path, ledger: Path
) -> list[tuple[int, str]]:
    """The exit status of each command and what it said of errors."""
    printed = child(
        _COMMANDS, ",".join(absent), json.dumps(commands), root, DPDESK_LEDGER=str(ledger)
    )
    return [tuple(json.loads(line)) for line in printed.splitlines()]


@pytest.fixture
def words(root: Path, tmp_path: Path) -> dict[str, list[str]]:
    """Commands by what they do, on the sample."""
    data = str(root / "resources" / "samples" / "affairs" / "affairs.csv")
    plan, out = str(tmp_path / "plan.json"), str(tmp_path / "release")
    asked = [data, "--declare", "age=17..90", "--query", "mean of age", "--epsilon", "0.5"]
    # Hardly any noise: whether a regression can be fitted is not left to chance.
    known = ["--epsilon", "90", "--strategy", "spl", "--confirm-domains"]
    synthetic = str(tmp_path / "synthetic")
    return {
        "draft": ["draft", data, "-o", plan, *known],
        "choose": ["choose", plan],
        "check": ["check", plan, data],
        "release": ["release", data, "--plan", plan, "--out", out],
        "workers": ["release", data, "--plan", plan, "--out", out, "--engine", "dask"],
        "estimate": ["estimate", out],
        "cross": ["estimate", out, "--cross", "religious,rate_marriage"],
        "formula": ["estimate", out, "--formula", "affairs ~ religious + age"],
        "risk": ["risk", data],
        "coarsen": ["coarsen", data, "--quasi", "age,educ", "--k", "5"],
        "plan": ["survey", "plan", "--epsilon", "1.7", "--prevalence", "0.1", "--margin", "0.03"],
        "counts": ["survey", "estimate", "--design", "forced", "--counts", "831/2435"],
        "ledger": ["ledger", "--json"],
        "query": ["query", *asked],
        "before": ["query", *asked, "--before"],
        "synthesize": ["synthesize", data, "--plan", plan, "--epsilon", "1", "--out", synthetic],
        "learn": ["learn", "--example", "pima", "--epsilons", "1", "--learner", "tree"],
        "attack": ["attack", data, "--epsilons", "1", "--classifier", "boosting"],
    }


OF_RECORDS = ("draft", "choose", "check", "release", "estimate", "cross", "formula", "risk")
OF_RECORDS += ("coarsen", "plan", "counts", "ledger")
OF_EXTRAS = {
    "workers": ("dask", "cluster"),
    "query": ("opendp", "statistics"),
    "before": ("opendp", "statistics"),
    "synthesize": ("opendp", "statistics"),
    "learn": ("threadpoolctl", "learning"),
    "attack": ("sklearn", "learning"),
}


def test_that_every_command_of_records_works_without_extras(
    words: dict[str, list[str]], root: Path, tmp_path: Path
) -> None:
    commands = [words[name] for name in OF_RECORDS]
    absent = (*ABSENT, "PySide6", "shiboken6", "pyqtgraph")
    done = run_all(commands, absent, root, tmp_path / "ledger.sqlite")
    assert {name: said for name, said in zip(OF_RECORDS, done, strict=True) if said[0]} == {}


def test_that_what_needs_an_extra_says_so_in_one_sentence_and_charges_nothing(
    words: dict[str, list[str]], root: Path, tmp_path: Path
) -> None:
    commands = [words["draft"], *(words[name] for name in OF_EXTRAS)]
    ledger = tmp_path / "ledger.sqlite"
    _, *done = run_all(commands, ABSENT, root, ledger)
    for (name, (package, extra)), (status, told) in zip(OF_EXTRAS.items(), done, strict=True):
        assert status != 0, name
        line = told.strip().splitlines()[-1]
        assert f"need the package {package}, which is not installed." in line, (name, told)
        assert line.endswith(f"pip install 'dpdesk[{extra}]'."), name
    assert not ledger.exists()
    assert not (tmp_path / "synthetic").exists()


def test_that_what_is_left_out_is_what_the_extras_bring(settings: dict[str, Any]) -> None:
    extras = settings["project"]["optional-dependencies"]
    names = {"scikit-learn": "sklearn", "dp-accounting": "dp_accounting"}
    lines = [*extras["statistics"], *extras["learning"], *extras["cluster"]]
    brought = {line.partition(">")[0] for line in lines}
    assert {names.get(name, name) for name in brought} <= set(ABSENT)


def test_that_the_window_passes_its_self_test_without_them(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("PySide6")
    code = "from dpdesk.gui.self_test import run\nraise SystemExit(run())\n"
    printed = child(
        code, ",".join(ABSENT), "", root, QT_QPA_PLATFORM="offscreen", HOME=str(tmp_path)
    )
    assert "left out: Statistics with noise need the package opendp" in printed
    assert "left out: Learners of scikit-learn need the package threadpoolctl" in printed
    assert printed.endswith("dpdesk works\n")
