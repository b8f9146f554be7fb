"""Which release a report belongs to."""

from __future__ import annotations

import datetime
import uuid
from typing import Literal

from pydantic import BaseModel, ConfigDict

from dpdesk.plan.model import Plan


class ReleaseIdentity(BaseModel):
    """The head of a report: which release, when, by whom, for what."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    release_id: str
    """A random identifier (UUID, version 4), drawn anew for every release."""
    date: datetime.date
    """Day of the release in universal time."""
    mode: Literal["release"]
    """What kind of run this was."""
    title: str
    """Title of the survey."""
    curator: str
    """Who holds the answers and releases the records."""
    intended_use: str
    """What the release is meant for."""
    product_type: str
    """What is released."""
    region: str
    """Region that the survey covers."""
    sector: str
    """Sector that the survey belongs to."""
    ledger_seal: str
    """Digits by which the curator's ledger knows this release; they show nothing else."""


def new_identity(plan: Plan, product: str = "") -> ReleaseIdentity:
    """Returns the identity of a new release of a plan: today's date (UTC) and a fresh id.

    The id comes from the operating system's randomness and from nothing else.

    Args:
        plan: The plan.
        product: What is released, where it is not what the plan's details say.
    """
    details = plan.details
    return ReleaseIdentity(
        release_id=str(uuid.uuid4()),
        date=datetime.datetime.now(datetime.UTC).date(),
        mode="release",
        title=details.title,
        curator=details.curator,
        intended_use=details.intended_use,
        product_type=product or details.product_type,
        region=details.region,
        sector=details.sector,
        ledger_seal="",
    )
