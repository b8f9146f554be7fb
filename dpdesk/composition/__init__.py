"""How losses add up: sequences, disjoint parts, groups; and how far two laws are apart."""

from dpdesk.composition.accounting import Accounting, Route, account
from dpdesk.composition.advanced import advanced_epsilon
from dpdesk.composition.divergences import (
    Divergences,
    LossDistribution,
    divergences,
    divergences_of_support,
    hockey_stick,
    max_ratio,
    total_variation,
)
from dpdesk.composition.loss import EXACT, Loss, Noise, exact_total
from dpdesk.composition.numerical import numerical_epsilon
from dpdesk.composition.tree import (
    Composed,
    Release,
    Sequential,
    group_privacy,
)
from dpdesk.composition.zcdp import rho_of_epsilon, rho_within, zcdp_epsilon

__all__ = [
    "EXACT",
    "Accounting",
    "Composed",
    "Divergences",
    "Loss",
    "LossDistribution",
    "Noise",
    "Release",
    "Route",
    "Sequential",
    "account",
    "advanced_epsilon",
    "divergences",
    "divergences_of_support",
    "exact_total",
    "group_privacy",
    "hockey_stick",
    "max_ratio",
    "numerical_epsilon",
    "rho_of_epsilon",
    "rho_within",
    "total_variation",
    "zcdp_epsilon",
]
