"""A scene of what a model learns from protected answers."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from math import floor
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, field_validator

from dpdesk.attacks.target import Target
from dpdesk.data.table import SurveyTable
from dpdesk.demonstrations.picture import Axis, Curve, Curves, Mark
from dpdesk.demonstrations.records import who_answered
from dpdesk.demonstrations.scene import (
    EpsilonNumber,
    Given,
    Inputs,
    Number,
    SceneKind,
    Shown,
)
from dpdesk.demonstrations.texts import T
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.errors import ParameterError
from dpdesk.learning.curve import CurvePoint, LearningResult, run_learning
from dpdesk.learning.example import LABEL, example_named
from dpdesk.learning.measures import MEASURES, Measured
from dpdesk.mechanisms.choice import best_of, ranked
from dpdesk.plan import Plan
from dpdesk.plan.draft import draft_table
from dpdesk.requests.simulations import LearningRequest

_PERCENT = "%"
_EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
_REPETITIONS = 20
_MOST_SUGGESTED = 3
_LEAST_COLUMNS = 2

Lines = Literal["naive", "corrected"]


class Learnt(SceneKind):
    """How well a model does that is learnt from protected answers."""

    shows: ClassVar[str] = "how well a model does that is learnt from protected answers"
    numbers: ClassVar[Mapping[str, str]] = {
        "people": "number of people that are learnt from",
        "tested": "number of people that are tested",
        "columns": "number of columns that the outcome is predicted from",
        "epsilon": "epsilon of each answer",
        "record": "epsilon of a person's whole record",
        "true": "the measure if learnt from true answers, in per cent",
        "naive": "if learnt from protected answers as if they were true, in per cent",
        "corrected": "if the noise is taken out of what is learnt, in per cent",
        "guess": "if the commonest outcome is always named, in per cent",
        "gained": "what taking the noise out gains, in percentage points",
    }
    words: ClassVar[Mapping[str, str]] = {
        "measure": "the measure",
        "outcome": "the column that is predicted",
        "from_columns": "the columns that it is predicted from",
        "tested_on": "“true” or “protected”",
    }
    asked_columns: ClassVar[tuple[str, ...]] = ("what is predicted", "predicted from …")

    kind: Literal["learnt"] = "learnt"
    epsilon: Annotated[float, Field(description="epsilon of each answer, one of those drawn")] = 2.0
    columns: Annotated[tuple[str, ...], Field(description="columns of the bundled records")] = (
        "Glucose",
        "BMI",
        "Age",
    )
    lines: Annotated[tuple[Lines, ...], Field(description="which ways to learn are drawn")] = (
        "naive",
        "corrected",
    )
    measure: Annotated[
        Literal["accuracy", "f1"], Field(description="what is measured of a model")
    ] = "accuracy"
    least: Annotated[float, Field(ge=0, lt=100, description="lower end of the axis")] = 40
    on: Annotated[
        Literal["true", "sanitized"], Field(description="the answers that are tested on")
    ] = "true"

    @field_validator("epsilon")
    @classmethod
    def _is_drawn(cls, epsilon: float) -> float:
        if epsilon not in _EPSILONS:
            known = ", ".join(f"{one:g}" for one in _EPSILONS)
            raise ParameterError(T.NOT_DRAWN(epsilon=f"{epsilon:g}", known=known))
        return epsilon

    def prepare(self, given: Given, tracker: Tracker) -> None:
        self._found(given.inputs, tracker)

    def shown(self, given: Given, before: Self | None = None) -> Shown:
        found = self._found(given.inputs, untracked())
        points = {point.epsilon: point for point in found.points if not point.is_plan}
        point = points[self.epsilon]
        at = {name: self._of(_line(point, name, self.on)) for name in ("naive", "corrected")}
        own_guess = point.guess if self.on == "sanitized" and point.guess else found.guess
        numbers = {
            "people": Number(found.trained, 0),
            "tested": Number(found.tested, 0),
            "columns": Number(len(found.attributes), 0),
            "epsilon": EpsilonNumber(self.epsilon),
            "record": EpsilonNumber(point.record_epsilon),
            "true": Number(self._of(found.true), 1),
            "naive": Number(at["naive"], 1),
            "corrected": Number(at["corrected"], 1),
            "guess": Number(self._of(own_guess), 1),
            "gained": Number(at["corrected"] - at["naive"], 1),
        }
        x = tuple(points)
        ends = (x[0], x[-1])
        curves = [
            Curve(ends, (self._of(found.true),) * 2, "truth", "from true answers"),
            Curve(ends, (self._of(found.guess),) * 2, "other", "always the commonest"),
        ]
        named = {"naive": "as if they were true", "corrected": "noise taken out"}
        for line in self.lines:
            y = tuple(self._of(_line(point, line, self.on)) for point in points.values())
            role: Literal["now", "other"] = "now" if line == self.lines[-1] else "other"
            curves.append(Curve(x, y, role, named[line]))
        if before is not None and before.lines != self.lines:
            # Lines of the state before that are no longer there.
            for line in set(before.lines) - set(self.lines):
                y = tuple(before._of(_line(point, line, before.on)) for point in points.values())
                curves.insert(0, Curve(x, y, "before", T.BEFORE(name=named[line])))
        # Where nothing is protected no epsilon is meant.
        marks = (Mark(self.epsilon, "now", f"ε = {self.epsilon:g}"),) if self.lines else ()
        axis = Axis("Epsilon of each answer", x[0], x[-1], is_logarithmic=True)
        lines = [
            _line(point, line, self.on)
            for point in points.values()
            for line in ("naive", "corrected")
        ]
        lowest = min(map(self._of, (found.true, found.guess, *lines)))
        # What is learnt from a presenter's own data may lie lower than from the sample's.
        least = min(self.least, max(10 * floor(lowest / 10), 0))
        height = Axis("How well it predicts", least, 100, _PERCENT)
        caption = T.TESTED(count=found.tested, repetitions=_REPETITIONS)
        words = {
            "measure": MEASURES[self.measure].lower() if self.measure == "accuracy" else "F1",
            "outcome": found.request.label,
            "from_columns": ", ".join(found.attributes),
            "tested_on": "true" if self.on == "true" else "protected",
        }
        return Shown((Curves(tuple(curves), marks, axis, height, caption),), numbers, words)

    def _found(self, inputs: Inputs, tracker: Tracker) -> LearningResult:
        return _learnt(inputs.table, inputs.columns, self.columns, _Followed(tracker))

    def _of(self, measured: Measured) -> float:
        """The mean of the measure in per cent."""
        return 100 * float(getattr(measured, self.measure).mean)


def _line(point: CurvePoint, learnt: str, tested: str) -> Measured:
    """What was measured; every column is protected so that reports are answers."""
    found = point.line(learnt, tested)
    if found is None:
        raise ParameterError(T.NO_REPORTS())
    return found


class _Followed:
    """A tracker that is equal to every other, so that results are cached whoever waits."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Followed)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)
