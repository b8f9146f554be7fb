"""The exact interval of a binomial share."""

from __future__ import annotations


def clopper_pearson(yes: int, respondents: int, confidence: float) -> tuple[float, float]:
    """Returns Clopper and Pearson's interval (Biometrika 1934): it never covers too seldom.

    Args:
        yes: Number of successes.
        respondents: Number of trials.
        confidence: Least coverage.
    """
    from scipy.stats import beta

    tail = (1 - confidence) / 2
    lower = 0.0 if yes == 0 else float(beta.ppf(tail, yes, respondents - yes + 1))
    at_top = yes == respondents
    upper = 1.0 if at_top else float(beta.ppf(1 - tail, yes + 1, respondents - yes))
    return lower, upper
