"""The designs that are offered for each kind of answer, and the usual ones to start from."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log
from typing import TypeVar

from dpdesk.designs import Design, designs_of
from dpdesk.designs.mechanism_share import CategoryMechanism, MechanismShare
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.design_words import BINARY_KINDS, design_title

Kind = TypeVar("Kind", bound=Design)


@dataclass(frozen=True)
class Offered:
    """A design of a list.

    Attributes:
        word: Its word, which tells a program's mechanisms apart.
        title: Its name, with a device where it is the usual one.
    """

    word: str
    title: str


MECHANISMS: tuple[CategoryMechanism, ...] = (
    "grr",
    "sue",
    "oue",
    "subset_selection",
    "blh",
    "olh",
    "hadamard",
)

SEVERAL_KINDS: tuple[str, ...] = ("forced_categories", "matrix", *MECHANISMS)
"""Designs for several answers, in the order of the list."""

NUMBER_KINDS: tuple[str, ...] = ("additive", "multiplicative", "bar_lev")
"""Designs for numbers, in the order of the list."""


def offered_for_share() -> tuple[Offered, ...]:
    """The designs of a question answered with yes or no."""
    return tuple(Offered(kind.tag(), design_title(kind.example())) for kind in BINARY_KINDS)


def offered_for_shares() -> tuple[Offered, ...]:
    """The designs of a question with several answers."""
    return tuple(Offered(word, design_title(usual_several(word, 4, 1.0))) for word in SEVERAL_KINDS)


def offered_for_mean() -> tuple[Offered, ...]:
    """The designs of a question whose answer is a number."""
    return tuple(
        Offered(word, design_title(usual_number(word, 1, 2, 1.0))) for word in NUMBER_KINDS
    )


def kind_of(design: Design) -> str:
    """Returns the word of a design in those lists."""
    several = design.as_shares
    program = None if several is None else several.program
    return design.kind if program is None else program.mechanism.kind


def usual_several(kind: str, answers: int, epsilon: float) -> SeveralDesign:
    """Returns a device for so many answers, where it can be at an epsilon.

    Args:
        kind: One of `SEVERAL_KINDS`.
        answers: Number of answers, at least 2.
        epsilon: The epsilon to meet; where it is infinite, or cannot be met, it is left aside.
    """
    mechanism = next((word for word in MECHANISMS if word == kind), None)
    if mechanism is not None:
        return _near(MechanismShare(mechanism=mechanism, categories=answers), epsilon)
    family = designs_of(SeveralDesign)  # type: ignore[type-abstract]
    design = next(found for found in family if found.tag() == kind).for_answers(answers)
    # The usual orders are plain fractions, which those of nearly their epsilon are not.
    if kind == "forced_categories" and abs(epsilon - log(1 + answers)) < 1e-3:
        return design
    return _near(design, epsilon)


def usual_number(kind: str, lower: float, upper: float, epsilon: float) -> NumberDesign:
    """Returns a device for numbers between two bounds, where it can be at an epsilon."""
    family = designs_of(NumberDesign)  # type: ignore[type-abstract]
    design = next(found for found in family if found.tag() == kind).between(lower, upper)
    return _near(design, epsilon)


def _near(design: Kind, epsilon: float) -> Kind:
    """The design at an epsilon where it can be; else as it is."""
    if not isfinite(epsilon):
        return design
    try:
        return design.at_epsilon(epsilon * (1 + 1e-12))
    except DpdeskError:
        return design
