"""Accuracy against epsilon: what is learnt from sanitized answers, over many repetitions.

The true answers are sanitized again and again by the plan's own mechanisms, with words from a
seeded generator. Four lines are compared: learnt from sanitized answers as if they were true; from
the same with the noise taken out; from the true answers; and guessing the commonest class always,
which is another line where models are tested on sanitized answers: noise makes classes equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable
from dpdesk.data.tabular import Tabular
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.learning.answered import TRAIT
from dpdesk.learning.dependence import Evidence
from dpdesk.learning.learners import Learner, Lesson, Model, learner_named, without_noise
from dpdesk.learning.measures import Measured, measure
from dpdesk.learning.survey import Attribute, LearningSurvey, learning_survey
from dpdesk.learning.texts import T
from dpdesk.learning.traits import LabelScores, Reader, one_hot
from dpdesk.mechanisms import BoundMechanism, Mechanism
from dpdesk.mechanisms.possible_shares import simplex_projection
from dpdesk.numbers.arrays import Floats
from dpdesk.plan import Plan
from dpdesk.requests.simulations import LearningRequest

Tested = Literal["true", "sanitized"]
"""The answers that a model is tested on."""

TESTED = Fraction(1, 5)
"""Share of the rows that are tested."""


@dataclass(frozen=True, slots=True)
class Line:
    """How well one way to learn does at one epsilon.

    Attributes:
        learnt: "naive" from sanitized answers as they are, "corrected" with the noise taken out.
        tested: The answers that it is tested on.
        measured: Over the repetitions.
    """

    learnt: Literal["naive", "corrected"]
    tested: Tested
    measured: Measured


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One epsilon of the curve.

    Attributes:
        epsilon: As asked; of the plan as it is, the loss of a record.
        is_plan: Whether it is the plan as it is.
        record_epsilon: Loss of a respondent's whole record: the sum over the columns in use.
        lines: What was learnt.
        guess: The commonest class of sanitized answers always, tested on sanitized ones; None where
            no line is tested on these.
    """

    epsilon: float
    is_plan: bool
    record_epsilon: float
    lines: tuple[Line, ...]
    guess: Measured | None = None

    def line(self, learnt: str, tested: str) -> Measured | None:
        """Returns the measures of one line, if there is one."""
        return next(
            (x.measured for x in self.lines if (x.learnt, x.tested) == (learnt, tested)), None
        )


@dataclass(frozen=True, slots=True, repr=False)
class LearningResult(Tabular):
    """The curve; private to the holder of the data.

    Attributes:
        request: The request.
        trained: Number of rows that are learnt from.
        tested: Number of rows that are tested.
        attributes: Names of the columns that the label is predicted from.
        left_out: Names of released columns that cannot take part, or that nobody answered.
        unreadable: Columns whose reports are no answers, so that "naive" cannot use them.
        classes: The classes of the label.
        positive: Of two classes the rarer one, which F1 and the area are about; else empty.
        true: Learnt from true answers, and tested on true ones.
        guess: The commonest class always, tested on true answers.
        points: The plan as it is, then one for each epsilon, in the order of the request.
        weighted_by: Name of the survey weights that learning and testing use; empty for none.
    """

    request: LearningRequest
    trained: int
    tested: int
    attributes: tuple[str, ...]
    left_out: tuple[str, ...]
    unreadable: tuple[str, ...]
    classes: tuple[str, ...]
    positive: str
    true: Measured
    guess: Measured
    points: tuple[CurvePoint, ...]
    weighted_by: str = ""
    drawn = ("accuracy", "accuracy_lower", "accuracy_upper")

    def table_rows(self) -> Iterator[dict[str, Any]]:
        for point in self.points:
            for line in point.lines:
                accuracy = line.measured.accuracy
                yield {
                    "epsilon": point.epsilon,
                    "record_epsilon": point.record_epsilon,
                    "learnt": line.learnt,
                    "tested": line.tested,
                    "accuracy": accuracy.mean,
                    "accuracy_lower": accuracy.lower,
                    "accuracy_upper": accuracy.upper,
                    "f1": line.measured.f1.mean,
                    "auc": line.measured.auc.mean,
                }


class SeededWords:
    """Random words of a seeded generator: for studies, never for a release."""

    def __init__(self, *key: int) -> None:
        self._generator = np.random.Generator(
            np.random.PCG64(np.random.SeedSequence(key[0], spawn_key=key[1:]))
        )

    def take(self, count: int) -> NDArray[np.uint64]:
        """Returns the next `count` words, shape (count,)."""
        return self._generator.integers(0, 1 << 64, count, dtype=np.uint64)


