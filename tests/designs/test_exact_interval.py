"""The exact interval of a binomial share, against the beta distribution of scipy."""

from __future__ import annotations

import pytest
from scipy.stats import beta

from dpdesk.designs.sample_groups import clopper_pearson


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99, 1 - 1e-9])
@pytest.mark.parametrize(
    ("yes", "respondents"),
    [
        *((yes, 1) for yes in (0, 1)),
        *((yes, 7) for yes in range(8)),
        *((yes, 2435) for yes in (0, 1, 831, 1217, 2434, 2435)),
        *((yes, 10**6) for yes in (0, 3, 499_999, 10**6)),
    ],
)
def test_that_the_exact_interval_has_the_quantiles_of_the_beta_distribution(
    yes: int, respondents: int, confidence: float
) -> None:
    tail = (1 - confidence) / 2
    lower, upper = clopper_pearson(yes, respondents, confidence)
    below = 0 if yes == 0 else beta.ppf(tail, yes, respondents - yes + 1)
    above = 1 if yes == respondents else beta.ppf(1 - tail, yes + 1, respondents - yes)
    assert lower == pytest.approx(below, rel=1e-12, abs=0)
    assert upper == pytest.approx(above, rel=1e-12, abs=0)
