"""The list of designs. Adding one is a file beside this one and a word in the tuple."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.base import Design
from dpdesk.designs.cheating_detection import CheatingDetection
from dpdesk.designs.christofides import Christofides
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.direct import Direct
from dpdesk.designs.extended_crosswise import ExtendedCrosswise
from dpdesk.designs.forced import Forced
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.mangat import Mangat
from dpdesk.designs.mangat_singh import MangatSingh
from dpdesk.designs.singh_joarder import SinghJoarder
from dpdesk.designs.stochastic_lie_detector import StochasticLieDetector
from dpdesk.designs.symmetric_cheating_detection import SymmetricCheatingDetection
from dpdesk.designs.triangular import Triangular
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.unrelated_two_samples import UnrelatedTwoSamples
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError

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
)
"""Every design, in the order in which lists show them."""

AnyDesign = Annotated[
    Direct
    | WarnerDesign
    | Crosswise
    | Triangular
    | Unrelated
    | UnrelatedTwoSamples
    | Forced
    | Kuk
    | Mangat
    | MangatSingh
    | SinghJoarder
    | Christofides
    | CheatingDetection
    | SymmetricCheatingDetection
    | StochasticLieDetector
    | ExtendedCrosswise
    | AnchoredCrosswise
    | ItemCount,
    Field(discriminator="kind"),
]
"""Any design; the tag is `kind`."""


def kind_of_design(design: type[Design]) -> str:
    """Returns the tag of a design, such as "warner"."""
    return str(design.model_fields["kind"].default)


def design_named(kind: str) -> type[Design]:
    """Returns the design of a kind.

    Raises:
        ParameterError: There is none of this name.
    """
    for design in DESIGNS:
        if kind_of_design(design) == kind:
            return design
    known = ", ".join(map(kind_of_design, DESIGNS))
    raise ParameterError("There is no design of this name.", remedy=f"Use one of: {known}.")
