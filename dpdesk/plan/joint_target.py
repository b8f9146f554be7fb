"""The epsilons of least total for an error of a table, a group mean or slopes.

Each protected column has a ladder of epsilons, along which its error falls. So the steps of one
column that are enough, given those of the others, are found by bisection, and a range of steps of
which even the best total is larger than one that was found is left out as a whole.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import sqrt

from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Mechanism
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import error_text
from dpdesk.plan.joint_errors import (
    LADDER,
    Part,
    Z,
    cells_of,
    readings,
    records_of,
    serving,
    unit_of,
)
from dpdesk.plan.joint_question import JointQuestion
from dpdesk.plan.model import Plan
from dpdesk.plan.texts import T

_SLACK = 1e-9
"""Sums of the same epsilons in another order differ by less."""

Steps = tuple[int, ...]


@dataclass
class _Ladder:
    """The epsilons of one column; a single step of 0 of one that is kept.

    Attributes:
        part: The column.
        serves: Which mechanisms it can have.
        known: V and the mechanism of each step that was looked at.
    """

    part: Part
    serves: Callable[[Mechanism], bool]
    known: dict[int, tuple[Floats, Mechanism]] = field(default_factory=dict)

    @property
    def epsilons(self) -> tuple[float, ...]:
        """The epsilon of each step."""
        return (0.0,) if self.part.mechanism is None else tuple(map(float, LADDER))

    def at(self, step: int) -> tuple[Floats, Mechanism | None]:
        """V and the best mechanism of a step."""
        if self.part.mechanism is None:
            return self.part.variances, None
        if step not in self.known:
            self.known[step] = self.part.at(LADDER[step], self.serves)
        return self.known[step]


def plan_for_joint_error(plan: Plan, question: JointQuestion, half_width: float) -> Plan:
    """Returns the plan of least total epsilon whose error of what is asked is not above a target.

    Each protected column of the question takes one of the epsilons from 0.1 to 20, in steps of
    about 6 %, and the best mechanism there. Other columns and the budget stay.

    Args:
        plan: The plan.
        question: What is asked.
        half_width: The error, in pp or in the unit of the mean or slope.

    Raises:
        ParameterError: As `joint_error`; or no epsilon reaches the error, or several slopes have
            different units.
    """
    if not half_width > 0:
        raise ParameterError(T.BAD_ERROR(analysis=question.text))
    told = readings(question, plan)
    (scale, unit), *others = (unit_of(question, parts) for parts in told)
    if any(other != (scale, unit) for other in others):
        raise ParameterError(T.DIFFERENT_UNITS(analysis=question.text))
    people = records_of(plan, question)
    wanted = (half_width / (Z * scale)) ** 2 * people
    ladders = {
        part.column.name: _Ladder(part, serving(question, part)) for parts in told for part in parts
    }
    names = tuple(ladders)
    needed = [
        ([names.index(part.column.name) for part in parts], cells_of(question.quantity, parts)[2])
        for parts in told
    ]

    def fits(steps: Steps) -> bool:
        spread = [ladders[name].at(step)[0] for name, step in zip(names, steps, strict=True)]
        return all(
            variances([spread[at] for at in places]).max() <= wanted for places, variances in needed
        )

    chosen = least_steps([ladder.epsilons for ladder in ladders.values()], fits)
    if chosen is None:
        least = max(
            variances([part.variances for part in parts]).max()
            for parts, (_, variances) in zip(told, needed, strict=True)
        )
        error = error_text(Z * scale * sqrt(least / people), unit)
        raise ParameterError(T.UNREACHABLE(analysis=question.text, error=error))
    for name, step in zip(names, chosen, strict=True):
        _, mechanism = ladders[name].at(step)
        if mechanism is not None:
            plan = plan.with_column(name, mechanism=mechanism)
    return plan


def least_steps(ladders: list[tuple[float, ...]], fits: Callable[[Steps], bool]) -> Steps | None:
    """Returns the steps of least total that fit; of equal totals the first in order.

    Args:
        ladders: The epsilons of each column, rising.
        fits: Whether steps are enough; with any of them raised they still are.

    Returns:
        None where not even the last steps fit.
    """
    tops = tuple(len(ladder) - 1 for ladder in ladders)
    if not fits(tops):
        return None

    def total(steps: Steps) -> float:
        return sum(ladder[step] for ladder, step in zip(ladders, steps, strict=True))

    def first(chosen: Steps) -> int:
        """The first step of the next column that fits with the others at their tops."""
        place, rest = len(chosen), tops[len(chosen) + 1 :]
        low, high = 0, tops[place]
        while low < high:
            middle = (low + high) // 2
            if fits((*chosen, middle, *rest)):
                high = middle
            else:
                low = middle + 1
        return low

    def best(chosen: Steps) -> tuple[float, Steps]:
        """The least total beside chosen steps of the first columns, which can fit."""
        place, ladder = len(chosen), ladders[len(chosen)]
        low = first(chosen)
        if place == len(ladders) - 1:
            steps = (*chosen, low)
            return total(steps), steps

        @cache
        def at(step: int) -> tuple[float, Steps]:
            return best((*chosen, step))

        found = min(at(low), at(tops[place]))
        left = [(low, tops[place])]
        while left:
            begin, end = left.pop()
            # The other columns need at least what they need at the end of the range.
            bound = at(end)[0] - ladder[end] + ladder[min(begin + 1, end)]
            if end - begin < 2 or bound > found[0] + _SLACK:
                continue
            middle = (begin + end) // 2
            found = min(found, at(middle))
            left += [(middle, end), (begin, middle)]
        return found

    return best(())[1]
