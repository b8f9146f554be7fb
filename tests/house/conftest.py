"""Views of the project itself: its files, its settings, its source."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="session")
def settings(root: Path) -> dict[str, Any]:
    """The content of pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def tracked(root: Path) -> list[Path]:
    """The files that are part of the project and present in this checkout."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True
        ).stdout.decode()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this is no checkout of git")
    files = [root / name for name in listed.split("\0") if name]
    present = [path for path in files if path.is_file()]
    assert present
    return present


@pytest.fixture(scope="session")
def source(root: Path) -> dict[Path, ast.Module]:
    """Path below `dpdesk` and syntax tree of every module."""
    package = root / "dpdesk"
    trees = {
        path.relative_to(package): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.rglob("*.py"))
    }
    assert trees
    return trees


@pytest.fixture
def program(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """A way to import a module of the folder `packaging`, forgotten after the test."""
    folder = root / "packaging"
    names = {path.stem for path in folder.glob("*.py")}
    monkeypatch.syspath_prepend(str(folder))
    yield importlib.import_module
    for name in names & set(sys.modules):
        del sys.modules[name]
