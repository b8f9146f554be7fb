"""Usual devices for several answers and for numbers, to start from; and what changes with them."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, log

from dpdesk.designs import Design
from dpdesk.designs.additive import Additive
from dpdesk.designs.bar_lev import BarLev
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import MatrixCategories
from dpdesk.designs.mechanism_share import CategoryMechanism, MechanismShare
from dpdesk.designs.multiplicative import Multiplicative
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import CategoryDesign, SeveralDesign
from dpdesk.errors import DpdeskError

_HALF = Fraction(1, 2)
_TRUTH = Fraction(3, 5)
_SCALE = 0.2
"""Scale of a multiplier: its logarithm's, or half the width of the uniform one."""

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


def kind_of(design: Design) -> str:
    """Returns the word of a design in those lists."""
    return design.mechanism if isinstance(design, MechanismShare) else design.kind


def usual_several(kind: str, answers: int, epsilon: float) -> SeveralDesign:
    """Returns a device for so many answers, where it can be at an epsilon.

    Args:
        kind: One of `SEVERAL_KINDS`.
        answers: Number of answers, at least 2.
        epsilon: The epsilon to meet; where it is infinite, or cannot be met, it is left aside.
    """
    design: SeveralDesign
    if kind == "matrix":
        return usual_matrix(answers)
    if kind == "forced_categories":
        design = ForcedCategories(orders=(_HALF / answers,) * answers)
        if not isfinite(epsilon) or abs(epsilon - log(1 + answers)) < 1e-3:
            return design
    else:
        mechanism = next(word for word in MECHANISMS if word == kind)
        design = MechanismShare(mechanism=mechanism, categories=answers)
    try:
        found = design.at_epsilon(epsilon * (1 + 1e-12)) if isfinite(epsilon) else design
    except DpdeskError:
        return design
    assert isinstance(found, (CategoryDesign, MechanismShare))  # noqa: S101 - of the same kind
    return found


def usual_matrix(answers: int) -> MatrixCategories:
    """Returns the matrix of a device that lets the truth be said with chance 3/5."""
    other = (1 - _TRUTH) / (answers - 1)
    size = range(answers)
    return MatrixCategories(
        rows=tuple(tuple(_TRUTH if i == j else other for j in size) for i in size)
    )


def usual_number(kind: str, lower: float, upper: float, epsilon: float) -> NumberDesign:
    """Returns a device for numbers between two bounds, where it can be at an epsilon."""
    design: NumberDesign
    if kind == "additive":
        design = Additive(lower=lower, upper=upper, scale=upper - lower)
    elif kind == "multiplicative":
        design = Multiplicative(lower=lower, upper=upper, scale=_SCALE)
    else:
        return BarLev(lower=lower, upper=upper, scale=_SCALE)
    try:
        found = design.at_epsilon(epsilon * (1 + 1e-12)) if isfinite(epsilon) else design
    except DpdeskError:
        return design
    assert isinstance(found, NumberDesign)  # noqa: S101 - of the same kind
    return found


def resized(design: SeveralDesign, answers: int, removed: int | None) -> SeveralDesign:
    """Returns a design for another number of answers.

    The chance of the truth stays; a new order is as likely as the others are on the average. A
    matrix begins anew.

    Args:
        design: The design so far.
        answers: Number of answers from now on.
        removed: Number of the answer that went, from 0; None if one was added at the end.
    """
    if answers == design.size:
        return design
    if isinstance(design, MechanismShare):
        return design.model_copy(update={"categories": answers})
    if not isinstance(design, ForcedCategories):
        return usual_matrix(answers)
    orders, ordered = list(design.orders), sum(design.orders, Fraction(0))
    if removed is None:
        orders.append(ordered / len(orders))
    else:
        del orders[removed]
    left = sum(orders, Fraction(0))
    if not left:
        return usual_several("forced_categories", answers, float("inf"))
    return design.model_copy(update={"orders": tuple(ordered * order / left for order in orders)})
