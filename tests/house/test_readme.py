"""What the README says can be done."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from dpdesk.cli.main import main


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def commands(readme: str) -> list[list[str]]:
    """The words of every command in a shell block; where its output goes is no word of it."""
    blocks = re.findall(r"```sh\n(.*?)```", readme, flags=re.DOTALL)
    lines = (line.partition(" > ")[0] for block in blocks for line in block.splitlines() if line)
    return [shlex.split(line) for line in lines]


def help_of(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line says about a command; asking for it succeeds."""
    try:
        status = main([*words, "--help"])
    except SystemExit as end:
        status = end.code
    assert not status
    return capsys.readouterr().out


def test_that_the_two_first_commands_exist(root: Path, readme: str) -> None:
    programs = [words for words in commands(readme) if words[0] == "python3"]
    first, *others = [words[1] for words in programs]
    assert first == "packaging/start.py"
    assert set(others) == {"packaging/check.py"}
    assert all((root / word).exists() for words in programs for word in words if "/" in word)


@pytest.fixture
def sample(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample survey as `answers.csv` in the current folder, and a ledger of its own."""
    monkeypatch.setenv("DPDESK_LEDGER", str(tmp_path / "ledger.sqlite"))
    shutil.copy(root / "resources/samples/affairs/affairs.csv", tmp_path / "answers.csv")
    monkeypatch.chdir(tmp_path)


def test_that_the_commands_can_be_run_one_after_the_other_on_the_sample(
    root: Path, readme: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("DPDESK_LEDGER", str(tmp_path / "ledger.sqlite"))
    (copied,) = [words for words in commands(readme) if words[0] == "cp"]
    shutil.copy(root / copied[1], tmp_path / copied[2])
    monkeypatch.chdir(tmp_path)
    run = [words[1:] for words in commands(readme) if words[0] == "dpdesk"]
    assert {"draft", "release", "query", "survey"} <= {words[0] for words in run}
    for words in run:
        assert main(words) == 0, (words, capsys.readouterr().err)


@pytest.mark.usefixtures("sample")
def test_that_what_the_text_says_of_estimates_can_be_run_on_the_sample(readme: str, capsys) -> None:
    words = ["--purpose", "tables", "--epsilon", "40", "--confirm-domains", "-o", "plan.json"]
    assert main(["draft", "answers.csv", *words]) == 0
    assert main(["release", "answers.csv", "--plan", "plan.json", "--out", "release"]) == 0
    shown = re.findall(r"`(--(?:cross|formula) [^`]+)`", readme.replace("\n  ", " "))
    assert len(shown) == 2
    for words in map(shlex.split, shown):
        assert main(["estimate", "release", *words]) == 0, capsys.readouterr().err
    (phrases,) = re.findall(
        r"questions about a trusted file with noise: (.+?)\. `--before`", readme, re.S
    )
    for phrase in re.findall(r'"(.+?)"', phrases.replace("\n ", "")):
        words = ["--query", phrase, "--plan", "plan.json", "--epsilon", "1", "--before"]
        assert main(["query", "answers.csv", *words]) == 0, capsys.readouterr().err


@pytest.mark.usefixtures("sample")
def test_that_the_table_of_the_python_lines_is_useful(readme: str, capsys) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    exec(block, {})  # noqa: S102 - our own page
    lines = capsys.readouterr().out.splitlines()
    # The largest cells, of some 15 %, are known to 3 points: a tenth of a share of 1 would not do.
    ends = [re.findall(r"(-?[\d.]+)%", line.partition("(")[2]) for line in lines]
    assert len(ends) == 20
    assert max(float(upper) - float(lower) for lower, upper in ends) < 6


def test_that_every_command_and_option_is_known_to_the_command_line(readme: str, capsys) -> None:
    shown = [words for words in commands(readme) if words[0] == "dpdesk"]
    assert shown
    for _, command, *arguments in shown:
        # The tasks of a survey explain their options themselves.
        task = arguments[:1] if command == "survey" else []
        described = help_of([command, *task], capsys)
        options = {word for word in arguments if word.startswith("-")}
        assert options <= set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", described))


def test_that_every_file_that_is_pointed_to_exists(root: Path, readme: str) -> None:
    pointed = set(re.findall(r"\]\(([^)#:]+)\)", readme))
    pointed |= set(re.findall(r'(?:src|srcset)="([^"]+)"', readme))
    pointed |= set(re.findall(r"(?:packaging|resources)/[\w./-]+\w", readme))
    assert pointed
    assert not [name for name in pointed if not (root / name).exists()]
