"""The scripts by which shells complete the words of a command."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from dpdesk.cli.main import main

SHELLS = ("bash", "zsh", "fish")
WORDS = [
    (["dra"], {"draft"}),
    (["survey", "es"], {"estimate"}),
    (["release", "a.csv", "--pl"], {"--plan", "--platform"}),
    # Plans are JSON; folders may hold some.
    (["release", "a.csv", "--plan", ""], {"p.json", "made"}),
    (["release", "a.csv", "--out", ""], {"made"}),
    (["draft", "a"], {"a.csv"}),
    (["estimate", "made", "--lonely-psu", "c"], {"certainty", "centred"}),
    # The options of an attack are its own.
    (["attack", "link"], {"linkage"}),
    (["attack", "linkage", "--regi"], {"--register"}),
    (["completion", ""], set(SHELLS)),
    (["release", "--write", ""], {"sav", "zsav", "dta", "xlsx", "feather"}),
    (["check", "p.json", "--qui"], {"--quiet"}),
    (["draft", "--platform", "k"], {"kobo"}),
    (["release", "--format", "sp"], {"spss", "spss-portable"}),
    (["survey", "sheet", "--design", "war"], {"warner"}),
    (["survey", "sheet", "--device", "dic"], {"dice_pair", "dice_sum"}),
    (["experiment", "--strategies", "o"], {"oue-z", "oue-r"}),
    (["handout", "two-c"], {"two-coins"}),
]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scripts, a survey, a plan and a folder."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        with (
            (folder / f"script.{shell}").open("w", encoding="utf-8") as out,
            pytest.MonkeyPatch.context() as patch,
        ):
            patch.setattr("sys.stdout", out)
            assert main(["completion", shell]) == 0
    for name in ("a.csv", "p.json"):
        (folder / name).touch()
    (folder / "made").mkdir()
    return folder


def completed(shell: str, script: str, folder: Path, *words: str) -> set[str]:
    """What a shell offers, without the slashes of folders and descriptions."""
    done = subprocess.run(
        [shell, "-c", script, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return {line.partition("\t")[0].rstrip("/") for line in done.stdout.splitlines()} - {""}


BASH = """
source ./script.bash
COMP_WORDS=(dpdesk "$@"); COMP_CWORD=$#; COMP_LINE="dpdesk $*"
_shtab_dpdesk dpdesk "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="without bash")
@pytest.mark.parametrize(("words", "offered"), WORDS)
def test_that_bash_completes_commands_options_words_and_files(
    words: list[str], offered: set[str], scripts: Path
) -> None:
    assert completed("bash", BASH, scripts, "bash", *words) == offered


@pytest.mark.skipif(shutil.which("fish") is None, reason="without fish")
@pytest.mark.parametrize(("words", "offered"), WORDS)
def test_that_fish_completes_commands_options_words_and_files(
    words: list[str], offered: set[str], scripts: Path
) -> None:
    line = " ".join(["dpdesk", *words])
    asked = f"set -gx HOME $PWD; source script.fish; complete -C '{line}'"
    assert completed("fish", asked, scripts) == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_that_a_script_is_correct_in_its_shell(shell: str, scripts: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"without {shell}")
    subprocess.run([shell, "-n", scripts / f"script.{shell}"], check=True)


def test_that_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "csh"]) == 2
    assert "choose from 'bash', 'zsh', 'fish'" in capsys.readouterr().err
