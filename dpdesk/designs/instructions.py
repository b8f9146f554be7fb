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
    Chances,
    DeviceChoice,
    Picture,
    ScreenRule,
    Sketch,
    chance_words,
    screen_rule,
)
from dpdesk.designs.law import CARRIER, OTHER
from dpdesk.designs.texts import T

GROUPS = ("first group", "second group")
YES, NO = "yes", "no"
_MOST_PRACTISED = 6
_TWO_WAYS = 2


@dataclass(frozen=True, slots=True)
class Way:
    """One thing that can happen to a respondent.

    Attributes:
        chance: Its chance, exactly.
        outcome: What the device shows, in words.
        answer: The answer that follows, as the law of the design names it.
        beside: The answer to an innocent question, where the outcome is about that alone.
    """

    chance: Fraction
    outcome: str
    answer: str
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Practice:
    """A question to practise with, before the one that counts.

    Attributes:
        begin: The question and its true answer, as sentences.
        says: What can happen, and what is said then, as sentences.
    """

    begin: str
    says: tuple[str, ...]


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
        rehearsed: What respondents practise with, if it does not follow from what can happen.
        innocent: The chances of yes and no to an innocent question, which a screen can draw in its
            place; empty where there is none or it is not known.
        sketched: A picture of what no device decides, if it does not follow from what can happen.
    """

    group: str
    tool: str
    questions: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    reason: str
    pictures: tuple[Picture, ...] = field(default=(), kw_only=True)
    rehearsed: tuple[Practice, ...] = field(default=(), kw_only=True)
    innocent: Chances = field(default=(), kw_only=True)
    sketched: Sketch | None = field(default=None, kw_only=True)

    @property
    def practice(self) -> tuple[Practice, ...]:
        """What respondents practise with; nothing where there is nothing to learn."""
        return self.rehearsed

    @property
    def drawings(self) -> tuple[Picture | Sketch, ...]:
        """The rule as pictures: how chance decides, or else what is said to what is true."""
        return self.pictures or (() if self.sketched is None else (self.sketched,))

    @property
    def screen_rules(self) -> tuple[ScreenRule, ...]:
        """Everything that a screen may draw in place of the respondent, with the exact chances.

        Raises:
            ParameterError: The chances need more numbers than programs draw from evenly.
        """
        many = len(self.pictures) > 1
        rules = tuple(
            screen_rule(
                picture.draw.chances,
                picture.labels,
                T.DRAW(number=number) if many else "",
                picture.times,
            )
            for number, picture in enumerate(self.pictures, start=1)
        )
        if not self.innocent:
            return rules
        taken = [T.TAKE_B_AS(answer=answer) for answer in (YES, NO)]
        return (*rules, screen_rule(self.innocent, taken, T.INSTEAD_OF_B()))


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

    @property
    def practice(self) -> tuple[Practice, ...]:
        if max(len(self.carrier), len(self.other)) < _TWO_WAYS:
            return ()
        if [(way.outcome, way.answer) for way in self.carrier] == [
            (way.outcome, way.answer) for way in self.other
        ]:
            return (Practice("", self._said(self.carrier)),)
        # Everybody knows the true answers to these questions.
        asked = (T.TRUE_FOR_ALL(), YES, self.carrier), (T.FALSE_FOR_ALL(), NO, self.other)
        return tuple(
            Practice(T.PRACTICE(question=question, true=true), self._said(ways))
            for question, true, ways in asked
        )

    @property
    def drawings(self) -> tuple[Picture | Sketch, ...]:
        if self.pictures:
            return self.pictures
        if self.sketched is not None:
            return (self.sketched,)
        letter = self.questions[0][0]
        rows = []
        for true, ways in ((YES, self.carrier), (NO, self.other)):
            for way in ways:
                beside = (f"B: {way.beside}",) if way.beside else ()
                texts = (f"{letter}: {true}" if letter else true, *beside)
                said = T.SAY_QUOTED(answer=spoken_answer(self.say(way.answer)))
                rows.append((texts, said))
        return (Sketch(tuple(rows)),)

    def _said(self, ways: Sequence[Way]) -> tuple[str, ...]:
        return practised([(way.outcome, self.say(way.answer)) for way in ways])

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


def practised(ways: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Returns as sentences what is said after each of the first outcomes of a device.

    Args:
        ways: Outcomes in words that follow "if", and what is said then.
    """
    return tuple(
        T.IF_SAY(outcome=outcome, answer=spoken_answer(said))
        for outcome, said in ways[:_MOST_PRACTISED]
    )


def spoken_answer(answer: str) -> str:
    """Returns an answer as it is said: a number alone, without what it counts."""
    return answer.split(maxsplit=1)[0] if answer[0].isdigit() else answer


@dataclass(frozen=True, slots=True)
class Branch:
    """What one outcome of the device asks for.

    Attributes:
        chance: Chance of the outcome.
        task: What is done then, in words that follow a colon.
        carrier: What a carrier says then.
        other: What a non-carrier says then.
        label: The task in fewer words; empty where it is short.
    """

    chance: Fraction
    task: str
    carrier: str
    other: str
    label: str = ""


def truth(chance: Fraction) -> Branch:
    """The device orders the truth."""
    return Branch(chance, T.TRUTH(), YES, NO)


def one_question(
    question: str,
    tool: str,
    steps: Sequence[str],
    carrier: Sequence[Way],
    other: Sequence[Way],
    reason: str | None = None,
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
        reason: Why the answer does not tell, as sentences; None for the usual ones.
        group: Name of the group; empty where there is one.
        pictures: How chance decides.
    """
    return Procedure(
        group,
        tool,
        (("", question),),
        tuple(steps),
        T.REASON() if reason is None else reason,
        tuple(carrier),
        tuple(other),
        pictures=drawn(pictures),
    )


def drawn(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Returns the pictures of what is left to chance."""
    return tuple(picture for picture in pictures if picture.draw.device is not None)


def by_device(
    question: str, branches: Sequence[Branch], group: str = "", choice: DeviceChoice = ANY_DEVICE
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
    reason = None if draw.use else ""
    pictures = (Picture(draw, tuple(branch.label or branch.task for branch in kept)),)
    return one_question(question, draw.tool, steps, carrier, other, reason, group, pictures)


def if_outcome(outcome: str, chance: Fraction, task: str) -> str:
    """Returns the sentence that says what an outcome asks for, with its chance."""
    return T.IF(outcome=outcome, chance=chance_words(chance), task=task)


def sentence(task: str) -> str:
    """Returns a task as a sentence."""
    return f"{task[0].upper()}{task[1:]}."


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
