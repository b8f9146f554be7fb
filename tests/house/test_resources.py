"""The files that travel with the program are found wherever it runs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from dpdesk import resources


@pytest.fixture
def fresh():
    """No remembered folder, before the test and after it."""
    resources.resource_root.cache_clear()
    yield
    resources.resource_root.cache_clear()


def named_resources(source: dict[Path, ast.Module]) -> set[str]:
    """The literal arguments of every call of `resource`."""
    return {
        node.args[0].value
        for tree in source.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) == "resource"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def test_that_every_resource_the_source_names_exists(source: dict[Path, ast.Module]) -> None:
    named = named_resources(source)
    assert named
    for relative in named:
        assert resources.resource(relative).exists()


def test_that_the_sample_survey_is_a_resource() -> None:
    assert resources.resource("samples/affairs/affairs.csv").is_file()
    assert resources.resource("samples/affairs/codebook.json").is_file()


@pytest.mark.parametrize("relative", ["/etc/passwd", "../pyproject.toml", "samples/../../LICENSE"])
def test_that_a_name_cannot_leave_the_resource_folder(relative: str) -> None:
    with pytest.raises(ValueError, match="below the resource folder"):
        resources.resource(relative)


def test_that_a_missing_resource_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"samples/no-such-survey\.csv"):
        resources.resource("samples/no-such-survey.csv")


@pytest.mark.usefixtures("fresh")
def test_that_a_bundle_finds_its_own_resources(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "a.txt").touch()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resources.resource("a.txt") == tmp_path / "resources" / "a.txt"


def test_that_a_bundle_alone_has_the_licences_of_its_parts(tmp_path: Path, monkeypatch) -> None:
    listed = tmp_path / "THIRD-PARTY-LICENCES"
    monkeypatch.setattr(sys, "executable", str(tmp_path / "dpdesk"))
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "_internal"), raising=False)
    assert resources.third_party_licences() is None
    listed.touch()
    assert resources.third_party_licences() == listed
    contents = tmp_path / "dpdesk.app" / "Contents"
    (contents / "Resources").mkdir(parents=True)
    (contents / "Resources" / listed.name).touch()
    monkeypatch.setattr(sys, "executable", str(contents / "MacOS" / "dpdesk"))
    monkeypatch.setattr(sys, "_MEIPASS", str(contents / "Frameworks"))
    assert resources.third_party_licences() == contents / "Resources" / listed.name
    monkeypatch.delattr(sys, "_MEIPASS")
    assert resources.third_party_licences() is None


@pytest.mark.usefixtures("fresh")
def test_that_an_installation_finds_resources_beside_the_module(
    tmp_path: Path, monkeypatch
) -> None:
    installed = tmp_path / "site" / "dpdesk"
    (installed / "resources").mkdir(parents=True)
    # A folder of the same name beside the package belongs to somebody else.
    (tmp_path / "site" / "resources").mkdir()
    monkeypatch.setattr(resources, "__file__", str(installed / "resources.py"))
    assert resources.resource_root() == installed / "resources"


@pytest.mark.usefixtures("fresh")
def test_that_an_incomplete_installation_says_what_to_do(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "dpdesk" / "resources.py"))
    with pytest.raises(FileNotFoundError, match="Install dpdesk again"):
        resources.resource_root()
