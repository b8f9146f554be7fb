"""The distribution of an attribute beside what one release would tell of it.

The true distribution is that of the data, for the curator's screen only; without data it is the
expected one. The release is simulated: nothing is spent, nothing is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from dpdesk.domains import ListedDomain, NumericDomain
from dpdesk.engine.simulate.outcome import (
    simulate_apart,
    simulate_mean,
    simulate_shares,
)
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.mechanisms.estimates import Answers
from dpdesk.numbers.arrays import Counts, Floats
from dpdesk.plan.given_answers import PARTS, GivenAnswers
from dpdesk.preview.request import PreviewRequest, Z

SHOWN_MAX = 12
"""Most categories that are drawn; of more, those that most respondents gave."""
ANSWERS_MAX = 24
"""Most numbers that respondents are taken to give: those between are moved to the nearest."""
_BEYOND = 0.5
_HEIGHTS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class OutcomeView:
    """A distribution and one simulated release of it.

    Attributes:
        is_true: Whether the distribution is that of the data; else it is the expected one.
        respondents: Number of respondents; with survey weights the effective one.
        labels: Names of the bars; for numbers empty.
        others: Number of categories that are not drawn.
        x: Where the bars stand: 0, 1, 2 … or the middles of intervals in the attribute's unit.
        width: Width of an interval.
        truth: Height of each bar, in per cent of the respondents.
        released: For categories the estimates, in per cent; for numbers the share of the reports
            in each interval, None where reports are not numbers alone.
        error: Half-widths of the 95 % intervals of the estimates, from noise and sampling.
        mean: For numbers, the mean of the distribution, its estimate and the half-width of the
            95 % interval, in the attribute's unit; None for categories.
        unit: The unit of `mean`.
        y_max: Upper end of the axis; a round number.
        within: How many of all intervals hold their true value.
        intervals: Number of all intervals.
        beyond: For numbers, the reports beyond the axis, in per cent.
        answered: Whether anybody answered; else nothing was estimated.
    """

    is_true: bool
    respondents: int
    labels: tuple[str, ...]
    others: int
    x: Floats
    width: float
    truth: Floats
    released: Floats | None
    error: Floats
    mean: tuple[float, float, float] | None
    unit: str
    y_max: float
    within: int
    intervals: int
    beyond: float = 0.0
    answered: bool = True


def outcome_view(request: PreviewRequest, given: GivenAnswers | None, seed: int) -> OutcomeView:
    """Returns one simulated release of a request.

    Args:
        request: The mechanism on the domain.
        given: The true answers; None for the expected distribution.
        seed: Seed of the simulation.
    """
    if isinstance(request.domain, NumericDomain):
        return _numbers(request, request.domain, given, seed)
    return _categories(request, request.domain, given, seed)


def _categories(
    request: PreviewRequest, domain: ListedDomain, given: GivenAnswers | None, seed: int
) -> OutcomeView:
    if given is None:
        counts, total = _expected_counts(request), max(request.respondents, 1)
    else:
        reporting = _reporting(given)
        counts = domain.count_answers(given.codes, reporting)
        total = max(int(reporting.sum()), 1)
    truth = counts / total
    if given is not None and given.weighted is not None:
        # A domain counts in whole numbers.
        parts = np.rint(given.weighted.shares * PARTS).astype(np.int64)
        truth = domain.count_answers(given.codes, parts) / PARTS
    forecast = request.forecast
    # Options of which several may be ticked are not drawn together.
    estimates = (
        simulate_apart(forecast, truth, total, seed)
        if domain.is_set
        # Whole respondents differ a little from the weights: that is no error of the release.
        else simulate_shares(forecast, counts, seed) + truth - counts / total
    )
    likely = np.clip(estimates, 0.0, 1.0)
    errors = Z * _errors(request, tuple(np.round(likely, 3).tolist()), total)
    order = np.arange(domain.size)
    if domain.size > SHOWN_MAX:
        order = np.sort(np.argsort(-truth, kind="stable")[:SHOWN_MAX])
    highest = float(np.max(np.maximum(truth, estimates)[order]))
    return OutcomeView(
        is_true=given is not None,
        respondents=total,
        labels=tuple(domain.label(code) for code in order.tolist()),
        others=domain.size - len(order),
        x=np.arange(float(len(order))),
        width=1.0,
        truth=100 * truth[order],
        released=100 * estimates[order],
        error=100 * errors[order],
        mean=None,
        unit="%",
        y_max=_round_up(100 * min(highest + float(errors[order].max()), 1.5)),
        within=int((np.abs(estimates - truth) <= errors).sum()),
        intervals=domain.size,
        answered=given is None or bool(_reporting(given).any()),
    )


def _reporting(given: GivenAnswers) -> Counts:
    """Number of respondents with each code.

    With weights it is the effective number of respondents, spread as the weight is: estimates of
    such a survey err as much as weighted ones.
    """
    if given.weighted is None:
        return given.code_counts
    ends = np.rint(np.cumsum(given.weighted.shares) * given.weighted.effective).astype(np.int64)
    counts: Counts = np.diff(ends, prepend=0)
    return counts


def _errors(request: PreviewRequest, shares: tuple[float, ...], total: int) -> Floats:
    """Standard error of each share; equal shares are asked for once."""
    forecast = request.forecast
    found = {share: forecast.accuracy(total, share).total for share in set(shares)}
    return np.array([found[share] for share in shares])


def _all_counts(request: PreviewRequest, given: GivenAnswers | None) -> Counts:
    """Number of respondents with each answer; expected ones are rounded to whole respondents."""
    size = request.domain.size
    if given is not None:
        counts = np.zeros(size, dtype=np.int64)
        inside = given.codes < size
        counts[given.codes[inside]] = _reporting(given)[inside]
        return counts
    return _expected_counts(request)


def _number_shares(request: PreviewRequest, given: GivenAnswers | None) -> Floats:
    """The share of each number among those who gave one: with weights, the file's to the digit."""
    if given is None or given.weighted is None:
        counts = _all_counts(request, given)
        return np.asarray(counts / max(int(counts.sum()), 1))
    shares = np.zeros(request.domain.size)
    inside = given.codes < request.domain.size
    shares[given.codes[inside]] = given.weighted.shares[inside]
    return np.asarray(shares / (shares.sum() or 1.0))


