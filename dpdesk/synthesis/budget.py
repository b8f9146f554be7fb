"""How the loss of synthetic rows is divided, and the noise and choices that follow from it.

What is asked of the true table, in this order:

- the shares of all columns, once: 10 % of the loss;
- in each of some rounds which two-way table is next: 10 % together, in equal parts;
- in each round the counts of that table: the rest, in equal parts.

The number of rounds follows from the noisy number of rows that the shares tell: given the shares,
it is fixed, and so are the losses of all that follows. With delta 0 each part has a pure epsilon,
and the loss is their sum, also where a question depends on earlier results (adaptive composition:
Dwork & Roth 2014, Theorem 3.16 and Section 3.5). With a delta each part is rho-zCDP; the rhos add
up likewise (Bun & Steinke 2016, Lemma 2.3), and the sum is turned into (epsilon, delta) once, at
the end. Whatever the number of rounds, the sum of all parts is at most the loss asked for.

Sensitivity. Let c be the most rows of a respondent. In one table each row adds 1 to one cell. A
respondent more or less moves it by at most c in L1, L2 and Linf; one who is replaced takes c away
and adds c: 2 c in L1, sqrt(2) c in L2, c in Linf (`queries.contribution`). All d tables of single
columns together are one vector of which each table is a part: L1 is d times, the square of L2 d
times, Linf once that of a table.

A choice goes by scores |T - E|_1 - w, where T is the true table, E is one of whole numbers that
follows from earlier results, and w depends on declared sizes alone. By the triangle inequality a
respondent moves a score by at most the L1 sensitivity of T: c, or 2 c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, localcontext
from functools import cached_property, lru_cache
from itertools import combinations
from math import pi, sqrt
from statistics import median_low

from dpdesk.composition import EXACT, rho_within, zcdp_epsilon
from dpdesk.cost import EPSILON_MIN, PrivacyCost
from dpdesk.errors import CertificateError, ParameterError
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.noise import CalibratedNoise, calibrate, calibrate_rho
from dpdesk.queries.selection import CalibratedChoice, calibrate_choice
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.synthesis.texts import T

_SHARES, _CHOICES = Decimal("0.1"), Decimal("0.1")
_TABLES_PER_COLUMN = 2
_NOISE_MOST = 0.15
"""The largest distance by which noise should move a table of middle size before it is fitted."""
_DIGIT = Decimal("1e-12")
_RHO_DIGITS = Decimal("1e-24")


@dataclass(frozen=True)
class SynthesisBudget:
    """The loss of synthetic rows and its parts.

    Attributes:
        epsilon: The loss asked for.
        delta: The chance that its bound fails; 0 for a pure epsilon.
        unit: Whom it protects against which change.
        columns: Number of columns, at least 1.

    Raises:
        ParameterError: The loss is too small for so many columns.
    """

    epsilon: Decimal
    delta: Decimal
    unit: PrivacyUnit
    columns: int

    def __post_init__(self) -> None:
        least = self._least()
        if self.epsilon < least:
            raise ParameterError(T.SMALL_EPSILON(columns=self.columns, least=f"{least}"))

    @property
    def rounds_most(self) -> int:
        """The most two-way tables that are chosen and measured: two for each column.

        Fewer where epsilon is so small that a choice would have less than the least there is.
        """
        pairs = self.columns * (self.columns - 1) // 2
        affordable = int(self.epsilon * _CHOICES / EPSILON_MIN)
        return min(pairs, _TABLES_PER_COLUMN * self.columns, max(affordable, 1))

    def rounds_for(self, rows: int, sizes: Sequence[int]) -> int:
        """Returns how many two-way tables to measure: as many as are not drowned in noise.

        Args:
            rows: The number of rows as earlier results tell it, or as it is public.
            sizes: Number of states of each column.
        """
        if not self.rounds_most:
            return 0
        cells = _middle_cells(tuple(sizes))
        few, many = 1, self.rounds_most
        while few < many:
            # More rounds have more noise each.
            middle = (few + many + 1) // 2
            if self.noise_distance(cells, middle, rows) > _NOISE_MOST:
                many = middle - 1
            else:
                few = middle
        return few

    def noise_distance(self, cells: int, rounds: int, rows: int) -> float:
        """Returns the distance by which noise moves a table of so many rows, before it is fitted.

        Half the mean absolute noise of all cells together, as a share of the rows.
        """
        noise = self.table_noise(cells, rounds)
        return cells * mean_noise(noise) / (2 * rows)

    @property
    def is_pure(self) -> bool:
        """Whether the loss holds without exception."""
        return self.delta == 0

    @property
    def cost(self) -> PrivacyCost:
        """What is charged: the loss asked for."""
        unit = self.unit
        return PrivacyCost(self.epsilon, self.delta, "central", unit.description, unit.neighbours)

    @cached_property
    def rho(self) -> Decimal:
        """The loss in zero-concentrated differential privacy; with a delta alone."""
        return rho_within(self.epsilon, self.delta)

    def shares_noise(self, cells: int) -> CalibratedNoise:
        """Returns the noise of the shares of all columns.

        Args:
            cells: Number of states of all columns together.
        """
        one = self._table_sensitivity(2)
        every = Sensitivity(self.columns * one.l1, self.columns * one.l2_square, one.linf)
        return self._noise(self._shares_part, every, cells)

    def table_noise(self, cells: int, rounds: int) -> CalibratedNoise:
        """Returns the noise of a two-way table of so many cells, one of `rounds`."""
        part = self._part(1 - _SHARES - _CHOICES, rounds)
        return self._noise(part, self._table_sensitivity(cells), cells)

    def choice(self, options: int, rounds: int) -> CalibratedChoice:
        """Returns the choice among so many tables, one of `rounds`."""
        linf = self._table_sensitivity(2).l1
        part = self._part(_CHOICES, rounds)
        if self.is_pure:
            return calibrate_choice(linf, False, part, options)
        # The exponential mechanism of loss e is e^2 / 8-zCDP (Cesar & Rogers 2021).
        with localcontext(EXACT):
            epsilon = (8 * part).sqrt().quantize(_DIGIT, ROUND_DOWN)
        choice = calibrate_choice(linf, False, epsilon, options, mechanism="exponential")
        while choice.rho is None or choice.rho > part:
            epsilon -= _DIGIT
            choice = calibrate_choice(linf, False, epsilon, options, mechanism="exponential")
        return choice

    def require_within(self, cells: int, rounds: int) -> None:
        """Adds the parts up, as they are run, before they are drawn.

        Args:
            cells: Number of states of all columns together.
            rounds: Number of two-way tables.

        Raises:
            CertificateError: They exceed the loss asked for.
        """
        parts: list[CalibratedNoise | CalibratedChoice] = [self.shares_noise(cells)]
        for _ in range(rounds):
            parts += [self.choice(2, rounds), self.table_noise(4, rounds)]
        with localcontext(EXACT):
            if self.is_pure:
                total = sum((part.epsilon_run for part in parts), Decimal(0))
            else:
                rho = sum((part.rho or Decimal("Infinity") for part in parts), Decimal(0))
                total = zcdp_epsilon(rho, self.delta)
        if total > self.epsilon:
            raise CertificateError(T.OVER_EPSILON())

    def _noise(self, part: Decimal, sensitivity: Sensitivity, cells: int) -> CalibratedNoise:
        if self.is_pure:
            return calibrate("geometric", sensitivity, part, size=cells)
        return calibrate_rho(sensitivity, part, self.delta, cells)

    def _table_sensitivity(self, cells: int) -> Sensitivity:
        return Contribution(1, 1, cells).sensitivity(self.unit)

    @property
    def _shares_part(self) -> Decimal:
        return self._part(_SHARES if self.rounds_most else Decimal(1), 1)

    def _part(self, share: Decimal, times: int) -> Decimal:
        """The loss of one of several equal parts, rounded down."""
        with localcontext(EXACT):
            if self.is_pure:
                return (self.epsilon * share / times).quantize(_DIGIT, ROUND_DOWN)
            return (self.rho * share / times).quantize(_RHO_DIGITS, ROUND_DOWN)

    def _least(self) -> Decimal:
        """The smallest epsilon of which each part is one that noise can have."""
        return EPSILON_MIN / min(_SHARES, _CHOICES) if self.rounds_most else EPSILON_MIN


def mean_noise(noise: CalibratedNoise) -> float:
    """Returns the mean absolute noise of a cell, nearly: that of the continuous law."""
    spread = sqrt(noise.variance)
    return spread / sqrt(2) if noise.kind == "geometric" else spread * sqrt(2 / pi)


# Cached: a slider of epsilon asks for it at each step, and of 200 columns there are 20,000 tables.
@lru_cache(maxsize=8)
def _middle_cells(sizes: tuple[int, ...]) -> int:
    return median_low(one * other for one, other in combinations(sizes, 2))
