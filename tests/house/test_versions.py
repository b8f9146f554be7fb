"""One version, told alike in every place; and which versions of others are asked for."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import dpdesk


@pytest.fixture(scope="module")
def requirements(settings: dict[str, Any]) -> dict[str, Requirement]:
    project = settings["project"]
    lines = (*project["dependencies"], *project["optional-dependencies"]["window"])
    parsed = [Requirement(line) for line in lines]
    return {requirement.name: requirement for requirement in parsed}


def test_that_the_version_is_written_in_the_package_alone(settings: dict[str, Any]) -> None:
    assert "version" not in settings["project"]
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["hatch"]["version"]["path"] == "dpdesk/version.py"


def test_that_the_newest_changes_are_those_of_this_version(root: Path) -> None:
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)", changelog, flags=re.MULTILINE)
    assert versions[0] == dpdesk.__version__


def test_that_the_faulty_release_of_pyside6_is_refused(
    requirements: dict[str, Requirement],
) -> None:
    accepted = requirements["PySide6-Essentials"].specifier
    assert "6.12.0" not in accepted
    assert {version for version in ("6.10.0", "6.10.1", "6.11.3") if version in accepted} == {
        "6.10.1",
        "6.11.3",
    }


def test_that_the_qt_in_use_is_one_that_is_accepted(requirements: dict[str, Requirement]) -> None:
    pyside = pytest.importorskip("PySide6")
    assert pyside.__version__ in requirements["PySide6-Essentials"].specifier


def test_that_set_up_and_package_agree_on_the_versions_of_python(settings: dict[str, Any], program):
    accepted = SpecifierSet(settings["project"]["requires-python"])
    candidates = [(3, minor) for minor in range(8, 20)]
    declared = tuple(pair for pair in candidates if f"{pair[0]}.{pair[1]}.0" in accepted)
    assert declared == program("supported_python").SUPPORTED


def test_that_every_supported_python_is_among_the_classifiers(settings: dict[str, Any], program):
    listed = {
        line.rsplit(" ", 1)[-1]
        for line in settings["project"]["classifiers"]
        if line.startswith("Programming Language :: Python :: 3.")
    }
    supported = program("supported_python").SUPPORTED
    assert listed == {f"{major}.{minor}" for major, minor in supported}
