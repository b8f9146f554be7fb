"""The integer law of reports in a window around the truth, whose cells are the likelier ones."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, Certificate, certify, fingerprint_of
from dpdesk.channel.draw_guard import require_draw
from dpdesk.cost import exp_lower
from dpdesk.errors import CertificateError

Whole = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class WindowLaw:
    """Grid point i reports the cells i to i + width - 1 with weight `truth` together.

    There are size + width - 1 cells, so that the window of the last point ends at the last cell.
    Each of the size - 1 cells outside the window has weight `lie`. A unit of `truth` that the
    width does not divide goes to each of the window's first cells. With a width of 1 this is
    generalized randomized response.

    Attributes:
        size: Number of grid points, m >= 2.
        width: Number of cells of a window.
        truth: Weight of the whole window.
        lie: Weight of each other cell.
    """

    size: int
    width: int
    truth: int
    lie: int

    @classmethod
    def at(cls, size: int, width: int, epsilon: Decimal, total: int | None = None) -> WindowLaw:
        """Builds the law with lie = ceil((total + width) / (width e^eps + m - 1)).

        Rounding up shrinks the ratio, and the added width makes room for the units that the
        window's first cells have more.

        Args:
            size: Number of grid points.
            width: Number of cells of a window.
            epsilon: The loss.
            total: Sum of the weights; 2^64 when None.

        Raises:
            CertificateError: There are so many cells that the truth would be rarer than a lie.
        """
        weights = WORD_TOTAL if total is None else total
        lie = ceil(Fraction(weights + width) / (width * exp_lower(epsilon) + size - 1))
        truth = weights - (size - 1) * lie
        if truth < width * lie:
            raise CertificateError(
                "The grid is too fine for this epsilon.", remedy="Choose a coarser grid."
            )
        return cls(size, width, truth, lie)

    @property
    def outputs(self) -> int:
        """Number of cells."""
        return self.size + self.width - 1

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return self.truth + (self.size - 1) * self.lie

    @property
    def likelihood_ratio(self) -> Fraction:
        """The largest ratio of two weights of one cell."""
        return Fraction(-(-self.truth // self.width), self.lie)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law; the first cell of a window against any lie is the worst pair."""
        return certify(self.likelihood_ratio, epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        return fingerprint_of("window", (self.size, self.width, self.truth, self.lie))

    def chances(self) -> tuple[float, float]:
        """Returns the chance of a lie, and how much likelier a cell of the window is on average."""
        more = Fraction(self.truth, self.width) - self.lie
        return self.lie / self.total, float(more / self.total)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one cell per true code.

        Args:
            codes: True codes, shape (n,), in 0..m-1.
            words: One word per draw, shape (n,), each below the sum of the weights.

        Returns:
            Reported cells, shape (n,): words below `truth` go through the window's cells from the
            first to the last, the others through the cells outside it.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size)
        each, more = divmod(self.truth, self.width)
        start = np.uint64(more * (each + 1))
        # Each word goes through all three stretches; where it lies outside one of them, it wraps
        # around to a number that is not chosen.
        first = (words // np.uint64(each + 1)).astype(np.int32)
        later = ((words - start) // np.uint64(each)).astype(np.int32) + np.int32(more)
        lies = ((words - np.uint64(self.truth)) // np.uint64(self.lie)).astype(np.int32)
        lies += (lies >= codes) * np.int32(self.width)
        window = codes + chosen(words < start, first, later)
        return chosen(words < np.uint64(self.truth), window, lies)


def chosen(where: NDArray[np.bool_], these: Whole, those: Whole) -> Whole:
    """Returns `these` where the mask is true and `those` elsewhere, shape (n,).

    The same as `np.where`, but without a branch per draw, which random words make slow. The
    difference may overflow; adding it back undoes that.
    """
    return np.asarray(those + where * (these - those))
