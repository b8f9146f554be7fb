"""Surveys that are not held, of a question with several answers.

What is said is drawn as counts, so the cost does not depend on the number of respondents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.planning import require_share
from dpdesk.designs.several_law import (
    NONE_EVADES,
    Evasion,
    SeveralDesign,
    SharesTheory,
    answers_of,
    entered,
    law_of,
    require_shares,
    shares_theory,
)
from dpdesk.domains import Categorical
from dpdesk.engine.simulate.surveys import REPETITIONS_MAX
from dpdesk.engine.simulate.tallies import simulate_counts
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import mechanism_named, normal_quantile

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SharesOutcomes:
    """Estimated shares of surveys that were drawn, one row for each survey.

    Attributes:
        seed: Seed of the generator, which gives the same surveys again.
        shares: The true shares, shape (m,).
        estimates: Not truncated, shape (surveys, m).
        covered: Whether each interval holds its true share, shape (surveys, m).
        theory: What theory foresees.
    """

    seed: int
    shares: Floats
    estimates: Floats
    covered: Flags
    theory: SharesTheory

    @property
    def means(self) -> Floats:
        """Mean estimate of each share."""
        return np.asarray(self.estimates.mean(axis=0))

    @property
    def spreads(self) -> Floats:
        """Standard deviation of the estimates of each share."""
        degrees = 1 if len(self.estimates) > 1 else 0
        return np.asarray(self.estimates.std(axis=0, ddof=degrees))

    @property
    def coverage(self) -> Floats:
        """Share of the intervals that hold each true share."""
        return np.asarray(self.covered.mean(axis=0))

    @property
    def negative(self) -> Floats:
        """Share of the estimates of each share that lie below 0."""
        return np.asarray((self.estimates < 0).mean(axis=0))


def simulate_several(
    design: SeveralDesign,
    shares: Sequence[float],
    respondents: int,
    repetitions: int,
    seed: int,
    evasion: Evasion = NONE_EVADES,
    confidence: float = 0.95,
) -> SharesOutcomes:
    """Holds a survey many times, its respondents drawn anew each time.

    The supports of one report by subset selection depend on each other; there each share has its
    exact law, but estimates of different shares are drawn as if they did not.

    Args:
        design: The design.
        shares: The true shares of its answers.
        respondents: Number of respondents of each survey, at least 2.
        repetitions: Number of surveys.
        seed: Seed of the generator.
        evasion: Respondents who do not follow the instruction.
        confidence: Coverage of the intervals: Wilson's with a mechanism, else normal ones.

    Raises:
        ParameterError: A number is impossible, or the design does not tell the shares.
    """
    require_share(confidence, "confidence")
    theory = shares_theory(design, shares, respondents, evasion)
    if not 1 <= repetitions <= REPETITIONS_MAX:
        raise ParameterError(
            "The number of repetitions must lie between 1 and 1,000,000.",
            remedy="Type another number.",
        )
    generator = np.random.Generator(np.random.PCG64(seed))
    true = require_shares(design, shares)
    draw = _supported if isinstance(design, MechanismShare) else _said
    counts = draw(generator, design, true, respondents, repetitions, evasion)
    estimates, lower, upper = _estimates(design, counts, respondents, confidence)
    covered = (lower <= true) & (true <= upper)
    return SharesOutcomes(seed, true, estimates, covered, theory)


def _said(
    generator: np.random.Generator,
    design: SeveralDesign,
    true: Floats,
    respondents: int,
    repetitions: int,
    evasion: Evasion,
) -> NDArray[np.int64]:
    """Draws how often each answer is said, shape (repetitions, m)."""
    assert not isinstance(design, MechanismShare)  # noqa: S101 - chosen by the caller
    chances = true @ law_of(design, evasion)
    return generator.multinomial(respondents, chances / chances.sum(), size=repetitions)


def _supported(
    generator: np.random.Generator,
    design: SeveralDesign,
    true: Floats,
    respondents: int,
    repetitions: int,
    evasion: Evasion,
) -> NDArray[np.int64]:
    """Draws how many reports support each answer, shape (repetitions, m)."""
    assert isinstance(design, MechanismShare)  # noqa: S101 - chosen by the caller
    given = entered(true, evasion)
    answers = generator.multinomial(respondents, given / given.sum(), size=repetitions)
    domain = Categorical(values=tuple(map(str, range(1, answers_of(design) + 1))))
    mechanism = mechanism_named(design.mechanism)(epsilon=design.epsilon)  # type: ignore[call-arg]
    return simulate_counts(mechanism.forecast(domain), answers, generator)


def _estimates(
    design: SeveralDesign, counts: NDArray[np.int64], respondents: int, confidence: float
) -> tuple[Floats, Floats, Floats]:
    """Returns estimates and the ends of their intervals, shape (repetitions, m) each."""
    if isinstance(design, MechanismShare):
        totals = counts.astype(np.float64)[..., np.newaxis]
        found = design.estimates(totals, (respondents,), confidence)
        return found.estimate, found.lower, found.upper
    unmixing, said = design.unmixing, counts / respondents
    shares = said @ unmixing.T
    variances = np.maximum(said @ (unmixing**2).T - shares**2, 0.0) / (respondents - 1)
    half = normal_quantile(confidence) * np.sqrt(variances)
    return shares, shares - half, shares + half
