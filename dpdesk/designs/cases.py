"""What is done with a design, by the family that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from dpdesk.designs.base import Design
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.designs.yes_no import YesNoDesign

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Cases(Generic[Result]):
    """What is done with a design, by what it estimates.

    Attributes:
        share: With a design of one share.
        shares: With a design of several answers.
        mean: With a design of numbers.
        single: Whether a design of several answers that can count one alone is for `share`.
    """

    share: Callable[[YesNoDesign], Result]
    shares: Callable[[SeveralDesign], Result]
    mean: Callable[[NumberDesign], Result]
    single: bool = True

    def of(self, design: Design) -> Result:
        """Returns what the function for the design's family makes of it."""
        is_several = isinstance(design, SeveralDesign)
        if isinstance(design, YesNoDesign) and (self.single or not is_several):
            return self.share(design)
        if isinstance(design, SeveralDesign):
            return self.shares(design)
        if isinstance(design, NumberDesign):
            return self.mean(design)
        raise TypeError(design.kind)
