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
from dpdesk.errors import ParameterError

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

WARNINGS = (
    "A screen that draws learns what it draws. Who has both the number and the answer of a "
    "respondent reads off the true answer wherever the rule asked for it: the protection is gone.",
    "So draw in the respondent's own browser and show the result once. Keep it in no field, hidden "
    "question, address, cookie or log, and count no clicks on it.",
    "A number that the server of a platform draws (LimeSurvey, Qualtrics) is known there; an "
    "equation or embedded data stores it beside the answers. Use neither.",
    "Whoever loads the page again draws again. Tell respondents to follow the first draw: one who "
    "draws until the rule suits has other chances than the estimate supposes.",
    "A spreadsheet draws anew at every change. Read the cell once, and close the file unsaved.",
)
"""What a screen learns about respondents, and what to do about it."""


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
        spans = (_span(low + 1, high) for low, high in pairwise(ends))
        told = " ".join(f"{span}: {label}." for span, label in zip(spans, self.labels, strict=True))
        often = "" if self.times == 1 else f", {self.times} times"
        return f"Draw a whole number from 1 to {self.size:,}, each equally likely{often}. {told}"

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
            f"const rule = (n) => {tests}{last};",
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
        raise ParameterError(
            f"The chances of this design need {size:,} numbers; programs draw evenly from "
            f"{LARGEST_SIZE:,} at most.",
            remedy="Type rounder chances.",
        )
    counts = tuple(int(chance * size) for chance in chances)
    return ScreenRule(title, counts, tuple(labels), times)


def _span(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _quoted(text: str) -> str:
    """A text in JavaScript that ends no line or script, and is no platform's placeholder."""
    return _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(text, ensure_ascii=False))


def _cell_text(text: str) -> str:
    """A text in a formula."""
    cut = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    doubled = cut.replace('"', '""')
    return f'"{doubled}"'
