"""The innocent questions that a designer adds to an instruction, and proposals for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.base import Design
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.extended_crosswise import ExtendedCrosswise
from dpdesk.designs.instructions.devices import chance_words
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.triangular import Triangular
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.unrelated_two_samples import UnrelatedTwoSamples

LINE = "_" * 36
"""Where something is filled in by hand."""

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True, slots=True)
class Blank:
    """A question that the designer adds.

    Attributes:
        meaning: What it has to be, in words.
        proposal: A question that is about right; empty where there is none.
    """

    meaning: str
    proposal: str = ""


def blanks_of(design: Design) -> tuple[Blank, ...]:
    """Returns the questions that an instruction needs beside the sensitive one."""
    if isinstance(design, (Crosswise, Triangular)):
        return (_innocent(design.p),)
    if isinstance(design, Unrelated):
        return (_innocent(design.q),)
    if isinstance(design, UnrelatedTwoSamples):
        return (Blank("an innocent question, the same for both groups", _by_month(6)),)
    if isinstance(design, ExtendedCrosswise):
        return (
            _innocent(design.p, " (first group)"),
            _innocent(1 - design.p, " (second group)"),
        )
    if isinstance(design, AnchoredCrosswise):
        return (
            _innocent(design.p),
            Blank("a question that nobody answers with yes", "Have you ever been to the Moon?"),
            _innocent(design.anchor, ", independent of the first", "father"),
        )
    if isinstance(design, ItemCount):
        return tuple(Blank(f"innocent question {i + 1}") for i in range(design.items))
    return ()


def filled(blanks: Sequence[Blank], texts: Sequence[str]) -> tuple[str, ...]:
    """Returns the questions: as given, else as proposed, else a line to be filled in by hand."""
    given = [*texts, *[""] * (len(blanks) - len(texts))]
    return tuple(
        text.strip() or blank.proposal or f"{LINE} ({blank.meaning})"
        for blank, text in zip(blanks, given, strict=False)
    )


def _innocent(share: Fraction, which: str = "", parent: str = "mother") -> Blank:
    months = share * len(_MONTHS)
    proposal = _by_month(int(months), parent) if months.denominator == 1 else ""
    return Blank(
        f"an innocent question that {chance_words(share)} people answer with yes{which}", proposal
    )


def _by_month(months: int, parent: str = "mother") -> str:
    """A birthday in the first so many months of the year."""
    if not 0 < months < len(_MONTHS):
        return ""
    if months == 1:
        return f"Was your {parent} born in January?"
    return f"Was your {parent} born between January and {_MONTHS[months - 1]}?"
