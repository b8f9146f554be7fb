"""Several questions of one questionnaire against one budget of epsilon for each respondent.

Everybody answers every question, so that the epsilons add up (sequential composition). Among the
designs of an epsilon Warner's has the least variance, so that what it cannot reach none can; forced
response, the unrelated question at one half and Kuk's design with one card are the same channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal

from dpdesk.designs.base import Design
from dpdesk.designs.law import loss_of
from dpdesk.designs.planning.epsilon import epsilon_for_margin
from dpdesk.designs.planning.margin import (
    LARGEST_SAMPLE,
    plan_of_sample,
    require_share,
    respondents_for_margin,
)
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.errors import ParameterError

Split = Literal["equal", "weighted", "least"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a questionnaire.

    Attributes:
        prevalence: The expected share of carriers.
        margin: The half-width of the interval that is wanted.
        weight: Its part of the budget against the others', where the split is weighted.
    """

    prevalence: float
    margin: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question with its part of the budget.

    Attributes:
        question: The question.
        design: Its design.
        epsilon: The epsilon of the design.
        margin: Half-width of the interval with all respondents.
    """

    question: Question
    design: Design
    epsilon: float
    margin: float


@dataclass(frozen=True, slots=True)
class QuestionnairePlan:
    """Respondents who are enough for every question.

    Attributes:
        respondents: Number of respondents, who all answer everything.
        questions: The questions in their order.
    """

    respondents: int
    questions: tuple[PlannedQuestion, ...]

    @property
    def epsilon(self) -> float:
        """What all answers of a respondent together cost; no more than the budget."""
        return sum(question.epsilon for question in self.questions)


def plan_of_questionnaire(
    kind: type[Design],
    questions: Sequence[Question],
    budget: float,
    split: Split = "equal",
    confidence: float = 0.95,
) -> QuestionnairePlan:
    """Returns the fewest respondents who meet the margins of all questions.

    Args:
        kind: A design that an epsilon decides (`Design.of_epsilon`).
        questions: At least one.
        budget: Epsilon of all answers of a respondent.
        split: "equal" parts; parts by the questions' weights; or the parts with which the least
            respondents will do, every question then being just as precise as wanted.
        confidence: Coverage of the intervals.

    Raises:
        ParameterError: A number is impossible, or an epsilon does not decide the design.
    """
    _require(questions, budget)
    if split == "least":
        return _with_least(kind, questions, budget, confidence)
    weights = [1.0 if split == "equal" else question.weight for question in questions]
    designs = [kind.of_epsilon(budget * weight / sum(weights)) for weight in weights]
    needed = max(
        respondents_for_margin(d, q.prevalence, q.margin, confidence).respondents
        for d, q in zip(designs, questions, strict=True)
    )
    return _plan(designs, questions, needed, confidence)


def _with_least(
    kind: type[Design], questions: Sequence[Question], budget: float, confidence: float
) -> QuestionnairePlan:
    """The more respondents, the less epsilon every question needs: bisection on their number."""

    def designs_for(respondents: int) -> list[YesNoDesign] | None:
        epsilons = []
        for question in questions:
            try:
                epsilons.append(
                    epsilon_for_margin(
                        question.prevalence, question.margin, respondents, confidence
                    )
                )
            except ParameterError:
                # Not even direct questions would do with so few.
                return None
        spare = budget / sum(epsilons)
        if spare < 1:
            return None
        designs = [kind.of_epsilon(epsilon * spare) for epsilon in epsilons]
        plan = _plan(designs, questions, respondents, confidence)
        reached = all(p.margin <= p.question.margin for p in plan.questions)
        return designs if reached else None

    failing, reaching = 1, 2
    while designs_for(reaching) is None:
        failing, reaching = reaching, reaching * 2
        if reaching > LARGEST_SAMPLE:
            raise ParameterError(
                "No survey has as many respondents as these margins need.",
                remedy="Accept wider margins, a larger epsilon, or fewer questions.",
            )
    while reaching - failing > 1:
        middle = (failing + reaching) // 2
        if designs_for(middle) is None:
            failing = middle
        else:
            reaching = middle
    designs = designs_for(reaching)
    assert designs is not None  # noqa: S101 - what the bisection keeps true
    return _plan(designs, questions, reaching, confidence)


def _plan(
    designs: Sequence[YesNoDesign],
    questions: Sequence[Question],
    respondents: int,
    confidence: float,
) -> QuestionnairePlan:
    planned = tuple(
        PlannedQuestion(
            question=question,
            design=design,
            epsilon=loss_of(design.groups).epsilon,
            margin=plan_of_sample(design, question.prevalence, respondents, confidence).margin,
        )
        for design, question in zip(designs, questions, strict=True)
    )
    return QuestionnairePlan(respondents, planned)


def _require(questions: Sequence[Question], budget: float) -> None:
    if not questions:
        raise ParameterError("There is no question.", remedy="Give at least one.")
    if not (isfinite(budget) and budget > 0):
        raise ParameterError("Epsilon must be above 0.", remedy="Type a number such as 1.")
    for question in questions:
        require_share(question.prevalence, "expected share of a question")
        require_share(question.margin, "margin of a question")
        if not (isfinite(question.weight) and question.weight > 0):
            raise ParameterError(
                "The weight of a question must be above 0.", remedy="Type a number such as 1."
            )
