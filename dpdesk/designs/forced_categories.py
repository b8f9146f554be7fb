"""Forced response with several answers: the device may order any of them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil, exp
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.designs.base import divided_near, possible
from dpdesk.designs.devices import Chances, Device, DeviceChoice, Picture
from dpdesk.designs.instructions import Way, drawn, if_outcome, sentence
from dpdesk.designs.law import DIGITS, plan_epsilon
from dpdesk.designs.matrix_categories import CategoryDesign, CategoryInstruction, asked_among
from dpdesk.designs.probability import Probability, probability_text
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, in_a_row
from dpdesk.numbers.arrays import Floats

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism


class ForcedCategories(CategoryDesign):
    """Forced response with several answers; otherwise respondents tell the truth.

    Epsilon is ln(1 + t / least order), with t the chance of the truth.
    """

    title = N_("Forced response, several answers")
    summary = N_(
        "The device orders, unseen, one of the answers, or else to answer the question truthfully."
    )
    reference = "Boruch 1971, American Sociologist 6, 308-311"

    often_compared: ClassVar[tuple[str, ...]] = ("forced_categories",)

    kind: Literal["forced_categories"] = "forced_categories"
    orders: Annotated[
        tuple[Probability, ...],
        Field(min_length=2, max_length=50, description="chance of each order, one per answer"),
    ]

    @property
    def doing(self) -> str:
        truth = probability_text(1 - sum(self.orders, Fraction(0)))
        return in_a_row((super().doing, T.TRUTH_CHANCE(chance=truth)))

    def _in_plan(self) -> tuple[Mechanism, str]:
        from dpdesk.mechanisms.direct_encoding import Grr

        # With equal orders the law is that of GRR: the truth, or any answer with equal chance.
        if len(set(self.orders)) > 1:
            return super()._in_plan()
        ratio = 1 + (1 - self.orders[0] * len(self.orders)) / self.orders[0]
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        return Grr(epsilon=plan_epsilon(exact)), T.PROGRAM_DRAWS()

    @property
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        truth = self._truth
        size = range(len(self.orders))
        return tuple(tuple(self.orders[j] + (truth if i == j else 0) for j in size) for i in size)

    @property
    def size(self) -> int:
        return len(self.orders)

    @property
    def unmixing(self) -> Floats:
        orders, truth = self._floats
        return np.asarray((np.eye(len(orders)) - orders[:, np.newaxis]) / truth)

    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        # An answer is said with chance l = t pi + f, and its share is (l^ - f) / t.
        orders, truth = self._floats
        said, sampling = truth * shares + orders, shares * (1 - shares)
        return sampling, np.maximum(said * (1 - said) / truth**2 - sampling, 0.0)

    @property
    def _floats(self) -> tuple[Floats, float]:
        return np.array([float(order) for order in self.orders]), float(self._truth)

    @property
    def _truth(self) -> Fraction:
        """The chance of the truth, which is what the orders leave."""
        truth = 1 - sum(self.orders, Fraction(0))
        if truth <= 0:
            raise ParameterError(T.ALWAYS_ORDERED())
        return truth

    @classmethod
    def for_answers(cls, answers: int) -> Self:
        return cls(orders=(Fraction(1, 2 * answers),) * answers)

    def resized(self, answers: int, removed: int | None = None) -> Self:
        orders, ordered = list(self.orders), sum(self.orders, Fraction(0))
        if removed is None:
            orders += [ordered / len(orders)] * (answers - len(orders))
        else:
            del orders[removed]
        left = sum(orders, Fraction(0))
        if not left:
            return self.for_answers(answers)
        return self.model_copy(update={"orders": tuple(ordered * order / left for order in orders)})

    @property
    def epsilon_decides(self) -> bool:
        return min(self.orders) > 0

    def _at(self, epsilon: float) -> Self:
        """Solves e^epsilon = 1 + t / ((1 - t) r) for the truth's chance t; r is the least part."""
        ordered = sum(self.orders, Fraction(0))
        least = float(min(self.orders) / ordered)
        gain = (exp(epsilon) - 1) * least
        # Rounded down: less truth is less loss.
        truth = Fraction(int(DIGITS * gain / (1 + gain)), DIGITS)
        if truth <= 0:
            raise ParameterError(T.SMALL_EPSILON())
        # Decimals that one can read and type; rounded up, which is less truth and so less loss.
        orders = tuple(
            Fraction(ceil(DIGITS * (1 - truth) * order / ordered), DIGITS) for order in self.orders
        )
        if sum(orders) >= 1:
            raise ParameterError(T.SMALL_EPSILON())
        return self.model_copy(update={"orders": orders})

    @property
    def splits(self) -> tuple[Chances, ...]:
        return (possible((*self.orders, self._truth)),)

    def buildable(self, device: Device) -> Iterator[Self]:
        count = len(self.orders)
        if len(set(self.orders)) == 1:
            for order in device.near(self.orders[0]):
                if count * order < 1:
                    yield self.model_copy(update={"orders": (order,) * count})
            return
        for chances in divided_near(device, (*self.orders, self._truth)):
            yield self.model_copy(update={"orders": chances[:-1]})

    def _instruction(
        self, question: str, words: tuple[str, ...], choice: DeviceChoice
    ) -> CategoryInstruction:
        truth = self._truth
        kept = [(n, chance) for n, chance in enumerate(self.orders, start=1) if chance]
        draw = choice.among([chance for _, chance in kept] + [truth])
        *orders, free = draw.outcomes
        say_truth = T.SAY_TRUTH()
        steps = draw.first_step
        steps += [
            if_outcome(outcome, chance, T.SAY_QUOTED_ANYWAY(answer=words[n - 1]))
            for (n, chance), outcome in zip(kept, orders, strict=True)
        ]
        steps.append(if_outcome(free, truth, say_truth) if draw.use else sentence(say_truth))
        forced = tuple(
            Way(chance, outcome, str(n)) for (n, chance), outcome in zip(kept, orders, strict=True)
        )
        ways = tuple((*forced, Way(truth, free, str(n + 1))) for n in range(len(words)))
        labels = (*(T.SAY_QUOTED(answer=words[n - 1]) for n, _ in kept), say_truth)
        return CategoryInstruction(
            "",
            draw.tool,
            asked_among(question, words),
            tuple(steps),
            T.REASON(),
            ways,
            words,
            pictures=drawn([Picture(draw, labels)]),
        )
