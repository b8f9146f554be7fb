"""What sharing a respondent's report among several attributes means for the error of each.

SMP: one attribute is answered, the others are left empty. Of d attributes each respondent reports
one, drawn at random, and says which: about n/d reports of each, all at the whole epsilon. Estimates
are those of the group that reports the attribute; that somebody else was not asked is part of the
noise (Nguyen, Xiao, Yang, Hui, Shin & Shin 2016; Arcolezi, Couchot, Al Bouna & Xiao 2021).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan
from typing import Literal

import numpy as np

from dpdesk.domains import AnyDomain
from dpdesk.mechanisms.base import Forecast, Mechanism
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate
from dpdesk.mechanisms.fake_data import FakeDataForecast, Fakes
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True)
class SampledForecast:
    """Preview of one attribute that one in d respondents reports: a `Forecast`.

    The group is taken to have its expected size.

    Attributes:
        real: The mechanism on the domain, for those who report it.
        attributes: How many respondents there are for each one who reports the attribute, d.
    """

    real: Forecast
    attributes: float

    @property
    def size(self) -> int:
        """Number of values of the domain."""
        return self.real.size

    @property
    def outputs(self) -> int:
        """Number of reports, or of bits."""
        return self.real.outputs

    @property
    def quantity(self) -> Literal["share", "mean"]:
        """What is estimated."""
        return self.real.quantity

    @property
    def form(self) -> Literal["symbol", "bits", "support"]:
        """What the probabilities are of."""
        return self.real.form

    @property
    def positions(self) -> Floats | None:
        """Where numeric reports lie."""
        return self.real.positions

    def probabilities(self, code: int) -> Floats:
        """Returns Pr[report | true code] of those who report the attribute, shape (outputs,)."""
        return self.real.probabilities(code)

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns what each respondent adds to an estimate, the chances, and the truth.

        A respondent who reports another attribute adds the truth itself; one who reports this
        attribute adds d times the difference from it. To first order this is the mean over a group
        of random size.
        """
        values, chances, truth = self.real.report_law()
        return (
            np.append(truth + self.attributes * (values - truth), truth),
            np.append(chances / self.attributes, 1 - 1 / self.attributes),
            truth,
        )

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one estimate among `reports` respondents.

        What drawing the group adds is counted as noise.
        """
        group = self.real.accuracy(reports / self.attributes, share)
        return Accuracy(*split_error(group.total, group.sampling, 1 / self.attributes))

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances, where what drawing the group adds is noise."""
        noise, sampling = self.real.variances(answers)
        d = self.attributes
        return d * noise + (d - 1) * sampling, sampling

    @property
    def noise_constant(self) -> float:
        """The constant n Var*, for the number n of all respondents."""
        return self.attributes * self.real.noise_constant

    @property
    def truthful(self) -> float | None:
        """Share of the group's reports that tell the truth."""
        return self.real.truthful


def estimate_of_group(estimate: Estimate, respondents: float) -> Estimate:
    """Returns the estimate of a group with its errors split anew.

    The total error stays, since a random group estimates the population as well as its size allows.
    As an estimate of all respondents it lacks those who were not drawn, which counts as noise:
    f(1-f)(1/m - 1/n) for a share, with m of n in the group.

    Args:
        estimate: The estimate from the group's reports.
        respondents: Effective number of all respondents.
    """
    share = min(1.0, estimate.effective_reports / respondents)
    errors = zip(estimate.total_error.tolist(), estimate.sampling_error.tolist(), strict=True)
    split = np.array([split_error(total, sampling, share) for total, sampling in errors])
    intervals = estimate.intervals
    if intervals is not None:
        shares = estimate_of_group(intervals.shares, respondents)
        intervals = replace(intervals, shares=shares)
    answered = estimate.answered
    return replace(
        estimate,
        noise_error=split[:, 0],
        sampling_error=split[:, 1],
        intervals=intervals,
        answered=None if answered is None else estimate_of_group(answered, respondents),
    )


def split_error(total: float, sampling: float, share: float) -> tuple[float, float, float]:
    """Splits the error of a group's estimate into noise and the sampling of all respondents.

    Args:
        total: Standard error of the group's estimate of the population.
        sampling: The part of it that is due to drawing the group from the population; NaN where
            that is unknown, and the noise is then bounded by the total.
        share: The group's size among all respondents.

    Returns:
        Noise (of the mechanism and of drawing the group from the respondents), sampling (of
        drawing the respondents from the population) and total.
    """
    of_all = sampling * share**0.5
    known = 0.0 if isnan(of_all) else of_all
    # By rounding, the sampling error may exceed the total error.
    return max(total**2 - known**2, 0.0) ** 0.5, of_all, total


@dataclass(frozen=True, slots=True)
class Sampling:
    """A strategy over several attributes, seen from one of them.

    Attributes:
        strategy: As `Plan.strategy`.
        attributes: Number of protected attributes, d.
        fakes: As `Plan.fakes`.
    """

    strategy: Literal["spl", "smp", "rsfd", "rsrfd"] = "spl"
    attributes: int = 1
    fakes: Fakes = "zeros"

    @property
    def groups(self) -> int:
        """Number of groups of respondents, of which each reports an attribute of its own."""
        return self.attributes if self.strategy == "smp" else 1

    def serves(self, kind: type[Mechanism]) -> bool:
        """Tells whether a mechanism can be used under the strategy."""
        return self.strategy in {"spl", "smp"} or kind.can_be_faked

    def forecast(
        self, mechanism: Mechanism, domain: AnyDomain, expected: tuple[float, ...] = ()
    ) -> Forecast:
        """Returns what the strategy with this mechanism does to the attribute.

        Args:
            mechanism: A mechanism that fits the domain and the strategy.
            domain: The attribute's public domain.
            expected: Expected share of each category, shape (k,); uniform when empty.
        """
        real = mechanism.forecast(domain)
        if self.strategy == "smp":
            return SampledForecast(real, self.attributes)
        if self.strategy == "spl" or not isinstance(real, FrequencyForecast):
            return real
        if self.strategy == "rsfd":
            return FakeDataForecast(real, self.attributes, self.fakes)
        return FakeDataForecast(real, self.attributes, "random", expected)


EVERY_ANSWER = Sampling()
"""Every attribute is reported on its own."""
