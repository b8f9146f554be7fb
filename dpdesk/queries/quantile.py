"""The median and other quantiles of a column of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, field_validator

from dpdesk.composition import Loss
from dpdesk.domains import Categorical, ExactDecimal
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import ExpectedError, ExpectedSize, Query, Statistic
from dpdesk.queries.bound import ChoosingQuery, share_of_epsilon
from dpdesk.queries.clamped import Clamp, Lower, Upper
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import ColumnQuery
from dpdesk.queries.condition import Domains, domain_in, number_grid, numbers_in, require_conditions
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.released_law import ChosenNumbers, ReleasedLaw
from dpdesk.queries.selection import CalibratedQuantile, calibrate_quantile
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import between_words, written

# More points than a release can distinguish; a choice among so many takes some milliseconds.
_POINTS_MAX = 2_001
_PICTURED_MAX = 4


class Quantile(ColumnQuery):
    """Numbers below which declared shares of the answers lie; missing answers are left out.

    Attributes:
        column: The column of numbers.
        shares: The shares, each between 0 and 1; 0.5 is the median. Each costs an even part.
        lower, upper: Bounds to which numbers are clamped; None is the bound of the domain.
    """

    chooses = True
    title = N_("Median or quantiles")
    summary = N_("The number below which half, or another share, of answers lie.")
    words = ("median", "quantile", "quantiles")
    examples = ("median of age", "quantiles 0.25, 0.75 of age")
    form = ("column", "where", "shares", "lower", "upper")
    how_chosen = N_("A number of the declared grid, likelier the nearer its rank is to the share.")

    kind: Literal["quantile"] = "quantile"
    shares: Annotated[
        tuple[ExactDecimal, ...],
        Field(
            min_length=1,
            max_length=100,
            title=N_("At shares (0.5: median)"),
            description=N_("Such as 0.25, 0.5, 0.75; each takes an even part of ε"),
        ),
    ] = (Decimal("0.5"),)
    lower: Lower = None
    upper: Upper = None

    @field_validator("shares")
    @classmethod
    def _shares_lie_inside(cls, shares: tuple[Decimal, ...]) -> tuple[Decimal, ...]:
        if not all(0 < share < 1 for share in shares) or len(set(shares)) != len(shares):
            raise ParameterError(
                "The shares of quantiles must differ and lie between 0 and 1.",
                remedy="The median is 0.5.",
            )
        return shares

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        """Reads "median of age" or "quantiles 0.25, 0.75 of age"."""
        shares: dict[str, Any] = {}
        if phrase.take("quantiles") or phrase.take("quantile"):
            shares["shares"] = tuple(phrase.numbers())
            phrase.expect("of")
        elif phrase.take("median"):
            phrase.take("of")
        else:
            return None
        column = phrase.column_name()
        return cls(column=column, **shares, **phrase.bounds(), **phrase.where(fields))

    @property
    def subject(self) -> str:
        """What is asked."""
        column = written(self.column) + between_words(self.lower, self.upper)
        if self.shares == (Decimal("0.5"),):
            return f"median of {column}"
        shares = ", ".join(format(share.normalize(), "f") for share in self.shares)
        return f"quantiles {shares} of {column}"

    @property
    def error_caption(self) -> str:
        """The error is one of ranks, not of numbers."""
        return N_("{level} error of its rank")

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundQuantile:
        """Calibrates one choice per share."""
        require_conditions(domains, self.where)
        clamp = Clamp.of(numbers_in(domains, self.column), self.lower, self.upper)
        points = _points(domains, self.column, clamp)
        rows = unit.rows_per_respondent
        epsilon = share_of_epsilon(self.epsilon, len(self.shares))
        choices = tuple(
            calibrate_quantile(len(points), share, rows, unit.relation, epsilon)
            for share in map(Fraction, self.shares)
        )
        one = len(self.shares) == 1
        keys = tuple(() if one else (format(s.normalize(), "f"),) for s in self.shares)
        return BoundQuantile(self, domains, unit, keys, (), clamp, tuple(points.tolist()), choices)


@dataclass(frozen=True)
class BoundQuantile(ChoosingQuery):
    """Choices among the points of the declared grid by how well they part the answers.

    Attributes:
        keys: The share of each quantile; ((),) for one.
        clamp: The bounds.
        points: Codes of the numbers that can be chosen, increasing.
        choices: One calibrated choice per share.
    """

    query: Quantile
    clamp: Clamp
    points: tuple[int, ...]
    choices: tuple[CalibratedQuantile, ...]

    @property
    def derivations(self) -> tuple[str, ...]:
        """Where the sensitivity of the ranks comes from."""
        return tuple(choice.derivation for choice in self.choices)

    @property
    def epsilon_run(self) -> Decimal:
        """The sum of the calibrated choices."""
        return sum((choice.epsilon_run for choice in self.choices), Decimal(0))

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What each choice loses, as asked: what is run is less by a last digit alone."""
        unit = self.unit
        return tuple(
            Loss(
                f"quantile {float(choice.alpha):g} of {self.query.column}",
                choice.choice.epsilon,
                unit=unit.description,
                relation=unit.neighbours,
            )
            for choice in self.choices
        )

    def released_law(self, rows: int, confidence: float = 0.95) -> ReleasedLaw:
        """The chance of each number if answers are spread evenly over the bounds."""
        points, domain = len(self.points), self.clamp.domain
        counts = np.diff(np.arange(points + 1) * rows // points).astype(np.int64)
        step = float(domain.grid_step)
        at = float(domain.grid_lower) + step * np.asarray(self.points, np.float64)
        choices = self.choices[:_PICTURED_MAX]
        names = (format(share.normalize(), "f") for share in self.query.shares)
        laws = tuple(choice.law(counts) for choice in choices)
        return ChosenNumbers(at, laws, tuple(names)[:_PICTURED_MAX], domain.shown_unit)

    def assurance(self, confidence: float) -> str:
        """What holds of the released numbers with this confidence."""
        # Rounded up, so that half a row counts as one.
        worst = ceil(max(choice.rank_error(confidence) for choice in self.choices))
        rows = "row" if worst == 1 else "rows"
        return (
            f"With {100 * confidence:g} % confidence the rank of each released number is at most "
            f"{worst:,} {rows} farther off than that of the best point of the grid."
        )

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        """How far the share of answers below the released number can be from the one asked for."""
        worst = max(choice.rank_error(confidence) for choice in self.choices)
        return ExpectedError(
            100 * worst / max(respondents, 1),
            "pp",
            f"of {respondents:,} answers, so many percentage points from the share asked for",
            of=N_("rank"),
        )

    def expected_size(self, rows: int) -> ExpectedSize:
        """A medium difference of ranks, which are spread evenly: half a standard deviation."""
        return ExpectedSize("the rank of the number", 100 / sqrt(12) / 2)

    def _counts(self, rows: CodedRows) -> Counts:
        """Counts of answers by the nearest point that can be chosen, shape (points,)."""
        rows, column = rows.numbered(self.query.column)
        counts = rows.count((column,), self.query.where)
        points = np.asarray(self.points)
        codes = np.clip(np.arange(counts.size), self.clamp.first, self.clamp.last)
        nearest = np.searchsorted((points[1:] + points[:-1]) / 2, codes)
        into = np.zeros(points.size, dtype=np.int64)
        np.add.at(into, nearest, counts)
        return into

    def _statistics(self, chosen: tuple[int, ...]) -> tuple[Statistic, ...]:
        domain, clamp = self.clamp.domain, self.clamp
        statistics = []
        for key, index in zip(self.keys, chosen, strict=True):
            value = float(domain.grid_lower + domain.grid_step * self.points[index])
            possible = (clamp.lower, clamp.upper)
            statistics.append(Statistic(key, value, possible=possible))
        return tuple(statistics)

    def exact(self, rows: CodedRows) -> tuple[Statistic, ...]:
        """The true quantiles on the declared points, for private comparison only."""
        counts = self._counts(rows)
        return self._statistics(tuple(choice.best(counts) for choice in self.choices))

    def release(self, rows: CodedRows, confidence: float = 0.95) -> tuple[Statistic, ...]:
        """Draws the choices, once."""
        counts = self._counts(rows)
        return self._statistics(tuple(choice.draw(counts) for choice in self.choices))


def _points(domains: Domains, column: str, clamp: Clamp) -> NDArray[np.int64]:
    """Returns the codes that can be chosen: the numbers of categories, else an even grid."""
    domain = domain_in(domains, column)
    if isinstance(domain, Categorical):
        coded = number_grid(domain)
        assert coded is not None  # noqa: S101 - numbers_in has asked before
        places = np.unique(np.asarray(coded[1], dtype=np.int64))
        return places[(places >= clamp.first) & (places <= clamp.last)]
    count = min(clamp.reach + 1, _POINTS_MAX)
    return np.unique(np.linspace(clamp.first, clamp.last, count).round().astype(np.int64))
