"""Scenes of one count: local against central noise, asked again, and two counts that differ."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from math import ceil, sqrt
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.attacks.averaging import Averaging, error_of_average, right_by_average
from dpdesk.attacks.differencing import Differencing
from dpdesk.cost import PrivacyCost
from dpdesk.demonstrations import picture as draw
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Number,
    SceneKind,
    Shown,
    belief_number,
    counted,
    fresh_seed,
    happens,
    percent,
)
from dpdesk.demonstrations.scenes.oracles import Protection, Respondents, answers_of, mechanism_at
from dpdesk.demonstrations.texts import T
from dpdesk.designs.law import truth_at
from dpdesk.designs.warner import WarnerDesign
from dpdesk.designs.yes_no import Count
from dpdesk.engine.jobs import Tracker
from dpdesk.i18n import Text
from dpdesk.ledgers import Cap, Spent, count_half_width, counts_left, spent_in
from dpdesk.numbers.digits import significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.queries.noise import CalibratedNoise, calibrate
from dpdesk.queries.sensitivity import Sensitivity

_CURVE_POINTS = 31
_CONFIDENCE = 95
_MOST_DOTS = 400

Share = Annotated[float, Field(ge=0, le=1, description="the true share of yes, from 0 to 1")]


@lru_cache(maxsize=64)
def count_noise(epsilon: Decimal) -> CalibratedNoise:
    """Returns the noise of a count that one person moves by one."""
    return calibrate("geometric", Sensitivity.of_number(1), epsilon)


def local_error(epsilon: Decimal, people: int, share: float) -> float:
    """Returns the 95 % error of a count of the respondents by local reports, in people."""
    forecast = mechanism_at("warner", epsilon).forecast(answers_of(2))
    return normal_quantile(0.95) * people * forecast.accuracy(people, share).noise


class LocalCentral(SceneKind):
    """The error of one count against the number of people, in both models."""

    shows: ClassVar[str] = "the error of one count against the number of people, in both models"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people",
        "epsilon": "epsilon of the count, or of each answer",
        "local": "error where each answer is protected, in people",
        "central": "error where the count is protected, in people",
        "times": "how many times as large the local error is",
        "root": "the square root of the number of people",
        "local_share": "the local error as a share of all, in percentage points",
        "central_share": "the central error alike",
        "needed": "people that local answers need for that central error of the share",
        "confidence": "how often errors are no larger, in per cent",
    }

    kind: Literal["local_central"] = "local_central"
    people: Respondents
    epsilon: Protection
    share: Share = 0.3
    in_shares: Annotated[bool, Field(description="whether errors are drawn as shares")] = False
    finds_needed: Annotated[
        bool, Field(description="whether the people that local answers need are marked")
    ] = False
    most: Annotated[
        int, Field(ge=1000, le=10**9, description="right end of the axis, in people")
    ] = 1_000_000

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        local, central = self.errors(self.people)
        # The local error of a share falls with the root of the number of people.
        needed = self.people * (local / central) ** 2
        numbers = {
            "people": Number(self.people, 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "local": Number(local, 0),
            "central": Number(central, 0),
            "times": Number(local / central, 0),
            "root": Number(sqrt(self.people), 0),
            "local_share": Number(100 * local / self.people),
            "central_share": Number(100 * central / self.people),
            "needed": Number(needed, 0),
            "confidence": Number(_CONFIDENCE, 0),
        }
        curves = [*self.curves(("now", "other"))]
        # Curves that do not differ would lie upon each other.
        if before is not None and (before.epsilon, before.share) != (self.epsilon, self.share):
            curves[:0] = before.curves(("before", "before"), T.FORMERLY)
        marks = [draw.Mark(self.people, "now", T.PEOPLE(number=self.people))]
        if self.finds_needed:
            name = T.PEOPLE(number=numbers["needed"].text)
            marks.append(draw.Mark(needed, "other", name))
        x = draw.Axis("People", 100, self.most, is_logarithmic=True)
        y = (
            draw.Axis("Error of the share, 95 %", 100 / self.most, 1000, "pp", is_logarithmic=True)
            if self.in_shares
            else draw.Axis("Error of the count, 95 %", 0.5, 100_000, "people", is_logarithmic=True)
        )
        caption = T.COUNT_OF(share=percent(self.share))
        return Shown((draw.Curves(tuple(curves), tuple(marks), x, y, caption),), numbers)

    def errors(self, people: int) -> tuple[float, float]:
        """Returns the local and the central error of a count, in people."""
        # Small noise is often none at all; within one person is true then as well.
        central = max(count_noise(self.epsilon).half_width(), 1.0)
        return local_error(self.epsilon, people, self.share), central

    def curves(
        self, roles: tuple[draw.Role, draw.Role], named: Text | None = None
    ) -> tuple[draw.Curve, ...]:
        """Returns the errors in both models; the text is made of the name of each."""
        sizes = np.geomspace(100, self.most, _CURVE_POINTS).round().astype(int).tolist()
        units = [100 / size if self.in_shares else 1.0 for size in sizes]
        both = [self.errors(size) for size in sizes]
        names = [T.EACH_PROTECTED(), T.COUNT_PROTECTED()]
        if named is not None:
            names = [named(name=name) for name in names]
        return tuple(
            draw.Curve(
                tuple(map(float, sizes)),
                tuple(unit * errors[place] for unit, errors in zip(units, both, strict=True)),
                roles[place],
                names[place],
            )
            for place in (0, 1)
        )


class WithNoise(SceneKind):
    """A scene that draws the noise of a count."""

    draws: ClassVar[bool] = True

    epsilon: Protection

    def prepare(self, given: Given, tracker: Tracker) -> None:
        tracker.tick()
        count_noise(self.epsilon).draw([0])


class OneCount(WithNoise):
    """One count, drawn by both ways."""

    shows: ClassVar[str] = "one count by protected answers and by a protected count, drawn once"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people",
        "epsilon": "epsilon",
        "truth": "the true count",
        "central": "the count with noise",
        "local": "the count that is estimated from protected answers",
        "central_error": "95 % error of the former, in people",
        "local_error": "95 % error of the latter, in people",
        "confidence": "how often errors are no larger, in per cent",
    }
    kind: Literal["one_count"] = "one_count"
    people: Annotated[int, Field(ge=2, le=100_000, description="number of people")]
    share: Share = 0.3

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        truth = round(self.share * self.people)
        noise = count_noise(self.epsilon)
        central = int(noise.draw([truth])[0])
        design = WarnerDesign(p=truth_at(float(self.epsilon)))
        p = float(design.p)
        yes = int(happens(p, truth).sum()) + int(happens(1 - p, self.people - truth).sum())
        local = self.people * design.estimate((Count(yes, self.people),)).estimate
        errors = noise.half_width(), local_error(self.epsilon, self.people, self.share)
        numbers = {
            "people": Number(self.people, 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "truth": Number(truth, 0),
            "central": Number(central, 0),
            "local": Number(local, 0),
            "central_error": Number(errors[0], 0),
            "local_error": Number(errors[1], 0),
            "confidence": Number(_CONFIDENCE, 0),
        }
        unit = 100 / self.people
        bars = [draw.Bar("the truth", unit * truth, T.PEOPLE(number=truth), "truth")]
        found = (("count protected", central), ("answers protected", local))
        for (name, value), error in zip(found, errors, strict=True):
            ends = unit * (value - error), unit * (value + error)
            text = T.PEOPLE(number=Number(value, 0).text)
            bars.append(draw.Bar(name, unit * value, text, "now", *ends))
        axis = draw.Axis("Share who said yes", 0, 100, "%")
        caption = T.COUNTS_OF(people=self.people, epsilon=str(self.epsilon))
        return Shown((draw.Bars(tuple(bars), axis, caption),), numbers)


class AskedAgain(SceneKind):
    """The same noisy count asked again and again."""

    shows: ClassVar[str] = "the average of the same noisy count, asked again and again"
    numbers: ClassVar[Mapping[str, str]] = {
        "times": "how often the count is asked",
        "epsilon": "epsilon of each answer",
        "total": "epsilon of all of them together",
        "truth": "the true count",
        "first": "the first noisy answer",
        "average": "the average of all answers",
        "error_once": "root mean square error of one answer, in people",
        "error": "the same of the average, in people",
        "right_once": "chance that one answer is exactly right, in per cent",
        "right": "chance that the rounded average is exactly right, in per cent",
    }
    words: ClassVar[Mapping[str, str]] = {"of_times": "how often, such as “1 answer”"}
    draws: ClassVar[bool] = True

    kind: Literal["asked_again"] = "asked_again"
    truth: Annotated[int, Field(ge=0, le=100_000, description="the true count")]
    epsilon: Annotated[float, Field(gt=0, le=10, description="epsilon of each answer")]
    times: Annotated[int, Field(ge=1, le=10_000, description="how often it is asked")]
    most: Annotated[int, Field(ge=2, le=10_000, description="right end of the axis")] = 1000

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        attack = Averaging(epsilon=self.epsilon, times=self.times, seed=fresh_seed() >> 33)
        answers = attack.draw(self.truth)
        numbers = {
            "times": Number(self.times, 0),
            "epsilon": EpsilonNumber(self.epsilon),
            "total": EpsilonNumber(self.times * self.epsilon),
            "truth": Number(self.truth, 0),
            "first": Number(int(answers[0]), 0),
            "average": Number(float(answers.mean()), 1),
            "error_once": Number(error_of_average(self.epsilon, 1)),
            "error": Number(error_of_average(self.epsilon, self.times)),
            "right_once": belief_number(100 * right_by_average(self.epsilon, 1)),
            "right": belief_number(100 * right_by_average(self.epsilon, self.times)),
        }
        at = np.unique(np.geomspace(1, self.times, 60).round().astype(np.int64))
        running = np.cumsum(answers)[at - 1] / at
        reach = ceil(4 * error_of_average(self.epsilon, 1))
        low, high = self.truth - reach, self.truth + reach
        x = tuple(at.astype(float).tolist())
        curves = [draw.Curve(x, tuple(running.tolist()), "now", "average so far")]
        if self.times == 1:
            # One answer is a level line, so that it can be seen.
            curves = [
                draw.Curve((1.0, float(self.most)), (float(running[0]),) * 2, "now", "the answer")
            ]
        level = (float(self.truth),) * 2
        curves.append(
            draw.Curve((1.0, float(self.most)), level, "truth", T.TRUTH(share=self.truth))
        )
        marks = (draw.Mark(self.times, "other", counted(self.times, "answer")),)
        axis = draw.Axis("How often it was asked", 1, self.most, is_logarithmic=True)
        height = draw.Axis("Count", low, high, "people")
        caption = "Fresh noise each time, and the average of it."
        words = {"of_times": counted(self.times, "answer")}
        return Shown((draw.Curves(tuple(curves), marks, axis, height, caption),), numbers, words)


class LedgerPage(SceneKind):
    """What a ledger with a cap allows."""

    shows: ClassVar[str] = "the page of a ledger: what was asked before, and what a cap allows"
    numbers: ClassVar[Mapping[str, str]] = {
        "epsilon": "epsilon of each count",
        "cap": "the largest total that is allowed",
        "asked": "how often the count is asked",
        "allowed": "how often the ledger allows it",
        "total": "epsilon of those that it allows",
        "left": "the epsilon that is left",
        "error": "95 % error of one such count, in people",
        "error_all": "95 % error of one count that takes the whole cap, in people",
        "confidence": "how often errors are no larger, in per cent",
        "more": "how many more counts of that error are left",
    }

    kind: Literal["ledger"] = "ledger"
    epsilon: Protection
    cap: Annotated[Decimal, Field(gt=0, le=40, description="the largest total that is allowed")]
    asked: Annotated[int, Field(ge=1, le=12, description="how often the count is asked")]

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        cap = Cap(self.cap)
        rows: list[tuple[str, ...]] = []
        refused: set[tuple[int, int]] = set()
        allowed = 0
        for place in range(self.asked):
            after = self._spent(allowed + 1)
            fits = after.fits(cap)
            allowed += int(fits)
            total = after.epsilon if fits else self._spent(allowed).epsilon
            verdict = "answered" if fits else "refused: beyond the cap"
            rows.append(
                (f"{place + 1}", "How many said yes?", f"{self.epsilon}", f"{total}", verdict)
            )
            if not fits:
                refused.add((place, 4))
        spent = self._spent(allowed)
        left = spent.left(cap)
        rest = Decimal(0) if left is None else left.epsilon
        error = count_half_width(self.epsilon)
        numbers = {
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "cap": Number(float(self.cap)),
            "asked": Number(self.asked, 0),
            "allowed": Number(allowed, 0),
            "total": EpsilonNumber(float(spent.epsilon)),
            "left": Number(float(rest)),
            "error": Number(error, 0),
            "error_all": Number(count_half_width(self.cap), 0),
            "confidence": Number(_CONFIDENCE, 0),
            "more": Number(counts_left(rest, max(error, 1)), 0),
        }
        head = ("No.", "Question", "ε", "Sum", "Ledger")
        caption = T.LEDGER_OF(cap=str(self.cap))
        return Shown((draw.Table(head, tuple(rows), caption, frozenset(refused)),), numbers)

    def _spent(self, releases: int) -> Spent:
        cost = PrivacyCost(self.epsilon, model="central")
        return spent_in("central", (), [cost] * releases)


class TwoCounts(WithNoise):
    """Two counts that differ by one person, without and with noise."""

    shows: ClassVar[str] = "two counts that differ by one person, exact and with noise"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people",
        "epsilon": "epsilon of each count",
        "all": "the exact count of all",
        "without": "the exact count without one person",
        "difference": "the difference of these",
        "noisy_all": "the count of all with noise",
        "noisy_without": "the count without the person, with noise",
        "noisy_difference": "the difference of these two",
        "right": "how often the best guess from both noisy counts is right, in per cent",
        "guess": "how often a guess without the counts is right, in per cent",
    }
    kind: Literal["two_counts"] = "two_counts"
    people: Annotated[int, Field(ge=2, le=100_000, description="number of people")]
    count: Annotated[int, Field(ge=1, description="how many said yes, the person among them")]
    with_noise: Annotated[bool, Field(description="whether the noise is shown")] = True

    @property
    def draws_again(self) -> bool:
        return self.with_noise

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        noise = count_noise(self.epsilon)
        both = [int(noise.draw([count])[0]) for count in (self.count, self.count - 1)]
        right = Differencing.right_with_noise(1 / 2, float(self.epsilon), others_known=False)
        numbers = {
            "people": Number(self.people, 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "all": Number(self.count, 0),
            "without": Number(self.count - 1, 0),
            "difference": Number(1, 0),
            "noisy_all": Number(both[0], 0),
            "noisy_without": Number(both[1], 0),
            "noisy_difference": Number(both[0] - both[1], 0),
            "right": Number(100 * right, 1),
            "guess": Number(50, 0),
        }
        rows: list[tuple[str, ...]] = [("exact", f"{self.count:,}", f"{self.count - 1:,}", "1")]
        if self.with_noise:
            noisy = ("noisy_all", "noisy_without", "noisy_difference")
            row = T.WITH_NOISE(epsilon=significant(float(self.epsilon), 2))
            rows.append((row, *(numbers[name].text for name in noisy)))
        head = ("", "All people", "All but one person", "Difference")
        caption = "How many said yes."
        marked = frozenset({(len(rows) - 1, 3)})
        table = draw.Table(head, tuple(rows), caption, marked)
        if self.people > _MOST_DOTS:
            return Shown((table,), numbers)
        # The last of those who said yes is the one who is left out.
        said = tuple(place < self.count for place in range(self.people))
        crowd = draw.People(
            said, "The circled person is left out of the second count.", (self.count - 1,)
        )
        return Shown((crowd, table), numbers)
