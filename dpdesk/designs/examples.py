"""A usual device for every design, to start from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

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
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.singh_joarder import SinghJoarder
from dpdesk.designs.stochastic_lie_detector import StochasticLieDetector
from dpdesk.designs.symmetric_cheating_detection import SymmetricCheatingDetection
from dpdesk.designs.triangular import Triangular
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.unrelated_two_samples import UnrelatedTwoSamples
from dpdesk.designs.warner import WarnerDesign
from dpdesk.i18n import N_

_HALF, _THIRD, _QUARTER, _SIXTH = (Fraction(1, parts) for parts in (2, 3, 4, 6))
_MOST = 1 - _QUARTER


@dataclass(frozen=True, slots=True)
class Example:
    """A design with parameters that things at hand have.

    Attributes:
        design: The design.
        device: The things, in a few words; empty where the title says enough.
    """

    design: Design
    device: str


EXAMPLES: tuple[Example, ...] = (
    Example(Direct(), ""),
    Example(WarnerDesign(p=_MOST), N_("two coins")),
    Example(Crosswise(p=_QUARTER), N_("birthday")),
    Example(Triangular(p=_QUARTER), N_("birthday")),
    Example(Unrelated(p=_HALF, q=_SIXTH), N_("a coin")),
    Example(UnrelatedTwoSamples(p1=_MOST, p2=_QUARTER, q=_HALF), N_("two coins")),
    Example(Forced(forced_no=_SIXTH, forced_yes=_SIXTH), N_("one die")),
    Example(Kuk(p1=_MOST, p2=_QUARTER), N_("two decks")),
    Example(Mangat(p=_MOST), N_("two coins")),
    Example(MangatSingh(t=_HALF, p=_MOST), N_("three coins")),
    Example(SinghJoarder(p=_MOST), N_("two coins")),
    Example(Christofides(chances=(_HALF, _THIRD, _SIXTH)), N_("one die")),
    Example(CheatingDetection(p1=_THIRD, p2=1 - _THIRD), N_("one die")),
    Example(
        SymmetricCheatingDetection(yes1=_THIRD, no1=_SIXTH, yes2=_SIXTH, no2=_THIRD),
        N_("one die"),
    ),
    Example(StochasticLieDetector(s1=_THIRD, s2=1 - _THIRD), N_("one die")),
    Example(ExtendedCrosswise(p=_QUARTER), N_("birthday")),
    Example(AnchoredCrosswise(p=_QUARTER, anchor=_QUARTER), N_("two birthdays")),
    Example(ItemCount(items=4), N_("five items")),
    Example(MechanismShare(), ""),
)
"""One for each design of the registry, in its order, and one of several answers."""


def example_of(kind: type[Design]) -> Example:
    """Returns the usual device of a design."""
    return next(example for example in EXAMPLES if type(example.design) is kind)
