"""Whether the number of rows that a statistic divides by is public."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.queries.condition import Condition
from dpdesk.queries.unit import PrivacyUnit


def counts_all_rows(
    complete: bool, where: Sequence[Condition], by: Sequence[str], unit: PrivacyUnit
) -> bool:
    """Returns whether a statistic is over all rows, and their number is public.

    Then it needs no noisy count. `complete` is the curator's statement that every row has an
    answer, and a release is refused where one has not.
    """
    return complete and unit.rows_are_public and not where and not by
