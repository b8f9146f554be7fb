"""The likelihood of the hidden answer's regression: each respondent's own answer, and its chance.

A respondent with covariates x is a carrier with probability mu = 1 / (1 + exp(-x beta)) and gives
their answer with probability L = h mu + l (1 - mu), where h and l are the chances of this answer of
a carrier and of a non-carrier who use the respondent's own device (Scheers and Dayton 1988, JASA
83, 969-974; Blair, Imai and Zhou 2015, JASA 110, 1304-1319). Where a design of two groups leaves a
share t open, such as that of the innocent trait, h = h0 + t h1 and l = l0 + t l1, and t is
estimated together with beta (Heck and Moshagen 2018, Journal of Statistical Software 85, 2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Floats

_TINY = 1e-150
"""Smaller chances are replaced by this one in derivatives, so that their squares stay finite."""
_STEEPEST = 700.0
"""Largest log odds whose exponential is finite."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerChances:
    """The chances of the answer that each respondent gave; arrays of shape (n,).

    Attributes:
        high, low: Those of a carrier and of a non-carrier; where a share is open, at 0.
        high_slope, low_slope: What the open share adds, times itself; None where none is open.
        open_share: Name of the open share; empty where none is.
    """

    high: Floats
    low: Floats
    high_slope: Floats | None = None
    low_slope: Floats | None = None
    open_share: str = ""

    def of(self, used: NDArray[np.bool_]) -> AnswerChances:
        """Returns the chances of some of the respondents."""
        if self.high_slope is None or self.low_slope is None:
            return AnswerChances(self.high[used], self.low[used])
        return AnswerChances(
            self.high[used],
            self.low[used],
            self.high_slope[used],
            self.low_slope[used],
            self.open_share,
        )

    def at(self, share: float) -> AnswerChances:
        """Returns the chances with the open share at a number."""
        if self.high_slope is None or self.low_slope is None:
            return self
        high = self.high + share * self.high_slope
        return AnswerChances(high, self.low + share * self.low_slope)


def yes_no_chances(said_yes: Floats, a: Floats, b: Floats) -> AnswerChances:
    """Returns the chances of answers yes and no.

    Args:
        said_yes: 1 for yes, 0 for no, shape (n,).
        a: Chance of yes of a carrier with the respondent's device, shape (n,).
        b: Chance of yes of a non-carrier, shape (n,).

    Raises:
        ParameterError: With some device, carriers and non-carriers say yes equally often.
    """
    if np.any(a == b):
        raise ParameterError(T.SOME_ALIKE())
    yes = said_yes == 1
    return AnswerChances(np.where(yes, a, 1 - a), np.where(yes, b, 1 - b))


class Likelihood:
    """The likelihood of the coefficients, with its derivatives.

    Its argument are the coefficients, followed by the open share where there is one.

    Args:
        chances: The chances of the answers.
        covariates: One row per respondent, shape (n, terms).
        weights: Weight of each respondent, shape (n,).
        fixed_share: The share that was open and is not any more.
    """

    def __init__(
        self, chances: AnswerChances, covariates: Floats, weights: Floats, fixed_share: float = 0.0
    ) -> None:
        self._chances, self._x, self._weights = chances, covariates, weights
        self.fixed_share = fixed_share
        self.terms = covariates.shape[1]
        self.is_open = bool(chances.open_share)

    def part(self, respondents: int) -> Likelihood | None:
        """Returns the likelihood of about so many of the respondents; None if there are fewer."""
        n = self._weights.size
        if n < 2 * respondents:
            return None
        used = np.arange(n) % (n // respondents) == 0
        return Likelihood(
            self._chances.of(used), self._x[used], self._weights[used], self.fixed_share
        )

    def value(self, at: Floats) -> float:
        """Returns the logarithm of the likelihood; minus infinity where an answer is impossible."""
        chance, _ = self._chance(at)
        if (chance < 0).any():
            return float("-inf")
        with np.errstate(divide="ignore"):
            return float(self._weights @ np.log(chance))

    def contributions(self, at: Floats) -> Floats:
        """Returns the gradient of each respondent's part, with its weight; shape (n, arguments)."""
        chance, slopes = self._chance(at)
        return np.asarray(slopes * (self._weights / np.maximum(chance, _TINY))[:, None])

    def derivatives(self, at: Floats) -> tuple[Floats, Floats, Floats]:
        """Returns gradient, observed information, and the sum of squares of the contributions.

        The sum of squares is positive definite even where the observed information is not, and a
        step by it increases the likelihood too.
        """
        chance, slopes = self._chance(at)
        inverse = 1 / np.maximum(chance, _TINY)
        gradients = slopes * inverse[:, None]
        weighted = gradients * self._weights[:, None]
        squares = gradients.T @ weighted
        observed = squares - self._bends(at, self._weights * inverse)
        return np.asarray(weighted.sum(axis=0)), observed, squares

    def _bends(self, at: Floats, weights: Floats) -> Floats:
        """The weighted sum of second derivatives of the chances."""
        carrier, other = self._carrier(at)
        chances = self._chances.at(float(at[-1])) if self.is_open else self._chances
        steep = carrier * other
        bend = (chances.high - chances.low) * steep * (other - carrier)
        found = np.zeros((at.size, at.size))
        found[: self.terms, : self.terms] = (self._x.T * (weights * bend)) @ self._x
        if self._chances.high_slope is not None and self._chances.low_slope is not None:
            gap = self._chances.high_slope - self._chances.low_slope
            mixed = self._x.T @ (weights * gap * steep)
            found[: self.terms, -1] = found[-1, : self.terms] = mixed
        return found

    def _chance(self, at: Floats) -> tuple[Floats, Floats]:
        """The chance of each answer, and its slopes, shape (n, arguments)."""
        carrier, other = self._carrier(at)
        chances = self._chances.at(float(at[-1])) if self.is_open else self._chances
        chance = chances.high * carrier + chances.low * other
        steep = (chances.high - chances.low) * carrier * other
        slopes = self._x * steep[:, None]
        if self._chances.high_slope is not None and self._chances.low_slope is not None:
            share = self._chances.high_slope * carrier + self._chances.low_slope * other
            slopes = np.column_stack([slopes, share])
        return np.asarray(chance), np.asarray(slopes)

    def _carrier(self, at: Floats) -> tuple[Floats, Floats]:
        # Each tail is computed by itself, so that rounding does not lose the smaller one.
        odds = np.clip(self._x @ at[: self.terms], -_STEEPEST, _STEEPEST)
        return np.asarray(1 / (1 + np.exp(-odds))), np.asarray(1 / (1 + np.exp(odds)))
