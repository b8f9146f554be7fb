"""Scenes of mechanisms for questions with several answers: their reports and their errors."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field

from dpdesk.demonstrations.picture import Axis, Bar, Bars, Curve, Curves, Mark, Role, Table
from dpdesk.demonstrations.records import distinct_answers
from dpdesk.demonstrations.scene import EpsilonNumber, Given, Number, SceneKind, Shown, percent
from dpdesk.demonstrations.texts import T
from dpdesk.domains import Categorical
from dpdesk.mechanisms import Forecast, Mechanism, mechanism_named
from dpdesk.numbers.digits import significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.randomness import SystemWords

_BREAKFASTS = ("bread", "cereals", "eggs", "fruit", "nothing")

Answers = Annotated[int, Field(ge=2, le=10_000, description="number of possible answers")]
Respondents = Annotated[int, Field(ge=2, le=10_000_000, description="number of respondents")]
PartOf = Annotated[float, Field(ge=0, le=1, description="share of one answer, from 0 to 1")]
Protection = Annotated[
    Decimal, Field(ge=Decimal("0.001"), le=20, description="epsilon of one answer")
]


def _known(kind: str) -> str:
    mechanism_named(kind)
    return kind


Kind = Annotated[str, AfterValidator(_known)]
Kinds = Annotated[tuple[Kind, ...], Field(min_length=1, description="the mechanisms, by kind")]
Largest = Annotated[float, Field(gt=0, le=1e4, description="upper end of the axis, in pp")]
_KINDS = ("grr", "sue", "oue", "olh")


@lru_cache(maxsize=64)
def answers_of(count: int) -> Categorical:
    """Returns a domain of so many answers without names."""
    return Categorical(values=tuple(f"answer {number}" for number in range(1, count + 1)))


def mechanism_at(kind: str, epsilon: Decimal) -> Mechanism:
    """Returns a mechanism at an epsilon.

    Raises:
        ParameterError: There is none of this kind.
    """
    return mechanism_named(kind)(kind=kind, epsilon=epsilon)


def share_error_axis(
    share: float, least: float, largest: float, *, is_logarithmic: bool = False
) -> Axis:
    """Returns an axis of the margin of a share; it names the share, on which the margin depends."""
    title = T.SHARE_ERROR(share=percent(share))
    return Axis(title, least, largest, "pp", is_logarithmic=is_logarithmic)


def error_points(forecast: Forecast, respondents: int, share: float) -> float:
    """Returns the half-width of the 95 % interval of a share, in percentage points."""
    return 100 * normal_quantile(0.95) * forecast.accuracy(respondents, share).total


@lru_cache(maxsize=4096)
def error_of(kind: str, epsilon: Decimal, answers: int, respondents: int, share: float) -> float:
    """Returns the half-width of the 95 % interval by one mechanism, in percentage points."""
    forecast = mechanism_at(kind, epsilon).forecast(answers_of(answers))
    return error_points(forecast, respondents, share)


class Reports(SceneKind):
    """What one person's report looks like by each mechanism."""

    shows: ClassVar[str] = "what one person's report looks like, by each mechanism"
    numbers: ClassVar[Mapping[str, str]] = {
        "answers": "number of possible answers",
        "epsilon": "epsilon of the report",
        "truth_grr": "chance that the first mechanism reports the true answer, in per cent",
        "other_grr": "chance that it reports any particular other answer, in per cent",
    }
    words: ClassVar[Mapping[str, str]] = {"true": "the true answer"}
    draws: ClassVar[bool] = True

    kind: Literal["reports"] = "reports"
    epsilon: Protection
    texts: Annotated[tuple[str, ...], Field(min_length=2, max_length=12)] = _BREAKFASTS
    true: Annotated[int, Field(ge=0, le=11, description="which answer is true, from 0")] = 0
    kinds: Kinds = _KINDS
    times: Annotated[int, Field(ge=1, le=12, description="reports by each mechanism")] = 1

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        domain = Categorical(values=self.texts)
        code = np.array([self.true % len(self.texts)], dtype=np.int32)
        rows: list[tuple[str, ...]] = []
        right: set[tuple[int, int]] = set()
        for kind in (kind for kind in self.kinds for _ in range(self.times)):
            bound = _bound(kind, self.epsilon, domain)
            report = bound.randomize(code, SystemWords())
            supported = np.flatnonzero(bound.supports(report)[0]).tolist()
            if supported == code.tolist():
                right.add((len(rows), 2))
            speaks = ", ".join(self.texts[place] for place in supported) or "none"
            name = f"{bound.mechanism.title} ({bound.mechanism.short})"
            if self.times > 1:
                name = f"{bound.mechanism.short}, draw {len(rows) % self.times + 1}"
            rows.append((name, _written(report[0], self.texts), speaks))
        first = mechanism_at(self.kinds[0], self.epsilon).forecast(domain).probabilities(0)
        numbers = {
            "answers": Number(len(self.texts), 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "truth_grr": Number(100 * float(first[0]), 1),
            "other_grr": Number(100 * float(first[1]), 1),
        }
        true = self.texts[int(code[0])]
        caption = T.TRUE_ANSWER(answer=true)
        head = ("Mechanism", "The report", "It speaks for")
        picture = Table(head, tuple(rows), caption, frozenset(right))
        return Shown((picture,), numbers, {"true": true})


@lru_cache(maxsize=64)
def _bound(kind: str, epsilon: Decimal, domain: Categorical) -> Any:
    # Any: that reports support answers is said by the mechanisms for categories alone.
    return mechanism_at(kind, epsilon).bind(domain)


def _written(report: NDArray[Any] | np.integer[Any], texts: tuple[str, ...]) -> str:
    """A report as it is written: an answer, bits, or a few whole numbers."""
    parts = np.atleast_1d(report)
    if parts.size == 1:
        return texts[int(parts[0])]
    if parts.dtype == np.uint8:
        return "".join(map(str, parts.tolist()))
    *_, bucket = parts.tolist()
    return T.BUCKET(bucket=bucket)


class Compared(SceneKind):
    """The errors of several mechanisms for the same question."""

    shows: ClassVar[str] = "the error of a share by several mechanisms, for the same question"
    numbers: ClassVar[Mapping[str, str]] = {
        "answers": "number of possible answers",
        "epsilon": "epsilon of each answer",
        "people": "number of respondents",
        "share": "share of the answer that is estimated, in per cent",
        "least": "the smallest error, in percentage points",
        "most": "the largest error, in percentage points",
        "times": "how many times as large the largest is",
        "unprotected": "the error without protection, in percentage points",
    }
    words: ClassVar[Mapping[str, str]] = {
        "best": "the mechanism with the smallest error",
        "worst": "the one with the largest",
    }
    asked_columns: ClassVar[tuple[str, ...]] = ("the question",)

    kind: Literal["mechanisms"] = "mechanisms"
    answers: Answers
    epsilon: Protection
    people: Respondents
    share: PartOf = 0.1
    kinds: Kinds = _KINDS
    largest: Largest = 20
    takes_own: Annotated[
        bool, Field(description="whether an own question's number of answers goes before")
    ] = True

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        own = distinct_answers(given.inputs) if self.takes_own else None
        answers = self.answers if own is None else own
        errors = self.errors(answers)
        best, worst = min(errors, key=errors.__getitem__), max(errors, key=errors.__getitem__)
        plain = (self.share * (1 - self.share) / self.people) ** 0.5
        numbers = {
            "answers": Number(answers, 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "people": Number(self.people, 0),
            "share": Number(100 * self.share),
            "least": Number(errors[best]),
            "most": Number(errors[worst]),
            "times": Number(errors[worst] / errors[best], 1),
            "unprotected": Number(100 * normal_quantile(0.95) * plain),
        }
        bars = [
            Bar(name, error, f"± {significant(error, 2)} pp", "other" if place else "now")
            for place, (name, error) in enumerate(errors.items())
        ]
        if before is not None:
            former = before.errors(before.answers if own is None else own)
            bars += [
                Bar(T.FORMERLY(name=name), error, f"± {significant(error, 2)} pp", "before")
                for name, error in former.items()
            ]
        axis = share_error_axis(self.share, 0, self.largest)
        caption = T.ONE_QUESTION(answers=answers, people=self.people)
        words = {"best": best, "worst": worst}
        return Shown((Bars(tuple(bars), axis, caption),), numbers, words)

    def errors(self, answers: int) -> dict[str, float]:
        """Returns the error by each mechanism's short name, in percentage points."""
        return {
            mechanism_named(kind).short: error_of(
                kind, self.epsilon, answers, self.people, self.share
            )
            for kind in self.kinds
        }


class ErrorByAnswers(SceneKind):
    """The error of each mechanism against the number of possible answers."""

    shows: ClassVar[str] = "the error by each mechanism, against the number of possible answers"
    numbers: ClassVar[Mapping[str, str]] = {
        "answers": "the number of answers that is marked",
        "epsilon": "epsilon of each answer",
        "people": "number of respondents",
        "crossing": "from how many answers on the first mechanism is no longer the best",
    }
    words: ClassVar[Mapping[str, str]] = {"first": "the first mechanism"}

    kind: Literal["error_by_answers"] = "error_by_answers"
    answers: Answers
    epsilon: Protection
    people: Respondents
    share: PartOf = 0.1
    kinds: Kinds = _KINDS
    most: Annotated[int, Field(ge=4, le=1000, description="right end of the axis")] = 200

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        numbers = {
            "answers": Number(self.answers, 0),
            "epsilon": EpsilonNumber(float(self.epsilon)),
            "people": Number(self.people, 0),
            "crossing": Number(self.crossing, 0),
        }
        curves = [
            self.curve(kind, "now" if place == 0 else "other", mechanism_named(kind).short)
            for place, kind in enumerate(self.kinds)
        ]
        if before is not None:
            name = T.FORMERLY(name=mechanism_named(self.kinds[0]).short)
            curves.insert(0, before.curve(self.kinds[0], "before", name))
        marks = (Mark(self.answers, "now", f"{self.answers:,} answers"),)
        x = Axis("Possible answers", 2, self.most, is_logarithmic=True)
        y = share_error_axis(self.share, 0.1, 100, is_logarithmic=True)
        caption = "The error of one share, by the number of answers that are possible."
        words = {"first": mechanism_named(self.kinds[0]).short}
        return Shown((Curves(tuple(curves), marks, x, y, caption),), numbers, words)

    def curve(self, kind: str, role: Role, name: str) -> Curve:
        """Returns the errors of a mechanism."""
        sizes = self._sizes
        errors = (error_of(kind, self.epsilon, k, self.people, self.share) for k in sizes)
        return Curve(tuple(map(float, sizes)), tuple(errors), role, name)

    @property
    def crossing(self) -> int:
        """The least number of answers at which another mechanism has a smaller error.

        One more than the axis has if there is none on it.
        """

        def errors(answers: int) -> list[float]:
            return [
                error_of(kind, self.epsilon, answers, self.people, self.share)
                for kind in self.kinds
            ]

        low, high = 2, self.most + 1
        # The error of the first grows with the number of answers, those of the others do not.
        while low < high:
            middle = (low + high) // 2
            first, *others = errors(middle)
            low, high = (low, middle) if min(others) < first else (middle + 1, high)
        return low

    @property
    def _sizes(self) -> list[int]:
        sizes = np.unique(np.geomspace(2, self.most, 25).round().astype(int))
        return [int(size) for size in sizes]
