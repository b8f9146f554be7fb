"""The commands of `dpdesk`: what each is called, what it does, and where it is found.

Help, dispatch and the nearest name of a mistyped command come from this table. A module is imported
when its command is named, and no module here imports at its top what takes long: `--help` answers
at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from dpdesk import __version__
from dpdesk.cli.exit_codes import MEANINGS
from dpdesk.cli.files import path_of
from dpdesk.cli.options import WordParser


class Command(NamedTuple):
    """A command, or a task of one.

    Attributes:
        words: The words that name it.
        line: What it does, as the help lists it.
        tasks: The commands below it; one that has some does nothing itself.
    """

    words: tuple[str, ...]
    line: str
    tasks: tuple[Command, ...] = ()

    @property
    def name(self) -> str:
        """Its own word."""
        return self.words[-1]

    @property
    def prog(self) -> str:
        """How it is called."""
        return " ".join(("dpdesk", *self.words))

    @property
    def module(self) -> ModuleType:
        """Its module, which has `add_options(parser)` and `run(options)`."""
        return import_module(".".join(("dpdesk.cli", *self.words)))

    def parser(self) -> WordParser:
        """Returns the parser of the words that follow it."""
        parser = WordParser(prog=self.prog, formatter_class=argparse.RawDescriptionHelpFormatter)
        if self.tasks:
            tasks = listed(f"tasks ('{self.prog} TASK --help' explains one):", self.tasks)
            parser.description = f"{self.line[0].upper()}{self.line[1:]}.\n\n{tasks}"
            names = [task.name for task in self.tasks]
            parser.add_argument("task", metavar="TASK", choices=names, help="what to do")
        else:
            parser.formatter_class = argparse.HelpFormatter
            self.module.add_options(parser)
        return parser


COMMANDS: tuple[Command, ...] = (
    Command(("draft",), "suggest a plan for a survey"),
    Command(("check",), "list every problem of a plan"),
    Command(("release",), "sanitize a survey into a folder"),
    Command(("query",), "statistics of a trusted file, with noise"),
    Command(("ledger",), "what was released before, and what is left"),
    Command(("estimate",), "estimate from sanitized records alone"),
    Command(("choose",), "compare the mechanisms of each attribute"),
    Command(("mechanisms",), "list the mechanisms"),
    Command(
        ("survey",),
        "randomized-response surveys: list designs, plan, simulate, estimate from the answers",
        (
            Command(("survey", "designs"), "list the designs and their parameters"),
            Command(("survey", "estimate"), "estimate the share of carriers"),
            Command(("survey", "plan"), "find respondents, margin, power or epsilon"),
            Command(("survey", "sheet"), "write the respondents' instruction sheet"),
            Command(("survey", "simulate"), "hold the survey many times, hypothetically"),
        ),
    ),
    Command(("attack",), "guess which attribute of a respondent was real"),
    Command(("experiment",), "compare the errors of strategies"),
)


def runnable(commands: Iterable[Command] = COMMANDS) -> Iterator[Command]:
    """Yields every command that does something itself: tasks in place of what they are tasks of."""
    for command in commands:
        yield from runnable(command.tasks) if command.tasks else (command,)


def listed(heading: str, commands: tuple[Command, ...]) -> str:
    """Returns commands with a line each, under a heading."""
    width = max(len(command.name) for command in commands)
    return "\n".join([heading, *(f"  {c.name:<{width}}  {c.line}" for c in commands)])


def window_parser() -> WordParser:
    """Returns the parser of `dpdesk` without a command."""
    commands = listed("commands ('dpdesk COMMAND --help' explains one):", COMMANDS)
    codes = [f"  {int(code):<4}{meaning}" for code, meaning in MEANINGS.items()]
    parser = WordParser(
        prog="dpdesk",
        usage="dpdesk COMMAND ...\n       dpdesk [-h] [--sample] [--self-test] [--version] [FILE]",
        description="Local differential privacy for surveys. Without a command, opens the window."
        f"\n\n{commands}",
        epilog="\n".join(["exit codes:", *codes]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    opened = "a survey (CSV, TSV) or a plan to open"
    parser.add_argument("file", nargs="?", type=path_of, metavar="FILE", help=opened)
    parser.add_argument("--sample", action="store_true", help="open the bundled survey")
    parser.add_argument(
        "--self-test", action="store_true", help="do the main job in a window that nobody sees"
    )
    parser.add_argument("--version", action="version", version=f"dpdesk {__version__}")
    return parser