def _learnt(
    records: SurveyTable | None, own: tuple[str, ...], bundled: tuple[str, ...], followed: _Followed
) -> LearningResult:
    table, plan, label = _example(bundled) if records is None else _own(records, own)
    request = LearningRequest(label, epsilons=_EPSILONS, repetitions=_REPETITIONS)
    return run_learning(table, plan, request, followed.tracker)


def _example(names: tuple[str, ...]) -> tuple[SurveyTable, Plan, str]:
    table, plan = example_named("pima").load()
    for column in plan.columns:
        if column.name not in (*names, LABEL):
            plan = plan.with_column(column.name, role="drop", mechanism=None)
    return table, plan, LABEL


def _own(table: SurveyTable, names: tuple[str, ...]) -> tuple[SurveyTable, Plan, str]:
    """The presenter's records with a plan that protects the columns named, the outcome first."""
    target = Target(table)
    if not names:
        label = target.secret("").name
        known = [one.name for one in target.known(()) if one.name != label]
        names = (label, *known[:_MOST_SUGGESTED])
    if len(names) < _LEAST_COLUMNS:
        raise ParameterError(T.ONE_COLUMN())
    target.columns(names)
    # Who did not tell the outcome teaches nothing of it, and cannot be tested on.
    table = who_answered(table, names[0])
    plan = draft_table(table)
    for column in plan.columns:
        domain = column.effective_domain
        if column.name not in names or domain is None:
            plan = plan.with_column(column.name, role="drop", mechanism=None)
            continue
        # Reports that are no answers cannot be learnt from as if they were true.
        best = best_of(ranked(domain, Decimal(1)), answers_only=True)
        if best is None or not best.is_answer:
            raise ParameterError(T.NO_ANSWERS(column=column.name))
        plan = plan.with_column(column.name, role="protect", mechanism=best.mechanism)
    return table, plan, names[0]
