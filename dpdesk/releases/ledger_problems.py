"""What the ledger has against a release, in the one list of checks of the plan and the data."""

from __future__ import annotations

from collections.abc import Iterable

from dpdesk.errors import CapReachedError, DpdeskError, SamePeopleError
from dpdesk.plan import Problem

LEDGER_PATH = "ledger"
_UNDECIDED = " Nothing was drawn."
_CODES: dict[type[DpdeskError], str] = {
    CapReachedError: "cap_reached",
    SamePeopleError: "same_people",
}


def ledger_problems(errors: Iterable[DpdeskError]) -> tuple[Problem, ...]:
    """Returns obstacles of the ledger as problems that block a release.

    Args:
        errors: What a charge would end with, from `dpdesk.ledger.obstacles`.
    """
    return tuple(
        Problem(
            LEDGER_PATH,
            "error",
            _CODES.get(type(error), "ledger"),
            error.message.replace(_UNDECIDED, ""),
            getattr(error, "remedy", ""),
        )
        for error in errors
    )
