"""Numbers that are written in texts: found, and compared with what they state.

A title such as "A thousand say a lot" states a number. Whoever writes a demonstration declares
which one it is; a test computes the scene and compares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dpdesk.numbers import exact_number

_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "twenty": 20,
    "fifty": 50,
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "twice": 2,
    "double": 2,
    "doubles": 2,
}
_PARTS = {"half": 1 / 2, "halves": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}
_ANY_WORD = "|".join((*_WORDS, *_PARTS))
_LITERAL = re.compile(
    rf"[−-]?\d[\d,]*(?:\.\d+)?(?:/\d+)?|\b(?:{_ANY_WORD})\b", re.IGNORECASE | re.ASCII
)
_NO_LITERAL = re.compile(r"\{[^}]*\}")
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Stated:
    """A number that a text states literally.

    Attributes:
        text: The literal as it stands in the text, such as "1,000" or "thousand".
        number: The name of the scene's number that it states.
        choice: The number of the choice at which it does; None for every choice.
    """

    text: str
    number: str
    choice: int | None = None


def literals(text: str) -> Iterator[str]:
    """Yields the numbers that stand literally in a text, in digits or in words.

    What stands in braces is filled in and is no literal. "One" is a word like another.
    """
    for found in _LITERAL.finditer(_NO_LITERAL.sub("{}", text)):
        yield found[0].rstrip(",").lstrip("-")


def agrees(literal: str, value: float) -> bool:
    """Returns whether a literal is a value, rounded to the digits that the literal has.

    Args:
        literal: One of those that `literals` finds.
        value: The value, shares in per cent: "half" is 0.5 and 50 %.
    """
    word = literal.lower()
    if word in _PARTS:
        return any(abs(value - unit * _PARTS[word]) < _ROUNDING for unit in (1, 100))
    if word in _WORDS:
        return abs(value - _WORDS[word]) < _ROUNDING
    top, _, bottom = literal.replace(",", "").replace("−", "-").partition("/")
    number = exact_number(top)
    if number is None:
        return False
    if bottom:
        parts = exact_number(bottom)
        share = number / parts if parts else number
        return any(abs(value - unit * float(share)) < _ROUNDING for unit in (1, 100))
    decimals = len(top.partition(".")[2])
    return abs(value - float(number)) <= 0.5 * 10.0**-decimals + _ROUNDING