def run_learning(
    table: SurveyTable, plan: Plan, request: LearningRequest, tracker: Tracker
) -> LearningResult:
    """Sanitizes a survey many times at every epsilon, and learns from the reports.

    Args:
        table: The survey.
        plan: Its plan.
        request: The request.
        tracker: Progress and cancel.

    Raises:
        ParameterError: The label cannot be predicted, or an epsilon is impossible.
        PlanError: The plan does not suit the data, or leaves nothing to be learnt together.
        Cancelled: The user cancelled.
    """
    tracker.progress("Reading the answers", 0.0)
    survey = learning_survey(table, plan, request.label, request.split_seed, TESTED)
    learner = learner_named(request.learner)
    classroom = _Classroom(survey, learner, request.seed)
    true, guess = classroom.on_true_answers()
    levels = [_Level.of_plan(survey), *(_Level.of(survey, e, request) for e in request.epsilons)]
    points = []
    unreadable: dict[str, None] = {}
    for done, level in enumerate(levels):

        def advance(share: float, done: int = done, level: _Level = level) -> None:
            stage = T.LEARNING_AT(level=level.words)
            tracker.progress(stage, (done + share) / len(levels))

        advance(0.0)
        sanitizer = _Sanitizer.of(survey, level.mechanisms, tracker.tick)
        unreadable |= dict.fromkeys(sanitizer.unreadable)
        tested: dict[tuple[str, Tested], list[tuple[float, float, float]]] = {}
        guesses: list[tuple[float, float, float]] = []
        for repetition in range(request.repetitions):
            advance(repetition / request.repetitions)
            words = SeededWords(request.seed, level.key, repetition)
            found, guess_here = classroom.repetition(sanitizer, words, tracker.tick)
            for key, values in found:
                tested.setdefault(key, []).append(values)
            guesses += guess_here
        lines = tuple(
            Line(learnt, on, Measured.of(np.array(repeated)))  # type: ignore[arg-type]
            for (learnt, on), repeated in tested.items()
        )
        own_guess = Measured.of(np.array(guesses)) if guesses else None
        points.append(
            CurvePoint(level.epsilon, level.key == 0, level.record_epsilon, lines, own_guess)
        )
    texts = survey.label.domain.texts
    return LearningResult(
        request,
        survey.trained.size,
        survey.tested.size,
        tuple(attribute.name for attribute in survey.attributes),
        survey.left_out,
        tuple(unreadable),
        texts,
        "" if survey.positive is None else texts[survey.positive],
        true,
        guess,
        tuple(points),
        survey.weighted_by,
    )


@dataclass(frozen=True, slots=True)
class _Level:
    """The mechanisms at one epsilon.

    Attributes:
        epsilon: As `CurvePoint.epsilon`.
        key: What its repetitions are seeded by; 0 of the plan as it is.
        mechanisms: One for each attribute, the label last; None for what is kept.
        words: For people.
    """

    epsilon: float
    key: int
    mechanisms: tuple[Mechanism | None, ...]
    words: str

    @property
    def record_epsilon(self) -> float:
        """The sum of the epsilons."""
        return float(sum(m.epsilon for m in self.mechanisms if m is not None))

    @classmethod
    def of_plan(cls, survey: LearningSurvey) -> _Level:
        """Returns the plan as it is."""
        mechanisms = tuple(a.mechanism for a in (*survey.attributes, survey.label))
        return cls(float(survey.epsilon), 0, mechanisms, "the plan's epsilons")

    @classmethod
    def of(cls, survey: LearningSurvey, epsilon: float, request: LearningRequest) -> _Level:
        """Returns the level of an epsilon of the request."""
        exact = round(Decimal(epsilon), 12)

        def scaled(attribute: Attribute) -> Decimal:
            if request.scale == "attribute" or attribute.mechanism is None:
                return exact
            part = attribute.mechanism.epsilon * exact / survey.epsilon
            # Rounded down, so that the whole is not more than asked.
            return part.quantize(Decimal("1e-9"), rounding=ROUND_DOWN)

        everything = (*survey.attributes, survey.label)
        mechanisms = tuple(attribute.at(scaled(attribute)) for attribute in everything)
        return cls(epsilon, round(epsilon * 10**9), mechanisms, f"epsilon {epsilon:.4g}")


