"""The exact interval of a binomial share."""

from __future__ import annotations


def clopper_pearson(yes: int, respondents: int, confidence: float) -> tuple[float, float]:
    """Returns Clopper and Pearson's interval (Biometrika 1934): it never covers too seldom.

    Args:
        yes: Number of successes.
        respondents: Number of trials.
        confidence: Least coverage.
    """
    # The quantile of the beta distribution; `scipy.stats` takes two seconds to import.
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    lower = 0.0 if yes == 0 else float(betaincinv(yes, respondents - yes + 1, tail))
    at_top = yes == respondents
    upper = 1.0 if at_top else float(betaincinv(yes + 1, respondents - yes, 1 - tail))
    return lower, upper
