"""What a number on the command line can be, and how a wrong word is refused."""

from __future__ import annotations

import argparse
from typing import NoReturn

from dpdesk.cli.plain import one_line
from dpdesk.numbers import real_number, whole_number

_LEAST_SHARE = 1e-9


class WordParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, without the whole usage above it."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit code 2.

        Args:
            message: What argparse found; it quotes words of the command line.
        """
        self.exit(2, f"dpdesk: {one_line(message)}. '{self.prog} --help' lists what can be said.\n")


def whole(text: str) -> int:
    """A whole number of at most 18 digits, as the type of an option."""
    number = whole_number(text)
    if number is None:
        raise argparse.ArgumentTypeError("this is not a whole number in plain digits, such as 500")
    return number


def real(text: str) -> float:
    """A finite decimal number, as the type of an option."""
    number = real_number(text)
    if number is None:
        raise argparse.ArgumentTypeError("this is not a number in plain digits, such as 0.95")
    return number


def confidence(text: str) -> float:
    """The coverage of an interval, as the type of an option."""
    share = real_number(text)
    if share is None or not _LEAST_SHARE <= share <= 1 - _LEAST_SHARE:
        raise argparse.ArgumentTypeError(
            "a coverage lies between 0 and 1, at least 1e-09 from both, such as 0.95"
        )
    return share


def seed(text: str) -> int:
    """The seed of a simulation, as the type of an option."""
    number = whole_number(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError("a seed is a whole number from 0 on, such as 1")
    return number
