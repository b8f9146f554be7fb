"""The mechanisms, each with its parameters, law, cost and estimator."""

from dpdesk.domains import AnyDomain
from dpdesk.mechanisms.base import BoundMechanism, Forecast, Mechanism
from dpdesk.mechanisms.choice import Candidate, Order, best_of, candidate, proposed, ranked
from dpdesk.mechanisms.estimates import Accuracy, Estimate
from dpdesk.mechanisms.registry import (
    MECHANISMS,
    AnyMechanism,
    fitting,
    kind_of,
    mechanism_named,
)
from dpdesk.mechanisms.sampling import EVERY_ANSWER, Sampling
from dpdesk.mechanisms.tally import Tally
