"""Logistic regression of the hidden answer on covariates, by maximum likelihood.

A respondent with covariates x is a carrier with probability mu = 1 / (1 + exp(-x beta)) and says
yes with probability lambda = b + (a - b) mu, where a and b belong to the respondent's own device
(Scheers and Dayton 1988, JASA 83, 969-974; Blair, Imai and Zhou 2015, JASA 110, 1304-1319). A
respondent who was asked directly has a = 1 and b = 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import InputError, ParameterError

Floats = NDArray[np.float64]

_STEPS = 200
_HALVINGS = 40
_STARTS = (0.0, -1.0, 1.0)
_NEAR = 1e-6
_FLAT = 1e-24
_POLISHES = 10
_BOUNDARY = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class LogisticFit:
    """The most likely coefficients.

    Attributes:
        names: Names of the terms, in the order of the coefficients.
        coefficients: Log odds ratios, shape (terms,).
        covariance: Inverse of the observed information, shape (terms, terms).
        log_likelihood: The likelihood's logarithm at its maximum.
        gradient_norm: Length of its gradient there; 0 but for rounding.
        respondents: Number of respondents.
    """

    names: tuple[str, ...]
    coefficients: Floats
    covariance: Floats
    log_likelihood: float
    gradient_norm: float
    respondents: int

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of the coefficients, shape (terms,)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))


class Likelihood:
    """The likelihood of the coefficients, with its derivatives.

    Args:
        said_yes: 1 for yes, 0 for no, shape (n,).
        covariates: One row per respondent, shape (n, terms).
        a: Chance of yes of a carrier, shape (n,).
        b: Chance of yes of a non-carrier, shape (n,).
        weights: Weight of each respondent, shape (n,).
    """

    def __init__(
        self, said_yes: Floats, covariates: Floats, a: Floats, b: Floats, weights: Floats
    ) -> None:
        self._y, self._x, self._weights = said_yes, covariates, weights
        self._b, self._gap = b, a - b

    def value(self, coefficients: Floats) -> float:
        """Returns the logarithm of the likelihood; minus infinity where an answer is impossible."""
        chance = self._chance(self._carrier(coefficients))
        with np.errstate(divide="ignore"):
            each = np.where(self._y == 1, np.log(chance), np.log1p(-chance))
        return float(self._weights @ each)

    def derivatives(self, coefficients: Floats) -> tuple[Floats, Floats, Floats]:
        """Returns gradient, observed and expected information."""
        carrier = self._carrier(coefficients)
        chance = np.clip(self._chance(carrier), _BOUNDARY, 1 - _BOUNDARY)
        slope = self._gap * carrier * (1 - carrier)
        bend = slope * (1 - 2 * carrier)
        residual = (self._y - chance) / (chance * (1 - chance))
        curvature = self._y / chance**2 + (1 - self._y) / (1 - chance) ** 2
        gradient = self._x.T @ (self._weights * residual * slope)
        observed = self._weights * (curvature * slope**2 - residual * bend)
        expected = self._weights * slope**2 / (chance * (1 - chance))
        return (
            np.asarray(gradient),
            np.asarray((self._x.T * observed) @ self._x),
            np.asarray((self._x.T * expected) @ self._x),
        )

    def _carrier(self, coefficients: Floats) -> Floats:
        # Both tails without overflow.
        half = self._x @ coefficients / 2
        return np.asarray((1 + np.tanh(half)) / 2)

    def _chance(self, carrier: Floats) -> Floats:
        return np.asarray(self._b + self._gap * carrier)


def logistic_regression(
    said_yes: Floats,
    covariates: Floats,
    a: Floats,
    b: Floats,
    names: tuple[str, ...],
    weights: Floats | None = None,
) -> LogisticFit:
    """Finds the most likely coefficients from several starts.

    Args:
        said_yes: 1 for yes, 0 for no, shape (n,).
        covariates: One row per respondent, a column of ones for the constant, shape (n, terms).
        a: Chance of yes of a carrier with the respondent's device, shape (n,).
        b: Chance of yes of a non-carrier, shape (n,).
        names: Names of the terms.
        weights: Weight of each respondent; equal weights when None.

    Raises:
        InputError: There are too few respondents, covariates that depend on each other, or no
            maximum.
        ParameterError: A device tells nothing.
    """
    n, terms = covariates.shape
    if np.any(a == b):
        raise ParameterError(
            "Some respondents have a device under which carriers and others answer alike.",
            remedy="Leave them out, or correct their probabilities.",
        )
    if n <= terms or np.linalg.matrix_rank(covariates) < terms:
        raise InputError(
            "The covariates depend on each other, or there are too few respondents.",
            remedy="Take a term out of the formula.",
        )
    # Columns of unit size make one stop rule serve them all.
    scale = np.sqrt(np.mean(covariates**2, axis=0))
    each = np.ones(n) if weights is None else weights
    likelihood = Likelihood(said_yes, covariates / scale, a, b, each)
    constant = int(np.argmin(np.std(covariates / scale, axis=0)))
    found = []
    for start in _STARTS:
        first = np.zeros(terms)
        first[constant] = start
        climbed = _climb(likelihood, first)
        if climbed is not None:
            found.append(climbed)
    if not found:
        raise InputError(
            "The likelihood has no maximum: some covariate predicts the answers so well that its "
            "coefficient grows without end, or the answers tell too little.",
            remedy="Take a term out of the formula, or join categories.",
        )
    best = max(found, key=likelihood.value)
    gradient, observed, _ = likelihood.derivatives(best)
    return LogisticFit(
        names=names,
        coefficients=best / scale,
        covariance=np.linalg.inv(observed) / np.outer(scale, scale),
        log_likelihood=likelihood.value(best),
        gradient_norm=float(np.linalg.norm(gradient * scale)),
        respondents=n,
    )


def _climb(likelihood: Likelihood, start: Floats) -> Floats | None:
    """Newton's method with halved steps; None if it comes to no maximum."""
    here, height = start, likelihood.value(start)
    for _ in range(_STEPS):
        step, promise, concave = _newton(likelihood, here)
        if promise < _NEAR:
            return _polished(likelihood, here) if concave else None
        for _ in range(_HALVINGS):
            reached = likelihood.value(here + step)
            if reached > height:
                break
            step = step / 2
        else:
            return None
        here, height = here + step, reached
    return None


def _polished(likelihood: Likelihood, here: Floats) -> Floats | None:
    """Newton's steps near the maximum, where the height no longer shows which way is up.

    Near a maximum each step squares what is left; where coefficients grow without end it only
    shrinks by a factor, and there is none.
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
    """Returns a step upwards, twice what it promises to rise, and whether the surface is concave.

    Where it is not, the expected information still leads upwards.
    """
    gradient, observed, expected = likelihood.derivatives(here)
    concave = _is_positive(observed)
    steepness = observed if concave else expected
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
