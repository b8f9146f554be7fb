from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from dpdesk.designs import Design
from dpdesk.engine.simulate.surveys import simulate_surveys
from dpdesk.errors import ParameterError
from tests.designs.cases import ALL

SIMULATED = [d for d in ALL if len(d.groups) == d.group_count]


@pytest.mark.parametrize("design", SIMULATED, ids=[d.kind for d in SIMULATED])
def test_that_simulated_surveys_have_mean_and_spread_of_theory(design: Design) -> None:
    found = simulate_surveys(design, 0.3, 2_000, 4_000, seed=7)
    # Of 4,000 surveys the mean lies within 6 of its standard errors, the spread within 10 %.
    assert abs(found.bias) < 6 * found.planned_error / np.sqrt(4_000)
    assert found.spread == pytest.approx(found.planned_error, rel=0.1)
    assert binomtest(int(found.covered.sum()), 4_000, 0.95).pvalue > 1e-9


def test_that_a_seed_repeats_and_another_does_not() -> None:
    design = SIMULATED[1]
    first, again, other = (simulate_surveys(design, 0.1, 500, 50, seed) for seed in (3, 3, 4))
    assert first.estimates.tolist() == again.estimates.tolist()
    assert first.estimates.tolist() != other.estimates.tolist()


def test_that_a_thousand_million_respondents_are_no_work() -> None:
    found = simulate_surveys(SIMULATED[1], 0.1, 10**9, 1_000, seed=1)
    assert found.spread == pytest.approx(found.planned_error, rel=0.2)


def test_that_negative_estimates_are_counted() -> None:
    # P(estimate < 0) at n = 1000, pi = .02, Warner 3/4 is .22.
    found = simulate_surveys(SIMULATED[1], 0.02, 1_000, 20_000, seed=2)
    assert found.negative == pytest.approx(0.22, abs=0.02)


def test_that_a_design_of_joined_answers_is_refused() -> None:
    anchored = next(d for d in ALL if d.kind == "anchored_crosswise")
    with pytest.raises(ParameterError, match="several answers"):
        simulate_surveys(anchored, 0.1, 500, 10, 1)
