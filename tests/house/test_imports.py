"""What the modules of dpdesk import, read from their source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

PARTS = ("window", "statistics", "learning")
"""Extras that are parts of the program."""

# The name under which a distribution is imported, where the two differ.
IMPORT_NAMES = {
    "pyside6-essentials": {"PySide6", "shiboken6"},
    "jinja2": {"jinja2"},
    "scikit-learn": {"sklearn"},
    "distributed": {"distributed", "dask"},
}


def imported(tree: ast.Module) -> Iterator[str]:
    """The full names of the modules and members that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def generators(tree: ast.Module) -> set[str]:
    """The names of predictable generators that a module mentions."""
    named = {
        name
        for name in imported(tree)
        if name in {"random", "secrets"} or name.startswith(("numpy.random", "random.", "secrets."))
    }
    attributes = {
        f"{node.value.id}.random"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr == "random"
        and isinstance(node.value, ast.Name)
        and node.value.id in {"np", "numpy"}
    }
    return named | attributes


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from random import choice",
        "import numpy.random",
        "from numpy import random",
        "from numpy.random import default_rng",
        "import numpy as np\nnp.random.default_rng()",
        "import secrets",
    ],
)
def test_that_a_predictable_generator_is_recognised(text: str) -> None:
    assert generators(ast.parse(text))


def test_that_predictable_generators_are_found_in_simulations_alone(
    source: dict[Path, ast.Module],
) -> None:
    outside = {
        str(path): names
        for path, tree in source.items()
        # Attacks are simulations of what others do with a release; none of them releases anything.
        if not (path.parts[0] == "engine" and "simulat" in path.as_posix())
        and path.parts[0] != "attacks"
        # What can still be learnt is a study that repeats a plan's sanitizing from a seed.
        and path.as_posix() not in {"learning/curve.py", "learning/survey.py"}
        and (names := generators(tree))
    }
    assert not outside


def test_that_every_imported_package_is_a_declared_dependency(
    source: dict[Path, ast.Module], settings: dict[str, Any]
) -> None:
    declared = {"dpdesk"}
    extras = settings["project"]["optional-dependencies"]
    lines = (line for part in (*PARTS, "boosting", "cluster") for line in extras[part])
    for line in (*settings["project"]["dependencies"], *lines):
        name = Requirement(line).name.lower()
        declared |= IMPORT_NAMES.get(name, {name.replace("-", "_")})
    used = {name.split(".")[0] for tree in source.values() for name in imported(tree)}
    assert used - set(sys.stdlib_module_names) <= declared


def test_that_every_declared_dependency_is_imported(
    source: dict[Path, ast.Module], settings: dict[str, Any]
) -> None:
    used = {name.split(".")[0] for tree in source.values() for name in imported(tree)}
    idle = []
    extras = settings["project"]["optional-dependencies"]
    lines = (line for part in PARTS for line in extras[part])
    for line in (*settings["project"]["dependencies"], *lines):
        name = Requirement(line).name.lower()
        if not used & IMPORT_NAMES.get(name, {name.replace("-", "_")}):
            idle.append(name)
    assert not idle


def test_that_the_layers_name_every_part_of_the_package(
    root: Path, settings: dict[str, Any]
) -> None:
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (contract for contract in contracts if contract["type"] == "layers")
    assert layers["exhaustive"] is True
    named = {
        part.strip(" ()")
        for layer in layers["layers"]
        for part in layer.replace(":", "|").split("|")
    }
    parts = {
        path.stem
        for path in (root / "dpdesk").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    assert parts - {"__init__", "__main__"} == named


def test_that_the_layers_stand_in_the_order_of_the_readme(
    root: Path, settings: dict[str, Any]
) -> None:
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (contract for contract in contracts if contract["type"] == "layers")
    linted = [
        [part.strip(" ()") for part in layer.replace(":", "|").split("|")]
        for layer in layers["layers"]
    ]
    readme = (root / "README.md").read_text(encoding="utf-8")
    block = readme.split("How the code is laid out")[1].split("```")[1]
    told = [
        [part.strip() for part in line.split("  ")[0].split("|")]
        for line in block.split("\n")[1:-1]
    ]
    assert told == linted


def test_that_every_import_names_a_module_that_is_there(root: Path) -> None:
    # Also within functions, which a type checker's cache may have read when they were right.
    for path in sorted((root / "dpdesk").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dpdesk"):
                module = root.joinpath(*(node.module or "").split("."))
                assert module.with_suffix(".py").exists() or module.is_dir(), (path, node.lineno)


def callers_of(call: str, names: set[str], root: Path) -> set[str]:
    """The modules that import one of these names and hold a call."""
    callers = set()
    for path in (root / "dpdesk").rglob("*.py"):
        text = path.read_text("utf-8")
        if call in text and names & set(imported(ast.parse(text))):
            callers.add(path.relative_to(root).as_posix())
    return callers


def test_that_records_are_drawn_by_what_charges_them_alone(root: Path) -> None:
    # Another caller of `sanitize` would be a way to draw again without a row in the ledger.
    names = {"dpdesk.engine.sanitize.sanitize", "dpdesk.engine.sanitize", "dpdesk.engine"}
    assert callers_of("sanitize(", names, root) == {"dpdesk/releases/records.py"}


def test_that_statistics_are_drawn_by_what_charges_them_alone(root: Path) -> None:
    names = {"dpdesk.engine.statistics", "dpdesk.engine.statistics.release_statistics"}
    found = callers_of("release_statistics(", names, root)
    assert found == {"dpdesk/releases/statistics.py"}


def test_that_the_flow_which_charges_is_the_one_that_has_a_kind_draw(root: Path) -> None:
    kinds = {f"dpdesk.releases.{name}" for name in ("kind", "kinds", "records", "statistics")}
    assert callers_of(".draw(", kinds, root) == {"dpdesk/releases/release.py"}
