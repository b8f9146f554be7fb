"""The error of frequency estimates by strategy and epsilon, over many simulated surveys.

The comparison of Arcolezi, Couchot, Al Bouna & Xiao 2021 ("Random sampling plus fake data") and
of its successors: the squared error of every estimated share, averaged over the values of each
attribute, then over attributes, then over repetitions; epsilon is the publications' nominal one.
It starts from the true counts, so its results are for the holder of the data only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from dpdesk.data.tabular import Tabular
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.simulate.attributes import TrueAttribute
from dpdesk.engine.simulate.tallies import sampled_counts, simulate_counts
from dpdesk.engine.simulate.variants import (
    STRATEGIES,
    Law,
    clip_and_normalise,
    laws_of,
    shares_of,
)
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.fake_data import record_epsilon
from dpdesk.numbers.arrays import Counts, Floats
from dpdesk.requests.simulations import ExperimentRequest

# Repetitions that are drawn at a time: few enough for an immediate cancel.
_SIDE_CELLS = 1_000_000


@dataclass(frozen=True, slots=True)
class ErrorPoint:
    """The averaged squared error of one strategy at one epsilon.

    Attributes:
        strategy: Short name.
        epsilon: The nominal epsilon.
        record_epsilon: Loss of a respondent's whole record: the nominal epsilon under SPL and SMP,
            ln(d(e^epsilon - 1) + 1) with fakes, whatever the publications call it.
        projected: The mean squared error of estimates whose negative values are set to 0 and that
            are then divided by their sum ("clip and normalise"), as publications report it. That
            projection is biased; it helps most where there is most noise.
        projected_error: Standard error of `projected` over the repetitions.
        raw: The mean squared error of the unbiased estimates.
        raw_error: Standard error of `raw` over the repetitions.
    """

    strategy: str
    epsilon: float
    record_epsilon: float
    projected: float
    projected_error: float
    raw: float
    raw_error: float


@dataclass(frozen=True, slots=True, repr=False)
class ExperimentResult(Tabular):
    """Errors of all requested strategies and epsilons; private to the holder of the data.

    Attributes:
        request: The request.
        respondents: Number of respondents.
        attributes: Names of the attributes.
        sizes: Number of categories of each attribute.
        points: One for each strategy and epsilon, in the order of the request.
    """

    request: ExperimentRequest
    respondents: int
    attributes: tuple[str, ...]
    sizes: tuple[int, ...]
    points: tuple[ErrorPoint, ...]

    def table_rows(self) -> list[dict[str, Any]]:
        return list(map(asdict, self.points))


def run_experiment(
    attributes: Sequence[TrueAttribute], request: ExperimentRequest, tracker: Tracker
) -> ExperimentResult:
    """Simulates surveys with every strategy at every epsilon.

    The cost grows with the number of categories and repetitions, not with that of respondents.
    Attributes are drawn independently, and the counts of each have their exact law. That they are
    of the same respondents does not change the mean of the errors.

    Args:
        attributes: The true answers, at least two attributes.
        request: The request.
        tracker: Progress and cancel.

    Raises:
        ParameterError: There are fewer than two attributes, no respondents, or an attribute's
            epsilon falls below what a mechanism can have.
        Cancelled: The user cancelled.
    """
    if len(attributes) < 2 or attributes[0].codes.size == 0:
        raise ParameterError(T.FEW_COLUMNS())
    counts = [attribute.counts for attribute in attributes]
    pairs = [(s, e) for s in request.strategies for e in request.epsilons]
    points = []
    for done, (strategy, epsilon) in enumerate(pairs):
        tracker.progress(f"Simulating {STRATEGIES[strategy]}", done / len(pairs))
        laws = laws_of(strategy, epsilon, attributes)
        stream = np.random.SeedSequence(
            request.seed, spawn_key=(list(STRATEGIES).index(strategy), round(epsilon * 10**9))
        )
        generator = np.random.Generator(np.random.PCG64(stream))
        errors = _squared_errors(
            counts, laws, strategy == "smp", request.repetitions, generator, tracker.tick
        )
        projected, raw = errors.mean(axis=0).tolist()
        projected_error, raw_error = (
            errors.std(axis=0, ddof=1) / request.repetitions**0.5
        ).tolist()
        hides = strategy not in ("spl", "smp")
        loss = record_epsilon(epsilon, len(attributes)) if hides else epsilon
        points.append(
            ErrorPoint(strategy, epsilon, loss, projected, projected_error, raw, raw_error)
        )
    return ExperimentResult(
        request,
        attributes[0].codes.size,
        tuple(attribute.name for attribute in attributes),
        tuple(attribute.size for attribute in attributes),
        tuple(points),
    )


def _squared_errors(
    counts: Sequence[Counts],
    laws: Sequence[Law],
    sampled: bool,
    repetitions: int,
    generator: np.random.Generator,
    tick: Callable[[], None],
) -> Floats:
    """Returns each repetition's mean squared error, projected and raw, shape (repetitions, 2)."""
    errors = np.zeros((repetitions, 2))
    for true, law in zip(counts, laws, strict=True):
        step = max(1, _SIDE_CELLS // true.size)
        for start in range(0, repetitions, step):
            tick()
            block = errors[start : start + step]
            answers = np.broadcast_to(true, (len(block), true.size))
            if sampled:
                answers = sampled_counts(answers, len(counts), generator)
            reports = simulate_counts(law, answers, generator)
            shares = shares_of(law, reports, answers.sum(axis=-1))
            truth = true / true.sum()
            block[:, 0] += ((clip_and_normalise(shares) - truth) ** 2).mean(axis=-1)
            block[:, 1] += ((shares - truth) ** 2).mean(axis=-1)
    return np.asarray(errors / len(counts))
