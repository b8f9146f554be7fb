"""What queries share once they are calibrated: parts that are measured, or options to choose from.

A query measures one or two or three *parts*: vectors of whole numbers, each with the sensitivity
that its contribution implies, and noise calibrated to it. Everything else that a query gives
(a mean, a share, an interval) is computed from the noisy parts and costs nothing more. A choice
measures nothing: it draws one of the declared options, likelier the better it suits.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import numpy as np
from numpy.typing import NDArray

from dpdesk.composition import Composed, Loss, release_node, sequence_node
from dpdesk.cost import EPSILON_MIN, PrivacyCost
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts, Flags, Floats
from dpdesk.queries.base import BoundQuery, ExpectedError, ExpectedSize, Part, Query, Statistic
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import require_cells
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.noise import calibrate
from dpdesk.queries.released_law import FirstOrder, ReleasedLaw
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit

Noisy = Sequence[NDArray[np.float64]]
"""One noisy vector per part, in grid steps, shape (cells,) each."""

Wanted = tuple[str, float, Contribution]
"""Name, value of one step and contribution of a part that is to be measured."""

_DIGITS = Decimal("1e-12")
_UNMOVED = Decimal("1e-30")


@dataclass(frozen=True)
class MeasuredQuery(BoundQuery):
    """A query whose parts are measured by adding noise."""

    @abstractmethod
    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        """The exact vector of each part, whole numbers in grid steps; never to be released."""

    @abstractmethod
    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        """Turns noisy parts into statistics with intervals.

        Args:
            noisy: The noisy vector of each part.
            rows: Number of rows where it is public, else None.
            confidence: Coverage of each interval.
        """

    @property
    def derivations(self) -> tuple[str, ...]:
        return tuple(part.derivation for part in self.parts)

    @property
    def cost(self) -> PrivacyCost:
        return PrivacyCost(
            sum((part.noise.epsilon_run for part in self.parts), Decimal(0)),
            sum((part.noise.delta for part in self.parts), Decimal(0)),
            "central",
            self.unit.description,
            self.unit.neighbours,
        )

    @property
    def losses(self) -> tuple[Loss, ...]:
        unit = self.unit
        return tuple(
            part.noise.loss(part.name, unit=unit.description, relation=unit.neighbours)
            for part in self.parts
        )

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        first = self.parts[0]
        return FirstOrder(((first.noise, first.step),), first.step * first.noise.sensitivity.linf)

    def assurance(self, confidence: float) -> str:
        return ""

    def release(self, rows: CodedRows, confidence: float = 0.95) -> tuple[Statistic, ...]:
        noisy = [
            np.asarray(part.noise.draw(sums.reshape(-1).tolist()), dtype=np.float64)
            for part, sums in zip(self.parts, self.sums(rows), strict=True)
        ]
        return self.statistics(noisy, self._public_rows(rows), confidence)

    def exact(self, rows: CodedRows) -> tuple[Statistic, ...]:
        exact = [sums.reshape(-1).astype(np.float64) for sums in self.sums(rows)]
        return self.statistics(exact, rows.rows, 0.95)

    def _public_rows(self, rows: CodedRows) -> int | None:
        return rows.rows if self.unit.rows_are_public else None


@dataclass(frozen=True)
class NoisyCounts(MeasuredQuery):
    """A query that releases counts of rows, with noise added to each."""

    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        half = self.parts[0].half_width(confidence)
        most = float("inf") if rows is None else float(rows)
        return tuple(
            Statistic(key, value, value - half, value + half, possible=(0, most))
            for key, value in zip(self.keys, noisy[0].tolist(), strict=True)
        )

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        return ExpectedError(self.parts[0].half_width(confidence), "rows")

    def expected_size(self, rows: int) -> ExpectedSize:
        share = self._selected(self.query.where) / len(self.keys)
        size, is_itself = size_of_share(share)
        what = T.SIZE_OF_COUNT(count=round(rows * share))
        return ExpectedSize(what, rows * size, is_itself)


def size_of_share(share: float) -> tuple[float, bool]:
    """Returns what the error of a share is compared with, and whether that is the share itself.

    Else it is a medium difference: half a standard deviation of an answer that such a share gives.
    The share of all rows has no spread, and is compared with itself.
    """
    sizes, itself = sizes_of_shares(np.atleast_1d(share))
    return float(sizes[0]), bool(itself[0])


def sizes_of_shares(shares: Floats) -> tuple[Floats, Flags]:
    """Returns the same of several shares, shape (k,) each."""
    medium = np.sqrt(shares * (1 - shares)) / 2
    itself = (shares <= medium) | (shares == 1)
    return np.where(itself, shares, medium), itself


@dataclass(frozen=True)
class ChoosingQuery(BoundQuery):
    """A query that chooses among declared options, to which no noise is added."""

    @property
    @abstractmethod
    def epsilon_run(self) -> Decimal:
        """The epsilon of all choices together, at most what is asked."""

    @property
    def cost(self) -> PrivacyCost:
        unit = self.unit
        return PrivacyCost(
            self.epsilon_run, Decimal(0), "central", unit.description, unit.neighbours
        )


def share_of_epsilon(epsilon: Decimal, parts: int) -> Decimal:
    """Returns the even share of each part, rounded down at the 12th digit.

    Raises:
        ParameterError: It is smaller than any loss can be.
    """
    share = (epsilon / parts).quantize(_DIGITS, rounding=ROUND_FLOOR)
    if share < EPSILON_MIN:
        raise ParameterError(T.SMALL_EPSILON(parts=parts, least=f"{EPSILON_MIN * parts}"))
    return share


def measured_parts(query: Query, unit: PrivacyUnit, wanted: Sequence[Wanted]) -> tuple[Part, ...]:
    """Calibrates the parts of a query, which share its epsilon and delta evenly.

    Args:
        query: What is asked.
        unit: Whom it protects.
        wanted: The parts.

    Raises:
        ParameterError: The kind of noise does not suit.
    """
    require_cells(max(contribution.cells for _, _, contribution in wanted))
    # Rounded down, so that the parts never cost more than was asked.
    epsilon = share_of_epsilon(query.epsilon, len(wanted))
    delta = (query.delta / len(wanted)).quantize(_UNMOVED, rounding=ROUND_FLOOR)
    parts = []
    for name, step, contribution in wanted:
        sensitivity = contribution.sensitivity(unit)
        moves = contribution.moves(unit)
        noise = calibrate(query.noise, sensitivity, epsilon, delta, contribution.cells, moves)
        derivation = contribution.derivation(unit)
        parts.append(Part(name, contribution.cells, step, contribution, noise, derivation))
    return tuple(parts)


def composed(queries: Sequence[BoundQuery]) -> Composed:
    """Returns the tree of what is composed: parts to queries, queries to the whole.

    All queries are about the same respondents, so that their losses add up; a query with many cells
    costs its epsilon once, since its sensitivity is that of the whole vector.

    Args:
        queries: At least one.
    """
    nodes = [_one(query) for query in queries]
    return nodes[0] if len(nodes) == 1 else sequence_node(nodes, "All statistics")


def losses_of(queries: Sequence[BoundQuery]) -> tuple[Loss, ...]:
    """Returns every loss of the queries, for an accountant."""
    return tuple(loss for query in queries for loss in query.losses)


def _one(query: BoundQuery) -> Composed:
    parts = [release_node(loss) for loss in query.losses]
    return parts[0] if len(parts) == 1 else sequence_node(parts, query.query.heading)
