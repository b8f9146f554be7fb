"""The item count (list experiment): how many items apply, with and without the sensitive one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from dpdesk.designs.answer_likelihood import AnswerChances
from dpdesk.designs.base import Departure
from dpdesk.designs.devices import DeviceChoice, Sketch
from dpdesk.designs.innocent_questions import Blank
from dpdesk.designs.instructions import NO, YES, Procedure, Way
from dpdesk.designs.kuk import binomial_law
from dpdesk.designs.law import CARRIER, OTHER, Group
from dpdesk.designs.sample_design import Labels
from dpdesk.designs.sample_groups import combined_estimates
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import Count, PlannedVariance, SurveyEstimates, YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Text
from dpdesk.numbers import PlainDigits, whole_number
from dpdesk.numbers.arrays import Floats

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SKETCHED = 6
_ROUNDED = Fraction(101, 100)
"""How far a deviation, squared, may be off from one that is possible: people type few digits."""


class ItemCount(YesNoDesign):
    """The item count: a difference of two means."""

    title = N_("Item count")
    summary = N_(
        "Respondents say how many items of a list apply to them; the list of the first group has "
        "the sensitive item as well. Counts: the sum of all answers of each group."
    )
    reference = "Miller 1984; Droitcour et al. 1991"
    group_count: ClassVar[int] = 2
    supposed: ClassVar[frozenset[str]] = frozenset({"innocent_mean", "innocent_sd"})
    error_is_bound: ClassVar[bool] = True
    caution = N_("The answers “all” and “none” are proofs, whatever the list is.")
    device = N_("five items")
    no_device: ClassVar[str] = N_("A list of items needs no device: nothing is drawn.")
    usual: ClassVar = {"items": 4}
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")
    assumes_innocent: ClassVar[bool] = True

    # A file may leave out what is then supposed.
    model_config = ConfigDict(json_schema_extra=lambda schema: schema.update(required=["items"]))

    kind: Literal["item_count"] = "item_count"
    items: Annotated[
        int,
        Field(
            ge=1,
            le=50,
            title=N_("innocent items"),
            description="number of innocent items on both lists",
        ),
        PlainDigits,
    ]
    innocent_mean: Annotated[
        float,
        Field(
            ge=0,
            le=50,
            title=N_("innocent items that apply, mean"),
            description="how many innocent items apply to a respondent, on average (default: half)",
        ),
        PlainDigits,
    ]
    innocent_sd: Annotated[
        float,
        Field(
            ge=0,
            le=50,
            title=N_("innocent items that apply, sd"),
            description="standard deviation of how many innocent items apply (default: that of "
            "items that apply by halves and independently); items of which one excludes another "
            "have a small one, and need few respondents",
        ),
        PlainDigits,
    ]

    @model_validator(mode="before")
    @classmethod
    def _suppose(cls, given: object) -> object:
        """Innocent items of which nothing is said apply by halves, each by itself."""
        items = whole_number(str(given.get("items", ""))) if isinstance(given, Mapping) else None
        if not isinstance(given, Mapping) or not items or items < 0:
            return given
        return {"innocent_mean": items / 2, "innocent_sd": sqrt(items) / 2, **given}

    @property
    def largest_answer(self) -> int:  # type: ignore[override]
        """All innocent items and the sensitive one."""
        return self.items + 1

    @property
    def groups(self) -> tuple[Group, ...]:
        innocent, none = self._innocent(), Fraction(0)
        answers = tuple(map(str, range(self.items + 2)))
        law = ((none, *innocent), (*innocent, none))
        return (Group("longer list", (CARRIER, OTHER), answers, law),)

    @property
    def asked(self) -> tuple[Group, ...]:
        innocent = self._innocent()
        answers = tuple(map(str, range(self.items + 1)))
        shorter = Group("shorter list", (CARRIER, OTHER), answers, (innocent, innocent))
        return (*self.groups, shorter)

    def _innocent(self) -> tuple[Fraction, ...]:
        """A law of their number with its mean and deviation.

        The binomial one is mixed with the two numbers next to the mean for a smaller deviation,
        with none and all for a larger one.
        """
        mean, variance = Fraction(str(self.innocent_mean)), Fraction(str(self.innocent_sd)) ** 2
        below = min(int(mean), self.items - 1)
        part = mean - below
        least, most = (max(x, Fraction(0)) for x in (part * (1 - part), mean * (self.items - mean)))
        fits = least <= variance * _ROUNDED and variance <= most * _ROUNDED
        if not (0 < mean < self.items and fits):
            low, high = (f"{sqrt(end):.3g}" for end in (least, most))
            raise ParameterError(T.NO_ITEMS(items=self.items, least=low, most=high))
        usual, base = binomial_law(mean / self.items, self.items), most / self.items
        other = [Fraction(0)] * (self.items + 1)
        if variance < base:
            other[below], other[below + 1], reached = 1 - part, part, least
        else:
            other[0], other[-1], reached = 1 - mean / self.items, mean / self.items, most
        if abs(variance - base) <= base / 10**9 or reached == base:
            return usual
        weight = min((variance - base) / (reached - base), Fraction(1))
        return tuple((1 - weight) * a + weight * b for a, b in zip(usual, other, strict=True))

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        return 0.0, (1.0, -1.0)

    def chances_of(self, said: Floats, group: Labels, anchor: Floats | None) -> AnswerChances:
        raise ParameterError(T.NO_ITEM_REGRESSION())

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        # The innocent items apply to carriers as to others.
        self._innocent()
        spread = self.innocent_sd**2
        sampling = prevalence * (1 - prevalence)
        return PlannedVariance(sampling, 2 * (spread + sampling) + 2 * spread - sampling)

    def interval_variance(self, prevalence: float) -> PlannedVariance:
        # That of `estimates`.
        innocent, sampling = self.innocent_mean, prevalence * (1 - prevalence)
        longer = (innocent + prevalence) * (self.items + 1 - innocent - prevalence)
        bound = 2 * (longer + innocent * (self.items - innocent))
        return PlannedVariance(sampling, bound - sampling)

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        # The sums do not show the spread of the answers; the error is the largest that they can
        # have: each respondent has none of the items, or all.
        longer, shorter = self.items + 1, self.items
        shares = totals / np.array([longer, shorter])
        return combined_estimates(shares, respondents, 0.0, (longer, -shorter), confidence)

    def _checked(self, counts: Sequence[Count]) -> tuple[Count, ...]:
        longer, shorter = counts
        return longer.checked(self.items + 1), shorter.checked(self.items)

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return tuple(Blank(T.INNOCENT_ITEM(number=i + 1)) for i in range(self.items))

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        m = self.items
        chances = self._innocent()
        steps, reason = (T.COUNT_ITEMS(), T.SAY_COUNT()), T.ITEMS_REASON()

        def ways(words: Text, more: int = 0) -> tuple[Way, ...]:
            found = enumerate(chances)
            return tuple(Way(chance, words(count=y), str(y + more)) for y, chance in found)

        longer, shorter = (ways(T.OTHER_ITEMS_YES, more) for more in (1, 0))
        asked, same = _lettered((*others, question)), ways(T.ITEMS_YES)
        return (
            Procedure(
                "longer list", "", asked, steps, reason, longer, shorter, sketched=_sketch(m + 1)
            ),
            Procedure(
                "shorter list",
                "",
                _lettered(others),
                steps,
                reason,
                same,
                same,
                sketched=_sketch(m),
            ),
        )


def _sketch(questions: int) -> Sketch:
    """An example: every second one of the first questions is answered with yes."""
    answers = tuple((YES, NO)[place % 2] for place in range(min(questions, _SKETCHED)))
    return Sketch(((answers, T.SAY_QUOTED(answer=answers.count(YES))),))


def _lettered(questions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    many = len(questions) > len(_LETTERS)
    return tuple(
        (str(number + 1) if many else _LETTERS[number], question)
        for number, question in enumerate(questions)
    )
