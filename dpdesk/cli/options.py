"""What can be said on the command line: numbers, names, shared options, and what is refused.

A wrong word is refused with the nearest option, and so is an option that would have no effect: one
that is silently ignored lets its user believe in an answer to another question. Whatever takes long
to import is imported where a word is read: a help text needs none of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NoReturn

from dpdesk.cli.files import add_place
from dpdesk.cli.terminal import one_line
from dpdesk.errors import ParameterError

QUOTES = {"double": '"', "single": "'", "none": ""}
"""Marks around cells, by their words."""

READING = frozenset(
    {"delimiter", "encoding", "decimal", "quote", "header_rows", "no_header", "missing_code"}
)
"""Options of how a survey is read."""

DECLARED = "COLUMN=LOWER..UPPER[/STEP] or COLUMN=A|B|C"
"""How `dpdesk query --declare` says what a column can hold."""

_ALWAYS = frozenset({"help", "json"})
_LEAST_SHARE = 1e-9

_SHOWN = 60
"""Characters of a word that are quoted."""


class WordParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, without the whole usage above it."""

    _words: Sequence[str] = ()

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Parses words; one that is no option of this parser is refused with the nearest option.

        Args:
            words: The words after those that name the command.
        """
        self._words = words
        return self.parse_args(words)

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit code 2.

        Args:
            message: What argparse found; it quotes words of the command line.
        """
        # Where a value is at fault argparse begins with the option that it is of.
        at_fault = message.startswith("argument ")
        unknown = None if at_fault else next(self._unknown_options(), None)
        if unknown is not None:
            near = nearest(unknown, self._option_string_actions)
            meant = f" Did you mean {near}?" if near else f" Usage: {self.usage_in_short()}."
            message = f"There is no option {shown(unknown)}.{meant}"
        else:
            message += "."
        self.exit(2, f"dpdesk: {one_line(message)} '{self.prog} --help' lists what can be said.\n")

    def usage_in_short(self) -> str:
        """Returns the words of the command that it cannot do without, on one line."""
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
            # A long option may be shortened, and a value stand right behind a letter.
            begun = name if name.startswith("--") else name[:2]
            if not any(option.startswith(begun) for option in known):
                yield name


_ALIKE = 0.7
"""Share of letters in common from which a word is offered for a mistyped one."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Returns what a mistyped word most likely stands for, or None."""
    from difflib import get_close_matches

    # Their hyphens make options alike, and say nothing of which one was meant.
    bare = {name.lstrip("-"): name for name in known}
    near = get_close_matches(word.lower().lstrip("-"), list(bare), n=1, cutoff=_ALIKE)
    return bare[near[0]] if near else None


def shown(word: str) -> str:
    """Returns a word as a sentence quotes it: its beginning, if it is long."""
    return word if len(word) <= _SHOWN else f"{word[:_SHOWN]} …"


def whole(text: str) -> int:
    """A whole number of at most 18 digits, as the type of an option."""
    from dpdesk.numbers import whole_number

    number = whole_number(text)
    if number is None:
        raise argparse.ArgumentTypeError("this is not a whole number in plain digits, such as 500")
    return number


def real(text: str) -> float:
    """A finite decimal number, as the type of an option."""
    from dpdesk.numbers import real_number

    number = real_number(text)
    if number is None:
        raise argparse.ArgumentTypeError("this is not a number in plain digits, such as 0.95")
    return number


def confidence(text: str) -> float:
    """The coverage of an interval, as the type of an option."""
    from dpdesk.numbers import real_number

    share = real_number(text)
    if share is None or not _LEAST_SHARE <= share <= 1 - _LEAST_SHARE:
        raise argparse.ArgumentTypeError(
            "a coverage lies between 0 and 1, at least 1e-09 from both, such as 0.95"
        )
    return share


