"""The set-up behind the two commands of the README, away from the network and the system."""

from __future__ import annotations

import ast
import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

Program = Callable[[str], ModuleType]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the stand-ins are shell scripts")


def stand_in(path: Path, script: str) -> Path:
    """A program that does what a few lines of shell say."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def bare_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH on which there is nothing but what the test puts there."""
    folder = tmp_path / "bin with a space"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def checkout(tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout in a folder with a space; the set-up works on it instead of on this one."""
    root = tmp_path / "check out"
    root.mkdir()
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    environment, log = program("environment"), program("setup_log")
    for module in (environment, log):
        monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(log, "LOG", root / "build" / "setup.log")
    monkeypatch.setattr(environment, "VENV", root / ".venv")
    monkeypatch.setattr(environment, "STAMP", root / ".venv" / "dpdesk-setup.json")
    return root


@pytest.fixture
def calls(checkout: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that the set-up gives; making an environment makes a stand-in for Python."""
    given: list[list[str]] = []

    def recorded(command, log, *, cwd=None, env=None) -> int:
        given.append([str(word) for word in command])
        if "venv" in given[-1]:
            stand_in(checkout / ".venv" / "bin" / "python", "echo 3 12")
        return 0

    monkeypatch.setattr(program("environment"), "run_logged", recorded)
    return given


@pytest.mark.parametrize("name", ["supported_python", "start", "check"])
def test_that_an_old_python_reads_the_first_lines(root: Path, name: str) -> None:
    text = (root / "packaging" / f"{name}.py").read_text(encoding="utf-8")
    assert ast.parse(text, feature_version=(3, 6))
    assert "from __future__ import annotations" not in text  # unknown to Python 3.6


@pytest.mark.parametrize("name", ["start", "check"])
def test_that_the_version_of_python_is_asked_before_anything_else(root: Path, name: str) -> None:
    body = ast.parse((root / "packaging" / f"{name}.py").read_text(encoding="utf-8")).body
    assert ast.unparse(body[1]) == "import supported_python"
    assert ast.unparse(body[2]) == "supported_python.insist(__file__)"


def test_that_an_unsupported_python_says_which_are_needed(
    program: Program, bare_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supported = program("supported_python")
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11, 3\.12 or 3\.13.*3\.10\.13"):
        supported.insist("start.py")


def test_that_an_unsupported_python_hands_over_to_a_supported_one(
    program: Program, bare_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supported = program("supported_python")
    # A switcher's command for a version that is not installed fails and is passed over.
    stand_in(bare_path / "python3.13", "exit 127")
    stand_in(bare_path / "python3.12", '[ "$1" = -c ] && exit 0; [ "$2" = --quick ] && exit 7')
    monkeypatch.setattr(sys, "version_info", (3, 14, 0))
    monkeypatch.setattr(sys, "argv", ["start.py", "--quick"])
    with pytest.raises(SystemExit) as end:
        supported.insist("start.py")
    assert end.value.code == 7


def test_that_a_second_run_installs_nothing(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    environment = program("environment")
    python = environment.ensure(["test"])
    assert python == checkout / ".venv" / "bin" / "python"
    assert [command[-1] for command in calls] == [str(checkout / ".venv"), ".[test]"]
    calls.clear()
    assert environment.ensure(["test"]) == environment.ensure() == python
    assert not calls


def test_that_a_change_of_the_project_file_installs_again(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    environment = program("environment")
    environment.ensure(["test"])
    calls.clear()
    (checkout / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    environment.ensure()
    assert [command[-1] for command in calls] == ["."]


def test_that_extras_add_up(program: Program, checkout: Path, calls: list[list[str]]) -> None:
    environment = program("environment")
    environment.ensure(["test"])
    environment.ensure(["dev"])
    assert calls[-1][-1] == ".[dev,test]"
    stamp = json.loads((checkout / ".venv" / "dpdesk-setup.json").read_text(encoding="utf-8"))
    assert stamp["extras"] == ["dev", "test"]


def test_that_an_environment_of_an_unsupported_python_is_made_anew(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    stand_in(checkout / ".venv" / "bin" / "python", "echo 3 10")
    program("environment").ensure()
    assert calls[0][1:3] == ["-m", "venv"]


def test_that_a_failed_installation_names_its_log_and_is_tried_again(
    program: Program, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, log = program("environment"), program("setup_log")
    stand_in(
        checkout / ".venv" / "bin" / "python",
        'case "$*" in *install*) echo "ERROR: no route to the index"; exit 1;; esac; echo 3 12',
    )
    for _ in range(2):
        with pytest.raises(log.SetupError, match="no route to the index") as failure:
            environment.ensure()
        assert str(checkout / "build" / "setup.log") in str(failure.value)


def test_that_a_missing_venv_is_named_with_its_command(
    program: Program, checkout: Path, bare_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, log = program("environment"), program("setup_log")
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda name: None)
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    with pytest.raises(log.SetupError, match=f"sudo apt-get install {package}"):
        environment.ensure()


def test_that_packages_are_installed_by_root_alone_or_without_a_password(
    program: Program, bare_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = program("system_packages")
    log = tmp_path / "log"
    stand_in(bare_path / "apt-get", "exit 0")
    monkeypatch.setattr(packages.os, "geteuid", lambda: 1000)
    assert packages.privilege() is None
    assert not packages.install(["libegl1"], log)
    stand_in(bare_path / "sudo", "exit 1")  # sudo that would ask for a password
    assert packages.privilege() is None
    stand_in(bare_path / "sudo", "exit 0")
    assert packages.privilege() == ["sudo", "-n"]
    assert packages.install(["libegl1"], log)
    monkeypatch.setattr(packages.os, "geteuid", lambda: 0)
    assert packages.privilege() == []


def test_that_a_refused_package_is_no_success(
    program: Program, bare_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = program("system_packages")
    stand_in(bare_path / "env", 'case "$*" in *install*) exit 100;; esac')
    stand_in(bare_path / "apt-get", "exit 100")
    monkeypatch.setattr(packages.os, "geteuid", lambda: 0)
    assert not packages.install(["libegl1"], tmp_path / "log")


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


def test_that_missing_libraries_are_told_in_one_line(
    program: Program, bare_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries = program("qt_libraries")
    monkeypatch.setattr(libraries, "missing_packages", lambda: ["libegl1", "libgl1"])
    monkeypatch.setattr(libraries, "open_log", lambda: Path(os.devnull))
    assert not libraries.ensure()
    (line,) = capsys.readouterr().out.splitlines()
    assert line.endswith("sudo apt-get install libegl1 libgl1")


def test_that_no_display_is_seen_where_none_is_named(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not program("sample_session").has_display(Path(sys.executable))


def test_that_a_display_that_cannot_be_opened_is_no_display(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = program("sample_session")
    monkeypatch.setenv("DISPLAY", ":990")
    monkeypatch.setattr(session.qt_libraries, "ensure", lambda: True)
    assert not session.has_display(stand_in(tmp_path / "python", "exit 134"))
    assert session.has_display(stand_in(tmp_path / "python", "exit 0"))


def test_that_the_sample_session_never_writes_into_an_earlier_one(
    program: Program, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = program("sample_session")
    monkeypatch.chdir(tmp_path)
    said = tmp_path / "said"
    python = stand_in(tmp_path / "python", f'echo "$@" >> "{said}"; echo > kept')
    assert session.release_sample(python) == 0
    assert session.release_sample(python) == 0
    folders = sorted(tmp_path.glob("dpdesk-sample-*"))
    assert len(folders) == 2
    told = capsys.readouterr().out
    lines = said.read_text(encoding="utf-8").splitlines()
    assert [line.split()[3] for line in lines] == ["draft", "release"] * 2
    for folder in folders:
        assert f"{folder}/plan.json" in told
        assert f"{folder}/release" in told


def test_that_a_failed_step_ends_the_sample_session_with_its_status(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = program("sample_session")
    monkeypatch.chdir(tmp_path)
    python = stand_in(tmp_path / "python", "exit 3")
    assert session.release_sample(python) == 3
    assert not list(tmp_path.glob("dpdesk-sample-*"))


def test_that_arguments_reach_pytest_from_any_folder(
    program: Program, root: Path, tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = program("check")
    python = stand_in(tmp_path / "python", 'echo "$PWD" "$QT_QPA_PLATFORM" "$@"; exit 5')
    monkeypatch.setattr(check.environment, "ensure", lambda extras: python)
    monkeypatch.setattr(check.qt_libraries, "ensure", lambda: True)
    monkeypatch.chdir(tmp_path)
    assert check.main(["-k", "two words"]) == 5
    side_by_side = " ".join(check.SIDE_BY_SIDE)
    assert f"{root} offscreen -m pytest {side_by_side} -k two words\n" in capfd.readouterr().out


def test_that_tests_without_the_window_are_no_pass(
    program: Program, tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = program("check")
    python = stand_in(tmp_path / "python", 'echo "$@"')
    monkeypatch.setattr(check.environment, "ensure", lambda extras: python)
    monkeypatch.setattr(check.qt_libraries, "ensure", lambda: False)
    assert check.main([]) == 1
    out = capfd.readouterr().out
    assert "--ignore=tests/gui" in out
    assert "have not run" in out
