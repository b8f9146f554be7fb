"""Scenes of a yes-no question: a survey that is held, what a device does, what an answer shows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp
from typing import Annotated, ClassVar, Literal, Self, cast

import numpy as np
from pydantic import Field, field_validator, model_validator

from dpdesk.demonstrations import picture as draw
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Number,
    OwnAxis,
    SceneKind,
    Shown,
    belief_number,
    happens,
    percent,
)
from dpdesk.demonstrations.texts import T
from dpdesk.designs import AnyDesign, Count, Design, YesNoDesign
from dpdesk.designs.beliefs import beliefs_after
from dpdesk.designs.devices import DeviceChoice, device_named
from dpdesk.designs.direct import Direct
from dpdesk.designs.law import require_difference
from dpdesk.designs.planning import Sample, Share, respondents_for_margin
from dpdesk.errors import ParameterError
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.preview.survey import SupposedShare, theory_curve

MOST_DOTS = 400
"""More people than these are shown as the first of them."""
_POINTS = 201
_PERCENT = "%"

TruePart = Annotated[float, Field(ge=0, le=1, description="the true share, from 0 to 1")]
Asked = Annotated[int, Field(ge=2, le=1_000_000, description="number of people who are asked")]


PercentEnd = Annotated[float, Field(ge=-1000, le=1000, description="end of the axis, in per cent")]


class AboutDesign(SceneKind):
    """A scene of a design with one group that answers yes or no."""

    design: AnyDesign = Field(description="the design, such as {kind = 'warner', p = '3/4'}")

    @field_validator("design")
    @classmethod
    def _of_one_group(cls, design: Design) -> Design:
        # Whose answers are yes and no, so that its law is two chances.
        if (
            design.quantity != "share"
            or design.group_count > 1
            or "yes" not in cast(YesNoDesign, design).groups[0].answers
        ):
            raise ParameterError(T.NO_DESIGN(design=design.tag()))
        require_difference(*_chances(cast(YesNoDesign, design)))
        return design

    @property
    def asked_by(self) -> YesNoDesign:
        """The design."""
        design: YesNoDesign = self.design
        return design

    @property
    def chances(self) -> tuple[float, float]:
        """The chance of yes of a carrier and of a non-carrier."""
        carrier, other = _chances(self.asked_by)
        return float(carrier), float(other)


def _chances(design: YesNoDesign) -> tuple[Fraction, Fraction]:
    """The chance of yes of a carrier and of a non-carrier, exactly."""
    (group,) = design.groups
    yes = group.answers.index("yes")
    return group.law[0][yes], group.law[1][yes]


class Survey(AboutDesign, OwnAxis):
    """A survey that is held once, before the law of its estimate."""

    shows: ClassVar[str] = "a survey that is held: who said yes, and where the estimate may lie"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people asked",
        "truth": "the true share, in per cent",
        "yes": "number of people who said yes",
        "yes_share": "the same, in per cent",
        "never": "share of yes if nobody does it, in per cent",
        "gap": "how much that share grows if everybody does it, in percentage points",
        "estimate": "the estimate, in per cent",
        "margin": "half-width of its 95 % interval, in percentage points",
        "planned": "the same, as it is planned, in percentage points",
        "expected": "mean of the estimate over all surveys, in per cent",
        "missed": "how far that mean is from the truth, in percentage points",
        "deny": "share of those who did it who deny, in per cent",
    }
    draws: ClassVar[bool] = True

    kind: Literal["survey"] = "survey"
    share: TruePart
    people: Asked
    deny: Annotated[float, Field(ge=0, le=1, description="share of carriers who deny")] = 0.0
    least: PercentEnd = -10.0
    largest: PercentEnd = 60.0
    crowd: Annotated[bool, Field(description="whether the people are drawn")] = True

    @property
    def supposed(self) -> SupposedShare:
        """The survey as simulations suppose it."""
        return SupposedShare(self.asked_by, self.share, self.people, deny=self.deny)

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        supposed = self.supposed
        (law,) = supposed.held.laws
        answers = happens(law.mean, self.people)
        yes = int(answers.sum())
        found = supposed.design.estimate((Count(yes, self.people),))
        theory = supposed.shown_theory
        a, b = self.chances
        numbers = {
            "people": Number(self.people, 0),
            "truth": Number(100 * self.share),
            "yes": Number(yes, 0),
            "yes_share": Number(100 * yes / self.people, 1),
            "never": Number(100 * b),
            "gap": Number(100 * (a - b)),
            "estimate": Number(100 * found.estimate, 1),
            "margin": Number(100 * normal_quantile(0.95) * found.standard_error, 1),
            "planned": Number(100 * supposed.margin, 1),
            "expected": Number(theory.mean, 1),
            "missed": Number(abs(theory.mean - 100 * self.share), 1),
            "deny": Number(100 * self.deny),
        }
        name = T.ESTIMATE(share=f"{numbers['estimate'].text} %")
        estimate = draw.Mark(100 * found.estimate, "now", name)
        return Shown((*self._crowd(answers), self._law(before, estimate)), numbers)

    def _crowd(
        self, answers: np.ndarray[tuple[int], np.dtype[np.bool_]]
    ) -> tuple[draw.Picture, ...]:
        if not self.crowd:
            return ()
        dots = tuple(answers[:MOST_DOTS].tolist())
        yes = int(answers.sum())
        below = T.SAID_YES(yes=yes, people=self.people)
        if self.people > MOST_DOTS:
            below = T.SAID_YES_OF_MANY(yes=yes, people=self.people, dots=MOST_DOTS)
        return (draw.People(dots, below),)

    def _law(self, before: Self | None, estimate: draw.Mark) -> draw.Curves:
        curves = [self.curve("now", T.NOW_PEOPLE(number=self.people))]
        if before is not None:
            curves.insert(0, before.curve("before", self.name_of(before)))
        truth = draw.Mark(100 * self.share, "truth", T.TRUTH(share=percent(self.share)))
        axis = draw.Axis("Estimate", self.least, self.largest, _PERCENT)
        caption = "Where the estimates of such surveys lie."
        return draw.Curves(tuple(curves), (truth, estimate), axis, None, caption)

    def name_of(self, ghost: Self) -> str:
        """Returns what a ghost is called: by what differs from these settings."""
        if ghost.people != self.people:
            return T.BEFORE_PEOPLE(number=ghost.people)
        if ghost.share != self.share:
            return T.BEFORE_TRUE(share=percent(ghost.share))
        if ghost.deny != self.deny:
            return T.IF_DENIED(share=percent(ghost.deny)) if ghost.deny else T.IF_NONE_DENIED()
        return "before"

    def curve(self, role: draw.Role, name: str) -> draw.Curve:
        """Returns the law of the estimate over the axis of the scene."""
        x = np.linspace(self.least, self.largest, _POINTS)
        y = theory_curve(self.supposed.shown_theory, x, 1.0, 1)
        return draw.Curve(tuple(x.tolist()), tuple(y.tolist()), role, name)


class DeviceRule(AboutDesign):
    """What a device orders, and how likely each answer becomes."""

    shows: ClassVar[str] = "what a device orders, and how likely yes is for who did it and did not"
    numbers: ClassVar[Mapping[str, str]] = {
        "if_did": "of 100 people who did it, how many say yes",
        "if_not": "of 100 people who did not, how many say yes",
        "by_device": "how many of 100 say what the device orders, truth or not",
        "truthful": "how many of 100 tell the truth because it orders so",
        "of_all": "100: of how many people the others are counted",
        "odds": "how many times likelier an answer is of the one than of the other, at most",
        "epsilon": "the same as epsilon",
    }

    kind: Literal["device"] = "device"
    device: Annotated[
        str,
        Field(description="its name in `dpdesk survey devices`; the simplest that serves if empty"),
    ] = ""

    @model_validator(mode="after")
    def _is_followed_with_the_device(self) -> Self:
        # Names what is lacking.
        self.asked_by.instructions(choice=self.choice)
        return self

    @property
    def choice(self) -> DeviceChoice:
        """The device that the rule is read for."""
        return DeviceChoice(device_named(self.device) if self.device else None)

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        a, b = self.chances
        epsilon = self.design.loss.epsilon
        numbers = {
            "if_did": Number(100 * a),
            "if_not": Number(100 * b),
            "by_device": Number(100 * (1 - a + b)),
            "truthful": Number(100 * (a - b)),
            "of_all": Number(100, 0),
            "odds": Number(exp(epsilon)),
            "epsilon": EpsilonNumber(epsilon),
        }
        return Shown((self._rule(), self._bars(before)), numbers)

    def _rule(self) -> draw.Table:
        procedure = self.asked_by.instructions(choice=self.choice)[0]
        carrier, other = procedure.carrier, procedure.other
        rows = tuple(
            (
                did.outcome,
                str(did.chance),
                procedure.say(did.answer),
                procedure.say(other[at].answer),
            )
            for at, did in enumerate(carrier)
        )
        truthful = {
            (row, column)
            for row, cells in enumerate(rows)
            if cells[2] != cells[3]
            for column in (2, 3)
        }
        head = ("What is seen", "Chance", "Who did it says", "Who did not says")
        caption = "Only the person who answers knows which row it was."
        if len(rows) == 1:
            caption = "Without a device every answer is the person's own."
        return draw.Table(head, rows, caption, frozenset(truthful))

    def _bars(self, before: Self | None) -> draw.Bars:
        bars = list(self.bars("now"))
        if before is not None:
            bars += before.bars("before", ", formerly")
        axis = draw.Axis("People of 100 who say yes", 0, 100)
        return draw.Bars(tuple(bars), axis, "How many of 100 people say yes.")

    def bars(self, role: draw.Role, behind: str = "") -> tuple[draw.Bar, ...]:
        """Returns a bar for people who did it, and one for people who did not."""
        return tuple(
            draw.Bar(f"{who}{behind}", 100 * chance, Number(100 * chance).text, role)
            for who, chance in zip(("who did it", "who did not"), self.chances, strict=True)
        )


class Belief(AboutDesign):
    """What somebody believes of a person before and after the answer."""

    shows: ClassVar[str] = "what an onlooker believes of a person before and after the answer"
    numbers: ClassVar[Mapping[str, str]] = {
        "prior": "belief that the person did it, before the answer, in per cent",
        "after_yes": "belief after yes, in per cent",
        "after_no": "belief after no, in per cent",
        "truthful": "how many of 100 tell the truth because the device orders so",
        "odds": "factor by which the odds can move at most",
    }

    kind: Literal["belief"] = "belief"
    share: TruePart

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        found = self.beliefs
        numbers = {
            "prior": Number(100 * self.share),
            "after_yes": belief_number(found[0]),
            "after_no": belief_number(found[1]),
            "truthful": Number(100 * (self.chances[0] - self.chances[1])),
            "odds": Number(exp(self.design.loss.epsilon)),
        }
        bars = [draw.Bar("before the answer", 100 * self.share, percent(self.share), "truth")]
        bars += self.bars("now")
        if before is not None:
            bars += before.bars("before", "formerly ")
        axis = draw.Axis("Belief that this person did it", 0, 100, _PERCENT)
        return Shown((draw.Bars(tuple(bars), axis, "What an onlooker believes."),), numbers)

    @property
    def beliefs(self) -> tuple[float, float]:
        """The beliefs after yes and after no, in per cent.

        A proof is 0 or 100; an answer that nobody gives leaves the belief as it is.
        """
        after = {one.answer: one.belief for one in beliefs_after(self.asked_by, self.share)}
        return 100 * after.get("yes", self.share), 100 * after.get("no", self.share)

    def bars(self, role: draw.Role, first: str = "") -> tuple[draw.Bar, ...]:
        """Returns a bar for each answer."""
        return tuple(
            draw.Bar(f"{first}after {answer}", belief, f"{belief_number(belief).text} %", role)
            for answer, belief in zip(("yes", "no"), self.beliefs, strict=True)
        )


class PeopleNeeded(AboutDesign):
    """How many people an estimate of some precision needs, directly asked and protected."""

    shows: ClassVar[str] = (
        "how many people a margin needs, with a direct question and with a device"
    )
    numbers: ClassVar[Mapping[str, str]] = {
        "points": "the margin, in percentage points",
        "direct": "people needed with a direct question that everybody answers truthfully",
        "protected": "people needed with the device",
        "factor": "how many times as many these are",
    }

    kind: Literal["people_needed"] = "people_needed"
    share: TruePart
    margin: Annotated[
        float, Field(ge=0.001, lt=1, description="half-width of the interval, 0 to 1")
    ]
    largest: Annotated[
        float, Field(gt=0, le=1e9, description="upper end of the axis, in people")
    ] = 2000

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        direct, protected = self.needed
        numbers = {
            "points": Number(100 * self.margin),
            "direct": Number(direct, 0),
            "protected": Number(protected, 0),
            "factor": Number(protected / direct, 1),
        }
        bars = [
            draw.Bar("direct question", direct, f"{direct:,}", "other"),
            draw.Bar("with the device", protected, f"{protected:,}", "now"),
        ]
        if before is not None:
            formerly = before.needed[1]
            bars.append(
                draw.Bar(T.FORMERLY(name="with the device"), formerly, f"{formerly:,}", "before")
            )
        axis = draw.Axis("People who have to be asked", 0, self.largest)
        caption = T.FOR_POINTS(points=numbers["points"].text, share=percent(self.share))
        return Shown((draw.Bars(tuple(bars), axis, caption),), numbers)

    @property
    def needed(self) -> tuple[int, int]:
        """The people needed with a direct question and with the device."""
        sample = Sample(self.asked_by, Share(self.share), 2)
        return (
            respondents_for_margin(sample.asked_by(Direct()), self.margin).respondents,
            respondents_for_margin(sample, self.margin).respondents,
        )
