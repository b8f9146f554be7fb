"""All requests, by the commands that take them."""

from __future__ import annotations

from dpdesk.requests.coarsen import CoarsenRequest
from dpdesk.requests.request import Request

REQUESTS: dict[str, type[Request]] = {kind.command: kind for kind in (CoarsenRequest,)}
"""The requests by their commands."""
