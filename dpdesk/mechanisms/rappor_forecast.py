"""The error of RAPPOR's regression, and its preview."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import Literal

import numpy as np

from dpdesk.mechanisms.base import Floats
from dpdesk.mechanisms.bloom_design import BloomDesign
from dpdesk.mechanisms.estimates import Accuracy


def noise_variances(design: BloomDesign, flip: float, shares: Floats) -> Floats:
    """Returns n times the noise variance of each estimate, shape (k,).

    A report's bits, with the flips corrected for, have variance s^2 = F (1 - F) / (1 - 2 F)^2
    each, whatever the answer is. So a report adds C s^2 (A'A)^-1[v, v] to the variance of
    category v, and a respondent of category x, by the cohort, `cohort_squares`[v, x] less the
    square of its mean, which is 1 if v = x, else 0.

    Args:
        design: The Bloom filters.
        flip: Chance F that a bit of a report is not that of the true answer.
        shares: The true shares, shape (k,), summing to 1.
    """
    bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
    noise = design.cohorts * bit * np.diag(design.inverse)
    return np.maximum(noise + design.cohort_squares @ shares - shares, 0.0)


@lru_cache(maxsize=256)
def rappor_forecast(design: BloomDesign, flip: float) -> RapporForecast:
    """Returns the preview for a chance of flipping a bit; the last few are cached."""
    return RapporForecast(design, flip)


class RapporForecast:
    """Preview of RAPPOR: a `Forecast` of shares."""

    quantity: Literal["share", "mean"] = "share"
    form: Literal["symbol", "bits", "support"] = "support"
    positions: Floats | None = None
    truthful: float | None = None

    def __init__(self, design: BloomDesign, flip: float) -> None:
        self._design = design
        self._flip = flip
        self.size = self.outputs = design.size
        even = np.full(design.size, 1 / design.size)
        self._even = float(noise_variances(design, flip, even).mean())
        bit = flip * (1 - flip) / (1 - 2 * flip) ** 2
        self._of_bits = design.cohorts * bit * np.diag(design.inverse)

    def probabilities(self, code: int) -> Floats:
        """Returns the chance that a bit of each category is set, over cohorts, shape (k,)."""
        shared = self._design.gram[code] / (self._design.cohorts * self._design.hashes)
        return np.asarray(self._flip + (1 - 2 * self._flip) * shared)

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns two equally likely values with the mean and the variance of what a report adds.

        A report adds one of very many values to a share of 1/k; of their law only these two
        moments show in an estimate from many reports.
        """
        share = 1 / self.size
        reach = sqrt(self._even + share * (1 - share))
        return share + reach * np.array([-1.0, 1.0]), np.array([0.5, 0.5]), share

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one category, as root mean square over all of them.

        The category has this share (1/k when not given), the others have equal parts of the rest.
        """
        f = 1 / self.size if share is None else share
        noise = self._even if share is None else self._mean_noise(f)
        sampling = f * (1 - f)
        return Accuracy(*(sqrt(v / reports) for v in (noise, sampling, noise + sampling)))

    def _mean_noise(self, f: float) -> float:
        squares = self._design.cohort_squares
        own = np.diag(squares)
        others = (squares.sum(axis=1) - own) / (self.size - 1)
        return float(np.mean(self._of_bits + f * own + (1 - f) * others) - f)

    @property
    def noise_constant(self) -> float:
        """The constant n Var* of the worst category, all respondents being of the worst other."""
        squares = self._design.cohort_squares
        others = (squares - np.diag(np.diag(squares))).max(axis=1)
        return float((self._of_bits + others).max())
