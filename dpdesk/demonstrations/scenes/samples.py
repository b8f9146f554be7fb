"""Scenes of how estimates scatter: many surveys at once, error against people, and the room."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, log10, sqrt
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from dpdesk.demonstrations import picture as draw
from dpdesk.demonstrations.scene import Given, Number, Shown, Tallies, fresh_seed, percent
from dpdesk.demonstrations.scenes.surveys import MOST_DOTS, AboutDesign, Asked, Survey, TruePart
from dpdesk.demonstrations.texts import T
from dpdesk.designs import Count
from dpdesk.designs.behaviour import answer_laws
from dpdesk.designs.planning import Sample, Share
from dpdesk.engine.simulate.surveys import simulate_surveys
from dpdesk.numbers.intervals import wilson_interval
from dpdesk.preview.survey import SupposedShare, theory_curve

Floats = NDArray[np.float64]

_PERCENT = "%"
_POINTS = 201
_CURVE_POINTS = 41
_SIMULATED = 2000
_CONFIDENCE = 0.95


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
        edges = _edges(supposed, self.least, self.largest)
        drawn = _piled(outcomes.estimates, edges, "now", "these surveys")
        at = np.linspace(self.least, self.largest, _POINTS)
        width = float(edges[1] - edges[0])
        expected = theory_curve(supposed.shown_theory, at, width, self.surveys)
        theory = draw.Curve(tuple(at.tolist()), tuple(expected.tolist()), "other", "expected")
        curves = [drawn, theory]
        if before is not None:
            former = theory_curve(before.supposed.shown_theory, at, width, self.surveys)
            curves.insert(
                0, draw.Curve(theory.x, tuple(former.tolist()), "before", self.name_of(before))
            )
        mark = draw.Mark(100 * self.share, "truth", T.TRUTH(share=percent(self.share)))
        axis = draw.Axis("Estimate", self.least, self.largest, _PERCENT)
        caption = T.SURVEYS_OF(surveys=self.surveys, people=self.people)
        return Shown((draw.Curves(tuple(curves), (mark,), axis, None, caption),), numbers)


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
    times: Annotated[
        float, Field(gt=1, le=1000, description="a step to so many times as many people")
    ] = 4
    fewest: Annotated[int, Field(ge=2, description="left end of the axis")] = 25
    most: Annotated[int, Field(ge=3, le=10**9, description="right end of the axis")] = 25_000

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        draw.check_ends(self.fewest, self.most)
        return self

    def shown(self, given: Given, before: Self | None = None) -> Shown:
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
        if before is not None and (before.design, before.share) != (self.design, self.share):
            curves.insert(0, before.curve("before", "before"))
        marks = [draw.Mark(self.people, "now", T.PEOPLE(number=self.people))]
        if before is not None and before.people != self.people:
            name = T.BEFORE(name=before.people)
            marks.append(draw.Mark(before.people, "before", name))
        x = draw.Axis("People asked", self.fewest, self.most, is_logarithmic=True)
        y = draw.Axis("Give or take", 0.2, 100, "pp", is_logarithmic=True)
        caption = T.ROOT(share=percent(self.share))
        return Shown((draw.Curves(tuple(curves), tuple(marks), x, y, caption),), numbers)

    def curve(self, role: draw.Role, name: str, *, is_direct: bool = False) -> draw.Curve:
        """Returns the margin against the number of people."""
        sizes = np.geomspace(self.fewest, self.most, _CURVE_POINTS).round().astype(int).tolist()
        sample = Sample(self.asked_by, Share(self.share), 2)
        plans = [sample.of(size) for size in sizes]
        margins = [100 * (one.direct_margin if is_direct else one.margin) for one in plans]
        return draw.Curve(tuple(map(float, sizes)), tuple(margins), role, name)


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
        "lower": "lower end of its 95 % interval within 0 and 100 %, in per cent",
        "upper": "upper end, in per cent",
        "confidence": "how often such an interval holds the truth, in per cent",
        "margin": "half of the width of that interval, in percentage points",
        "expected": "how many would say yes at the supposed share",
        "scatter": "half-width of where 95 % of such counts lie",
        "supposed": "the supposed share, in per cent",
        "direct": "half-width if as many were asked directly and told the truth, in pp",
        "times_more": "how many such rooms answer",
        "margin_more": "half-width if so many rooms answered, in percentage points",
        "lower_more": "lower end of the interval if so many rooms answered, in per cent",
        "upper_more": "its upper end",
    }
    words: ClassVar[Mapping[str, str]] = {
        "source": "“supposed” or “the room”, whatever the numbers come from"
    }
    takes_tallies: ClassVar[bool] = True

    kind: Literal["room"] = "room"
    share: Annotated[
        float, Field(ge=0, le=1, description="share supposed until answers are typed in")
    ] = 0.3
    people: Annotated[Asked, Field(description="people supposed until then")] = 24
    beside: Annotated[
        Literal["simulated", "direct", "rooms"],
        Field(description="what stands beside: simulated rooms, a direct question, more rooms"),
    ] = "simulated"
    rooms: Annotated[int, Field(ge=2, le=10_000, description="for “if so many rooms answered”")] = 4

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        design = self.asked_by
        (law,) = answer_laws(design, self.share, SupposedShare(design, self.share, 2).behaviour)
        typed = given.tallies
        room = self._supposed(law.mean) if typed is None else typed.checked()
        found = design.estimate((Count(room.yes, room.asked),))
        a, b = self.chances
        likely = b + (a - b) * found.truncated
        ends = self._ends(likely, room.asked)
        directly = _interval(found.truncated, room.asked)
        together = self._ends(likely, self.rooms * room.asked)
        decimals = max(0, -floor(log10(100 * (ends[1] - ends[0]))))
        z = Sample(design, Share(self.share), 2).quantile
        numbers = {
            "asked": Number(room.asked, 0),
            "yes": Number(room.yes, 0),
            "yes_share": Number(100 * room.yes / room.asked, 1),
            "never": Number(100 * b),
            "gap": Number(100 * (a - b)),
            "estimate": Number(100 * found.estimate, 1),
            "possible": Number(100 * found.truncated, 0),
            "lower": Number(100 * ends[0], decimals),
            "upper": Number(100 * ends[1], decimals),
            "confidence": Number(100 * _CONFIDENCE, 0),
            "margin": _half_width(ends),
            "expected": Number(law.mean * room.asked, 0),
            "scatter": Number(z * sqrt(law.variance * room.asked), 1),
            "supposed": Number(100 * self.share),
            "direct": _half_width(directly),
            "times_more": Number(self.rooms, 0),
            "margin_more": _half_width(together),
            "lower_more": Number(100 * together[0], decimals + 1),
            "upper_more": Number(100 * together[1], decimals + 1),
        }
        words = {"source": "supposed" if typed is None else "the room"}
        crowd = _crowd(room, words["source"])
        if self.beside == "simulated":
            return Shown((crowd, self._law(room, numbers)), numbers, words)
        name, (lower, upper) = {
            "direct": ("asked directly", directly),
            "rooms": (f"{self.rooms:,} rooms", together),
        }[self.beside]
        at = numbers["possible"]
        this = draw.Bar("this room", at.value, f"{at.text} %", "now", 100 * ends[0], 100 * ends[1])
        text = f"± {numbers['direct'].text} pp"
        if self.beside == "rooms":
            # Cut at nobody or everybody, it lies on one side of the estimate alone.
            text = f"{numbers['lower_more'].text} to {numbers['upper_more'].text} %"
        other = draw.Bar(name, at.value, text, "other", 100 * lower, 100 * upper)
        axis = draw.Axis("Estimate", 0, 100, _PERCENT)
        caption = "The estimate with its interval, and the interval of others."
        return Shown((crowd, draw.Bars((this, other), axis, caption)), numbers, words)

    def _supposed(self, mean: float) -> Tallies:
        return Tallies(round(mean * self.people), self.people)

    def _ends(self, likely: float, asked: int) -> tuple[float, float]:
        """Wilson's interval for the answers, carried over to the share and kept within 0 and 1."""
        # An estimate that no truth can have gets the interval of the nearest possible one, which
        # covers as often and is never empty (Mandelkern & Schultz 2000, J. Math. Phys. 41, 5701).
        a, b = self.chances
        low, high = _interval(likely, asked)
        lower, upper = sorted(((low - b) / (a - b), (high - b) / (a - b)))
        return max(lower, 0.0), min(upper, 1.0)

    def _law(self, room: Tallies, numbers: Mapping[str, Number]) -> draw.Curves:
        supposed = SupposedShare(self.asked_by, self.share, room.asked)
        outcomes = simulate_surveys(supposed.held, _SIMULATED, fresh_seed())
        # Whatever the room says has its place on the axis.
        a, b = self.chances
        extremes = sorted((-100 * b / (a - b), 100 * (1 - b) / (a - b)))
        least, largest = (floor(extremes[0] / 10 - 1) * 10, ceil(extremes[1] / 10 + 1) * 10)
        name = T.IF_TRUE(share=f"{numbers['supposed'].text} %")
        edges = _edges(supposed, least, largest)
        curve = _piled(outcomes.estimates, edges, "other", name)
        mark = draw.Mark(numbers["estimate"].value, "now", "this room")
        axis = draw.Axis("Estimate", least, largest, _PERCENT)
        return draw.Curves((curve,), (mark,), axis, None, "This room among simulated ones.")


