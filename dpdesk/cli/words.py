"""What can be said on the command line: its numbers and paths, and how a wrong word is refused.

Whatever takes long to import is imported where a word is read: a help text needs none of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn

from dpdesk.cli.terminal import one_line

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
