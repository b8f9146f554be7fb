"""What respondents do: the device they hold, the steps in words, and everything that can happen.

Words and chances come from the same numbers, so that an instruction is right by construction; the
law that follows from the ways is the design's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dpdesk.designs.devices import (
    ANY_DEVICE,
    MONTHS,
    DeviceChoice,
    Picture,
    asked_exactly,
)
from dpdesk.designs.devices.of_people import BirthdayMonth
from dpdesk.designs.law import CARRIER, OTHER

QUESTION = "the sensitive question"
"""The placeholder for the question, if none was written."""
LINE = "_" * 36
"""A line to fill in by hand."""
GROUPS = ("first group", "second group")
YES, NO = "yes", "no"
TRUTH = "answer the question truthfully, with yes or no"
OPPOSITE = "say the opposite of your true answer: no if it is yes, and yes if it is no"
SAY_YES = "say yes, whatever your true answer is"
SAY_NO = "say no, whatever your true answer is"
THINK_OF_BOTH = "Think of your answers to both questions, and say neither of them aloud."
B_IS_YES, B_IS_NO = "the answer to B is yes", "the answer to B is no"
REASON = (
    "Only you know what the device showed, so nobody knows whether you told the truth or followed "
    "the device."
)


def chance_words(chance: Fraction) -> str:
    """Returns a chance as people say it: "1 in 4"."""
    return f"{chance.numerator:,} in {chance.denominator:,}"


@dataclass(frozen=True, slots=True)
class Blank:
    """A question that the designer adds.

    Attributes:
        meaning: What it has to be, in words.
        proposal: A question that is about right; empty where there is none.
    """

    meaning: str
    proposal: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """One thing that can happen to a respondent.

    Attributes:
        chance: Its chance, exactly.
        outcome: What the device shows, in words.
        answer: The answer that follows, as the law of the design names it.
    """

    chance: Fraction
    outcome: str
    answer: str


@dataclass(frozen=True, slots=True)
class Instruction:
    """What respondents of one group, or for one item, are told.

    Attributes:
        group: Name of the group or item; empty where there is one.
        tool: What they need, in words; empty where they need nothing.
        questions: What they are asked, each with the letter it is named by, which may be empty.
        steps: What they do, as sentences.
        reason: Why the answer does not tell, as sentences.
        pictures: How chance decides, and what is done then; none where nothing is drawn.
    """

    group: str
    tool: str
    questions: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    reason: str
    pictures: tuple[Picture, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Procedure(Instruction):
    """What they are told about one sensitive trait, and everything that can happen.

    Attributes:
        carrier: Everything that can happen to a carrier.
        other: Everything that can happen to a non-carrier.
        spoken: How respondents say an answer, if not by its name in the law.
    """

    carrier: tuple[Way, ...]
    other: tuple[Way, ...]
    spoken: Mapping[str, str] = field(default_factory=dict)

    def say(self, answer: str) -> str:
        """Returns an answer as a respondent says it."""
        return self.spoken.get(answer, answer)

    def ways(self, state: str) -> tuple[Way, ...]:
        """Returns everything that can happen to a respondent of a state."""
        return {CARRIER: self.carrier, OTHER: self.other}[state]

    def law(self, answers: Sequence[str]) -> tuple[tuple[Fraction, ...], ...]:
        """Returns the chance of each answer, of a carrier and of a non-carrier."""
        return tuple(
            tuple(
                sum((way.chance for way in ways if way.answer == answer), Fraction(0))
                for answer in answers
            )
            for ways in (self.carrier, self.other)
        )


@dataclass(frozen=True, slots=True)
class Branch:
    """What one outcome of the device asks for.

    Attributes:
        chance: Chance of the outcome.
        task: What is done then, in words that follow a colon.
        carrier: What a carrier says then.
        other: What a non-carrier says then.
    """

    chance: Fraction
    task: str
    carrier: str
    other: str

    @property
    def label(self) -> str:
        """The task in a few words."""
        return self.task.partition(",")[0].partition(":")[0]


def truth(chance: Fraction) -> Branch:
    """The device orders the truth."""
    return Branch(chance, TRUTH, YES, NO)


def one_question(
    question: str,
    tool: str,
    steps: Sequence[str],
    carrier: Sequence[Way],
    other: Sequence[Way],
    reason: str = REASON,
    group: str = "",
    pictures: Sequence[Picture] = (),
) -> Procedure:
    """Returns the procedure of a design that asks the sensitive question alone.

    Args:
        question: The question.
        tool: What respondents need; empty where they need nothing.
        steps: What they do, as sentences.
        carrier: Everything that can happen to a carrier.
        other: Everything that can happen to a non-carrier.
        reason: Why the answer does not tell, as sentences.
        group: Name of the group; empty where there is one.
        pictures: How chance decides.
    """
    return Procedure(
        group,
        tool,
        (("", question),),
        tuple(steps),
        reason,
        tuple(carrier),
        tuple(other),
        pictures=drawn(pictures),
    )


def drawn(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Returns the pictures of what is left to chance."""
    return tuple(picture for picture in pictures if picture.draw.device is not None)


