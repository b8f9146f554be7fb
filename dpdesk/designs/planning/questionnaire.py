"""Several questions of one questionnaire against one budget of epsilon for each respondent.

Everybody answers every question, so that the epsilons add up (sequential composition). Each
question has a device of its own: one of the same design, at its part of the budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

from dpdesk.designs.base import Design
from dpdesk.designs.devices import Device
from dpdesk.designs.law import require_epsilon
from dpdesk.designs.people import People
from dpdesk.designs.planning.devices import require_built_with
from dpdesk.designs.planning.epsilon import least_epsilon, require_decided
from dpdesk.designs.planning.sample import LARGEST_SAMPLE, Sample, numbered, respondents_for_margin
from dpdesk.designs.planning.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.digits import epsilon_up

_SEVERAL = 2
Split = Literal["equal", "weighted", "least"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a questionnaire.

    Attributes:
        people: What is supposed of the people.
        margin: The half-width of the interval that is wanted.
        weight: Its part of the budget against the others', where the split is weighted.
    """

    people: People
    margin: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question with its part of the budget.

    Attributes:
        question: The question.
        design: Its design.
        margin: Half-width of the interval with all respondents.
    """

    question: Question
    design: Design
    margin: float

    @property
    def epsilon(self) -> float:
        """The epsilon of the design."""
        return self.design.loss.epsilon


@dataclass(frozen=True, slots=True)
class QuestionnairePlan:
    """Respondents who are enough for every question.

    Attributes:
        respondents: Number of respondents, who all answer everything.
        questions: The questions in their order.
        device: What every question is asked with; None for the exact chances.
    """

    respondents: int
    questions: tuple[PlannedQuestion, ...]
    device: Device | None = None

    @property
    def epsilon(self) -> float:
        """What all answers of a respondent together cost; no more than the budget."""
        return sum(question.epsilon for question in self.questions)

    @property
    def once_each(self) -> tuple[str, ...]:
        """What the epsilons need in order to add up, as sentences; nothing of one question."""
        if len(self.questions) < _SEVERAL:
            return ()
        return self.questions[0].design.once_each(self.device)


def plan_of_questionnaire(
    design: Design,
    questions: Sequence[Question],
    budget: float,
    split: Split = "equal",
    confidence: float = 0.95,
    device: Device | None = None,
) -> QuestionnairePlan:
    """Returns the fewest respondents who meet the margins of all questions.

    Args:
        design: A design that an epsilon decides; what it does not decide is that of each question.
        questions: At least one.
        budget: Epsilon of all answers of a respondent.
        split: "equal" parts; parts by the questions' weights; or the parts with which the least
            respondents will do, every question then being just as precise as wanted.
        confidence: Coverage of the intervals.
        device: The device that every question is asked with, at its chances nearest to the
            question's part and not above it; None for the exact chances.

    Raises:
        ParameterError: A number is impossible, an epsilon does not decide the design, or the
            device has no chances below a part of the budget.
    """
    _require(design, questions, budget)
    require_decided(design)
    asked = [Sample(design, question.people, confidence=confidence) for question in questions]
    if split == "least":
        plan = _with_least(asked, questions, budget)
        if device is None:
            return plan
        designs = [each.design for each in plan.questions]
        return replace(_reaching(asked, questions, _built(designs, device)), device=device)
    weights = [1.0 if split == "equal" else question.weight for question in questions]
    designs = [design.at_epsilon(budget * weight / sum(weights)) for weight in weights]
    if device is not None:
        designs = _built(designs, device)
    return replace(_reaching(asked, questions, designs), device=device)


def _built(designs: Sequence[Design], device: Device) -> list[Design]:
    """The nearest designs that a device has, none of a larger epsilon."""
    found = []
    for number, design in enumerate(designs, start=1):
        near = require_built_with(device, design)
        if not near.keeps:
            part, least = epsilon_up(design.loss.epsilon), epsilon_up(near.epsilon)
            with numbered(T.IN_QUESTION, number):
                raise ParameterError(T.SMALL_PART(part=part, device=device.word, least=least))
        found.append(near.design)
    return found


def _reaching(
    asked: Sequence[Sample], questions: Sequence[Question], designs: Sequence[Design]
) -> QuestionnairePlan:
    """The fewest respondents who meet all margins with a design for each question."""
    samples = [sample.asked_by(each) for sample, each in zip(asked, designs, strict=True)]
    needed = max(
        respondents_for_margin(sample, question.margin).respondents
        for sample, question in zip(samples, questions, strict=True)
    )
    return _plan(samples, questions, needed)


def _with_least(
    asked: Sequence[Sample], questions: Sequence[Question], budget: float
) -> QuestionnairePlan:
    """The more respondents, the less epsilon every question needs: bisection on their number."""
    for sample, question in zip(asked, questions, strict=True):
        # Refuses what nobody can answer, and what the whole budget does not reach, by its reason.
        whole = sample.asked_by(sample.design.at_epsilon(budget))
        respondents_for_margin(whole, question.margin)

    def plan_for(respondents: int) -> QuestionnairePlan | None:
        epsilons: list[float] = []
        for sample, question in zip(asked, questions, strict=True):
            try:
                epsilons.append(least_epsilon(sample.of(respondents), question.margin))
            except ParameterError:
                # Not even direct questions would do with so few.
                return None
            if sum(epsilons) > budget:
                return None
        spare = budget / sum(epsilons)
        designs = [s.design.at_epsilon(e * spare) for s, e in zip(asked, epsilons, strict=True)]
        samples = [s.asked_by(design) for s, design in zip(asked, designs, strict=True)]
        plan = _plan(samples, questions, respondents)
        return plan if all(p.margin <= p.question.margin for p in plan.questions) else None

    failing, reaching = 1, 2
    while (found := plan_for(reaching)) is None:
        failing, reaching = reaching, reaching * 2
        if reaching > LARGEST_SAMPLE:
            raise ParameterError(T.TOO_MANY_NEEDED())
    while reaching - failing > 1:
        middle = (failing + reaching) // 2
        plan = plan_for(middle)
        if plan is None:
            failing = middle
        else:
            found, reaching = plan, middle
    return found


def _plan(
    asked: Sequence[Sample], questions: Sequence[Question], respondents: int
) -> QuestionnairePlan:
    planned = (
        PlannedQuestion(question, sample.design, sample.of(respondents).margin)
        for sample, question in zip(asked, questions, strict=True)
    )
    return QuestionnairePlan(respondents, tuple(planned))


def _require(design: Design, questions: Sequence[Question], budget: float) -> None:
    if not questions:
        raise ParameterError(T.NO_QUESTION())
    require_epsilon(budget)
    for number, question in enumerate(questions, start=1):
        with numbered(T.IN_QUESTION, number):
            question.people.check("expected share of a question")
            question.people.require_margin(question.margin, "margin of a question")
            question.people.variance(design)
            if not (isfinite(question.weight) and question.weight > 0):
                raise ParameterError(T.NO_WEIGHT())
