"""The exact interval of a binomial share, against sums of binomial chances in sixty digits."""

from __future__ import annotations

from decimal import Decimal, localcontext

import pytest
from scipy.stats import beta

from dpdesk.designs.sample_groups import clopper_pearson


def chance_of_fewer(yes: int, respondents: int, share: float) -> float:
    """P(fewer than `yes` of the respondents say yes)."""
    with localcontext(prec=60):
        p = Decimal(share)
        term = (1 - p) ** respondents
        total = Decimal(0)
        for k in range(yes):
            total += term
            term *= p * (respondents - k) / ((1 - p) * (k + 1))
        return float(total)


@pytest.mark.parametrize("confidence", [0.5, 0.8, 0.95, 0.99, 1 - 1e-9])
@pytest.mark.parametrize(
    ("yes", "respondents"),
    [
        *((yes, 1) for yes in (0, 1)),
        *((yes, 7) for yes in range(8)),
        *((yes, 2435) for yes in (0, 1, 831, 1217, 2434, 2435)),
        *((yes, 10**6) for yes in (0, 3, 1200)),
    ],
)
def test_that_the_ends_of_the_exact_interval_are_just_possible(
    yes: int, respondents: int, confidence: float
) -> None:
    tail = (1 - confidence) / 2
    lower, upper = clopper_pearson(yes, respondents, confidence)
    if yes == 0:
        assert lower == 0
    else:
        assert 1 - chance_of_fewer(yes, respondents, lower) == pytest.approx(
            tail, rel=1e-11, abs=1e-15
        )
    if yes == respondents:
        assert upper == 1
    else:
        assert chance_of_fewer(yes + 1, respondents, upper) == pytest.approx(tail, rel=1e-11)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-9])
@pytest.mark.parametrize(("yes", "respondents"), [(499_999, 10**6), (10**6, 10**6), (831, 2435)])
def test_that_the_exact_interval_has_scipys_quantiles_of_the_beta_distribution(
    yes: int, respondents: int, confidence: float
) -> None:
    tail = (1 - confidence) / 2
    lower, upper = clopper_pearson(yes, respondents, confidence)
    below = 0 if yes == 0 else beta.ppf(tail, yes, respondents - yes + 1)
    above = 1 if yes == respondents else beta.ppf(1 - tail, yes + 1, respondents - yes)
    assert lower == pytest.approx(below, rel=1e-12, abs=0)
    assert upper == pytest.approx(above, rel=1e-12, abs=0)
