"""Bounded Laplace noise on a public grid, with an unbiased mean through its inverse channel."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Literal

import numpy as np

from dpdesk.channel import DenseLaw, GeometricKernel, geometric_weights
from dpdesk.channel.dense import DENSE_MAX
from dpdesk.domains import Categorical
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, BoundMechanism, Codes, Floats, Mechanism, Tick
from dpdesk.mechanisms.estimates import Accuracy, Estimate
from dpdesk.mechanisms.intervals import normal_quantile
from dpdesk.mechanisms.tally import Tally, tally_symbols
from dpdesk.randomness import WordSource


class BoundedLaplace(Mechanism):
    """Laplace noise of scale W/eps, conditioned on the public interval, on its grid."""

    short = "Bounded Laplace"
    title = N_("Bounded Laplace noise")
    summary = N_("The report is a number of the grid, near answers being likelier than far ones.")
    reference = "Holohan, Antonatos, Braghin & Mac Aonghusa 2020; Couchot 2023"

    kind: Literal["bounded_laplace"] = "bounded_laplace"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs a grid of at most 2,000 numbers."""
        if isinstance(domain, Categorical):
            return N_("This mechanism needs numbers, not categories.")
        if domain.size > DENSE_MAX:
            return N_("This mechanism serves a grid of at most 2,000 points.")
        return None

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundLaplace:
        """Returns bounded Laplace noise on a domain, its integer table certified."""
        self.require_fit(domain)
        return BoundLaplace(self, domain, tick)

    def forecast(self, domain: AnyDomain) -> LaplaceForecast:
        """Returns the preview."""
        self.require_fit(domain)
        assert not isinstance(domain, Categorical)  # noqa: S101 - narrowed by require_fit
        return _forecast(domain.size, domain.span, float(self.epsilon))


@lru_cache(maxsize=256)
def _forecast(size: int, span: float, epsilon: float) -> LaplaceForecast:
    return LaplaceForecast(size, span, GeometricKernel.at(size, epsilon))


class LaplaceForecast:
    """Preview of bounded Laplace noise: a `Forecast` in the attribute's unit."""

    quantity: Literal["share", "mean"] = "mean"
    form: Literal["symbol", "bits"] = "symbol"

    def __init__(self, size: int, span: float, kernel: GeometricKernel) -> None:
        self.size = size
        self.span = span
        self.kernel = kernel
        position = np.linspace(0.0, 1.0, size)
        phi = kernel.unbiased(position)
        self._noise = np.maximum(kernel.expected(phi * phi) - position**2, 0.0)
        self._spread = float(np.var(position))

    @property
    def outputs(self) -> int:
        """Any grid point can be reported."""
        return self.size

    def probabilities(self, code: int) -> Floats:
        """Returns Pr[y | x], shape (m,)."""
        return self.kernel.row(code)

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error of the unbiased mean for answers spread evenly over the grid."""
        noise = float(self._noise.mean()) / reports * self.span**2
        sampling = self._spread / reports * self.span**2
        return Accuracy(sqrt(noise), sqrt(sampling), sqrt(noise + sampling))

    @property
    def noise_constant(self) -> float:
        """The noise variance of the mean at the worst point, times n; half-width as unit."""
        return float(self._noise.max()) * 4

    @property
    def truthful(self) -> float:
        """Share of reports that are the true grid point, for answers spread evenly."""
        return float((1 / self.kernel.normalisers()).mean())


class BoundLaplace(BoundMechanism):
    """Bounded Laplace noise on a domain: the integer table that is run, and its inverse."""

    numeric_outputs = True

    def __init__(self, mechanism: BoundedLaplace, domain: AnyDomain, tick: Tick | None) -> None:
        assert not isinstance(domain, Categorical)  # noqa: S101 - narrowed by require_fit
        self.mechanism = mechanism
        self.domain = domain
        self.outputs = domain.texts
        weights = geometric_weights(domain.size, mechanism.epsilon, tick)
        self.law = DenseLaw(weights, tick)
        self.certificate = self.law.certificate(mechanism.epsilon)
        self._grid = domain.values
        self._kernel = GeometricKernel.at(domain.size, float(mechanism.epsilon))
        position = np.linspace(0.0, 1.0, domain.size)
        self._lower, self._span = float(self._grid[0]), domain.span
        self._phi = self._kernel.unbiased(position)
        self._psi = self._kernel.unbiased(position**2)

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        """Draws one grid point per true code, shape (n,)."""
        return self.law.sample(codes, words.take(codes.size))

    def tally(self, reports: Codes, weights: Floats | None = None) -> Tally:
        """Counts the reports at each grid point."""
        return tally_symbols(reports, self.size, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the unbiased mean, arrays of shape (1,).

        The mean of phi(Y) is unbiased for the mean; phi^2 - psi, with psi unbiased for x^2, is
        unbiased for the noise variance; the spread of phi(Y) is the total.
        """
        shares, reports = tally.shares, tally.effective_reports
        position = float(shares @ self._phi)
        total = float(shares @ (self._phi - position) ** 2) / reports
        noise = min(max(float(shares @ (self._phi**2 - self._psi)) / reports, 0.0), total)
        value = self._lower + self._span * position
        error = self._span * np.sqrt([noise, total - noise, total])
        half = normal_quantile(confidence) * error[2]
        upper_end = self._lower + self._span
        return Estimate(
            quantity="mean",
            value=np.array([value]),
            truncated=np.array([min(max(value, self._lower), upper_end)]),
            noise_error=error[0:1],
            sampling_error=error[1:2],
            total_error=error[2:3],
            lower=np.array([value - half]),
            upper=np.array([value + half]),
            reports=tally.reports,
            effective_reports=reports,
        )

    def parameters(self) -> dict[str, float]:
        """Returns the noise scale in the attribute's unit and n Var*."""
        forecast = _forecast(self.size, self._span, float(self.mechanism.epsilon))
        return {
            "scale": self._span / float(self.mechanism.epsilon),
            "n_var_star": forecast.noise_constant,
        }
