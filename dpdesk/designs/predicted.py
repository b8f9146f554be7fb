"""Predicted shares of a logistic regression: what the share would be if all were of one group.

The share predicted for a group is the mean, over all respondents with their weights, of the chance
to be a carrier that the model gives to each of them with the group's value in place of their own
(predictive margins: Graubard & Korn 1999, Biometrics 55, 652-659). Groups are so compared at the
same distribution of the other covariates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.designs.answer_likelihood import Floats
from dpdesk.designs.inference import WaldTest, equality_test, quantile
from dpdesk.designs.regression import LogisticFit, Spread
from dpdesk.designs.sample_design import ScoreMean

_TINY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A group to predict the share of.

    Attributes:
        text: Its text in the column.
        members: Number of respondents who are of it.
        covariates: Those of all respondents, as if they were of it; shape (n, terms).
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
    groups: tuple[Group, ...],
    weights: Floats,
    spread: Spread | None,
    confidence: float = 0.95,
) -> PredictedShares:
    """Returns the predicted shares of groups with their errors, by the delta method.

    With mu the chance of a respondent and m its mean, the share moves by w (mu - m) / sum w for
    who was drawn and by G' times their influence on the coefficients, G being the mean slope of
    mu. So the error holds that of the coefficients and that of the covariates: it is for the
    population, not for the respondents at hand alone. The interval is that of the log odds, which
    keeps it between 0 and 1.

    Args:
        fit: The regression.
        column: Name of the column.
        groups: The groups.
        weights: Weight of each respondent, shape (n,).
        spread: How sums over the sample vary by its design; None for respondents drawn one by one
            with equal weights.
        confidence: Coverage of the intervals.
    """
    from scipy.special import expit, logit

    share_of_each = weights / weights.sum()
    means, slopes, drawn = [], [], []
    for group in groups:
        covariates = group.covariates
        chance = expit(covariates @ fit.coefficients)
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
    ends = expit(logit(values) - half), expit(logit(values) + half)
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
