"""What mechanisms for numbers share: an unbiased mean from what each report is worth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from math import sqrt
from typing import Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import Certificate
from dpdesk.domains import AnyGrid, parse_number
from dpdesk.mechanisms.base import BoundMechanism, Mechanism, NumberReports
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate
from dpdesk.mechanisms.interval_shares import IntervalReader
from dpdesk.mechanisms.score_rule import ScoreRule, numbers_of
from dpdesk.mechanisms.tally import Tally, count_symbols
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.numbers.intervals import least_variance, lower_hull, normal_quantile
from dpdesk.randomness import WordSource

_FLOOR = 33
"""Means from either end that the least noise is given at: scripts of a release carry them."""
_STRAIGHT = 1e-10
"""How far worths may be from a straight line, in widths of the interval: what texts round."""

Grid = AnyGrid
"""The domain of a mechanism for numbers and dates."""


class SymbolLaw(Protocol):
    """An integer law that draws one report symbol per true code."""

    def sample(self, codes: Codes, words: NDArray[np.uint64]) -> Codes:
        """Draws one report per true code from one word each, shape (n,)."""

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""

    def extremes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Returns bounds of the weights of each report, shapes (outputs,)."""


class TextsOnDemand(ABC, Sequence[str]):
    """Texts that are made when asked for, since there may be a hundred thousand."""

    @abstractmethod
    def text(self, index: int) -> str:
        """Returns the text at a place from 0 to the length less one."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        places = range(len(self))[index]
        return self.text(places) if isinstance(places, int) else tuple(map(self.text, places))


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
    def worth(self) -> Floats:
        """What each report adds to the unbiased mean, from the lower end, shape (outputs,).

        Unless a mechanism says otherwise its reports are unbiased as they are.
        """
        return self.positions

    @property
    @abstractmethod
    def noise_variances(self) -> Floats:
        """Variance of a report's worth at each true grid point, squared units, shape (m,)."""

    @abstractmethod
    def probabilities(self, code: int) -> Floats:
        """Returns Pr[report | true code], shape (outputs,)."""

    @cached_property
    def most_likely(self) -> Floats:
        """The largest chance of each report under any answer, shape (outputs,)."""
        return np.asarray(np.max([self.probabilities(code) for code in range(self.size)], axis=0))

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

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances of the mean of such answers, shape (1,)."""
        noise = float(self.noise_variances[[*answers.codes]] @ np.array(answers.shares))
        return np.array([noise]), np.array([answers.spread**2])

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
        noise_variances: Variance of a report's worth at each true grid point, squared units,
            shape (m,).
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
        forecast = mechanism.forecast(domain)
        assert isinstance(forecast, MeanForecast)  # noqa: S101 - this one is for numbers, too
        self.noise_variances = forecast.noise_variances
        self._lower, self._span = float(domain.grid_lower), domain.span

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        return self.law.sample(codes, words.take(codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        return count_symbols(reports, len(self.outputs), weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the unbiased mean, arrays of shape (1,).

        The spread of the reports' worth, by squared weights, is the total error (Taylor
        linearisation of a weighted mean); it is at least `noise_floor`, since few reports may
        lack those that are rare and worth much. Their squares less `square_worth` are
        unbiased for the noise variance; without it the noise error is given for equal answers (its
        upper bound) and the sampling error is NaN, as where the reports spread no wider than noise.
        """
        shares, reports = tally.square_shares, tally.effective_reports
        from_lower = float(tally.shares @ self.worth)
        spread = float(shares @ (self.worth - from_lower) ** 2)
        least = least_variance(self.noise_floor, from_lower, reports)
        total = max(spread, least) / reports
        noise, sampling = total, float("nan")
        if self.square_worth is not None:
            noise = float(shares @ (self.worth**2 - self.square_worth)) / reports
            noise = max(noise, least / reports)
            # Noise may hide that answers differ; that they do not would be too much said.
            sampling = total - noise if noise < total else float("nan")
            noise = min(noise, total)
        reader = self.intervals
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
            intervals=None if reader is None else reader.read(tally, confidence),
        )

    @property
    def places(self) -> Floats:
        """The numbers that are reported, from the lower end in the attribute's unit, (outputs,)."""
        return self.worth

    def report_moments(self, codes: Codes) -> Floats:
        """Returns the mean and the mean square of what is reported under some answers.

        Args:
            codes: True codes, shape (n,).

        Returns:
            E[places(Y) | x] and E[places(Y)^2 | x], shape (n, 2).
        """
        true = np.linspace(0.0, self._span, self.size)[codes]
        return np.stack((true, true**2 + self.noise_variances[codes]), axis=-1)

    def answer_scores(self, worth: Floats) -> Floats:
        """Returns what each report adds to sums over those who answered.

        Args:
            worth: What each report of an answer is worth for some quantities, one column each,
                shape (reports of an answer, quantities).

        Returns:
            A column whose expectation is 1 of an answer and 0 of a missing one, and those of the
            quantities, whose expectation is that of `worth` of an answer and 0 of a missing one;
            shape (outputs, 1 + quantities).
        """
        return np.column_stack((np.ones(len(worth)), worth))

    @property
    def number_scores(self) -> Floats:
        squares = self.square_worth
        told = np.full_like(self.worth, np.nan) if squares is None else squares
        return np.column_stack((np.ones_like(self.worth), self.worth, told))

    @cached_property
    def least_noise(self) -> Floats:
        """The least noise variance of any answers whose mean is a grid point, shape (m,)."""
        return lower_hull(self.noise_variances)

    @cached_property
    def noise_floor(self) -> Floats:
        # Denser towards both ends, where the noise changes most.
        steps = np.geomspace(1, self.size, _FLOOR).round().astype(np.intp) - 1
        places = np.union1d(steps, self.size - 1 - steps)
        means = places * (self._span / (self.size - 1))
        return np.stack((means, self.least_noise[places], np.zeros(places.size)))

    def score_rule(self) -> ScoreRule:
        numbers: dict[str, Floats | float] = {"origin": self._lower, "floor": self.noise_floor}
        found = [parse_number(text, ".") for text in self.outputs]
        if any(number is None for number in found):
            # Reports that are dates are looked up as they stand.
            return self._listed_rule(numbers)
        places = np.array(found, dtype=np.float64)
        # Two numbers far apart, so that rounded digits of the texts do not tilt the line.
        first, last = int(places.argmin()), int(places.argmax())
        slope = (self.worth[last] - self.worth[first]) / (places[last] - places[first])
        line = self.worth[first] + slope * (places - places[first])
        if float(np.abs(line - self.worth).max()) <= _STRAIGHT * self._span:
            numbers |= {"slope": slope, "at": places[first], "worth": self.worth[first]}
            return ScoreRule("number", {key: numbers_of(found) for key, found in numbers.items()})
        return self._listed_rule(numbers)

    def _listed_rule(self, numbers: Mapping[str, Floats | float]) -> ScoreRule:
        listed = {key: numbers_of(number) for key, number in numbers.items()}
        return ScoreRule("number", listed | {"worth": numbers_of(self.worth)}, (*self.outputs,))

    def number_reports(self, codes: Codes) -> NumberReports:
        powers = np.column_stack((self.places, self.places**2))
        return NumberReports(self.places, self.answer_scores(powers), self.report_moments(codes))

    @property
    def intervals(self) -> IntervalReader | None:
        """What shares of intervals are estimated by; None where a mean is all that is told."""
        return None