def _expected_counts(request: PreviewRequest) -> Counts:
    size = request.domain.size
    shares = np.array(request.expected) if request.expected else np.full(size, 1 / size)
    # Rounded so that the sum stays: each respondent gives one answer.
    answering = request.respondents - _missing(request, None)
    ends = np.rint(np.cumsum(shares) * answering).astype(np.int64)
    expected: Counts = np.diff(ends, prepend=0)
    return expected


def _missing(request: PreviewRequest, given: GivenAnswers | None) -> int:
    """Number of respondents whose missing answer is protected with the numbers.

    Of true answers it is the true one, as theirs is the error that is shown.
    """
    domain = request.domain
    if given is None:
        return round(request.respondents * domain.missing_share)
    return int(_reporting(given)[given.codes == domain.size].sum())


def _numbers(
    request: PreviewRequest, domain: NumericDomain, given: GivenAnswers | None, seed: int
) -> OutcomeView:
    lower, step = float(domain.grid_lower), float(domain.grid_step)
    shares = _number_shares(request, given)
    codes, counts = _few_answers(_all_counts(request, given))
    total = max(int(counts.sum()), 1)
    edges = _edges(request, domain)
    if not counts.any():
        return _of_nobody(lower + (edges[:-1] + edges[1:]) / 2, edges, domain.shown_unit)
    missing = _missing(request, given)
    drawn = simulate_mean(request.forecast, codes, counts, edges, seed, missing)
    numbers = np.arange(len(shares)) * step
    mean = float(numbers @ shares)
    # The respondents are whole and give few answers: what that moves is no error of the release.
    estimate = mean + drawn.mean - float(codes @ counts) * step / total
    spread = float((numbers - mean) ** 2 @ shares) ** 0.5
    few, people = (tuple((counts / total).tolist()), tuple(codes.tolist())), total + missing
    answers = Answers(*few, mean, spread, missing=missing / people)
    half = Z * mean_accuracy(request.forecast, answers, people).total
    heights = _histogram(shares, edges, step)
    reports = None if drawn.reports is None else 100 * drawn.reports
    beyond = 0.0
    highest = 1.25 * float(heights.max())
    if reports is not None:
        # The outermost intervals hold all reports beyond: they would flatten everything else.
        reaches = edges[0] < -float(domain.grid_step)
        inside = slice(1, -1) if reaches else slice(None)
        highest = max(highest, 1.15 * float(reports[inside].max()))
        beyond = float(reports[0] + reports[-1]) if reaches else 0.0
    return OutcomeView(
        is_true=given is not None,
        respondents=total,
        labels=(),
        others=0,
        x=lower + (edges[:-1] + edges[1:]) / 2,
        width=float(edges[1] - edges[0]),
        truth=heights,
        released=reports,
        error=np.zeros(0),
        mean=(lower + mean, lower + estimate, half),
        unit=domain.shown_unit,
        y_max=_round_up(highest),
        beyond=beyond,
        within=int(abs(estimate - mean) <= half),
        intervals=1,
    )


