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

from dpdesk.cli.main import main
from dpdesk.data.sample import load_sample
from dpdesk.gui.open_table import sample_plan
from dpdesk.plan import load_plan, total_epsilon

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
    locks = root / "packaging" / "locks"
    locks.mkdir(parents=True)
    for name in ("dpdesk", "test", "dev"):
        (locks / f"{name}.txt").write_text(f"{name}-needs==1 \\\n    --hash=sha256:00\n")
    environment, log = program("environment"), program("setup_log")
    for module in (environment, log):
        monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(log, "LOG", root / "build" / "setup.log")
    monkeypatch.setattr(environment, "LOCKS", locks)
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
    with pytest.raises(SystemExit, match=r"needs Python 3\.11, 3\.12, 3\.13 or 3\.14.*3\.10\.13"):
        supported.insist("start.py")


def test_that_an_unsupported_python_hands_over_to_a_supported_one(
    program: Program, bare_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supported = program("supported_python")
    # A switcher's command for a version that is not installed fails and is passed over.
    stand_in(bare_path / "python3.13", "exit 127")
    stand_in(bare_path / "python3.12", '[ "$1" = -c ] && exit 0; [ "$2" = --quick ] && exit 7')
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    monkeypatch.setattr(sys, "argv", ["start.py", "--quick"])
    with pytest.raises(SystemExit) as end:
        supported.insist("start.py")
    assert end.value.code == 7


def locked(checkout: Path, *names: str) -> list[str]:
    """The words by which pip is told to install from files of the lock alone."""
    files = [str(checkout / "packaging" / "locks" / f"{name}.txt") for name in names]
    how = ["--require-hashes", "--only-binary", ":all:"]
    return ["install", *how, *(word for file in files for word in ("-r", file))]


def given_to_pip(calls: list[list[str]]) -> list[list[str]]:
    """The calls of pip, from the word 'install' on."""
    return [command[command.index("install") :] for command in calls if "install" in command]


ALONE = ["install", "--no-index", "--no-deps", "--no-build-isolation", "--editable", "."]


def test_that_everything_is_installed_from_the_lock_and_dpdesk_fetches_nothing(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    environment = program("environment")
    python = environment.ensure(["test"])
    assert python == checkout / ".venv" / "bin" / "python"
    assert calls[0][1:] == ["-m", "venv", "--clear", str(checkout / ".venv")]
    assert given_to_pip(calls) == [locked(checkout, "dpdesk", "test"), ALONE]
    assert {command[0] for command in calls[1:]} == {str(python)}


def test_that_a_second_run_installs_nothing(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    environment = program("environment")
    python = environment.ensure(["test"])
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
    assert given_to_pip(calls) == [locked(checkout, "dpdesk", "test"), ALONE]
    assert len(calls) == 2  # into the same environment


@pytest.mark.parametrize("name", ["dpdesk", "dev"])
def test_that_a_change_of_the_lock_makes_the_environment_anew_with_its_extras(
    program: Program, checkout: Path, calls: list[list[str]], name: str
) -> None:
    environment = program("environment")
    environment.ensure(["test"])
    calls.clear()
    changed = checkout / "packaging" / "locks" / f"{name}.txt"
    changed.write_text(changed.read_text().replace("==1", "==2"), encoding="utf-8")
    environment.ensure()
    assert calls[0][1:4] == ["-m", "venv", "--clear"]
    assert given_to_pip(calls) == [locked(checkout, "dpdesk", "test"), ALONE]
    calls.clear()
    environment.ensure(["test"])
    assert not calls


def test_that_an_environment_does_not_make_itself_anew_with_its_own_python(
    program: Program, checkout: Path, calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = program("environment")
    monkeypatch.setattr(sys, "_base_executable", "python-that-made-it")
    environment.ensure()
    assert calls[0][0] == "python-that-made-it"
    monkeypatch.setattr(sys, "prefix", str(checkout / ".venv"))
    monkeypatch.setattr(sys, "platform", "win32")
    (checkout / ".venv" / "dpdesk-setup.json").unlink()
    with pytest.raises(program("setup_log").SetupError, match=r"Repeat the command with the Py"):
        environment.ensure()


def test_that_an_environment_without_a_lock_is_made_anew(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    environment = program("environment")
    environment.ensure()
    stamp = checkout / ".venv" / "dpdesk-setup.json"
    content = json.loads(stamp.read_text(encoding="utf-8"))
    del content["lock"]  # as versions of dpdesk before the lock wrote it
    stamp.write_text(json.dumps(content), encoding="utf-8")
    calls.clear()
    environment.ensure()
    assert calls[0][1:4] == ["-m", "venv", "--clear"]


def test_that_extras_add_up(program: Program, checkout: Path, calls: list[list[str]]) -> None:
    environment = program("environment")
    environment.ensure(["test"])
    environment.ensure(["dev"])
    assert given_to_pip(calls)[-2] == locked(checkout, "dpdesk", "dev", "test")
    stamp = json.loads((checkout / ".venv" / "dpdesk-setup.json").read_text(encoding="utf-8"))
    assert stamp["extras"] == ["dev", "test"]


def test_that_an_extra_without_a_lock_is_refused_before_anything_is_done(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    with pytest.raises(program("setup_log").SetupError, match=r"no lock for 'tests'.*renew_lock"):
        program("environment").ensure(["tests"])
    assert not calls


def test_that_an_extra_that_is_gone_is_forgotten(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    environment = program("environment")
    environment.ensure(["dev", "test"])
    (checkout / "packaging" / "locks" / "dev.txt").unlink()
    environment.ensure()
    assert given_to_pip(calls)[-2] == locked(checkout, "dpdesk", "test")


def test_that_an_environment_of_an_unsupported_python_is_made_anew(
    program: Program, checkout: Path, calls: list[list[str]]
) -> None:
    stand_in(checkout / ".venv" / "bin" / "python", "echo 3 10")
    program("environment").ensure()
    assert calls[0][1:3] == ["-m", "venv"]


# What pip 23.2 and 24.2 said, and what a person reads.
COMPLAINTS = {
    "another hash": (
        "  Downloading pluggy-1.7.0-py3-none-any.whl (27 kB)\n"
        "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have "
        "updated the package versions, please update the hashes. Otherwise, examine the package "
        "contents carefully; someone may have tampered with them.\n"
        "    pluggy==1.7.0 from file:///pluggy-1.7.0-py3-none-any.whl (from -r dpdesk.txt):\n"
        "        Expected sha256 00\n             Got        01\n\n",
        r"The package pluggy 1\.7\.0 was refused and nothing was installed.*SHA-256.*Repeat the "
        r"command over another network.*tell the maintainers",
    ),
    "no hash": (
        "ERROR: Hashes are required in --require-hashes mode, but they are missing from some "
        "requirements. Here is a list of those requirements along with the hashes their "
        "downloaded archives actually had. Add lines like these to your requirements files to "
        "prevent tampering.\n    pluggy==1.7.0 --hash=sha256:7dd7\n",
        r"The package pluggy was refused and nothing was installed.*no SHA-256 for it.*"
        r"Restore that folder.*renew_lock\.py",
    ),
    "not in the lock": (
        "Collecting pytest (from pytest-qt==4.5.0->-r dpdesk.txt (line 1))\n"
        "ERROR: In --require-hashes mode, all requirements must have their versions pinned with "
        "==. These do not:\n    pytest from file:///pytest-9.2.0-py3-none-any.whl\n",
        r"The package pytest is needed and nothing was installed.*does not fix its version.*"
        r"Restore that folder",
    ),
    "no network": (
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) "
        "after connection broken by 'NewConnectionError('Failed to establish a new connection')': "
        "/simple/numpy/\n"
        "ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 (from "
        "versions: none)\nERROR: No matching distribution found for numpy==2.4.6\n",
        r"The package index could not be reached\. Check the network, and the proxy",
    ),
    "no such version": (
        "ERROR: Could not find a version that satisfies the requirement numpy==2.4.6 (from "
        "versions: 1.26.4, 2.0.2)\nERROR: No matching distribution found for numpy==2.4.6\n",
        r"has no ready-built numpy 2\.4\.6 for this machine and this Python\. dpdesk is made for "
        r"Linux.*set pip up for an index",
    ),
    "full disk": (
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
        r"The disk is full",
    ),
    "anything else": (
        "ERROR: the moon is in the way\n",
        r"pip could not install what dpdesk needs \(ERROR: the moon is in the way\)\.",
    ),
}


@pytest.mark.parametrize("name", COMPLAINTS)
def test_that_a_failed_installation_says_why_and_what_to_do_and_is_tried_again(
    program: Program, checkout: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    environment, log = program("environment"), program("setup_log")
    said, sentence = COMPLAINTS[name]
    (checkout / "said").write_text(said, encoding="utf-8")
    pip = f'case "$*" in *install*) cat "{checkout / "said"}"; exit 1;; esac; echo 3 12'
    tries = []

    def made(folder: Path) -> None:
        tries.append(stand_in(checkout / ".venv" / "bin" / "python", pip))

    monkeypatch.setattr(environment, "_make_venv", made)
    for _ in range(2):
        with pytest.raises(log.SetupError, match=sentence) as failure:
            environment.ensure()
        assert str(checkout / "build" / "setup.log") in str(failure.value)
        assert "\n" not in str(failure.value)
    assert len(tries) == 2


def test_that_a_failure_to_install_dpdesk_itself_says_so(
    program: Program, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, log = program("environment"), program("setup_log")
    pip = 'case "$*" in *--editable*) echo "ERROR: no hatchling"; exit 1;; esac; echo 3 12'
    monkeypatch.setattr(
        environment, "_make_venv", lambda _: stand_in(checkout / ".venv" / "bin" / "python", pip)
    )
    with pytest.raises(log.SetupError, match=r"dpdesk itself could not.*no hatchling"):
        environment.ensure()


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


def test_that_fedora_is_told_its_own_names(program: Program, bare_path: Path) -> None:
    packages, libraries = program("system_packages"), program("qt_libraries")
    assert packages.command_for(["libegl1"]) == "sudo apt-get install libegl1"
    stand_in(bare_path / "dnf", "exit 0")
    wanted = ["libxcb-shape0", "libxcb-xkb1", "binutils", "libegl1"]
    assert packages.command_for(wanted) == "sudo dnf install binutils libglvnd-egl libxcb"
    needed = {*libraries.PACKAGE_OF_LIBRARY.values(), libraries.FONT_PACKAGE}
    assert set(packages.FEDORA) == needed
    stand_in(bare_path / "apt-get", "exit 0")
    assert packages.command_for(["libegl1"]) == "sudo apt-get install libegl1"


def test_that_a_refused_package_is_no_success(
    program: Program, bare_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = program("system_packages")
    stand_in(bare_path / "env", 'case "$*" in *install*) exit 100;; esac')
    stand_in(bare_path / "apt-get", "exit 100")
    monkeypatch.setattr(packages.os, "geteuid", lambda: 0)
    assert not packages.install(["libegl1"], tmp_path / "log")


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


def test_that_the_sample_is_planned_alike_with_and_without_a_window(
    program: Program, tmp_path: Path, capsys
) -> None:
    path = tmp_path / "plan.json"
    assert main(program("sample_session").draft_words(path)) == 0
    drafted, shown = load_plan(path), sample_plan(load_sample())
    assert (drafted.strategy, drafted.budget, total_epsilon(drafted)) == ("smp", 4, 4)
    for field in ("columns", "strategy", "budget", "details", "respondents"):
        assert getattr(drafted, field) == getattr(shown, field), field


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
