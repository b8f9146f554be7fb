"""From words to a command, and from errors to exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpdesk.cli.commands import COMMANDS, Command, window_parser
from dpdesk.cli.exit_codes import exit_code_of
from dpdesk.cli.files import check_files
from dpdesk.cli.options import given_options, nearest, refuse_all_but, refuse_ignored, shown
from dpdesk.cli.terminal import OutputError, one_line
from dpdesk.errors import Cancelled, DpdeskError, ParameterError, PlanError

if TYPE_CHECKING:
    import argparse


def run(words: Sequence[str]) -> int:
    """Runs a command, or opens the window.

    Args:
        words: The words after the program's name.

    Returns:
        The exit code; every error is one plain sentence on stderr.

    Raises:
        OutputError: The output cannot be written.
    """
    try:
        command = _named(words)
        if command is None:
            return _window(words)
        after = words[len(command.words) :]
        parser = command.parser()
        options = parser.read(after)
        _refuse_empty(after)
        options.given = given_options(parser, options)
        check_files(options)
        status: int = command.module.run(options)
        # Here, and not at Python's end, where nothing could be said of a failure.
        print(end="", flush=True)
        return status
    except OutputError:
        # As other failures of the output, where every word is written.
        raise
    except Cancelled as error:
        print("dpdesk: cancelled; nothing was released.", file=sys.stderr)
        return exit_code_of(error)
    except DpdeskError as error:
        print(f"dpdesk: {one_line(str(error))}{_option_for(error)}", file=sys.stderr)
        return exit_code_of(error)


def _named(words: Sequence[str]) -> Command | None:
    """Returns the command that the first words name; None where they name none.

    Raises:
        ParameterError: The first word is neither a command nor a file, or the second one no task.
    """
    command: Command | None = None
    tasks = COMMANDS
    for word in words:
        found = next((task for task in tasks if task.name == word), None)
        if found is None:
            if command is not None:
                _refuse_empty(words)
            if not word.startswith("-"):
                _refuse_unknown(word, command)
            break
        command, tasks = found, found.tasks
        if not tasks:
            break
    return command


def _refuse_unknown(word: str, group: Command | None = None) -> None:
    """Refuses a word that is neither a command nor a file: it would open an empty window.

    Args:
        word: The word; an empty one is refused as a path.
        group: The command that the word should be a task of, where there is one.
    """
    if group is None and (not word or os.path.lexists(word)):
        return
    commands = COMMANDS if group is None else group.tasks
    near = nearest(word, [command.name for command in commands])
    meant = next((command for command in commands if command.name == near), None)
    if meant is not None:
        remedy = f"Did you mean {meant.prog}? Usage: {meant.parser().usage_in_short()}."
    elif group is None:
        remedy = "dpdesk --help lists the commands."
    else:
        remedy = f"{group.prog} --help lists its tasks."
    what = f"{group.prog} has no task" if group else "There is neither a command nor a file named"
    raise ParameterError(f"{what} {shown(word)}.", remedy=remedy)


def _refuse_empty(words: Sequence[str]) -> None:
    """Refuses a word without letters, as of a variable of a script that is not set."""
    for before, word in zip(("", *words), words, strict=False):
        name, _, value = word.partition("=") if word.startswith("--") else (before, "", word)
        if not value.strip() and ("=" in word or not word.strip()):
            raise ParameterError(
                f"What stands after {name} is empty.", remedy="Fill it in, or leave both out."
            )


def _option_for(error: DpdeskError) -> str:
    """What allows more than a plan does; its own sentence cannot name an option."""
    problems = error.problems if isinstance(error, PlanError) else ()
    is_unfit = any(getattr(problem, "code", "") == "too_many_unfit" for problem in problems)
    return " --allow-unread SHARE allows more." if is_unfit else ""


def _window(words: Sequence[str]) -> int:
    """Opens the window; without a display and without anything to open, lists the commands."""
    parser = window_parser()
    options: argparse.Namespace = parser.read(words)
    options.given = given_options(parser, options)
    if options.file is not None:
        _refuse_unknown(str(options.file))
    if options.self_test:
        refuse_all_but(options, {"self_test"}, "beside --self-test")
        from dpdesk.gui.self_test import run as self_test

        return self_test()
    if options.file is not None:
        refuse_ignored(options, {"sample"}, "beside a file")
    from dpdesk.gui.display import DisplayProbe, NoDisplayError

    try:
        display = DisplayProbe()
    except NoDisplayError:
        if not options.given:
            parser.print_help()
        raise
    try:
        from dpdesk.gui.app import run as open_window
    finally:
        display.require()
    return open_window(options.file, sample=options.sample)
