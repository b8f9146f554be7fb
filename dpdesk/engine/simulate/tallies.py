"""Counts of reports from counts of answers, at a cost that does not depend on their number.

Respondents with the same answer report independently by the same law, so that a few binomials or
multinomials have exactly the law of the counts that randomizing each respondent would give.

Counts of answers have the shape (..., k); the axes before the last are repetitions:
`np.broadcast_to(counts, (200, k))` gives 200 independent surveys.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

import numpy as np

from dpdesk.mechanisms import Forecast
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.numbers.arrays import Counts, Floats

_VALUES_MAX = 256
_FAR = 32 * 1_024

RESPONDENTS_MAX = 2**62
"""The generator counts respondents in 64 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class HypotheticalEstimates:
    """Estimates of simulated surveys.

    Attributes:
        seed: Seed of the generator: the same seed gives the same estimates.
        truth: The estimated quantity: a share, or a mean measured from the interval's start.
        estimates: One unbiased estimate per survey, noise and sampling included, shape (draws,).
    """

    seed: int
    truth: float
    estimates: Floats


def simulate_estimates(
    forecast: Forecast, respondents: int, draws: int, seed: int
) -> HypotheticalEstimates:
    """Draws estimates of a share of 1/k, or of the mean of answers uniform on the grid.

    Respondents are drawn independently, so that the reports are independent draws from one law
    over a few report values: one multinomial per survey has exactly the law of randomizing each
    respondent, at a cost that does not depend on their number. Of more than 256 report values those
    that are nearly the same are taken together, so that surveys can be drawn at every step of a
    slider: the mean stays, and the variance shrinks by less than a four-thousandth.

    Args:
        forecast: The mechanism on the domain.
        respondents: Number of respondents of each survey.
        draws: Number of surveys.
        seed: Seed of the generator.
    """
    values, chances, truth = forecast.report_law()
    if values.size > _VALUES_MAX:
        values, chances = _together(values, chances)
    generator = np.random.Generator(np.random.PCG64(seed))
    counts = generator.multinomial(min(respondents, RESPONDENTS_MAX), chances, size=draws)
    return HypotheticalEstimates(seed, truth, counts @ values / respondents)


def _together(values: Floats, chances: Floats) -> tuple[Floats, Floats]:
    """Takes values within a 32nd of their standard deviation together, as their mean.

    Also those beyond 1,024 of them on either side, which keeps the number of places small.
    """
    # Sums, since a product of long vectors wakes the threads of BLAS, which then wait busily.
    away = values - (values * chances).sum()
    width = float(np.sqrt((chances * away**2).sum())) / 32
    if width == 0:
        return values, chances
    places = np.floor(np.clip(away / width, -_FAR, _FAR)).astype(np.int64)
    places -= places.min()
    joint = np.bincount(places, weights=chances).astype(np.float64)
    sums = np.bincount(places, weights=chances * values)
    drawn = joint > 0
    return sums[drawn] / joint[drawn], joint[drawn]


def symbol_counts(counts: Counts, p: float, q: float, generator: np.random.Generator) -> Counts:
    """Draws how often each category is reported under GRR or Warner, shape (..., k).

    A report is the truth with probability p - q and else any category with equal chance: those
    who keep the truth are binomial, the others one multinomial.
    """
    kept = generator.binomial(counts, p - q)
    k = counts.shape[-1]
    return np.asarray(kept + generator.multinomial((counts - kept).sum(axis=-1), np.full(k, 1 / k)))


def support_counts(counts: Counts, p: float, q: float, generator: np.random.Generator) -> Counts:
    """Draws how many reports support each category where supports are independent.

    This holds for unary encoding and local hashing: Bin(n_v, p) + Bin(n - n_v, q) for each value
    v. Shape (..., k).
    """
    others = counts.sum(axis=-1, keepdims=True) - counts
    return np.asarray(generator.binomial(counts, p) + generator.binomial(others, q))


