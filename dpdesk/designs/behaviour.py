"""Respondents who do not do what the device orders, and how this changes the answers.

Three kinds, each a share: carriers who deny whatever the device says, non-carriers who refuse an
order to say yes, and respondents of either state who answer at random.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.base import Departure, Design
from dpdesk.designs.law import Group
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import translated
from dpdesk.numbers import whole_number
from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How respondents behave.

    Attributes:
        deny: Share of the carriers who always give the answer that is least likely for a carrier
            (with Warner's design and forced response: no). If the answer is a number, they answer
            as non-carriers do.
        refuse: Share of the non-carriers who always give that same answer.
        careless: Share of all respondents who give each possible answer with the same chance,
            instead of anything above.
    """

    deny: float = 0.0
    refuse: float = 0.0
    careless: float = 0.0

    def __post_init__(self) -> None:
        if any(not 0 <= share <= 1 for share in (self.deny, self.refuse, self.careless)):
            raise ParameterError(T.NO_SHARE(what="share who do not follow the device"))

    @property
    def compliant(self) -> bool:
        """Whether everybody follows the device."""
        return not (self.deny or self.refuse or self.careless)


COMPLIANT = Behaviour()
"""Everybody does what the device orders."""

SHARE_OF: Mapping[Departure, str] = {
    "denial": "deny",
    "refusal": "refuse",
    "carelessness": "careless",
    "understatement": "understating",
}
"""The name of the share of respondents who depart in each way, in supposed surveys."""


def require_departures(design: Design, shares: Mapping[Departure, float]) -> None:
    """Refuses departures from the instruction that a design does not have.

    They change none of its answers, or, as a number said at random, could be any answer.

    Args:
        design: The design, which names the departures that change its answers.
        shares: Share of the respondents who depart in each way; 0 for none.

    Raises:
        ParameterError: There are some who depart in a way that the design does not have.
    """
    for way, share in shares.items():
        if share and way not in design.departures:
            named = translated(design.title)
            raise ParameterError(T.NO_DEPARTURE(design=named, share=SHARE_OF[way]))


@dataclass(frozen=True, slots=True)
class Evasion:
    """Respondents who do not follow the instruction.

    With a device that orders answers they say the other answer outright; with a program they enter
    it, and the program draws from it.

    Attributes:
        hidden: Number of the sensitive answer, from 0, which some of its holders deny.
        instead: Number of the answer that they give.
        deny: Share of the holders of `hidden` who do.
        careless: Share of all who give any answer with equal chances.
    """

    hidden: int = 0
    instead: int = 1
    deny: float = 0.0
    careless: float = 0.0

    def __post_init__(self) -> None:
        if not (0 <= self.deny <= 1 and 0 <= self.careless <= 1):
            raise ParameterError(T.NO_SHARE(what="share who do not follow the device"))
        if self.hidden == self.instead or min(self.hidden, self.instead) < 0:
            raise ParameterError(T.SAME_ANSWER())


NONE_EVADES = Evasion()
"""Everybody follows the instruction."""


def behaved(group: Group, behaviour: Behaviour) -> tuple[tuple[Fraction, ...], ...]:
    """Returns the law of the answers of a carrier and of a non-carrier who behave in this way.

    Args:
        group: The law of those who follow the device.
        behaviour: How many of them do not.

    Returns:
        Two rows: of a carrier, of a non-carrier.
    """
    carrier, other = group.law[:2]
    if behaviour.compliant:
        return carrier, other
    deny, refuse, careless = (
        Fraction(repr(share)) for share in (behaviour.deny, behaviour.refuse, behaviour.careless)
    )
    safe = safe_answer(group) or other
    blind = group.blind or (Fraction(1, len(group.answers)),) * len(group.answers)
    # An array of Python objects, so that fractions stay exact.
    law = departed(
        np.array((carrier, other), dtype=object),
        {0: (deny, np.array(safe, dtype=object)), 1: (refuse, np.array(safe, dtype=object))},
        careless,
        np.array(blind, dtype=object),
    )
    return tuple(law[0]), tuple(law[1])


