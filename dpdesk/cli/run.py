"""From words to a command, and from errors to exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.files import check_files
from dpdesk.cli.given import given_options, refuse_all_but, refuse_ignored
from dpdesk.cli.parser import COMMANDS, command_parser, window_parser
from dpdesk.cli.terminal import OutputError
from dpdesk.errors import (
    Cancelled,
    DpdeskError,
    InputError,
    LedgerError,
    ParameterError,
    PlanError,
    ReleaseError,
)

if TYPE_CHECKING:
    import argparse

_SHOWN = 60
"""Characters of a word that are quoted."""


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
        if words and words[0] in COMMANDS:
            parser = command_parser()
            options = parser.parse_args(words)
            _refuse_empty(words)
            options.given = given_options(parser, options)
            check_files(options)
            status = _command(options)
            # Here, and not at Python's end, where nothing could be said of a failure.
            print(end="", flush=True)
            return status
        _refuse_unknown(words[0] if words and words[0] and words[0][0] != "-" else None)
        parser = window_parser()
        options = parser.parse_args(words)
        options.given = given_options(parser, options)
        return _window(options)
    except Cancelled:
        print("dpdesk: cancelled; nothing was released.", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except OutputError:
        # As other failures of the output, where every word is written.
        raise
    except DpdeskError as error:
        from dpdesk.cli.plain import one_line

        print(f"dpdesk: {one_line(str(error))}{_option_for(error)}", file=sys.stderr)
        return _exit_code_of(error)


def _exit_code_of(error: DpdeskError) -> ExitCode:
    if isinstance(error, InputError):
        return ExitCode.DATA
    if isinstance(error, PlanError):
        return ExitCode.PROBLEMS
    if isinstance(error, ParameterError):
        return ExitCode.USAGE
    if isinstance(error, LedgerError):
        return ExitCode.LEDGER
    return ExitCode.WRITE if isinstance(error, ReleaseError) else ExitCode.FAILED


def _option_for(error: DpdeskError) -> str:
    """What allows more than a plan does; its own sentence cannot name an option."""
    problems = error.problems if isinstance(error, PlanError) else ()
    is_unfit = any(getattr(problem, "code", "") == "too_many_unfit" for problem in problems)
    return " --allow-unread SHARE allows more." if is_unfit else ""


def _command(options: argparse.Namespace) -> int:
    # Each command imports what it needs; none of them imports Qt.
    if options.command == "draft":
        from dpdesk.cli.draft import draft as command
    elif options.command == "check":
        from dpdesk.cli.check import check as command
    elif options.command == "release":
        from dpdesk.cli.release import release as command
    elif options.command == "query":
        from dpdesk.cli.query import query as command
    elif options.command == "ledger":
        from dpdesk.cli.ledger import ledger as command
    elif options.command == "estimate":
        from dpdesk.cli.estimate import estimate as command
    elif options.command == "survey":
        from dpdesk.cli.survey.run import survey as command
    elif options.command == "choose":
        from dpdesk.cli.choose import choose as command
    elif options.command == "attack":
        from dpdesk.cli.attack import attack as command
    elif options.command == "experiment":
        from dpdesk.cli.experiment import experiment as command
    else:
        from dpdesk.cli.mechanisms import mechanisms as command
    run_command: Callable[[argparse.Namespace], int] = command
    return run_command(options)


def _refuse_empty(words: Sequence[str]) -> None:
    """Refuses a word without letters, as of a variable of a script that is not set."""
    for before, word in zip(("", *words), words, strict=False):
        name, _, value = word.partition("=") if word.startswith("--") else (before, "", word)
        if not value.strip() and ("=" in word or not word.strip()):
            raise ParameterError(
                f"What stands after {name} is empty.", remedy="Fill it in, or leave both out."
            )


def _refuse_unknown(word: str | Path | None) -> None:
    """Refuses a word that is neither a command nor a file: it would open an empty window."""
    if word is None or os.path.lexists(word):
        return
    from difflib import get_close_matches

    near = get_close_matches(str(word).lower(), COMMANDS, n=1)
    shown = str(word) if len(str(word)) <= _SHOWN else f"{str(word)[:_SHOWN]} …"
    raise ParameterError(
        f"There is neither a command nor a file named {shown}.",
        remedy=f"Did you mean dpdesk {near[0]}?" if near else "dpdesk --help lists the commands.",
    )


def _window(options: argparse.Namespace) -> int:
    _refuse_unknown(options.file)
    if options.self_test:
        refuse_all_but(options, {"self_test"}, "beside --self-test")
        from dpdesk.gui.self_test import run as self_test

        return self_test()
    if options.file is not None:
        refuse_ignored(options, {"sample"}, "beside a file")
    from dpdesk.gui.display import DisplayProbe

    display = DisplayProbe()
    try:
        from dpdesk.gui.app import run as open_window
    finally:
        display.require()
    return open_window(options.file, sample=options.sample)
