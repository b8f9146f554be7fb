"""Tails and quantiles of the laws that tests and exact intervals use, one number at a time.

They are SciPy's. `scipy.special` is imported where one is asked for: it takes a fifth of a second,
and `scipy.stats` one and a half.
"""

from __future__ import annotations


def chi_square_above(statistic: float, degrees: float) -> float:
    """Returns P(chi-square > statistic).

    Args:
        statistic: At least 0.
        degrees: Degrees of freedom, above 0.
    """
    from scipy.special import gammaincc

    return float(gammaincc(degrees / 2, statistic / 2))


def f_above(statistic: float, numerator: float, denominator: float) -> float:
    """Returns P(F > statistic).

    Args:
        statistic: At least 0.
        numerator: Degrees of freedom of the numerator, above 0.
        denominator: Those of the denominator.
    """
    from scipy.special import fdtrc

    return float(fdtrc(numerator, denominator, statistic))


def t_above(ratio: float, freedom: float) -> float:
    """Returns P(T > ratio) for Student's t.

    Args:
        ratio: Any number.
        freedom: Degrees of freedom, above 0.
    """
    from scipy.special import stdtr

    return float(stdtr(freedom, -ratio))


def t_quantile(confidence: float, freedom: float) -> float:
    """Returns t with a probability of `confidence` between -t and t.

    Args:
        confidence: From 0 to 1.
        freedom: Degrees of freedom, above 0.
    """
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))


def beta_quantile(a: float, b: float, chance: float) -> float:
    """Returns x with a probability of `chance` that a beta(a, b) number is at most x.

    Args:
        a: First parameter, above 0.
        b: Second parameter, above 0.
        chance: From 0 to 1.
    """
    from scipy.special import betaincinv

    return float(betaincinv(a, b, chance))
