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

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import exp, sqrt

import numpy as np

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.missing import MissingLaw
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms.base import BoundMechanism, NumberReports
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate, IntervalShares
from dpdesk.mechanisms.interval_shares import interval_ends
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast, TextsOnDemand
from dpdesk.mechanisms.possible_shares import PossibleEstimates, projections_of
from dpdesk.mechanisms.score_rule import ScoreRule, numbers_of
from dpdesk.mechanisms.tally import Tally, count_symbols, effective_number, indicator_variance
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.numbers.intervals import Quadratic, least_variance, ratio_interval, wilson_interval
from dpdesk.randomness import WordSource


@dataclass(frozen=True, eq=False)
class MissingScores:
    """What each report tells of its respondent, in floating point.

    Attributes:
        p: P.
        q: Q.
        reference: R, shape (outputs of the mechanism,).
        worth: w, from the lower end in the attribute's unit, of the same shape.
    """

    p: float
    q: float
    reference: Floats
    worth: Floats

    @property
    def answered(self) -> Floats:
        """A of each report, shape (outputs + 1,); the last one is of "none"."""
        other, none = self._two_answered
        return np.append(np.full(self.worth.size, other), none)

    @property
    def _two_answered(self) -> tuple[float, float]:
        """A of any report but "none", and of that."""
        return self.p / (self.p - self.q), (self.p - 1) / (self.p - self.q)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """The first two moments of w under R: a race of mechanisms asks for them often.

        Summed without BLAS, whose threads wait for each other longer than such a sum takes.
        """
        parts = self.reference * self.worth
        return float(parts.sum()), float((parts * self.worth).sum())

    def of(self, worth: Floats) -> Floats:
        """Returns scores of quantities that are 0 of a missing answer.

        Args:
            worth: Scores of the reports of answers, one column each, shape (outputs, quantities).

        Returns:
            The same of all reports, shape (outputs + 1, quantities).
        """
        given = np.vstack((worth, np.zeros(worth.shape[1]))) / (1 - self.q)
        pull = (1 - self.p) / (1 - self.q) * (self.reference @ worth)
        return np.asarray(given - np.outer(1 - self.answered, pull))

    @property
    def number(self) -> Floats:
        """V of each report, shape (outputs + 1,)."""
        return self.of(self.worth[:, None])[:, 0]

    def beyond_worth(self, mean: Floats | float) -> tuple[Floats, Floats]:
        """Returns V - mean A of "none", and what it is of other reports beyond w / (1 - Q).

        Both have the shape of `mean`.
        """
        pull = (1 - self.p) / (1 - self.q) * self._moments[0]
        other, none = self._two_answered
        means = np.asarray(mean, dtype=np.float64)
        return -(1 - none) * pull - means * none, -(1 - other) * pull - means * other

    def answered_squares(self, mean: Floats | float, noise: Floats, places: Floats) -> Floats:
        """Returns the mean square of V - mean A under an answer.

        Args:
            mean: From the lower end in the attribute's unit; one, or one for each answer.
            noise: Variance of the mechanism at each answer.
            places: The answers, from the lower end in the attribute's unit, as many.
        """
        return self._squares(mean, places, noise + places**2, 1 - self.q)

    def missing_square(self, mean: Floats | float) -> Floats:
        """Returns the mean square of V - mean A under a missing answer, shape of `mean`."""
        return self._squares(mean, *self._moments, 1 - self.p)

    def _squares(
        self, mean: Floats | float, first: Floats | float, second: Floats | float, told: float
    ) -> Floats:
        """The same from the first two moments of w and the chance of a report but "none"."""
        none, shift = self.beyond_worth(mean)
        kept = 1 - self.q
        squares = second / kept**2 + 2 * shift * first / kept + shift**2
        return np.asarray(told * squares + (1 - told) * none**2)


