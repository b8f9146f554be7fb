"""Scenes of several questions: all answers, one answer, or one answer among fakes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal
from functools import lru_cache
from math import exp
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.demonstrations.picture import Axis, Curve, Curves, Mark, Role, Table
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Number,
    SceneKind,
    Shown,
    counted,
    drawn_from,
)
from dpdesk.demonstrations.scenes.oracles import (
    Answers,
    Largest,
    PartOf,
    Protection,
    Respondents,
    answers_of,
    error_points,
    mechanism_at,
    share_error_axis,
)
from dpdesk.demonstrations.texts import T
from dpdesk.domains import Categorical
from dpdesk.engine.simulate.variants import frequency_forecast
from dpdesk.mechanisms import Sampling
from dpdesk.mechanisms.fake_data import (
    FakeDataForecast,
    FakeDataOracle,
    one_attribute_loss,
    record_epsilon,
    whole_record_loss,
)
from dpdesk.preview.figures import posterior
from dpdesk.randomness import SystemWords

Questions = Annotated[int, Field(ge=1, le=60, description="number of questions")]
_STRATEGIES: tuple[tuple[Literal["spl", "smp", "rsfd"], str], ...] = (
    ("spl", "all answers, epsilon split"),
    ("smp", "one answer each"),
    ("rsfd", "one answer among fakes"),
)
_STRATEGY_ROLES: tuple[Role, ...] = ("now", "other", "other")
_PLACES = Decimal("1e-9")
_MOST_QUESTIONS = 20


class Strategies(SceneKind):
    """The error of one share under each strategy, at the same true loss of the record."""

    shows: ClassVar[str] = "the error of a share by each strategy, at the same loss of a record"
    numbers: ClassVar[Mapping[str, str]] = {
        "questions": "number of questions",
        "answers": "number of answers of each",
        "share": "share of the answer that is estimated, in per cent",
        "epsilon": "epsilon of a person's whole record",
        "each": "epsilon of each answer if all are given",
        "people": "number of respondents",
        "asked": "how many answer each question if everybody answers one",
        "split": "error if all answers are given, in percentage points",
        "one": "error if everybody answers one question, in percentage points",
        "fakes": "error if one answer hides among fakes, in percentage points",
        "times": "how many times as large the error of all answers is as that of one",
    }
    words: ClassVar[Mapping[str, str]] = {"of_questions": "the questions, such as “1 question”"}

    kind: Literal["strategies"] = "strategies"
    questions: Questions
    answers: Answers
    epsilon: Protection
    people: Respondents
    share: PartOf = 0.2
    mechanism: Annotated[str, Field(description="the mechanism, one that can be faked")] = "grr"
    shown_ones: Annotated[
        tuple[Literal["spl", "smp", "rsfd"], ...], Field(description="the strategies shown")
    ] = ("spl", "smp", "rsfd")
    largest: Largest = 60

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        errors = self.errors
        numbers = {
            "questions": Number(self.questions, 0),
            "answers": Number(self.answers, 0),
            "share": Number(100 * self.share),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "each": EpsilonNumber(float(self.each)),
            "people": Number(self.people, 0),
            "asked": Number(self.people / self.questions, 0),
            "split": Number(errors["spl"]),
            "one": Number(errors["smp"]),
            "fakes": Number(errors["rsfd"]),
            "times": Number(errors["spl"] / errors["smp"], 1),
        }
        words = {"of_questions": counted(self.questions, "question")}
        return Shown((self._curves(before),), numbers, words)

    def _curves(self, before: Self | None) -> Curves:
        """The errors of the strategies that are shown, by the number of questions."""
        sizes = range(1, _MOST_QUESTIONS + 1)
        x = tuple(map(float, sizes))
        curves = tuple(
            Curve(x, tuple(self._errors_of(number)[key] for number in sizes), role, name)
            for (key, name), role in zip(_STRATEGIES, _STRATEGY_ROLES, strict=True)
            if key in self.shown_ones
        )
        marks = [Mark(self.questions, "truth", counted(self.questions, "question"))]
        if before is not None:
            marks.append(Mark(before.questions, "before", T.BEFORE(name=before.questions)))
        height = share_error_axis(self.share, 0, self.largest)
        caption = T.WHOLE_RECORD(epsilon=str(self.epsilon))
        across = Axis("Questions", 1, _MOST_QUESTIONS)
        return Curves(curves, tuple(marks), across, height, caption)

    @property
    def each(self) -> Decimal:
        """The epsilon of each answer if all are given, rounded down."""
        return _part_of(self.epsilon, self.questions)

    @property
    def errors(self) -> Mapping[str, float]:
        """The error by each strategy, in percentage points."""
        return self._errors_of(self.questions)

    def _errors_of(self, questions: int) -> Mapping[str, float]:
        return _errors(
            self.mechanism, self.epsilon, questions, self.answers, self.people, self.share
        )


@lru_cache(maxsize=1024)
def _errors(
    mechanism: str, epsilon: Decimal, questions: int, answers: int, people: int, share: float
) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for strategy, _ in _STRATEGIES:
        spent = _part_of(epsilon, questions) if strategy == "spl" else epsilon
        forecast = Sampling(strategy, questions).forecast(
            mechanism_at(mechanism, spent), answers_of(answers)
        )
        found[strategy] = error_points(forecast, people, share)
    return found


def _part_of(epsilon: Decimal, questions: int) -> Decimal:
    return (epsilon / questions).quantize(_PLACES, rounding=ROUND_DOWN)


class FakeLoss(SceneKind):
    """What fake answers cost the record, beside what publications state."""

    shows: ClassVar[str] = "the true loss of a record under fake data, beside the one stated"
    numbers: ClassVar[Mapping[str, str]] = {
        "questions": "number of questions",
        "stated": "the epsilon that publications state",
        "record": "the exact loss of the whole record",
        "one": "the exact loss of two records that differ in one answer",
        "odds": "factor by which the odds of two records can move",
        "odds_stated": "the factor that the stated epsilon would mean",
        "raised": "what a suspicion of even odds can become, in per cent",
        "even": "that suspicion, in per cent",
    }

    kind: Literal["fake_loss"] = "fake_loss"
    questions: Questions
    stated: Annotated[float, Field(gt=0, le=8, description="the epsilon that is stated")]
    answers: Answers = 4
    mechanism: Annotated[str, Field(description="grr, sue or oue")] = "oue"
    most: Annotated[int, Field(ge=2, le=60, description="right end of the axis")] = 20

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        laws = self._laws(self.questions)
        record = whole_record_loss(laws)
        numbers = {
            "questions": Number(self.questions, 0),
            "stated": EpsilonNumber(self.stated),
            "record": EpsilonNumber(record),
            "one": Number(one_attribute_loss(laws)),
            "odds": Number(exp(record)),
            "odds_stated": Number(exp(self.stated)),
            "raised": Number(100 * posterior(1 / 2, record), 1),
            "even": Number(50, 0),
        }
        sizes = list(range(1, self.most + 1))
        stated = tuple(self.stated for _ in sizes)
        x = tuple(map(float, sizes))
        curves = [
            Curve(x, stated, "other", "stated"),
            Curve(x, self.losses, "now", "loss of the record"),
        ]
        if before is not None:
            curves.insert(0, Curve(x, before.losses[: len(x)], "before", "before"))
        marks = (Mark(self.questions, "now", counted(self.questions, "question")),)
        axis = Axis("Questions", 1, self.most)
        height = Axis("Epsilon", 0, 8)
        caption = "What the whole record loses, exactly, and what is stated."
        return Shown((Curves(tuple(curves), marks, axis, height, caption),), numbers)

    @property
    def losses(self) -> tuple[float, ...]:
        """The exact loss of the record by the number of questions."""
        return tuple(whole_record_loss(self._laws(d)) for d in range(1, self.most + 1))

    def _laws(self, questions: int) -> tuple[FakeDataForecast, ...]:
        epsilon = record_epsilon(self.stated, questions)
        law = FakeDataForecast(
            frequency_forecast(self.mechanism, epsilon, self.answers), questions, "zeros"
        )
        return (law,) * questions


class SentRecord(SceneKind):
    """What one person sends under each strategy."""

    shows: ClassVar[str] = "what one person sends under each strategy"
    numbers: ClassVar[Mapping[str, str]] = {
        "questions": "number of questions",
        "epsilon": "epsilon of the whole record",
        "right": "how many of all split reports agree with the truth",
        "told": "how many answers are asked for if everybody answers one",
    }
    draws: ClassVar[bool] = True

    kind: Literal["sent_record"] = "sent_record"
    epsilon: Protection
    questions: Annotated[
        dict[str, tuple[str, ...]],
        Field(min_length=2, max_length=8, description="each question with its answers"),
    ]

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        words = SystemWords()
        number = len(self.questions)
        each = _part_of(self.epsilon, number)
        real = _one_of(number)
        rows, right = [], 0
        for place, (question, texts) in enumerate(self.questions.items()):
            domain = Categorical(values=texts)
            true = np.array([_one_of(len(texts))], dtype=np.int32)
            split = mechanism_at("grr", each).bind(domain).randomize(true, words)
            whole = mechanism_at("grr", self.epsilon)
            among = FakeDataOracle.bind(whole, domain, number, "random")
            sent = among.randomize_drawn(true, np.array([place == real]), words)
            one = whole.bind(domain).randomize(true, words)
            right += int(split[0] == true[0])
            rows.append(
                (
                    question,
                    texts[int(true[0])],
                    texts[int(split[0])],
                    texts[int(one[0])] if place == real else "",
                    texts[int(sent[0])],
                )
            )
        numbers = {
            "questions": Number(number, 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "right": Number(right, 0),
            "told": Number(1, 0),
        }
        head = ("Question", "True answer", "All, epsilon split", "One answer", "One among fakes")
        caption = "One made-up person, and what they would send; only the last column hides which."
        marked = frozenset({(real, 3), (real, 4)})
        return Shown((Table(head, tuple(rows), caption, marked),), numbers)


def _one_of(count: int) -> int:
    """Draws one of so many, each as likely as the others."""
    return int(drawn_from(np.full(count, 1 / count), 1)[0])
