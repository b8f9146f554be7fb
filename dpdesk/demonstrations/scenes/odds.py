"""Scenes of epsilon: how far answers can move what somebody believes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from math import exp
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.cost import PrivacyCost, total_cost
from dpdesk.demonstrations import picture as draw
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Number,
    SceneKind,
    Shown,
    belief_number,
    counted,
    percent,
)
from dpdesk.demonstrations.texts import T
from dpdesk.preview.figures import belief_view

_HUNDRED = 100
_PERCENT = "%"


class Odds(SceneKind):
    """The most that answers of some epsilon can make of a belief."""

    shows: ClassVar[str] = "the most that answers of some epsilon can make of a belief"
    numbers: ClassVar[Mapping[str, str]] = {
        "epsilon": "epsilon of one answer",
        "answers": "number of answers of one person",
        "total": "epsilon of all of them together",
        "odds": "factor by which the odds can move at most",
        "prior": "belief before, in per cent",
        "raised": "the most that it can become, in per cent",
        "lowered": "the least, in per cent",
        "odds_for": "the odds before: so many to `odds_against`",
        "odds_against": "the other side of the odds; one of both is 1 before",
        "odds_after": "the odds afterwards at most: so many to `odds_against`",
        "dots_before": "of 100 people as suspicious as this one, how many did it",
        "dots_after": "of 100 of them whose answers point most to it, how many did it",
        "of_all": "100, of how many the dots are",
    }
    words: ClassVar[Mapping[str, str]] = {"of_answers": "the answers, such as “1 answer”"}

    kind: Literal["odds"] = "odds"
    epsilon: Annotated[Decimal, Field(gt=0, le=20, description="epsilon of one answer")]
    prior: Annotated[float, Field(gt=0, lt=1, description="the belief before, from 0 to 1")]
    answers: Annotated[int, Field(ge=1, le=50, description="answers of the same person")] = 1
    crowd: Annotated[bool, Field(description="whether 100 people are drawn beside")] = True
    in_odds: Annotated[bool, Field(description="whether odds are drawn, not per cent")] = False

    @property
    def total(self) -> float:
        """The epsilon of all answers."""
        one = PrivacyCost(self.epsilon)
        return float(total_cost([one] * self.answers).epsilon)

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        view = belief_view(self.total, self.prior)
        odds = self.prior / (1 - self.prior)
        numbers = {
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "answers": Number(self.answers, 0),
            "total": EpsilonNumber(self.total),
            "odds": Number(exp(self.total)),
            "prior": Number(100 * self.prior),
            "raised": belief_number(100 * view.raised),
            "lowered": belief_number(100 * view.lowered),
            "odds_for": Number(max(odds, 1.0)),
            "odds_against": Number(max(1 / odds, 1.0)),
            "odds_after": Number(max(odds, 1.0) * exp(self.total)),
            "dots_before": Number(view.dots_before, 0),
            "dots_after": Number(view.dots_after, 0),
            "of_all": Number(_HUNDRED, 0),
        }
        curves = [*self.curves("now", f"ε = {EpsilonNumber(self.total).text}")]
        # A ghost of the same epsilon would lie below the curves.
        if before is not None and before.total != self.total:
            curves[:0] = before.curves("before", f"ε = {Number(before.total).text}")
        name = T.BELIEVED_BEFORE(share=percent(self.prior))
        marks = (draw.Mark(100 * self.prior, "now", name),)
        x = draw.Axis("Belief before", 0, 100, _PERCENT)
        y = draw.Axis("Belief afterwards", 0, 100, _PERCENT)
        caption = "Between the two curves lies every belief that answers can lead to."
        picture = draw.Curves(tuple(curves), marks, x, y, caption)
        words = {"of_answers": counted(self.answers, "answer")}
        if self.in_odds:
            return Shown((self._bars(numbers),), numbers, words)
        if not self.crowd:
            return Shown((picture,), numbers, words)
        dots = tuple(place < view.dots_after for place in range(_HUNDRED))
        people = draw.People(dots, T.CROWD_AFTER(number=numbers["raised"].text))
        return Shown((people, picture), numbers, words)

    def _bars(self, numbers: Mapping[str, Number]) -> draw.Bars:
        """The odds before, and the least and the largest afterwards, along an axis of factors."""
        against, factor = numbers["odds_against"].value, numbers["odds"].value
        before = numbers["odds_for"].value
        # The least odds are written so that the smaller side is 1.
        least = max(before / factor, 1.0), max(against, 1.0) * max(factor / before, 1.0)
        told: tuple[tuple[str, tuple[float, float], draw.Role], ...] = (
            ("before", (before, against), "truth"),
            ("afterwards, at most", (before * factor, against), "now"),
            ("afterwards, at least", least, "now"),
        )
        bars = tuple(
            draw.Bar(name, one / other, f"{Number(one).text} to {Number(other).text}", role)
            for name, (one, other), role in told
        )
        axis = draw.Axis("Odds, to one", 0.01, 100, is_logarithmic=True)
        return draw.Bars(bars, axis, "Equal steps along this axis are equal factors.")

    def curves(self, role: draw.Role, name: str) -> tuple[draw.Curve, ...]:
        """Returns the highest and the lowest belief."""
        view = belief_view(self.total, self.prior)
        priors = tuple((100 * view.priors).tolist())
        # The second has no name: it belongs to the first.
        return tuple(
            draw.Curve(priors, tuple((100 * ends).tolist()), role, named)
            for ends, named in ((view.highest, name), (view.lowest, ""))
        )
