"""The checklist after NIST SP 800-226 for released statistics."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.estimate.released_statistics import ReleasedStatistics
from dpdesk.report.checklist import (
    ORIGINALS,
    RANDOM_NUMBERS,
    SIDE_CHANNELS,
    SMALL_GROUPS,
    Check,
    CheckGroup,
    check,
    domains_check,
    earlier_check,
    groups_of,
    looked_check,
)


def statistics_checklist(
    released: ReleasedStatistics, *, is_counted: bool = False
) -> tuple[CheckGroup, ...]:
    """Returns the checklist of a release of statistics.

    Args:
        released: What was released.
        is_counted: Whether the report lists the earlier releases of the same people.
    """
    return groups_of(_direct_measures(released, is_counted), _undermining(released), _foundations())


def _direct_measures(released: ReleasedStatistics, is_counted: bool) -> Iterator[Check]:
    statistics = released.plan.statistics
    unit, cost = statistics.unit, statistics.cost
    justified = bool(released.plan.details.justification)
    yield check(
        "Are ε and δ stated, for every query and for the whole release?",
        "yes",
        "Both are, as asked for and as run.",
    )
    yield check(
        "Is the choice of ε justified?",
        "yes" if justified else "no",
        "The reasons are given under Justification." if justified else "The plan gives no reasons.",
    )
    yield check(
        "Are the unit of privacy and the neighbouring relation stated?",
        "yes",
        f"{cost.unit.capitalize()}; {cost.relation}.",
    )
    yield check(
        "Is the bound on a respondent's rows enforced?",
        "yes" if unit.respondent_column else "unknown",
        f"By the column “{unit.respondent_column}”: rows beyond the bound are dropped at random."
        if unit.respondent_column
        else "No column tells whose row it is; the bound is a promise of the curator.",
    )
    yield earlier_check(is_counted=is_counted)


def _undermining(released: ReleasedStatistics) -> Iterator[Check]:
    suggested = tuple(
        column.name
        for column in released.plan.columns
        if column.provenance == "suggested" and column.domain is not None
    )
    yield check(
        "Is the mechanism shown to keep its ε?",
        "yes",
        f"{_who_draws(released)} The sensitivity of every query is derived in this report.",
    )
    yield check(
        "Are attacks through floating-point numbers prevented?",
        "yes",
        "Statistics are sums of whole numbers; noise is drawn exactly on their grid or, for the "
        "two continuous laws, on a fine grid by OpenDP.",
    )
    yield RANDOM_NUMBERS
    yield domains_check("Are domains, bounds and keys known without the data?", suggested)
    yield check(
        "Are keys that nobody has released like all others?",
        "yes",
        "Every declared key has a noisy result, whether a row has it or not.",
    )
    yield check(
        "Are missing answers treated without a loss of their own?",
        "yes",
        "They are left out of a query, are a category of their own or take a declared value; the "
        "sensitivity allows for it.",
    )
    yield looked_check("Were queries, epsilons and bounds chosen without looking at the answers?")
    yield check(
        "Are estimates and their errors stated?",
        "yes",
        "Each number with noise has its interval; where it can be told, one with the sampling "
        "error too. Of each choice and each quantile it is said what holds with the stated "
        "confidence. Answers moved to a bound bias a sum or a mean by an amount that is not "
        "public.",
    )
    yield SMALL_GROUPS
    yield SIDE_CHANNELS


def _who_draws(released: ReleasedStatistics) -> str:
    opendp = (
        "oise and choices are those of OpenDP, whose samplers and privacy maps have proofs; the "
        "scale of Gaussian noise follows from its exact loss (Balle & Wang 2018; Canonne, Kamath "
        "& Steinke 2020)."
    )
    queries = released.plan.statistics.queries
    if all(query.chooses or query.noise != "staircase" for query in queries):
        return f"N{opendp}"
    return (
        f"But for staircase noise, n{opendp} Staircase noise is dpdesk's own: a law of whole "
        "numbers, of which the largest likelihood ratio is computed exactly."
    )


def _foundations() -> Iterator[Check]:
    yield check(
        "Is the trust model stated?",
        "yes",
        "The model is central: the curator is trusted with the answers.",
    )
    yield ORIGINALS
