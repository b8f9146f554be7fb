"""The integer law of a report on some options of a set.

Which s of the d options are asked is drawn for each respondent, whatever was answered. What was
ticked among them is one of 2^s combinations, and its report one by generalized randomized response:
the loss is that of `GrrLaw` on 2^s values, since the drawn options tell nothing by themselves.

A combination is a number of s bits. Its report is the exclusive or with a drawn number that is 0
with the weight of the truth, and any other with the weight of a lie: so bits of different options
are never mixed up, and the law is the same for every answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    fingerprint_of,
    require_draw,
)
from dpdesk.channel.fixed import FixedLaw
from dpdesk.channel.grr import GrrLaw

NOT_ASKED = 2
"""The cell of an option that a respondent was not asked; 0 and 1 are reports."""

BLOCK_ROWS = 1 << 14
"""Rows to draw at a time, so that what is made of their words stays in the cache."""


@dataclass(frozen=True)
class OptionsLaw:
    """Some options are drawn; what was ticked among them is reported by randomized response.

    Attributes:
        options: Number of options, d.
        asked: Number of those that a respondent is asked, s.
        response: The law on the 2^s combinations.
    """

    options: int
    asked: int
    response: GrrLaw

    @classmethod
    def at(cls, options: int, asked: int, epsilon: Decimal) -> OptionsLaw:
        """Builds the law with the loss epsilon."""
        return cls(options, asked, GrrLaw.at(1 << asked, epsilon))

    @property
    def words_each(self) -> int:
        """Words per draw: one for the options that are asked, one for the response."""
        return 2

    @cached_property
    def _choice(self) -> FixedLaw:
        return FixedLaw(comb(self.options, self.asked))

    @cached_property
    def _choices(self) -> NDArray[np.int64]:
        """How many choices of m options there are among the last ones, shape (d + 1, s + 1)."""
        table = [[comb(n, m) for m in range(self.asked + 1)] for n in range(self.options + 1)]
        return np.array(table, dtype=np.int64)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Draws one report per true code.

        Args:
            codes: True sets, shape (n,), bit j for option j.
            words: 2 n words: the first n decide which options are asked, the others what is said.

        Returns:
            A cell for each option, shape (n, d): 1, 0, or `NOT_ASKED`.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, 1 << self.options, words_each=self.words_each)
        rows = codes.size
        rank = self._choice.sample(words[:rows]).astype(np.int64)
        # The report of a combination is its exclusive or with that of the combination 0.
        flips = self.response.sample(np.zeros(rows, dtype=np.int32), words[rows:])
        left = np.full(rows, self.asked, dtype=np.intp)
        reports = np.empty((self.options, rows), dtype=np.uint8)
        for option in range(self.options):
            # Of the choices that are left, those with this option come first.
            taking = self._choices[self.options - 1 - option][left - 1]
            taken = (rank < taking) & (left > 0)
            rank -= np.where(taken | (left == 0), 0, taking)
            said = ((codes >> option) ^ flips) & 1
            reports[option] = np.where(taken, said, NOT_ASKED)
            flips = flips >> taken
            left -= taken
        return np.ascontiguousarray(reports.T)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law; its loss is that of the response."""
        return replace(self.response.certificate(epsilon), fingerprint=self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        numbers = (self.options, self.asked, self.response.truth, self.response.lie)
        return fingerprint_of("options", numbers)

    def flip(self) -> float:
        """Returns the chance that an option which is asked is reported wrongly.

        Of the 2^s - 1 lies 2^(s - 1) differ from the truth in a given option.
        """
        return self.response.lie * (1 << (self.asked - 1)) / WORD_TOTAL
