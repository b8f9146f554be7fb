"""The mechanisms: one file each, with parameters, law, cost and estimator."""

from dpdesk.mechanisms.base import AnyDomain, BoundMechanism, Forecast, Mechanism
from dpdesk.mechanisms.choice import Candidate, ranked
from dpdesk.mechanisms.estimates import Accuracy, Estimate
from dpdesk.mechanisms.intervals import normal_quantile, wilson_interval
from dpdesk.mechanisms.registry import (
    MECHANISMS,
    AnyMechanism,
    fitting,
    kind_of,
    mechanism_named,
)
from dpdesk.mechanisms.tally import Tally

__all__ = [
    "MECHANISMS",
    "Accuracy",
    "AnyDomain",
    "AnyMechanism",
    "BoundMechanism",
    "Candidate",
    "Estimate",
    "Forecast",
    "Mechanism",
    "Tally",
    "fitting",
    "kind_of",
    "mechanism_named",
    "normal_quantile",
    "ranked",
    "wilson_interval",
]
