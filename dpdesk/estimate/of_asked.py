"""The share who answered among those who were asked, where the release protects the filter too.

With a the share of respondents who answered and f the share of those who were asked, it is a / f: a
ratio of two unbiased estimates from the same respondents. Given their true answers the reports of
two attributes are independent, so that the estimates vary together only by who was drawn. With d
the share who answered although they were not asked, a = r f, and n respondents, drawing adds

    (f r (1 - r) + 2 r d) / n

to the variance of a - r f: without such errors that of a share of the f n respondents who were
asked. How large d is the counts do not tell; it is taken to be at most `ANSWERED_UNASKED` of those
not asked, which the check of a plan tolerates, so that the variance is an upper bound. Where r is
above 1, d is at least f (r - 1), and that is used.

Its interval holds the ratios r with (a - r f)^2 <= z^2 v(r) (Fieller 1954, JRSS B 16, 175-185).
The standard error of a sum of shares is taken to be the sum of theirs, which it never exceeds.
Where the ratio means something else than its name, or the reports say too little, a sentence says
why it is withheld.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.i18n import N_
from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.among_answered import Quadratic, ratio_interval
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.model import Plan

_CONFIDENCE = 0.95
ANSWERED_UNASKED = 0.05
"""Most of those not asked who are taken to have answered, by errors of interviewers."""
_MOST_RATIO = 1.2
"""Estimates above it are withheld, however wide their interval is."""
_LEAST_CLEAR = 4
"""Least share asked, in its standard errors: choosing the larger ones would bend the ratio."""

EITHER = N_("its rule has several conditions, whose estimates do not tell how they go together")
SEVERAL_OPTIONS = N_("its rule names several options, of which one may tick any number")
NOT_AMONG_SHARES = N_("the shares of its filter question do not tell who was asked")
FILTER_REPLACED = N_(
    "a declared value stands for missing answers of its filter question, so that nobody can tell "
    "them from answers"
)
OWN_NOT_TOLD = N_("the treatment of its missing answers does not tell who answered")
BLANKS = N_("not everybody reports both it and its filter question")
_UNPROTECTED = N_("its filter question is not protected in this release")
_WEIGHTED = N_("with survey weights the counts of the reports do not tell its error")
_ONE_EACH = N_("each respondent reports one attribute alone, and not its filter question, too")
_FAKES = N_("with fake reports the counts do not tell its error")
TOO_FEW = N_("the reports do not show it: too much noise, or too few were asked")
CONTRADICTED = N_(
    "more seem to have answered than were asked, so that its rule does not fit these answers"
)


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


def design_withholds(plan: Plan, asked: AskedIf) -> str:
    """Returns why a plan does not tell the share who answered among those asked; else empty."""
    if len(asked.any_of) > 1:
        return EITHER
    filters = [column for column in plan.protected if column.name in asked.columns]
    if not filters:
        return _UNPROTECTED
    if filters[0].missing.policy == "value":
        return FILTER_REPLACED
    if len(plan.protected) > 1 and plan.strategy != "spl":
        return _ONE_EACH if plan.strategy == "smp" else _FAKES
    return "" if plan.weight_column is None else _WEIGHTED


def share_asked(
    estimate: Estimate, listed: tuple[str, ...], missing: int | None, asked: AskedIf
) -> SomeShare | str:
    """Returns the share of respondents who were asked, from the shares of the filter.

    Args:
        estimate: The filter's shares, in the order of `listed`.
        listed: Its categories or options, those of missing and other answers included.
        missing: Place of "no answer" among them; who did not answer the filter was not asked.
        asked: The rule.

    Returns:
        Or why the shares do not tell it: of numbers, of several options of which one may tick any
        number, and of several conditions.
    """
    condition, *others = asked.any_of
    if others:
        return EITHER
    if len(condition.options) > 1:
        return SEVERAL_OPTIONS
    texts = {*condition.values, *condition.options}
    named = {place for place, text in enumerate(listed) if text in texts}
    unanswered = set() if missing is None else {missing}
    if not named - unanswered:
        return NOT_AMONG_SHARES
    if condition.negated:
        return SomeShare.of(estimate, sorted(named | unanswered), others=True)
    named -= unanswered
    if condition.options:
        return SomeShare.of(estimate, sorted(named))
    rest = [place for place in range(len(listed)) if place not in named]
    both = SomeShare.of(estimate, sorted(named)), SomeShare.of(estimate, rest, others=True)
    return min(both, key=lambda one: one.total)


def answered_of_asked(
    answered: SomeShare, asked: SomeShare, respondents: int, confidence: float = _CONFIDENCE
) -> Estimate | str:
    """Returns the share who answered among those asked, arrays of shape (1,).

    Args:
        answered: The share of all respondents who answered.
        asked: The share who were asked.
        respondents: Their number, each with a report of both.
        confidence: Coverage of the interval.

    Returns:
        Or why there is none: the reports do not show that anybody was asked, leave all ratios
        possible, or contradict the rule.
    """
    if asked.value < _LEAST_CLEAR * asked.total or asked.value <= 0:
        return TOO_FEW
    of_asked, ratio = min(asked.value, 1.0), max(answered.value / asked.value, 0.0)
    unasked = max(ANSWERED_UNASKED * (1 - of_asked), of_asked * (ratio - 1))
    linear, square = of_asked + 2 * unasked, -of_asked
    variance = Quadratic(
        np.array([answered.noise**2]),
        np.array([linear / respondents]),
        np.array([asked.noise**2 + square / respondents]),
    )
    above, value = np.array([answered.value]), np.array([answered.value / asked.value])
    lower, upper = ratio_interval(above, asked.value, variance, confidence)
    if np.isnan(lower).any() or bool((lower <= 0) & (upper >= 1)):
        return TOO_FEW
    if lower[0] > 1:
        return CONTRADICTED
    if value[0] > _MOST_RATIO:
        return TOO_FEW
    noise = np.hypot(answered.noise, value * asked.noise) / asked.value
    total = np.maximum(np.sqrt(variance.at(np.clip(value, 0.0, None))) / asked.value, noise)
    return Estimate(
        quantity="share",
        value=value,
        truncated=np.clip(value, 0.0, 1.0),
        noise_error=noise,
        sampling_error=np.sqrt(total**2 - noise**2),
        total_error=total,
        lower=np.minimum(lower, value),
        upper=np.maximum(upper, value),
        reports=respondents,
        effective_reports=float(respondents),
    )
