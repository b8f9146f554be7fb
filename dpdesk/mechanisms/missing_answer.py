"""A mechanism for numbers whose answers may be missing: who answered is protected as well.

The law is that of `dpdesk.channel.missing`, and costs the mechanism's epsilon as a whole. With P
and Q its chances of "none" of a missing answer and of an answer, a report has two scores: A, whose
expectation is 1 of an answer and 0 of a missing one, and V, whose expectation is the answer v and 0
of a missing one. With w the worth of a report in the mechanism itself, E[w | v] = v, and R the
reference law of missing answers,

    A = (P - 1[none]) / (P - Q),    V = w 1[not none] / (1 - Q) - (1 - A) (1 - P) E_R[w] / (1 - Q).

The mean of A is the share answered, sum V / sum A the mean of those who answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.missing import AnsweredLaw, MissingLaw
from dpdesk.domains import NumericDomain
from dpdesk.mechanisms.base import BoundMechanism, Codes, Floats
from dpdesk.mechanisms.estimates import Estimate, IntervalShares
from dpdesk.mechanisms.interval_shares import interval_ends
from dpdesk.mechanisms.possible_shares import PossibleEstimates, projections_of
from dpdesk.mechanisms.tally import Tally, count_symbols, effective_number, indicator_variance
from dpdesk.numbers.intervals import normal_quantile, wilson_interval
from dpdesk.randomness import WordSource


class BoundMissing(BoundMechanism):
    """A mechanism for numbers on a domain with missing answers.

    The last code, m, is a missing answer; the last report is "none", whose text is empty.

    Attributes:
        answered: The mechanism of the answers that are given.
        law: The law of both.
    """

    numeric_outputs = True

    def __init__(self, answered: BoundMechanism, law: AnsweredLaw, worth: Floats) -> None:
        """Builds the law.

        Args:
            answered: The mechanism of the answers that are given.
            law: Its law.
            worth: What each of its reports adds to the mean, from the lower end in the
                attribute's unit, shape (outputs,).

        Raises:
            CertificateError: The grid is too fine for this epsilon.
        """
        assert isinstance(answered.domain, NumericDomain)  # noqa: S101 - what the law is for
        self.answered = answered
        self.mechanism = answered.mechanism
        self.domain = answered.domain
        self.law = MissingLaw.at(law, answered.size, answered.epsilon)
        self.certificate = self.law.certificate(answered.epsilon)
        self.outputs = _WithNone(answered.outputs)
        self._lower, self._span = float(answered.domain.grid_lower), answered.domain.span
        self.p = self.law.none_if_missing / WORD_TOTAL
        self.q = self.law.none_if_answered / WORD_TOTAL
        none = np.zeros(worth.size + 1)
        none[-1] = 1.0
        self.answered_score = (self.p - none) / (self.p - self.q)
        self.number_score = self._scores(worth[:, None])[:, 0]

    def _scores(self, worth: Floats) -> Floats:
        """Returns scores of quantities that are 0 of a missing answer.

        Args:
            worth: Scores of the reports of answers, one column each, shape (outputs, quantities).

        Returns:
            The same of all reports, shape (outputs + 1, quantities).
        """
        kept = (1 - self.p) / (1 - self.q)
        reference = self.law.reference.weights[0] / WORD_TOTAL
        given = np.vstack((worth, np.zeros(worth.shape[1]))) / (1 - self.q)
        return np.asarray(given - np.outer(1 - self.answered_score, kept * (reference @ worth)))

    @property
    def size(self) -> int:
        """Number of answers, the missing one included."""
        return self.answered.size + 1

    @property
    def bytes_per_row(self) -> int:
        """Memory of one row while it is randomized: two words."""
        return 2 * self.answered.bytes_per_row

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        """Draws one report per true code, shape (n,)."""
        return self.law.sample(codes, words.take(2 * codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        """Counts each report."""
        return count_symbols(reports, len(self.outputs), weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the mean of those who answered, arrays of shape (1,), and the share answered."""
        mean = self._of_those_who_answered(tally, self.number_score[:, None], confidence)
        lower, span = self._lower, self._span
        unclear = np.isnan(mean.lower)
        return replace(
            mean,
            quantity="mean",
            value=lower + mean.value,
            truncated=lower + np.clip(mean.value, 0.0, span),
            lower=lower + np.where(unclear, 0.0, mean.lower),
            upper=lower + np.where(unclear, span, mean.upper),
            intervals=self._interval_shares(tally, confidence),
            answered=self.share_answered(tally, confidence),
        )

    def _interval_shares(self, tally: Tally, confidence: float) -> IntervalShares | None:
        """Returns the shares of intervals among those who answered, where reports tell them."""
        reader = None if not hasattr(self.answered, "_intervals") else self.answered._intervals
        if reader is None:
            return None
        shares = self._of_those_who_answered(tally, self._scores(reader.worth), confidence)
        unclear = np.isnan(shares.lower)
        shares = replace(
            shares,
            truncated=np.clip(shares.value, 0.0, 1.0),
            lower=np.where(unclear, 0.0, shares.lower),
            upper=np.where(unclear, 1.0, shares.upper),
            possible=PossibleEstimates(**projections_of(shares.value)),
        )
        return IntervalShares(interval_ends(reader.domain, reader.edges), shares)

    def _of_those_who_answered(
        self, tally: Tally, scores: Floats, confidence: float
    ) -> Estimate:
        """Returns ratios of unbiased means: those of some scores over the share answered.

        The error is that of Taylor linearisation. The interval is Fieller's, who asks which ratios
        the reports do not contradict (Fieller 1954, JRSS B 16, 175-185); its ends are NaN where
        the reports do not even show that somebody answered. The noise error is given as the total
        one (its upper bound), and the sampling error not at all.

        Args:
            tally: Counts of the reports.
            scores: Scores of the reports, one column each, shape (outputs, quantities).
            confidence: Of the intervals.
        """
        shares, squares, reports = tally.shares, tally.square_shares, tally.effective_reports
        above, below = shares @ scores, float(shares @ self.answered_score)
        away, other = scores - above, self.answered_score - below
        # Variances and the covariance of the means, times a factor that weights change.
        own, cross = squares @ away**2 / reports, (squares * other) @ away / reports
        spread = float(squares @ other**2) / reports
        value = above / max(below, 1 / tally.reports)
        error = np.sqrt(np.maximum(own - 2 * value * cross + value**2 * spread, 0.0))
        quantile = normal_quantile(confidence)
        a = below**2 - quantile**2 * spread
        b, c = above * below - quantile**2 * cross, above**2 - quantile**2 * own
        if a > 0 < below:
            half = np.sqrt(np.maximum(b**2 - a * c, 0.0))
            lower, upper = (b - half) / a, (b + half) / a
        else:
            lower = upper = np.full_like(value, np.nan)
        total = error / max(below, 1 / tally.reports)
        return Estimate(
            quantity="share",
            value=value,
            truncated=value,
            noise_error=total,
            sampling_error=np.full_like(value, np.nan),
            total_error=total,
            lower=lower,
            upper=upper,
            reports=tally.reports,
            effective_reports=reports,
        )

    def share_answered(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the share of respondents who answered, arrays of shape (1,).

        As with any randomized yes or no: Wilson's interval of the share of "none", carried over.
        """
        none, squared = tally.shares[-1:], tally.square_shares[-1:]
        reports, gap = tally.effective_reports, self.p - self.q
        value = (self.p - none) / gap
        total = np.sqrt(indicator_variance(none, squared) / reports) / gap
        sampling = np.sqrt(np.clip(value * (1 - value), 0.0, None) / reports)
        lower, upper = wilson_interval(none, effective_number(tally, none, squared), confidence)
        return Estimate(
            quantity="share",
            value=value,
            truncated=np.clip(value, 0.0, 1.0),
            noise_error=np.sqrt(np.maximum(total**2 - sampling**2, 0.0)),
            sampling_error=np.minimum(sampling, total),
            total_error=total,
            lower=(self.p - upper) / gap,
            upper=(self.p - lower) / gap,
            reports=tally.reports,
            effective_reports=reports,
        )

    def parameters(self) -> dict[str, float]:
        """Returns the law's numbers, with the chances of "none"."""
        none = {"none_if_missing": self.p, "none_if_answered": self.q}
        return self.answered.parameters() | none

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimators of the share answered and of the mean of those who answered."""
        rule = self.answered.estimation_rule(weighted)
        # What "none" adds to the sum of scores, moved from the lower end to 0.
        pull = -float(self.number_score[-1] / (1 - self.answered_score[-1]))
        pull += self._lower * (1 - self.p) / (1 - self.q)
        return (
            f"Share answered s = (P - h) / (P - Q), where h is the share of empty cells{weighted}, "
            f"P = {self.p!r} and Q = {self.q!r}. Mean of those who answered = ((1 - h) m / (1 - Q) "
            f"- (1 - s) k) / s, where k = {pull!r} and m is what "
            f"the cells that are not empty give by the following rule: {rule}"
        )


class _WithNone(Sequence[str]):
    """The texts of reports, and an empty one for "none"."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts) + 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(len(self))[index])
        at = range(len(self))[index]
        return "" if at == len(self._texts) else self._texts[at]
