"""Scenes of how estimates scatter: many surveys at once, error against people, and the room."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.demonstrations.picture import Axis, Bar, Bars, Curve, Curves, Mark, People, Role
from dpdesk.demonstrations.scene import Given, Number, Shown, Tallies, fresh_seed
from dpdesk.demonstrations.scenes.surveys import AboutDesign, Asked, Survey, TruePart
from dpdesk.designs import Count
from dpdesk.designs.behaviour import answer_laws
from dpdesk.designs.planning import Sample, Share
from dpdesk.engine.simulate.surveys import simulate_surveys
from dpdesk.numbers.digits import significant
from dpdesk.preview.survey import SupposedShare, theory_curve

_PERCENT = "%"
_POINTS = 201
_CURVE_POINTS = 41


class ManySurveys(Survey):
    """The same survey held many times over."""

    shows: ClassVar[str] = "the same survey held many times over, beside what theory expects"
    numbers: ClassVar[Mapping[str, str]] = {
        "surveys": "number of surveys",
        "people": "number of people asked in each",
        "truth": "the true share, in per cent",
        "mean": "mean of the estimates, in per cent",
        "planned": "half-width of the 95 % interval as it is planned, in percentage points",
        "near": "share of the estimates within that of the truth, in per cent",
        "covered": "share of the surveys whose own interval holds the truth, in per cent",
        "promised": "the share of intervals that should hold it, in per cent",
    }

    kind: Literal["many_surveys"] = "many_surveys"  # type: ignore[assignment]
    surveys: Annotated[int, Field(ge=10, le=2000, description="number of surveys")] = 400

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        """Draws all surveys."""
        supposed = self.supposed
        outcomes = simulate_surveys(supposed.held, self.surveys, fresh_seed())
        margin = supposed.margin
        near = np.abs(outcomes.estimates - self.share) <= margin
        numbers = {
            "surveys": Number(self.surveys, 0),
            "people": Number(self.people, 0),
            "truth": Number(100 * self.share),
            "mean": Number(100 * outcomes.mean, 1),
            "planned": Number(100 * margin, 1),
            "near": Number(100 * float(near.mean()), 0),
            "covered": Number(100 * outcomes.coverage, 0),
            "promised": Number(100 * supposed.confidence),
        }
        edges = np.linspace(self.least, self.largest, round(self.largest - self.least) + 1)
        counts, _ = np.histogram(100 * outcomes.estimates, edges)
        # A flat top above each part of the axis, as long as the part.
        x, y = np.repeat(edges, 2)[1:-1], np.repeat(counts, 2)
        drawn = Curve(tuple(x.tolist()), tuple(y.tolist()), "now", "these surveys")
        at = np.linspace(self.least, self.largest, _POINTS)
        width = float(edges[1] - edges[0])
        expected = theory_curve(supposed.shown_theory, at, width, self.surveys)
        theory = Curve(tuple(at.tolist()), tuple(expected.tolist()), "other", "expected")
        curves = [drawn, theory]
        if before is not None and before != self:
            former = theory_curve(before.supposed.shown_theory, at, width, self.surveys)
            name = f"before: {before.people:,} people"
            curves.insert(0, Curve(theory.x, tuple(former.tolist()), "before", name))
        mark = Mark(100 * self.share, "truth", f"truth {significant(100 * self.share, 3)} %")
        axis = Axis("Estimate", self.least, self.largest, _PERCENT)
        caption = f"The estimates of {self.surveys:,} surveys of {self.people:,} people each."
        return Shown((Curves(tuple(curves), (mark,), axis, None, caption),), numbers)


class ErrorByPeople(AboutDesign):
    """The error against the number of people, directly asked and protected."""

    shows: ClassVar[str] = "the error against the number of people, with and without the device"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people asked",
        "margin": "half-width of the 95 % interval with the device, in percentage points",
        "direct": "the same with a direct question, answered truthfully",
        "times": "how many times as many people the ghost, or the next step, has",
        "margin_then": "the margin with so many times as many people",
        "shrinks": "how many times smaller that margin is",
        "left": "what is left of the margin then, in per cent",
        "factor": "how many times as many people the device needs for the same margin",
    }

    kind: Literal["error_by_people"] = "error_by_people"
    share: TruePart
    people: Asked
    times: Annotated[float, Field(gt=1, description="a step to so many times as many people")] = 4
    fewest: Annotated[int, Field(ge=2, description="left end of the axis")] = 25
    most: Annotated[int, Field(ge=3, description="right end of the axis")] = 25_000

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        """Plans samples of all sizes."""
        sample = Sample(self.asked_by, Share(self.share), self.people)
        then = sample.of(round(self.times * self.people))
        numbers = {
            "people": Number(self.people, 0),
            "margin": Number(100 * sample.margin, 1),
            "direct": Number(100 * sample.direct_margin, 1),
            "times": Number(self.times),
            "margin_then": Number(100 * then.margin, 1),
            "shrinks": Number(sample.margin / then.margin),
            "left": Number(100 * then.margin / sample.margin),
            "factor": Number(sample.design_effect, 1),
        }
        curves = [
            self.curve("other", "direct question", is_direct=True),
            self.curve("now", "with the device"),
        ]
        if before is not None and before != self:
            curves.insert(0, before.curve("before", "before"))
        marks = [Mark(self.people, "now", f"{self.people:,} people")]
        if before is not None and before.people != self.people:
            marks.append(Mark(before.people, "before", f"before: {before.people:,}"))
        x = Axis("People asked", self.fewest, self.most, is_logarithmic=True)
        y = Axis("Give or take", 0.2, 100, "pp", is_logarithmic=True)
        caption = "The error falls with the root of the number of people."
        return Shown((Curves(tuple(curves), tuple(marks), x, y, caption),), numbers)

    def curve(self, role: Role, name: str, *, is_direct: bool = False) -> Curve:
        """Returns the margin against the number of people."""
        sizes = np.geomspace(self.fewest, self.most, _CURVE_POINTS).round().astype(int).tolist()
        sample = Sample(self.asked_by, Share(self.share), 2)
        plans = [sample.of(size) for size in sizes]
        margins = [100 * (one.direct_margin if is_direct else one.margin) for one in plans]
        return Curve(tuple(map(float, sizes)), tuple(margins), role, name)


class Room(AboutDesign):
    """The answers of the room, beside what simulations expect."""

    shows: ClassVar[str] = "the answers of the room, and the estimate from them with its interval"
    numbers: ClassVar[Mapping[str, str]] = {
        "asked": "number of people who answered",
        "yes": "how many of them said yes",
        "yes_share": "the same, in per cent",
        "never": "share of yes if nobody does it, in per cent",
        "gap": "how much that share grows if everybody does it, in percentage points",
        "estimate": "the estimate, in per cent",
        "possible": "the estimate, moved between 0 and 100 %",
        "lower": "lower end of its 95 % interval, in per cent",
        "upper": "upper end, in per cent",
        "margin": "half of the width of the interval, in percentage points",
        "expected": "how many would say yes at the supposed share",
        "scatter": "half-width of where 95 % of such counts lie",
        "supposed": "the supposed share, in per cent",
        "direct": "margin of a direct question to as many people, answered truthfully, in pp",
        "times_more": "how many such rooms make the interval half as wide",
        "margin_more": "margin if so many rooms answered, in percentage points",
    }
    words: ClassVar[Mapping[str, str]] = {
        "source": "“supposed” or “answers of the room”, whatever the numbers come from",
    }
    takes_tallies: ClassVar[bool] = True

    kind: Literal["room"] = "room"
    share: Annotated[
        float, Field(ge=0, le=1, description="share supposed until answers are typed in")
    ] = 0.3
    people: Annotated[Asked, Field(description="people supposed until then")] = 24
    shows_law: Annotated[bool, Field(description="whether simulated surveys are drawn")] = True
    rooms: Annotated[int, Field(ge=2, description="for “if so many rooms answered”")] = 4

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        """Estimates from the tallies, or from what is expected before there are any."""
        design = self.asked_by
        (law,) = answer_laws(design, self.share, SupposedShare(design, self.share, 2).behaviour)
        typed = given.tallies
        room = self._supposed(law.mean) if typed is None else typed.checked()
        found = design.estimate((Count(room.yes, room.asked),))
        a, b = self.chances
        half = (found.upper - found.lower) / 2
        z = Sample(design, Share(self.share), 2).quantile
        plan = Sample(design, Share(found.truncated), room.asked)
        numbers = {
            "asked": Number(room.asked, 0),
            "yes": Number(room.yes, 0),
            "yes_share": Number(100 * room.yes / room.asked, 1),
            "never": Number(100 * b),
            "gap": Number(100 * (a - b)),
            "estimate": Number(100 * found.estimate, 1),
            "possible": Number(100 * found.truncated, 0),
            "lower": Number(100 * max(found.lower, 0.0), 0),
            "upper": Number(100 * min(found.upper, 1.0), 0),
            "margin": Number(100 * half, 0),
            "expected": Number(law.mean * room.asked, 1),
            "scatter": Number(z * sqrt(law.variance * room.asked), 1),
            "supposed": Number(100 * self.share),
            "direct": Number(100 * plan.direct_margin, 0),
            "times_more": Number(self.rooms, 0),
            "margin_more": Number(100 * plan.of(self.rooms * room.asked).margin, 0),
        }
        said = tuple(place < room.yes for place in range(room.asked))
        words = {"source": "supposed" if typed is None else "the room"}
        caption = f"{room.yes:,} of {room.asked:,} said yes ({words['source']})."
        # The order of the answers says nothing: those who said yes stand first.
        crowd = People(said, caption)
        second = self._law(room, found.estimate) if self.shows_law else self._interval(numbers)
        return Shown((crowd, second), numbers, words)

    def _supposed(self, mean: float) -> Tallies:
        return Tallies(round(mean * self.people), self.people)

    def _law(self, room: Tallies, estimate: float) -> Curves:
        held = SupposedShare(self.asked_by, self.share, room.asked).held
        outcomes = simulate_surveys(held, 2000, fresh_seed())
        edges = np.linspace(-100, 200, 61)
        counts, _ = np.histogram(100 * outcomes.estimates, edges)
        x, y = np.repeat(edges, 2)[1:-1], np.repeat(counts, 2)
        name = f"simulated rooms, if {significant(100 * self.share, 3)} % did it"
        curve = Curve(tuple(x.tolist()), tuple(y.tolist()), "other", name)
        mark = Mark(100 * estimate, "now", "this room")
        axis = Axis("Estimate", -60, 140, _PERCENT)
        return Curves((curve,), (mark,), axis, None, "This room among simulated ones.")

    def _interval(self, numbers: Mapping[str, Number]) -> Bars:
        def ends(name: str) -> float:
            return numbers[name].value

        at = min(max(ends("estimate"), 0.0), 100.0)
        bar = Bar(
            "this room", at, f"{numbers['possible'].text} %", "now", ends("lower"), ends("upper")
        )
        return Bars((bar,), Axis("Estimate", 0, 100, _PERCENT), "The estimate with its interval.")
