from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dpdesk import __version__
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


def test_that_the_version_is_told_without_any_heavy_import(root: Path) -> None:
    heavy = "numpy,pydantic,pyarrow,argparse,PySide6,dpdesk.cli.run"
    done = _run(heavy, ["--version"], root)
    assert (done.returncode, done.stdout) == (0, f"dpdesk {__version__}\n"), done.stderr


@pytest.mark.parametrize(
    "command", ["mechanisms", "draft", "release", "estimate", "check", "attack", "experiment"]
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
        "attack": [["attack", data, "--epsilons", "1"]],
        "experiment": [["experiment", data, "--repetitions", "2"]],
    }
    words |= {"release": release, "estimate": [*release, ["estimate", out]]}
    for step in words[command]:
        done = _run("PySide6,pyqtgraph,shiboken6", step, root)
        assert done.returncode == 0, done.stderr
