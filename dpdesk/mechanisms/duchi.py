"""Duchi's one-bit mechanism for a mean."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from math import exp
from typing import Literal

import numpy as np

from dpdesk.channel import ThresholdLaw
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Mechanism, Tick
from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast
from dpdesk.mechanisms.numeric import NumericMechanism
from dpdesk.mechanisms.score_rule import ScoreRule
from dpdesk.mechanisms.tally import Tally, effective_number, indicator_variance
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import wilson_interval

# The two report values are released with this many significant digits: rounding moves a mean by
# less than 1e-9 of the interval.
_REPORT_DIGITS = 10


class Duchi(NumericMechanism):
    """One bit whose chance grows with the answer, reported as a low or a high number."""

    short = "Duchi"
    title = N_("Duchi's one-bit mechanism")
    summary = N_("The report is one of two numbers outside the range; their average is the mean.")
    reference = "Duchi, Jordan & Wainwright 2018, JASA 113, 182-201"

    kind: Literal["duchi"] = "duchi"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundDuchi:
        return BoundDuchi(self, grid)

    def preview(self, grid: Grid) -> DuchiForecast:
        return DuchiForecast(grid.size, grid.span, float(self.epsilon))


class DuchiForecast(MeanForecast):
    """Preview of Duchi's mechanism.

    With x in [-1, 1]: P(high) = 1/2 + x (E-1)/(2(E+1)), reports are +-B with B = (E+1)/(E-1),
    the variance is B^2 - x^2.

    Attributes:
        magnitude: B, in half-widths of the interval.
    """

    def __init__(self, size: int, span: float, epsilon: float) -> None:
        super().__init__(size, span)
        self.magnitude = (1 + exp(-epsilon)) / (1 - exp(-epsilon))

    @property
    def positions(self) -> Floats:
        return self.span / 2 * (1 + self.magnitude * np.array([-1.0, 1.0]))

    @property
    def noise_variances(self) -> Floats:
        half = self.span / 2
        return np.asarray((half * self.magnitude) ** 2 - np.linspace(-half, half, self.size) ** 2)

    @cached_property
    def most_likely(self) -> Floats:
        return np.full(2, 0.5 + 0.5 / self.magnitude)

    def probabilities(self, code: int) -> Floats:
        high = 0.5 + (2 * code / (self.size - 1) - 1) / (2 * self.magnitude)
        return np.array([1 - high, high])

    def report_law(self) -> tuple[Floats, Floats, float]:
        return self.positions, np.array([0.5, 0.5]), self.span / 2

    @property
    def noise_constant(self) -> float:
        return self.magnitude**2


class BoundDuchi(BoundMean):
    """Duchi's mechanism on a domain.

    Attributes:
        p: Chance of "high" at the upper end.
        q: The same at the lower end.
    """

    def __init__(self, mechanism: Mechanism, domain: Grid) -> None:
        law = ThresholdLaw.at(domain.size, mechanism.epsilon)
        self.p, self.q = law.probabilities()
        reach = domain.span / (self.p - self.q)
        worth = np.array([-self.q * reach, (1 - self.q) * reach])
        outputs = tuple(_report_text(float(domain.grid_lower) + x, domain.span) for x in worth)
        super().__init__(mechanism, domain, law, outputs, worth, None)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        # One bit does not show how far answers lie apart: the noise error is that of equal answers,
        # its upper bound. The interval is Wilson's for the share of high reports, carried over.
        high, squared = tally.shares[1:2], tally.square_shares[1:2]
        reports, gap = tally.effective_reports, self.p - self.q
        value = self._lower + self._span * (high - self.q) / gap
        total = self._span * np.sqrt(indicator_variance(high, squared) / reports) / gap
        ends = wilson_interval(high, effective_number(tally, high, squared), confidence)
        lower, upper = (self._lower + self._span * (end - self.q) / gap for end in ends)
        return Estimate(
            quantity="mean",
            value=value,
            truncated=np.clip(value, self._lower, self._lower + self._span),
            noise_error=total,
            sampling_error=np.array([np.nan]),
            total_error=total,
            lower=lower,
            upper=upper,
            reports=tally.reports,
            effective_reports=reports,
        )

    @cached_property
    def least_noise(self) -> Floats:
        # A mean of two numbers says how they spread.
        high = np.linspace(self.q, self.p, self.size)
        return np.asarray(high * (1 - high) * (self.worth[1] - self.worth[0]) ** 2)

    def score_rule(self) -> ScoreRule:
        rule = super().score_rule()
        return replace(rule, numbers={**rule.numbers, "binomial": (1.0,)})

    def parameters(self) -> dict[str, float]:
        return {"p": self.p, "q": self.q, "n_var_star": (self.p - self.q) ** -2}


def _report_text(number: float, span: float) -> str:
    quantum = Decimal(1).scaleb(Decimal(span).adjusted() - _REPORT_DIGITS)
    return format(Decimal(number).quantize(quantum), "f")
