"""The tally of a bound mechanism from counts of answers, for every mechanism.

Most tallies count what a forecast is of: symbols, bits, supported categories. Hadamard response
counts indices, RAPPOR the bits of each cohort.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpdesk.engine.simulate.tallies import channel_counts, simulate_counts
from dpdesk.mechanisms import BoundMechanism, Tally
from dpdesk.mechanisms.hadamard import HadamardOracle
from dpdesk.mechanisms.rappor import BoundRappor
from dpdesk.numbers.arrays import Counts, Floats


def simulate_tally(bound: BoundMechanism, counts: Counts, generator: np.random.Generator) -> Tally:
    """Draws what `bound.tally` would count over all respondents.

    Args:
        bound: The mechanism on a domain of k values.
        counts: How many respondents have each value, shape (k,).
        generator: The source of chance.
    """
    if isinstance(bound, HadamardOracle):
        drawn = channel_counts(counts, _hadamard_rows(bound), generator)
    elif isinstance(bound, BoundRappor):
        drawn = _rappor_counts(bound, counts, generator)
    else:
        drawn = simulate_counts(bound.mechanism.forecast(bound.domain), counts, generator)
    respondents = int(counts.sum())
    total = float(respondents)
    return Tally(respondents, total, total, drawn.astype(np.float64))


def _hadamard_rows(bound: HadamardOracle) -> Iterator[Floats]:
    """Yields Pr[index | true value]."""
    indices = np.arange(bound.law.outputs)
    for value in range(bound.size):
        supports = np.bitwise_count(indices & (value + 1)) % 2 == 0
        yield np.where(supports, bound.p, 1 - bound.p) * 2 / indices.size


def _rappor_counts(bound: BoundRappor, counts: Counts, generator: np.random.Generator) -> Counts:
    """Draws for each cohort its reports, then those with each bit, shape (C (1 + m),).

    The respondents with a value fall into cohorts evenly; a bit of a cohort's reports is set for
    those whose filter has it and is kept, and for those whose filter lacks it and is flipped.
    """
    cohorts, flip = bound.design.cohorts, bound.parameters()["q"]
    members = generator.multinomial(counts, np.full(cohorts, 1 / cohorts)).T
    filters = bound.design.filters.astype(np.int64)
    having = np.einsum("cv,cvm->cm", members, filters)
    total = members.sum(axis=1, keepdims=True)
    ones = generator.binomial(having, 1 - flip) + generator.binomial(total - having, flip)
    return np.concatenate((total, ones), axis=1).ravel()
