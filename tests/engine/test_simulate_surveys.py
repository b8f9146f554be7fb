from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from dpdesk.designs import YesNoDesign
from dpdesk.designs.behaviour import Behaviour
from dpdesk.designs.estimator_law import HeldSurvey
from dpdesk.engine.simulate.surveys import simulate_surveys
from tests.designs.cases import ALL
from tests.refusals import refused

SIMULATED = ALL


@pytest.mark.parametrize("design", SIMULATED, ids=[d.kind for d in SIMULATED])
def test_that_simulated_surveys_have_mean_and_spread_of_theory(design: YesNoDesign) -> None:
    found = simulate_surveys(HeldSurvey(design, 0.3, 2_000), 4_000, seed=7)
    # Of 4,000 surveys the mean lies within 6 of its standard errors, the spread within 10 %.
    assert abs(found.bias) < 6 * found.planned_error / np.sqrt(4_000)
    assert found.spread == pytest.approx(found.planned_error, rel=0.1)
    # The item count's intervals are for the largest spread that its means allow.
    tail = "less" if design.kind == "item_count" else "two-sided"
    assert binomtest(int(found.covered.sum()), 4_000, 0.95, tail).pvalue > 1e-9


@pytest.mark.parametrize("design", SIMULATED, ids=[d.kind for d in SIMULATED])
def test_that_respondents_who_do_not_comply_move_estimates_as_theory_says(
    design: YesNoDesign,
) -> None:
    found = simulate_surveys(HeldSurvey(design, 0.3, 20_000, Behaviour(0.3, 0.2, 0.1)), 4_000, 7)
    assert abs(found.mean - found.theory.mean) < 6 * found.theory.error / np.sqrt(4_000) + 1e-3 * (
        design.same_respondents
    )
    assert found.spread == pytest.approx(found.theory.error, rel=0.1)


def test_that_a_seed_repeats_and_another_does_not() -> None:
    design = SIMULATED[1]
    first, again, other = (
        simulate_surveys(HeldSurvey(design, 0.1, 500), 50, seed) for seed in (3, 3, 4)
    )
    assert first.estimates.tolist() == again.estimates.tolist()
    assert first.estimates.tolist() != other.estimates.tolist()


def test_that_a_thousand_million_respondents_are_no_work() -> None:
    found = simulate_surveys(HeldSurvey(SIMULATED[1], 0.1, 10**9), 1_000, seed=1)
    assert found.spread == pytest.approx(found.planned_error, rel=0.2)


def test_that_negative_estimates_are_counted() -> None:
    # P(estimate < 0) at n = 1000, pi = .02, Warner 3/4 is .22.
    found = simulate_surveys(HeldSurvey(SIMULATED[1], 0.02, 1_000), 20_000, seed=2)
    assert found.beyond == pytest.approx(0.22, abs=0.02)


def test_that_an_anchor_takes_out_what_random_answers_add() -> None:
    anchored = next(d for d in ALL if d.kind == "anchored_crosswise")
    found = simulate_surveys(HeldSurvey(anchored, 0.1, 100_000, Behaviour(careless=0.2)), 4_000, 1)
    assert abs(found.bias) < 6 * found.planned_error / np.sqrt(4_000)
    assert found.spread == pytest.approx(found.planned_error, rel=0.1)


def test_that_surveys_whose_anchor_shows_nobody_have_no_estimate() -> None:
    anchored = next(d for d in ALL if d.kind == "anchored_crosswise")
    found = simulate_surveys(HeldSurvey(anchored, 0.1, 10), 1_000, 1)
    assert 900 < found.estimates.size < 1_000
    assert np.isfinite([found.mean, found.spread, found.coverage]).all()


@pytest.mark.parametrize("repetitions", [0, 1_000_001])
def test_that_no_repetition_and_too_many_are_refused(repetitions: int) -> None:
    with refused("engine.bad-repetitions", least=1, most=1_000_000):
        simulate_surveys(HeldSurvey(ALL[1], 0.1, 500), repetitions, 1)
