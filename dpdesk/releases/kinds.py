"""Every kind of release."""

from __future__ import annotations

from typing import Any

from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.records import RECORDS
from dpdesk.releases.statistics import STATISTICS
from dpdesk.releases.synthetic import SYNTHETIC

KINDS: tuple[ReleaseKind[Any, Any], ...] = (RECORDS, STATISTICS, SYNTHETIC)
"""Every kind, in the order in which they are offered."""


def kind_named(name: str) -> ReleaseKind[Any, Any]:
    """Returns the kind with a name; the first kind if no kind has it."""
    return next((kind for kind in KINDS if kind.name == name), KINDS[0])
