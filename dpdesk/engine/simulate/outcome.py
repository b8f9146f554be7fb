"""One simulated release of an attribute, from counts of its answers.

It is drawn from a seeded generator and only shown to the holder of the data: nothing is released.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.engine.simulate.tallies import sampled_counts, simulate_counts
from dpdesk.mechanisms import Forecast
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.mechanisms.estimates import Answers
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.mechanisms.mean import MeanForecast
from dpdesk.mechanisms.missing_answer import MissingForecast
from dpdesk.mechanisms.pram import PramForecast
from dpdesk.mechanisms.sampling import SampledForecast
from dpdesk.numbers.arrays import Counts, Floats

_WORTHS = 8
"""So many groups of reports are told apart within one standard deviation of their worth."""


def simulate_shares(forecast: Forecast, counts: Counts, seed: int) -> Floats:
    """Draws the estimated share of each category of one release, shape (k,).

    The reports have the law that randomizing every respondent would give, and are estimated from
    as a release is. Reports that are read together, as Bloom filters are, are not drawn: each of
    their estimates is drawn by itself from the normal law with its noise.

    Args:
        forecast: The mechanism on the domain, as the strategy has it.
        counts: Number of respondents with each answer, shape (k,).
        seed: Seed of the generator.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    real = forecast
    if isinstance(forecast, SampledForecast):
        real = forecast.real
        counts = sampled_counts(counts, forecast.attributes, generator)
    total = max(int(counts.sum()), 1)
    if isinstance(real, FakeDataForecast):
        p, q = real.chances
    elif isinstance(real, FrequencyForecast):
        p, q = np.array(real.p), np.array(real.q)
    elif isinstance(real, PramForecast):
        reports = simulate_counts(real, counts, generator)
        return np.asarray(reports / total @ real.worth)
    else:
        return _drawn_apart(real, counts / total, total, generator)
    reports = simulate_counts(real, counts, generator)
    return np.asarray((reports / total - q) / (p - q))


def simulate_apart(forecast: Forecast, shares: Floats, respondents: int, seed: int) -> Floats:
    """Draws each estimated share by itself, from the normal law with its noise, shape (k,).

    Args:
        forecast: The mechanism on the domain, as the strategy has it.
        shares: The share of respondents with each answer, shape (k,); of options of which several
            may be ticked, they need not add up to 1.
        respondents: Number of respondents.
        seed: Seed of the generator.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    return _drawn_apart(forecast, shares, respondents, generator)


def _drawn_apart(
    forecast: Forecast, shares: Floats, respondents: int, generator: np.random.Generator
) -> Floats:
    noise = [forecast.accuracy(respondents, share).noise for share in shares.tolist()]
    return np.asarray(shares + np.array(noise) * generator.standard_normal(len(shares)))


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedMean:
    """One simulated release of numbers.

    Attributes:
        mean: The estimated mean, from the lower end of the domain in the attribute's unit.
        reports: Share of the reports in each interval, shape (intervals,); None where reports are
            not numbers alone.
    """

    mean: float
    reports: Floats | None


def simulate_mean(
    forecast: Forecast, codes: Counts, counts: Counts, edges: Floats, seed: int, missing: int = 0
) -> SimulatedMean:
    """Draws the reports of one release, in intervals, and the mean that is estimated from them.

    Reports of one interval whose worths differ by less than an eighth of their standard deviation
    are drawn together: the mean stays, and the variance shrinks by less than a seven-hundredth.

    Args:
        forecast: The mechanism on the domain, as the strategy has it.
        codes: The answers that respondents gave, shape (answers,); few.
        counts: Number of respondents with each of them.
        edges: Ends of the intervals from the lower end of the domain, ascending; the first and
            the last interval hold all reports beyond.
        seed: Seed of the generator.
        missing: Number of respondents without an answer, where that is protected with the numbers.
    """
    generator = np.random.Generator(np.random.PCG64(seed))
    real = forecast
    if isinstance(forecast, SampledForecast):
        real = forecast.real
        drawn = sampled_counts(np.append(counts, missing), forecast.attributes, generator)
        counts, missing = drawn[:-1], int(drawn[-1])
    assert isinstance(real, MeanForecast)  # noqa: S101 - numbers have no other preview
    total = max(int(counts.sum()), 1)
    if isinstance(real, MissingForecast):
        places = np.linspace(0.0, real.span, real.size)[codes]
        given, people = tuple((counts / total).tolist()), total + missing
        answers = Answers(given, tuple(codes.tolist()), missing=missing / people)
        noise = mean_accuracy(real, answers, people).noise
        mean = float(places @ counts) / total + noise * float(generator.standard_normal())
        return SimulatedMean(mean, None)
    place = np.clip(np.searchsorted(edges, real.positions, side="right") - 1, 0, len(edges) - 2)
    laws = [real.probabilities(code) for code in codes.tolist()]
    group, place_of = _alike(place, real.worth, np.asarray(counts @ np.array(laws)))
    reports, value = np.zeros(len(place_of)), 0.0
    for chances, count in zip(laws, counts.tolist(), strict=True):
        joint = np.bincount(group, weights=chances, minlength=len(place_of))
        worth = np.bincount(group, weights=chances * real.worth, minlength=len(place_of))
        drawn = generator.multinomial(count, joint / joint.sum())
        likely = joint > 0
        reports += drawn
        value += float(drawn[likely] @ (worth[likely] / joint[likely]))
    shares = np.bincount(place_of, weights=reports, minlength=len(edges) - 1) / total
    return SimulatedMean(value / total, shares)


def _alike(place: Counts, worth: Floats, weight: Floats) -> tuple[Counts, Counts]:
    """Takes reports of one interval together whose worths differ little.

    Args:
        place: The interval of each report, shape (outputs,).
        worth: What each adds to the mean.
        weight: How likely each is, up to a factor.

    Returns:
        The group of each report, and the interval of each group.
    """
    mean = worth @ weight / weight.sum()
    width = float(np.sqrt((worth - mean) ** 2 @ weight / weight.sum())) / _WORTHS
    step = np.floor((worth - worth.min()) / width).astype(np.int64) if width else place * 0
    _, first, group = np.unique(
        place * (int(step.max()) + 1) + step, return_index=True, return_inverse=True
    )
    return group.astype(np.int64), place[first].astype(np.int64)