def channel_counts(
    counts: Counts, rows: Iterable[Floats], generator: np.random.Generator
) -> Counts:
    """Draws how often each symbol of any channel is reported: one multinomial per true value.

    Args:
        counts: Counts of the answers, shape (..., k).
        rows: Pr[symbol | true value] for each true value, shape (outputs,).
        generator: The source of chance.
    """
    drawn = (
        generator.multinomial(counts[..., value], row / row.sum()) for value, row in enumerate(rows)
    )
    return reduce(np.add, drawn)


def bit_counts(counts: Counts, rows: Iterable[Floats], generator: np.random.Generator) -> Counts:
    """Draws how often each bit is set, or each category supported, whatever the chances are.

    Each count has its exact law. Counts of different bits are drawn independently; if the bits of
    one report depend on each other, as in a subset of fixed size, only the marginal law of each
    count is exact, which is enough for estimates of single shares and their averaged errors.

    Args:
        counts: Counts of the answers, shape (..., k).
        rows: Pr[bit is set | true value] for each true value, shape (outputs,).
        generator: The source of chance.
    """
    drawn = (
        generator.binomial(counts[..., value, np.newaxis], row) for value, row in enumerate(rows)
    )
    return reduce(np.add, drawn)


def fake_data_counts(
    forecast: FakeDataForecast, counts: Counts, generator: np.random.Generator
) -> Counts:
    """Draws the counts of one attribute under RS+FD or RS+RFD, shape (..., k).

    A respondent's report is real with probability 1/d, whatever the other attributes are.

    - Symbols: the truth is kept with probability (p - q)/d; the others are one multinomial with
      weights q + (d-1) f~ for fakes drawn with the chances f~.
    - Bits with fakes of zeros: Bin(n_v, (p + (d-1)q)/d) + Bin(n - n_v, q).
    - Bits with encoded fakes: the encoded value is the truth for Bin(n_v, 1/d) respondents and
      drawn from f~ for the others; its bit is set with probability p, any other with q.
    """
    p, q, d = forecast.real.p, forecast.real.q, forecast.attributes
    if forecast.form == "symbol":
        kept = generator.binomial(counts, (p - q) / d)
        weights = q + (d - 1) * forecast.faked
        others = (counts - kept).sum(axis=-1)
        return kept + generator.multinomial(others, weights / weights.sum())
    if forecast.fakes == "zeros":
        return support_counts(counts, (p + (d - 1) * q) / d, q, generator)
    real = generator.binomial(counts, 1 / d)
    fakes = (counts - real).sum(axis=-1)
    encoded = real + generator.multinomial(fakes, forecast.faked)
    return support_counts(encoded, p, q, generator)


def sampled_counts(counts: Counts, attributes: float, generator: np.random.Generator) -> Counts:
    """Draws the answers of those who report an attribute under SMP: Bin(n_v, 1/d), (..., k).

    Each respondent reports one of d attributes, drawn with equal chances. Their reports are then
    drawn from these counts as from any others.
    """
    return generator.binomial(counts, 1 / attributes)


def simulate_counts(forecast: Forecast, counts: Counts, generator: np.random.Generator) -> Counts:
    """Draws the counts of the reports of a mechanism on a domain.

    Args:
        forecast: The mechanism on the domain, of k values.
        counts: Number of respondents with each value, shape (..., k).
        generator: The source of chance.

    Returns:
        Counts of the reports, of set bits or of supported categories, as the form of the forecast
        says; shape (..., outputs).
    """
    if isinstance(forecast, FakeDataForecast):
        return fake_data_counts(forecast, counts, generator)
    if isinstance(forecast, FrequencyForecast):
        draw = symbol_counts if forecast.form == "symbol" else support_counts
        return draw(counts, forecast.p, forecast.q, generator)
    # A chance may be outside 0 to 1 by a rounding error.
    rows = (np.clip(forecast.probabilities(code), 0.0, 1.0) for code in range(forecast.size))
    return (channel_counts if forecast.form == "symbol" else bit_counts)(counts, rows, generator)