@dataclass(frozen=True, slots=True, eq=False)
class _Sanitizer:
    """The bound mechanisms of one epsilon, and what reads their reports.

    Attributes:
        bound: One for each attribute, the label last; None for what is kept.
        readers: Alike.
        states: What reads whether attributes were answered, as `LearningSurvey.states`.
        table: Score of each report of the label for each class, shape (outputs, classes); None
            where reports are bits.
        readable: Whether reports of each attribute can be taken for answers, the label last.
        unreadable: Names of those that cannot.
        weights: Of the rows that are learnt from; None where all count alike.
    """

    bound: tuple[BoundMechanism | None, ...]
    readers: tuple[Reader[Any], ...]
    states: tuple[Reader[Any], ...]
    table: Floats | None
    readable: tuple[bool, ...]
    unreadable: tuple[str, ...]
    weights: Floats | None

    @classmethod
    def of(
        cls,
        survey: LearningSurvey,
        mechanisms: Sequence[Mechanism | None],
        tick: Callable[[], None],
    ) -> _Sanitizer:
        everything = (*survey.attributes, survey.label)
        bound = tuple(
            None if mechanism is None else mechanism.bind(attribute.domain, tick)
            for mechanism, attribute in zip(mechanisms, everything, strict=True)
        )
        pairs = tuple(zip(everything, bound, strict=True))
        readers = tuple(attribute.trait.reader(law) for attribute, law in pairs)
        words = SeededWords(0)
        # One report shows whether reports of this mechanism are answers.
        one = np.zeros(1, dtype=np.int32)
        shown = [one if law is None else law.randomize(one, words) for law in bound]
        readable = [r.seen(s) is not None for r, s in zip(readers, shown, strict=True)]
        # Bits of several classes name none.
        readable[-1] &= bound[-1] is None or bound[-1].form == "symbol"
        names = [a.name for a, can in zip(everything, readable, strict=True) if not can]
        return cls(
            bound,
            readers,
            tuple(state.reader(bound[state.place]) for state in survey.states),
            _label_table(survey, bound[-1]),
            tuple(readable),
            tuple(names),
            survey.weights_of(survey.trained),
        )

    def draw(
        self, survey: LearningSurvey, words: SeededWords, tick: Callable[[], None]
    ) -> list[NDArray[Any]]:
        """Draws a report for every respondent, of each attribute, the label last.

        What is read of whether attributes were answered stands behind it.
        """
        drawn: list[NDArray[Any]] = []
        for attribute, law in zip((*survey.attributes, survey.label), self.bound, strict=True):
            tick()
            codes = np.maximum(attribute.codes, 0)
            drawn.append(attribute.codes if law is None else law.randomize(codes, words))
        states = ((state, state.place) for state in survey.states)
        return drawn + [state.reports(self.bound[at], drawn[at]) for state, at in states]

    def label_scores(self, reports: NDArray[Any], rows: int) -> LabelScores:
        """Returns what reports of the label say of the class of each record that is learnt from."""
        bound = self.bound[-1]
        if self.table is not None:
            scores = self.table[reports].T
        else:
            assert bound is not None  # noqa: S101 - answers that are kept have a table
            scores = bound.totals(reports.astype(np.float64), np.ones(rows)).T
        classes = len(scores)
        shares = simplex_projection(np.average(scores, axis=1, weights=self.weights))
        return LabelScores(scores, (rows * shares + 1) / (rows + classes), self.weights)


def _label_table(survey: LearningSurvey, bound: BoundMechanism | None) -> Floats | None:
    if bound is None:
        return np.eye(survey.classes)
    if bound.form == "symbol":
        outputs = len(bound.outputs)
        return bound.totals(np.eye(outputs), np.ones(outputs))
    if bound.form == "bits":
        return None
    said = T.NO_CLASSES(column=survey.label.name, mechanism=bound.mechanism.short)
    raise ParameterError(said)


