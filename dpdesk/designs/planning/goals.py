"""What a designer wants to find of one question, and what it comes to: `solve`.

One solver serves the window, the command line and the memo, whatever is estimated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto

from dpdesk.designs.law import require_share
from dpdesk.designs.planning.epsilon import (
    epsilon_for_odds,
    epsilon_for_posterior,
    least_epsilon,
    require_decided,
)
from dpdesk.designs.planning.power import (
    Contrast,
    Second,
    least_epsilon_for_power,
    power,
    respondents_for_power,
    respondents_to_beat_direct,
)
from dpdesk.designs.planning.sample import Sample, kish_effect, respondents_for_margin
from dpdesk.designs.planning.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_


class Unknown(Enum):
    """The number of a plan that is found from the others."""

    RESPONDENTS = auto()
    MARGIN = auto()
    POWER = auto()
    EPSILON = auto()


class Goal(Enum):
    """What is to be found, with the fields of `Wanted` and `Sample` that decide it.

    Attributes:
        title: What it is called.
        fields: Names of the fields.
        finds: The number that is filled in.
        is_cap: Whether it is the largest that keeps below something, and not the least that
            reaches it.
    """

    RESPONDENTS_FOR_MARGIN = (
        N_("n for a margin"),
        ("margin", "population", "weights_cv", "denial"),
        Unknown.RESPONDENTS,
    )
    MARGIN = (N_("margin of n"), ("population", "weights_cv", "denial"), Unknown.MARGIN)
    EPSILON_FOR_MARGIN = (
        N_("ε for a margin"),
        ("margin", "population", "weights_cv", "denial"),
        Unknown.EPSILON,
    )
    RESPONDENTS_FOR_POWER = (
        N_("n for a power"),
        ("against", "second", "power", "alpha", "two_sided", "denial"),
        Unknown.RESPONDENTS,
    )
    POWER = (N_("power of n"), ("against", "second", "alpha", "two_sided", "denial"), Unknown.POWER)
    EPSILON_FOR_POWER = (
        N_("ε for a power"),
        ("against", "power", "alpha", "two_sided", "denial"),
        Unknown.EPSILON,
    )
    EPSILON_FOR_BELIEF = (
        N_("ε under a cap on beliefs"),
        ("belief", "denial"),
        Unknown.EPSILON,
        True,
    )
    EPSILON_FOR_ODDS = (
        N_("ε under a factor of the odds"),
        ("odds", "denial"),
        Unknown.EPSILON,
        True,
    )

    def __init__(
        self, title: str, fields: tuple[str, ...], finds: Unknown, is_cap: bool = False
    ) -> None:
        self.title = title
        self.fields = fields
        self.finds = finds
        self.is_cap = is_cap


TESTS = (Goal.RESPONDENTS_FOR_POWER, Goal.POWER, Goal.EPSILON_FOR_POWER)
"""The goals that are about a test."""


@dataclass(frozen=True)
class Wanted:
    """What a designer wants of one question; fields that the goal does not need have no effect.

    Attributes:
        goal: What is to be found.
        margin: Half-width of the interval, in the unit of what is estimated.
        against: Value of the null hypothesis; the expected value is that of the sample.
        power: Chance to find that the value is not that one.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.
        second: What `against` is the value of: "" for a fixed value, "device" or "direct" for a
            second group of as many respondents, asked with the device or directly.
        belief: The most that may be believed of anybody.
        odds: The most that an answer may change the odds.
        denial: Share of the carriers who would deny a direct question, or None.
    """

    goal: Goal = Goal.RESPONDENTS_FOR_MARGIN
    margin: float = 0.03
    against: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    two_sided: bool = False
    second: Second = ""
    belief: float = 0.5
    odds: float = 3.0
    denial: float | None = None

    def needs(self, field: str) -> bool:
        """Whether the goal takes a field into account."""
        return field in self.goal.fields

    @property
    def contrast(self) -> Contrast:
        """The test, of a second group where the goal can have one."""
        second = self.second if self.needs("second") else ""
        return Contrast(self.against, self.alpha, self.two_sided, second)


@dataclass(frozen=True)
class Outcome:
    """What was found.

    Attributes:
        sample: The sample in which what was found is filled in: respondents, or the design.
        epsilon: The epsilon that was found, a bound; None where something else was.
        contrast: The test; None where the goal is about none.
        power: The power that the sample has; None likewise.
        beats_direct_from: Respondents from which on the design errs less than a direct question
            that is denied; None where no denial is supposed.
        note: Why the epsilon is that of another design than was asked for; empty where it is not.
    """

    sample: Sample
    epsilon: float | None = None
    contrast: Contrast | None = None
    power: float | None = None
    beats_direct_from: int | None = None
    note: str = ""

    @property
    def beliefs(self) -> tuple[float, float] | None:
        """Between what an answer can move the belief of the expected share; None of a mean."""
        design = self.sample.design
        loss = design.loss.epsilon if self.epsilon is None else self.epsilon
        return self.sample.people.beliefs(design, loss)


class FieldError(ParameterError):
    """A wish or a number that cannot be, with the field that it stands in.

    Args:
        field: Name of the field in `Wanted` or `Sample`; empty for what is supposed besides.
        error: What was refused.
    """

    def __init__(self, field: str, error: ParameterError) -> None:
        super().__init__(error.message, remedy=error.remedy)
        self.field = field


@contextmanager
def in_field(field: str) -> Iterator[None]:
    """Says of an error that is raised inside which field it belongs to.

    Raises:
        FieldError: There was one.
    """
    try:
        yield
    except FieldError:
        raise
    except ParameterError as error:
        raise FieldError(field, error) from error


def solve(wanted: Wanted, sample: Sample) -> Outcome:
    """Returns what the wishes come to.

    Where an epsilon is wanted, it is that of `People.decided`: of the design, or of one that
    stands in for it, as the note of the outcome says.

    Args:
        wanted: What is wanted.
        sample: What is supposed; what is to be found does not matter in it. A population or
            weights that the goal does not need are left out.

    Raises:
        FieldError: A number is impossible, or nothing meets the wishes; it names the field.
    """
    if not wanted.needs("population"):
        sample = replace(sample, population=None, weights_cv=0.0)
    with in_field(""):
        sample.people.check()
    with in_field("weights_cv"):
        kish_effect(sample.weights_cv, sample.population)
    if wanted.denial is not None:
        with in_field("denial"):
            require_share(wanted.denial, "share of denials")
    if wanted.goal in TESTS:
        _check_test(wanted, sample)
    note = ""
    if wanted.goal.finds is Unknown.EPSILON:
        design, note = sample.people.decided(sample.design)
        sample = sample.asked_by(design)
        with in_field(""):
            require_decided(design)
    found = replace(_SOLVERS[wanted.goal](wanted, sample), note=note)
    with in_field("population" if sample.population is not None else ""):
        found.sample.check()
    if wanted.goal in TESTS:
        contrast = wanted.contrast
        with in_field("against"):
            found = replace(found, contrast=contrast, power=power(found.sample, contrast))
    if wanted.denial is None:
        return found
    return replace(found, beats_direct_from=respondents_to_beat_direct(found.sample, wanted.denial))


def _check_test(wanted: Wanted, sample: Sample) -> None:
    for field, what in (("alpha", "level"), ("power", "power")):
        with in_field(field):
            require_share(getattr(wanted, field), what)
    with in_field("against"):
        sample.people.require_value(wanted.against)


def _respondents_for_margin(wanted: Wanted, sample: Sample) -> Outcome:
    with in_field("margin"):
        return Outcome(respondents_for_margin(sample, wanted.margin))


def _respondents_for_power(wanted: Wanted, sample: Sample) -> Outcome:
    with in_field("against"):
        return Outcome(respondents_for_power(sample, wanted.contrast, wanted.power))


def _epsilon_for_margin(wanted: Wanted, sample: Sample) -> Outcome:
    if sample.population is not None:
        # More respondents than people is an error of the population, not of the margin.
        with in_field("population"):
            sample.check()
    with in_field("margin"):
        return _at(sample, least_epsilon(sample, wanted.margin))


def _epsilon_for_power(wanted: Wanted, sample: Sample) -> Outcome:
    with in_field("power"):
        contrast = wanted.contrast
        return _at(sample, least_epsilon_for_power(sample, contrast, wanted.power))


def _epsilon_for_belief(wanted: Wanted, sample: Sample) -> Outcome:
    if sample.people.beliefs(sample.design, 1.0) is None:
        raise FieldError("", ParameterError(T.NO_BELIEF()))
    with in_field("belief"):
        return _at(sample, epsilon_for_posterior(sample.people.value, wanted.belief))


def _epsilon_for_odds(wanted: Wanted, sample: Sample) -> Outcome:
    with in_field("odds"):
        return _at(sample, epsilon_for_odds(wanted.odds))


def _at(sample: Sample, epsilon: float) -> Outcome:
    """The sample at an epsilon."""
    return Outcome(sample.asked_by(sample.design.at_epsilon(epsilon)), epsilon)


_SOLVERS: dict[Goal, Callable[[Wanted, Sample], Outcome]] = {
    Goal.RESPONDENTS_FOR_MARGIN: _respondents_for_margin,
    Goal.MARGIN: lambda _, sample: Outcome(sample),
    Goal.EPSILON_FOR_MARGIN: _epsilon_for_margin,
    Goal.RESPONDENTS_FOR_POWER: _respondents_for_power,
    Goal.POWER: lambda _, sample: Outcome(sample),
    Goal.EPSILON_FOR_POWER: _epsilon_for_power,
    Goal.EPSILON_FOR_BELIEF: _epsilon_for_belief,
    Goal.EPSILON_FOR_ODDS: _epsilon_for_odds,
}
