from __future__ import annotations

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer
from dpdesk.mechanisms import Tally, mechanism_named


@pytest.mark.parametrize("kind", ["grr", "sue", "oue"])
@pytest.mark.parametrize("count", [0, 1, 5, 10])
def test_that_noise_and_sampling_make_the_total_and_no_count_looks_like_certainty(
    kind: str, count: int
) -> None:
    domain = Categorical(values=("a", "b", "c"))
    bound = mechanism_named(kind)(kind=kind, epsilon="1").bind(domain)
    tally = Tally(10, 10.0, 10.0, np.array([count, 10 - count, 0], dtype=np.float64))
    estimate = bound.estimate(tally)
    assert estimate.noise_error**2 + estimate.sampling_error**2 == pytest.approx(
        estimate.total_error**2
    )
    assert (estimate.noise_error > 0.2).all()
    assert (estimate.lower <= estimate.value).all()
    assert (estimate.value <= estimate.upper).all()


@pytest.mark.parametrize("kind", ["bounded_laplace", "laplace"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_that_reports_closer_than_their_noise_do_not_say_that_all_answers_are_alike(
    kind: str, missing: float
) -> None:
    domain = Integer(lower=0, upper=10)
    served = domain.with_missing(missing) if missing else domain
    bound = mechanism_named(kind)(kind=kind, epsilon="1").bind(served)
    counts = np.zeros(len(bound.outputs))
    # The last output of one that may be missing is the empty cell.
    counts[(counts.size - bool(missing)) // 2] = 80.0
    counts[-1] += 20.0 if missing else 0.0
    estimate = bound.estimate(Tally(int(counts.sum()), counts.sum(), counts.sum(), counts))
    assert np.isnan(estimate.sampling_error[0])
    assert estimate.noise_error[0] == estimate.total_error[0] > 0
