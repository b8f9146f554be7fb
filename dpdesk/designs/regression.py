"""Logistic regression of the hidden answer on covariates, by maximum likelihood.

Predicted shares say what the share would be if all were of one group. The share predicted for a
group is the mean, over all respondents with their weights, of the chance to be a carrier that the
model gives to each of them with the group's value in place of their own (predictive margins:
Graubard & Korn 1999, Biometrics 55, 652-659). Groups are so compared at the same distribution of
the other covariates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpdesk.designs.answer_likelihood import AnswerChances, Likelihood
from dpdesk.designs.inference import WaldTest, chance_beyond, equality_test, quantile, wald_test
from dpdesk.designs.sample_design import ScoreMean
from dpdesk.designs.texts import T
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats

_STEPS = 200
_HALVINGS = 40
_STARTS = (0.0, -1.0, 1.0)
_OPEN_STARTS = (0.5, 0.1, 0.9)
_NEAR = 1e-6
_TINY = 1e-12
_FLAT = 1e-24
_POLISHES = 10
_PART = 10_000
"""Number of respondents that suffices to compare the maxima of the likelihood."""

SHARES = {
    "innocent_share": N_("Share of yes to the innocent question"),
    "cheaters": N_("Share who say no whatever the device orders"),
    "truthful_carriers": N_("Share of carriers who tell the truth"),
    "attentive": N_("Share who attend"),
}
"""The open shares in words."""

Spread = Callable[[Floats], Floats]
"""From each respondent's contributions, shape (n, k), the covariance of their sum, (k, k)."""


@dataclass(frozen=True, slots=True)
class OpenShare:
    """A share that the design leaves open, estimated together with the coefficients.

    Attributes:
        name: Its name, as in `SurveyEstimate.other_shares`.
        value: The most likely share, from 0 to 1.
        standard_error: Its error; None where the share is 0 or 1, at the end of what it can be.
    """

    name: str
    value: float
    standard_error: float | None


@dataclass(frozen=True, slots=True)
class CoefficientRow:
    """One coefficient, a log odds ratio.

    Attributes:
        name: Its name.
        value: The most likely one.
        standard_error: Its error.
        lower, upper: Ends of its interval.
        p_value: Chance of one as far from 0 or farther, if it is 0.
    """

    name: str
    value: float
    standard_error: float
    lower: float
    upper: float
    p_value: float


def coefficient_rows(
    names: tuple[str, ...],
    values: Floats,
    errors: Floats,
    freedom: int | None,
    confidence: float = 0.95,
) -> tuple[CoefficientRow, ...]:
    """Returns coefficients with their intervals and tests.

    Args:
        names: Their names.
        values: The coefficients, shape (k,).
        errors: Their standard errors.
        freedom: Degrees of freedom of the errors; None for the normal law.
        confidence: Coverage of the intervals.
    """
    reach = quantile(confidence, freedom)
    return tuple(
        CoefficientRow(
            name,
            value,
            error,
            value - reach * error,
            value + reach * error,
            2 * chance_beyond(abs(value) / error, freedom),
        )
        for name, value, error in zip(names, values.tolist(), errors.tolist(), strict=True)
    )


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """The most likely coefficients.

    Attributes:
        names: Names of the terms, in the order of the coefficients.
        coefficients: Log odds ratios, shape (terms,).
        covariance: Of the coefficients, shape (terms, terms): the inverse of the observed
            information, or by the sample's design.
        log_likelihood: The likelihood's logarithm at its maximum; weights count by their ratio to
            the mean one.
        gradient_norm: Length of its gradient there; 0 but for rounding. An open share at the end
            of what it can be is left out of it.
        respondents: Number of respondents.
        influence: What each respondent moves the coefficients by, to first order, shape
            (n, terms): the sum of contributions is 0, and their spread is the covariance.
        open_share: The share that the design leaves open; None if it leaves none open.
        by_sample: Whether errors are by the sample's design.
        freedom: Degrees of freedom of the errors; None for the normal law.
        terms: The formula's terms, each with the places of its coefficients.
    """

    names: tuple[str, ...]
    coefficients: Floats
    covariance: Floats
    log_likelihood: float
    gradient_norm: float
    respondents: int
    influence: Floats
    open_share: OpenShare | None = None
    by_sample: bool = False
    freedom: int | None = None
    terms: tuple[tuple[str, tuple[int, ...]], ...] = ()

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of the coefficients, shape (terms,)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def coefficient_rows(self, confidence: float = 0.95) -> tuple[CoefficientRow, ...]:
        """Returns each coefficient with its interval and the test of whether it is 0.

        By Student's t with the sample's degrees of freedom, or by the normal law.
        """
        errors = self.standard_errors
        return coefficient_rows(self.names, self.coefficients, errors, self.freedom, confidence)

    def term_tests(self) -> tuple[tuple[str, WaldTest | None], ...]:
        """Returns for each term of several coefficients the test of whether all are 0.

        None where there are too few clusters for as many coefficients.
        """
        return tuple(
            (
                name,
                wald_test(
                    self.coefficients[list(places)],
                    self.covariance[np.ix_(places, places)],
                    self.freedom,
                ),
            )
            for name, places in self.terms
            if len(places) > 1
        )


