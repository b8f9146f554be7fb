"""Whether the number of rows that a statistic divides by is public."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from dpdesk.i18n import N_
from dpdesk.queries.condition import Condition
from dpdesk.queries.unit import PrivacyUnit


@dataclass(frozen=True, slots=True)
class YesNo:
    """Words for the form of a field that is true or false; part of its annotation.

    Attributes:
        yes: What true means.
        no: What false means; "" where true is a box to tick.
        spoken: The box for screen readers; its title when empty.
    """

    yes: str
    no: str = ""
    spoken: str = ""


Complete = Annotated[
    bool,
    Field(
        title=N_("Missing answers"),
        description=N_(
            "Where every row has an answer and the number of rows is public, no noisy count is "
            "needed. A release is refused where an answer lacks."
        ),
    ),
    YesNo(N_("there are none"), spoken=N_("Every row has an answer")),
]
"""Whether the curator states that every row has an answer; see `counts_all_rows`."""


def counts_all_rows(
    complete: bool, where: Sequence[Condition], by: Sequence[str], unit: PrivacyUnit
) -> bool:
    """Returns whether a statistic is over all rows, and their number is public.

    Then it needs no noisy count. `complete` is the curator's statement that every row has an
    answer, and a release is refused where one has not.
    """
    return complete and unit.rows_are_public and not where and not by
