"""The law of what is said to a question with several answers, and of the estimated shares.

With a matrix P[true, said] the answers said are one multinomial with chances lambda = pi P, and the
estimates are linear in them. With a mechanism each report supports an answer or not: with chance p
its own one, with q any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.estimator_law import require_respondents
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.survey_estimate import Floats
from dpdesk.errors import ParameterError

SeveralDesign = CategoryDesign | MechanismShare
"""A design for a question with several answers."""

_NEARLY_ONE = 1e-9


@dataclass(frozen=True, slots=True)
class Evasion:
    """Respondents who do not follow the instruction.

    With a device that orders answers they say the other answer outright; with a program they enter
    it, and the program draws from it.

    Attributes:
        hidden: Number of the answer, from 0, whose holders may not own up.
        instead: Number of the answer that they give.
        deny: Share of the holders of `hidden` who do.
        careless: Share of all who give any answer with equal chances.
    """

    hidden: int = 0
    instead: int = 1
    deny: float = 0.0
    careless: float = 0.0

    def __post_init__(self) -> None:
        """Refuses shares that are none.

        Raises:
            ParameterError: A share does not lie between 0 and 1, or nothing is hidden.
        """
        if not (0 <= self.deny <= 1 and 0 <= self.careless <= 1):
            raise ParameterError(
                "Shares of respondents who do not follow the device lie between 0 and 1.",
                remedy="Type a number such as 0.1.",
            )
        if self.hidden == self.instead or min(self.hidden, self.instead) < 0:
            raise ParameterError(
                "The answer that is given instead must be another one.",
                remedy="Choose two different answers.",
            )


NONE_EVADES = Evasion()
"""Everybody follows the instruction."""


@dataclass(frozen=True, slots=True, eq=False)
class SharesTheory:
    """Means and errors of the estimated shares by theory, shape (m,) each."""

    means: Floats
    errors: Floats


def answers_of(design: SeveralDesign) -> int:
    """Returns the number of answers of a design."""
    return design.categories if isinstance(design, MechanismShare) else design.size


def require_shares(design: SeveralDesign, shares: Sequence[float]) -> Floats:
    """Returns the supposed shares as an array.

    Raises:
        ParameterError: They are not one per answer, none below 0, with the sum 1.
    """
    size = answers_of(design)
    if len(shares) != size:
        raise ParameterError(
            f"The design has {size} answers; there are {len(shares)} supposed shares.",
            remedy="Give one share for each answer.",
        )
    if min(shares) < 0 or abs(fsum(shares) - 1) > _NEARLY_ONE:
        raise ParameterError(
            "The supposed shares must not be negative, and their sum must be 1.",
            remedy="Correct them, as in 0.6,0.3,0.1.",
        )
    return np.array(shares, dtype=np.float64) / fsum(shares)


def law_of(design: CategoryDesign, evasion: Evasion = NONE_EVADES) -> Floats:
    """Returns the chance of each answer said (column) by each true answer (row)."""
    law = np.array([[float(chance) for chance in row] for row in design.law])
    instead = np.eye(len(law))[evasion.instead]
    law[evasion.hidden] = (1 - evasion.deny) * law[evasion.hidden] + evasion.deny * instead
    return np.asarray((1 - evasion.careless) * law + evasion.careless / len(law))


def entered(shares: Floats, evasion: Evasion) -> Floats:
    """Returns the shares of the answers that a program is given, shape (m,)."""
    given = shares.copy()
    moved = evasion.deny * shares[evasion.hidden]
    given[evasion.hidden] -= moved
    given[evasion.instead] += moved
    return np.asarray((1 - evasion.careless) * given + evasion.careless / len(shares))


def shares_theory(
    design: SeveralDesign,
    shares: Sequence[float],
    respondents: int,
    evasion: Evasion = NONE_EVADES,
) -> SharesTheory:
    """Returns means and errors of all estimated shares, exactly.

    Raises:
        ParameterError: The survey cannot be held, or the design does not tell the shares.
    """
    true = require_shares(design, shares)
    require_respondents(respondents)
    if isinstance(design, MechanismShare):
        p, q = map(float, design.chances)
        supported = q + (p - q) * entered(true, evasion)
        means = (supported - q) / (p - q)
        variances = supported * (1 - supported) / (p - q) ** 2
    else:
        unmixing, said = design.unmixing, true @ law_of(design, evasion)
        means = unmixing @ said
        variances = unmixing**2 @ said - means**2
    return SharesTheory(means, np.sqrt(np.maximum(variances, 0.0) / respondents))


def share_variances(design: SeveralDesign, shares: Sequence[float]) -> tuple[Floats, Floats]:
    """Returns n times the variance of each share: the sampling's part and the device's.

    Everybody follows the instruction.

    Raises:
        ParameterError: The shares are impossible, or the design does not tell them.
    """
    true = require_shares(design, shares)
    if isinstance(design, CategoryDesign):
        return design.planned_variances(true)
    planned = [design.planned_variance(share) for share in true.tolist()]
    return (
        np.array([part.sampling for part in planned]),
        np.maximum([part.privacy for part in planned], 0.0),
    )
