"""Every kind of release."""

from __future__ import annotations

from typing import Any

from dpdesk.release.kind import ReleaseKind
from dpdesk.release.records import RECORDS
from dpdesk.release.statistics import STATISTICS
from dpdesk.release.synthetic import SYNTHETIC

KINDS: tuple[ReleaseKind[Any, Any], ...] = (RECORDS, STATISTICS, SYNTHETIC)
"""Every kind, in the order in which they are offered."""


def kind_named(name: str) -> ReleaseKind[Any, Any]:
    """Returns the kind with a name; the first kind if no kind has it."""
    return next((kind for kind in KINDS if kind.name == name), KINDS[0])