def logistic_regression(
    chances: AnswerChances,
    covariates: Floats,
    names: tuple[str, ...],
    weights: Floats | None = None,
    spread: Spread | None = None,
    respondents: int | None = None,
) -> LogisticFit:
    """Finds the most likely coefficients from several starts.

    Args:
        chances: The chances of the answers that were given.
        covariates: One row per respondent, a column of ones for the constant, shape (n, terms).
        names: Names of the terms.
        weights: Weight of each respondent; equal weights when None.
        spread: How sums over the sample vary by its design: errors are then those of Binder (1983,
            International Statistical Review 51, 279-292), with which the size of the weights does
            not matter. None for the observed information.
        respondents: Number of respondents, where a row stands for all who are alike and has the sum
            of their weights; None where it is one.

    Raises:
        InputError: There are too few respondents, covariates that depend on each other, or no
            maximum.
        ParameterError: The answers do not depend on the trait.
    """
    rows, terms = covariates.shape
    n = rows if respondents is None else respondents
    if n <= terms + bool(chances.open_share) or np.linalg.matrix_rank(covariates) < terms:
        raise InputError(T.DEPENDENT_COVARIATES())
    if (chances.at(0.5).high == chances.at(0.5).low).all():
        raise ParameterError(T.NO_DIFFERENCE())
    # Columns are scaled to unit size, so that one stopping rule fits all.
    scale = np.sqrt(np.mean(covariates**2, axis=0))
    each = np.ones(n) if weights is None else weights * (n / weights.sum())
    likelihood, best = _highest(chances, covariates / scale, each)
    gradient, observed, _ = likelihood.derivatives(best)
    covariance = np.linalg.inv(observed)
    influence = likelihood.contributions(best) @ covariance
    if spread is not None:
        covariance = spread(influence)
    if not (np.diag(covariance) >= 0).all():
        raise InputError(T.DEPENDENT_COVARIATES())
    share = None
    if chances.open_share:
        inner = likelihood.is_open
        error = float(np.sqrt(covariance[-1, -1])) if inner else None
        value = float(best[-1]) if inner else likelihood.fixed_share
        share = OpenShare(chances.open_share, value, error)
    gradient[:terms] *= scale
    return LogisticFit(
        names=names,
        coefficients=best[:terms] / scale,
        covariance=covariance[:terms, :terms] / np.outer(scale, scale),
        log_likelihood=likelihood.value(best),
        gradient_norm=float(np.linalg.norm(gradient)),
        respondents=n,
        influence=influence[:, :terms] / scale,
        open_share=share,
        by_sample=spread is not None,
    )