def _of_nobody(middles: Floats, edges: Floats, unit: str) -> OutcomeView:
    """The view of numbers that nobody gave: their mean is none, and no release tells one."""
    nothing = np.zeros(len(middles))
    start = float(middles[0])
    return OutcomeView(
        is_true=True,
        respondents=0,
        labels=(),
        others=0,
        x=middles,
        width=float(edges[1] - edges[0]),
        truth=nothing,
        released=None,
        error=np.zeros(0),
        mean=(start, start, 0.0),
        unit=unit,
        y_max=1.0,
        within=0,
        intervals=0,
        answered=False,
    )


def _few_answers(counts: Counts) -> tuple[Counts, Counts]:
    """At most 24 answers that stand for all: the middle of each run of codes, weighted."""
    run = ceil(len(counts) / ANSWERS_MAX)
    starts = np.arange(0, len(counts), run)
    sums = np.add.reduceat(counts, starts)
    weighted = np.add.reduceat(counts * np.arange(len(counts)), starts)
    middles = np.rint(weighted / np.maximum(sums, 1)).astype(np.int64)
    given = sums > 0
    return middles[given], sums[given]


def _edges(request: PreviewRequest, domain: NumericDomain) -> Floats:
    """Intervals of equally many grid points, and as wide ones beyond where reports lie there."""
    run = ceil(domain.size / ANSWERS_MAX)
    width, step = run * float(domain.grid_step), float(domain.grid_step)
    inside = ceil(domain.size / run)
    positions = request.forecast.positions
    tolerance = 1e-9 * domain.span
    goes_beyond = positions is not None and (
        float(positions.min()) < -tolerance or float(positions.max()) > domain.span + tolerance
    )
    beyond = ceil(_BEYOND * inside) if goes_beyond else 0
    return np.asarray(np.arange(-beyond, inside + beyond + 1) * width - step / 2)


def _histogram(shares: Floats, edges: Floats, step: float) -> Floats:
    """Per cent of the respondents in each interval."""
    place = np.searchsorted(edges, np.arange(len(shares)) * step, side="right") - 1
    return np.asarray(100 * np.bincount(place, weights=shares, minlength=len(edges) - 1))


def _round_up(highest: float) -> float:
    """The next round number, so that the axis stays while epsilon moves a little."""
    if highest <= 0:
        return 1.0
    decade = 10.0 ** np.floor(np.log10(highest))
    return float(decade * next(step for step in _HEIGHTS if step * decade >= highest * (1 - 1e-9)))
