"""Synthetic rows: which tables are measured, how the model is fitted, what is drawn.

In each round the two-way table is chosen in which the model's rows are furthest from the data, and
measured; then the model is fitted anew. Selecting by what the model lacks is that of MWEM (Hardt,
Ligett & McSherry 2012) and AIM (McKenna, Mullins, Sheldon & Miklau 2022).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dpdesk.numbers.arrays import Codes, Counts
from dpdesk.randomness import WordSource
from dpdesk.synthesis.impossible import Zero
from dpdesk.synthesis.junction_tree import CELLS_MAX, Clique
from dpdesk.synthesis.markov_model import MarkovModel, NoisyTable
from dpdesk.synthesis.states import ROWS_MAX
from dpdesk.synthesis.synthetic_rows import counted, draw_rows
from dpdesk.synthesis.trusted_counts import Asked

_ROUND_STEPS, _LAST_STEPS = 20, 300
_EXPECTED_ROWS = 100_000


@dataclass(frozen=True)
class Synthesized:
    """What a synthesis made; everything in it may be published.

    Attributes:
        states: States of the synthetic rows by column, shape (rows,) each.
        tables: The noisy tables, in the order in which they were measured; a cell that cannot be
            has the count 0.
        measured_rows: The noisy number of rows of the file, or the true one where it is public.
        rounds: How many rounds the loss was divided among.
    """

    states: tuple[Codes, ...]
    tables: tuple[NoisyTable, ...]
    measured_rows: int
    rounds: int

    @property
    def pairs(self) -> tuple[Clique, ...]:
        """The two-way tables that were chosen, in their order."""
        return tuple(table.columns for table in self.tables if len(table.columns) == 2)


def synthesize(
    asked: Asked,
    sizes: Sequence[int],
    words: WordSource,
    *,
    zeros: Sequence[Zero] = (),
    public_rows: int | None = None,
    rows: int | None = None,
    tell: Callable[[float], None] = lambda _: None,
) -> Synthesized:
    """Makes synthetic rows.

    Args:
        asked: What is asked of the data; nothing else of them is seen here.
        sizes: Number of states of each column, at least one column.
        words: Random words for the rows.
        zeros: Combinations that cannot be, of which no row is drawn.
        public_rows: Number of rows of the file, if it is public.
        rows: Number of rows to draw; if None, as many as the file seems to have, at most
            `ROWS_MAX`: where noise is large, the file can seem to have any number.
        tell: Called with the share done, 0 to 1; may raise to stop.
    """
    tell(0.0)
    model = MarkovModel(sizes, zeros)
    shares = asked.shares()
    model.add(shares)
    size = public_rows or _measured_rows(shares)
    rounds = asked.begin(size)
    tick = _Ticks(tell, rounds)
    model.fit(size, _ROUND_STEPS, tick)
    measured: list[Clique] = []
    for _ in range(rounds):
        tick.next_round()
        candidates = _candidates(model, measured)
        if not candidates:
            break
        expected = _expected(model, candidates, size, words)
        chosen = candidates[asked.choose(candidates, expected)]
        table = asked.measure(chosen)
        measured.append(chosen)
        model.add([table])
        # A table of two has less noise than the shares, and tells the number of rows as well.
        size = public_rows or _measured_rows(model.tables)
        model.fit(size, _ROUND_STEPS, tick)
    model.fit(size, _LAST_STEPS, tick)
    drawn = draw_rows(model, rows or min(size, ROWS_MAX), words)
    return Synthesized(tuple(drawn), tuple(model.tables), size, rounds)


class _Ticks:
    """Tells the share done, which the rounds and the last fit have equal parts of."""

    def __init__(self, tell: Callable[[float], None], rounds: int) -> None:
        self._tell = tell
        self._rounds = rounds
        self._done = 0

    def next_round(self) -> None:
        self._done += 1
        self()

    def __call__(self) -> None:
        self._tell(self._done / (self._rounds + 1))


def _measured_rows(tables: Sequence[NoisyTable]) -> int:
    """The number of rows: each table has it as its sum, the best of these weighted."""
    weights = [1 / (table.variance * table.counts.size) for table in tables]
    sums = [float(table.counts.sum()) for table in tables]
    return max(1, round(float(np.average(sums, weights=weights))))


def _candidates(model: MarkovModel, measured: Sequence[Clique]) -> list[Clique]:
    """The pairs of columns that are not measured yet and keep the tree small enough to fit."""
    columns = range(len(model.tree.sizes))
    return [
        pair
        for pair in combinations(columns, 2)
        if pair not in measured and model.tree.cells_with(*pair) <= CELLS_MAX
    ]


def _expected(
    model: MarkovModel, pairs: Sequence[Clique], size: int, words: WordSource
) -> list[Counts]:
    """The counts of rows drawn from the model, as if they were as many as the file has."""
    rows = min(size, _EXPECTED_ROWS)
    drawn = draw_rows(model, rows, words)
    own = (counted(drawn, model.tree.sizes, pair) for pair in pairs)
    if rows == size:
        return list(own)
    return [np.rint(each * (size / rows)).astype(np.int64) for each in own]
