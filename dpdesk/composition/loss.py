"""What one release loses: epsilon, delta, and what is known of the law behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from typing import Literal, NamedTuple, Protocol

from dpdesk.composition.texts import T
from dpdesk.cost import PrivacyCost
from dpdesk.errors import ParameterError

EXACT = Context(prec=200)
"""With this many digits, sums of typed decimals are exact."""


class Moves(Protocol):
    """How far one respondent moves a vector of whole numbers, in steps of its grid."""

    @property
    def l1(self) -> int:
        """The most by which the absolute changes add up."""

    @property
    def l2_square(self) -> int:
        """The most by which the squared changes add up."""

    @property
    def linf(self) -> int:
        """The most by which one number changes."""


class Noise(NamedTuple):
    """Noise that was added to a vector of whole numbers, drawn independently for each number.

    Attributes:
        kind: "geometric", "laplace", "discrete_gaussian", "gaussian" or "staircase".
        scale: The scale of the law, in steps of the grid (sigma for the Gaussian ones).
        sensitivity: How far one respondent moves the vector.
        size: How many numbers the vector has; None if that is not known.
    """

    kind: str
    scale: float
    sensitivity: Moves
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of one release.

    Attributes:
        name: What was released, for people.
        epsilon: Exact decimal, at least 0.
        delta: Chance that the bound fails, from 0 to below 1.
        rho: The release is rho-zCDP (with delta 0); None where that is not known.
        noise: The law behind it, for the numerical route; None for any other law.
        model: "central" if a curator adds noise, "local" if each answer is randomized.
        unit: Whom the loss protects.
        relation: Which change of the data the loss bounds.

    Raises:
        ParameterError: A number is outside its bounds.
    """

    name: str
    epsilon: Decimal
    delta: Decimal = Decimal(0)
    rho: Decimal | None = None
    noise: Noise | None = None
    model: Literal["local", "central"] = "central"
    unit: str = "one respondent, one row"
    relation: str = "add or remove one respondent"

    def __post_init__(self) -> None:
        numbers = [self.epsilon, self.delta, *([] if self.rho is None else [self.rho])]
        if not all(number.is_finite() and number >= 0 for number in numbers) or self.delta >= 1:
            raise ParameterError(T.BAD_LOSS())

    @classmethod
    def of_cost(cls, name: str, cost: PrivacyCost) -> Loss:
        """Returns the loss of a release, by the name of what was released and its cost."""
        return cls(
            *(name, cost.epsilon, cost.delta),
            model=cost.model,
            unit=cost.unit,
            relation=cost.relation,
        )

    @property
    def cost(self) -> PrivacyCost:
        """The loss as a cost; it adds up only within one model, unit and relation."""
        return PrivacyCost(self.epsilon, self.delta, self.model, self.unit, self.relation)


def exact_total(costs: Iterable[PrivacyCost]) -> PrivacyCost:
    """Returns the exact sum of at least one cost: sequential composition.

    It also holds for releases that depend on earlier results (adaptive composition;
    Dwork & Roth 2014, Theorem 3.16 and Section 3.5), as long as each keeps its own bound.

    Raises:
        ParameterError: There is no cost, or two costs of different models, units or relations.
    """
    total: PrivacyCost | None = None
    with localcontext(EXACT):
        for cost in costs:
            total = cost if total is None else total + cost
    if total is None:
        raise ParameterError(T.NO_LOSS())
    return total
