"""What a word of a command can be: a number, a path; and how a wrong one is refused."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from dpdesk.cli.plain import plain
from dpdesk.numbers import real_number, whole_number

_LONGEST_SENTENCE = 400


class WordParser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line, without the whole usage above it."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with exit code 2.

        Args:
            message: What argparse found; it quotes words of the command line.
        """
        sentence = plain(" ".join(message.splitlines()))
        if len(sentence) > _LONGEST_SENTENCE:
            sentence = f"{sentence[:_LONGEST_SENTENCE]} …"
        self.exit(2, f"dpdesk: {sentence}. '{self.prog} --help' lists what can be said.\n")


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


def path(text: str) -> Path:
    """The path of a file or folder, as the type of an option; an empty one would be this folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name of the file or folder is empty")
    return Path(text)
