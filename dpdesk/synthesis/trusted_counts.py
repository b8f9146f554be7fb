"""The true table, behind the three things that a synthesis may ask of it.

Nothing else reads an answer: the noisy shares of all columns, which two-way table to measure next,
and its noisy counts. How often each is asked is fixed by the budget and enforced here, so that what
is computed from the results, the synthetic rows among it, costs nothing more (post-processing).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Protocol

import numpy as np

from dpdesk.errors import ReleaseError
from dpdesk.numbers.arrays import Codes, Counts
from dpdesk.synthesis.budget import SynthesisBudget, mean_noise
from dpdesk.synthesis.junction_tree import Clique
from dpdesk.synthesis.markov_model import NoisyTable
from dpdesk.synthesis.synthetic_rows import counted
from dpdesk.synthesis.texts import T


class Asked(Protocol):
    """What a synthesis asks of a table."""

    def shares(self) -> list[NoisyTable]:
        """Returns the noisy counts of every column; once."""

    def begin(self, rows: int) -> int:
        """Returns how many rounds follow, by the number of rows as it is known; once."""

    def choose(self, candidates: Sequence[Clique], expected: Sequence[Counts]) -> int:
        """Returns which candidate to measure next; once in each round."""

    def measure(self, columns: Clique) -> NoisyTable:
        """Returns the noisy counts of a two-way table; once in each round."""


class TrustedCounts:
    """Asks the true table, within a budget.

    Args:
        states: States of each column, shape (rows,) each; of the rows that count.
        sizes: Number of states of each column.
        budget: The loss, and what follows from it.
    """

    def __init__(
        self, states: Sequence[Codes], sizes: Sequence[int], budget: SynthesisBudget
    ) -> None:
        self._states = tuple(states)
        self._sizes = tuple(sizes)
        self._budget = budget
        self._counted: dict[Clique, Counts] = {}
        self._rounds = 0
        self._left = {"shares": 1, "begin": 1, "choose": 0, "measure": 0}

    def shares(self) -> list[NoisyTable]:
        """Returns the noisy counts of every column, by one draw of noise for all.

        Raises:
            ReleaseError: They were drawn before.
        """
        self._spend("shares")
        exact = [self._exact((column,)) for column in range(len(self._sizes))]
        noise = self._budget.shares_noise(sum(self._sizes))
        noisy = np.asarray(noise.draw(np.concatenate(exact).tolist()), dtype=np.float64)
        ends = np.cumsum(self._sizes)[:-1]
        return [
            NoisyTable((column,), own, noise.variance)
            for column, own in enumerate(np.split(noisy, ends))
        ]

    def begin(self, rows: int) -> int:
        """Divides what is left of the loss among rounds, and returns their number.

        Args:
            rows: The number of rows as the shares tell it, or as it is public.

        Raises:
            ReleaseError: It was divided before.
            CertificateError: The parts would exceed the loss.
        """
        self._spend("begin")
        self._rounds = self._budget.rounds_for(rows, self._sizes)
        self._budget.require_within(sum(self._sizes), self._rounds)
        self._left["choose"] = self._left["measure"] = self._rounds
        return self._rounds

    def choose(self, candidates: Sequence[Clique], expected: Sequence[Counts]) -> int:
        """Returns the position of the candidate that is furthest from what is expected.

        Of its L1 distance is taken what the noise of its cells costs: a table is worth measuring if
        it is further off than its noise would be.

        Args:
            candidates: Two columns each, ascending.
            expected: Whole counts of each candidate, which follow from earlier results.

        Raises:
            ReleaseError: Every choice of the budget was made.
        """
        self._spend("choose")
        scores = [
            int(np.abs(self._exact(columns) - own).sum()) - self.noise_of(columns)
            for columns, own in zip(candidates, expected, strict=True)
        ]
        choice = self._budget.choice(len(candidates), self._rounds)
        return choice.draw(np.asarray(scores, dtype=np.int64))[0]

    def measure(self, columns: Clique) -> NoisyTable:
        """Returns the noisy counts of a two-way table.

        Raises:
            ReleaseError: Every table of the budget was measured.
        """
        self._spend("measure")
        exact = self._exact(columns)
        noise = self._budget.table_noise(exact.size, self._rounds)
        noisy = np.asarray(noise.draw(exact.ravel().tolist()), dtype=np.float64)
        return NoisyTable(columns, noisy.reshape(exact.shape), noise.variance)

    def noise_of(self, columns: Clique) -> int:
        """Returns what the noise of a table costs in L1 after fitting, roughly: half of it."""
        cells = prod(self._sizes[column] for column in columns)
        return round(cells * mean_noise(self._budget.table_noise(cells, self._rounds)) / 2)

    def _exact(self, columns: Clique) -> Counts:
        if columns not in self._counted:
            self._counted[columns] = counted(self._states, self._sizes, columns)
        return self._counted[columns]

    def _spend(self, what: str) -> None:
        if not self._left[what]:
            raise ReleaseError(T.NOT_CHARGED())
        self._left[what] -= 1
