"""Numbers as a file writes them beside a unit or with grouped digits: 77.0 kg, 1.234,5, $1,200.

How they are written is declared by an example of a fixed number, 1234.5: "1234.5 kg", "1.234,5",
"$1,234.5", "1 234,5 %". It says what stands before and behind, the decimal mark, and what parts
groups of three digits. What is written in another way is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from dpdesk.domains.cell_numbers import parse_number
from dpdesk.domains.texts import T
from dpdesk.errors import ParameterError

WRITTEN_MAX = 60
_AFFIX = r"[^0-9+.,'-]{0,20}?"
_EXAMPLE = re.compile(rf"({_AFFIX})1([., '’]?)234([.,])5({_AFFIX})")
_BLANKS = " \t\u00a0\u202f\u2009"
_BLANK = re.compile(f"[{_BLANKS}]+")


class Writing(NamedTuple):
    """How numbers are written.

    Attributes:
        before: What stands before the digits, blanks taken off.
        grouping: What parts groups of three digits; "" for nothing.
        decimal: The decimal mark.
        after: What stands behind the digits, blanks taken off.
    """

    before: str
    grouping: str
    decimal: str
    after: str

    @property
    def example(self) -> str:
        """The number 1234.5, so written."""
        # A sign such as $ stands close to its number, and a word behind it apart.
        gap = " " if len(self.before) > 1 else ""
        number = f"1{self.grouping}234{self.decimal}5"
        return f"{self.before}{gap}{number} {self.after}".strip()

    @property
    def unit(self) -> str:
        """What stands beside the digits."""
        return self.after or self.before


@lru_cache(maxsize=256)
def writing_of(example: str) -> Writing:
    """Reads how numbers are written off the example 1234.5.

    Raises:
        ParameterError: It is not such an example, or grouped by its decimal mark.
    """
    found = _EXAMPLE.fullmatch(_BLANK.sub(" ", example.strip(_BLANKS)))
    if found is None or found[2] == found[3] or len(example) > WRITTEN_MAX:
        raise ParameterError(T.NO_WRITING())
    return Writing(found[1].strip(), found[2].replace("’", "'"), found[3], found[4].strip())


def cell_pattern(writing: Writing) -> str:
    """Returns the regular expression of a whole cell that is written so, in small letters or not.

    Blanks of all kinds are one space, apostrophes and minus signs those of ASCII. Its groups are a
    minus before the unit, the sign, the whole part and the digits behind the decimal mark.
    """
    group = re.escape(writing.grouping)
    whole = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+" if group else "[0-9]+"
    number = rf"([+-]?)({whole})(?:{re.escape(writing.decimal)}([0-9]*))?"
    before, after = (re.escape(_BLANK.sub(" ", part)) for part in (writing.before, writing.after))
    # The minus of an amount may stand before its currency: -$5.
    outer = "(-?) ?" if before else "()"
    return rf"{outer}{before} ?{number} ?{after}"


@lru_cache(maxsize=256)
def number_reader(writing: Writing) -> Callable[[str], float | None]:
    """Returns what reads a cell that is written so; None for any other cell."""
    cell = re.compile(cell_pattern(writing), re.IGNORECASE)

    def read(text: str) -> float | None:
        if len(text) > 2 * WRITTEN_MAX:
            return None
        one = _BLANK.sub(" ", text.strip(_BLANKS)).replace("’", "'").replace("−", "-")
        found = cell.fullmatch(one)
        if found is None:
            return None
        outer, sign, whole, rest = found.groups(default="")
        if outer and sign:
            return None
        digits = whole.replace(writing.grouping, "") if writing.grouping else whole
        return parse_number(f"{outer}{sign}{digits}.{rest}")

    return read
