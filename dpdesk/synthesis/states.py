"""The states of a column: what a synthetic answer can be, declared before anybody looks at data.

Each category is a state. Numbers are put into classes of equal width whose edges are round numbers;
a synthetic number is drawn evenly from the points of the grid in its class. No answer is a state of
its own where the column can lack answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import AnyDomain, NumericDomain
from dpdesk.randomness import WordSource

Codes = NDArray[np.int32]

CLASSES = 20
"""Most classes of the numbers of a column."""

STATES_MAX = 10_000
"""Most states of a column: its shares alone would be noise beyond."""

ROWS_MAX = 10_000_000
"""Most synthetic rows: where a file seems to have more, so many are drawn."""

_ROUND = (1, 2, 5)
_WORD_BITS = 64


@dataclass(frozen=True)
class ColumnStates:
    """The states of one column.

    Attributes:
        name: Name of the column.
        texts: What each state is called; a class of numbers by its first and last.
        starts: First code of each state, and the code behind the last one; a category has one
            code.
        no_answer: Code that stands for no answer in the file that is written; None where every
            row has an answer.
    """

    name: str
    texts: tuple[str, ...]
    starts: tuple[int, ...]
    no_answer: int | None

    @property
    def size(self) -> int:
        """Number of states."""
        return len(self.texts)

    @property
    def are_classes(self) -> bool:
        """Whether several numbers share a state."""
        return self.starts[-1] > len(self.starts) - 1

    def of_codes(self, codes: Codes) -> Codes:
        """Returns the state of each code, same shape.

        Args:
            codes: Codes of the domain; -1 and the code behind the last stand for no answer.
        """
        behind = self.starts[-1]
        missing = (codes < 0) | (codes >= behind)
        found = np.searchsorted(np.asarray(self.starts), codes, side="right") - 1
        return np.where(missing, self.size - 1, found).astype(np.int32)

    def drawn_codes(self, states: Codes, words: WordSource) -> Codes:
        """Returns a code of each state: of a class of numbers one of its points, drawn evenly.

        Args:
            states: States, shape (rows,).
            words: Random words.
        """
        own = np.asarray(self.starts, dtype=np.int64)
        firsts, widths = own[:-1], np.diff(own)
        if self.no_answer is not None:
            firsts = np.append(firsts, self.no_answer)
            widths = np.append(widths, 1)
        codes = firsts[states]
        if self.are_classes:
            shares = words.take(states.size) / 2.0**_WORD_BITS
            wide = widths[states]
            codes = codes + np.minimum((shares * wide).astype(np.int64), wide - 1)
        return codes.astype(np.int32)


def column_states(
    name: str, domain: AnyDomain, *, lacks_answers: bool, classes: int = CLASSES
) -> ColumnStates:
    """Returns the states of a column, from its declaration alone.

    Args:
        name: Name of the column.
        domain: Its declared domain, of categories or numbers.
        lacks_answers: Whether a row may have no answer.
        classes: Most classes of numbers.
    """
    if isinstance(domain, NumericDomain):
        starts = class_starts(domain, classes)
        texts = tuple(
            domain.texts[first]
            if last == first
            else f"{domain.texts[first]} to {domain.texts[last]}"
            for first, last in zip(starts[:-1], (s - 1 for s in starts[1:]), strict=True)
        )
    else:
        starts, texts = tuple(range(domain.size + 1)), domain.texts
    if not lacks_answers:
        return ColumnStates(name, texts, starts, None)
    return ColumnStates(name, (*texts, "no answer"), starts, domain.size)


def class_starts(domain: NumericDomain, most: int) -> tuple[int, ...]:
    """Returns the first code of each class of numbers, and the code behind the last.

    The width is 1, 2 or 5 times a power of ten, in steps of the grid, and the smallest that gives
    no more classes than `most`; edges are multiples of it, as people write classes (20 to 24).
    """
    first = domain.grid_lower / domain.grid_step
    # A grid that does not pass through 0 has no round numbers: its classes begin with it.
    offset = int(first) if first == first.to_integral_value() else 0
    size, power = domain.size, Decimal(1)
    while True:
        for factor in _ROUND:
            width = int(factor * power)
            edges = range((offset // width + 1) * width - offset, size, width)
            if len(edges) < most or width >= size:
                return (0, *edges, size)
        power *= 10
