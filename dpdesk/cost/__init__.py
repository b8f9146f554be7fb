"""What a release costs: epsilon as an exact decimal, and the cost of a release."""

from dpdesk.cost.epsilon import (
    EPSILON_MAX,
    EPSILON_MIN,
    Epsilon,
    format_epsilon,
    parse_epsilon,
)
from dpdesk.cost.exponential import exp_lower, exp_upper, log_upper
from dpdesk.cost.privacy_cost import PrivacyCost, total_cost

__all__ = [
    "EPSILON_MAX",
    "EPSILON_MIN",
    "Epsilon",
    "PrivacyCost",
    "exp_lower",
    "exp_upper",
    "format_epsilon",
    "log_upper",
    "parse_epsilon",
    "total_cost",
]
