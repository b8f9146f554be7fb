"""What nobody foresaw: one sentence, an exit code, a note without any value."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dpdesk import crash
from dpdesk.cli.exit_codes import MEANINGS, ExitCode, exit_code_of
from dpdesk.cli.main import main
from dpdesk.cli.run import COMMANDS
from dpdesk.cli.terminal import OutputError
from dpdesk.errors import (
    Cancelled,
    CapReachedError,
    CertificateError,
    DpdeskError,
    InputError,
    OlderCopyError,
    ParameterError,
    PlanError,
    ReleaseError,
)
from dpdesk.gui.display import NoDisplayError
from dpdesk.resources import resource
from tests.cli.sentences import one_sentence
from tests.patience import HANG

QUOTED = "respondent 7: HIV positive"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="files and displays of Linux")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of this test alone."""
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """Runs a command that raises what it is given."""

    def run(error: BaseException) -> int:
        def command(_: object) -> int:
            try:
                raise KeyError(QUOTED)
            except KeyError:
                raise error  # noqa: B904 - what led to it is noted too

        monkeypatch.setattr("dpdesk.cli.mechanisms.run", command)
        return main(["mechanisms"])

    return run


def child(words: list[str], **surroundings: str) -> subprocess.CompletedProcess[str]:
    """Runs dpdesk in a process of its own, without a display but for what is named."""
    known = {key: value for key, value in os.environ.items() if "DISPLAY" not in key}
    del known["QT_QPA_PLATFORM"]
    return subprocess.run(
        [sys.executable, "-m", "dpdesk", *words],
        capture_output=True,
        text=True,
        errors="replace",
        env=known | surroundings,
        timeout=HANG,
    )


@pytest.mark.parametrize(
    "error",
    [
        ValueError(QUOTED),
        RecursionError(QUOTED),
        AssertionError(QUOTED),
        UnicodeEncodeError("ascii", QUOTED, 0, 1, "no such letter"),
        FileNotFoundError(2, "No such file or directory", QUOTED),
    ],
)
def test_that_an_error_which_nobody_foresaw_is_told_and_noted_without_its_text(
    error: Exception,
    failing: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert failing(error) == ExitCode.INTERNAL == 70
    said = capsys.readouterr().err
    assert one_sentence(said)
    assert type(error).__name__ in said
    assert str(crash.log_path()) in said
    noted = crash.log_path().read_text(encoding="utf-8")
    assert type(error).__name__ in noted
    assert "KeyError" in noted, "and what led to it"
    assert re.search(r"dpdesk/cli/run\.py:[0-9]+ run\b", noted)
    assert not re.search("HIV|respondent 7", said + noted)
    assert crash.log_path().stat().st_mode & 0o777 == 0o600


def test_that_the_note_holds_no_place_on_this_machine(
    failing: Callable[[BaseException], int], root: Path
) -> None:
    failing(ValueError(QUOTED))
    failing(ValueError(QUOTED))
    noted = crash.log_path().read_text(encoding="utf-8")
    assert noted.count("builtins.ValueError") == 2
    assert str(root.parent) not in noted
    assert str(Path.home()) not in noted


def test_that_the_note_does_not_grow_without_end(state: Path) -> None:
    crash.note(ValueError())
    path = crash.log_path()
    path.chmod(0o644)
    path.write_text("x" * (1 << 20) + "yz", encoding="utf-8")
    crash.note(ValueError())
    assert "ValueError" in path.read_text(encoding="utf-8")
    assert path.stat().st_size < 1000
    assert path.stat().st_mode & 0o777 == 0o600


@LINUX
@pytest.mark.parametrize("obstacle", ["file", "pipe"])
def test_that_an_error_is_told_even_where_it_cannot_be_noted(
    obstacle: str,
    state: Path,
    failing: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    if obstacle == "file":
        state.write_text("no folder", encoding="utf-8")
    else:
        crash.log_path().parent.mkdir(parents=True)
        os.mkfifo(crash.log_path())
    assert failing(ValueError(QUOTED)) == 70
    said = capsys.readouterr().err
    assert one_sentence(said)
    assert "could not be noted" in said


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (MemoryError(), ExitCode.FAILED, "memory"),
        (OSError(28, "No space left on device", QUOTED), ExitCode.WRITE, "no space left"),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "cancelled"),
    ],
)
def test_that_what_is_no_fault_of_dpdesk_is_told_as_what_it_is(
    error: BaseException,
    code: ExitCode,
    says: str,
    failing: Callable[[BaseException], int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert failing(error) == code
    said = capsys.readouterr().err
    assert one_sentence(said)
    assert says in said
    assert not crash.log_path().exists()


def test_that_ctrl_c_while_modules_are_imported_is_a_cancel(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Slow:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "dpdesk.cli.run", Slow())  # type: ignore[arg-type]
    assert main(["mechanisms"]) == ExitCode.INTERRUPTED
    assert one_sentence(capsys.readouterr().err)


def test_that_every_exit_code_is_documented() -> None:
    assert set(MEANINGS) == set(ExitCode)
    page = resource("docs/command-line.md").read_text(encoding="utf-8")
    listed = {
        int(code): meaning for code, meaning in re.findall(r"^\| ([0-9]+) \| (.*) \|$", page, re.M)
    }
    assert listed == {int(code): meaning for code, meaning in MEANINGS.items()}


def test_that_the_help_lists_every_command_and_task_with_a_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, listed in (
        ([], COMMANDS),
        *([[command.name], command.tasks] for command in COMMANDS if command.tasks),
    ):
        assert main([*words, "--help"]) == 0
        said = capsys.readouterr().out
        for command in listed:
            assert re.search(rf"^  {command.name} +{re.escape(command.line)}$", said, re.M)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DpdeskError("x"), ExitCode.FAILED),
        (CertificateError("x"), ExitCode.FAILED),
        (NoDisplayError("x"), ExitCode.FAILED),
        (InputError("x"), ExitCode.DATA),
        (ParameterError("x"), ExitCode.USAGE),
        (PlanError("x"), ExitCode.PROBLEMS),
        (ReleaseError("x"), ExitCode.WRITE),
        (OutputError("x"), ExitCode.WRITE),
        (CapReachedError("x"), ExitCode.LEDGER),
        (OlderCopyError("x"), ExitCode.LEDGER),
        (Cancelled(), ExitCode.INTERRUPTED),
    ],
    ids=lambda value: type(value).__name__,
)
def test_that_an_error_ends_with_the_code_of_its_nearest_class(
    error: DpdeskError, code: ExitCode
) -> None:
    assert exit_code_of(error) == code