class MissingForecast(MeanForecast):
    """Preview of a mechanism for numbers that may be missing.

    The reports of its law are those that are numbers: their chances sum to 1 - Q.

    Attributes:
        given: The preview of the mechanism without missing answers.
        share: Supposed share of missing answers.
        scores: What each report tells.
    """

    def __init__(self, given: MeanForecast, share: float, epsilon: float) -> None:
        super().__init__(given.size, given.span)
        self.given = given
        self.share = share
        growth, total = exp(epsilon), float(given.most_likely.sum())
        none = (growth - total) / (growth**2 - total)
        self.scores = MissingScores(growth * none, none, given.most_likely / total, given.worth)

    @property
    def positions(self) -> Floats:
        return self.given.positions

    @property
    def worth(self) -> Floats:
        return self.given.worth

    @property
    def atoms(self) -> tuple[int, ...]:
        return self.given.atoms

    @property
    def noise_variances(self) -> Floats:
        places = np.linspace(0.0, self.span, self.size)
        return self.scores.answered_squares(places, self.given.noise_variances, places)

    def probabilities(self, code: int) -> Floats:
        return np.asarray((1 - self.scores.q) * self.given.probabilities(code))

    def report_law(self) -> tuple[Floats, Floats, float]:
        # To first order a report adds the mean itself, and V - mean A over the share answered.
        worth, chances, mean = self.given.report_law()
        p, q, missing = self.scores.p, self.scores.q, self.share
        none, shift = self.scores.beyond_worth(mean)
        values = np.concatenate((worth, self.worth)) / (1 - q) + shift
        parts = (1 - missing) * (1 - q) * chances, missing * (1 - p) * self.scores.reference
        of_none = (1 - missing) * q + missing * p
        return (
            mean + np.append(values, none) / (1 - missing),
            np.append(np.concatenate(parts), of_none),
            mean,
        )

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        middle, answered = self.span / 2, 1 - self.share
        places = np.linspace(0.0, self.span, self.size)
        squares = self.scores.answered_squares(middle, self.given.noise_variances, places)
        spread = (self.size + 1) / (12 * (self.size - 1)) * self.span**2
        noise = float(squares.mean()) - spread
        added = answered * noise + self.share * float(self.scores.missing_square(middle))
        sampling = spread / (answered * reports)
        noisy = added / (answered**2 * reports)
        return Accuracy(sqrt(noisy), sqrt(sampling), sqrt(noisy + sampling))

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        missing = self.share if answers.missing is None else answers.missing
        codes, shares, answered = [*answers.codes], np.array(answers.shares), 1 - missing
        places = np.linspace(0.0, self.span, self.size)[codes]
        mean = float(places @ shares)
        squares = self.scores.answered_squares(mean, self.given.noise_variances[codes], places)
        added = answered * float((squares - (places - mean) ** 2) @ shares)
        added += missing * float(self.scores.missing_square(mean))
        return np.array([added / answered**2]), np.array([answers.spread**2 / answered])

    @property
    def truthful(self) -> float | None:  # type: ignore[override]
        """Share of reports that are the true grid point."""
        given = self.given.truthful
        return None if given is None else (1 - self.scores.q) * given


