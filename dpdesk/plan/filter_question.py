"""A filter question, and how the curator is told of it: "asked only where smoker = yes"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from dpdesk.i18n import N_

_LISTED = 3

_IT_TELLS = N_(
    "It seems to have been asked only where {condition}. A blank that is passed through tells an "
    "answer to {column}."
)
_THROUGH = N_(
    "It seems to have been asked only because of {through}, and that only where {condition}. A "
    "blank that is passed through tells an answer to {column}."
)
_BUT_FOR = N_("{condition} (exceptions: {count} of {records} records)")
_EQUALS = N_("{column} = {answers}")
_DIFFERS = N_("{column} is not {answers}")
_FROM = N_("{column} is {lower} or more")
_UP_TO = N_("{column} is {upper} or less")
_BETWEEN = N_("{column} is from {lower} to {upper}")
_OUTSIDE = N_("{column} is not from {lower} to {upper}")
_OR = N_("{first} or {last}")
_MORE = N_("{first} or {count} more")


@dataclass(frozen=True, slots=True)
class Filter:
    """Another question, because of whose answer some respondents were not asked.

    Answers and bounds are as in the file; for the curator's eyes only.

    Attributes:
        column: Name of the filter question.
        asked: Its answers whose respondents were asked; empty where it is an interval.
        not_asked: Its other answers, alike.
        lower: Least number of an interval; empty where it has no lower end.
        upper: Largest number, alike.
        inside: Whether those within the interval were asked, or those outside of it.
        exceptions: Number of respondents who have an answer and should not have been asked.
        skipped: Number of respondents who should not have been asked.
        through: Name of the question between, where this is the filter of a filter; else empty.
    """

    column: str
    asked: tuple[str, ...] = ()
    not_asked: tuple[str, ...] = ()
    lower: str = ""
    upper: str = ""
    inside: bool = True
    exceptions: int = 0
    skipped: int = 0
    through: str = ""

    def condition(self, say: Callable[[str], str] = str) -> str:
        """Returns who was asked, such as "smoker = daily or sometimes", translated by `say`."""
        return self._words(say).format(
            column=self.column,
            answers=_listed(self.asked if self._lists_asked else self.not_asked, say),
            lower=self.lower,
            upper=self.upper,
        )

    @property
    def _lists_asked(self) -> bool:
        return len(self.asked) <= max(_LISTED, len(self.not_asked))

    def _words(self, say: Callable[[str], str]) -> str:
        if self.asked:
            return say(_EQUALS if self._lists_asked else _DIFFERS)
        if not self.inside:
            return say(_OUTSIDE)
        if not self.upper:
            return say(_FROM)
        return say(_BETWEEN if self.lower else _UP_TO)

    def sentence(self, say: Callable[[str], str] = str) -> str:
        """Returns what the curator should know, as sentences translated by `say`."""
        condition = self.condition(say)
        if self.exceptions:
            condition = say(_BUT_FOR).format(
                condition=condition, count=f"{self.exceptions:,}", records=f"{self.skipped:,}"
            )
        return say(_THROUGH if self.through else _IT_TELLS).format(
            condition=condition, column=self.column, through=self.through
        )


def _listed(answers: tuple[str, ...], say: Callable[[str], str]) -> str:
    if len(answers) > _LISTED + 1:
        more = len(answers) - _LISTED
        return say(_MORE).format(first=", ".join(answers[:_LISTED]), count=f"{more:,}")
    if len(answers) < 2:
        return "".join(answers)
    return say(_OR).format(first=", ".join(answers[:-1]), last=answers[-1])


def first_sentences(
    filters: tuple[Filter, ...], say: Callable[[str], str] = str
) -> tuple[str, ...]:
    """Returns what the curator should know of the first few filters, translated by `say`."""
    return tuple(one.sentence(say) for one in islice(filters, _LISTED))
