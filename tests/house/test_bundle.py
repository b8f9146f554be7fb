"""The bundle carries what dpdesk opens."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def values(root: Path) -> dict[str, ast.expr]:
    """The values that the spec file gives to names."""
    tree = ast.parse((root / "packaging" / "dpdesk.spec").read_text(encoding="utf-8"))
    return {
        statement.targets[0].id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }


def test_that_nothing_is_left_out_that_the_source_imports(
    values: dict[str, ast.expr], source: dict[Path, ast.Module]
) -> None:
    left_out = set(ast.literal_eval(values["NOT_NEEDED"]))
    used = set()
    for tree in source.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                used |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    assert "PySide6.QtWidgets" in used
    # An extra of its own, which a bundle does without.
    used -= {"xgboost"}
    assert not {
        name for name in used for out in left_out if name == out or name.startswith(f"{out}.")
    }


@pytest.mark.parametrize(
    ("path", "is_carried"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/iconengines/libqsvgicon.so", True),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6Qml.so.6", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("pyarrow/libarrow_python.so.2600", True),
        ("pyarrow/libarrow_python.so.2600.1.0", False),
        ("pyarrow/libarrow_flight.so.2600", False),
        ("pyarrow/include/arrow/api.h", False),
        ("resources/themes/light.toml", True),
    ],
)
def test_that_files_are_carried_by_their_use(
    values: dict[str, ast.expr], path: str, is_carried: bool
) -> None:
    pattern = values["NOT_CARRIED"]
    assert isinstance(pattern, ast.Call)
    (alternatives,) = pattern.args
    assert isinstance(alternatives, ast.Call)
    parts = ast.literal_eval(alternatives.args[0])
    assert bool(re.search("|".join(parts), path)) is not is_carried


def test_that_a_bundle_can_be_built_where_its_tools_are(program, monkeypatch) -> None:
    bundle = program("build_bundle")
    monkeypatch.setattr(bundle.sys, "platform", "linux")
    monkeypatch.setattr(bundle.shutil, "which", lambda name: "/bin/" + name)
    monkeypatch.setattr(bundle, "_loads", lambda library: True)
    assert bundle.missing_packages() == []
    monkeypatch.setattr(bundle.shutil, "which", lambda name: None)
    monkeypatch.setattr(bundle, "_loads", lambda library: False)
    binutils, library = bundle.missing_packages()
    assert binutils == "binutils"
    assert re.fullmatch(r"libpython3\.1\d", library)


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("script", "passes"),
    [
        ("exit 0", True),
        ("exit 1", False),
        ("echo 'Traceback (most recent call last):' >&2; exit 0", False),
        (
            '[ "$QT_QPA_PLATFORM" = offscreen ] && [ -z "$PYTHONPATH" ] && [ "$1" = --self-test ]',
            True,
        ),
    ],
)
def test_that_a_bundle_passes_by_a_clean_test_of_itself(
    program, tmp_path: Path, monkeypatch, script: str, passes: bool
) -> None:
    bundle = program("build_bundle")
    stand_in = tmp_path / "dpdesk"
    stand_in.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    stand_in.chmod(0o755)
    monkeypatch.setattr(bundle, "BUNDLE", tmp_path)
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    assert (bundle.self_test() == 0) is passes
