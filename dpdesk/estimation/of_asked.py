"""The share who answered among those who were asked, where the release protects the filter too.

With a the share of respondents who answered and f the share of those who were asked, it is a / f: a
ratio of two unbiased estimates. Its interval holds the ratios r with (a - r f)^2 <= z^2 v(r)
(Fieller 1954, JRSS B 16, 175-185), v(r) being the variance of a - r f if r is true.

**Everybody reports both.** Given their true answers the reports of two attributes are independent,
so that the estimates vary together only by who was drawn. With d the share who answered although
they were not asked, a = r f, and n respondents, drawing adds

    (f r (1 - r) + 2 r d) / n

to the variance of a - r f: without such errors that of a share of the f n respondents who were
asked. How large d is the counts do not tell; it is taken to be at most `ANSWERED_UNASKED` of those
not asked, which the check of a plan tolerates, so that the variance is an upper bound. Where r is
above 1, d is at least f (r - 1), and that is used.

With survey weights w, a - r f is the weighted mean of A - r F, which by Taylor linearisation varies
as sum w^2 (A - r F)^2 / (sum w)^2. With a', f' and d' the same shares by squared weights, the mean
of the square is

    a' (1 - 2 r) + 2 r d' + r^2 f'

which is that above where weights have nothing to do with the answers. At the estimate it says how
many reports without weights would have this variance, at most their number (Korn & Graubard 1998,
Survey Methodology 24, 193-201); with so many the formula above holds for every r.

**Each respondent reports one attribute.** Both shares come from different respondents, drawn alike
and independently, so that a and f are independent whatever d is: their covariance is zero, and

    v(r) = r f (1 - r f) / n_a + r^2 f (1 - f) / n_f

with n_a and n_f the reports of both; weights change each as they change a share of its own.

The noise of a and r^2 times that of f are added in both cases. The standard error of a sum of
shares is taken to be the sum of theirs, which it never exceeds. Where the ratio means something
else than its name, or the reports say too little, a sentence says why it is withheld.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.i18n import N_
from dpdesk.mechanisms import Estimate
from dpdesk.mechanisms.tally import indicator_variance
from dpdesk.numbers.intervals import Quadratic, ratio_interval
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.model import Plan

_CONFIDENCE = 0.95
ANSWERED_UNASKED = 0.05
"""Most of those not asked who are taken to have answered, by errors of interviewers."""
_CERTAIN = 0.9999
"""Confidence at which a rule is contradicted. Where all who were asked answered, noise alone puts
every fortieth interval of 95 % above 1, and a survey has many rules."""
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
_FAKES = N_("with fake reports the counts do not tell its error")
TOO_FEW = N_("there is too much noise for it, or too few were asked")
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
        reports: Number of reports.
        effective: Kish's effective number of them.
        squared: The estimate by squared weights; None without weights.
    """

    value: float
    noise: float
    total: float
    reports: int
    effective: float
    squared: float | None = None

    @classmethod
    def of(
        cls,
        estimates: tuple[Estimate, Estimate],
        places: list[int],
        *,
        others: bool = False,
    ) -> SomeShare:
        """Returns the share of some categories together, or of all others.

        Args:
            estimates: All shares, and the same by squared weights: the same object where there
                are none.
            places: Places of the categories among them.
            others: Whether all other categories are meant.
        """
        estimate, by_squares = estimates
        value, squared = (float(one.value[places].sum()) for one in estimates)
        noise, total = (
            float(errors[places].sum()) for errors in (estimate.noise_error, estimate.total_error)
        )
        value, squared = (1 - value, 1 - squared) if others else (value, squared)
        reports, effective = estimate.reports, estimate.effective_reports
        if by_squares is estimate:
            return cls(value, noise, total, reports, effective)
        return cls(value, noise, total, reports, effective, squared)

    @property
    def by_squares(self) -> float:
        """The possible share by squared weights that is nearest to the estimate."""
        return min(max(self.value if self.squared is None else self.squared, 0.0), 1.0)

    def number(self, plain: float, weighted: float) -> float:
        """Returns how many reports without weights have the variance of these, at most `reports`.

        Args:
            plain: Variance of one report, where weights have nothing to do with the answers.
            weighted: The same with these weights; not used where there are none.
        """
        if self.squared is None or plain <= 0 or weighted <= 0:
            return self.effective
        return min(self.effective * plain / weighted, float(self.reports))


def design_withholds(plan: Plan, asked: AskedIf) -> str:
    """Returns why a plan does not tell the share who answered among those asked; else empty."""
    if len(asked.any_of) > 1:
        return EITHER
    filters = [column for column in plan.protected if column.name in asked.columns]
    if not filters:
        return _UNPROTECTED
    if filters[0].missing.policy == "value":
        return FILTER_REPLACED
    return "" if plan.strategy in {"spl", "smp"} else _FAKES


