"""Which attribute each respondent answers, and what the others become: the strategies at work."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.errors import ReleaseError
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.fake_data_oracle import FakeDataOracle
from dpdesk.plan.model import Plan
from dpdesk.randomness import WordSource

Codes = NDArray[np.int32]

# Each serves all attributes with a chance of at least .5 on a plan that passed its check.
_DRAWS_MAX = 200


@dataclass(frozen=True, slots=True)
class AttributeReports:
    """The reports of one attribute in a chunk.

    Attributes:
        reports: One for every respondent.
        present: Whose are released, shape (n,); None where all are.
    """

    reports: NDArray[Any]
    present: NDArray[np.bool_] | None

    def tally(self, mechanism: BoundMechanism, weights: NDArray[np.float64] | None) -> Tally:
        """Counts the released reports."""
        if self.present is None:
            return mechanism.tally(self.reports, weights)
        chosen = None if weights is None else weights[self.present]
        return mechanism.tally(self.reports[self.present], chosen)


class AttributeDraw:
    """For some respondents, the attribute that each of them answers.

    It is drawn by one word each, without regard to the answers. Whatever is drawn, every attribute
    of every respondent is randomized, so that the number of words never depends on it.

    Attributes:
        released: Position of each respondent's attribute among the protected ones, shape (n,),
            where the release says it; else None.
    """

    def __init__(self, plan: Plan, rows: int, words: WordSource) -> None:
        """Draws the attributes of `rows` respondents; under "spl" there is nothing to draw."""
        self._attribute: Codes | None = None
        if plan.strategy != "spl":
            self._attribute = FixedLaw(len(plan.protected)).sample(words.take(rows))
        self.released = self._attribute if plan.strategy == "smp" else None

    @classmethod
    def of_everybody(cls, plan: Plan, rows: int, words: WordSource) -> AttributeDraw:
        """Draws the attributes of all respondents of a release.

        Where the release says who answers what, and nobody was drawn for some attribute, all are
        drawn anew: there would be nothing to estimate, and the release is charged already. Which
        attributes are drawn has nothing to do with the answers, so that this takes nothing from
        anybody's protection. The plan's check sees to it that it seldom happens.

        Args:
            plan: A plan without errors on so many respondents.
            rows: Number of respondents.
            words: Source of random words.

        Raises:
            ReleaseError: The source of randomness failed.
        """
        attributes = len(plan.protected)
        for _ in range(_DRAWS_MAX):
            draw = cls(plan, rows, words)
            if draw.released is None or np.unique(draw.released).size == attributes:
                return draw
        raise ReleaseError(
            f"In {_DRAWS_MAX} draws nobody was drawn to report one of the attributes, which chance "
            "does not do: the source of randomness has failed.",
            remedy="Do not release anything on this computer before it is repaired.",
        )

    def of(self, start: int, stop: int) -> AttributeDraw:
        """Returns the same for some consecutive ones of these respondents."""
        part = copy(self)
        if self._attribute is not None:
            part._attribute = self._attribute[start:stop]
        part.released = None if self.released is None else self.released[start:stop]
        return part

    def randomize(
        self, position: int, mechanism: BoundMechanism, codes: Codes, words: WordSource
    ) -> AttributeReports:
        """Draws the reports of one attribute.

        Args:
            position: Position of the attribute among the protected ones.
            mechanism: What is run for it, from `bind_attributes`.
            codes: True codes, shape (n,).
            words: Source of random words.
        """
        if self._attribute is None:
            return AttributeReports(mechanism.randomize(codes, words), None)
        drawn = self._attribute == position
        if isinstance(mechanism, FakeDataOracle):
            return AttributeReports(mechanism.randomize_drawn(codes, drawn, words), None)
        return AttributeReports(mechanism.randomize(codes, words), drawn)
