"""The window channel in floating point: its moments, and what its reports are worth."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WindowKernel:
    """Grid point i reports each cell j of i <= j < i + width with q + gap, each other with q.

    Places are counted in steps of the grid, cells from 0.

    Attributes:
        size: Number of grid points, m.
        width: Number of cells of a window, w.
        q: Chance of a cell outside the window.
        gap: How much likelier a cell of the window is.
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
        """The part of a report's mean square about the middle that no answer changes."""
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
        (targets[i + 1] - targets[i]) / gap: along cells that lie w apart phi is known but for a
        constant. The w constants are those of least mean square for answers spread evenly, such
        that the first grid point has its target (one Lagrange multiplier).

        Args:
            targets: What to estimate, one column each, shape (m, quantities).

        Returns:
            Worth of each cell, shape (outputs, quantities).
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
        # What the first grid point expects of a cell, summed along each chain.
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
