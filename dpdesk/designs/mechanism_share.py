"""A question with several answers under one of the mechanisms for categories, seen from one answer.

A report supports the respondent's own answer with probability p and any other one with q (Wang et
al. 2017), so that the share of one answer is estimated as in any design with two chances of "yes".
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from dpdesk.cost import Epsilon
from dpdesk.designs.base import Group, binary_group
from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import PlainDigits

if TYPE_CHECKING:
    from dpdesk.domains import Categorical

CategoryMechanism = Literal["grr", "sue", "oue", "subset_selection", "blh", "olh", "hadamard"]

_STATES = ("has this answer", "has another answer")


class MechanismShare(OneSampleDesign):
    """The share of one answer of several, respondents being asked by a program."""

    title = N_("Mechanism for several answers")
    summary = N_(
        "The respondent's own device draws a report from the true one of several answers, with a "
        "mechanism for categories; the share of one answer is estimated."
    )
    reference = "Wang, Blocki, Li & Jha 2017, USENIX Security, 729-745"

    kind: Literal["mechanism"] = "mechanism"
    mechanism: Annotated[CategoryMechanism, Field(description="the mechanism")] = "grr"
    categories: Annotated[
        int, Field(ge=2, le=1000, description="number of answers"), PlainDigits
    ] = 5
    epsilon: Annotated[Epsilon, Field(description="the epsilon of one respondent's report")] = (
        Decimal(1)
    )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances p and q that a report supports the answer, of who has it and of others."""
        return _chances(self.mechanism, self.categories, self.epsilon)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Which of two answers a report supports, under these two: what betrays most."""
        p, q = self.chances
        both = self._both(p, q)
        own, other = p - both, q - both
        answers = ("supports this answer", "supports the other", "supports both", "supports none")
        rest = 1 - own - other - both
        law = ((own, other, both, rest), (other, own, both, rest))
        possible = [index for index in range(4) if law[0][index] or law[1][index]]
        return (
            Group(
                "",
                _STATES,
                tuple(answers[index] for index in possible),
                tuple(tuple(row[index] for index in possible) for row in law),
            ),
        )

    @property
    def asked(self) -> tuple[Group, ...]:
        """Whether a report supports the answer: what is counted."""
        p, q = self.chances
        binary_group(p, q)
        # Who answers at random names each answer alike.
        blind = (p + (self.categories - 1) * q) / self.categories
        answers = ("1 report for it", "0 reports for it")
        return (Group("", _STATES, answers, ((p, 1 - p), (q, 1 - q)), (blind, 1 - blind)),)

    def _both(self, p: Fraction, q: Fraction) -> Fraction:
        """The chance that a report supports the respondent's own answer and a given other."""
        if self.mechanism == "grr":
            return Fraction(0)
        if self.mechanism == "subset_selection":
            # One's own is in the set with p; the others in it are any of the rest alike.
            members = p + (self.categories - 1) * q
            return p * (members - 1) / (self.categories - 1)
        return p * q


@lru_cache(maxsize=256)
def _chances(kind: str, categories: int, epsilon: Decimal) -> tuple[Fraction, Fraction]:
    # Imported here: every command that names a design knows this one, and few use a mechanism.
    from dpdesk.mechanisms import mechanism_named
    from dpdesk.mechanisms.frequency_oracle import FrequencyForecast

    mechanism = mechanism_named(kind)(epsilon=epsilon)  # type: ignore[call-arg]
    domain = _domain(categories)
    reason = mechanism.objection(domain)
    if reason is not None:
        raise ParameterError(reason, remedy="Choose another mechanism or number of answers.")
    forecast = mechanism.forecast(domain)
    assert isinstance(forecast, FrequencyForecast)  # noqa: S101 - of all these mechanisms
    return Fraction(forecast.p), Fraction(forecast.q)


@lru_cache(maxsize=8)
def _domain(categories: int) -> Categorical:
    """Any domain of this size: the answers' names do not matter."""
    from dpdesk.domains import Categorical

    return Categorical(values=tuple(map(str, range(1, categories + 1))))
