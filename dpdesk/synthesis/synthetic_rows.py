"""Draws rows from a fitted model: synthetic, nobody's.

Columns are drawn one after the other, each given those before it in its clique. Of the rows that
agree in these, the numbers of rows of each state are the expected ones, rounded up or down at
random (systematic sampling): the rows follow the model more closely than independent draws would.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Codes, Flags, Floats
from dpdesk.randomness import WordSource
from dpdesk.synthesis.junction_tree import Clique
from dpdesk.synthesis.markov_model import MarkovModel

_WORDS = 2.0**64


def draw_rows(model: MarkovModel, rows: int, words: WordSource) -> list[Codes]:
    """Returns the states of synthetic rows by column, shape (rows,) each.

    Args:
        model: A fitted model.
        rows: Number of rows, at least 1.
        words: Random words.
    """
    drawn: dict[int, Codes] = {}
    for clique, belief, possible in zip(
        model.tree.cliques, model.beliefs, model.possible, strict=True
    ):
        for column in clique:
            if column in drawn:
                continue
            given = tuple(c for c in clique if c in drawn)
            chances = _given(belief, possible, clique, given, column)
            cells = np.zeros(rows, dtype=np.int64)
            for each in given:
                cells = cells * model.tree.sizes[each] + drawn[each]
            drawn[column] = _drawn(chances, cells, words)
    return [drawn[column] for column in range(len(model.tree.sizes))]


def _given(belief: Floats, possible: Flags, clique: Clique, given: Clique, column: int) -> Floats:
    """The chances of a column's states given those before it, shape (cells of these, states)."""
    flat = _in_rows(belief, clique, given, column)
    whole = flat.sum(axis=1, keepdims=True)
    # No row comes to a cell of chance 0, but for rounding: then every state that can be is as good.
    can_be = _in_rows(possible.astype(np.float64), clique, given, column) > 0
    even = can_be / np.maximum(can_be.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.divide(flat, whole, out=even, where=whole > 0))


def _in_rows(values: Floats, clique: Clique, given: Clique, column: int) -> Floats:
    """Sums over all columns of a clique but some, shape (cells of those given, states)."""
    kept = (*given, column)
    axes = tuple(axis for axis, c in enumerate(clique) if c not in kept)
    summed = values.sum(axis=axes) if axes else values
    order = [c for c in clique if c in kept]
    joint = np.moveaxis(summed, order.index(column), -1)
    return joint.reshape(-1, joint.shape[-1])


def _drawn(chances: Floats, cells: NDArray[np.int64], words: WordSource) -> Codes:
    """Draws a state for each row, given its cell."""
    present, place, counts = np.unique(cells, return_inverse=True, return_counts=True)
    here = chances[present]
    reached = np.cumsum(here * counts[:, None], axis=1)
    # Rounding must not leave a row to a state behind the last one that has a chance.
    last = here.shape[1] - 1 - np.argmax(here[:, ::-1] > 0, axis=1)
    is_behind = np.arange(here.shape[1]) >= last[:, None]
    start = words.take(present.size) / _WORDS
    ends = np.minimum(np.floor(reached + start[:, None]), counts[:, None])
    ends = np.where(is_behind, counts[:, None], ends)
    each = np.diff(ends, axis=1, prepend=0).astype(np.int64)
    # Which of the rows of a cell get which state is drawn, too.
    order = np.lexsort((words.take(cells.size), place))
    states = np.empty(cells.size, dtype=np.int32)
    own = np.tile(np.arange(chances.shape[1], dtype=np.int32), present.size)
    states[order] = np.repeat(own, each.ravel())
    return states


def counted(states: Sequence[Codes], sizes: Sequence[int], columns: Clique) -> NDArray[np.int64]:
    """Counts rows by the states of some columns.

    Args:
        states: States of each column, shape (rows,) each.
        sizes: Number of states of each column.
        columns: The columns, at least one; one axis of the result for each.
    """
    cells = np.zeros(states[columns[0]].size, dtype=np.int64)
    for column in columns:
        cells *= sizes[column]
        cells += states[column]
    shape = [sizes[column] for column in columns]
    return np.bincount(cells, minlength=int(np.prod(shape))).reshape(shape)
