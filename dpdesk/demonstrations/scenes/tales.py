"""Scenes of published mistakes: the coin that was swapped, and noise scaled by the data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import sqrt
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.attacks.findings import Findings
from dpdesk.attacks.largest_value import LargestValue
from dpdesk.attacks.swapped_coin import SwappedCoin
from dpdesk.attacks.target import Target
from dpdesk.demonstrations.picture import Axis, Bar, Bars, Curve, Curves, Mark, Role
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Number,
    OwnAxis,
    SceneKind,
    Shown,
    belief_number,
    drawn_from,
    percent,
)
from dpdesk.demonstrations.texts import T
from dpdesk.engine.jobs import Tracker
from dpdesk.numbers.digits import share_text

_PERCENT = "%"
_LEAST_CHANCE = 1e-5
_RUNS = 1000
_MOST_TIMES, _TIMES_DRAWN = 100, 25

Promised = Annotated[float, Field(ge=0.01, le=5, description="the epsilon that is promised")]


@lru_cache(maxsize=64)
def _coin(share: float, people: int, epsilon: float) -> SwappedCoin:
    return SwappedCoin(count=round(share * people), people=people, epsilon=epsilon)


@lru_cache(maxsize=64)
def _law_of(
    share: float, people: int, epsilon: float, *, swapped: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return _coin(share, people, epsilon).law(swapped=swapped)


@lru_cache(maxsize=256)
def _found(share: float, people: int, epsilon: float) -> Findings:
    return _coin(share, people, epsilon).run(SwappedCoin.example())


class Swapped(SceneKind):
    """The estimates of a published exercise, beside those of the right design."""

    shows: ClassVar[str] = "the estimates of a coin that is corrected the wrong way round"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people",
        "count": "how many would truly say yes",
        "epsilon": "the epsilon that is promised",
        "wrong": "mean of the exercise's estimates, in people",
        "right": "mean of the right design's estimates",
        "missed": "how far the former is from the truth, in people",
        "missed_share": "the same in percentage points",
        "scatter": "standard deviation of the right design's estimates, in people",
        "scatter_share": "the same in percentage points",
        "runs": "number of runs that were drawn",
        "mean_of_runs": "mean of the exercise's estimates in these runs, in people",
        "error_of_runs": "standard error of that mean",
        "actual": "the epsilon that the exercise really has",
    }
    draws: ClassVar[bool] = True

    kind: Literal["swapped_coin"] = "swapped_coin"
    people: Annotated[int, Field(ge=10, le=2000, description="number of people")] = 100
    share: Annotated[float, Field(ge=0, le=1, description="share of those who truly say yes")] = (
        0.34
    )
    epsilon: Promised = 0.5
    drawn: Annotated[bool, Field(description="whether runs are drawn as well")] = False

    @property
    def draws_again(self) -> bool:
        return self.drawn

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        coin = _coin(self.share, self.people, self.epsilon)
        figures = _found(self.share, self.people, self.epsilon).figures
        at, law = _law_of(self.share, self.people, self.epsilon, swapped=True)
        runs = at[drawn_from(law, _RUNS)]
        unit = 100 / self.people
        scatter = figures["deviation_right"]
        missed = abs(figures["expected_wrong"] - coin.count)
        numbers = {
            "people": Number(self.people, 0),
            "count": Number(coin.count, 0),
            "epsilon": EpsilonNumber(self.epsilon),
            "wrong": Number(figures["expected_wrong"], 1),
            "right": Number(figures["expected_right"], 1),
            "missed": Number(missed, 1),
            "missed_share": Number(unit * missed, 1),
            "scatter": Number(scatter, 1),
            "scatter_share": Number(unit * scatter, 1),
            "runs": Number(_RUNS, 0),
            "mean_of_runs": Number(float(runs.mean()), 1),
            "error_of_runs": Number(float(runs.std(ddof=1)) / sqrt(_RUNS)),
            "actual": Number(figures["actual_epsilon"]),
        }
        curves = [self._law("now", "the exercise", swapped=True)]
        # Over the filled curve, so that all of it is seen; it stands over the truth.
        curves.append(self._law("truth", "the right design", swapped=False))
        if before is not None:
            name = T.EXERCISE_BEFORE(number=before.people)
            curves.insert(0, before._law("before", name, swapped=True))
        marks = [Mark(unit * coin.count, "truth", T.TRUTH(share=percent(unit * coin.count / 100)))]
        if self.drawn:
            mean = unit * float(runs.mean())
            name = T.MEAN_OF_RUNS(runs=_RUNS, share=percent(mean / 100))
            marks.append(Mark(mean, "now", name))
        axis = Axis("Estimate", -40, 100, _PERCENT)
        caption = T.PROMISED(people=self.people, epsilon=f"{self.epsilon:g}")
        return Shown((Curves(tuple(curves), tuple(marks), axis, None, caption),), numbers)

    def _law(self, role: Role, name: str, *, swapped: bool) -> Curve:
        """The density of the estimates of shares, at each that has a chance to be seen."""
        at, law = _law_of(self.share, self.people, self.epsilon, swapped=swapped)
        seen = law > _LEAST_CHANCE
        x = at[seen] * 100 / self.people
        return Curve(tuple(x.tolist()), tuple((law[seen] / (x[1] - x[0])).tolist()), role, name)


class BrokenPromise(SceneKind):
    """The epsilon that the exercise has, against the one that it promises."""

    shows: ClassVar[str] = "the epsilon that the exercise really has, against the promised one"
    numbers: ClassVar[Mapping[str, str]] = {
        "epsilon": "the epsilon that is promised",
        "actual": "the epsilon that the exercise really has",
        "guess": "how often a guess from one answer is right at even odds, in per cent",
        "promised": "the most that it should be, in per cent",
    }

    kind: Literal["broken_promise"] = "broken_promise"
    epsilon: Promised = 0.5
    most: Annotated[float, Field(ge=0.1, le=5, description="right end of the axis")] = 3.0

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        found = _found(0.5, 10, self.epsilon)
        numbers = {
            "epsilon": EpsilonNumber(self.epsilon),
            "actual": Number(found.figures["actual_epsilon"]),
            "guess": Number(100 * found.success, 1),
            "promised": Number(100 * found.baseline, 1),
        }
        at = np.linspace(0.05, self.most, 60).round(6).tolist()
        actual = tuple(_found(0.5, 10, one).figures["actual_epsilon"] for one in at)
        curves = (
            Curve(tuple(at), tuple(at), "other", "promised"),
            Curve(tuple(at), actual, "now", "really"),
        )
        marks = [Mark(self.epsilon, "now", f"promised {self.epsilon:g}")]
        if before is not None:
            marks.append(Mark(before.epsilon, "before", f"formerly {before.epsilon:g}"))
        x = Axis("Epsilon that is promised", 0, self.most)
        y = Axis("Epsilon", 0, self.most)
        caption = "What one answer really gives away."
        return Shown((Curves(curves, tuple(marks), x, y, caption),), numbers)

    def prepare(self, given: Given, tracker: Tracker) -> None:
        tracker.tick()
        self.shown(given)


class ScaledByData(OwnAxis):
    """A mean whose noise is scaled by the largest value in the data."""

    shows: ClassVar[str] = "a mean whose noise is scaled by the largest value in the data"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people",
        "epsilon": "the epsilon that is promised",
        "scale": "the scale of the noise, in the unit of the incomes",
        "largest": "scale times people times epsilon: somebody's income",
        "told": "how often one noisy mean tells whether that person took part, in per cent",
        "by_scale": "how often the scale tells it, in per cent",
        "promised": "the most that was promised, in per cent",
        "declared": "how often it is told with a declared bound, in per cent",
        "later": "how many times the largest value the next person's is",
        "loss": "epsilon that is really lost then",
    }

    kind: Literal["scaled_by_data"] = "scaled_by_data"
    epsilon: Promised = 1.0
    later: Annotated[float, Field(ge=1, le=1000, description="the next person's value")] = 10.0
    least: float = -2000
    largest: float = 7000
    look: Annotated[
        Literal["laws", "later", "guesses"],
        Field(description="what is drawn: both laws, the loss by the next value, or the guesses"),
    ] = "laws"

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        attack = LargestValue(epsilon=self.epsilon, later=self.later)
        target = _incomes()
        found = attack.run(target)
        figures, rows = found.figures, target.table.rows
        declared = found.remedies[0].success or 0.0
        numbers = {
            "people": Number(rows, 0),
            "epsilon": EpsilonNumber(self.epsilon),
            "scale": Number(figures["scale"], 0),
            "largest": Number(figures["scale"] * rows * self.epsilon, 0),
            "told": belief_number(100 * figures["told_from_one_mean"]),
            "by_scale": belief_number(100 * found.success),
            "promised": Number(100 * figures["promised"], 1),
            "declared": Number(100 * declared, 1),
            "later": Number(self.later),
            "loss": Number(figures["loss_with_larger_value"]),
        }
        if self.look == "later":
            return Shown((self._losses(),), numbers)
        if self.look == "guesses":
            return Shown((self._guesses(figures, found.success, declared),), numbers)
        picture = found.picture
        names = ("with the largest income", "with the second largest in its place")
        roles: tuple[Role, Role] = ("now", "other")
        curves = tuple(
            Curve(picture.x, series.y, role, name)
            for series, role, name in zip(picture.series, roles, names, strict=True)
        )
        axis = Axis("Noisy mean income", self.least, self.largest)
        caption = "Both laws differ in place and in width: the width is one person's income."
        return Shown((Curves(curves, (), axis, None, caption),), numbers)

    def _losses(self) -> Curves:
        """The loss by how many times the largest value the next person's is."""
        at = tuple(np.geomspace(1, _MOST_TIMES, _TIMES_DRAWN).tolist())
        lost = tuple(_loss(self.epsilon, later) for later in at)
        promised = (self.epsilon,) * 2
        curves = (
            Curve((at[0], at[-1]), promised, "other", "promised"),
            Curve(at, lost, "now", "lost"),
        )
        mark = Mark(self.later, "now", T.TIMES_LARGEST(factor=f"{self.later:g}"))
        x = Axis("The next income, in largest incomes so far", 1, _MOST_TIMES, is_logarithmic=True)
        y = Axis("Epsilon", 0.5, 2 * _MOST_TIMES, is_logarithmic=True)
        caption = "What the next person loses, and what was promised to everybody."
        return Curves(curves, (mark,), x, y, caption)

    @staticmethod
    def _guesses(figures: Mapping[str, float], by_scale: float, declared: float) -> Bars:
        told: tuple[tuple[str, float, Role], ...] = (
            ("by the scale of the noise", by_scale, "now"),
            ("by one noisy mean", figures["told_from_one_mean"], "now"),
            ("what was promised", figures["promised"], "truth"),
            ("with a declared bound", declared, "other"),
        )
        bars = tuple(Bar(name, 100 * share, share_text(share), role) for name, share, role in told)
        axis = Axis("Guess whether the richest took part is right", 0, 100, _PERCENT)
        return Bars(bars, axis, "A blind guess is right every other time.")


@lru_cache(maxsize=256)
def _loss(epsilon: float, later: float) -> float:
    attack = LargestValue(epsilon=epsilon, later=later)
    return attack.run(_incomes()).figures["loss_with_larger_value"]


@lru_cache(maxsize=1)
def _incomes() -> Target:
    return LargestValue.example()
