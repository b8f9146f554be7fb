"""What a designer wants to find of one question, and what it takes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dpdesk.designs import YesNoDesign
from dpdesk.designs.direct import Direct
from dpdesk.i18n import N_


class Goal(Enum):
    """What is to be found, with the fields that it needs beside those of the page."""

    RESPONDENTS_FOR_MARGIN = (
        N_("n for a margin"),
        ("margin", "population", "weights_cv", "denial"),
    )
    MARGIN = (N_("margin of n"), ("population", "weights_cv", "denial"))
    EPSILON_FOR_MARGIN = (N_("ε for a margin"), ("margin", "population", "weights_cv", "denial"))
    RESPONDENTS_FOR_POWER = (
        N_("n for a power"),
        ("against", "second", "power", "alpha", "two_sided", "denial"),
    )
    POWER = (N_("power of n"), ("against", "second", "alpha", "two_sided", "denial"))
    EPSILON_FOR_POWER = (
        N_("ε for a power"),
        ("against", "power", "alpha", "two_sided", "denial"),
    )
    EPSILON_FOR_BELIEF = (N_("ε under a cap on beliefs"), ("belief", "denial"))
    EPSILON_FOR_ODDS = (N_("ε under a factor of the odds"), ("odds", "denial"))

    def __init__(self, title: str, fields: tuple[str, ...]) -> None:
        self.title = title
        self.fields = fields


TESTS = (Goal.RESPONDENTS_FOR_POWER, Goal.POWER, Goal.EPSILON_FOR_POWER)
"""The goals that are about a test."""


@dataclass(frozen=True)
class Wanted:
    """What a designer wants of one question; fields that the goal does not need have no effect.

    Attributes:
        goal: What is to be found.
        margin: Half-width of the interval.
        confidence: Coverage of the interval.
        population: Size of a finite population, or None.
        weights_cv: Coefficient of variation of the respondents' weights.
        against: Share of the null hypothesis; the expected share is that of the page.
        power: Chance to find that the share is not that one.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.
        second: What `against` is the share of: "" for a fixed share, "device" or "direct" for a
            second group of as many respondents, asked with the device or directly.
        belief: The most that may be believed of anybody.
        odds: The most that an answer may change the odds.
        denial: Share of the carriers who would deny a direct question, or None.
    """

    goal: Goal = Goal.RESPONDENTS_FOR_MARGIN
    margin: float = 0.03
    confidence: float = 0.95
    population: int | None = None
    weights_cv: float = 0.0
    against: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    two_sided: bool = False
    second: str = ""
    belief: float = 0.5
    odds: float = 3.0
    denial: float | None = None

    def second_design(self, design: YesNoDesign) -> YesNoDesign | None:
        """The design of the second group, beside the first one's; None where there is none."""
        if not self.needs("second") or not self.second:
            return None
        return design if self.second == "device" else Direct()

    @property
    def sample(self) -> tuple[int | None, float]:
        """Size of the population and variation of the weights; None and 0 without effect."""
        finite = self.needs("population")
        return (self.population, self.weights_cv) if finite else (None, 0.0)

    def needs(self, field: str) -> bool:
        """Whether the goal takes a field into account."""
        return field in self.goal.fields
