"""The rows of a table that count: at most so many of each respondent, drawn at random.

Nothing but a bit is held of each row. Of a respondent with more rows than count, each row draws a
word, and those of the smallest words count: so every choice of them is equally likely, but for
equal words, whose chance is below n^2 / 2^65. These respondents are looked at some at a time, so
that the words that are held are few.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.spool import Codes, chunked_values
from dpdesk.data.table import TextColumn
from dpdesk.numbers.arrays import Flags, pieces_of
from dpdesk.numbers.row_bits import RowBits
from dpdesk.randomness import WordSource

_HELD_MOST = 1 << 20
"""Rows of which words are held, where that is enough for one respondent."""

_LARGEST_WORD = np.uint64(2**64 - 1)


class CountedRows(RowBits):
    """Which rows of a table count."""

    def of(self, codes: Codes, name: str) -> Codes:
        """Returns the codes of the rows that count, on disk where they take much room.

        Args:
            codes: The code of each row.
            name: Name of their column.
        """
        return chunked_values((codes[rows][own] for rows, own in self.flags()), codes.dtype, name)


def bounded_rows(column: TextColumn, unknown: Flags, most: int, words: WordSource) -> CountedRows:
    """Returns the rows that count: at most `most` of each respondent, drawn at random.

    Rows without a respondent are left out: they could be anybody's.

    Args:
        column: The respondent of each row.
        unknown: Which of its texts identify no respondent, shape (distinct_count,).
        most: Most rows of a respondent that count.
        words: Random words.
    """
    found = CountedRows(column.rows)
    for rows in found.pieces():
        whose = column.codes[rows]
        found.put(rows, (column.counts[whose] <= most) & ~unknown[whose])
    # On disk where they are many: there may be as many respondents as rows.
    with_more = (
        some.start + np.flatnonzero((column.counts[some] > most) & ~unknown[some])
        for some in pieces_of(column.distinct_count)
    )
    drawn = chunked_values(with_more, np.dtype(np.int64), column.name)
    at_once = max(1, _HELD_MOST // most)
    for start in range(0, drawn.size, at_once):
        found.add(_drawn(column, drawn[start : start + at_once], most, words))
    return found


def _drawn(
    column: TextColumn, who: NDArray[np.int64], most: int, words: WordSource
) -> NDArray[np.int64]:
    """Returns so many rows of each of some respondents, who have more."""
    number = np.full(column.distinct_count, -1, dtype=np.int32)
    number[who] = np.arange(who.size, dtype=np.int32)
    # Whoever has as many rows with smaller words already needs no further one.
    largest = np.full(who.size, _LARGEST_WORD)
    held, size = [_Words.none()], 0
    for rows in pieces_of(column.rows):
        whose = number[column.codes[rows]]
        places = np.flatnonzero(whose >= 0)
        more = _Words(whose[places], words.take(places.size), places + rows.start)
        more = more.take(more.words <= largest[more.whose])
        held.append(more)
        size += more.words.size
        if size > max(_HELD_MOST, 2 * most * who.size):
            left, of_last = _Words.joined(held).smallest(most)
            largest[of_last.whose] = of_last.words
            held, size = [left], 0
    return _Words.joined(held).smallest(most)[0].rows


@dataclass(frozen=True, slots=True, eq=False)
class _Words:
    """Rows with the word that each has drawn.

    Attributes:
        whose: The respondent of each.
        words: The words.
        rows: Where the rows stand.
    """

    whose: NDArray[np.int32]
    words: NDArray[np.uint64]
    rows: NDArray[np.int64]

    @classmethod
    def none(cls) -> _Words:
        return cls(np.empty(0, np.int32), np.empty(0, np.uint64), np.empty(0, np.int64))

    @classmethod
    def joined(cls, parts: list[_Words]) -> _Words:
        return cls(
            np.concatenate([part.whose for part in parts]),
            np.concatenate([part.words for part in parts]),
            np.concatenate([part.rows for part in parts]),
        )

    def take(self, which: Flags | NDArray[np.intp]) -> _Words:
        return _Words(self.whose[which], self.words[which], self.rows[which])

    def smallest(self, most: int) -> tuple[_Words, _Words]:
        """Returns so many rows of each respondent, and the last of those who have as many."""
        ordered = self.take(np.lexsort((self.words, self.whose)))
        starts = np.flatnonzero(np.diff(ordered.whose, prepend=-1))
        lengths = np.diff(np.append(starts, ordered.whose.size))
        place = np.arange(ordered.whose.size) - np.repeat(starts, lengths)
        return ordered.take(place < most), ordered.take(place == most - 1)
