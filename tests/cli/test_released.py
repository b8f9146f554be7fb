"""The end of every command that releases something into a folder is the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.errors import LedgerError

SURVEY = "sex,job\n" + "".join(f"{'mf'[i % 2]},{'abc'[i * 7 % 3]}\n" for i in range(60))
WORDS = {
    "release": ["release", "s.csv", "--plan", "plan.json"],
    "query": ["query", "s.csv", "--declare", "sex=m|f", "--query", "count by sex", "--epsilon=1"],
    "synthesize": ["synthesize", "s.csv", "--plan", "plan.json"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a survey and its plan."""
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text(SURVEY, encoding="utf-8")
    assert main(["draft", "s.csv", "-o", "plan.json", "--confirm-domains"]) == 0
    return tmp_path


@pytest.mark.parametrize("command", WORDS)
def test_that_a_release_ends_with_its_files_the_budget_and_what_the_ledger_lacks(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unwritable(*_: object) -> None:
        raise LedgerError("The disk is full.")

    monkeypatch.setattr("dpdesk.ledgers.Ledger.written", unwritable)
    capsys.readouterr()
    assert main([*WORDS[command], "--out", "a\x1b[2Jb"]) == 0
    told = capsys.readouterr()
    made = folder / "a\x1b[2Jb"
    files = [line for line in told.out.splitlines() if line.startswith(str(folder))]
    # Whole paths, in which no sign takes effect in the terminal.
    assert {line.rpartition("/")[2] for line in files} == {path.name for path in made.iterdir()}
    assert all(line.startswith(f"{folder}/a\\x1b[2Jb/") for line in files)
    assert "\x1b" not in told.out + told.err
    assert "ledger: " in told.out
    assert "warning: the ledger has the release, but not where it is." in told.err


@pytest.mark.parametrize("command", ["release", "synthesize"])
@pytest.mark.parametrize("option", ["--json", "--quiet", "--paper=letter"])
def test_that_a_release_without_an_output_is_done_all_the_same(
    command: str, option: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert main([*WORDS[command], "--out", "made", option]) == 0
    assert (folder / "made" / "manifest.json").is_file()
