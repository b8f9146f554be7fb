"""The budget in a public report: this release, the limit of its plan, and earlier releases."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.ledger.texts import T
from dpdesk.report.section import ExactEpsilon, Section


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
    """Sum of all losses, with this release; the central ones count twice where there are local
    ones, which bound replacing a respondent. Null in reports of earlier versions."""
    total_delta: str = "0"
    """Sum of all deltas."""
    model: Literal["local", "central"]
    """The model of this release."""
    cap: ExactEpsilon | None
    """The most that all releases may lose together, or null."""
    left: ExactEpsilon | None
    """The rest of the cap after this release, or null."""


def budget_words(
    spent: Decimal, limit: Decimal | None, earlier: EarlierReleases | None, charged: str = ""
) -> str:
    """Returns the loss of a release beside the limit and earlier losses, in words.

    Args:
        spent: Its loss.
        limit: The most that the plan allows; None without a limit.
        earlier: Earlier releases of the population that was declared for it.
        charged: A remark on the loss, which follows it after a comma.
    """
    this = (
        "The plan sets no limit."
        if limit is None
        else f"The plan allows {format_epsilon(limit)}; {format_epsilon(limit - spent)} of it is "
        "not used."
    )
    return (
        f"This release spends ε = {format_epsilon(spent)} per respondent{charged}. {this} "
        f"{earlier_words(earlier)}"
    )


def earlier_words(earlier: EarlierReleases | None) -> str:
    """Returns the earlier releases in words."""
    if earlier is None:
        return (
            "No population was declared for this release, so earlier releases are not listed "
            "here: to say that this file was released before would disclose something about its "
            "answers. The curator's ledger counts them."
        )
    capped = (
        "No cap is set."
        if earlier.cap is None or earlier.left is None
        else f"All of them together may spend ε = {format_epsilon(earlier.cap)}; "
        f"{format_epsilon(earlier.left)} is left."
    )
    together = ""
    if (total := earlier.total) is not None and total != max(earlier.local, earlier.central):
        together = f"Together: ε = {format_epsilon(total)}. "
        together += f"{T.DOUBLED()} " if total != earlier.local + earlier.central else ""
    return (
        f"The curator's ledger, which records every release since {earlier.ledger_since}, counts "
        f"those of the population {earlier.population}. {_model_words(earlier, 'local')} "
        f"{_model_words(earlier, 'central')} {together}{capped} "
        "Releases for which the population was not named are not listed."
    )


def _model_words(earlier: EarlierReleases, model: Literal["local", "central"]) -> str:
    """Returns the loss in one model."""
    name = f"{model.capitalize()} model"
    count = sum(release.model == model for release in earlier.releases)
    if count == 0 and model != earlier.model:
        return f"{name}: no release."
    before = {0: "no earlier release", 1: "1 earlier release"}.get(
        count, f"{count:,} earlier releases"
    )
    total = format_epsilon(earlier.local if model == "local" else earlier.central)
    this = "with this one " if model == earlier.model else ""
    return f"{name}: {before}, {this}ε = {total}."
