"""From the ledger to the public report: what may be said of earlier releases."""

from __future__ import annotations

from dpdesk.ledger import MODELS, Charge, spent_in
from dpdesk.report.public import EarlierRelease, EarlierReleases


def earlier_releases(charge: Charge) -> EarlierReleases | None:
    """Returns what a public report says of releases before one that was charged.

    Only those of a population that was named, for this release and for the earlier ones: that a
    file was recognised depends on every answer in it, and a report that told so would tell the
    change of a single one.

    Args:
        charge: The release.
    """
    if not charge.is_declared:
        return None
    population, model = charge.population, charge.costs[0].model
    listed = [release for release in population.releases if release.is_declared]
    local, central = (spent_in(m, listed, charge.costs) for m in MODELS)
    cap = population.caps.get(model)
    left = (local if model == "local" else central).left(cap)
    return EarlierReleases(
        population=population.name,
        ledger_since=charge.begun.date(),
        releases=tuple(
            EarlierRelease(
                date=release.time.date(),
                kind=release.kind,
                model=cost.model,
                epsilon=cost.epsilon,
                delta=str(cost.delta),
            )
            for release in listed
            for cost in release.costs
        ),
        local=local.epsilon,
        central=central.epsilon,
        central_delta=str(central.delta),
        model=model,
        cap=None if cap is None else cap.epsilon,
        left=None if left is None else left.epsilon,
    )
