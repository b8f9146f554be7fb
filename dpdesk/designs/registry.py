"""The list of designs. To add one, write a class in this folder and add it to the tuple."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar, Union

from pydantic import Field

from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.base import Design
from dpdesk.designs.cheating_detection import CheatingDetection, SymmetricCheatingDetection
from dpdesk.designs.christofides import Christofides
from dpdesk.designs.crosswise import Crosswise, ExtendedCrosswise, Triangular
from dpdesk.designs.direct import Direct
from dpdesk.designs.forced import Forced
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.matrix_categories import MatrixCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.designs.stochastic_lie_detector import StochasticLieDetector
from dpdesk.designs.unrelated import Unrelated, UnrelatedTwoSamples
from dpdesk.designs.warner import Mangat, MangatSingh, SinghJoarder, WarnerDesign
from dpdesk.errors import kind_named

Family = TypeVar("Family", bound=Design)

DESIGNS: tuple[type[Design], ...] = (
    Direct,
    WarnerDesign,
    Crosswise,
    Triangular,
    Unrelated,
    UnrelatedTwoSamples,
    Forced,
    Kuk,
    Mangat,
    MangatSingh,
    SinghJoarder,
    Christofides,
    CheatingDetection,
    SymmetricCheatingDetection,
    StochasticLieDetector,
    ExtendedCrosswise,
    AnchoredCrosswise,
    ItemCount,
    ForcedCategories,
    MatrixCategories,
    MechanismShare,
    Additive,
    Multiplicative,
    BarLev,
)
"""Every design, in the order in which lists show them."""

AnyDesign: Any = Annotated[Union[DESIGNS], Field(discriminator="kind")]  # noqa: UP007 - of a tuple
"""Any design, as a field of a record; the tag is `kind`."""


def designs_of(family: type[Family]) -> tuple[type[Family], ...]:
    """Returns the designs of a family that estimate its quantity, in the order of the list.

    Args:
        family: `YesNoDesign`, `SeveralDesign` or `NumberDesign`.
    """
    return tuple(
        design
        for design in DESIGNS
        if issubclass(design, family) and design.quantity == family.quantity
    )


def design_named(kind: str) -> type[Design]:
    """Returns the design of a kind.

    Raises:
        ParameterError: There is no design of this name.
    """
    return kind_named({design.tag(): design for design in DESIGNS}, kind, "design")
