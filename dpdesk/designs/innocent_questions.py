"""The innocent questions of a sheet: those of the catalogue, and those in the designer's own words.

A question of the catalogue is about a fact of a person that it declares, with a known share of
yes. What a question in own words is about nobody but its author knows: it is accepted, with what
must hold of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.designs.devices import BIRTHDAY, MONTHS, Device, asked_exactly, chance_words
from dpdesk.designs.devices.of_people import BirthdayMonth
from dpdesk.designs.texts import T
from dpdesk.i18n import Text, any_of, in_a_row, translated

LINE = "_" * 36
"""A line to fill in by hand."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A question that the designer adds.

    Attributes:
        meaning: What it has to be, in words.
        proposal: A question that is about right; empty where there is none.
        fact: The fact of a person that the proposal is about; empty where there is none.
        holds: What must hold of its answers for the estimate to be right, as a sentence; empty
            where it may be any question.
    """

    meaning: str
    proposal: str = ""
    fact: str = ""
    holds: str = ""

    def is_proposed(self, text: str) -> bool:
        """Returns whether the proposal is asked: typed as it stands, or left as it is."""
        return bool(self.proposal) and text.strip() in ("", self.proposal)

    def notes(self, text: str, devices: Collection[Device]) -> tuple[str, ...]:
        """Returns what must hold of a question in own words, as sentences; none of a proposal.

        Args:
            text: The question; empty where it is left open.
            devices: The devices that decide beside it.
        """
        if not self.holds or self.is_proposed(text):
            return ()
        asked = text.strip()
        alone: str = T.INDEPENDENT()
        if devices:
            titles = dict.fromkeys(translated(device.title).lower() for device in devices)
            alone = T.INDEPENDENT_OF_DEVICE(devices=any_of(list(titles)))
        which = T.OWN_QUESTION(question=asked) if asked else T.OPEN_QUESTION()
        return (in_a_row((which, self.holds, alone)),)


def filled(blanks: Sequence[Blank], texts: Sequence[str]) -> tuple[str, ...]:
    """Returns the questions: as given, else as proposed, else a line to be filled in by hand."""
    given = [*texts, *[""] * (len(blanks) - len(texts))]
    return tuple(
        text.strip() or blank.proposal or f"{LINE} ({blank.meaning})"
        for blank, text in zip(blanks, given, strict=False)
    )


def innocent(share: Fraction, meaning: Text = T.INNOCENT, parent: str = "mother") -> Blank:
    """Returns the blank of an innocent question that a share of people answers with yes."""
    months = share * len(MONTHS)
    proposal = asked_exactly(share, parent)
    if not proposal and months.denominator == 1:
        proposal = by_month(int(months), parent)
    chance = chance_words(share)
    fact = BIRTHDAY if proposal else ""
    return Blank(meaning(chance=chance), proposal, fact, T.SHARE_MUST_HOLD(chance=chance))


def by_month(months: int, parent: str = "mother") -> str:
    """Returns a question for a birthday in the first so many months; empty where none is."""
    if not 0 < months < len(MONTHS):
        return ""
    return BirthdayMonth().question(range(months), parent)
