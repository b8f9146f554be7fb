"""Integer laws of reports in a window around the truth, whose cells are more likely than the rest.

`WindowLaw` reports a cell; `HybridLaw` uses a window for some words and one bit for the others.
`WindowKernel` is the same channel in floating point: its moments, and the values of its reports
that estimate without bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, expm1

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    certify,
    fingerprint_of,
    require_draw,
)
from dpdesk.channel.texts import T
from dpdesk.cost import exp_lower
from dpdesk.errors import CertificateError
from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True)
class WindowKernel:
    """Grid point i reports each cell j of i <= j < i + width with q + gap, each other with q.

    Places are counted in steps of the grid, cells from 0.

    Attributes:
        size: Number of grid points, m.
        width: Number of cells of a window, w.
        q: Chance of a cell outside the window.
        gap: By how much the chance of a cell of the window is higher.
    """

    size: int
    width: int
    q: float
    gap: float

    @classmethod
    def at(cls, size: int, width: int, epsilon: float) -> WindowKernel:
        """Returns the kernel whose loss is epsilon: q = 1 / (w e^eps + m - 1)."""
        growth = expm1(epsilon)
        q = 1 / (width * growth + size + width - 1)
        return cls(size, width, q, growth * q)

    @property
    def outputs(self) -> int:
        """Number of cells, m + w - 1."""
        return self.size + self.width - 1

    @property
    def slope(self) -> float:
        """How far the mean report moves when the answer moves by one step."""
        return self.gap * self.width

    def row(self, code: int) -> Floats:
        """Returns Pr[cell | code], shape (outputs,)."""
        row = np.full(self.outputs, self.q)
        row[code : code + self.width] += self.gap
        return row

    def even(self) -> Floats:
        """Returns the chance of each cell for answers spread evenly, shape (outputs,)."""
        cells = np.arange(self.outputs)
        first = np.maximum(cells - self.width + 1, 0)
        covering = np.minimum(cells, self.size - 1) - first + 1
        return np.asarray(self.q + self.gap * covering / self.size)

    def _centred(self) -> Floats:
        return np.asarray(np.arange(self.outputs) - (self.outputs - 1) / 2)

    def _squares_of_evenly_spread(self) -> float:
        """The part of a report's mean square about the middle that is the same for all answers."""
        within = self.slope * (self.width**2 - 1) / 12
        return within + self.q * self.outputs * (self.outputs**2 - 1) / 12

    def linear(self) -> Floats:
        """Returns phi, linear in the cell, with E[phi | i] = i, shape (outputs,).

        The mean report is the middle of all cells, moved by `slope` for each step of the answer
        from the middle of the grid.
        """
        return np.asarray((self.size - 1) / 2 + self._centred() / self.slope)

    def squares(self) -> Floats:
        """Returns psi, quadratic in the cell, with E[psi | i] = i^2, shape (outputs,)."""
        middle, cells = (self.size - 1) / 2, self._centred()
        about = (cells**2 - self._squares_of_evenly_spread()) / self.slope
        return np.asarray(about + 2 * middle * cells / self.slope + middle**2)

    def linear_variances(self) -> Floats:
        """Returns the variance of `linear` under each grid point, squared steps, shape (m,)."""
        squared = (np.arange(self.size) - (self.size - 1) / 2) ** 2
        mean_square = self.slope * squared + self._squares_of_evenly_spread()
        return np.asarray(mean_square / self.slope**2 - squared)

    def unbiased(self, targets: Floats) -> Floats:
        """Returns the phi of least variance with E[phi | i] = targets[i].

        The windows of i and i + 1 differ by one cell at either end, so that phi[i + w] - phi[i] is
        (targets[i + 1] - targets[i]) / gap: along cells that lie w apart phi is known up to a
        constant. The w constants are those of least mean square for answers spread evenly, such
        that the first grid point has its target (one Lagrange multiplier).

        Args:
            targets: What to estimate, one column each, shape (m, quantities).

        Returns:
            Value of each cell, shape (outputs, quantities).
        """
        chains = -(-self.outputs // self.width)
        quantities = targets.shape[1]
        steps = np.zeros((chains * self.width, quantities))
        steps[self.width : self.outputs] = np.diff(targets, axis=0) / self.gap
        known = steps.reshape(chains, self.width, quantities).cumsum(axis=0)
        shape = (chains, self.width, 1)
        real = (np.arange(chains * self.width) < self.outputs).astype(np.float64).reshape(shape)
        chance = np.zeros(chains * self.width)
        chance[: self.outputs] = self.even()
        weight = chance.reshape(shape)
        together = weight.sum(axis=0)
        # The expected value under the first grid point, summed along each chain.
        first = real * self.q
        first[0] += self.gap
        pull = first.sum(axis=0)
        constant = -(weight * known).sum(axis=0) / together
        missing = targets[0] - (first * (known + constant)).sum(axis=(0, 1))
        constant += pull / together * missing / (pull**2 / together).sum()
        return np.asarray((known + constant).reshape(-1, quantities)[: self.outputs])

    def expected(self, values: Floats) -> Floats:
        """Returns the mean of values of the cells under each grid point.

        Args:
            values: One column for each quantity, shape (outputs, quantities).

        Returns:
            Their means, shape (m, quantities).
        """
        sums = np.concatenate([np.zeros((1, values.shape[1])), values.cumsum(axis=0)])
        within = sums[self.width :] - sums[: self.size]
        return np.asarray(self.q * sums[-1] + self.gap * within)

    def binned(self, inputs: NDArray[np.intp], outputs: NDArray[np.intp]) -> Floats:
        """Returns the channel between bins of grid points and bins of cells.

        Args:
            inputs: Edges of the bins of grid points, rising from 0 to m.
            outputs: Edges of the bins of cells, rising from 0 to m + w - 1.

        Returns:
            Pr[report in the bin | answer evenly in the bin], shape (len(inputs) - 1,
            len(outputs) - 1).
        """
        # A window from i holds min(max(e - i, 0), w) cells below the edge e; summed over the i
        # below an edge this is a difference of a piecewise quadratic.
        away = (outputs[None, :] - inputs[:, None]).astype(np.float64)
        within = np.clip(away, 0, self.width)
        sums = within * (within + 1) / 2 + self.width * np.maximum(away - self.width, 0)
        held = np.diff(-np.diff(sums, axis=0), axis=1) / np.diff(inputs)[:, None]
        return np.asarray(self.q * np.diff(outputs) + self.gap * held)


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
            raise CertificateError(T.FINE_GRID())
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

    def extremes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Returns bounds of each cell's weights, shapes (outputs,): in a window and outside it."""
        most, cells = -(-self.truth // self.width), self.outputs
        return np.full(cells, most, dtype=np.uint64), np.full(cells, self.lie, dtype=np.uint64)

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


@dataclass(frozen=True)
class HybridLaw:
    """The words below the window's total draw one of its cells, the others "low" or "high".

    Grid point i says "high" with weight `low + (R - 2 low) i // (m - 1)`, where R is the number
    of the other words. A report shows which part it comes from, and this is drawn with the same
    chance for every answer; so the loss is the larger one of the two parts.

    Reports are numbered in the order of the numbers that they stand for: "low" has `below` cells
    before it, and "high" as many behind.

    Attributes:
        window: The law of the first part.
        low: Weight of "high" at the first grid point, and of "low" at the last.
        below: Number of cells whose numbers lie below that of "low".
    """

    window: WindowLaw
    low: int
    below: int

    @classmethod
    def at(cls, size: int, width: int, epsilon: Decimal, share: Fraction, below: int) -> HybridLaw:
        """Builds the law.

        Args:
            size: Number of grid points, m >= 2.
            width: Number of cells of a window.
            epsilon: The loss.
            share: Chance of the first part, above 0 and below 1.
            below: Number of cells whose numbers lie below that of "low".

        Raises:
            CertificateError: The grid is too fine for this epsilon.
        """
        split = int(share * WORD_TOTAL)
        low = ceil(Fraction(WORD_TOTAL - split) / (exp_lower(epsilon) + 1))
        return cls(WindowLaw.at(size, width, epsilon, split), low, below)

    @property
    def rest(self) -> int:
        """Number of words of the second part."""
        return WORD_TOTAL - self.window.total

    @cached_property
    def high(self) -> NDArray[np.uint64]:
        """Weight of "high" at each grid point, shape (m,)."""
        slope, steps = self.rest - 2 * self.low, self.window.size - 1
        weights = (self.low + slope * i // steps for i in range(steps + 1))
        return np.fromiter(weights, np.uint64, steps + 1)

    @property
    def outputs(self) -> int:
        """Number of reports."""
        return self.window.outputs + 2

    @property
    def ends(self) -> tuple[int, int]:
        """The reports "low" and "high"."""
        return self.below, self.outputs - 1 - self.below

    def extremes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Returns bounds of each report's weights, shapes (outputs,)."""
        of_cells, of_ends = self.window.extremes(), (self.rest - self.low, self.low)
        most, least = (
            np.insert(cells, [self.below, cells.size - self.below], np.uint64(end))
            for cells, end in zip(of_cells, of_ends, strict=True)
        )
        return most, least

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law by the worse of its two parts."""
        ratio = max(self.window.likelihood_ratio, Fraction(self.rest - self.low, self.low))
        return certify(ratio, epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        window = self.window
        parts = (window.size, window.width, window.truth, window.lie, self.low, self.below)
        return fingerprint_of("hybrid", parts)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..m-1.
            words: One word per draw, shape (n,).

        Returns:
            Reports, shape (n,).

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.window.size)
        low, high = self.ends
        cells = self.window.sample(codes, words)
        # "low" and "high" are numbered among the cells, which make room for them.
        cells += (cells >= low).astype(np.int32) + (cells >= high - 1).astype(np.int32)
        split = np.uint64(self.window.total)
        bits = low + (words - split < self.high[codes]) * np.int32(high - low)
        return chosen(words < split, cells, bits)