def _highest(
    chances: AnswerChances, covariates: Floats, weights: Floats
) -> tuple[Likelihood, Floats]:
    """Returns the highest maximum, with the likelihood that it is one of.

    An open share lies within 0 and 1, or at one of them; there the coefficients alone vary.
    """
    found: list[tuple[float, Likelihood, Floats]] = []
    reached: list[float] = []

    def climb(likelihood: Likelihood, shares: tuple[float, ...] = ()) -> None:
        for first in _promising(likelihood, _starts(covariates, shares)):
            top, is_maximum = _climb(likelihood, first)
            if not shares or 0 <= top[-1] <= 1:
                reached.append(likelihood.value(top))
                if is_maximum:
                    found.append((reached[-1], likelihood, top))

    climb(whole := Likelihood(chances, covariates, weights), _OPEN_STARTS if whole.is_open else ())
    if whole.is_open:
        for end in (0.0, 1.0):
            climb(Likelihood(chances.at(end), covariates, weights, fixed_share=end))
    # If the search leads higher than every maximum without converging, there is no maximum there.
    if not found or max(found, key=_height)[0] < max(reached) - _NEAR:
        raise InputError(T.NO_MAXIMUM_IN_GROUPS() if whole.is_open else T.NO_MAXIMUM())
    # Among equally high maxima the inner one is preferred, since it has a standard error.
    _, likelihood, best = max(found, key=_height)
    return likelihood, best


def _height(found: tuple[float, Likelihood, Floats]) -> tuple[float, bool]:
    return found[0], found[1].is_open


def _starts(covariates: Floats, shares: tuple[float, ...]) -> list[Floats]:
    terms = covariates.shape[1]
    constant = int(np.argmin(np.std(covariates, axis=0)))
    starts = []
    for height in _STARTS:
        for share in shares or (None,):
            first = np.zeros(terms + (share is not None))
            first[constant] = height
            if share is not None:
                first[-1] = share
            starts.append(first)
    return starts


def _promising(likelihood: Likelihood, starts: list[Floats]) -> list[Floats]:
    """Returns fewer starts for a large survey: the maxima of a part of it, if there are any."""
    part = likelihood.part(_PART)
    if part is None:
        return starts
    tops = [top for top, is_maximum in (_climb(part, first) for first in starts) if is_maximum]
    apart = {tuple(np.round(top, 2).tolist()): top for top in tops}
    return [*apart.values(), *(() if apart else starts)]


def _climb(likelihood: Likelihood, start: Floats) -> tuple[Floats, bool]:
    """Newton's method with step halving; returns its end, and whether it is a maximum."""
    here, height = start, likelihood.value(start)
    for _ in range(_STEPS):
        step, promise, concave = _newton(likelihood, here)
        if promise < _NEAR:
            top = _polished(likelihood, here) if concave else None
            return (here, False) if top is None else (top, True)
        for _ in range(_HALVINGS):
            reached = likelihood.value(here + step)
            if reached > height:
                break
            step = step / 2
        else:
            return here, False
        here, height = here + step, reached
    return here, False


def _polished(likelihood: Likelihood, here: Floats) -> Floats | None:
    """Newton's steps near the maximum, where rounding hides whether the likelihood increases.

    Near a maximum each step squares the remaining distance; if coefficients grow without bound, it
    only shrinks by a factor, and there is no maximum.
    """
    for _ in range(_POLISHES):
        step, promise, concave = _newton(likelihood, here)
        if not concave:
            return None
        if promise < _FLAT:
            return here
        here = here + step
    return None


