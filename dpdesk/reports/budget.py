"""The budget in a public report: this release, the limit of its plan, and earlier releases."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.i18n import in_a_row
from dpdesk.ledgers.texts import T as Ledger
from dpdesk.reports.section import ExactEpsilon, Section
from dpdesk.reports.texts import T


class EarlierRelease(Section):
    """A release of the same people before this one."""

    date: datetime.date
    """Its day in universal time."""
    kind: Literal["records", "statistics", "synthetic"]
    """What was released."""
    model: Literal["local", "central"]
    """The model of its loss."""
    epsilon: ExactEpsilon
    """Its loss."""
    delta: str
    """The chance that the bound fails; 0 in the local model."""


class EarlierReleases(Section):
    """The ledger's entries on the population that was declared for a release.

    They depend on what was declared and released before, never on the answers.
    """

    population: str
    """The people, as they were declared."""
    ledger_since: datetime.date
    """Day from which on releases are recorded; earlier ones are not known."""
    releases: tuple[EarlierRelease, ...]
    """Every earlier release for which this population was declared, the first one first."""
    local: ExactEpsilon
    """Sum of the local losses, with this release."""
    central: ExactEpsilon
    """Sum of the central losses, with this release."""
    central_delta: str
    """Sum of the deltas of the central losses."""
    total: ExactEpsilon | None = None
    """Sum of all losses, central ones doubled beside local ones; null in older reports."""
    total_delta: str = "0"
    """Sum of all deltas."""
    model: Literal["local", "central"]
    """The model of this release."""
    cap: ExactEpsilon | None
    """The most that all releases may lose together, or null."""
    left: ExactEpsilon | None
    """The rest of the cap after this release, or null."""


def budget_words(
    spent: Decimal, limit: Decimal | None, earlier: EarlierReleases | None, *charged: str
) -> str:
    """Returns the loss of a release beside the limit and earlier losses, in words.

    Args:
        spent: Its loss.
        limit: The most that the plan allows; None without a limit.
        earlier: Earlier releases of the population that was declared for it.
        charged: Sentences on the loss.
    """
    allowed = (
        T.NO_LIMIT()
        if limit is None
        else T.LIMIT(limit=format_epsilon(limit), left=format_epsilon(limit - spent))
    )
    spends = T.SPENDS(epsilon=format_epsilon(spent))
    return in_a_row((spends, *charged, allowed, *earlier_sentences(earlier)))


def earlier_sentences(earlier: EarlierReleases | None) -> Iterator[str]:
    """Yields the earlier releases in words."""
    if earlier is None:
        yield T.NO_POPULATION()
        return
    yield T.LEDGER(population=earlier.population, date=earlier.ledger_since.isoformat())
    for model, lost in (("local", earlier.local), ("central", earlier.central)):
        count = sum(release.model == model for release in earlier.releases)
        if count or model == earlier.model:
            yield T.MODEL_TOTAL(model=model.capitalize(), count=count, total=format_epsilon(lost))
    if (total := earlier.total) is not None and total != max(earlier.local, earlier.central):
        yield T.TOGETHER(total=format_epsilon(total))
        if total != earlier.local + earlier.central:
            yield Ledger.DOUBLED()
    if earlier.cap is None or earlier.left is None:
        yield T.NO_CAP()
    else:
        yield T.CAP(cap=format_epsilon(earlier.cap), left=format_epsilon(earlier.left))
    yield T.UNNAMED_RELEASES()
