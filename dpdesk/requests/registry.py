"""All requests, by the commands that take them."""

from __future__ import annotations

from dpdesk.requests.coarsen import CoarsenRequest
from dpdesk.requests.request import Request
from dpdesk.requests.simulations import AttackRequest, ExperimentRequest, LearningRequest

REQUESTS: dict[str, type[Request]] = {
    kind.command: kind
    for kind in (CoarsenRequest, AttackRequest, ExperimentRequest, LearningRequest)
}
"""The requests by their commands."""