def by_device(
    question: str,
    branches: Sequence[Branch],
    group: str = "",
    choice: DeviceChoice = ANY_DEVICE,
) -> Procedure:
    """Returns the procedure of a device that everybody uses once.

    Args:
        question: The question.
        branches: What each outcome asks for; those of chance 0 are left out.
        group: Name of the group.
        choice: The device.
    """
    kept = [branch for branch in branches if branch.chance]
    draw = choice.among([branch.chance for branch in kept])
    carrier, other = [], []
    steps = draw.first_step
    for branch, outcome in zip(kept, draw.outcomes, strict=True):
        carrier.append(Way(branch.chance, outcome, branch.carrier))
        other.append(Way(branch.chance, outcome, branch.other))
        steps.append(
            if_outcome(outcome, branch.chance, branch.task) if draw.use else sentence(branch.task)
        )
    reason = REASON if draw.use else ""
    pictures = (Picture(draw, tuple(branch.label for branch in kept)),)
    return one_question(question, draw.tool, steps, carrier, other, reason, group, pictures)


def if_outcome(outcome: str, chance: Fraction, task: str) -> str:
    """Returns the sentence that says what an outcome asks for, with its chance."""
    return f"If {outcome} ({chance_words(chance)}): {task}."


def sentence(task: str) -> str:
    """Returns a task as a sentence."""
    return f"{task[0].upper()}{task[1:]}."


def filled(blanks: Sequence[Blank], texts: Sequence[str]) -> tuple[str, ...]:
    """Returns the questions: as given, else as proposed, else a line to be filled in by hand."""
    given = [*texts, *[""] * (len(blanks) - len(texts))]
    return tuple(
        text.strip() or blank.proposal or f"{LINE} ({blank.meaning})"
        for blank, text in zip(blanks, given, strict=False)
    )


def innocent(share: Fraction, which: str = "", parent: str = "mother") -> Blank:
    """Returns the blank of an innocent question that a share of people answers with yes."""
    months = share * len(MONTHS)
    proposal = asked_exactly(share, parent)
    if not proposal and months.denominator == 1:
        proposal = by_month(int(months), parent)
    return Blank(
        f"an innocent question that {chance_words(share)} people answer with yes{which}", proposal
    )


def by_month(months: int, parent: str = "mother") -> str:
    """Returns a question for a birthday in the first so many months; empty where none is."""
    if not 0 < months < len(MONTHS):
        return ""
    return BirthdayMonth().question(range(months), parent)


class TwoOutcomes:
    """A device with two outcomes, those of chance 0 left out.

    Args:
        chance: Chance of the first outcome.
        labels: What is done after the first outcome and after the second, in a few words.
        choice: The device.
    """

    def __init__(
        self, chance: Fraction, labels: tuple[str, str], choice: DeviceChoice = ANY_DEVICE
    ) -> None:
        kept = [branch for branch in ((chance, True), (1 - chance, False)) if branch[0]]
        draw = choice.among([part for part, _ in kept])
        self.picture = Picture(draw, tuple(labels[not first] for _, first in kept))
        self.tool, self.use, self.first_step = draw.tool, draw.use, draw.first_step
        self.branches = [
            (part, first, outcome)
            for (part, first), outcome in zip(kept, draw.outcomes, strict=True)
        ]
