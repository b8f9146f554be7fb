"""What mechanisms for numbers share: an unbiased mean from what each report is worth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import Decimal
from math import sqrt
from typing import ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import Certificate
from dpdesk.domains import Categorical, Integer, Real
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import (
    AnyDomain,
    BoundMechanism,
    Codes,
    Floats,
    Forecast,
    Mechanism,
    Tick,
)
from dpdesk.mechanisms.estimates import Accuracy, Estimate, IntervalShares
from dpdesk.mechanisms.tally import Tally, count_symbols
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.randomness import WordSource

Grid = Integer | Real
"""The domain of a mechanism for numbers."""


class SymbolLaw(Protocol):
    """An integer law that draws one report symbol per true code."""

    def sample(self, codes: Codes, words: NDArray[np.uint64]) -> Codes:
        """Draws one report per true code from one word each, shape (n,)."""

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""


class NumericMechanism(Mechanism):
    """A mechanism for numbers on a grid of at most `most_points` points."""

    most_points: ClassVar[int | None] = None
    """Size of the largest grid that the mechanism serves; None where any will do."""

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs numbers, on a grid of at most `most_points` of them."""
        if isinstance(domain, Categorical):
            return N_("This mechanism needs numbers, not categories.")
        if cls.most_points is not None and domain.size > cls.most_points:
            return f"This mechanism serves a grid of at most {cls.most_points:,} points."
        return None

    oracle: ClassVar[Callable[..., BoundMechanism]]
    """What draws the reports and estimates from them, made of mechanism, grid and `tick`."""

    def bound(self, grid: Grid, tick: Tick | None) -> BoundMechanism:
        """Returns this mechanism on a grid that fits, as `bind`."""
        return type(self).oracle(self, grid, tick)

    @abstractmethod
    def preview(self, grid: Grid) -> Forecast:
        """Returns the real law on a grid that fits, as `forecast`."""

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundMechanism:
        """Returns this mechanism on a grid, its integer law certified."""
        return self.bound(self._grid(domain), tick)

    def forecast(self, domain: AnyDomain) -> Forecast:
        """Returns the preview."""
        return self.preview(self._grid(domain))

    def _grid(self, domain: AnyDomain) -> Grid:
        self.require_fit(domain)
        assert not isinstance(domain, Categorical)  # noqa: S101 - narrowed by require_fit
        return domain


class MeanForecast(ABC):
    """Preview of a mechanism for numbers: a `Forecast` in the attribute's unit.

    Attributes:
        size: Number of grid points, m.
        span: Width of the interval, in the attribute's unit.
    """

    quantity: Literal["share", "mean"] = "mean"
    form: Literal["symbol", "bits", "support"] = "symbol"
    truthful: float | None = None

    def __init__(self, size: int, span: float) -> None:
        self.size = size
        self.span = span

    @property
    @abstractmethod
    def positions(self) -> Floats:
        """Where the reports lie, from the lower end in the attribute's unit, shape (outputs,)."""

    @property
    @abstractmethod
    def worth(self) -> Floats:
        """What each report adds to the unbiased mean, from the lower end, shape (outputs,)."""

    @property
    @abstractmethod
    def noise_variances(self) -> Floats:
        """Variance of a report's worth at each true grid point, squared units, shape (m,)."""

    @abstractmethod
    def probabilities(self, code: int) -> Floats:
        """Returns Pr[report | true code], shape (outputs,)."""

    @property
    def outputs(self) -> int:
        """Number of reports."""
        return len(self.positions)

    @property
    def atoms(self) -> tuple[int, ...]:
        """Reports with a large chance of their own, beside a law that is spread over a grid."""
        return ()

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns each report's worth, its chance for answers spread evenly, and their mean."""
        chances = np.mean([self.probabilities(code) for code in range(self.size)], axis=0)
        return self.worth, chances / chances.sum(), self.span / 2

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error of the unbiased mean for answers spread evenly over the grid."""
        noise = float(self.noise_variances.mean()) / reports
        # The variance of m equal steps from 0 to 1.
        spread = (self.size + 1) / (12 * (self.size - 1))
        sampling = spread * self.span**2 / reports
        return Accuracy(sqrt(noise), sqrt(sampling), sqrt(noise + sampling))

    @property
    def noise_constant(self) -> float:
        """The noise variance of the mean at the worst point, times n; half-width as unit."""
        return float(self.noise_variances.max()) / (self.span / 2) ** 2


class BoundMean(BoundMechanism):
    """A mechanism for numbers on a domain, whose reports are worth a number each.

    Attributes:
        worth: What each report adds to the unbiased mean, from the lower end in the attribute's
            unit, shape (outputs,): E[worth(Y) | x] = x.
        square_worth: The same for the squared distance from the lower end; None where no such
            numbers exist, so that noise and sampling cannot be told apart.
    """

    domain: Grid
    numeric_outputs = True

    def __init__(
        self,
        mechanism: Mechanism,
        domain: Grid,
        law: SymbolLaw,
        outputs: Sequence[str],
        worth: Floats,
        square_worth: Floats | None,
    ) -> None:
        self.mechanism = mechanism
        self.domain = domain
        self.law = law
        self.outputs = outputs
        self.certificate = law.certificate(mechanism.epsilon)
        self.worth = worth
        self.square_worth = square_worth
        self._lower, self._span = float(domain.grid_lower), domain.span

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        """Draws one report per true code, shape (n,)."""
        return self.law.sample(codes, words.take(codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        """Counts each report."""
        return count_symbols(reports, len(self.outputs), weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the unbiased mean, arrays of shape (1,).

        The spread of the reports' worth, by squared weights, is the total error (Taylor
        linearisation of a weighted mean). Their squares less `square_worth` are unbiased for the
        noise variance; without it the noise error is given for equal answers (its upper bound) and
        the sampling error is NaN.
        """
        shares, reports = tally.square_shares, tally.effective_reports
        from_lower = float(tally.shares @ self.worth)
        total = float(shares @ (self.worth - from_lower) ** 2) / reports
        noise, sampling = total, float("nan")
        if self.square_worth is not None:
            noise = float(shares @ (self.worth**2 - self.square_worth)) / reports
            noise = min(max(noise, 0.0), total)
            sampling = total - noise
        error = np.sqrt([noise, sampling, total])
        value = self._lower + from_lower
        half = normal_quantile(confidence) * error[2]
        return Estimate(
            quantity="mean",
            value=np.array([value]),
            truncated=np.array([min(max(value, self._lower), self._lower + self._span)]),
            noise_error=error[0:1],
            sampling_error=error[1:2],
            total_error=error[2:3],
            lower=np.array([value - half]),
            upper=np.array([value + half]),
            reports=tally.reports,
            effective_reports=reports,
            intervals=self.interval_shares(tally, confidence),
        )

    def interval_shares(self, tally: Tally, confidence: float) -> IntervalShares | None:
        """Returns the shares of intervals of the domain, or None if reports only allow a mean."""
        return None
