"""The kinds of release that there are."""

from __future__ import annotations

from typing import Any

from dpdesk.release.kind import ReleaseKind
from dpdesk.release.records import RECORDS
from dpdesk.release.statistics import STATISTICS

KINDS: tuple[ReleaseKind[Any, Any], ...] = (RECORDS, STATISTICS)
"""Every kind, in the order in which they are offered."""


def kind_named(name: str) -> ReleaseKind[Any, Any]:
    """Returns the kind of a name; the first one for a name that none has."""
    return next((kind for kind in KINDS if kind.name == name), KINDS[0])
