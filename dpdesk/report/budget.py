"""What a public report says of the budget: this release, its plan, and earlier releases."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.report.section import ExactEpsilon, Section


class EarlierRelease(Section):
    """A release of the same people before this one."""

    date: datetime.date
    """Its day in universal time."""
    kind: Literal["records", "statistics"]
    """What was released."""
    model: Literal["local", "central"]
    """The model of its loss."""
    epsilon: ExactEpsilon
    """Its loss."""
    delta: str
    """The chance that the bound fails; 0 in the local model."""


class EarlierReleases(Section):
    """What the ledger says of the population that was declared for a release.

    It depends on what was declared and released before, never on the answers.
    """

    population: str
    """The people, as they were declared."""
    ledger_since: datetime.date
    """Day from which on releases are recorded; earlier ones are not known."""
    releases: tuple[EarlierRelease, ...]
    """Every earlier release that was made in their name, the first one first."""
    local: ExactEpsilon
    """Sum of the local losses, with this release."""
    central: ExactEpsilon
    """Sum of the central losses; the two are never added."""
    central_delta: str
    """Sum of the deltas of the central losses."""
    model: Literal["local", "central"]
    """The model of this release, which cap and rest are about."""
    cap: ExactEpsilon | None
    """The most that all releases of this model may lose together, or null."""
    left: ExactEpsilon | None
    """The rest of the cap after this release, or null."""


def budget_words(
    spent: Decimal, limit: Decimal | None, earlier: EarlierReleases | None, charged: str = ""
) -> str:
    """Returns what a release spends of what, in words.

    Args:
        spent: Its loss.
        limit: The most that the plan allows; None without a limit.
        earlier: Earlier releases of the population that was declared for it.
        charged: What is to be said of the loss, as an apposition.
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
    """Returns what the ledger says of earlier releases, in words."""
    if earlier is None:
        return (
            "No population was declared for this release, so that earlier releases are not listed "
            "here: whether a file is the very one that was released before would say something "
            "about its answers. The curator's ledger counts them."
        )
    capped = (
        f"No cap is set for the {earlier.model} model."
        if earlier.cap is None or earlier.left is None
        else f"In the {earlier.model} model all of them together may spend ε = "
        f"{format_epsilon(earlier.cap)}; {format_epsilon(earlier.left)} is left."
    )
    return (
        f"The curator's ledger, which knows every release since {earlier.ledger_since}, counts "
        f"those of the population {earlier.population}, each model by itself. "
        f"{_model_words(earlier, 'local')} {_model_words(earlier, 'central')} {capped} "
        "Releases for which the population was not named are not listed."
    )


def _model_words(earlier: EarlierReleases, model: Literal["local", "central"]) -> str:
    """Returns what was lost in one model; the two are never put into one sum or sentence."""
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
