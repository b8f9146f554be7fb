"""Which attribute each respondent answers, and what the others become: the strategies at work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.fake_data_oracle import FakeDataOracle
from dpdesk.plan.model import Plan
from dpdesk.randomness import WordSource

Codes = NDArray[np.int32]


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
    """For a chunk of respondents, the attribute that each of them answers.

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
