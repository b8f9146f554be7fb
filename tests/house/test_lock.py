"""The lock fixes everything that pyproject.toml asks for, on every supported Python and system."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Program = Callable[[str], ModuleType]

SYSTEMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "darwin": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "win32": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")


def machine(version: str, system: str) -> dict[str, str]:
    """What markers can ask about a machine with this Python."""
    python = {"python_version": version, "python_full_version": f"{version}.4"}
    cpython = {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
    return {**python, **cpython, **SYSTEMS[system], "extra": ""}


MACHINES = {
    f"{version} on {system}": machine(version, system)
    for version in ("3.11", "3.12", "3.13", "3.14")
    for system in SYSTEMS
}


@pytest.fixture
def entries(program: Program) -> dict[str, list[str]]:
    """The packages of each file of the lock, as they stand there."""
    lock = program("lock")
    return {path.stem: lock.entries(path) for path in sorted(lock.LOCKS.glob("*.txt"))}


@pytest.fixture
def asked(settings: dict[str, Any]) -> dict[str, list[Requirement]]:
    """What pyproject.toml asks for under the name of each file of the lock."""
    project = settings["project"]
    base = [*project["dependencies"], *settings["build-system"]["requires"]]
    extras = project["optional-dependencies"]
    # Extras ask for other extras by their names.
    parts = {"dpdesk": base, **{name: resolved(name, extras) for name in extras}}
    return {name: [Requirement(line) for line in lines] for name, lines in parts.items()}


def resolved(extra: str, extras: dict[str, list[str]]) -> list[str]:
    """What an extra asks for, with the extras that it names replaced by what these ask for."""
    lines = []
    for line in extras[extra]:
        requirement = Requirement(line)
        if requirement.name == "dpdesk":
            lines += [asked for name in requirement.extras for asked in resolved(name, extras)]
        else:
            lines.append(line)
    return lines


def test_that_all_is_every_part_of_the_program(settings: dict[str, Any]) -> None:
    extras = settings["project"]["optional-dependencies"]
    parts = set(extras) - {"all", "boosting", "cluster", "test", "dev"}
    assert Requirement(*extras["all"]).extras == parts == {"window", "statistics", "learning"}


def head(entry: str) -> Requirement:
    """Name, version and marker of a locked package."""
    return Requirement(entry.partition("--hash")[0].replace("\\\n", "").strip())


def locked(found: list[str], where: dict[str, str]) -> dict[str, str]:
    """The version of each package that is installed on a machine."""
    versions: dict[str, str] = {}
    for entry in found:
        requirement = head(entry)
        if requirement.marker is None or requirement.marker.evaluate(where):
            (pin,) = requirement.specifier
            name = canonicalize_name(requirement.name)
            assert versions.setdefault(name, pin.version) == pin.version, f"two versions of {name}"
    return versions


def test_that_dpdesk_and_each_extra_have_a_file_of_the_lock(
    entries: dict[str, list[str]], asked: dict[str, list[Requirement]]
) -> None:
    assert set(entries) == set(asked)
    assert all(entries.values())


def test_that_every_locked_package_has_one_version_and_hashes(
    entries: dict[str, list[str]],
) -> None:
    for entry in (entry for found in entries.values() for entry in found):
        requirement = head(entry)
        (pin,) = requirement.specifier
        assert pin.operator == "=="
        assert "*" not in pin.version
        assert not requirement.extras
        _, *hashes = re.split(r"\s*\\\n\s*", entry.strip())
        assert hashes, requirement.name
        assert all(HASH.fullmatch(word) for word in hashes), requirement.name
        assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize("where", MACHINES)
def test_that_everything_asked_for_is_locked_within_its_bounds(
    entries: dict[str, list[str]], asked: dict[str, list[Requirement]], where: str
) -> None:
    for part, requirements in asked.items():
        versions = locked(entries["dpdesk"] + entries[part], MACHINES[where])
        for requirement in requirements:
            version = versions.get(canonicalize_name(requirement.name))
            assert version is not None, f"{requirement.name} is not locked for {part}"
            assert requirement.specifier.contains(version), f"{requirement} and not {version}"


@pytest.mark.parametrize("where", MACHINES)
def test_that_all_extras_can_be_installed_together(
    entries: dict[str, list[str]], where: str
) -> None:
    together = [entry for found in entries.values() for entry in found]
    assert len(locked(together, MACHINES[where])) > 50


def test_that_what_a_locked_package_needs_is_locked(
    entries: dict[str, list[str]], asked: dict[str, list[Requirement]]
) -> None:
    # As far as the packages that are installed here tell it.
    together = [entry for found in entries.values() for entry in found]
    waiting = [requirement for found in asked.values() for requirement in found]
    where = machine(f"{sys.version_info[0]}.{sys.version_info[1]}", sys.platform)
    versions = locked(together, where)
    looked_at: set[str] = set()
    followed = 0
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        assert name in versions, f"{requirement} is needed and not locked"
        assert requirement.specifier.contains(versions[name]), str(requirement)
        if name in looked_at:
            continue
        looked_at.add(name)
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        if installed.version == versions[name]:
            followed += 1
            needed = [Requirement(line) for line in installed.requires or ()]
            waiting += [n for n in needed if n.marker is None or n.marker.evaluate(where)]
    assert followed > 20


def test_that_files_of_the_lock_are_read_entry_by_entry(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("# made by hand\na==1 \\\n    --hash=sha256:00\n\nb==2\n", encoding="utf-8")
    assert program("lock").entries(path) == ["a==1 \\\n    --hash=sha256:00\n", "b==2\n"]


def test_that_any_change_of_the_lock_changes_its_fingerprint(
    program: Program, tmp_path: Path
) -> None:
    digest = program("lock").digest
    (tmp_path / "a.txt").write_text("x", encoding="utf-8")
    (tmp_path / "b.txt").write_text("y", encoding="utf-8")
    seen = {digest(tmp_path)}
    (tmp_path / "b.txt").write_text("z", encoding="utf-8")
    seen.add(digest(tmp_path))
    (tmp_path / "b.txt").rename(tmp_path / "c.txt")
    seen.add(digest(tmp_path))
    (tmp_path / "c.txt").unlink()
    seen.add(digest(tmp_path))
    assert len(seen) == 4


NUMPY_AND_TOMLI = "numpy==2.4.6 \\\n    --hash=sha256:00\ntomli==2 \\\n    --hash=sha256:01\n"
PYTEST = "pytest==9.2.0 \\\n    --hash=sha256:02\n"


@pytest.fixture
def uv(program: Program, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The calls of uv, which answers as if dpdesk needed numpy and the extra `test` pytest."""
    given: list[list[str]] = []

    def called(*words: str | Path) -> None:
        given.append([str(word) for word in words])
        if words[0] == "compile":
            out = Path(given[-1][given[-1].index("--output-file") + 1])
            tests = "--all-extras" in words or "test" in words
            out.write_text(NUMPY_AND_TOMLI + (PYTEST if tests else ""), encoding="utf-8")

    monkeypatch.setattr(program("renew_lock"), "_uv", called)
    return given


