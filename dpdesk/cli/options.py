"""Options that several commands share, and a refusal of those that would have no effect.

An option that is silently ignored lets its user believe in an answer to another question.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection

from dpdesk.cli.files import add_place
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
