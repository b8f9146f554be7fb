"""From the ledger to the public report: what may be said of earlier releases."""

from __future__ import annotations

from dpdesk.ledger import Charge
from dpdesk.report.public import EarlierRelease, EarlierReleases


def earlier_releases(charge: Charge) -> EarlierReleases | None:
    """Returns what a public report says of releases before one that was charged.

    Only of a population that was named for this release: that a file was recognised hangs on
    every answer in it, and a report that told so would tell the change of a single one.

    Args:
        charge: The release.
    """
    if not charge.is_declared:
        return None
    model = charge.costs[0].model
    cap, left = charge.population.caps.get(model), charge.left(model)
    central = charge.spent("central")
    return EarlierReleases(
        population=charge.population.name,
        ledger_since=charge.begun.date(),
        releases=tuple(
            EarlierRelease(
                date=release.time.date(),
                kind=release.kind,
                model=cost.model,
                epsilon=cost.epsilon,
                delta=str(cost.delta),
            )
            for release in charge.population.releases
            for cost in release.costs
        ),
        local=charge.spent("local").epsilon,
        central=central.epsilon,
        central_delta=str(central.delta),
        cap=None if cap is None else cap.epsilon,
        left=None if left is None else left.epsilon,
    )
