"""Forced response with several answers: the device may order any of them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil, exp
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.designs.base import Phrase, divided_near, possible
from dpdesk.designs.devices import UNSEEN, Chances, Device, DeviceChoice, Picture
from dpdesk.designs.instructions import REASON, Way, drawn, if_outcome
from dpdesk.designs.law import DIGITS, epsilon_too_small, plan_epsilon
from dpdesk.designs.matrix_categories import CategoryDesign, CategoryInstruction, asked_among
from dpdesk.designs.probability import Probability
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism

_SAY_TRUTH = "say your true answer"


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
    def doing(self) -> Phrase:
        truth = 1 - sum(self.orders, Fraction(0))
        words = N_("{summary} The truth has chance {truth}.")
        return words, {"summary": self.summary, "truth": truth}

    def _in_plan(self) -> tuple[Mechanism, str]:
        """With equal orders the law is that of GRR: the truth, or any answer with equal chance."""
        from dpdesk.mechanisms.direct_encoding import Grr

        if len(set(self.orders)) > 1:
            return super()._in_plan()
        ratio = 1 + (1 - self.orders[0] * len(self.orders)) / self.orders[0]
        exact = (Decimal(ratio.numerator) / Decimal(ratio.denominator)).ln()
        return Grr(epsilon=plan_epsilon(exact)), N_(
            "A program draws what the device would have drawn."
        )

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
        """Returns n times the variance of each share: the sampling's part and the device's.

        An answer is said with chance l = t pi + f, and its share is (l^ - f) / t.

        Args:
            shares: The true shares, shape (m,).
        """
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
            raise ParameterError(
                "The device always orders an answer, so that nobody tells the truth.",
                remedy="Choose chances that sum to less than 1.",
            )
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
            raise epsilon_too_small()
        # Decimals that one can read and type; rounded up, which is less truth and so less loss.
        orders = tuple(
            Fraction(ceil(DIGITS * (1 - truth) * order / ordered), DIGITS) for order in self.orders
        )
        if sum(orders) >= 1:
            raise epsilon_too_small()
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
        """The order, or the truth."""
        truth = self._truth
        kept = [(n, chance) for n, chance in enumerate(self.orders, start=1) if chance]
        draw = choice.among([chance for _, chance in kept] + [truth])
        *orders, free = draw.outcomes
        steps = [f"{draw.use}, {UNSEEN}."] if draw.use else []
        steps += [
            if_outcome(outcome, chance, f"say “{words[n - 1]}”, whatever your true answer is")
            for (n, chance), outcome in zip(kept, orders, strict=True)
        ]
        steps.append(if_outcome(free, truth, _SAY_TRUTH) if draw.use else "Say your true answer.")
        forced = tuple(
            Way(chance, outcome, str(n)) for (n, chance), outcome in zip(kept, orders, strict=True)
        )
        ways = tuple((*forced, Way(truth, free, str(n + 1))) for n in range(len(words)))
        labels = (*(f"say “{words[n - 1]}”" for n, _ in kept), _SAY_TRUTH)
        return CategoryInstruction(
            "",
            draw.tool,
            asked_among(question, words),
            tuple(steps),
            REASON,
            ways,
            words,
            pictures=drawn([Picture(draw, labels)]),
        )
