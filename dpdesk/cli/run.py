"""The commands of `dpdesk`, from their words to what they do, and from errors to exit codes.

Help, dispatch and the nearest name of a mistyped command come from one table. A module is imported
when its command is named, and no module of a command imports at its top what takes long: `--help`
answers at once. A wrong word is refused with the nearest word that is right.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from dpdesk.cli.exit_codes import MEANINGS, exit_code_of
from dpdesk.cli.file_checks import check_files
from dpdesk.cli.options import (
    add_flag,
    add_printing,
    given_options,
    refuse_unused,
)
from dpdesk.cli.paths import (
    FILES_READ,
    FILES_WRITTEN,
    FileOption,
    path_or_stream,
    place_of,
    table_of,
    without_addresses,
)
from dpdesk.cli.terminal import OutputError, one_line
from dpdesk.errors import Cancelled, DpdeskError, ParameterError, PlanError
from dpdesk.requests.unused import Unused
from dpdesk.version import __version__

_SHOWN = 60
"""Characters of a word that are quoted."""

_ALIKE = 0.7
"""Share of letters in common from which a word is offered for a mistyped one."""

_OBJECTS_TO_COLLECTION = 100_000
"""So many new objects make Python look for cycles among them while a command runs; usually 700."""


class WordParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, without the whole usage above it."""

    _words: Sequence[str] = ()
    after: Sequence[str] = ()
    """The words that follow the command, where its options depend on the first of them."""

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Parses words; one that is no option of this parser is refused with the nearest option.

        Args:
            words: The words after those that name the command.
        """
        self._words = words
        if any(action.nargs == "*" for action in self._actions):
            # A list of words may be interrupted by options.
            return self.parse_intermixed_args(words)
        return self.parse_args(words)

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit code 2.

        Args:
            message: The message of argparse; it quotes words of the command line.
        """
        message = without_addresses(message, self._words)
        # If a value is wrong, the message of argparse begins with its option.
        at_fault = message.startswith("argument ")
        unknown = None if at_fault else next(self._unknown_options(), None)
        if unknown is not None:
            near = nearest(unknown, self._option_string_actions)
            meant = f" Did you mean {near}?" if near else f" Usage: {self.usage_in_short()}."
            # A word that is like none of the command's own is told without importing the others.
            is_short = bool(super()._get_option_tuples(unknown))
            others = _commands_with(unknown) if is_short else ()
            elsewhere = next((f" here, as in {prog}" for prog in others), "")
            message = f"There is no option {shown(unknown)}{elsewhere}.{meant}"
        else:
            message += "."
        self.exit(2, f"dpdesk: {one_line(message)} '{self.prog} --help' lists the options.\n")

    def usage_in_short(self) -> str:
        """Returns the command with its required words, on one line."""
        told = [self.prog]
        for action in self._actions:
            name = action.metavar if isinstance(action.metavar, str) else action.dest
            if not action.option_strings:
                told.append(name if action.required else f"[{name}]")
            elif action.required:
                told += [action.option_strings[0], name]
        return " ".join([*told, "[OPTIONS]"])

    def _unknown_options(self) -> Iterator[str]:
        known = self._option_string_actions
        for word in self._words:
            if word == "--":
                return
            name = word.partition("=")[0]
            is_option = name.startswith("-") and name != "-" and " " not in word
            if not is_option or self._negative_number_matcher.match(word):
                continue
            # A value may stand right behind a letter.
            begun = name if name.startswith("--") else name[:2]
            if begun not in known and not self._get_option_tuples(begun):
                yield name

    def _get_option_tuples(self, option_string: str) -> list[Any]:
        """Returns the options that a shortened one may stand for; argparse calls it.

        A word that is a whole option of another command stands for none: who writes `--missing`
        means what it says there, and not `--missing-code`.
        """
        found: list[Any] = super()._get_option_tuples(option_string)
        word = option_string.partition("=")[0]
        is_whole = word.startswith("--") and bool(found) and any(_commands_with(word))
        return [] if is_whole else found


