"""Which options were given, and a refusal of those that would have no effect.

An option that is silently ignored lets its user believe in an answer to another question.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator

from dpdesk.errors import ParameterError

READING = frozenset(
    {"delimiter", "encoding", "decimal", "quote", "header_rows", "no_header", "missing_code"}
)
"""Options of how a survey is read."""

_ALWAYS = frozenset({"command", "task", "help", "json"})


def given_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> dict[str, str]:
    """Returns what was given and is not the default, each with its word on the command line.

    Args:
        parser: The parser that the options come from.
        options: What it found.
    """
    return {
        action.dest: max(action.option_strings, key=len, default=str(action.metavar))
        for action in _actions(parser, options)
        if action.dest not in _ALWAYS
        and getattr(options, action.dest, action.default) != action.default
    }


def _actions(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> Iterator[argparse.Action]:
    """The actions of a parser and of the commands that were chosen below it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            chosen = action.choices.get(getattr(options, action.dest, ""))
            if chosen is not None:
                yield from _actions(chosen, options)
        else:
            yield action


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
