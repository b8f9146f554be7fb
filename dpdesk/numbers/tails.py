"""Tails and quantiles of the laws that tests and exact intervals use, one number at a time.

Chi-square, F, Student's t and the beta distribution are the incomplete gamma and beta functions.
Each is a weight times a series (Abramowitz & Stegun 1964, 6.5.29) or a continued fraction (6.5.31;
DiDonato & Morris 1992, ACM TOMS 18, 360-373, equation 9). The weight is that of a Poisson or
binomial law, by Loader's saddle point (2000, "Fast and Accurate Computation of Binomial
Probabilities"): a difference of logarithms of gamma functions would lose six digits at a million
respondents.

SciPy has these functions too, and takes 143 MB; nothing else of every installation needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, inf, lgamma, log, pi, sqrt

_HALF_LOG_2PI = log(2 * pi) / 2
_PRECISION = 2.0**-53
_TINY = 1e-300
_FARTHEST = 700.0
"""Logits beyond it are not told from 0 or 1: exp(-700) is near the smallest number."""


def chi_square_below(statistic: float, degrees: float) -> float:
    """Returns P(chi-square <= statistic).

    Args:
        statistic: At least 0.
        degrees: Degrees of freedom, above 0.
    """
    return _gamma_tails(degrees / 2, statistic / 2)[0]


def chi_square_above(statistic: float, degrees: float) -> float:
    """Returns P(chi-square > statistic); as `chi_square_below`."""
    return _gamma_tails(degrees / 2, statistic / 2)[1]


def f_above(statistic: float, numerator: float, denominator: float) -> float:
    """Returns P(F > statistic).

    Args:
        statistic: At least 0.
        numerator: Degrees of freedom of the numerator, above 0.
        denominator: Those of the denominator.
    """
    part, rest = numerator * statistic, denominator
    return _beta_tails(numerator / 2, denominator / 2, part / (part + rest), rest / (part + rest))[
        1
    ]


def t_above(ratio: float, freedom: float) -> float:
    """Returns P(T > ratio) for Student's t.

    Args:
        ratio: Any number.
        freedom: Degrees of freedom, above 0.
    """
    both = f_above(ratio * ratio, 1.0, freedom)
    return both / 2 if ratio >= 0 else 1 - both / 2


def t_quantile(confidence: float, freedom: float) -> float:
    """Returns t with a probability of `confidence` between -t and t.

    Args:
        confidence: From 0 to 1.
        freedom: Degrees of freedom, above 0.
    """
    # The square is an F, whose share of the whole has this beta distribution.
    return sqrt(freedom) * exp(_beta_logit(0.5, freedom / 2, confidence) / 2)


def beta_quantile(a: float, b: float, chance: float) -> float:
    """Returns x with a probability of `chance` that a beta(a, b) number is at most x.

    Args:
        a: First parameter, above 0.
        b: Second parameter, above 0.
        chance: From 0 to 1.
    """
    logit = _beta_logit(a, b, chance)
    # Either form stays in range where it is used.
    return 1 / (1 + exp(-logit)) if logit > 0 else exp(logit) / (1 + exp(logit))


def _gamma_tails(a: float, x: float) -> tuple[float, float]:
    """Returns P(a, x) and Q(a, x), the smaller of the two to full precision."""
    if x == 0 or x == inf:
        return (0.0, 1.0) if x == 0 else (1.0, 0.0)
    # x^a exp(-x) / Gamma(a + 1)
    weight = exp(-_stirling_error(a) - _deviance(a, x)) / sqrt(2 * pi * a)
    if x <= a + 1:
        term, total, n = 1.0, 1.0, a
        while term > total * _PRECISION:
            n += 1
            term *= x / n
            total += term
        lower = min(weight * total, 1.0)
        return lower, 1 - lower
    fraction = _continued_fraction((-n * (n - a), x + 2 * n + 1 - a) for n in _counted())
    upper = min(weight * a / (x + 1 - a + fraction), 1.0)
    return 1 - upper, upper


def _beta_tails(a: float, b: float, x: float, rest: float) -> tuple[float, float]:
    """Returns I_x(a, b) and its complement for rest = 1 - x, the smaller to full precision."""
    if x <= 0 or rest <= 0:
        return (0.0, 1.0) if x <= 0 else (1.0, 0.0)
    if x > (a + 1) / (a + b + 2):
        upper, lower = _beta_tails(b, a, rest, x)
        return lower, upper
    fraction = _beta_head(a, b, x, rest, 0) + _continued_fraction(_beta_terms(a, b, x, rest))
    lower = min(_beta_weight(a, b, x, rest) * (a / (a + b)) * b / fraction, 1.0)
    return lower, 1 - lower


def _beta_weight(a: float, b: float, x: float, rest: float) -> float:
    """Returns Gamma(a + b + 1) / (Gamma(a + 1) Gamma(b + 1)) x^a (1 - x)^b."""
    n = a + b
    errors = _stirling_error(n) - _stirling_error(a) - _stirling_error(b)
    return exp(errors - _deviance(a, n * x) - _deviance(b, n * rest)) * sqrt(n / (2 * pi * a * b))


def _beta_head(a: float, b: float, x: float, rest: float, n: int) -> float:
    """Returns the n-th denominator of DiDonato & Morris's continued fraction."""
    whole = n + (a + n) * (a * rest - b * x + 1 + n * (1 + rest)) / (a + 2 * n + 1)
    return whole + n * (b - n) * x / (a + 2 * n - 1) if n else whole


