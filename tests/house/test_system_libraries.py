"""The libraries of the system that the window needs, and the packages that hold them."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from dpdesk.gui.display import BUNDLE_NEEDS, BUNDLE_NEEDS_FEDORA

Program = Callable[[str], ModuleType]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of Linux")
def test_that_the_packages_of_missing_libraries_are_named(program: Program) -> None:
    libraries = program("qt_libraries")
    assert libraries.missing_packages(lambda library: True, lambda: True) == []
    assert libraries.missing_packages(lambda library: True, lambda: False) == ["fonts-dejavu-core"]
    lacking = {"libEGL.so.1", "libxcb-cursor.so.0"}
    assert libraries.missing_packages(lambda library: library not in lacking, lambda: True) == [
        "libegl1",
        "libxcb-cursor0",
    ]


def test_that_a_bundle_names_the_packages_of_the_libraries_that_it_leaves_to_the_system(
    program: Program,
) -> None:
    known = program("system_packages").FEDORA
    assert tuple(known[name] for name in BUNDLE_NEEDS) == BUNDLE_NEEDS_FEDORA


# What a Linux on which Python runs has, by Python's own needs or its wheels' (manylinux).
EVERYWHERE = re.compile(
    r"(ld-linux.*|lib(c|dl|gcc_s|m|pthread|resolv|rt|stdc\+\+|z|zstd))\.so\.\d+$"
)


@pytest.mark.skipif(shutil.which("readelf") is None, reason="readelf tells what a library needs")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries of Linux")
def test_that_every_library_that_the_window_is_linked_with_has_its_package(
    program: Program, source: dict[Path, ast.Module]
) -> None:
    qt = Path(pytest.importorskip("PySide6").__file__).parent
    plugins = qt / "Qt" / "plugins"
    brought = {path.name: path for path in qt.parent.glob("*iboken6/*.so*")}
    brought |= {path.name: path for folder in (qt, qt / "Qt/lib") for path in folder.glob("*.so*")}
    used = {
        node.module.removeprefix("PySide6.")
        for tree in source.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("PySide6.")
    }
    waiting = [qt / f"{module}.abi3.so" for module in used]
    waiting += [
        plugins / "platforms" / f"libq{name}.so" for name in ("xcb", "wayland", "offscreen")
    ]
    waiting += [*plugins.glob("wayland-shell-integration/*"), *plugins.glob("iconengines/*")]
    waiting += plugins.glob("wayland-decoration-client/*")
    seen: set[Path] = set()
    needed: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        told = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True)
        names = set(re.findall(r"NEEDED.*\[(.*)\]", told.stdout))
        waiting += [brought[name] for name in names & set(brought)]
        needed |= names - set(brought)
    assert {"libwayland-client.so.0", "libxcb-cursor.so.0"} <= needed
    known = program("qt_libraries").PACKAGE_OF_LIBRARY
    assert {name for name in needed if not EVERYWHERE.match(name)} == set(known)
