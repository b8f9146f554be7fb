"""Surveys that are not held, of a question with several answers.

What is said is drawn as counts, so the cost does not depend on the number of respondents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.behaviour import NONE_EVADES, Evasion, entered
from dpdesk.designs.planning import require_share
from dpdesk.designs.several_answers import (
    SeveralDesign,
    SharesTheory,
    require_shares,
    shares_theory,
)
from dpdesk.domains import Categorical
from dpdesk.engine.simulate.surveys import REPETITIONS_MAX
from dpdesk.engine.simulate.tallies import simulate_counts
from dpdesk.errors import ParameterError

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
    if (program := design.program) is not None:
        given = entered(true, evasion)
        answers = generator.multinomial(respondents, given / given.sum(), size=repetitions)
        domain = Categorical(values=tuple(map(str, range(1, design.size + 1))))
        counts = simulate_counts(program.mechanism.forecast(domain), answers, generator)
    else:
        chances = true @ design.said_law(evasion)
        counts = generator.multinomial(respondents, chances / chances.sum(), size=repetitions)
    estimates, lower, upper = design.estimates_of_shares(counts, respondents, confidence)
    covered = (lower <= true) & (true <= upper)
    return SharesOutcomes(seed, true, estimates, covered, theory)
