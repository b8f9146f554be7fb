"""What respondents do: the device they hold, the steps in words, and everything that can happen.

Words and chances come from the same numbers, so that an instruction is right by construction; the
law that follows from the ways is the design's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import lcm, log

from dpdesk.designs.law import CARRIER, OTHER
from dpdesk.i18n import N_

QUESTION = "the sensitive question"
"""The placeholder for the question, if none was written."""
LINE = "_" * 36
"""A line to fill in by hand."""
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
_DIE = (2, 3, 6)
_DIE_SIDES = 6
_MOST_CARDS = 100
_HALF, _QUARTER, _EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)


@dataclass(frozen=True, slots=True)
class Draw:
    """How a respondent lets chance decide.

    Attributes:
        tool: What is needed, such as "a die"; empty where nothing is left to chance.
        use: What is done with it, as a sentence; empty likewise.
        outcomes: The outcomes in words that follow "if", in the order of their chances.
    """

    tool: str
    use: str
    outcomes: tuple[str, ...]

    @property
    def first_step(self) -> list[str]:
        """The sentence that asks to use the device, unseen; none if nothing is drawn."""
        return [f"{self.use}, {UNSEEN}."] if self.use else []


def chance_words(chance: Fraction) -> str:
    """Returns a chance as people say it: "1 in 4"."""
    return f"{chance.numerator:,} in {chance.denominator:,}"


def draw_among(chances: Sequence[Fraction]) -> Draw:
    """Returns the simplest device with exactly these chances.

    Args:
        chances: Above 0, summing to 1.
    """
    found = _coins(tuple(chances))
    if found is not None:
        return found
    return draw_of(lcm(*(chance.denominator for chance in chances)), chances)


def draw_of(size: int, chances: Sequence[Fraction]) -> Draw:
    """Returns a device of so many equally likely states, a die or numbered cards.

    Args:
        size: A multiple of every denominator.
        chances: Above 0, summing to 1.
    """
    if size == 1:
        return Draw("", "", ("nothing is left to chance",))
    ends = [0]
    sides = _DIE_SIDES if size in _DIE else size
    for chance in chances:
        ends.append(ends[-1] + int(chance * sides))
    spans = list(pairwise(ends))
    if size in _DIE:
        shown = tuple(f"the die shows {_sides(low + 1, high)}" for low, high in spans)
        return Draw("a die", "Throw the die", shown)
    return _numbers(size, spans)


def _coins(chances: tuple[Fraction, ...]) -> Draw | None:
    """One, two or three coins, where they are enough."""
    if sorted(chances) == [_HALF, _HALF]:
        return Draw("a coin", "Toss the coin", ("the coin shows heads", "the coin shows tails"))
    for rare, tool, number in ((_QUARTER, "two coins", "both"), (_EIGHTH, "three coins", "all")):
        if sorted(chances) == [rare, 1 - rare]:
            heads = f"{number} coins show heads"
            others = "at least one coin shows tails"
            return Draw(tool, f"Toss {tool}", _placed(chances, {rare: heads, 1 - rare: others}))
    if sorted(chances) == [_QUARTER, _QUARTER, _HALF]:
        same = iter(("both coins show heads", "both coins show tails"))
        shown = tuple(
            "the coins show different sides" if chance == _HALF else next(same)
            for chance in chances
        )
        return Draw("two coins", "Toss two coins", shown)
    return None


def _placed(chances: tuple[Fraction, ...], words: dict[Fraction, str]) -> tuple[str, ...]:
    return tuple(words[chance] for chance in chances)


def _numbers(size: int, spans: list[tuple[int, int]]) -> Draw:
    """Numbered cards, or any device that draws numbers if there were too many cards."""
    if size <= _MOST_CARDS:
        tool = f"a bag with {size} cards, numbered from 1 to {size}"
        use = "Draw one card from the bag, read its number and put it back"
        thing = "the card has"
    else:
        tool = f"a device that draws a number from 1 to {size:,}, all equally likely"
        use = "Let the device draw a number"
        thing = "the device shows"
    return Draw(tool, use, tuple(f"{thing} {_span(low + 1, high)}" for low, high in spans))


def _span(low: int, high: int) -> str:
    if high - low < 2:
        return f"number {low:,}" + (f" or {high:,}" if high > low else "")
    return f"a number from {low:,} to {high:,}"


def _sides(low: int, high: int) -> str:
    sides = [str(side) for side in range(low, high + 1)]
    return sides[0] if len(sides) == 1 else f"{', '.join(sides[:-1])} or {sides[-1]}"


@dataclass(frozen=True, slots=True)
class Device:
    """Something that decides with a known chance, unseen by others.

    Attributes:
        chance: Chance of the rarer of its two outcomes.
        outcome: The rarer outcome, in words.
        tool: What the respondent needs.
    """

    chance: Fraction
    outcome: str
    tool: str


DEVICES = (
    Device(Fraction(1, 2), N_("the coin shows heads"), N_("a coin")),
    Device(Fraction(1, 3), N_("the die shows 1 or 2"), N_("a die")),
    Device(Fraction(1, 4), N_("both coins show heads"), N_("two coins")),
    Device(Fraction(1, 6), N_("the die shows 6"), N_("a die")),
    Device(Fraction(1, 8), N_("all three coins show heads"), N_("three coins")),
    Device(Fraction(1, 12), N_("the birthday lies in January"), N_("somebody's month of birth")),
    Device(Fraction(1, 13), N_("the card drawn is an ace"), N_("a deck of 52 cards")),
    Device(Fraction(1, 36), N_("both dice show 6"), N_("two dice")),
    Device(Fraction(3, 8), N_("exactly one of three coins shows heads"), N_("three coins")),
    Device(Fraction(3, 10), N_("the ball drawn is one of 3 red in 10"), N_("an urn of 10 balls")),
    Device(Fraction(1, 5), N_("the ball drawn is one of 2 red in 10"), N_("an urn of 10 balls")),
    Device(Fraction(1, 10), N_("the ball drawn is the red one of 10"), N_("an urn of 10 balls")),
)
"""Things at hand, with their chances."""


def device_for(chance: Fraction) -> Device | None:
    """Returns a device with exactly this chance or its complement; None if there is none."""
    rarer = min(chance, 1 - chance)
    return next((device for device in DEVICES if device.chance == rarer), None)


def nearest_device(epsilon: float) -> tuple[Device, float]:
    """Returns the device whose Warner's design comes closest to an epsilon from below.

    Returns:
        The device, and the epsilon of Warner's design with it; two coins give ln 3, a die ln 5.
        Where every device exceeds the epsilon, the one with the smallest.
    """
    known = [
        (device, log((1 - device.chance) / device.chance))
        for device in DEVICES
        if device.chance < Fraction(1, 2)
    ]
    below = [found for found in known if found[1] <= epsilon * (1 + 1e-12)]
    if below:
        return max(below, key=lambda found: found[1])
    return min(known, key=lambda found: found[1])


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
    """
    asked = (("", question),)
    return Procedure(group, tool, asked, tuple(steps), reason, tuple(carrier), tuple(other))


def by_device(question: str, branches: Sequence[Branch], group: str = "") -> Procedure:
    """Returns the procedure of a device that everybody uses once."""
    kept = [branch for branch in branches if branch.chance]
    draw = draw_among([branch.chance for branch in kept])
    carrier, other = [], []
    steps = draw.first_step
    for branch, outcome in zip(kept, draw.outcomes, strict=True):
        carrier.append(Way(branch.chance, outcome, branch.carrier))
        other.append(Way(branch.chance, outcome, branch.other))
        steps.append(
            if_outcome(outcome, branch.chance, branch.task) if draw.use else sentence(branch.task)
        )
    reason = REASON if draw.use else ""
    return one_question(question, draw.tool, steps, carrier, other, reason, group)


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
        self.tool, self.use, self.first_step = draw.tool, draw.use, draw.first_step
        self.branches = [
            (part, first, outcome)
            for (part, first), outcome in zip(kept, draw.outcomes, strict=True)
        ]