def seed(text: str) -> int:
    """The seed of a simulation, as the type of an option."""
    from dpdesk.numbers import whole_number

    number = whole_number(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError("a seed is a whole number from 0 on, such as 1")
    return number


def add_text(
    parser: argparse._ActionsContainer, name: str, metavar: str, meaning: str | None = None
) -> None:
    """Adds the option of a text, which is empty where it is not given."""
    parser.add_argument(name, default="", metavar=metavar, help=meaning)


def add_repeated(parser: argparse._ActionsContainer, name: str, metavar: str, meaning: str) -> None:
    """Adds the option of texts that may be given again and again."""
    parser.add_argument(name, action="append", default=[], metavar=metavar, help=meaning)


def add_reading(parser: argparse.ArgumentParser, *, releases: bool = False) -> None:
    """Adds the options that say how a survey is read.

    Args:
        parser: The parser of a command.
        releases: Whether the command releases something, by a reading that is declared.
    """
    group = parser.add_argument_group(
        "how the survey is read (by the plan; these options change it)"
        if releases
        else "how the survey is read (found out where it is not said)"
    )
    group.add_argument("--delimiter", metavar="CHARACTER", help="comma, semicolon, tab or bar")
    group.add_argument("--encoding", metavar="NAME", help="such as utf-8 or cp1252")
    group.add_argument("--decimal", choices=(".", ","), help="decimal mark")
    group.add_argument("--quote", choices=tuple(QUOTES), help="mark around cells (double)")
    group.add_argument(
        "--header-rows",
        metavar="N",
        help="records before the first answer; the first of them names the columns (1)",
    )
    group.add_argument(
        "--no-header", action="store_true", help="the first line is an answer: --header-rows 0"
    )
    group.add_argument(
        "--missing-code",
        action="append",
        metavar="TEXT",
        help="a text that means no answer in every column, such as --missing-code=-9; may be "
        "repeated",
    )
    if releases:
        group.add_argument(
            "--allow-unread",
            metavar="SHARE",
            help="largest share of a column's answers that may be unreadable or outside its "
            "domain (default: the plan's, or 0.01)",
        )


def add_population(parser: argparse.ArgumentParser) -> None:
    """Adds the options of everything that is charged."""
    group = parser.add_argument_group("the ledger, which every release is charged to")
    group.add_argument(
        "--population",
        type=population_name,
        metavar="NAME",
        help="the people behind the data; releases of the same name add up, and the report lists "
        "them (default: those that the file is known to belong to)",
    )
    group.add_argument(
        "--other-people",
        action="store_true",
        help="the known file that this one resembles is of other people; the ledger keeps that "
        "answer",
    )
    group.add_argument(
        "--cap",
        metavar="EPSILON",
        help="from now on their releases of this model may lose no more than this together",
    )
    add_ledger_place(group)


def add_ledger_place(parser: argparse._ActionsContainer) -> None:
    """Adds the option of another ledger than the user's own."""
    add_place(
        parser,
        "--ledger",
        metavar="FILE",
        help="another ledger than the one in your data folder (or that of DPDESK_LEDGER)",
    )


def population_name(text: str) -> str:
    """The name of a population, as the type of an option."""
    if not text.strip():
        # Without a name the file is recognised: leaving it empty by accident, as with an unset
        # variable of a script, must not do that.
        raise argparse.ArgumentTypeError("a population has a name; leave the option away instead")
    return text


def given_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, str]:
    """Returns what was given and is not the default, each with its word on the command line.

    Args:
        parser: The parser that the options come from.
        options: What it found.
    """
    return {
        action.dest: max(action.option_strings, key=len, default=str(action.metavar))
        for action in parser._actions
        if action.dest not in _ALWAYS
        and getattr(options, action.dest, action.default) != action.default
    }


def refuse_ignored(options: argparse.Namespace, names: Collection[str], why: str) -> None:
    """Refuses options of these names.

    Args:
        options: The options, with those that were given in `given`.
        names: Names of options.
        why: Why they have no effect, such as "beside --counts".

    Raises:
        ParameterError: One of them was given; the sentence names it.
    """
    for name, word in options.given.items():
        if name in names:
            raise ParameterError(f"{word} has no effect {why}.", remedy="Leave it out.")


def refuse_all_but(options: argparse.Namespace, names: Collection[str], why: str) -> None:
    """Refuses options of other names than these; as `refuse_ignored`.

    A permission may be given in vain.
    """
    refuse_ignored(options, options.given.keys() - set(names) - {"overwrite"}, why)
