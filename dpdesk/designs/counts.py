"""What the interviewers bring back: how many respondents said yes, of how many."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpdesk.errors import InputError

_GRAMMAR = re.compile(r"([0-9]{1,15})/([0-9]{1,15})")
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Count:
    """The answers of one group of respondents.

    Attributes:
        yes: Number of answers "yes" (or the sum of all answers, where an answer is a count).
        respondents: Number of respondents.
    """

    yes: int
    respondents: int

    def checked(self, largest_answer: int = 1) -> Count:
        """Returns these counts if they can be.

        Raises:
            InputError: There are fewer than 2 respondents, or more answers than they can give.
        """
        if self.respondents < _LEAST:
            raise InputError(
                "An estimate with an error needs at least 2 respondents in each group.",
                remedy="Check the counts, written as YES/RESPONDENTS, such as 831/2435.",
            )
        if not 0 <= self.yes <= self.respondents * largest_answer:
            raise InputError(
                "There are more answers “yes” than the respondents can give.",
                remedy="Check the counts, written as YES/RESPONDENTS, such as 831/2435.",
            )
        return self

    @property
    def share(self) -> float:
        """Share of "yes", or the mean answer."""
        return self.yes / self.respondents


def parse_counts(text: str, groups: int) -> tuple[Count, ...]:
    """Reads counts such as "831/2435", or "140/300,210/300" for two groups.

    Raises:
        InputError: The text is not of this form, or has another number of groups.
    """
    counts = []
    for part in text.split(","):
        found = _GRAMMAR.fullmatch(part.strip())
        if found is None:
            raise InputError(
                "The counts are not of the form YES/RESPONDENTS.",
                remedy="Write, for example, 831/2435; two groups are separated by a comma.",
            )
        counts.append(Count(int(found[1]), int(found[2])))
    if len(counts) != groups:
        raise InputError(
            f"This design has {groups} {'group' if groups == 1 else 'groups'} of respondents; the "
            f"counts have {len(counts)}.",
            remedy="Give one YES/RESPONDENTS for each group, separated by commas.",
        )
    return tuple(counts)
