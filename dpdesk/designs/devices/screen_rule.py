"""A draw on a screen: the same exact chances as a web form's rule and as cells of a spreadsheet.

Whole numbers from 1 to a size stand for the outcomes. A script that takes the remainder of a random
word favours small numbers; words beyond the last whole multiple of the size are thrown away here,
so that every number has the same chance (rejection, as in Lemire 2019, ACM TOMACS 29, 3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import lcm

from dpdesk.designs.devices.device import Chances
from dpdesk.designs.devices.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import in_a_row

LARGEST_SIZE = 2**31 - 1
"""Most numbers that all of browsers, survey platforms and spreadsheets draw from evenly."""
_LONGEST = 200
"""Most letters of a text in a formula; spreadsheets take 255."""

_ESCAPED = re.compile("[<{\x7f-\x9f\u2028\u2029]")
"""What a script, a survey platform or an older browser reads as more than a letter of a text."""

DRAW_SCRIPT = (
    "const draw = (size) => {",
    "const limit = Math.floor(4294967296 / size) * size;",
    "const word = new Uint32Array(1);",
    "do { crypto.getRandomValues(word); } while (word[0] >= limit);",
    "return 1 + word[0] % size;",
    "};",
)
"""A whole number from 1 to a size, each equally likely, in plain JavaScript."""


def screen_warnings() -> tuple[str, ...]:
    """Returns what a screen learns about respondents, and what to do about it."""
    return (T.SCREEN_LEARNS(), T.KEEP_NOTHING(), T.NO_SERVER(), T.FIRST_DRAW(), T.NEW_DRAWS())


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """One draw on a screen.

    Attributes:
        title: Which draw it is; empty where there is one.
        counts: How many of the numbers stand for each event.
        labels: What is done after each event, in a few words.
        times: How often it is drawn.
    """

    title: str
    counts: tuple[int, ...]
    labels: tuple[str, ...]
    times: int = 1

    @property
    def size(self) -> int:
        """The largest number."""
        return sum(self.counts)

    @property
    def words(self) -> str:
        """The rule as sentences."""
        ends = [0, *accumulate(self.counts)]
        rules = (
            T.NUMBERS_MEAN(numbers=_span(low + 1, high), label=label)
            for (low, high), label in zip(pairwise(ends), self.labels, strict=True)
        )
        return in_a_row((T.DRAW_NUMBER(count=self.times, size=self.size), *rules))

    @property
    def script(self) -> tuple[str, ...]:
        """The rule as lines of JavaScript, which show it in the element “draw”."""
        last = _quoted(self.labels[-1])
        tests = "".join(f"n <= {end} ? {_quoted(label)} : " for end, label in self._ends)
        shown = f"rule(draw({self.size}))"
        if self.times > 1:
            shown = f'Array.from({{ length: {self.times} }}, () => {shown}).join("; ")'
        return (
            *DRAW_SCRIPT,
            "const rule = (n) => " + f"{tests}{last};",
            f'document.getElementById("draw").textContent = {shown};',
        )

    @property
    def cells(self) -> tuple[tuple[str, str], ...]:
        """The rule as cells of a spreadsheet: the place of each, and its formula."""
        rule = _cell_text(self.labels[-1])
        for end, label in reversed(self._ends):
            rule = f"IF(A1<={end},{_cell_text(label)},{rule})"
        return ("A1", f"=RANDBETWEEN(1,{self.size})"), ("B1", f"={rule}")

    @property
    def platforms(self) -> tuple[tuple[str, str], ...]:
        """The same number as survey platforms write it, for the text of a question."""
        return (
            ("LimeSurvey", f"{{rand(1,{self.size})}}"),
            ("Qualtrics", f"${{rand://int/1:{self.size}}}"),
        )

    @property
    def _ends(self) -> list[tuple[int, str]]:
        """The last number of each event but the last one, and its label."""
        return list(zip(accumulate(self.counts[:-1]), self.labels, strict=False))


def screen_rule(
    chances: Chances, labels: Sequence[str], title: str = "", times: int = 1
) -> ScreenRule:
    """Returns the draw with exactly these chances.

    Args:
        chances: Above 0, with sum 1.
        labels: What is done after each event.
        title: Which draw it is.
        times: How often it is drawn.

    Raises:
        ParameterError: The chances need more numbers than programs draw from evenly.
    """
    size = lcm(*(chance.denominator for chance in chances))
    if size > LARGEST_SIZE:
        raise ParameterError(T.TOO_FINE(size=size, most=LARGEST_SIZE))
    counts = tuple(int(chance * size) for chance in chances)
    return ScreenRule(title, counts, tuple(labels), times)


def _span(low: int, high: int) -> str:
    first, last = f"{low:,}", f"{high:,}"
    return first if low == high else T.FROM_TO(first=first, last=last)


def _quoted(text: str) -> str:
    """A text in JavaScript that ends no line or script, and is no platform's placeholder."""
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))


def _cell_text(text: str) -> str:
    """A text in a formula."""
    cut = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    doubled = cut.replace('"', '""')
    return f'"{doubled}"'
