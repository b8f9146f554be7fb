"""Instructions for questions with several answers and for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from dpdesk.designs.additive import Additive
from dpdesk.designs.bar_lev import BarLev
from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.instructions.devices import draw_among, draw_of
from dpdesk.designs.instructions.procedure import UNSEEN, Instruction, Way, if_outcome
from dpdesk.designs.multiplicative import Multiplicative
from dpdesk.designs.multiplying import MultiplyingDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.errors import ParameterError

_REASON = (
    "Only you know what the device showed, so nobody knows whether you told the truth or followed "
    "the device."
)
_TRUTH = "say your true answer"


@dataclass(frozen=True, slots=True)
class CategoryInstruction(Instruction):
    """What respondents do who have several answers to choose from.

    Attributes:
        ways: Everything that can happen, for each true answer.
    """

    ways: tuple[tuple[Way, ...], ...]

    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """Returns the chance of each answer (column) for each true answer (row)."""
        said = [str(number) for number in range(1, len(self.ways) + 1)]
        return tuple(
            tuple(
                sum((way.chance for way in row if way.answer == answer), Fraction(0))
                for answer in said
            )
            for row in self.ways
        )


def answer_names(design: CategoryDesign, given: Sequence[str]) -> tuple[str, ...]:
    """Returns the words of the answers: as given, else their numbers."""
    names = [*given, *[""] * (len(design.law) - len(given))][: len(design.law)]
    return tuple(name.strip() or f"answer {number}" for number, name in enumerate(names, start=1))


def several_answers(
    design: CategoryDesign, question: str, names: Sequence[str]
) -> CategoryInstruction:
    """Returns what respondents do with a device for several answers."""
    words = answer_names(design, names)
    if isinstance(design, ForcedCategories):
        return _ordered(design, question, words)
    return _by_rows(design, question, words)


def _ordered(
    design: ForcedCategories, question: str, words: tuple[str, ...]
) -> CategoryInstruction:
    truth = 1 - sum(design.orders, Fraction(0))
    kept = [(n, chance) for n, chance in enumerate(design.orders, start=1) if chance]
    draw = draw_among([chance for _, chance in kept] + [truth])
    *orders, free = draw.outcomes
    steps = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    steps += [
        if_outcome(outcome, chance, f"say “{words[n - 1]}”, whatever your true answer is")
        for (n, chance), outcome in zip(kept, orders, strict=True)
    ]
    steps.append(if_outcome(free, truth, _TRUTH) if draw.use else "Say your true answer.")
    forced = tuple(
        Way(chance, outcome, str(n)) for (n, chance), outcome in zip(kept, orders, strict=True)
    )
    ways = tuple((*forced, Way(truth, free, str(n + 1))) for n in range(len(words)))
    return CategoryInstruction("", draw.tool, _asked(question, words), tuple(steps), _REASON, ways)


def _by_rows(design: CategoryDesign, question: str, words: tuple[str, ...]) -> CategoryInstruction:
    # One device for every true answer: different ones would betray it.
    size = lcm(*(chance.denominator for row in design.law for chance in row))
    steps: list[str] = []
    ways: list[tuple[Way, ...]] = []
    tool = ""
    for name, row in zip(words, design.law, strict=True):
        kept = [(n, chance) for n, chance in enumerate(row, start=1) if chance]
        draw = draw_of(size, [chance for _, chance in kept])
        tool = draw.tool
        if draw.use and not steps:
            steps.append(f"{draw.use}, {UNSEEN}.")
        ways.append(
            tuple(
                Way(chance, outcome, str(n))
                for (n, chance), outcome in zip(kept, draw.outcomes, strict=True)
            )
        )
        steps += [
            if_outcome(
                f"your true answer is “{name}” and {way.outcome}",
                way.chance,
                f"say “{words[int(way.answer) - 1]}”",
            )
            for way in ways[-1]
        ]
    return CategoryInstruction(
        "", tool, _asked(question, words), tuple(steps), _REASON, tuple(ways)
    )


def _asked(question: str, words: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return (("", f"{question} ({', '.join(words)})"),)


def number(design: NumberDesign, question: str) -> Instruction:
    """Returns what respondents do whose answer is a number.

    Raises:
        ParameterError: The parameters make no device, or there is no instruction for it.
    """
    design.shift_and_factor  # noqa: B018 - refuses a device that is none
    if isinstance(design, Additive):
        law = (
            f"Laplace's law with mean {design.center:g} and scale {design.scale:g}"
            if design.noise == "laplace"
            else f"all numbers from {design.center - design.scale:g} to "
            f"{design.center + design.scale:g}, equally likely"
        )
        done = "Add it to your true number, and say only the sum."
        return _drawn(question, law, (done,))
    if not isinstance(design, MultiplyingDesign):
        raise ParameterError(
            f"There is no instruction sheet for {design.title}.", remedy="Choose another design."
        )
    law = (
        f"numbers above 0 whose logarithm follows Laplace's law with mean 0 and scale "
        f"{design.scale:g}"
        if design.noise == "laplace"
        else f"all numbers from {1 - design.scale:g} to {1 + design.scale:g}, equally likely"
    )
    product = "multiply your true number by it, and say only the product"
    if isinstance(design, Multiplicative):
        return _drawn(question, law, (f"{product[0].upper()}{product[1:]}.",))
    assert isinstance(design, BarLev)  # noqa: S101 - the other design that multiplies
    draw = draw_among([design.truth, 1 - design.truth])
    first, second = draw.outcomes
    found = _drawn(
        question,
        law,
        (
            f"{draw.use}, {UNSEEN}.",
            if_outcome(first, design.truth, "say your true number"),
            if_outcome(second, 1 - design.truth, product),
        ),
    )
    return Instruction(
        "", f"{draw.tool} and {found.tool}", found.questions, found.steps, found.reason
    )


def _drawn(question: str, law: str, then: tuple[str, ...]) -> Instruction:
    return Instruction(
        "",
        f"a device that draws numbers ({law})",
        (("", question),),
        (f"Let the device draw a number, {UNSEEN}.", *then),
        "Only you know the number that was drawn.",
    )
