"""The share who answered among those who were asked, where the release protects the filter too.

With a the share of respondents who answered and f the share of those who were asked, it is a / f: a
ratio of two unbiased estimates from the same respondents. Given their true answers the reports of
two attributes are independent, so that the estimates vary together only by who was drawn. Who
answered was asked; with n respondents

    Cov(a, f) = a (1 - f) / n,

and for a = r f the variance of a - r f is

    v(r) = Var(a) + r^2 (Var(f) - 2 f (1 - f) / n).

Its interval holds the ratios r with (a - r f)^2 <= z^2 v(r) (Fieller 1954, JRSS B 16, 175-185).
Without noise v(r) is f r (1 - r) / n, that of a share of the f n respondents who were asked. The
standard error of a sum of shares is taken to be the sum of theirs, which it never exceeds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.among_answered import Quadratic, ratio_interval
from dpdesk.plan.filter_question import AskedIf

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class SomeShare:
    """An unbiased share of all respondents.

    Attributes:
        value: The estimate.
        noise: Standard error that the mechanism adds.
        total: The same with that of drawing the respondents; at least that of the estimate.
    """

    value: float
    noise: float
    total: float

    @classmethod
    def of(cls, estimate: Estimate, places: list[int], *, others: bool = False) -> SomeShare:
        """Returns the share of some categories together, or of all others."""
        value = float(estimate.value[places].sum())
        noise, total = (
            float(errors[places].sum()) for errors in (estimate.noise_error, estimate.total_error)
        )
        return cls(1 - value if others else value, noise, total)


def share_asked(
    estimate: Estimate, listed: tuple[str, ...], missing: int | None, asked: AskedIf
) -> SomeShare | None:
    """Returns the share of respondents who were asked, from the shares of the filter.

    Args:
        estimate: The filter's shares, in the order of `listed`.
        listed: Its categories or options, those of missing and other answers included.
        missing: Place of "no answer" among them; who did not answer the filter was not asked.
        asked: The rule.

    Returns:
        None where the shares do not tell it: of numbers, of several options of which one may tick
        any number, and of either of two conditions.
    """
    condition, *others = asked.any_of
    texts = {*condition.values, *condition.options}
    named = [place for place, text in enumerate(listed) if text in texts]
    if not named or len(condition.options) > 1 or others:
        return None
    unanswered = [] if missing is None else [missing]
    if condition.negated:
        return SomeShare.of(estimate, [*named, *unanswered], others=True)
    if condition.options:
        return SomeShare.of(estimate, named)
    rest = [place for place in range(len(listed)) if place not in named]
    both = SomeShare.of(estimate, named), SomeShare.of(estimate, rest, others=True)
    return min(both, key=lambda one: one.total)


def answered_of_asked(
    answered: SomeShare, asked: SomeShare, respondents: int, confidence: float = _CONFIDENCE
) -> Estimate | None:
    """Returns the share who answered among those asked, arrays of shape (1,).

    Args:
        answered: The share of all respondents who answered.
        asked: The share who were asked.
        respondents: Their number, each with a report of both.
        confidence: Coverage of the interval.

    Returns:
        None where the reports do not show that anybody was asked, or leave all ratios possible.
    """
    of_asked = min(max(asked.value, 0.0), 1.0)
    together = 2 * of_asked * (1 - of_asked) / respondents
    constant = np.array([answered.total**2])
    variance = Quadratic(constant, np.zeros(1), np.array([asked.total**2 - together]))
    lower, upper = ratio_interval(np.array([answered.value]), asked.value, variance, confidence)
    if np.isnan(lower).any() or bool((lower <= 0) & (upper >= 1)):
        return None
    value = np.array([answered.value / asked.value])
    noise = np.hypot(answered.noise, value * asked.noise) / asked.value
    total = np.maximum(np.sqrt(variance.at(value)) / asked.value, noise)
    return Estimate(
        quantity="share",
        value=value,
        truncated=np.clip(value, 0.0, 1.0),
        noise_error=noise,
        sampling_error=np.sqrt(total**2 - noise**2),
        total_error=total,
        lower=lower,
        upper=upper,
        reports=respondents,
        effective_reports=float(respondents),
    )
