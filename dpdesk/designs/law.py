"""The law of answers by true states: what they disclose, and chances that follow from epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from fractions import Fraction
from math import exp, inf, isfinite, log

from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError

CARRIER, OTHER = "carrier", "non-carrier"

DIGITS = 10**6
"""Chances that follow from an epsilon are multiples of a millionth, which one can type."""
LARGEST_EPSILON = 12.0
"""For larger epsilons, chances of six decimals no longer change."""
_PLAN_STEP = Decimal("0.0001")
_FOLLOWING = 2
"""Carriers and non-carriers, who come first in every group."""


@dataclass(frozen=True, slots=True)
class Group:
    """Respondents who use the same device.

    Attributes:
        name: Name of the group; empty where there is one.
        states: What a respondent can truly be.
        answers: What a respondent can say.
        law: Chance of each answer (column) in each state (row), exactly.
        blind: Chance of each answer of a respondent who answers at random; if empty, all are equal.
    """

    name: str
    states: tuple[str, ...]
    answers: tuple[str, ...]
    law: tuple[tuple[Fraction, ...], ...]
    blind: tuple[Fraction, ...] = ()


@dataclass(frozen=True, slots=True)
class Jeopardy:
    """How many times likelier an answer is under one true state than under another.

    Attributes:
        answer: The answer.
        group: Name of the group of respondents; empty where there is one group.
        ratio: The largest ratio of its probabilities; None where it is infinite, the answer being
            impossible under some state.
        points_to: The state that makes it likeliest.
        rules_out: The state under which it is impossible; empty where there is none.
    """

    answer: str
    group: str
    ratio: Fraction | None
    points_to: str
    rules_out: str


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """What an answer discloses, for a respondent of any group.

    Attributes:
        epsilon: The logarithm of the largest ratio; infinite where an answer is a proof.
    """

    epsilon: float


@dataclass(frozen=True, slots=True)
class Loss(PrivacyLoss):
    """The privacy loss of a design whose answers can be listed.

    Attributes:
        ratio: e^epsilon, exactly; None where it is infinite.
        answers: Every answer of every group.
    """

    ratio: Fraction | None
    answers: tuple[Jeopardy, ...]

    @property
    def disclosing(self) -> tuple[Jeopardy, ...]:
        """The answers that prove something."""
        return tuple(answer for answer in self.answers if answer.ratio is None)


def loss_of(groups: tuple[Group, ...]) -> Loss:
    """Returns the privacy loss of a design: the largest over its groups.

    Epsilon is the logarithm of the larger jeopardy of Leysieffer and Warner (1976).
    """
    answers = tuple(
        _jeopardy(group, index) for group in groups for index in range(len(group.answers))
    )
    possible = tuple(answer for answer in answers if answer is not None)
    if any(answer.ratio is None for answer in possible):
        return Loss(inf, None, possible)
    ratio = max(answer.ratio for answer in possible if answer.ratio is not None)
    return Loss(log(ratio.numerator) - log(ratio.denominator), ratio, possible)


def loss_of_trait(groups: tuple[Group, ...]) -> Loss:
    """Returns the loss for carriers and non-carriers who follow the device, without cheaters.

    An answer that rules out a cheater alone is no proof of what was asked.
    """
    return loss_of(
        tuple(Group(g.name, g.states[:_FOLLOWING], g.answers, g.law[:_FOLLOWING]) for g in groups)
    )


def _jeopardy(group: Group, index: int) -> Jeopardy | None:
    chances = [law[index] for law in group.law]
    likeliest, least = max(chances), min(chances)
    if likeliest == 0:
        return None
    return Jeopardy(
        answer=group.answers[index],
        group=group.name,
        ratio=likeliest / least if least else None,
        points_to=group.states[chances.index(likeliest)],
        rules_out="" if least else group.states[chances.index(least)],
    )


def require_difference(a: Fraction | float, b: Fraction | float) -> None:
    """Refuses a device whose answers do not depend on the trait.

    Args:
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.

    Raises:
        ParameterError: Both are equal.
    """
    if a == b:
        raise ParameterError(T.NO_DIFFERENCE())


def binary_group(a: Fraction, b: Fraction, name: str = "") -> Group:
    """Returns the law of a group that answers yes or no, depending on the trait.

    Args:
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.
        name: Name of the group.

    Raises:
        ParameterError: Both are equal, so that answers do not depend on the trait.
    """
    require_difference(a, b)
    return one_of_two_groups(a, b, name)


def one_of_two_groups(a: Fraction, b: Fraction, name: str) -> Group:
    """Returns the law of a group that answers yes or no.

    Both chances may be equal, if the answers of the other group depend on the trait.

    Args:
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.
        name: Name of the group.
    """
    return Group(name, (CARRIER, OTHER), ("yes", "no"), ((a, 1 - a), (b, 1 - b)))


SMALLEST_SHARE = 1e-9
"""Smallest share, and smallest distance from 1, whose squares and ratios are finite floats."""


def require_share(value: float, what: str) -> float:
    """Returns a share if it is at least `SMALLEST_SHARE` away from 0 and from 1.

    Raises:
        ParameterError: It does not.
    """
    if not SMALLEST_SHARE <= value <= 1 - SMALLEST_SHARE:
        raise ParameterError(T.NO_SHARE(what=what))
    return value


def require_epsilon(epsilon: float) -> None:
    """Refuses an epsilon that no device has.

    Raises:
        ParameterError: It is infinite, or not above 0.
    """
    if not (isfinite(epsilon) and epsilon > 0):
        raise ParameterError(T.NO_EPSILON())


def plan_epsilon(epsilon: float | Decimal) -> Decimal:
    """Returns the epsilon of a plan: rounded down, so that it is not larger than the design's."""
    return max(Decimal(epsilon).quantize(_PLAN_STEP, ROUND_FLOOR), _PLAN_STEP)


def truth_at(epsilon: float) -> Fraction:
    """Returns Warner's chance of the truth at an epsilon: e^epsilon / (1 + e^epsilon).

    It is rounded down to a millionth, so that the odds stay below e^epsilon.

    Raises:
        ParameterError: The epsilon is not above 0, or so small that the chance rounds to 1/2.
    """
    require_epsilon(epsilon)
    truth = Fraction(min(int(DIGITS / (1 + exp(-epsilon))), DIGITS - 1), DIGITS)
    if truth <= Fraction(1, 2):
        raise ParameterError(T.SMALL_EPSILON())
    return truth


def truth_beside(epsilon: float, p: Fraction) -> Fraction:
    """Returns the chance of a trait beside the question at an epsilon: a rare one stays rare.

    Raises:
        ParameterError: As `truth_at`.
    """
    truth = truth_at(epsilon)
    return 1 - truth if p < Fraction(1, 2) else truth