def _crowd(room: Tallies, source: str) -> draw.People:
    """Everybody who answered, those who said yes first: the order says nothing."""
    each = ceil(room.asked / MOST_DOTS)
    dots, full = round(room.asked / each), round(room.yes / each)
    below = T.ROOM(source=source)
    if each > 1:
        below = T.ROOM_IN_DOTS(source=source, each=each)
    return draw.People(tuple(place < full for place in range(dots)), below)


def _interval(share: float, asked: int) -> tuple[float, float]:
    """Wilson's interval of a share, which has a width at a share of 0, too."""
    lower, upper = wilson_interval(np.array(share), asked)
    return float(lower), float(upper)


def _half_width(ends: tuple[float, float]) -> Number:
    """Half of the width of an interval in percentage points, never rounded to nothing."""
    half = 50 * (ends[1] - ends[0])
    return Number(half, 0 if half >= 1 else None)


def _edges(supposed: SupposedShare, least: float, largest: float) -> Floats:
    """Edges of bars of about a percentage point, each with as many possible estimates."""
    first, step = (100 * value for value in supposed.lattice)
    width = step * max(round(1 / step), 1)
    zero = first + step / 2
    start, stop = floor((least - zero) / width), ceil((largest - zero) / width)
    return np.asarray(zero + width * np.arange(start, stop + 1))


def _piled(estimates: Floats, edges: Floats, role: draw.Role, name: str) -> draw.Curve:
    """How many estimates lie in each part of an axis: a flat top above it, as long as the part."""
    counts, _ = np.histogram(100 * estimates, edges)
    x, y = np.repeat(edges, 2)[1:-1], np.repeat(counts, 2)
    return draw.Curve(tuple(x.tolist()), tuple(y.tolist()), role, name)
