"""What respondents of one group do: the steps in words, and everything that can happen.

Words and chances come from the same numbers, so that an instruction is right by construction; the
law that follows from the ways is the design's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from dpdesk.designs.devices import chance_words, draw_among
from dpdesk.designs.law import CARRIER, OTHER

QUESTION = "the sensitive question"
"""What stands for the question where none was written."""
LINE = "_" * 36
"""Where something is filled in by hand."""
GROUPS = ("first group", "second group")
YES, NO = "yes", "no"
UNSEEN = "so that nobody but you sees the result"
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


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


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
    """

    group: str
    tool: str
    questions: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Procedure(Instruction):
    """What they are told about one sensitive trait, and everything that can happen.

    Attributes:
        carrier: Everything that can happen to a carrier.
        other: Everything that can happen to a non-carrier.
        spoken: How answers are said where that differs from their names in the law.
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


def truth(chance: Fraction) -> Branch:
    """The device orders the truth."""
    return Branch(chance, TRUTH, YES, NO)


def by_device(question: str, branches: Sequence[Branch], group: str = "") -> Procedure:
    """Returns the procedure of a device that everybody uses once."""
    kept = [branch for branch in branches if branch.chance]
    draw = draw_among([branch.chance for branch in kept])
    carrier, other = [], []
    steps = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    for branch, outcome in zip(kept, draw.outcomes, strict=True):
        carrier.append(Way(branch.chance, outcome, branch.carrier))
        other.append(Way(branch.chance, outcome, branch.other))
        steps.append(
            if_outcome(outcome, branch.chance, branch.task) if draw.use else sentence(branch.task)
        )
    reason = REASON if draw.use else ""
    return Procedure(
        group, draw.tool, (("", question),), tuple(steps), reason, tuple(carrier), tuple(other)
    )


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
    months = share * len(_MONTHS)
    proposal = by_month(int(months), parent) if months.denominator == 1 else ""
    return Blank(
        f"an innocent question that {chance_words(share)} people answer with yes{which}", proposal
    )


def by_month(months: int, parent: str = "mother") -> str:
    """Returns a question for a birthday in the first so many months; empty where none is."""
    if not 0 < months < len(_MONTHS):
        return ""
    if months == 1:
        return f"Was your {parent} born in January?"
    return f"Was your {parent} born between January and {_MONTHS[months - 1]}?"


class TwoOutcomes:
    """A device with two outcomes, those of chance 0 left out.

    Args:
        chance: Chance of the first outcome.
    """

    def __init__(self, chance: Fraction) -> None:
        kept = [branch for branch in ((chance, True), (1 - chance, False)) if branch[0]]
        draw = draw_among([part for part, _ in kept])
        self.tool, self.use = draw.tool, draw.use
        self.branches = [
            (part, first, outcome)
            for (part, first), outcome in zip(kept, draw.outcomes, strict=True)
        ]