def test_that_a_renewed_lock_names_each_package_where_it_is_needed_first(
    program: Program, tmp_path: Path, uv: list[list[str]]
) -> None:
    (tmp_path / "gone.txt").write_text("# of an extra that is no more\n", encoding="utf-8")
    program("renew_lock").renew(tmp_path, keep=False)
    lines = {
        path.stem: [line for line in path.read_text("utf-8").splitlines(True) if line[0] != "#"]
        for path in tmp_path.iterdir()
    }
    assert lines.pop("dpdesk") == NUMPY_AND_TOMLI.splitlines(keepends=True)
    assert lines.pop("test") == PYTEST.splitlines(keepends=True)
    assert set(lines) == {"dev", "boosting", "cluster", "window", "statistics", "learning", "all"}
    assert not any(lines.values())


def test_that_every_machine_and_python_is_asked_before_the_lock_is_written(
    program: Program, tmp_path: Path, uv: list[list[str]]
) -> None:
    renew_lock = program("renew_lock")
    renew_lock.renew(tmp_path, keep=False)
    asked = {
        (words[words.index("--python-platform") + 1], words[words.index("--python-version") + 1])
        for words in uv
        if words[0] == "install"
    }
    versions = {"3.11", "3.12", "3.13", "3.14"}
    assert asked == {(m, version) for m in renew_lock.MACHINES for version in versions}
    for words in uv:
        if words[0] == "install":
            assert {"--dry-run", "--require-hashes", "--only-binary"} <= set(words)
        else:
            assert {"--universal", "--generate-hashes"} <= set(words)


def test_that_a_lock_that_is_kept_begins_with_the_versions_of_before(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renew_lock = program("renew_lock")
    (tmp_path / "test.txt").write_text(f"# head\n{PYTEST}", encoding="utf-8")
    (tmp_path / "dpdesk.txt").write_text(f"# head\n{NUMPY_AND_TOMLI}", encoding="utf-8")
    seen: list[str] = []

    def called(*words: str | Path) -> None:
        if words[0] == "compile":
            out = Path(str(words[words.index("--output-file") + 1]))
            seen.append(out.read_text("utf-8") if out.exists() else "")
            out.write_text(NUMPY_AND_TOMLI, encoding="utf-8")

    monkeypatch.setattr(renew_lock, "_uv", called)
    renew_lock.renew(tmp_path, keep=True)
    assert (
        seen[0]
        == NUMPY_AND_TOMLI.partition("tomli")[0]
        + PYTEST
        + "tomli"
        + (NUMPY_AND_TOMLI.partition("tomli")[2])
    )
    renew_lock.renew(tmp_path, keep=False)
    assert not any(seen[1:])


def test_that_a_lock_that_cannot_be_made_leaves_the_old_one(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    renew_lock = program("renew_lock")
    old = tmp_path / "dpdesk.txt"
    old.write_text(NUMPY_AND_TOMLI, encoding="utf-8")

    def failed(*words: object, **_: object) -> object:
        return renew_lock.subprocess.CompletedProcess(words, 1, "", "error: No solution found\n")

    monkeypatch.setattr(renew_lock.subprocess, "run", failed)
    with pytest.raises(
        program("setup_log").SetupError, match=r"(?s)the old one stays.*No solution"
    ):
        renew_lock.renew(tmp_path, keep=False)
    assert old.read_text("utf-8") == NUMPY_AND_TOMLI
