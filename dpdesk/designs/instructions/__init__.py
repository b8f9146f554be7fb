"""What respondents are told to do, for every design, in words made from its own chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.base import Design
from dpdesk.designs.cheating_detection import CheatingDetection
from dpdesk.designs.christofides import Christofides
from dpdesk.designs.crosswise import Crosswise
from dpdesk.designs.direct import Direct
from dpdesk.designs.extended_crosswise import ExtendedCrosswise
from dpdesk.designs.forced import Forced
from dpdesk.designs.instructions import by_program, innocent, numbers, one_device
from dpdesk.designs.instructions.blanks import Blank, blanks_of, filled
from dpdesk.designs.instructions.devices import chance_words
from dpdesk.designs.instructions.procedure import Procedure, Way
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
from dpdesk.errors import ParameterError

__all__ = ["QUESTION", "Blank", "Procedure", "Way", "blanks_of", "chance_words", "procedures_of"]

QUESTION = "the sensitive question"
"""What stands for the question where none was written."""

# Each takes the one class of designs that is its key.
_ALONE: dict[type[Design], Callable[[Any, str], tuple[Procedure, ...]]] = {
    Direct: one_device.direct,
    WarnerDesign: one_device.warner,
    Forced: one_device.forced,
    Mangat: one_device.mangat,
    MangatSingh: one_device.mangat_singh,
    SinghJoarder: one_device.singh_joarder,
    CheatingDetection: one_device.cheating_detection,
    SymmetricCheatingDetection: one_device.symmetric_cheating_detection,
    StochasticLieDetector: one_device.stochastic_lie_detector,
    Kuk: numbers.kuk,
    Christofides: numbers.christofides,
    MechanismShare: by_program.mechanism_share,
}
_WITH_OTHERS: dict[type[Design], Callable[[Any, str, Sequence[str]], tuple[Procedure, ...]]] = {
    Crosswise: innocent.crosswise,
    Triangular: innocent.triangular,
    Unrelated: innocent.unrelated,
    UnrelatedTwoSamples: innocent.unrelated_two_samples,
    ExtendedCrosswise: innocent.extended_crosswise,
    AnchoredCrosswise: innocent.anchored_crosswise,
    ItemCount: numbers.item_count,
}


def procedures_of(
    design: Design, question: str = "", others: Sequence[str] = ()
) -> tuple[Procedure, ...]:
    """Returns what respondents of each group do, in the order of `design.asked`.

    Args:
        design: The design.
        question: The sensitive question, answered with yes or no.
        others: The questions that `blanks_of` asks for, in its order; those that are empty or
            missing are proposed or left to be filled in by hand.

    Raises:
        ParameterError: The design's parameters are impossible, or it has no such instruction.
    """
    design.asked  # noqa: B018 - refuses parameters that tell nothing
    asked = question.strip() or QUESTION
    alone = _ALONE.get(type(design))
    if alone is not None:
        return alone(design, asked)
    among = _WITH_OTHERS.get(type(design))
    if among is None:
        raise ParameterError(
            f"There is no instruction sheet for {design.title}.", remedy="Choose another design."
        )
    return among(design, asked, filled(blanks_of(design), others))
