"""How losses add up, also those of a group; and how far two laws are apart."""

from dpdesk.composition.accounting import account
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
from dpdesk.composition.loss import EXACT, Loss, Noise
from dpdesk.composition.numerical import numerical_epsilon
from dpdesk.composition.tree import (
    Composed,
    group_privacy,
    release_node,
    sequence_node,
)
from dpdesk.composition.zcdp import rho_of_epsilon, rho_within, zcdp_epsilon
