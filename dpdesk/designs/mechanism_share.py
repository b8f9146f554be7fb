"""A question with several answers under one of the mechanisms for categories, seen from one answer.

A report supports the respondent's own answer with probability p and any other one with q (Wang et
al. 2017), so that the share of one answer is estimated as in any design with two chances of "yes".
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.cost import EPSILON_MIN, Epsilon
from dpdesk.designs.base import Departure, Quantity
from dpdesk.designs.behaviour import Evasion, entered
from dpdesk.designs.devices import DeviceChoice, Sketch
from dpdesk.designs.instructions import Procedure, Way
from dpdesk.designs.law import (
    DIGITS,
    LARGEST_EPSILON,
    Group,
    binary_group,
    truth_at,
)
from dpdesk.designs.sample_groups import OneSampleDesign
from dpdesk.designs.several_answers import Program, Reports, SeveralDesign
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, translated
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.arrays import Floats

if TYPE_CHECKING:
    from dpdesk.domains import Categorical
    from dpdesk.mechanisms import Mechanism

CategoryMechanism = Literal["grr", "sue", "oue", "subset_selection", "blh", "olh", "hadamard"]

_FOR_IT, _NOT_FOR_IT = "1 report for it", "0 reports for it"
_STATES = ("has this answer", "has another answer")


class MechanismShare(OneSampleDesign, SeveralDesign):
    """A question with several answers, asked by a program; or the share of one answer."""

    title = N_("Mechanism for several answers")
    summary = N_(
        "The respondent's own device draws a report from the true one of several answers, with a "
        "mechanism for categories; the share of one answer is estimated."
    )
    reference = "Wang, Blocki, Li & Jha 2017, USENIX Security, 729-745"

    quantity: ClassVar[Quantity] = "shares"
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")
    by_program: ClassVar[bool] = True
    no_device: ClassVar[str] = N_("A program draws the report: respondents hold no device.")
    often_compared: ClassVar[tuple[str, ...]] = ("grr", "oue")

    kind: Literal["mechanism"] = "mechanism"
    mechanism: Annotated[CategoryMechanism, Field(description="the mechanism")] = "grr"
    categories: Annotated[
        int, Field(ge=2, le=1000, description="number of answers"), PlainDigits
    ] = 5
    epsilon: Annotated[Epsilon, Field(description="the epsilon of one respondent's report")] = (
        Decimal(1)
    )

    @classmethod
    def variants(cls) -> tuple[Self, ...]:
        return tuple(cls(mechanism=word) for word in get_args(CategoryMechanism))

    @property
    def word(self) -> str:
        return self.mechanism

    @property
    def list_name(self) -> str:
        return T.BY_PROGRAM(mechanism=self.program.mechanism.short)

    @property
    def doing(self) -> str:
        return translated(self.program.mechanism.summary)

    def _in_plan(self) -> tuple[Mechanism, str]:
        return self.program.mechanism, ""

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return _chances(self.mechanism, self.categories, self.epsilon)

    @property
    def groups(self) -> tuple[Group, ...]:
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
        p, q = self.chances
        binary_group(p, q)
        # A respondent who answers at random gives each answer with the same chance.
        blind = (p + (self.categories - 1) * q) / self.categories
        answers = (_FOR_IT, _NOT_FOR_IT)
        return (Group("", _STATES, answers, ((p, 1 - p), (q, 1 - q)), (blind, 1 - blind)),)

    @classmethod
    def for_answers(cls, answers: int) -> Self:
        return cls(categories=answers)

    def usual_for(self, answers: int) -> Self:
        return self.resized(answers)

    def resized(self, answers: int, removed: int | None = None) -> Self:
        return self.model_copy(update={"categories": answers})

    @property
    def size(self) -> int:
        return self.categories

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        truth_at(epsilon)  # refuses one at which nothing is told
        whole = Decimal(int(min(epsilon, LARGEST_EPSILON) * DIGITS)) / DIGITS
        if whole < EPSILON_MIN:
            raise ParameterError(T.SMALL_EPSILON())
        return self.model_copy(update={"epsilon": whole})

    @property
    def program(self) -> Program:
        p, q = map(float, self.chances)
        return Program(_mechanism(self.mechanism, self.epsilon), p, q)

    @property
    def reports(self) -> Reports:
        # Of a set, the report of a member is p (1 - q) / ((1 - p) q) = e^epsilon times as likely
        # (Wang et al. 2017).
        p, q = map(float, self.chances)
        alone = self._of_one
        other, own = (q, p) if alone else (1.0, float(np.exp(self.loss.epsilon)))
        law = np.full((self.size, self.size), other)
        np.fill_diagonal(law, own)
        return Reports(law, alone)

    @property
    def _of_one(self) -> bool:
        """Whether every report is for one answer: so it is with GRR, and with subsets of one."""
        p, q = self.chances
        members = float(p + (self.categories - 1) * q)
        return self.mechanism in ("grr", "subset_selection") and round(members) == 1

    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        planned = [self.planned_variance(share) for share in shares.tolist()]
        return (
            np.array([part.sampling for part in planned]),
            np.maximum([part.privacy for part in planned], 0.0),
        )

    def scores(self, answer: int) -> Floats:
        p, q = map(float, self.chances)
        return np.array([1 - q, -q]) / (p - q)

    def moments_of_shares(self, shares: Floats, evasion: Evasion) -> tuple[Floats, Floats]:
        p, q = map(float, self.chances)
        supported = q + (p - q) * entered(shares, evasion)
        return (supported - q) / (p - q), supported * (1 - supported) / (p - q) ** 2

    def estimates_of_shares(
        self, counts: NDArray[np.int64] | Floats, respondents: int, confidence: float
    ) -> tuple[Floats, Floats, Floats]:
        totals = np.asarray(counts, dtype=np.float64)[..., np.newaxis]
        found = self.estimates(totals, (respondents,), confidence)
        return found.estimate, found.lower, found.upper

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        from dpdesk.mechanisms import mechanism_named

        p, q = self.chances
        name = mechanism_named(self.mechanism).title
        steps = (
            T.ENTER_ANSWER(answers=self.categories),
            T.SEND_REPORT(mechanism=translated(name), epsilon=str(self.epsilon)),
        )
        carrier, other = (
            (Way(chance, T.SUPPORTS(), _FOR_IT), Way(1 - chance, T.SUPPORTS_NOT(), _NOT_FOR_IT))
            for chance in (p, q)
        )
        return (
            Procedure(
                "",
                T.PROGRAM_TOOL(),
                (("", question),),
                steps,
                T.PROGRAM_REASON(),
                carrier,
                other,
                {_FOR_IT: T.REPORT_FOR(), _NOT_FOR_IT: T.NO_REPORT_FOR()},
                sketched=Sketch((((T.YOUR_ANSWER(), T.PROGRAM(), T.CHANCE()), T.REPORT_SENT()),)),
            ),
        )

    def _both(self, p: Fraction, q: Fraction) -> Fraction:
        """The chance that a report supports the respondent's own answer and a given other."""
        if self.mechanism == "grr":
            return Fraction(0)
        if self.mechanism == "subset_selection":
            # The respondent's own answer is in the set with chance p; the other members are equally
            # likely.
            members = p + (self.categories - 1) * q
            return p * (members - 1) / (self.categories - 1)
        return p * q


@lru_cache(maxsize=256)
def _chances(kind: str, categories: int, epsilon: Decimal) -> tuple[Fraction, Fraction]:
    from dpdesk.mechanisms.frequency_oracle import FrequencyForecast

    mechanism = _mechanism(kind, epsilon)
    domain = _domain(categories)
    reason = mechanism.objection(domain)
    if reason is not None:
        raise ParameterError(reason, remedy=T.OTHER_MECHANISM())
    forecast = mechanism.forecast(domain)
    assert isinstance(forecast, FrequencyForecast)  # noqa: S101 - of all these mechanisms
    return Fraction(forecast.p), Fraction(forecast.q)


def _mechanism(kind: str, epsilon: Decimal) -> Mechanism:
    # Imported here, since every command that names a design loads this file, and few use a
    # mechanism.
    from dpdesk.mechanisms import mechanism_named

    return mechanism_named(kind)(epsilon=epsilon)  # type: ignore[call-arg]


@lru_cache(maxsize=8)
def _domain(categories: int) -> Categorical:
    """Any domain of this size: the answers' names do not matter."""
    from dpdesk.domains import Categorical

    return Categorical(values=tuple(map(str, range(1, categories + 1))))
