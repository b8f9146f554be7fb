"""Which mechanism of those that fit has the least error, and what each of them costs in use.

This is the adaptive choice of Wang et al. 2017 (direct encoding below 3 e^eps + 2 categories,
unary encoding above), over every mechanism that fits the domain instead of two.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from math import log2, sqrt
from typing import Literal

import numpy as np

from dpdesk.domains import AnyDomain
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Forecast, Mechanism
from dpdesk.mechanisms.estimates import Accuracy, Answers
from dpdesk.mechanisms.mean import MeanForecast
from dpdesk.mechanisms.registry import fitting
from dpdesk.mechanisms.sampling import EVERY_ANSWER, Sampling
from dpdesk.numbers.intervals import normal_quantile

WIDE_TABLE = N_("One column per category; several can be 1.")
NO_CATEGORY = N_("Reports name no category.")
PARTS = N_("Only the estimator can read a report.")
BEYOND_RANGE = N_("Reports leave the range.")
PLAIN_AVERAGE = N_("The plain average is biased.")


def report_bits(mechanism: Mechanism, domain: AnyDomain) -> float:
    """Returns the size of one report in bits, as its form writes it.

    For a symbol or whole numbers it is the logarithm of how many reports there can be; a report
    of bits counts all of them, although some sets of bits may never occur.

    Args:
        mechanism: A mechanism that fits the domain.
        domain: The attribute's public domain.
    """
    forecast = mechanism.forecast(domain)
    if forecast.form == "bits" and mechanism.form == "bits":
        return float(forecast.outputs)
    if mechanism.form == "bits":
        return float(len(mechanism.released_names("", domain)))
    if mechanism.form == "symbol" and forecast.form == "symbol":
        return log2(forecast.outputs)
    return sum(map(log2, mechanism.report_sizes(domain)))


def losses(mechanism: Mechanism, domain: AnyDomain) -> tuple[str, ...]:
    """Returns what an analyst gives up against reports that look like answers, as sentences.

    Args:
        mechanism: A mechanism that fits the domain.
        domain: The attribute's public domain.
    """
    forecast, lost = mechanism.forecast(domain), []
    if mechanism.lost:
        lost.append(mechanism.lost)
    elif mechanism.form == "bits":
        lost.append(WIDE_TABLE)
    elif mechanism.form == "integers":
        lost.append(PARTS)
    elif forecast.form == "support":
        lost.append(NO_CATEGORY)
    if forecast.quantity == "mean" and forecast.positions is not None:
        lost += _losses_of_numbers(forecast, domain)
    return tuple(lost)


def _losses_of_numbers(forecast: Forecast, domain: AnyDomain) -> list[str]:
    positions = forecast.positions
    assert positions is not None  # noqa: S101 - reports of numbers are numbers
    span = domain.span
    slack = 1e-9 * span
    lost = []
    if positions.min() < -slack or positions.max() > span + slack:
        lost.append(BEYOND_RANGE)
    worth = forecast.worth if isinstance(forecast, MeanForecast) else forecast.report_law()[0]
    if worth.shape != positions.shape or np.abs(worth - positions).max() > slack:
        lost.append(PLAIN_AVERAGE)
    return lost


Order = Literal["total", "var_star"]
"""By the total error over the expected distribution, or by n Var*."""

_Z = normal_quantile(0.95)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A mechanism with what it does to an attribute.

    Attributes:
        mechanism: The parameters, at the epsilon asked for.
        noise_constant: n Var* (see `Forecast.noise_constant`).
        half_width: Half-width of the 95 % interval with one respondent, noise and sampling, in pp
            for shares and in the attribute's unit for a mean. Over the categories it is the root
            mean square of the errors of the expected shares.
        domain: A domain that all this holds for.
    """

    mechanism: Mechanism
    noise_constant: float
    half_width: float
    domain: AnyDomain = field(compare=False, repr=False)

    def error_95(self, respondents: float) -> float:
        """Returns the half-width of the 95 % interval with so many respondents."""
        return self.half_width / sqrt(respondents)

    # Computed on demand: a slider compares errors alone, about fifty times a second.
    @property
    def bits_sent(self) -> float:
        """Size of a report in bits, written as tightly as its form allows."""
        return _bits(_Case(self.mechanism, _Alike(self.domain.laws, self.domain)))

    @property
    def losses(self) -> tuple[str, ...]:
        """What an analyst gives up, as sentences; empty where a report looks like an answer."""
        return _losses(_Case(self.mechanism, _Alike(self.domain.laws, self.domain)))

    @property
    def is_answer(self) -> bool:
        """Whether a report is an answer of the same column."""
        return set(self.losses) <= {PLAIN_AVERAGE}


