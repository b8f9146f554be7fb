"""`dpdesk completion`: a script by which a shell completes commands, options, words and files.

The script is made from the parsers of all commands, once: completing a word then starts no Python.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.paths import FileOption
from dpdesk.cli.terminal import print_asked, print_json

if TYPE_CHECKING:
    from dpdesk.cli.run import Command

DESCRIPTION = (
    "Prints a script by which a shell completes commands, options and files. Put it where the "
    "shell looks for such scripts."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `dpdesk completion`."""
    shells = ("bash", "zsh", "fish")
    parser.add_argument("shell", choices=shells, metavar="SHELL", help=", ".join(shells))


def run(options: argparse.Namespace) -> int:
    """Prints the script of a shell."""
    import shtab

    script = shtab.complete(_whole_parser(), options.shell) + "\n"
    if options.json:
        print_json({"shell": options.shell, "script": script})
    else:
        print_asked(script)
    return ExitCode.OK


def _whole_parser() -> argparse.ArgumentParser:
    """Returns one parser of `dpdesk` with every command below it; it is only looked at."""
    from dpdesk.cli.run import COMMANDS, window_parser

    whole = argparse.ArgumentParser(prog="dpdesk", add_help=False)
    for action in window_parser()._get_optional_actions():
        whole._add_action(action)
    _add_commands(whole, COMMANDS)
    return whole


def _add_commands(parser: argparse.ArgumentParser, commands: Iterable[Command]) -> None:
    below = parser.add_subparsers()
    for command in commands:
        own = below.add_parser(command.name, help=command.line)
        if command.tasks:
            _add_commands(own, command.tasks)
        else:
            _add_options_of(command, own)


def _add_options_of(command: Command, own: argparse.ArgumentParser) -> None:
    """Adds the options of a command, and below it those that depend on its first word."""
    first_words: Callable[[], tuple[str, ...]] | None = getattr(command.module, "first_words", None)
    if first_words is not None:
        below = own.add_subparsers()
        for word in first_words():
            named = command.parser((word,))
            # The word itself, which is a command here.
            named._remove_action(named._get_positional_actions()[0])
            named.description = str(named.description).partition(". ")[0]
            below._name_parser_map[word] = named
            below._choices_actions.append(below._ChoicesPseudoAction(word, (), named.description))
            _name_files(named)
    command.add_options(own)
    # What a shell shows beside the command.
    own.description = command.line
    _name_files(own)


def _name_files(parser: argparse.ArgumentParser) -> None:
    """Says of every option that takes a file which files these can be."""
    import shtab

    for action in parser._actions:
        told: Any = action
        if (offered := getattr(action, "offered", None)) is not None:
            # Words that the command reads in any case are no choices to itself.
            told.choices = offered()
        if isinstance(action, FileOption) and action.type is not None:
            metavar = str(action.metavar)
            if metavar == "FOLDER":
                told.complete = shtab.DIRECTORY
            else:
                told.complete = shtab.glob("*.json") if metavar.endswith(".json") else shtab.FILE