def _newton(likelihood: Likelihood, here: Floats) -> tuple[Floats, float, bool]:
    """Returns an ascent step, twice the predicted increase, and whether the surface is concave.

    If it is not concave, the step by the squares of the contributions still ascends.
    """
    gradient, observed, squares = likelihood.derivatives(here)
    concave = _is_positive(observed)
    steepness = observed if concave else squares
    try:
        step = np.linalg.solve(steepness, gradient)
    except np.linalg.LinAlgError:
        return np.zeros_like(here), 0.0, False
    return np.asarray(step, dtype=np.float64), float(gradient @ step), concave


def _is_positive(matrix: Floats) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return bool(np.isfinite(matrix).all())


@dataclass(frozen=True, slots=True, eq=False)
class CovariateGroup:
    """A group to predict the share of.

    Attributes:
        text: Its text in the column.
        members: Number of respondents who belong to it.
        covariates: The covariates of all respondents, as if they belonged to it; shape (n, terms).
    """

    text: str
    members: int
    covariates: Floats


@dataclass(frozen=True, slots=True)
class PredictedShares:
    """The predicted shares of the groups of one column.

    Attributes:
        column: Name of the column.
        shares: The share of each group, by its text.
        test: The test of whether all are the same; None where the errors do not allow one.
    """

    column: str
    shares: tuple[tuple[str, ScoreMean], ...]
    test: WaldTest | None


def predicted_shares(
    fit: LogisticFit,
    column: str,
    groups: tuple[CovariateGroup, ...],
    weights: Floats,
    spread: Spread | None,
    confidence: float = 0.95,
) -> PredictedShares:
    """Returns the predicted shares of groups with their errors, by the delta method.

    With mu the chance of a respondent and m its mean, the share moves by w (mu - m) / sum w for a
    respondent who was drawn and by G' times their influence on the coefficients, G being the mean
    slope of mu. So the error holds that of the coefficients and that of the covariates: it is for
    the population, not for the respondents at hand alone. The interval is that of the log odds,
    which keeps it between 0 and 1.

    Args:
        fit: The regression.
        column: Name of the column.
        groups: The groups.
        weights: Weight of each respondent, shape (n,).
        spread: How sums over the sample vary by its design; None for respondents drawn one by one
            with equal weights.
        confidence: Coverage of the intervals.
    """
    share_of_each = weights / weights.sum()
    means, slopes, drawn = [], [], []
    for group in groups:
        covariates = group.covariates
        chance = _logistic(covariates @ fit.coefficients)
        mean = float(share_of_each @ chance)
        means.append(mean)
        slopes.append((share_of_each * chance * (1 - chance)) @ covariates)
        drawn.append(share_of_each * (chance - mean))
    values, of_covariates = np.array(means), np.column_stack(drawn)
    gradient = np.array(slopes)
    if spread is None:
        # Given the covariates the coefficients are unbiased: the parts are uncorrelated.
        n = weights.size
        covariance = gradient @ fit.covariance @ gradient.T
        covariance = covariance + of_covariates.T @ of_covariates * n / (n - 1)
    else:
        covariance = spread(of_covariates + fit.influence @ gradient.T)
    errors = np.sqrt(np.diag(covariance))
    half = quantile(confidence, fit.freedom) * errors / np.maximum(values * (1 - values), _TINY)
    with np.errstate(divide="ignore"):  # a mean of 0 or 1 keeps its place
        logits = np.log(values) - np.log1p(-values)
    ends = _logistic(logits - half), _logistic(logits + half)
    return PredictedShares(
        column=column,
        shares=tuple(
            (group.text, ScoreMean(value, error, lower, upper, group.members, fit.freedom))
            for group, value, error, lower, upper in zip(
                groups,
                values.tolist(),
                errors.tolist(),
                ends[0].tolist(),
                ends[1].tolist(),
                strict=True,
            )
        ),
        test=equality_test(values, covariance, fit.freedom) if len(groups) > 1 else None,
    )


def _logistic(logits: Floats) -> Floats:
    """Returns 1 / (1 + exp(-x)), which no x is too far out for."""
    return np.exp(-np.logaddexp(0.0, -logits))
