"""The designs for several answers and for numbers. Adding one is a file and a word here."""

from __future__ import annotations

from dpdesk.designs.additive import Additive
from dpdesk.designs.bar_lev import BarLev
from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.matrix_categories import MatrixCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.multiplicative import Multiplicative
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.record import DesignRecord
from dpdesk.designs.registry import DESIGNS
from dpdesk.errors import ParameterError

CATEGORY_DESIGNS: tuple[type[CategoryDesign], ...] = (ForcedCategories, MatrixCategories)
"""Designs of a question with several answers."""

NUMBER_DESIGNS: tuple[type[NumberDesign], ...] = (Additive, Multiplicative, BarLev)
"""Designs of a question whose answer is a number."""

ALL_DESIGNS: tuple[type[DesignRecord], ...] = (
    *DESIGNS,
    MechanismShare,
    *CATEGORY_DESIGNS,
    *NUMBER_DESIGNS,
)
"""Every design, in the order in which lists show them."""


def tag_of(design: type[DesignRecord]) -> str:
    """Returns the tag of any design, such as "additive"."""
    return str(design.model_fields["kind"].default)


def any_design_named(kind: str) -> type[DesignRecord]:
    """Returns the design of a kind, of a trait, of several answers or of a number.

    Raises:
        ParameterError: There is none of this name.
    """
    for design in ALL_DESIGNS:
        if tag_of(design) == kind:
            return design
    known = ", ".join(map(tag_of, ALL_DESIGNS))
    raise ParameterError("There is no design of this name.", remedy=f"Use one of: {known}.")