class _Classroom:
    """Learns and tests, with what is the same in every repetition kept."""

    def __init__(self, survey: LearningSurvey, learner: type[Learner], seed: int) -> None:
        self._survey, self._learner, self._seed = survey, learner, seed
        self._trained, self._tested = survey.trained, survey.tested
        self._true = survey.label.codes.astype(np.int64)
        # Behind the attributes stands whether they were answered.
        self._traits = [*(a.trait for a in survey.attributes), *(TRAIT for _ in survey.states)]
        codes = [*(a.codes for a in survey.attributes), *(state.codes for state in survey.states)]
        self._seen = [trait.seen(own) for trait, own in zip(self._traits, codes, strict=True)]
        self._present = [own >= 0 for own in codes]
        self._seen_in_test = [seen[self._tested] for seen in self._seen]

    def on_true_answers(self) -> tuple[Measured, Measured]:
        """Returns the measures of what true answers teach, and of guessing."""
        used = self._learnt(range(len(self._seen)))
        model = self._fit(used, self._seen, self._true)
        seen = [self._seen_in_test[j] for j in used]
        return (
            Measured.of(np.array([self._test(model(seen), self._true)])),
            Measured.of(np.array([self._test(self._guess(self._true), self._true)])),
        )

    def repetition(
        self, sanitizer: _Sanitizer, words: SeededWords, tick: Callable[[], None]
    ) -> tuple[
        list[tuple[tuple[str, Tested], tuple[float, float, float]]],
        list[tuple[float, float, float]],
    ]:
        """Sanitizes all answers once, learns, and tests.

        Returns:
            Each line with its measures; and those of guessing, if one is tested on sanitized
            answers.
        """
        drawn, of = sanitizer.draw(self._survey, words, tick), len(self._survey.attributes)
        label, reports = drawn[of], [*drawn[:of], *drawn[of + 1 :]]
        readers = [*sanitizer.readers[:-1], *sanitizer.states]
        said = label.astype(np.int64) if sanitizer.readable[-1] else None
        places = [*range(of), *(state.place for state in self._survey.states)]
        used = [j for j, place in enumerate(places) if sanitizer.readable[place]]
        reported = {j: self._reported(readers[j], j, reports[j]) for j in used}
        used = self._learnt(used)
        tick()
        found: list[tuple[tuple[str, Tested], tuple[float, float, float]]] = []

        def tell(learnt: str, model: Model, columns: Sequence[int]) -> None:
            seen = [self._seen_in_test[j] for j in columns]
            found.append(((learnt, "true"), self._test(model(seen), self._true)))
            if said is not None and set(columns) <= set(reported):
                noisy = [reported[j][self._tested] for j in columns]
                found.append(((learnt, "sanitized"), self._test(model(noisy), said)))

        if said is not None and used:
            tell("naive", self._fit(used, reported, said), used)
            tick()
        rows = self._trained
        scores = sanitizer.label_scores(label[rows], rows.size)
        evidence = Evidence(
            readers,
            [each[rows] for each in reports],
            [present[rows] for present in self._present],
            scores,
        )
        model = without_noise(evidence)
        tell("corrected", model, range(len(reports)))
        if said is None or all(tested == "true" for (_, tested), _ in found):
            return found, []
        return found, [self._test(self._guess(said), said)]

    def _guess(self, label: NDArray[np.int64]) -> Floats:
        """Returns the class that is commoner in the rows that are learnt from, for every tested."""
        classes = self._survey.classes
        weights = self._survey.weights_of(self._trained)
        common = np.bincount(label[self._trained], weights=weights, minlength=classes).argmax()
        return np.tile(one_hot(np.array([common]), classes), (self._tested.size, 1))

    def _learnt(self, columns: Iterable[int]) -> list[int]:
        """Returns those that the learner is given: a blank may be a state for it already."""
        given = len(self._survey.attributes) if self._learner.sees_blanks else len(self._seen)
        return [j for j in columns if j < given]

    def _reported(self, reader: Reader[Any], j: int, reports: NDArray[Any]) -> Floats:
        seen = reader.seen(reports)
        assert seen is not None  # noqa: S101 - only what is readable is asked for
        present = self._present[j]
        return seen if present.all() else np.where(present[:, None], seen, np.nan)

    def _fit(self, columns: Sequence[int], seen: Any, label: NDArray[np.int64]) -> Model:
        traits = [self._traits[j] for j in columns]
        lesson = Lesson(
            traits,
            [seen[j][self._trained] for j in columns],
            label[self._trained],
            self._survey.classes,
            self._seed,
            self._survey.weights_of(self._trained),
        )
        return self._learner.fit(lesson)

    def _test(self, likely: Floats, label: NDArray[np.int64]) -> tuple[float, float, float]:
        weights = self._survey.weights_of(self._tested)
        return measure(likely, label[self._tested], self._survey.positive, weights)