def departed(
    law: NDArray[Any],
    moved: Mapping[int, tuple[Any, NDArray[Any]]],
    careless: Any,
    blind: NDArray[Any],
) -> NDArray[Any]:
    """Returns the law of answers where some respondents do not follow the instruction.

    Args:
        law: Chance of each answer (column) in each true state (row); numbers or fractions.
        moved: For the number of a state, the share of its holders who follow another row, and the
            number of that row.
        careless: Share of all respondents who answer at random instead of anything else.
        blind: Chances of their answers.
    """
    found = law.copy()
    for state, (share, row) in moved.items():
        found[state] = (1 - share) * found[state] + share * row
    return np.asarray((1 - careless) * found + careless * blind)


def entered(shares: Floats, evasion: Evasion) -> Floats:
    """Returns the shares of the answers that a program is given, shape (m,)."""
    given = shares.copy()
    moved = evasion.deny * shares[evasion.hidden]
    given[evasion.hidden] -= moved
    given[evasion.instead] += moved
    return np.asarray((1 - evasion.careless) * given + evasion.careless / len(shares))


def safe_answer(group: Group) -> tuple[Fraction, ...] | None:
    """Returns the law of respondents who always give the answer least likely for a carrier.

    None if the answer is a number, since no single number is a denial, and if the answer does not
    depend on the trait.
    """
    carrier, other = group.law[:2]
    if set(group.answers) != {"yes", "no"} or carrier == other:
        return None
    # With two answers, one is likelier for carriers and the other for non-carriers.
    return tuple(Fraction(a < b) for a, b in zip(carrier, other, strict=True))


def answer_worth(answer: str) -> int:
    """Returns what an answer adds to the count: 1 for yes, 0 for no, else its number.

    Raises:
        ParameterError: It is neither, as with a mechanism, whose reports support an answer.
    """
    if answer in {"yes", "no"}:
        return int(answer == "yes")
    number = whole_number(answer.split(maxsplit=1)[0])
    if number is None:
        raise ParameterError(T.NO_COUNTING())
    return number


@dataclass(frozen=True, slots=True)
class AnswerLaw:
    """The law of what one respondent adds to a group's count.

    Attributes:
        worth: What each answer adds.
        chances: Chance of each answer, of a respondent drawn from all.
    """

    worth: tuple[int, ...]
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Mean of what a respondent adds."""
        return sum(w * c for w, c in zip(self.worth, self.chances, strict=True))

    @property
    def variance(self) -> float:
        """Its variance."""
        mean = self.mean
        return sum(c * (w - mean) ** 2 for w, c in zip(self.worth, self.chances, strict=True))


def answer_laws(
    design: YesNoDesign, prevalence: float, behaviour: Behaviour
) -> tuple[AnswerLaw, ...]:
    """Returns what a respondent adds to the count of each group (or item) of a design."""
    laws = []
    for group in design.asked:
        carrier, other = behaved(group, behaviour)
        chances = tuple(
            prevalence * float(a) + (1 - prevalence) * float(b)
            for a, b in zip(carrier, other, strict=True)
        )
        laws.append(AnswerLaw(tuple(map(answer_worth, group.answers)), chances))
    return tuple(laws)


def group_sizes(design: YesNoDesign, respondents: int) -> tuple[int, ...]:
    """Returns the number of respondents of each group: split evenly, or all for each item."""
    if design.same_respondents:
        return (respondents,) * design.group_count
    each, rest = divmod(respondents, design.group_count)
    return tuple(each + (group < rest) for group in range(design.group_count))


def joint_covariance(laws: Sequence[AnswerLaw], behaviour: Behaviour) -> float:
    """Returns the covariance of two yes-or-no items that the same respondents answer.

    A respondent who answers one at random answers the other at random as well: c/(1 - c) (l - 1/2)
    (l' - 1/2), with c the share of them.
    """
    share = behaviour.careless
    if share in {0.0, 1.0}:
        return 0.0
    first, second = (law.mean - 0.5 for law in laws)
    return share / (1 - share) * first * second