def _beta_terms(a: float, b: float, x: float, rest: float) -> Iterator[tuple[float, float]]:
    for n in _counted():
        part = (a + n - 1) * x / (a + 2 * n - 1)
        numerator = part * (a + b + n - 1) * x * n * (b - n) / (a + 2 * n - 1)
        yield numerator, _beta_head(a, b, x, rest, n)


def _counted() -> Iterator[int]:
    n = 0
    while True:
        n += 1
        yield n


def _continued_fraction(terms: Iterator[tuple[float, float]]) -> float:
    """Returns n1 / (d1 + n2 / (d2 + ...)) of terms (n, d), by Lentz's method.

    Thompson & Barnett 1986, Journal of Computational Physics 64, 490-509.
    """
    value = _TINY
    above, below = value, 0.0
    for numerator, denominator in terms:
        below = 1 / (denominator + numerator * below or _TINY)
        above = denominator + numerator / above or _TINY
        change = above * below
        value *= change
        if abs(change - 1) <= 2 * _PRECISION:
            break
    return value


def _stirling_error(n: float) -> float:
    """Returns ln Gamma(n + 1) less Stirling's ln(sqrt(2 pi n) (n / e)^n)."""
    if n < 15:
        return lgamma(n + 1) - (n + 0.5) * log(n) + n - _HALF_LOG_2PI
    square = n * n
    inner = 1 / 1260 - (1 / 1680 - (1 / 1188 - 691 / 360360 / square) / square) / square
    return (1 / 12 - (1 / 360 - inner / square) / square) / n


def _deviance(x: float, mean: float) -> float:
    """Returns x ln(x / mean) + mean - x, which is small where the two are nearly the same."""
    apart = x - mean
    if abs(apart) >= 0.1 * (x + mean):
        return x * log(x / mean) + mean - x
    ratio = apart / (x + mean)
    total, power, n = apart * ratio, 2 * x * ratio, 1
    while True:
        power *= ratio * ratio
        n += 2
        if total + power / n == total:
            return total
        total += power / n


def _beta_logit(a: float, b: float, chance: float) -> float:
    """Returns ln(x / (1 - x)) of the quantile x of a beta distribution.

    The tail that is smaller is solved for, by Newton's method within a shrinking interval.
    """
    if chance <= 0 or chance >= 1:
        return -inf if chance <= 0 else inf
    goal = min(chance, 1 - chance)
    sign = 1 if chance <= 0.5 else -1
    first, second = (a, b) if sign > 0 else (b, a)

    def lower(z: float) -> tuple[float, float]:
        x, rest = 1 / (1 + exp(-z)), 1 / (1 + exp(z))
        slope = _beta_weight(first, second, x, rest) * first * second / (first + second)
        return _beta_tails(first, second, x, rest)[0], slope

    return sign * _root(lower, goal, log(first / second))


def _root(rising: Callable[[float], tuple[float, float]], goal: float, start: float) -> float:
    """Returns where a rising function has a value; the function also returns its slope."""
    low, high, z = -_FARTHEST, _FARTHEST, start
    for _ in range(200):
        value, slope = rising(z)
        if value < goal:
            low = z
        else:
            high = z
        # On the scale of logarithms the function is concave, and the steps stay short.
        step = (log(value / goal) * value / slope) if value > 0 and slope > 0 else inf
        after = z - step
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - z) <= 4 * _PRECISION * max(1.0, abs(z)):
            return after
        z = after
    return z