@dataclass(frozen=True, slots=True)
class _Alike:
    """A domain in the key of a cache: equal to all on which the laws are the same."""

    laws: Hashable
    domain: AnyDomain = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Case:
    """The key of a cache: a mechanism on a domain, without the expected shares."""

    mechanism: Mechanism
    alike: _Alike
    expected: tuple[float, ...] = ()
    sampling: Sampling = EVERY_ANSWER

    def __hash__(self) -> int:
        return hash((self.mechanism, self.alike, self.sampling))


def ranked(
    domain: AnyDomain,
    epsilon: Decimal,
    *,
    expected: tuple[float, ...] = (),
    by: Order = "total",
    sampling: Sampling = EVERY_ANSWER,
) -> tuple[Candidate, ...]:
    """Returns every fitting mechanism whose epsilon can be chosen, the best one first.

    The total error is the sum over the categories of noise and sampling variance, each category
    having its expected share; for a mean, answers are taken as spread evenly over the grid. n Var*
    looks at rare categories alone (for a mean, at the worst answer), and makes the worse choice
    just below 3 e^eps + 2 categories. Among equals, a report that is one symbol goes before others;
    then the one listed first in the registry, so that Warner goes before GRR for two answers.

    Args:
        domain: The attribute's public domain.
        epsilon: Of one report.
        expected: Expected share of each category, shape (k,); uniform when empty.
        by: What is compared.
        sampling: How the attribute shares a respondent's report with others.
    """
    mechanisms = proposed(domain, epsilon, sampling)
    return ordered([candidate(m, domain, expected, sampling) for m in mechanisms], by)


AS_GOOD = 1.05
"""Errors that differ by this factor count as alike where a report is an answer of its own."""


def best_of(
    candidates: Sequence[Candidate], by: Order = "total", *, answers_only: bool = False
) -> Candidate | None:
    """Returns the candidate to choose: the first whose report is an answer, if it is as good.

    An analyst reads a report that is an answer of the same column without an estimator's help; for
    that an error of up to 5 % more is accepted.

    Args:
        candidates: The candidates, the best one first.
        by: What they are ordered by.
        answers_only: Whether reports that are no answers are out of the question.

    Returns:
        None where there is no candidate; with `answers_only` the best one where no report is an
        answer.
    """
    if not candidates:
        return None
    best = candidates[0]
    limit = figure_of(best, by) * AS_GOOD * (AS_GOOD if by == "var_star" else 1)
    for judged in candidates:
        if not answers_only and figure_of(judged, by) > limit:
            break
        if judged.is_answer:
            return judged
    return best


def least_error(
    domain: AnyDomain,
    epsilon: Decimal,
    *,
    expected: tuple[float, ...] = (),
    sampling: Sampling,
    answers_only: bool,
) -> Candidate | None:
    """Returns what `best_of` chooses of those `ranked` by total error, without trying all of them.

    A mechanism whose reports are no answers is left out where its least noise is already above the
    error of another. That saves the forecasts that take long, such as those of RAPPOR. Cached:
    many questions of a survey have as many answers.
    """
    return _least_error(_Alike(domain.laws, domain), epsilon, expected, sampling, answers_only)


