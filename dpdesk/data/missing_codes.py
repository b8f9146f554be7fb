"""Codes that mean "no answer": single texts, ranges of numbers, their labels, how one types them.

A line of codes reads `NA; -9 = refused; 97 to 99 = not asked; .a to .z`: SPSS has up to three
values or a range and one value, Stata the codes `.` and `.a` to `.z`. A text in double quotation
marks is taken as it stands. On the command line a comma stands between two codes, and `97..99` is
a range as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, model_validator

from dpdesk.data.quotation_marks import QUOTED, quoted, unquoted
from dpdesk.data.texts import T
from dpdesk.domains import ExactDecimal
from dpdesk.errors import ParameterError

_NUMBER = r"[+-]?[0-9]{1,15}(?:\.[0-9]{1,9})?"
_STATA = r"\.[a-z]"
_END = rf"{_NUMBER}|{_STATA}"
_RANGE = re.compile(rf"(?:({_END})\s+)?to(?:\s+({_END}))?|({_END})?\s*\.\.\s*({_END})?")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

NO_ANSWER = frozenset({"", "NA", "NaN", "nan"})
"""Texts that are no answers in a file of collected answers, whose summary says so.

A release takes the empty cell alone for no answer, and what its plan names.
"""


class CodeRange(BaseModel):
    """Numbers that mean "no answer", ends included.

    Attributes:
        lower: The least; None for no bound.
        upper: The largest; None for no bound.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    lower: ExactDecimal | None = None
    upper: ExactDecimal | None = None

    @model_validator(mode="after")
    def _is_a_range(self) -> CodeRange:
        if self.lower is None and self.upper is None:
            raise ParameterError(T.OPEN_RANGE())
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            raise ParameterError(T.BACKWARDS())
        return self

    @property
    def text(self) -> str:
        """The range as one types it."""
        ends = ("" if end is None else format(end, "f") for end in (self.lower, self.upper))
        return " to ".join(ends).strip()

    def holds(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns which numbers lie in the range, of the same shape; NaN never does."""
        lower = -np.inf if self.lower is None else float(self.lower)
        upper = np.inf if self.upper is None else float(self.upper)
        return np.asarray((numbers >= lower) & (numbers <= upper))


@dataclass(frozen=True, slots=True)
class TypedCodes:
    """Codes as somebody typed them.

    Attributes:
        tokens: Single texts.
        ranges: Ranges of numbers.
        labels: What a code means, by its text or the text of its range.
    """

    tokens: tuple[str, ...] = ()
    ranges: tuple[CodeRange, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


def read_codes(typed: str, between: str = ";") -> TypedCodes:
    """Reads a line of codes; empty places between two separators are ignored.

    Args:
        typed: The line.
        between: The character between two codes.

    Raises:
        ParameterError: A quotation mark is not closed, a range has no numbers, or a code is
            listed twice.
    """
    bare = rf'[^"{between}=]*'
    item = re.compile(rf'\s*(?:({QUOTED})|({bare}))\s*(?:=\s*(?:({QUOTED})|([^"{between}]*)))?\s*')
    tokens: list[str] = []
    ranges: list[CodeRange] = []
    labels: dict[str, str] = {}
    place = 0
    while place <= len(typed):
        found = item.match(typed, place)
        if found is None or (found.end() < len(typed) and typed[found.end()] != between):
            raise ParameterError(T.UNCLOSED_CODE(mark=between))
        in_marks, plain, quoted_label, label = found.groups()
        names = _take(in_marks, (plain or "").strip(), tokens, ranges)
        meaning = unquoted(quoted_label) if quoted_label is not None else (label or "").strip()
        labels |= dict.fromkeys(names, meaning) if meaning else {}
        place = found.end() + 1
    if len(set(tokens)) < len(tokens) or len(set(ranges)) < len(ranges):
        raise ParameterError(T.CODE_TWICE())
    return TypedCodes(tuple(tokens), tuple(ranges), labels)


def read_tokens(typed: str, between: str = ";", *, where: str) -> tuple[str, ...]:
    """Reads a line of codes that mean "no answer" in every column, which are single texts.

    Args:
        typed: The line.
        between: The character between two codes.
        where: How a range or a label is written at one column, as a sentence.

    Raises:
        ParameterError: As by `read_codes`, or there is a range of numbers or a label.
    """
    codes = read_codes(typed, between)
    if codes.ranges or codes.labels:
        first = codes.ranges[0].text if codes.ranges else next(iter(codes.labels))
        raise ParameterError(T.NO_SINGLE_CODE(code=first, where=where))
    return codes.tokens


def _take(
    in_marks: str | None, plain: str, tokens: list[str], ranges: list[CodeRange]
) -> tuple[str, ...]:
    """Adds one code, and returns the texts that its label belongs to."""
    if in_marks is None and (ends := _ends(plain)) is not None:
        lower, upper = ends
        if lower.startswith(".") or upper.startswith("."):
            letters = _stata(lower, upper)
            tokens.extend(letters)
            return letters
        lowest, highest = (Decimal(end) if end else None for end in ends)
        if lowest is not None and highest is not None and lowest >= highest:
            raise ParameterError(T.BACKWARDS())
        ranges.append(CodeRange(lower=lowest, upper=highest))
        return (ranges[-1].text,)
    token = plain if in_marks is None else unquoted(in_marks)
    tokens.extend([token] if token else [])
    # The empty cell is no code that one lists, but it can have a label.
    return (token,)


def _ends(plain: str) -> tuple[str, str] | None:
    found = _RANGE.fullmatch(plain)
    if found is None or not any(found.groups()):
        return None
    return found[1] or found[3] or "", found[2] or found[4] or ""


def _stata(lower: str, upper: str) -> tuple[str, ...]:
    both = re.fullmatch(_STATA, lower) and re.fullmatch(_STATA, upper)
    if not both or lower >= upper:
        raise ParameterError(T.BACKWARDS_LETTERS())
    return tuple(f".{letter}" for letter in _LETTERS if lower[1] <= letter <= upper[1])


def codes_text(
    tokens: Iterable[str],
    ranges: Iterable[CodeRange] = (),
    labels: Mapping[str, str] | None = None,
    between: str = ";",
) -> str:
    """Returns codes in one line, as `read_codes` reads it; the empty cell only with a label."""
    named = {} if labels is None else labels
    parts = [
        *([("", named[""])] if named.get("") else []),
        *(
            (text, named.get(key, ""))
            for text, key in (
                *_joined([token for token in tokens if token], named, between),
                *((one.text, one.text) for one in ranges),
            )
        ),
    ]
    return f"{between} ".join(
        f"{text} = {_quoted(label, between)}".lstrip() if label else text for text, label in parts
    )


def _joined(
    tokens: list[str], labels: Mapping[str, str], between: str
) -> Iterator[tuple[str, str]]:
    """Yields each token as it is typed with the key of its label; runs of Stata's codes as one."""
    start = 0
    while start < len(tokens):
        stop = start + 1
        while (
            stop < len(tokens)
            and re.fullmatch(_STATA, tokens[start])
            and tokens[stop] == f".{chr(ord(tokens[stop - 1][1]) + 1)}"
            and labels.get(tokens[stop]) == labels.get(tokens[start])
        ):
            stop += 1
        if stop - start >= 3:
            yield f"{tokens[start]} to {tokens[stop - 1]}", tokens[start]
        else:
            yield from ((_quoted(token, between), token) for token in tokens[start:stop])
        start = stop


def _quoted(token: str, between: str) -> str:
    plain = token == token.strip() and not set(token) & set(f'{between}="\r\n')
    return token if plain and _ends(token) is None else quoted(token)
