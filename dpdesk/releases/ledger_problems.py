"""What the ledger has against a release, in the one list of checks of the plan and the data."""

from __future__ import annotations

from collections.abc import Iterable

from dpdesk.errors import CapReachedError, DpdeskError, SamePeopleError
from dpdesk.plan import Problem

LEDGER_PATH = "ledger"
_CODES: dict[type[DpdeskError], str] = {
    CapReachedError: "cap_reached",
    SamePeopleError: "same_people",
}


def ledger_problems(errors: Iterable[DpdeskError]) -> tuple[Problem, ...]:
    """Returns obstacles of the ledger as problems that block a release.

    Args:
        errors: What a charge would end with, from `dpdesk.ledgers.obstacles`.
    """
    return tuple(
        Problem.of_error(error, LEDGER_PATH, _CODES.get(type(error), "ledger")) for error in errors
    )