@lru_cache(maxsize=1024)
def _least_error(
    alike: _Alike,
    epsilon: Decimal,
    expected: tuple[float, ...],
    sampling: Sampling,
    answers_only: bool,
) -> Candidate | None:
    domain = alike.domain
    kinds = [kind for kind in fitting(domain) if kind.adjustable and sampling.serves(kind)]
    found: list[Candidate] = []
    for mechanism in sorted(
        (kind.starting(domain, epsilon) for kind in kinds), key=Mechanism.noise_at_least
    ):
        floor = _Z * 100.0 * sqrt(mechanism.noise_at_least())
        if found and mechanism.form != "symbol" and floor > min(c.half_width for c in found):
            continue
        if mechanism.objection(domain) is None:
            found.append(candidate(mechanism, domain, expected, sampling))
    in_order = [kind.model_fields["kind"].default for kind in kinds]
    found.sort(key=lambda judged: in_order.index(judged.mechanism.kind))
    return best_of(ordered(found), answers_only=answers_only)


def proposed(
    domain: AnyDomain, epsilon: Decimal, sampling: Sampling = EVERY_ANSWER
) -> Iterator[Mechanism]:
    """Yields each mechanism that fits a domain and a strategy and whose epsilon can be chosen.

    Parameters beside epsilon are left at their defaults.
    """
    for kind in fitting(domain):
        if kind.adjustable and sampling.serves(kind):
            mechanism = kind.starting(domain, epsilon)
            if mechanism.objection(domain) is None:
                yield mechanism


def ordered(candidates: list[Candidate], by: Order = "total") -> tuple[Candidate, ...]:
    """Returns candidates with the best one first; equals as `ranked` says."""
    return tuple(sorted(candidates, key=lambda c: (figure_of(c, by), c.mechanism.form != "symbol")))


def figure_of(judged: Candidate, by: Order) -> float:
    """Returns what a candidate is compared by, with nine digits.

    Formulas that agree but for the last bits count as equal.
    """
    error = judged.half_width if by == "total" else judged.noise_constant
    return float(f"{error:.9g}")


@lru_cache(maxsize=1024)
def _judged(case: _Case) -> Candidate:
    forecast = case.sampling.forecast(case.mechanism, case.alike.domain, case.expected)
    shares = forecast.quantity == "share"
    error = mean_accuracy(forecast, Answers(case.expected) if case.expected else None).total
    return Candidate(
        mechanism=case.mechanism,
        noise_constant=forecast.noise_constant,
        half_width=_Z * (100.0 if shares else 1.0) * error,
        domain=case.alike.domain,
    )


@lru_cache(maxsize=1024)
def _bits(case: _Case) -> float:
    return report_bits(case.mechanism, case.alike.domain)


@lru_cache(maxsize=1024)
def _losses(case: _Case) -> tuple[str, ...]:
    return losses(case.mechanism, case.alike.domain)


def candidate(
    mechanism: Mechanism,
    domain: AnyDomain,
    expected: tuple[float, ...] = (),
    sampling: Sampling = EVERY_ANSWER,
) -> Candidate:
    """Returns what one mechanism does to an attribute; cached.

    Args:
        mechanism: A mechanism that fits the domain.
        domain: The attribute's public domain.
        expected: Expected share of each category, shape (k,); uniform when empty.
        sampling: How the attribute shares a respondent's report with others.
    """
    return _judged(_Case(mechanism, _Alike(domain.laws, domain), expected, sampling))


def mean_accuracy(
    forecast: Forecast, answers: Answers | None = None, reports: float = 1.0
) -> Accuracy:
    """Returns the error to expect of the mean, or of a share: the root mean square over all.

    Args:
        forecast: What is done to the attribute.
        answers: How its answers are spread; evenly when None.
        reports: Number of respondents.
    """
    if answers is None:
        return forecast.accuracy(reports)
    noise, sampling = (float(v.mean()) / reports for v in forecast.variances(answers))
    return Accuracy(sqrt(noise), sqrt(sampling), sqrt(noise + sampling))