@cache
def _options_of_commands() -> dict[str, tuple[str, ...]]:
    """The options of each command by how it is called; where they depend on a word, without it."""
    return {command.prog: tuple(command.parser()._option_string_actions) for command in runnable()}


def _commands_with(option: str) -> Iterator[str]:
    """Yields the commands that have an option of this name, written out."""
    return (prog for prog, options in _options_of_commands().items() if option in options)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Returns what a mistyped word most likely stands for, or None."""
    from difflib import get_close_matches

    # All options share their hyphens, which therefore say nothing about the one that was meant.
    bare = {name.lstrip("-"): name for name in known}
    near = get_close_matches(word.lower().lstrip("-"), list(bare), n=1, cutoff=_ALIKE)
    return bare[near[0]] if near else None


def shown(word: str) -> str:
    """Returns a word as a message quotes it: only its beginning if it is long, and no address."""
    word = without_addresses(word, (word,))
    return word if len(word) <= _SHOWN else f"{word[:_SHOWN]} …"


class Command(NamedTuple):
    """A command, or a task of one.

    Attributes:
        words: The words that name it.
        line: What it does, as the help lists it.
        tasks: The commands below it; a command with tasks cannot be run itself.
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
        """Its module: `add_options(parser)`, `run(options)` and, mostly, a `DESCRIPTION`.

        `first_words()` says on which first words its options depend.
        """
        return import_module(".".join(("dpdesk.cli", *self.words)))

    def parser(self, after: Sequence[str] = ()) -> WordParser:
        """Returns the parser of the words that follow it.

        Args:
            after: These words, on which the options may depend.
        """
        parser = WordParser(prog=self.prog, formatter_class=argparse.RawDescriptionHelpFormatter)
        if self.tasks:
            tasks = listed(f"tasks ('{self.prog} TASK --help' explains one):", self.tasks)
            parser.description = f"{self.line[0].upper()}{self.line[1:]}.\n\n{tasks}"
            names = [task.name for task in self.tasks]
            parser.add_argument("task", metavar="TASK", choices=names, help="what to do")
        else:
            parser.formatter_class = argparse.HelpFormatter
            parser.after = after
            self.add_options(parser)
        return parser

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Adds its own options to a parser, and how its result is printed."""
        parser.description = getattr(self.module, "DESCRIPTION", None)
        self.module.add_options(parser)
        add_printing(parser)
        parser.epilog = _stream_words(parser)


def _stream_words(parser: argparse.ArgumentParser) -> str | None:
    """Says what `-` stands for in the place of a file; None where it stands for nothing."""
    roles = {
        action.role
        for action in parser._actions
        if isinstance(action, FileOption) and action.type in (path_or_stream, table_of)
    }
    streams = {FILES_READ: "input", FILES_WRITTEN: "output"}
    told = " or ".join(stream for role, stream in streams.items() if role in roles)
    return f"- in the place of a file is the standard {told}." if told else None


COMMANDS: tuple[Command, ...] = (
    Command(("draft",), "suggest a plan for a survey"),
    Command(("confirm",), "confirm that domains are public knowledge"),
    Command(("check",), "list every problem of a plan"),
    Command(("release",), "sanitize a survey into a folder"),
    Command(("query",), "statistics of a trusted file, with noise"),
    Command(("synthesize",), "synthetic rows of a trusted file, which are nobody's"),
    Command(("ledger",), "what was released before, and what is left"),
    Command(("report",), "the report of a release as PDF, and its registry entry"),
    Command(("estimate",), "estimate from sanitized records alone"),
    Command(("choose",), "compare the mechanisms of each attribute"),
    Command(("mechanisms",), "list the mechanisms"),
    Command(
        ("survey",),
        "randomized-response surveys: list designs, plan, simulate, estimate from the answers",
        (
            Command(("survey", "designs"), "list the designs and their parameters"),
            Command(("survey", "devices"), "list the devices that exist, with their chances"),
            Command(("survey", "estimate"), "estimate the share of carriers"),
            Command(("survey", "plan"), "find respondents, margin, power or epsilon"),
            Command(("survey", "sheet"), "write the respondents' instruction sheet"),
            Command(("survey", "simulate"), "simulate the survey many times"),
        ),
    ),
    Command(("risk",), "how recognisable the respondents of a file are"),
    Command(("coarsen",), "coarser answers in place of noise, not differentially private"),
    Command(("attack",), "try what somebody could do with the data; without a name, list how"),
    Command(("experiment",), "compare the errors of strategies"),
    Command(("learn",), "what can still be learnt after protection"),
    Command(("handout",), "a demonstration for workshops on paper; without a name, list them"),
    Command(("completion",), "a script that completes commands in bash, zsh or fish"),
)


def runnable(commands: Iterable[Command] = COMMANDS) -> Iterator[Command]:
    """Yields every command that can be run: a command with tasks is replaced by its tasks."""
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
    opened = "a survey, a plan or the folder of a release to open"
    parser.add_argument("file", nargs="?", type=place_of, metavar="FILE", help=opened)
    beside_file = Unused(lambda options: options.file is not None, "beside a file")
    add_flag(parser, "--sample", "open the bundled survey", unused=[beside_file])
    add_flag(parser, "--self-test", "run the main steps in an invisible window", alone=())
    parser.add_argument("--version", action="version", version=f"dpdesk {__version__}")
    return parser


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
        command = named(words)
        if command is None:
            return _window(words)
        options = options_of(command, words[len(command.words) :])
        # A help needs none of it.
        from dpdesk.cli.streams import streams

        with _few_collections(), streams(options):
            status: int = command.module.run(options)
        # Here and not at the end of Python, where a failure could not be reported.
        print(end="", flush=True)
        return status
    except OutputError:
        # Reported with other failures of the output, by `main`.
        raise
    except Cancelled as error:
        print("dpdesk: cancelled; nothing was released.", file=sys.stderr)
        return exit_code_of(error)
    except DpdeskError as error:
        told = without_addresses(error.with_command, words)
        print(f"dpdesk: {one_line(told)}{_option_for(error)}", file=sys.stderr)
        return exit_code_of(error)


def options_of(command: Command, words: Sequence[str]) -> argparse.Namespace:
    """Returns the options of a command from the words behind its name, checked."""
    parser = command.parser(words)
    options: argparse.Namespace = parser.read(words)
    _refuse_empty(words)
    options.given = given_options(parser, options)
    check_files(options)
    refuse_unused(parser, options)
    return options


@contextmanager
def _few_collections() -> Iterator[None]:
    """Lets the collector of cycles look less often: what a command makes, it keeps to its end.

    A draft of ten thousand columns spent an eighth of its time on looking at them again and again.
    """
    usual = gc.get_threshold()
    gc.set_threshold(_OBJECTS_TO_COLLECTION, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def named(words: Sequence[str]) -> Command | None:
    """Returns the command that the first words name; None where they name none."""
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
    """Refuses a word that is neither a command nor a file; it would open an empty window.

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
    """Refuses an empty word, such as an unset variable of a script leaves."""
    for before, word in zip(("", *words), words, strict=False):
        name, _, value = word.partition("=") if word.startswith("--") else (before, "", word)
        if not value.strip() and ("=" in word or not word.strip()):
            raise ParameterError(
                f"The value of {name} is empty.", remedy="Give a value, or leave both out."
            )


def _option_for(error: DpdeskError) -> str:
    """Returns the option that allows more unreadable answers; the plan's error cannot name it."""
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
    refuse_unused(parser, options)
    from dpdesk.gui.display import DisplayProbe, NoDisplayError, NoWindowError, require_packages

    try:
        require_packages()
        if options.self_test:
            from dpdesk.gui.self_test import run as self_test

            return self_test()
        display = DisplayProbe()
    except (NoDisplayError, NoWindowError):
        if not options.given:
            parser.print_help()
        raise
    try:
        from dpdesk.gui.app import run as open_window
    finally:
        display.require()
    return open_window(options.file, sample=options.sample)