@pytest.mark.parametrize("word", ["survey.csv", "no/such/folder", "x" * 5000, "a\x1b[2Jb", "ε"])
def test_that_a_file_which_is_not_there_opens_no_window(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([word], ["--sample", word]):
        assert main(words) == ExitCode.USAGE
        said = capsys.readouterr().err
        assert one_sentence(said)
        assert len(said) < 300
        assert "\x1b" not in said


def test_that_qt_is_not_imported_for_a_mistyped_command(root: Path) -> None:
    code = (
        "import sys; from dpdesk.cli.main import main; code = main(['draf']);"
        "sys.exit(9 if 'PySide6' in sys.modules else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, timeout=HANG)
    assert done.returncode == 2


@pytest.mark.parametrize("words", [[], ["--sample"], ["--self-test"]])
def test_that_a_server_without_the_packages_of_the_window_says_how_to_get_them(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dpdesk.gui.display.find_spec", lambda name: None)
    assert main(words) == ExitCode.FAILED
    told = capsys.readouterr()
    assert "The window needs PySide6 and pyqtgraph: pip install 'dpdesk[window]'." in told.err
    assert one_sentence(told.err)
    # Who named nothing to open may have wanted the commands.
    assert ("commands (" in told.out) == (not words)


@LINUX
@pytest.mark.parametrize(
    ("surroundings", "says"),
    [
        ({}, "There is no display"),
        ({"DISPLAY": ":7777"}, "cannot be opened on the display :7777"),
        ({"WAYLAND_DISPLAY": "wayland-7777"}, "cannot be opened on the display wayland-7777"),
        ({"QT_QPA_PLATFORM": "nonsense"}, "cannot be opened on the display nonsense"),
    ],
)
def test_that_a_window_which_cannot_be_opened_is_told_in_a_sentence(
    surroundings: dict[str, str], says: str
) -> None:
    done = child([], **surroundings)
    assert done.returncode == ExitCode.FAILED
    assert one_sentence(done.stderr)
    assert says in done.stderr
    assert "Reinstalling" not in done.stderr


@LINUX
@pytest.mark.parametrize(
    ("bundle", "says"),
    [
        ("", "python3 packaging/start.py in a checkout names missing ones"),
        ("sys._MEIPASS = '/bundle'; ", "sudo apt-get install libegl1 libgl1 "),
    ],
)
def test_that_where_libraries_of_the_system_are_missing_it_is_said_how_to_get_them(
    root: Path, tmp_path: Path, bundle: str, says: str
) -> None:
    package = tmp_path / "PySide6"
    package.mkdir()
    (package / "__init__.py").touch()
    missing = "raise ImportError('libGL.so.1: cannot open shared object file')"
    (package / "QtGui.py").write_text(missing, encoding="utf-8")
    code = f"import sys; {bundle}from dpdesk.cli.main import main; sys.exit(main([]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "QT_QPA_PLATFORM": "xcb"},
        cwd=root,
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert done.returncode == ExitCode.FAILED
    assert "Qt cannot be loaded: libraries of the system are missing" in done.stderr
    assert says in done.stderr
    assert one_sentence(done.stderr)


@LINUX
def test_that_without_a_display_the_commands_are_listed_unless_something_is_to_be_opened() -> None:
    listed = child([]).stdout
    assert [c.name for c in COMMANDS if f"\n  {c.name} " in listed] == [c.name for c in COMMANDS]
    assert child(["--sample"]).stdout == ""
    assert child([], DISPLAY=":7777").stdout == ""


@LINUX
def test_that_a_full_device_is_told_in_a_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        for words in (["mechanisms"], ["--version"]):
            done = subprocess.run(
                [sys.executable, "-m", "dpdesk", *words],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=HANG,
            )
            assert done.returncode == ExitCode.WRITE
            assert one_sentence(done.stderr)


def test_that_a_letter_which_the_terminal_lacks_ends_nothing(tmp_path: Path) -> None:
    data = tmp_path / "survey.csv"
    data.write_text("größe,b\nx,ü\ny,ö\nx,ü\n", encoding="utf-8")
    words = ["draft", str(data), "-o", str(tmp_path / "plan.json")]
    done = child(words, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.returncode == 0
    assert "gr\\xf6\\xdfe: " in done.stdout


def test_that_an_error_aside_is_told_without_its_text(root: Path) -> None:
    code = f"""
import threading
from dpdesk.cli.main import _settle_process
class Leaving:
    def __del__(self):
        raise KeyError({QUOTED!r})
def work():
    raise ValueError({QUOTED!r})
_settle_process()
thread = threading.Thread(target=work)
thread.start()
thread.join()
Leaving()
import warnings
warnings.warn({QUOTED!r})
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=HANG
    )
    assert done.stderr.count("dpdesk: An unexpected error") == 2
    assert "ValueError" in done.stderr
    assert "KeyError" in done.stderr
    assert "HIV" not in done.stderr