class BoundMissing(BoundMechanism):
    """A mechanism for numbers on a domain with missing answers.

    The last code, m, is a missing answer; the last report is "none", whose text is empty.

    Attributes:
        given: The mechanism of the answers that are given.
        law: The law of both.
        scores: What each report tells.
    """

    domain: Grid
    numeric_outputs = True

    def __init__(self, given: BoundMean, domain: Grid) -> None:
        """Builds the law.

        Args:
            given: The mechanism of the answers that are given.
            domain: Its domain, with missing answers.

        Raises:
            CertificateError: The grid is too fine for this epsilon.
        """
        self.given = given
        self.mechanism = given.mechanism
        self.domain = domain
        self.law = MissingLaw.at(given.law, given.size, given.epsilon)
        self.certificate = self.law.certificate(given.epsilon)
        self.outputs = _WithNone(given.outputs)
        self._lower, self._span = float(domain.grid_lower), domain.span
        self.scores = MissingScores(
            self.law.none_if_missing / WORD_TOTAL,
            self.law.none_if_answered / WORD_TOTAL,
            self.law.reference.weights[0] / WORD_TOTAL,
            given.worth,
        )
        self._answered, self._number = self.scores.answered, self.scores.number

    @property
    def size(self) -> int:
        return self.given.size + 1

    @property
    def bytes_per_row(self) -> int:
        return 2 * self.given.bytes_per_row

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        return self.law.sample(codes, words.take(2 * codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        return count_symbols(reports, len(self.outputs), weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        mean = self._of_those_who_answered(
            tally, self._number[:, None], confidence, partial(least_variance, self.noise_floor)
        )
        lower, span = self._lower, self._span
        unclear = np.isnan(mean.lower)
        noise, sampling = self._parts(tally, float(mean.value[0]), float(mean.total_error[0]))
        return replace(
            mean,
            quantity="mean",
            noise_error=np.array([noise]),
            sampling_error=np.array([sampling]),
            value=lower + mean.value,
            truncated=lower + np.clip(mean.value, 0.0, span),
            lower=lower + np.where(unclear, 0.0, mean.lower),
            upper=lower + np.where(unclear, span, mean.upper),
            intervals=self._interval_shares(tally, confidence),
            answered=self.share_answered(tally, confidence),
        )

    def answer_scores(self, worth: Floats) -> Floats:
        """Returns A of each report and the scores of quantities of an answer (`BoundMean`)."""
        return np.column_stack((self._answered, self.scores.of(worth)))

    @property
    def number_scores(self) -> Floats:
        return self.answer_scores(self.given.number_scores[:, 1:])

    def score_rule(self) -> ScoreRule:
        # The number of a report is worth `scale` times what it is without missing answers, plus
        # `shift`.
        given = self.given.score_rule()
        kept = 1 - self.scores.q
        pull = (1 - self.scores.p) / kept * float(self.scores.reference @ self.scores.worth)
        told, none = float(self._answered[0]), float(self._answered[-1])
        numbers: dict[str, Floats | float] = {
            "scale": 1 / kept,
            "shift": -(1 - told) * pull,
            "shift_if_none": -(1 - none) * pull,
            "answered": told,
            "answered_if_none": none,
            "least_answered": self._least_answered,
            "floor": self.noise_floor,
            "binomial": 0.0,
        }
        more = {key: numbers_of(found) for key, found in numbers.items()}
        return replace(given, numbers={**given.numbers, **more})

    @property
    def _least_answered(self) -> float:
        """The least variance that the share answered is given with: few reports may have none."""
        p, q = self.scores.p, self.scores.q
        return min(p * (1 - p), q * (1 - q)) / (p - q) ** 2

    def number_reports(self, codes: Codes) -> NumberReports:
        given = self.given.number_reports(codes)
        powers = np.column_stack((given.places, given.places**2))
        return NumberReports(given.places, self.answer_scores(powers), given.moments)

    def _parts(self, tally: Tally, mean: float, total: float) -> tuple[float, float]:
        """Splits the error of a mean into noise and the sampling of those who answered.

        Where the reports do not tell how far answers lie apart, the noise error is given as the
        total one (its upper bound), and the sampling error is NaN.
        """
        if self.given.square_worth is None:
            return total, float("nan")
        squares = self.scores.of(self.given.square_worth[:, None])[:, 0]
        answered = max(float(tally.square_shares @ self._answered), 1 / tally.reports)
        spread = float(tally.square_shares @ squares) / answered - mean**2
        if spread <= 0:
            return total, float("nan")
        sampling = min(spread / (answered * tally.effective_reports), total**2)
        return sqrt(total**2 - sampling), sqrt(sampling)

    def _interval_shares(self, tally: Tally, confidence: float) -> IntervalShares | None:
        """Returns the shares of intervals among those who answered, where reports tell them."""
        reader = self.given.intervals
        if reader is None:
            return None
        scores = self.scores.of(reader.worth)
        shares = self._of_those_who_answered(tally, scores, confidence, reader.least_noise)
        unclear = np.isnan(shares.lower)
        shares = replace(
            shares,
            truncated=np.clip(shares.value, 0.0, 1.0),
            lower=np.where(unclear, 0.0, shares.lower),
            upper=np.where(unclear, 1.0, shares.upper),
            possible=PossibleEstimates(**projections_of(shares.value)),
        )
        return IntervalShares(interval_ends(reader.domain, reader.edges), shares)

    @cached_property
    def noise_floor(self) -> Floats:
        means, least, _ = self.given.noise_floor
        given = self.scores.answered_squares(means, least, means)
        return np.stack((means, given, self.scores.missing_square(means)))

    def _of_those_who_answered(
        self,
        tally: Tally,
        scores: Floats,
        confidence: float,
        least: Floats | Callable[[float, float, float], float],
    ) -> Estimate:
        """Returns ratios of unbiased means: those of some scores over the share answered.

        The error is that of Taylor linearisation. The interval is Fieller's, who asks which ratios
        the reports do not contradict (Fieller 1954, JRSS B 16, 175-185); its ends are NaN where
        the reports do not even show that somebody answered. Noise and sampling are not told apart.

        Args:
            tally: Counts of the reports.
            scores: Scores of the reports, one column each, shape (outputs, quantities).
            confidence: Of the intervals.
            least: The least variance of a report's part in a ratio, shape (quantities,), or that by
                ratio, reports and share answered: few may lack those that are rare and worth much.
        """
        shares, squares, reports = tally.shares, tally.square_shares, tally.effective_reports
        above, below = shares @ scores, float(shares @ self._answered)
        away, other = scores - above, self._answered - below
        # Variances and the covariance of the means, times a factor that weights change.
        own, cross = squares @ away**2 / reports, (squares * other) @ away / reports
        spread = float(squares @ other**2) / reports
        answered = max(below, 1 / tally.reports)
        value = above / answered
        floor = (least(value[0], reports, answered) if callable(least) else least) / reports
        seen = own - 2 * value * cross + value**2 * spread
        # What few reports lack is added to the numbers: the ratio's error is at least the floor.
        own = own + np.maximum(floor - seen, 0.0)
        error = np.sqrt(np.maximum(seen, floor))
        variance = Quadratic.of(own, cross, spread)
        lower, upper = ratio_interval(above, below, variance, confidence)
        total = error / answered
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
        reports, gap = tally.effective_reports, self.scores.p - self.scores.q
        value, by_squares = ((self.scores.p - told) / gap for told in (none, squared))
        # Of few reports none may be empty; they are still drawn, with at least this variance.
        least = min(chance * (1 - chance) for chance in (self.scores.p, self.scores.q))
        total = np.sqrt(np.maximum(indicator_variance(none, squared), least) / reports) / gap
        possible, by_squares = (np.clip(share, 0.0, 1.0) for share in (value, by_squares))
        sampling = np.sqrt(indicator_variance(possible, by_squares) / reports)
        lower, upper = wilson_interval(none, effective_number(tally, none, squared), confidence)
        return Estimate(
            quantity="share",
            value=value,
            truncated=np.clip(value, 0.0, 1.0),
            noise_error=np.sqrt(np.maximum(total**2 - sampling**2, 0.0)),
            sampling_error=np.minimum(sampling, total),
            total_error=total,
            lower=(self.scores.p - upper) / gap,
            upper=(self.scores.p - lower) / gap,
            reports=tally.reports,
            effective_reports=reports,
        )

    def parameters(self) -> dict[str, float]:
        none = {"none_if_missing": self.scores.p, "none_if_answered": self.scores.q}
        return self.given.parameters() | none

    def estimation_rule(self, weighted: str) -> str:
        p, q = repr(self.scores.p), repr(self.scores.q)
        middle = self._lower + float(self.scores.reference @ self.scores.worth)
        return in_a_row(
            (
                T.SHARE_ANSWERED_RULE(weighted=weighted, p=p, q=q),
                T.MEAN_ANSWERED_RULE(middle=f"{middle:.12g}"),
                self.given.estimation_rule(weighted),
            )
        )


class _WithNone(TextsOnDemand):
    """The texts of reports, and an empty one for "none"."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts) + 1

    def text(self, index: int) -> str:
        return "" if index == len(self._texts) else self._texts[index]
