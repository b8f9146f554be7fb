"""Designs for a question with several answers: one matrix of chances, one estimator.

P[true, said] are the device's chances. With lambda^ the shares of what was said, the shares of the
true answers are pi^ = P^-T lambda^, and their covariance is P^-T (diag lambda - lambda lambda^T)
P^-1 / n, estimated without bias with n - 1 (Chaudhuri and Mukerjee 1988).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpdesk.designs.base import Group
from dpdesk.designs.exact_inverse import inverse
from dpdesk.designs.record import DesignRecord
from dpdesk.designs.survey_estimate import Floats
from dpdesk.errors import InputError, ParameterError
from dpdesk.numbers.intervals import normal_quantile


@dataclass(frozen=True, slots=True, eq=False)
class CategoryEstimate:
    """Unbiased estimates of the shares of the true answers; arrays of shape (m,).

    Attributes:
        shares: The shares as they are; they sum to 1, and one may be negative.
        covariance: Their covariance, shape (m, m).
        sampling_errors: The part that direct questions would have had, at the truncated shares.
        privacy_errors: The part that the device adds.
        lower, upper: Ends of the normal intervals.
    """

    shares: Floats
    covariance: Floats
    sampling_errors: Floats
    privacy_errors: Floats
    lower: Floats
    upper: Floats

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of the shares."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    @property
    def truncated(self) -> Floats:
        """The shares moved between 0 and 1."""
        return np.clip(self.shares, 0.0, 1.0)


class CategoryDesign(DesignRecord):
    """A design of m answers, each of which is a true answer as well."""

    @property
    @abstractmethod
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """Chance of each answer said (column) by each true answer (row), exactly.

        Raises:
            ParameterError: The parameters make no device.
        """

    @property
    def size(self) -> int:
        """The number of answers, m."""
        return len(self.law)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The one group, answers being named by their numbers."""
        names = tuple(f"answer {number}" for number in range(1, len(self.law) + 1))
        return (Group("", names, names, self.law),)

    @property
    def unmixing(self) -> Floats:
        """P^-T: column j is the score of a respondent who says answer j, shape (m, m).

        Raises:
            ParameterError: The answers do not tell all shares apart.
        """
        found = _unmixing_of(self.law)
        if found is None:
            raise ParameterError(
                "With these parameters different shares give the same answers, so that the "
                "answers do not tell the shares.",
                remedy="Choose a device that tells the truth more often.",
            )
        return found

    def estimate(self, answers: Sequence[int], confidence: float = 0.95) -> CategoryEstimate:
        """Returns the shares of the true answers.

        Args:
            answers: Number of respondents who gave each answer, in the order of the matrix.
            confidence: Coverage of the intervals.

        Raises:
            InputError: The numbers are not one per answer, or are of fewer than 2 respondents.
        """
        unmixing = self.unmixing
        if len(answers) != len(unmixing):
            raise InputError(
                f"The design has {len(unmixing)} answers; {len(answers)} numbers are given.",
                remedy="Give the number of respondents of each answer, such as 120,45,30.",
            )
        n = sum(answers)
        if n < 2 or min(answers) < 0:  # a variance needs two
            raise InputError(
                "An estimate with an error needs at least 2 respondents, and no negative number.",
                remedy="Correct the numbers of respondents.",
            )
        said = np.array(answers, dtype=np.float64) / n
        shares = unmixing @ said
        spread = np.diag(said) - np.outer(said, said)
        covariance = unmixing @ spread @ unmixing.T / (n - 1)
        # Where all say the same the variance is 0, and rounding may take it below.
        np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
        sampling, privacy = self.planned_variances(np.clip(shares, 0.0, 1.0))
        half = normal_quantile(confidence) * np.sqrt(np.diag(covariance))
        return CategoryEstimate(
            shares=shares,
            covariance=covariance,
            sampling_errors=np.sqrt(sampling / n),
            privacy_errors=np.sqrt(privacy / n),
            lower=shares - half,
            upper=shares + half,
        )

    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        """Returns n times the variance of each share: the sampling's part and the device's.

        Args:
            shares: The true shares, shape (m,).
        """
        law = np.array([[float(x) for x in row] for row in self.law])
        # Var of the score given the true answer t: sum of P[t, j] U[i, j]^2, less 1 where i = t.
        squares = self.unmixing**2 @ law.T - np.eye(len(law))
        return shares * (1 - shares), np.maximum(squares @ shares, 0.0)


# An exact inverse takes milliseconds, and a picture that moves with a slider asks for it often.
@lru_cache(maxsize=64)
def _unmixing_of(law: tuple[tuple[Fraction, ...], ...]) -> Floats | None:
    """P^-T of a matrix, not to be written to; None where it has none."""
    found = inverse(law)
    if found is None:
        return None
    unmixing = np.array([[float(x) for x in row] for row in found]).T
    unmixing.flags.writeable = False
    return unmixing
