"""Score intervals of shares and ratios that are told by products of scores.

Given the true answers reports are independent, so that the mean square of a product of scores is
known but for shares: with r the mean square of an attribute's score under another answer, c what
the own answer adds to it, and A, B the possible shares of both answers,

    E[(s_a t_b)^2] = t c_a c_b + A c_a r_b + B r_a c_b + r_a r_b,

a straight line in the share t of the cell; of three attributes the shares of pairs enter alike.
The interval holds every t that the reports do not contradict, (estimate - t)^2 <= z^2 v(t) / n;
without noise it is Wilson's. The spread of the records themselves is too small in rare cells. A
ratio f = x y / x e has such an interval by Fieller, its variance being that which holds if f is
true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

import numpy as np

from dpdesk.estimation.record_patterns import Together
from dpdesk.estimation.variable import Categories
from dpdesk.mechanisms.possible_shares import simplex_projection
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import Quadratic


def crossed(scores: Sequence[Floats]) -> Floats:
    """Returns the products of scores of several attributes, shape (n, cells)."""
    first, *others = scores
    for other in others:
        first = (first[:, :, None] * other[:, None, :]).reshape(first.shape[0], -1)
    return first


@dataclass(frozen=True, slots=True, eq=False)
class SquareLaw:
    """Mean squares of products of scores, by possible shares of what they tell.

    Arrays of shares have an axis for each attribute, whose place 0 stands for any answer.

    Attributes:
        shares: Possible shares of all combinations.
        by_squares: The same by squared weights.
        other: Mean square of each attribute's scores under another answer.
        own: What the own answer adds to that.
    """

    shares: Floats
    by_squares: Floats
    other: tuple[Floats, ...]
    own: tuple[Floats, ...]

    @classmethod
    def of(cls, together: Together, listed: Sequence[Categories]) -> SquareLaw:
        """Returns the law of the records that tell of some attributes."""
        shape = tuple(len(one.texts) + 1 for one in listed)
        rows = int(np.prod(shape[:-1]))
        sums = np.zeros((2, rows, shape[-1]))
        for part in together.blocks(rows * shape[-1]):
            *groups, columns = (
                np.hstack((np.ones((part.size, 1)), part.scores(one))) for one in listed
            )
            x = crossed(groups)
            sums[0] += (part.weights[:, None] * x).T @ columns
            sums[1] += (part.squares[:, None] * x).T @ columns
        shares, by_squares = (
            _possible((found / found[0, 0]).reshape(shape), listed) for found in sums
        )
        other, own = [], []
        for axis, one in enumerate(listed):
            margin = np.moveaxis(shares, axis, -1)[(0,) * (len(listed) - 1)][1:]
            true, false = one.squares(margin)
            other.append(false)
            own.append(true - false)
        return cls(shares, by_squares, tuple(other), tuple(own))

    def of_cells(self) -> tuple[Quadratic, Floats]:
        """Returns the variance of a record's product as a function of the share of its cell.

        Returns:
            The variances, shape (groups, columns), and by how much weights make each differ.
        """
        cell = self._cells(self.shares)
        whole, slope = self._squared(self.shares), reduce(np.multiply.outer, self.own)
        slope = slope.reshape(cell.shape)
        variance = Quadratic(whole - cell * slope, slope, np.full(cell.shape, -1.0))
        apart = self._squared(self.by_squares) - 2 * cell * self._cells(self.by_squares) + cell**2
        return variance, _factor(whole - cell**2, apart)

    def of_ratios(self) -> tuple[Quadratic, Floats]:
        """Returns the same of a product less the ratio times that of the groups."""
        cell, group = self._cells(self.shares), self._groups(self.shares)
        slope = reduce(np.multiply.outer, self.own).reshape(cell.shape)
        of_groups = reduce(np.multiply.outer, self.own[:-1]).reshape(-1, 1)
        whole, mixed, below = self._moments(self.shares)
        variance = Quadratic(
            whole - cell * slope,
            group * slope - 2 * (mixed - cell * of_groups),
            below - 2 * group * of_groups,
        )
        ratio = np.divide(cell, group, out=np.zeros_like(cell), where=group > 0)
        plain, weighted = (
            whole - 2 * ratio * mixed + ratio**2 * below
            for whole, mixed, below in map(self._moments, (self.shares, self.by_squares))
        )
        return variance, _factor(plain, weighted)

    def _moments(self, shares: Floats) -> tuple[Floats, Floats, Floats]:
        """Mean squares of x y, of x^2 y and of x."""
        table = self._squared(shares, len(self.own) - 1)
        return self._squared(shares), table[:, 1:], table[:, :1]

    def _squared(self, shares: Floats, axes: int | None = None) -> Floats:
        """Mean squares of products over the first axes, and shares of the rest."""
        for axis, (own, other) in list(enumerate(zip(self.own, self.other, strict=True)))[:axes]:
            last = np.moveaxis(shares, axis, -1)
            shares = np.moveaxis(last[..., 1:] * own + last[..., :1] * other, -1, axis)
        return shares.reshape(-1, shares.shape[-1])

    def _cells(self, shares: Floats) -> Floats:
        inner = shares[(slice(1, None),) * shares.ndim]
        return inner.reshape(-1, inner.shape[-1])

    def _groups(self, shares: Floats) -> Floats:
        return self._cells(shares[..., 0]).reshape(-1, 1)


def _possible(shares: Floats, listed: Sequence[Categories]) -> Floats:
    """The nearest possible shares of each kind of combination."""
    for kind in product((slice(0, 1), slice(1, None)), repeat=shares.ndim):
        of_kind = shares[kind]
        picked = (one for one, which in zip(listed, kind, strict=True) if which.start)
        if all(one.picks_one for one in picked):
            shares[kind] = simplex_projection(of_kind.ravel()).reshape(of_kind.shape)
        else:
            shares[kind] = np.clip(of_kind, 0.0, 1.0)
    return shares


def _factor(plain: Floats, weighted: Floats) -> Floats:
    is_told = (plain > 0) & (weighted > 0)
    return np.divide(weighted, plain, out=np.ones_like(plain), where=is_told)