def share_asked(
    estimates: tuple[Estimate, Estimate],
    listed: tuple[str, ...],
    missing: int | None,
    asked: AskedIf,
) -> SomeShare | str:
    """Returns the share of respondents who were asked, from the shares of the filter.

    Args:
        estimates: The filter's shares, in the order of `listed`, and those by squared weights.
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
        return SomeShare.of(estimates, sorted(named | unanswered), others=True)
    named -= unanswered
    if condition.options:
        return SomeShare.of(estimates, sorted(named))
    rest = [place for place in range(len(listed)) if place not in named]
    both = SomeShare.of(estimates, sorted(named)), SomeShare.of(estimates, rest, others=True)
    return min(both, key=lambda one: one.total)


def answered_of_asked(
    answered: SomeShare,
    asked: SomeShare,
    respondents: float | None = None,
    confidence: float = _CONFIDENCE,
) -> Estimate | str:
    """Returns the share who answered among those asked, arrays of shape (1,).

    Args:
        answered: The share of all respondents who answered.
        asked: The share who were asked.
        respondents: Effective number of all respondents, where each reports one attribute; None
            where all report both.
        confidence: Coverage of the interval.

    Returns:
        Or why there is none: the reports do not show that anybody was asked, leave all ratios
        possible, or contradict the rule.
    """
    if asked.value < _LEAST_CLEAR * asked.total or asked.value <= 0:
        return TOO_FEW
    ratio = max(answered.value / asked.value, 0.0)
    of_both = _drawn_together(answered, asked, ratio)
    drawing = of_both if respondents is None else _drawn_apart(answered, asked, ratio)
    variance = Quadratic(
        np.array([answered.noise**2]), drawing.linear, drawing.square + asked.noise**2
    )
    above, value = np.array([answered.value]), np.array([answered.value / asked.value])
    lower, upper = ratio_interval(above, asked.value, variance, confidence)
    if np.isnan(lower).any() or bool((lower <= 0) & (upper >= 1)):
        return TOO_FEW
    if ratio_interval(above, asked.value, variance, _CERTAIN)[0][0] > 1:
        return CONTRADICTED
    if value[0] > _MOST_RATIO:
        return TOO_FEW
    noise = np.hypot(answered.noise, value * asked.noise) / asked.value
    total = np.maximum(np.sqrt(variance.at(np.clip(value, 0.0, None))) / asked.value, noise)
    sampling = np.sqrt(total**2 - noise**2)
    if respondents is not None:
        # That a respondent was not drawn to report one of both is part of the noise.
        part = of_both.at(np.array([ratio])) * answered.effective / respondents
        sampling = np.minimum(np.sqrt(part) / asked.value, total)
        noise = np.sqrt(total**2 - sampling**2)
    return Estimate(
        quantity="share",
        value=value,
        truncated=np.clip(value, 0.0, 1.0),
        noise_error=noise,
        sampling_error=sampling,
        total_error=total,
        lower=np.minimum(lower, value),
        upper=np.maximum(upper, value),
        reports=answered.reports,
        effective_reports=answered.effective,
    )


def _drawn_together(answered: SomeShare, asked: SomeShare, ratio: float) -> Quadratic:
    """Returns what drawing respondents who report both adds to the variance, by the ratio."""
    of_asked, squared = min(asked.value, 1.0), asked.by_squares
    unasked = max(ANSWERED_UNASKED * (1 - of_asked), of_asked * (ratio - 1))
    linear, square = of_asked + 2 * unasked, -of_asked
    both = answered.by_squares
    unasked = max(ANSWERED_UNASKED * (1 - squared), both - squared)
    weighted = both * (1 - 2 * ratio) + 2 * ratio * unasked + ratio**2 * squared
    number = answered.number(linear * ratio + square * ratio**2, weighted)
    return _quadratic(linear / number, square / number)


def _drawn_apart(answered: SomeShare, asked: SomeShare, ratio: float) -> Quadratic:
    """The same where those who report one of both do not report the other."""
    of_asked = min(asked.value, 1.0)
    gave = min(of_asked * ratio, 1.0)
    of_one, of_other = (
        one.number(share * (1 - share), _spread(share, one.by_squares))
        for one, share in ((answered, gave), (asked, of_asked))
    )
    square = of_asked * (1 - of_asked) / of_other - of_asked**2 / of_one
    return _quadratic(of_asked / of_one, square)


def _quadratic(linear: float, square: float) -> Quadratic:
    return Quadratic(np.zeros(1), np.array([linear]), np.array([square]))


def _spread(share: float, squared: float) -> float:
    return float(indicator_variance(np.array([share]), np.array([squared]))[0])
