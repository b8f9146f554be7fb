"""What the README says can be done."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dpdesk.cli.main import main


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def commands(readme: str) -> list[list[str]]:
    """The words of every command in a shell block."""
    blocks = re.findall(r"```sh\n(.*?)```", readme, flags=re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines() if line]


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
    assert [words[1] for words in programs] == ["packaging/start.py", "packaging/check.py"]
    assert all(len(words) == 2 and (root / words[1]).is_file() for words in programs)


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
